"""Literals that code puts together are one text: a list that is joined, a form that is filled in.

Owns where such literals meet (`"".join(["a", "b"])`, `["a", "b"].join("")`, `"%s%s" % ("a", "b")`, `"a%s" % "b"`,
`"a{}".format("b")`). Linear: a list is followed for a bounded way. Standard library only.
"""

from collections.abc import Iterator

from ferrule.referents.expressions import expression

__all__ = ["meetings"]

_Q = r"\\{0,4}[\"'`]"
_TOKEN = r"[A-Za-z0-9_+/=.~!*@:?&%$#^-]"  # noqa: S105 - letters of a token
_JOINED = expression(rf"{_Q}{_Q}\.join\([ \t\n]{{0,40}}[\[(]")
_FORM = expression(rf"{_Q}(?:%s|\{{\}}){{2,8}}{_Q}[ \t]{{0,4}}(?:%[ \t]{{0,4}}\(|\.format\()")
_CLOSED = expression(rf"\]\.join\([ \t]{{0,4}}{_Q}{_Q}[ \t]{{0,4}}\)")
_COMMA = expression(rf"(?<={_TOKEN}){_Q}[ \t]{{0,8}},[ \t]{{0,8}}(?:\\{{0,1}}\r?\n[ \t]{{0,60}})?{_Q}(?={_TOKEN})")
_FILLED = expression(
    rf"(?<={_TOKEN})(?<!%s)(?:%s|\{{\}}){_Q}[ \t]{{0,4}}(?:%|\.format\()[ \t]{{0,4}}\(?[ \t]{{0,4}}{_Q}(?={_TOKEN})"
)
_PLACE = expression(rf"(?:%s|\{{\}}){_Q}")
_FORMS = ("%s%s", "{}{}")
_REACH = 600


def meetings(text: str) -> Iterator[tuple[int, int]]:
    """What stands between two literals that code makes one of."""
    for place in _PLACE.finditer(text) if "%s" in text or "{}" in text else ():
        filled = _FILLED.match(text, place.start())
        if filled:
            yield filled.span()
    joined = _joined(text) if ".join(" in text else ()
    formed = _formed(text) if any(form in text for form in _FORMS) else ()
    until = 0
    for begin, end in sorted([*joined, *formed]):
        for match in _COMMA.finditer(text, max(begin, until), end):
            yield match.span()
        until = max(until, end)


def _joined(text: str) -> Iterator[tuple[int, int]]:
    """Where the lists stand whose literals are joined by nothing."""
    at = text.find(".join(")
    while at >= 0:
        before = next((match for match in _JOINED.finditer(text, max(0, at - 10), at + 60)), None)
        if before is not None:
            yield before.end(), _stop(text, before.end())
        closed = _CLOSED.match(text, at - 1) if at else None
        begin = text.rfind("[", max(0, at - _REACH), at) if closed else -1
        if begin >= 0:
            yield begin, at - 1
        at = text.find(".join(", at + 6)


def _formed(text: str) -> Iterator[tuple[int, int]]:
    """Where the values stand that fill a form of nothing but places."""
    return ((match.end(), _stop(text, match.end())) for match in _FORM.finditer(text))


def _stop(text: str, begin: int) -> int:
    stops = (text.find(mark, begin, begin + _REACH) for mark in "])")
    return min((stop for stop in stops if stop >= 0), default=begin)
