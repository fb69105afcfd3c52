"""A secret is told by what stands before it: an assignment, a flag, a parameter, a header, a sentence.

Owns the words that announce a secret and the forms in which its value follows. Standard library only; every pattern is
matched at an anchor and bounded, so the work is linear in the text.
"""

import base64
import binascii
import re
from collections.abc import Iterator, Mapping

from ferrule.referents.secrets.innocent import entropy, is_innocent, is_random

__all__ = ["STEMS", "judge"]

Hit = tuple[str, int, int]

# The anchors by a stem that all of them hold: a text without the stem is not searched for them.
STEMS: Mapping[str, tuple[str, ...]] = {
    "pass": ("passw", "passphrase", "passcode", "pass=", "pass:", "pass\"", "_pass ", "requirepass", "sshpass"),
    "pwd": ("pwd",),
    "secret": ("secret",),
    "token": ("token",),
    "key": (
        "apikey", "api_key", "api-key", "api key", "accesskey", "access_key", "access-key", "access key", "privatekey", "private_key",
        "signing_key", "signingkey", "encryption_key", "encryptionkey", "accountkey", "account_key", "auth_key", "authkey", "master_key",
        "client_key", "session_key=", "?key=", "&key=",
    ),
    "credential": ("credential",),
    "auth": ("authorization", "auth=", "_auth"),
    "bearer": ("bearer",),
    "basic ": ("basic ",),
    "cookie:": ("cookie:",),
    "sig": ("sig=", "signature="),
    "x-amz-": ("x-amz-",),
    "mysql": ("mysql",),
    "mariadb": ("mariadb",),
    "redis-cli": ("redis-cli",),
    "curl": ("curl",),
    "docker login": ("docker login",),
    "pin is": ("pin is",),
    "-----begin ": ("-----begin ",),
    "@": ("://",),
}  # fmt: skip

_QUOTED = r"\"(?P<q>(?:[^\"\\\n]|\\.){1,400})\"|'(?P<r>(?:[^'\\\n]|\\.){1,400})'|`(?P<t>[^`\n]{1,400})`|\\\"(?P<j>[^\"\\\n]{1,400})\\\""
_BARE = r"(?P<b>[^\s\"'`<>,;&|(){}\[\]\x00\\]{1,400})"
_PASSWORD_KEY = r"(?:passw(?:or)?ds?|passwort|passphrase|passcode|pwd|pass|requirepass)"  # noqa: S105 - a pattern of key words
_TOKEN_KEY = (
    r"(?:secret(?:[_-]?(?:access)?[_-]?key)?|token|api[_ -]?key|access[_ -]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|account[_-]?key"
    r"|sharedaccesskey|auth[_-]?key|master[_-]?key|client[_-]?key|credentials?|_auth|auth(?==))"
)
_TAIL = r"(?P<tail>[A-Za-z0-9_-]{0,24})"
_ASSIGN = re.compile(
    rf"(?:(?P<p>{_PASSWORD_KEY})|(?P<k>{_TOKEN_KEY})){_TAIL}(?P<close>\\?[\"'`\]]{{0,2}})(?P<sep>[ \t]{{0,4}}(?:=>|:=|===?|=|:)[ \t]{{0,4}})"
    rf"(?:(?:@|[rb])?(?:{_QUOTED})|{_BARE})",
    re.IGNORECASE,
)
_FLAG = re.compile(
    rf"(?:(?P<p>{_PASSWORD_KEY})|(?P<k>{_TOKEN_KEY}))(?:[ \t]{{1,3}})(?:{_QUOTED}|{_BARE})", re.IGNORECASE
)
_FLAG_LEAD = re.compile(r"(?:\A|[\s\"'`])--?(?:[A-Za-z0-9]{1,20}-){0,4}\Z")
_PROSE = re.compile(
    rf"(?:(?P<p>{_PASSWORD_KEY}|pin)|(?P<k>secret(?:[ -]key)?|token|api[ -]?key|access[ -]?key|credentials?))"
    r"(?P<for>(?: (?:for|of|to|on|at) [^\s]{1,60}(?: [^\s]{1,40})?)?)"
    rf"(?P<verb>[ \t]{{1,2}}(?:is|was|are|will be|should be|to|=|:|->)[ \t:]{{1,2}}(?:now |still |just |simply )?)(?:{_QUOTED}|{_BARE})",
    re.IGNORECASE,
)
_OWNER = re.compile(
    r"\b(?:my|our|your|his|her|their|the|root|admin|user|login|wifi|db|database|new|old|ssh|its|remember|use)\s(?:[A-Za-z0-9'-]{1,20}\s){0,3}\Z",
    re.IGNORECASE,
)
_MINE = re.compile(r"\b(?:my|our|remember|login|wifi|root|admin)\s(?:[A-Za-z0-9'-]{1,20}\s){0,3}\Z", re.IGNORECASE)
_NOT_VALUES = frozenset(
    "a an the not no in on at of to for and or is are was be being been it its that this these those what which wrong incorrect invalid valid expired required missing"
    " set stored saved kept correct too safe now hashed encrypted optional configured empty blank null same different unknown known available unavailable present absent"
    " stale old new only never always already ready good bad fine weak strong short long secret private public shared visible hidden used unused needed read written sent"
    " passed provided given given generated rotated revoked created updated changed deleted removed reset enabled disabled accepted rejected refused denied exposed leaked"
    " loaded masked redacted printed logged checked verified validated from with without under inside via through by as like just also still where when how why who there here"
    " your my our their his her some any all each every one two up out required. limited longer shorter supported unsupported ignored defined undefined resolved injected"
    " limited automatically case-sensitive base64-encoded url-encoded scoped tied bound mandatory working broken important sensitive".split()
)  # fmt: skip
_NETRC = re.compile(r"passw(?:or)?d[ \t]{1,4}(?P<b>[^\s\"'`<>]{3,200})", re.IGNORECASE)
_NETRC_LEAD = re.compile(r"\blogin[ \t]{1,4}\S{1,100}[ \t\n]{1,8}\Z")
_HEADER = re.compile(
    r"(?:authorization\\?[\"'`]?[ \t]{0,3}[:=][ \t]{0,3}\\?[\"'`]?)?(?P<scheme>bearer|basic|token|digest|apikey|negotiate)[ \t]{1,3}(?P<b>[A-Za-z0-9+/=._~:-]{1,4000})",
    re.IGNORECASE,
)
_RAW_HEADER = re.compile(
    r"authorization\\?[\"'`]?[ \t]{0,3}[:=][ \t]{0,3}\\?[\"'`]?(?P<b>[A-Za-z0-9+/=._~-]{16,4000})", re.IGNORECASE
)
_COOKIE = re.compile(r"cookie:[ \t]{0,3}(?P<b>[^\n\"'`]{8,600})", re.IGNORECASE)
_QUERY = re.compile(r"(?:[A-Za-z0-9_.-]{0,24})=(?P<b>[^\s&#\"'`<>\x00\[\])]{1,2000})")
_QUERY_LEAD = re.compile(r"[?&;](?:amp;)?(?P<lead>[A-Za-z0-9_.-]{0,30})\Z")
_NOT_QUERY = re.compile(
    r"(?:page|next|continuation|csrf|sync|start|cursor|prev|max|min|n|num|count)[_-]?\Z|\A(?:s|_type|type|_count|_limit|_name|_id)\b",
    re.IGNORECASE,
)
_USERINFO = re.compile(
    r"://(?P<user>[^\s/?#@:\"'`<>\x00]{0,200})(?::(?P<b>[^\s/?#@\"'`<>\x00]{1,400}))?@(?=[A-Za-z0-9\[_.-])"
)
_USERINFO_SLASHED = re.compile(
    r"://(?P<user>[^\s/?#@:\"'`<>\x00]{0,200}):(?P<b>[^\s@\"'`<>\x00]{1,200})@(?=[A-Za-z0-9._-]{1,200}(?::[0-9]{1,5})?/)"
)
_DASH_P = re.compile(
    r"(?:mysql[a-z_]{0,12}|mariadb[a-z-]{0,12}|sshpass|docker login)\b[^\n|;&\x00]{0,300}?[ \t]-p(?P<b>[^\s\"'`|;&\x00-][^\s\"'`|;&\x00]{1,200})",
    re.IGNORECASE,
)
_DASH_P_SPACE = re.compile(
    r"(?:sshpass|docker login)\b[^\n|;&\x00]{0,300}?[ \t]-p[ \t]{1,3}[\"']?(?P<b>[^\s\"'`|;&\x00-][^\s\"'`|;&\x00]{1,200})",
    re.IGNORECASE,
)
_REDIS = re.compile(
    r"redis-cli\b[^\n|;&\x00]{0,200}?[ \t](?:-a|--pass)[ \t=]{1,3}[\"']?(?P<b>[^\s\"'`|;&\x00-][^\s\"'`|;&\x00]{1,200})",
    re.IGNORECASE,
)
_CURL_USER = re.compile(
    r"curl\b[^\n|;\x00]{0,300}?[ \t](?:-u|--user)[ \t=]{0,3}[\"']?[^\s:\"']{1,100}:(?P<b>[^\s\"'`|;\x00]{1,200})",
    re.IGNORECASE,
)
_NEAR = re.compile(
    r"[A-Za-z_ -]{0,16}[^A-Za-z0-9\n\x00][^\n\x00]{0,20}?(?<![A-Za-z0-9+/_=.@-])(?P<b>[A-Za-z0-9+/_-]{20,300}={0,2})(?![A-Za-z0-9+/_=.-])"
)
_NAME_TAIL = re.compile(
    r"(?:_?names?|_?ids?|_?types?|_?file|_?path|_?url|_?uri|_?count|_?limit|_?length|_?len|_?field|_?input|_?hash|_?policy|_?reset|_?expir\w{0,12}|_?ttl|_?budget|_?usage|_?kind|_?prefix|_?label|_?env|_?var|_?ref\w{0,8}|_?key_?ref"
    r"|_?version|_?provider|_?endpoint|_?index|_?lifetime|_?regex|_?pattern|_?format|_?rule|_?hint|_?arn|_?manager|_?store|_?service|s?_?(?:per|used|in|out|left)\w{0,16}|iz\w{1,12}|less|ary)\Z",
    re.IGNORECASE,
)
_PEM_MAX = 20000


def judge(text: str, low: str, at: int, anchor: str) -> Iterator[Hit]:
    """The secrets that the anchor at this position announces."""
    if anchor == "://":
        yield from _userinfo(text, at)
    elif anchor == "-----begin ":
        yield from _pem(text, low, at)
    elif anchor in {"bearer", "basic ", "authorization"}:
        yield from _header(text, at)
    elif anchor == "cookie:":
        yield from _cookie(text, at)
    elif anchor in {"mysql", "mariadb", "sshpass", "redis-cli", "curl", "docker login"}:
        yield from _programs(text, at)
    elif anchor in {"sig=", "signature=", "?key=", "&key=", "x-amz-", "auth="}:
        yield from _query(text, at, anchor)
    else:
        yield from _word(text, at, anchor)


def _value(match: re.Match[str]) -> tuple[str, int, int, bool]:
    """Value, span, and whether it was quoted."""
    for group in ("q", "r", "t", "j"):
        if group in match.re.groupindex and match[group] is not None:
            return match[group], match.start(group), match.end(group), True
    value = match["b"].rstrip(".,:!?") or match["b"]
    return value, match.start("b"), match.start("b") + len(value), False


def _word(text: str, at: int, anchor: str) -> Iterator[Hit]:
    """A word that announces a secret: assigned, flagged, in a query, told in a sentence, or followed by noise."""
    lead = _QUERY_LEAD.search(text, max(0, at - 36), at)
    if lead and _QUERY.match(text, at):
        if found := _query_value(text, at, lead["lead"]):
            yield found
        return
    flagged = anchor == "requirepass" or _FLAG_LEAD.search(text, max(0, at - 90), at) is not None
    for found in (
        _assigned(text, at, flagged=flagged),
        _flag(text, at) if flagged else None,
        _told(text, at),
        _netrc(text, at),
    ):
        if found:
            yield found
            return
    if anchor in {
        "secret",
        "token",
        "apikey",
        "api_key",
        "api-key",
        "api key",
        "credential",
        "access key",
        "access_key",
        "passw",
    }:
        yield from _near(text, at, anchor)


def _assigned(text: str, at: int, *, flagged: bool) -> Hit | None:
    match = _ASSIGN.match(text, at)
    if match is None:
        return None
    value, start, end, quoted = _value(match)
    if _NAME_TAIL.search(match["tail"]) or is_innocent(value) or (match["sep"].strip() in {"==", "==="} and not quoted):
        return None
    before = text[max(0, at - 1) : at]
    if _is_verdict(match, before):
        return None
    if not quoted and text[end : end + 1] in {"(", "["}:
        return None
    glued = match["sep"] in {"=", ":"} or flagged
    shouted = match.group(0)[: match.end("tail") - at].isupper() or flagged
    if match["p"]:
        strong = quoted or (glued and shouted) or any(not letter.isalpha() and letter not in "_.-" for letter in value)
        listed = text[end : end + 1] == ";" and match["sep"].strip() == "=" and before in {";", " ", '"', "'", ""}
        return (
            ("password", start, end)
            if (strong or listed) and _is_password(value, quoted=quoted, sep=match["sep"], close=match["close"])
            else None
        )
    if is_random(value) or (shouted and glued and len(value) > 3 and not value.isdigit() and not value.isalpha()):  # noqa: PLR2004
        return (_kind(match["k"]), start, end)
    return None


def _is_verdict(match: re.Match[str], before: str) -> bool:
    """`PASS: TestX` is a verdict of a test run: the bare word with a colon announces nothing."""
    return (
        (match["p"] or "").lower() == "pass"
        and not match["tail"]
        and match["close"] == ""
        and before not in {"_", "-"}
        and ":" in match["sep"]
    )


def _is_password(value: str, *, quoted: bool, sep: str, close: str) -> bool:
    """Prose after `password:` is no password: words with spaces pass unless they are short and oddly spelt."""
    if quoted and " " in value.strip():
        words = value.split()
        return (
            len(words) < 6
            and any(any(not letter.isalpha() for letter in word.strip(".,;:!?'\"")) for word in words)
            and close != ""
            and "=" in sep
        )  # noqa: PLR2004
    return value.strip(".,").lower() not in _NOT_VALUES and not (value.isdigit() and not quoted and "=" not in sep)


def _kind(word: str) -> str:
    low = word.lower()
    if "token" in low:
        return "token"
    return "api-key" if "key" in low else "secret"


def _flag(text: str, at: int) -> Hit | None:
    match = _FLAG.match(text, at)
    if match is None:
        return None
    value, start, end, quoted = _value(match)
    if is_innocent(value) or value.startswith("-") or value.lower() in _NOT_VALUES:
        return None
    if match["k"] and not (is_random(value, length=6) or quoted):
        return None
    return ("password" if match["p"] else _kind(match["k"]), start, end)


def _told(text: str, at: int) -> Hit | None:
    """A sentence that says a secret: `remember my password is …`."""
    match = _PROSE.match(text, at)
    if match is None:
        return None
    value, start, end, quoted = _value(match)
    if is_innocent(value) or value.lower().strip(".,!?") in _NOT_VALUES or len(value) < 3:  # noqa: PLR2004 - too short to tell
        return None
    lead = text[max(0, at - 60) : at]
    odd = any(letter.isdigit() or letter in "!@#$%^&*+?" for letter in value) or (
        value != value.lower() and value[1:] != value[1:].lower()
    )
    plain = match["verb"].split()[0] in {"is", "was", "="}
    if match["p"] and (quoted or odd or (_MINE.search(lead) and plain)) and (quoted or _OWNER.search(lead) or odd):
        return ("password", start, end)
    if match["k"] and (is_random(value) or (quoted and is_random(value, length=6))):
        return (_kind(match["k"]), start, end)
    return None


def _netrc(text: str, at: int) -> Hit | None:
    match = _NETRC.match(text, at)
    if match is None or not _NETRC_LEAD.search(text, max(0, at - 120), at) or is_innocent(match["b"]):
        return None
    return ("password", match.start("b"), match.end("b"))


def _near(text: str, at: int, anchor: str) -> Iterator[Hit]:
    """Noise soon after a word for a secret."""
    match = _NEAR.match(text, at + len(anchor))
    if match is None:
        return
    value = match["b"].rstrip("=")
    digits = sum(letter.isdigit() for letter in value)
    hexes = all(letter in "0123456789abcdef" for letter in value)
    mixed = value != value.lower() and value != value.upper()
    noisy = (hexes and len(value) >= 32 and digits >= 6) or (
        mixed and digits >= 3 and entropy(value) > 3.4 and value.count("/") < 3 and "-" not in value
    )  # noqa: PLR2004
    between = text[at : match.start("b")].lower()
    if (
        noisy
        and not is_innocent(value)
        and not any(word in between for word in ("sha", "hash", "commit", "digest", "md5", "checksum", "uuid"))
    ):
        yield ("high-entropy", match.start("b"), match.end("b"))


def _header(text: str, at: int) -> Iterator[Hit]:
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
        if _is_basic(value):
            yield ("basic-auth", match.start("b"), match.end("b"))
    elif not is_innocent(value) and (
        is_random(value, length=8) or (len(value) >= 6 and text[at : at + 13].lower() == "authorization")
    ):  # noqa: PLR2004
        yield ("bearer-token" if scheme == "bearer" else "authorization", match.start("b"), end)


def _is_basic(value: str) -> bool:
    try:
        plain = base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False
    return (
        b":" in plain
        and all(32 <= byte < 127 for byte in plain)
        and not is_innocent(plain.split(b":", 1)[1].decode("ascii"))
    )  # noqa: PLR2004


def _cookie(text: str, at: int) -> Iterator[Hit]:
    match = _COOKIE.match(text, at)
    if match:
        for pair in re.finditer(r"[A-Za-z0-9_.-]{1,60}=(?P<b>[^;\s]{12,1000})", match["b"]):
            if is_random(pair["b"], length=12) and not is_innocent(pair["b"]):
                yield ("cookie", match.start("b") + pair.start("b"), match.start("b") + pair.end("b"))


def _programs(text: str, at: int) -> Iterator[Hit]:
    for pattern in (_DASH_P, _DASH_P_SPACE, _REDIS, _CURL_USER):
        match = pattern.match(text, at)
        if (
            match
            and not is_innocent(match["b"])
            and not match["b"].lower().startswith(("assword", "ort", "rotocol", "ipe"))
        ):
            yield ("password", match.start("b"), match.end("b"))


def _query(text: str, at: int, anchor: str) -> Iterator[Hit]:
    start = at + 1 if anchor[0] in "?&" else at
    lead = _QUERY_LEAD.search(text, max(0, start - 36), start)
    if lead and (found := _query_value(text, start, lead["lead"])):
        yield found


def _query_value(text: str, at: int, lead: str) -> Hit | None:
    match = _QUERY.match(text, at)
    if match is None:
        return None
    name = lead + text[at : match.start("b") - 1]
    value = match["b"].rstrip(".,;)")
    if _NOT_QUERY.search(lead) or _NAME_TAIL.search(name) or is_innocent(value):
        return None
    low = name.lower()
    if low.startswith(("x-amz-", "x-goog-")) and not low.endswith(("signature", "token", "credential")):
        return None
    if low in {"key", "auth"} and not is_random(value, length=12):
        return None
    return ("url-parameter", match.start("b"), match.start("b") + len(value))


def _userinfo(text: str, at: int) -> Iterator[Hit]:
    match = _USERINFO.match(text, at)
    if match is None:
        match = _USERINFO_SLASHED.match(text, at)
        if match is None or match["b"].split("/", 1)[0].isdigit():
            return
    if match["b"] is not None:
        if not _is_masked(match["b"]):
            yield ("url-userinfo", match.start("b"), match.end("b"))
    elif len(match["user"]) >= 20 and is_random(match["user"]) and not is_innocent(match["user"]):  # noqa: PLR2004 - a token as user
        yield ("url-userinfo", match.start("user"), match.end("user"))


def _is_masked(value: str) -> bool:
    """In a URL any password counts but a reference, a mask or a placeholder in brackets (CASE-D01, CASE-D07)."""
    return bool(
        re.fullmatch(
            r"\$.*|%[A-Za-z_]\w*%|[{<\[\x00].*|[*xX.•]{3,}|(?:your|my)[-_]?(?:password|token|pass)\w*|\.\.\.",
            value,
            re.IGNORECASE,
        )
    )


def _pem(text: str, low: str, at: int) -> Iterator[Hit]:
    head = low[at : at + 60]
    if "private key" in head:
        yield ("private-key", at, _pem_end(text, low, at))


def _pem_end(text: str, low: str, at: int) -> int:
    """Where a PEM block ends: at its END line, else after what still looks like its body."""
    close = low.find("-----end ", at + 11, at + _PEM_MAX)
    if close >= 0:
        stop = low.find("-----", close + 9, close + 80)
        return stop + 5 if stop >= 0 else min(len(text), close + 40)
    body = re.compile(r"-----BEGIN [A-Z0-9 ]{1,40}-----(?:[\sA-Za-z0-9+/=:,]|\\n){0,20000}", re.IGNORECASE).match(
        text, at
    )
    return body.end() if body else min(len(text), at + 60)
