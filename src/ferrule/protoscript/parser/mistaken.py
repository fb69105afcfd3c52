"""Texts that are no ProtoScript are called what they are, with what to write instead.

Owns the recognition of fences, JSON, YAML-like blocks, sentences and definitions without their first word. Nothing is
ever taken out of such a text (CASE-B30): it only gets a better message. Knows nothing of what valid texts look like.
"""

from ferrule.protoscript.diagnostics import DiagnosticCode
from ferrule.protoscript.parser.cursor import Cursor
from ferrule.protoscript.tokens import END

__all__ = ["refuse_foreign_kind", "refuse_foreign_text", "refuse_prose"]

_DEFINITION = "write `prototype Name : Base { Property = value; }`"
_FOREIGN = frozenset({"enum", "class", "struct", "interface", "property"})
_VERBS = frozenset({"is", "are", "has"})


def refuse_foreign_text(c: Cursor) -> None:
    """Fail at a text that starts with a fence or as JSON; nothing of it is read."""
    if c.texts[c.at].startswith("```"):
        c.note(DiagnosticCode.FENCED_TEXT, "the text is fenced", c.here(), hint="leave the fences out")
    elif _is_json(c):
        c.note(DiagnosticCode.JSON_TEXT, "the text is JSON", c.here(), hint=_DEFINITION)
    else:
        return
    c.closed = True


def _is_json(c: Cursor) -> bool:
    first, second, third = c.kinds[c.at : c.at + 3]
    if first == "{":
        return second == "string" and third == ":"
    return (first == "[" and second == "{") or (first == "string" and second == END)


def refuse_prose(c: Cursor) -> None:
    """Fail at a statement that can only be a sentence, a YAML-like line or a definition without its first word."""
    at = c.at
    if c.kinds[at] != "name":
        return
    following = c.kinds[at + 1]
    if following in {":", "{"}:
        c.at = at + 1
        message = "a definition starts with the word `prototype`"
        c.fail(DiagnosticCode.UNEXPECTED_TOKEN, message, c.span(at), hint=_DEFINITION)
    if following != "name":
        return
    third = c.kinds[at + 2]
    verb = c.texts[at + 1] in _VERBS and third == "name" and c.kinds[at + 3] in {"name", END}
    sentence = third == "name" and c.kinds[at + 3] == "name" and c.texts[at] not in {"const", "extern"}
    if verb or sentence:
        c.fail(DiagnosticCode.UNEXPECTED_TOKEN, "this reads like a sentence", c.here(), hint=_DEFINITION)


def refuse_foreign_kind(c: Cursor, type_: str) -> None:
    """Fail at a declaration of another language, read so far as `type_` and a name: `enum A {`, `Int A { get; }`."""
    if type_ in _FOREIGN and c.kinds[c.at] in {"{", ":", "name"}:
        hint = (
            "write `Type Name;`" if type_ == "property" else "write a prototype for it, and one for each of its values"
        )
        c.fail(DiagnosticCode.UNEXPECTED_TOKEN, f"ProtoScript has no `{type_}`", c.gap(), hint=hint)
    if c.kinds[c.at] == "{":
        hint = "write `Type Name;` or `Type Name = value;`"
        c.fail(DiagnosticCode.UNEXPECTED_TOKEN, "what has a type and a name has no braces", c.gap(), hint=hint)
