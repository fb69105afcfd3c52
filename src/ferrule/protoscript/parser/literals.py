"""Literals say what they mean: text is decoded, numbers are read, and what has an odd shape is reported.

Escapes are JSON's in `"…"` and C's short ones in `'…'`; anything else behind a backslash is `bad-escape` (a warning:
the reference reads it, we keep its characters, and no definition may say it). Numbers are `0`, `12`, `1.5`, with the
suffixes of the reference; `007`, `1e5`, `0x1F` and `1_000` are `bad-number`. Knows nothing of where a literal stands.
"""

import math
import re
from typing import Literal

from ferrule.protoscript.diagnostics import DiagnosticCode
from ferrule.protoscript.parser.cursor import Cursor
from ferrule.protoscript.syntax import Number, Span, Text
from ferrule.protoscript.syntax.spans import make_span

__all__ = ["number", "string"]

_STRING_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
_CHAR_ESCAPES = {
    "'": "'", '"': '"', "\\": "\\", "0": "\0", "a": "\a", "b": "\b",
    "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
}  # fmt: skip
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))", re.DOTALL)
_NUMBER = re.compile(r"(0|[1-9][0-9]*+)(\.[0-9]++)?+([mM]|[uU]?+[lL]|[fF])?+")
_QUICK = 20
_DIGITS = 400
_SURROGATES = re.compile("[\ud800-\udfff]")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_NumberForm = Literal["int", "double", "decimal", "long", "ulong", "float"]
_FORMS: dict[str, _NumberForm] = {"m": "decimal", "l": "long", "ul": "ulong", "f": "float"}


def string(c: Cursor) -> Text:
    """Text = STRING | VERBATIM | INTERPOLATED | PROTOSTRING | CHAR . decoded, the raw text kept beside."""
    at = c.at
    kind, raw = c.kinds[at], c.texts[at]
    span = make_span((c.starts[at], c.ends[at]))
    c.at = at + 1
    if kind == "verbatim":
        return Text("verbatim", raw, raw[2:-1].replace('""', '"'), span)
    if kind == "string":
        body = raw[1:-1]
        return Text("string", raw, _decoded(c, body, span.start + 1, _STRING_ESCAPES) if "\\" in body else body, span)
    if kind == "char":
        return Text("char", raw, _decoded(c, raw[1:-1], span.start + 1, _CHAR_ESCAPES), span)
    body = raw[raw.index('"') + 1 : -1]
    return Text("interpolated" if kind == "interpolated" else "protostring", raw, body, span)


def number(c: Cursor, *, negative: bool = False) -> Number:
    """Number = DIGITS [ "." DIGITS ] [ "M" | "L" | "UL" | "F" ] . no leading zeros. Past 400 digits it is clamped."""
    at = c.at
    raw = c.texts[at]
    span = make_span((c.starts[at], c.ends[at]))
    c.at = at + 1
    if len(raw) < _QUICK and raw.isascii() and raw.isdecimal() and (raw[0] != "0" or raw == "0"):
        return Number("int", raw, -int(raw) if negative else int(raw), negative, span)
    shape = _NUMBER.fullmatch(raw)
    if shape is None:
        hint = "write plain digits, with one `.` for a fraction; text belongs in quotes"
        c.note(DiagnosticCode.BAD_NUMBER, "this is not a number as ProtoScript writes it", span, hint=hint)
        return Number("int", raw, 0, negative, span)
    whole, fraction, suffix = shape.groups()
    sign = -1 if negative else 1
    value: int | float
    if fraction is None:
        # A number of 400 digits is out of every range already, and converting more of them takes quadratic time.
        value = sign * (int(whole) if len(whole) <= _DIGITS else 10**_DIGITS)
        return Number(_form(suffix) or "int", raw, value, negative, span)
    value = float(whole + fraction)
    if math.isinf(value):
        c.note(DiagnosticCode.BAD_NUMBER, "this number is too large", span)
    return Number(_form(suffix) or "double", raw, sign * value, negative, span)


def _form(suffix: str | None) -> _NumberForm | None:
    return _FORMS[suffix.lower()] if suffix else None


def _decoded(c: Cursor, body: str, start: int, known: dict[str, str]) -> str:
    """`body` with its escapes decoded; unknown ones are reported and kept as written."""
    wide = known is _STRING_ESCAPES

    def decode(match: re.Match[str]) -> str:
        code, short = match.groups()
        if code is not None and wide:
            return chr(int(code, 16))
        if short in known:
            return known[short]
        place = Span(start + match.start(), start + match.end())
        hint = 'write a backslash as `\\\\`, or use a verbatim string `@"…"`, where backslashes stand for themselves'
        message = "this escape is unknown"
        c.note(DiagnosticCode.BAD_ESCAPE, message, place, hint=hint, severity="warning")
        return match[0]

    value = _ESCAPE.sub(decode, body)
    if _SURROGATES.search(value) is None:
        return value
    joined = _PAIR.sub(_join, value)
    if _SURROGATES.search(joined) is not None:
        place = Span(start, start + len(body))
        c.note(DiagnosticCode.BAD_ESCAPE, "half of a surrogate pair stands alone", place, severity="warning")
    return joined


def _join(pair: re.Match[str]) -> str:
    """A pair of escaped surrogates as the one character it means."""
    text = pair[0]
    return chr(0x10000 + ((ord(text[0]) - 0xD800) << 10) + ord(text[1]) - 0xDC00)
