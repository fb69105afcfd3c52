"""Literals that code puts together are one text: a list that is joined, a form that is filled in.

Owns where such literals meet (`"".join(["a", "b"])`, `["a", "b"].join("")`, `"%s%s" % ("a", "b")`, `"a%s" % "b"`,
`"a{}".format("b")`). Linear: a list is followed for a bounded way. Standard library only.
"""

from collections.abc import Iterator

from ferrule.referents.expressions import expression

__all__ = ["meetings"]

_Q = r"\\{0,4}[\"'`]"
_TOKEN = r"[A-Za-z0-9_+/=.~!*@:?&%$#^-]"  # noqa: S105 - letters of a token
_OPENED = expression(
    rf"(?:{_Q}{_Q}\.join\([ \t\n]{{0,40}}[\[(]|{_Q}(?:%s|\{{\}}){{2,8}}{_Q}[ \t]{{0,4}}(?:%[ \t]{{0,4}}\(|\.format\())"
)
_CLOSED = expression(rf"\]\.join\([ \t]{{0,4}}{_Q}{_Q}[ \t]{{0,4}}\)")
_COMMA = expression(rf"(?<={_TOKEN}){_Q}[ \t]{{0,8}},[ \t]{{0,8}}(?:\\{{0,1}}\r?\n[ \t]{{0,60}})?{_Q}(?={_TOKEN})")
_FILLED = expression(
    rf"(?<={_TOKEN})(?<!%s)(?:%s|\{{\}}){_Q}[ \t]{{0,4}}(?:%|\.format\()[ \t]{{0,4}}\(?[ \t]{{0,4}}{_Q}(?={_TOKEN})"
)
_REACH = 600


def meetings(text: str) -> Iterator[tuple[int, int]]:
    """What stands between two literals that code makes one of."""
    if ".join(" in text or ".format(" in text or "%s" in text:
        yield from (match.span() for match in _FILLED.finditer(text))
        until = 0
        for begin, end in _lists(text):
            for match in _COMMA.finditer(text, max(begin, until), end):
                yield match.span()
            until = max(until, end)


def _lists(text: str) -> Iterator[tuple[int, int]]:
    """Where the lists stand whose literals are joined, by their beginnings."""
    found = []
    for match in _OPENED.finditer(text):
        stops = (text.find(mark, match.end(), match.end() + _REACH) for mark in "])")
        found.append((match.end(), min((stop for stop in stops if stop >= 0), default=match.end())))
    for match in _CLOSED.finditer(text):
        begin = text.rfind("[", max(0, match.start() - _REACH), match.start())
        found += [(begin, match.start())] if begin >= 0 else []
    return iter(sorted(found))
