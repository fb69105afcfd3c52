"""The words of ProtoScript: which of them carry structure, and where they may not stand as names.

None is reserved in the reference; we are stricter for definitions and follow it for property names
(reference/protoscript.md sections 1.5 and 10). Knows nothing of tokens.
"""

__all__ = ["FIELD_MODIFIERS", "RESERVED", "STATEMENT_WORDS", "UNARY_WORDS", "VALUE_WORDS", "WORD_OPERATORS"]

FIELD_MODIFIERS = frozenset(
    "static sealed override partial new async abstract const readonly protected private public internal volatile "
    "virtual delegate extern".split()
)

STATEMENT_WORDS = frozenset("return if foreach for while do switch case default try throw break continue yield".split())

WORD_OPERATORS = frozenset({"is", "as", "typeof", "cast"})

# Operators made of letters are never names, not even of properties.
UNARY_WORDS = frozenset({"await", "out", "ref"})

VALUE_WORDS = frozenset({"true", "false", "null"})

RESERVED = (
    STATEMENT_WORDS
    | WORD_OPERATORS
    | VALUE_WORDS
    | FIELD_MODIFIERS
    | frozenset(
        "prototype include import using namespace function extends where else catch finally in "
        "init reference recursive initialized nameof".split()
    )
)
"""Words that are refused as the name of a definition, as a base and as a type; as property names they are followed."""
