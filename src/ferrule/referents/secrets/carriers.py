"""A secret is told by what carries it: a header, a cookie, a query, a URL's userinfo, a PEM frame.

Owns those carriers. Standard library only; every pattern is matched at an anchor and bounded.
"""
# ruff: noqa: E501, PLR2004 - patterns, thresholds and word lists are the data here

import re
from collections.abc import Iterator

from ferrule.referents.expressions import expression
from ferrule.referents.secrets.innocent import is_basic, is_innocent, is_random

__all__ = ["NAME_TAIL", "Hit", "cookie", "header", "pem", "query", "query_after", "query_value", "userinfo"]

Hit = tuple[str, int, int]

NAME_TAIL = expression(
    r"(?:_?names?|_?ids?|_?types?|_?file|_?path|_?url|_?uri|_?count|_?limit|_?length|_?len|_?field|_?input|_?hash|_?policy|_?reset|[_-]fix(?:es)?|_?expir\w{0,12}|_?ttl|_?budget|_?usage|_?kind|_?prefix|_?label|_?env|_?var|_?ref\w{0,8}|_?key_?ref"
    r"|_?version|_?provider|_?endpoint|_?index|_?lifetime|_?regex|_?pattern|_?format|_?rule|_?hint|_?arn|_?manager|_?store|_?service|s?_?(?:per|used|in|out|left)\w{0,16}|iz\w{1,12}|less|ary)\Z",
    re.IGNORECASE,
)
_HEADER = expression(
    r"(?:authorization\\?[\"'`]?[ \t]{0,3}[:=][ \t]{0,3}\\?[\"'`]?)?(?P<scheme>bearer|basic|token|digest|apikey|negotiate)[ \t]{1,3}(?P<b>[A-Za-z0-9+/=._~:-]{1,4000})",
    re.IGNORECASE,
)
_RAW_HEADER = expression(
    r"authorization\\?[\"'`]?[ \t]{0,3}[:=][ \t]{0,3}\\?[\"'`]?(?P<b>[A-Za-z0-9+/=._~-]{16,4000})", re.IGNORECASE
)
_COOKIE = expression(r"cookie:[ \t]{0,3}(?P<b>[^\n\"'`]{8,600})", re.IGNORECASE)
_QUERY = expression(r"(?:[A-Za-z0-9_.-]{0,24})=(?P<b>[^\s&#\"'`<>\x00\[\])]{1,2000})")
_QUERY_LEAD = expression(r"[?&;](?:amp;)?(?P<lead>[A-Za-z0-9_.-]{0,30})\Z")
_MASKED = expression(
    r"\$.*|%[A-Za-z_]\w*%|[{<\[\x00].*|[*xX.•]{3,}|(?:your|my)[-_]?(?:password|token|pass)\w*|\.\.\.", re.IGNORECASE
)
_NOT_QUERY = expression(
    r"(?:(?:\A|[._-])(?:n|num|min|max|count|start|sync|prev)|page|next|continuation|csrf|cursor)[_-]?\Z|\A(?:s|_type|type|_count|_limit|_name|_id)\b",
    re.IGNORECASE,
)
_USERINFO = expression(
    r"://(?P<user>[^\s/?#@:\"'`<>\x00]{0,200})(?::(?P<b>[^\s/?#@\"'`<>\x00]{1,400}))?@(?=[A-Za-z0-9\[_.-])"
)
_USERINFO_SLASHED = expression(
    r"://(?P<user>[^\s/?#@:\"'`<>\x00]{0,200}):(?P<b>[^\s@\"'`<>\x00]{1,200})@(?=[A-Za-z0-9._-]{1,200}(?::[0-9]{1,5})?/)"
)
_PEM_MAX = 20000
_PEM_BODY = expression(r"-----BEGIN [A-Z0-9 ]{1,40}-----(?:[\sA-Za-z0-9+/=:,]|\\n){0,20000}", re.IGNORECASE)
_PEM_NONE = expression(
    r"-----BEGIN [A-Z0-9 ]{1,40}-----(?:\\n|[\s.…*xX#])*+(?:<[^<>\n]{0,60}>|\[[^\[\]\n]{0,60}\])?(?:\\n|[\s.…*xX])*+(?:-----END [A-Z0-9 ]{1,40}-----)?",
    re.IGNORECASE,
)
_PAIR = expression(r"[A-Za-z0-9_.-]{1,60}=(?P<b>[^;\s]{12,1000})")


def header(text: str, at: int, _anchor: str) -> Iterator[Hit]:
    """An authorization header: bearer, basic (decoded), token."""
    match = _HEADER.match(text, at)
    if match is None:
        raw = _RAW_HEADER.match(text, at)
        if raw and not is_innocent(raw["b"]) and is_random(raw["b"]):
            yield ("authorization", raw.start("b"), raw.end("b"))
        return
    value = match["b"].rstrip(".:")
    scheme = match["scheme"].lower()
    end = match.start("b") + len(value)
    if scheme == "basic":
        if is_basic(value):
            yield ("basic-auth", match.start("b"), match.end("b"))
    elif not is_innocent(value) and (
        is_random(value, length=8) or (len(value) >= 6 and text[at : at + 13].lower() == "authorization")
    ):
        yield ("bearer-token" if scheme == "bearer" else "authorization", match.start("b"), end)


def cookie(text: str, at: int, _anchor: str) -> Iterator[Hit]:
    """The values of a cookie header."""
    match = _COOKIE.match(text, at)
    if match:
        for pair in _PAIR.finditer(match["b"]):
            if is_random(pair["b"], length=12) and not is_innocent(pair["b"]):
                yield ("cookie", match.start("b") + pair.start("b"), match.start("b") + pair.end("b"))


def query(text: str, at: int, anchor: str) -> Iterator[Hit]:
    """A query parameter with a secret name that the anchor begins or ends."""
    start = at + 1 if anchor[0] in "?&" else at
    lead = _QUERY_LEAD.search(text, max(0, start - 36), start)
    if lead and (found := query_value(text, start, lead["lead"])):
        yield found


def query_after(text: str, at: int) -> re.Match[str] | None:
    """The start of the parameter name that goes on at this position, when it stands in a query."""
    before = text[max(0, at - 36) : at]
    lead = _QUERY_LEAD.search(before) if "?" in before or "&" in before or ";" in before else None
    return lead if lead and _QUERY.match(text, at) else None


def query_value(text: str, at: int, lead: str) -> Hit | None:
    """The value of a query parameter whose name begins with `lead` and goes on at this position."""
    match = _QUERY.match(text, at)
    if match is None:
        return None
    name = lead + text[at : match.start("b") - 1]
    before = text[max(0, at - len(lead) - 5) : at - len(lead)]
    listed = before.endswith(";") and before != "&amp;"
    value = (match["b"].partition(";")[0] if listed else match["b"]).rstrip(".,;)")
    if _NOT_QUERY.search(lead) or NAME_TAIL.search(text, at, match.start("b") - 1) or is_innocent(value):
        return None
    low = name.lower()
    signed = not low.startswith(("x-amz-", "x-goog-")) or low.endswith(("signature", "token", "credential"))
    if not signed or (low in {"key", "auth"} and not is_random(value, length=12)):
        return None
    return ("url-parameter", match.start("b"), match.start("b") + len(value))


def userinfo(text: str, at: int, _anchor: str) -> Iterator[Hit]:
    """A password, or a token as user, before the host of a URL."""
    match = _USERINFO.match(text, at)
    if match is None:
        match = _USERINFO_SLASHED.match(text, at)
        if match is None or match["b"].split("/", 1)[0].isdigit():
            return
    if match["b"] is not None:
        if not _is_masked(match["b"]):
            whole = len(match["user"]) >= 20 and is_random(match["user"])
            yield ("url-userinfo", match.start("user" if whole else "b"), match.end("b"))
    elif len(match["user"]) >= 20 and is_random(match["user"]) and not is_innocent(match["user"]):
        yield ("url-userinfo", match.start("user"), match.end("user"))


def _is_masked(value: str) -> bool:
    """In a URL any password counts but a reference, a mask or a placeholder in brackets (CASE-D01, CASE-D07)."""
    return _MASKED.fullmatch(value) is not None


def pem(text: str, low: str, at: int) -> Iterator[Hit]:
    """A private key in a PEM frame, with its frame."""
    head = low[at : at + 60]
    if "private key" in head:
        end = _pem_end(text, low, at)
        if not _PEM_NONE.fullmatch(text, at, end):
            yield ("private-key", at, end)


def _pem_end(text: str, low: str, at: int) -> int:
    """Where a PEM block ends: at its END line, else after what still looks like its body."""
    close = low.find("-----end ", at + 11, at + _PEM_MAX)
    if close >= 0:
        stop = low.find("-----", close + 9, close + 80)
        return stop + 5 if stop >= 0 else min(len(text), close + 40)
    body = _PEM_BODY.match(text, at)
    return body.end() if body else min(len(text), at + 60)
