"""A secret is told by a settings file that names it in one place and says it in another.

Owns entries of name and value (`- name: DB_PASSWORD`, `<add key=…>`, a variable's default), Kubernetes secrets and the
`auth` of a container registry. Standard library only; every pattern is matched at an anchor and bounded.
"""
# ruff: noqa: E501 - a pattern a line

import re
from collections.abc import Iterator

from ferrule.referents.expressions import expression
from ferrule.referents.secrets.innocent import is_basic, is_innocent

__all__ = ["entry", "manifest", "registry_auth"]

Hit = tuple[str, int, int]

_Q = r"(?:\\{0,4}[\"'`]|&quot;|&#39;|&#x27;)"
_BREAK = r"(?:\\{1,4}[nrt]|[\s,+>#|]|[0-9]{1,6}\t)"
_ENTRY = expression(
    rf"{_Q}?(?:{_BREAK}{{1,60}}){_Q}?(?:value|default|content|defaultValue)(?:{_Q}?[ \t]{{0,3}}[:=][ \t]{{0,3}}){_Q}?(?P<b>[^\s\"'`<>,;\\&]{{3,400}})",
    re.IGNORECASE,
)
_VARIABLE = expression(
    rf"{_Q}[ \t]{{0,3}}\{{[^{{}}]{{0,300}}?default[ \t]{{0,8}}=[ \t]{{0,3}}{_Q}(?P<b>[^\s\"'`\\&]{{3,400}})"
)
_DATA = expression(r"(?:stringData|data)\\{0,4}\"?[ \t]{0,3}:", re.IGNORECASE)
_PAIR = expression(
    rf"(?:\\{{1,4}}[nr]|[\n,{{]){_BREAK}{{1,40}}\\{{0,4}}[\"']?(?P<name>[A-Za-z0-9_.-]{{1,80}})\\{{0,4}}[\"']?:[ \t]{{1,3}}\\{{0,4}}[\"']?(?P<b>[^\s\"'`\\<>,}}]{{6,4000}})"
)
_AUTH = expression(rf"auth{_Q}[ \t]{{0,3}}:[ \t]{{0,3}}{_Q}(?P<b>[A-Za-z0-9+/=_-]{{8,400}})", re.IGNORECASE)
_AHEAD, _BACK, _MOST = 6000, 3000, 60
_KIND = "kind: secret"


def entry(text: str, at: int) -> Hit | None:
    """What the value beside a name says; `at` is the end of the name."""
    match = _ENTRY.match(text, at) or _VARIABLE.match(text, at)
    if match is None or is_innocent(match["b"]):
        return None
    return ("password", match.start("b"), match.end("b"))


def manifest(text: str, at: int, _anchor: str) -> Iterator[Hit]:
    """The data of a Kubernetes secret, before or after the line that says what it is."""
    around = text[max(0, at - _BACK) : at + _AHEAD].lower()
    here = min(at, _BACK)
    begin, end = 0, len(around)
    for mark in (_KIND, "\n---", "\\n---"):
        begin = max(around.rfind(mark, begin, here), begin)
        stop = around.find(mark, here + len(_KIND), end)
        end = stop if stop >= 0 else end
    end += at - here
    begin += at - here
    data = _DATA.search(text, begin, end)
    where, count = (data.end(), 0) if data else (end, _MOST)
    while count < _MOST and (match := _PAIR.search(text, where, min(end, where + 200))):
        where, count = match.end(), count + 1
        if match["name"].lower() not in _OTHERS and not is_innocent(match["b"]):
            yield ("secret", match.start("b"), match.end("b"))


_OTHERS = frozenset({"kind", "apiversion", "name", "namespace", "type", "metadata", "labels", "app", "immutable"})


def registry_auth(text: str, at: int, _anchor: str) -> Iterator[Hit]:
    """`"auth": "…"`: user and password of a registry, in base64."""
    match = _AUTH.match(text, at)
    if match and is_basic(match["b"]):
        yield ("basic-auth", match.start("b"), match.end("b"))
