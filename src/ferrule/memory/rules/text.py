"""Rule 1: a definition is bounded, readable text.

Owns size limits and the character policy, for the raw text and for decoded values: an escape is no way around it.
"""

from collections.abc import Iterator
from itertools import islice

from ferrule.errors import Code
from ferrule.memory.case import Case, Finding
from ferrule.memory.rules.characters import forbidden_in_text, forbidden_in_value, is_word, literal_spans
from ferrule.memory.rules.members import texts_in, values_of
from ferrule.protoscript.syntax import Span

__all__ = ["text_rule"]

_MOST = 5
_ASCII = "Write names with ASCII letters, digits, underscores and single # signs only."


def text_rule(case: Case) -> list[Finding]:
    """TOO_LARGE and BAD_TEXT; an invisible character inside a name is BAD_IDENTIFIER (CASE-C01, C02, C06, I03)."""
    try:
        size = len(case.source.text.encode("utf-8"))
    except UnicodeEncodeError as problem:
        return [_bad(problem.start, "half of a surrogate pair")]
    limit = case.view.limits.definition_bytes
    if size > limit:
        message = f"The definition has {size} bytes; at most {limit} are allowed."
        return [Finding(Code.TOO_LARGE, message, "Keep handles and a short description, drop the rest.")]
    bad = tuple(islice(forbidden_in_text(case.source.text), _MOST))
    return [_placed(case.source.text, index, what) for index, what in bad] or list(islice(_in_values(case), _MOST))


def _bad(index: int, what: str, prop: str = "") -> Finding:
    message = f"The text holds {what}, which people cannot see or terminals would act on."
    return Finding(Code.BAD_TEXT, message, "Remove that character.", prop, Span(index, index + 1))


def _placed(text: str, index: int, what: str) -> Finding:
    before, after = text[index - 1 : index], text[index + 1 : index + 2]
    if not what.startswith("a control") and _in_name(text, index) and (is_word(before) or is_word(after)):
        message = f"A name holds {what}."
        return Finding(Code.BAD_IDENTIFIER, message, _ASCII, span=Span(index, index + 1), rule=3)
    return _bad(index, what)


def _in_name(text: str, index: int) -> bool:
    return not any(start <= index < end for start, end in literal_spans(text))


def _in_values(case: Case) -> Iterator[Finding]:
    limits = case.view.limits
    if len(case.tree.members) > limits.properties:
        message = f"The definition has {len(case.tree.members)} members; at most {limits.properties} are allowed."
        yield Finding(Code.TOO_LARGE, message, "Keep the properties that point at the thing.", span=case.tree.name_span)
    for name, expression in values_of(case.tree):
        for text in texts_in(expression):
            if len(text.value) > limits.value_characters:
                message = f"A value has {len(text.value)} characters; at most {limits.value_characters} are allowed."
                remedy = "Keep the handle or a short description instead of the whole text."
                yield Finding(Code.TOO_LARGE, message, remedy, name, text.span)
            for _, what in forbidden_in_value(text.value):
                yield _bad(text.span.start, what, name)
                break
