"""A type is kept as text: `A.B`, `A::B`, `List<Int>`, `Int?`, `String[]`.

Owns two readings of the same rule: `type_text` steps over a type and reports what is wrong, `type_end` only looks ahead
(to tell declarations from expressions) and costs a bounded number of steps. Knows nothing of what a type means.
"""

from ferrule.protoscript.diagnostics import DiagnosticCode
from ferrule.protoscript.parser.cursor import Cursor, describe
from ferrule.protoscript.parser.recovery import begins_declaration
from ferrule.protoscript.words import RESERVED, UNARY_WORDS, WORD_OPERATORS

__all__ = ["brackets_end", "dotted", "identifier", "type_end", "type_text"]

_OPERATORS = WORD_OPERATORS | UNARY_WORDS
_NESTING = 16
_WINDOW = 256


def identifier(c: Cursor, what: str, *, strict: bool = True) -> str:
    """Ident = LETTER { LETTER | DIGIT | "_" } { "#" { LETTER | DIGIT | "_" } } .

    `strict` also refuses reserved words: property names follow the reference, definitions do not.
    """
    at = c.at
    kind, word = c.kinds[at], c.texts[at]
    if begins_declaration(c, at):
        c.fail(DiagnosticCode.EXPECTED_NAME, f"expected {what}, not the next declaration", c.gap())
    if kind == "name" and word not in _OPERATORS:
        if strict and word in RESERVED:
            hint = "choose another name" if what != "the type" else ""
            c.note(DiagnosticCode.RESERVED_WORD, f"`{word}` is a word of the language, not {what}", c.here(), hint=hint)
        c.at = at + 1
        return word
    if kind in {"number", "junk"}:
        hint = "names start with a letter or an underscore and go on with letters, digits and underscores"
        c.note(DiagnosticCode.BAD_IDENTIFIER, f"{what} is not a name as ProtoScript writes it", c.here(), hint=hint)
        c.at = at + 1
        return word
    return c.fail(DiagnosticCode.EXPECTED_NAME, f"expected {what}, not {describe(c)}")


def dotted(c: Cursor, what: str, *, strict: bool = False) -> str:
    """Dotted = ident { "." ident } ."""
    parts = [identifier(c, what, strict=strict)]
    while c.kinds[c.at] == ".":
        c.at += 1
        parts.append(identifier(c, f"a name after `.` in {what}", strict=False))
    return ".".join(parts)


def type_text(c: Cursor, what: str = "the type") -> str:
    """Type = ident { ( "." | "::" ) ident } [ "?" ] [ arguments ] { brackets } [ "?" ] ."""
    text = identifier(c, what)
    if c.kinds[c.at] not in _TYPE_GOES_ON:
        return text
    while c.kinds[c.at] in {".", "::"}:
        mark = c.kinds[c.at]
        c.at += 1
        text += mark + identifier(c, f"a name after `{mark}` in {what}", strict=False)
    text += _question(c)
    if c.kinds[c.at] == "<":
        text += _arguments(c)
    while c.kinds[c.at] == "[":
        text += _brackets(c)
    return text + _question(c)


_TYPE_GOES_ON = frozenset({".", "::", "?", "<", "["})


def _question(c: Cursor) -> str:
    if c.kinds[c.at] != "?":
        return ""
    c.at += 1
    return "?"


def _arguments(c: Cursor) -> str:
    """Arguments = "<" type { "," type } ">" ."""
    c.enter()
    c.at += 1
    names = [type_text(c)]
    while c.kinds[c.at] == ",":
        c.at += 1
        names.append(type_text(c))
    c.expect(">", "the type's arguments")
    c.depth -= 1
    return f"<{', '.join(names)}>"


def _brackets(c: Cursor) -> str:
    """Brackets = "[" [ expression { "," expression } ] "]" . kept as text."""
    c.at += 1
    if c.kinds[c.at] == "]":
        c.at += 1
        return "[]"
    c.enter()
    if c.kinds[c.at] == ",":
        c.fail(DiagnosticCode.STRAY_COMMA, "this comma has no value before it", hint="write `[]`")
    first = c.at
    c.expression(c)
    while c.kinds[c.at] == ",":
        c.at += 1
        c.expression(c)
    text = c.text(first)
    c.depth -= 1
    c.expect("]", "the index")
    return f"[{text}]"


def type_end(c: Cursor, at: int, depth: int = 0) -> int:
    """The index after a type that starts at `at`, or -1 when there is none. Looks at most `_WINDOW` tokens ahead."""
    return _type_end(c, at, at + _WINDOW, depth)


def _type_end(c: Cursor, at: int, last: int, depth: int) -> int:
    kinds = c.kinds
    if kinds[at] != "name" or depth > _NESTING:
        return -1
    if kinds[at + 1] not in _TYPE_GOES_ON:
        return at + 1
    known = c.types.get(at)
    if known is None:
        known = c.types[at] = _long_type_end(c, at + 1, last, depth)
    return known


def _long_type_end(c: Cursor, at: int, last: int, depth: int) -> int:
    kinds = c.kinds
    while kinds[at] in {".", "::"}:
        if kinds[at + 1] != "name" or at > last:
            return -1
        at += 2
    if kinds[at] == "?":
        at += 1
    if kinds[at] == "<":
        at = _arguments_end(c, at, last, depth)
    while at >= 0 and kinds[at] == "[":
        at = _brackets_end(c, at, last)
    return at + 1 if at >= 0 and kinds[at] == "?" and kinds[at - 1] != "?" else at


def _arguments_end(c: Cursor, at: int, last: int, depth: int) -> int:
    while True:
        at = _type_end(c, at + 1, last, depth + 1)
        if at < 0 or at > last:
            return -1
        if c.kinds[at] == ">":
            return at + 1
        if c.kinds[at] != ",":
            return -1


def brackets_end(c: Cursor, at: int) -> int:
    """The index after a balanced pair of brackets at `at`, or -1; a look ahead of at most `_WINDOW` tokens."""
    return _brackets_end(c, at, at + _WINDOW)


def _brackets_end(c: Cursor, at: int, last: int) -> int:
    """After a balanced pair of brackets; a `;` or brace inside means that this is no type."""
    level = 0
    while at <= last:
        kind = c.kinds[at]
        if kind in {"[", "("}:
            level += 1
        elif kind in {"]", ")"}:
            level -= 1
            if level == 0:
                return at + 1
        elif kind in {";", "{", "}", "end"}:
            return -1
        at += 1
    return -1
