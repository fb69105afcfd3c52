"""The words of ProtoScript: which of them carry structure, and where they may not stand as names.

None is reserved in the reference; we are stricter for definitions and follow it for property names
(reference/protoscript.md sections 1.5 and 10). Knows nothing of tokens.
"""

__all__ = ["FIELD_MODIFIERS", "RESERVED", "STATEMENT_WORDS", "UNARY_WORDS", "VALUE_WORDS", "WORD_OPERATORS"]


def _words(line: str) -> frozenset[str]:
    return frozenset(line.split())


FIELD_MODIFIERS = _words("static sealed override partial new async abstract const readonly") | _words(
    "protected private public internal volatile virtual delegate extern"
)

STATEMENT_WORDS = _words("return if foreach for while do switch case default try throw break continue yield")

WORD_OPERATORS = _words("is as typeof cast")

UNARY_WORDS = _words("await out ref")
"""Together with `WORD_OPERATORS` never a name, not even of a property."""

VALUE_WORDS = _words("true false null")

RESERVED = (
    STATEMENT_WORDS
    | WORD_OPERATORS
    | UNARY_WORDS
    | VALUE_WORDS
    | FIELD_MODIFIERS
    | _words("prototype include import using namespace function extends where else catch finally in")
    | _words("init reference recursive initialized nameof")
)
"""Words that are refused as the name of a definition, as a base and as a type; as property names they are followed."""
