"""A secret is told by the word before it: assigned, flagged, said in a sentence, framed, or followed by noise.

Owns the words that announce a secret and the forms in which its value follows. Standard library only; every pattern is
matched at an anchor and bounded, so the work is linear in the text.
"""
# ruff: noqa: E501, FBT001, PLR2004, S105, SIM905 - patterns, thresholds and word lists are the data here; readers share one shape

import re
from collections.abc import Callable, Iterator, Mapping

from ferrule.referents.expressions import expression
from ferrule.referents.secrets.carriers import NAME_TAIL, Hit, query_after, query_value
from ferrule.referents.secrets.innocent import begins_word, entropy, is_innocent, is_jumbled, is_random
from ferrule.referents.secrets.programs import statement
from ferrule.referents.secrets.settings import entry
from ferrule.referents.secrets.spoken import is_chosen, told

__all__ = ["login", "word"]

_QUOTED = (
    r"\"(?P<q>(?:[^\"\\\n]|\\.){1,400})\"|'(?P<r>(?:[^'\\\n]|\\.){1,400})'|`(?P<t>[^`\n]{1,400})`"
    r"|\\{1,4}[\"'](?P<j>[^\"'\\\n]{1,400})\\{1,4}[\"']|&(?:quot|#39|#x27);(?P<h>[^&\n]{1,400})&(?:quot|#39|#x27);"
)
_CLOSE = r"(?P<close>(?:\\{0,4}[\"'`\]]|&(?:quot|#39|#x27);){0,2})"
_BARE = r"(?P<b>[^\s\"'`<>,;&|(){}\[\]\x00\\]{1,400})"
_PASSWORD_KEY = r"(?:passw(?:or)?ds?|passwort|passphrase|passcode|pwd|pass|requirepass|pw)"
_TOKEN_KEY = (
    r"(?:secret(?:[_-]?(?:access)?[_-]?key)?|token|api[_ -]?key|access[_ -]?key|private[_ -]?key|signing[_-]?key|encryption[_-]?key|account[_-]?key"
    r"|sharedaccesskey|auth[_-]?key|master[_-]?key|subscription[_-]?key|client[_-]?key|(?:storage|deploy|service|license|hmac|aes|webhook|server|admin|functions|shared)[_-]?key|key-data|credentials?|_auth|auth(?==))"
)
_TAIL = r"(?P<tail>[A-Za-z0-9_-]{0,24})"
_ASSIGN = expression(
    rf"(?:(?P<p>{_PASSWORD_KEY})|(?P<k>{_TOKEN_KEY})){_TAIL}{_CLOSE}(?:[?!]|[ ]?:[ ]?(?:str|string|String))?(?P<sep>[ \t]{{0,40}}(?:=>|:=|===?|=|:)[ \t]{{0,4}})"
    rf"(?:(?:@|[rb])?(?:{_QUOTED})|{_BARE})",
    re.IGNORECASE,
)
_FLAG = expression(
    rf"(?:(?P<p>{_PASSWORD_KEY})|(?P<k>{_TOKEN_KEY}))(?:[ \t]{{1,3}})(?:{_QUOTED}|{_BARE})", re.IGNORECASE
)
_FLAG_LEAD = expression(
    r"(?:\A|[\s\"'`])--?(?:[A-Za-z0-9]{1,20}-){0,4}(?:store|key|srcstore|deststore|priv)?\Z|\b(?:configure|config) set [\w./:-]{0,60}\Z"
)
_PROSE = expression(
    rf"(?:(?P<p>{_PASSWORD_KEY}|pin)|(?P<k>secret(?:[ -]key)?|token|api[ -]?key|access[ -]?key|credentials?))"
    r"(?P<for>(?: (?:for|of|to|on|at) [^\s]{1,60}(?: [^\s]{1,40})?)?)"
    rf"(?P<verb>[ \t]{{1,2}}(?:is|was|are|will be|should be|to|=|:|->)[ \t:]{{1,2}}(?:now |still |just |simply )?)(?:{_QUOTED}|{_BARE})",
    re.IGNORECASE,
)
_MINE = expression(r"\b(?:my|our|remember|login|wifi|root|admin)\s(?:[A-Za-z0-9'-]{1,20}\s){0,3}\Z", re.IGNORECASE)
_NOT_VALUES = frozenset(
    "a an the not no in on at of to for and or is are was be being been it its that this these those what which wrong incorrect invalid valid expired required missing"
    " set stored saved kept correct too safe now hashed encrypted optional configured empty blank null same different unknown known available unavailable present absent"
    " stale old new only never always already ready good bad fine weak strong short long secret private public shared visible hidden used unused needed read written sent"
    " passed provided given given generated rotated revoked created updated changed deleted removed reset enabled disabled accepted rejected refused denied exposed leaked"
    " loaded masked redacted printed logged checked verified validated from with without under inside via through by as like just also still where when how why who there here"
    " your my our their his her some any all each every one two up out required. limited longer shorter supported unsupported ignored defined undefined resolved injected"
    " limited automatically case-sensitive base64-encoded url-encoded scoped tied bound mandatory working broken important sensitive".split()
)  # fmt: skip
_FOLLOWING = expression(r"passw(?:or)?d[ \t]{1,4}(?P<b>[^\s\"'`<>]{3,200})", re.IGNORECASE)
_USING = expression(r"\b(?:use|using|with|enter|type|my|and|is|login|the)\s(?:[A-Za-z]{1,16}\s){0,1}\Z", re.IGNORECASE)
_ALGORITHM = expression(
    r"(?:sha|md|base|utf|argon|bcrypt|pbkdf|oauth|http|v|level|rev|step|test|field|page|line|part)[-_]?[0-9]",
    re.IGNORECASE,
)
_FRAMED = expression(
    r"(?:password|passwd|pwd|secret|token|api_?key)[A-Za-z]{0,10}>(?P<b>[^<\s]{3,200})</", re.IGNORECASE
)
_UUID = expression(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_KEY_WORD = expression(r"pass|pwd|pw|secret|token|cred|self|this|[.(]", re.IGNORECASE)
_FIELD_EDGES = frozenset({"", "\n", "\r", " ", "\t", ";", "&"})
_NOISY = frozenset(
    {"secret", "token", "apikey", "api_key", "api-key", "api key", "credential", "access key", "access_key", "passw"}
)
_YAML_KEY = expression(r"[ \t]{0,40}(?:- )?[\w.-]{0,40}")
_LINE_END = expression(r"[ \t]{0,20}(?:#[^\n]*)?\r?(?:\n|\Z)")
_KEY_REACH = 100
_SCHEMA_WORDS = frozenset(
    "description template field input label textinput masked generated prompt keychain binary decimal double symbol format protected readonly"
    " writeonly internal external nullable varbinary nvarchar tinytext mediumtext longtext varying character array struct mapping passthrough".split()
)  # fmt: skip
_SHORTEST_PLAIN, _SHORTEST_PAIRED = 6, 4
_PAIR = expression(
    r"credentials?\\?[\"'`*]{0,2}[ \t]{0,3}[:=][*]{0,2}[ \t]{0,3}[\"'`]?(?P<user>[\w.@+-]{1,100})[\"'`]?[ \t]{1,3}/[ \t]{1,3}[\"'`]?"
    r"(?P<b>[^\s\"'`<>,;|(){}\[\]\x00\\]{1,200})",
    re.IGNORECASE,
)
_USERS = frozenset("admin administrator root user test tester demo guest postgres mysql sa operator service".split())
_NETRC_LEAD = expression(r"login[ \t]{1,4}[^\s\\]{1,100}(?:\\{1,4}[nrt]|[\s+>#]|[0-9]{1,6}\t){1,24}\Z")
_NEAR = expression(
    r"[A-Za-z_ -]{0,16}[^A-Za-z0-9\n\x00][^\n\x00]{0,20}?(?<![A-Za-z0-9+/_=.@-])(?P<b>[A-Za-z0-9+/_-]{20,300}={0,2})(?![A-Za-z0-9+/_=.-])"
)


def _value(match: re.Match[str]) -> tuple[str, int, int, bool]:
    """Value, span, and whether it was quoted."""
    for group in ("q", "r", "t", "j", "h"):
        if group in match.re.groupindex and match[group] is not None:
            return match[group], match.start(group), match.end(group), True
    value = match["b"].rstrip(".,:!?") or match["b"]
    return value, match.start("b"), match.start("b") + len(value), False


def word(text: str, at: int, anchor: str) -> Hit | None:
    """What a word for a secret announces: assigned, flagged, in a query, said in a sentence, or followed by noise."""
    lead = query_after(text, at)
    if lead:
        return query_value(text, at, lead["lead"])
    if anchor.startswith("pw") and text[max(0, at - 1) : at] != "_" and not begins_word(text, at):
        return None
    before = text[max(0, at - 90) : at]
    flagged = anchor == "requirepass" or (("-" in before or " set " in before) and bool(_FLAG_LEAD.search(before)))
    for read in _READERS.get(anchor, _KEYED):
        if found := read(text, at, flagged):
            return found
    return _near(text, at, anchor) if anchor in _NOISY else None


def _assigned(text: str, at: int, flagged: bool) -> Hit | None:
    match = _ASSIGN.match(text, at)
    if match is None:
        return None
    value, start, end, quoted = _value(match)
    sep = match["sep"].strip()
    shouted = match.group(0)[: match.end("tail") - at].isupper() or flagged
    glued = match["sep"] in {"=", ":"} or flagged
    loud = shouted and glued and not quoted
    if NAME_TAIL.search(match["tail"]) or (is_innocent(value) and not (loud and match["k"] and _UUID.fullmatch(value))):
        return None
    if (sep in {"==", "==="} and not quoted) or (not quoted and text[end : end + 1] in {"(", "["}):
        return None
    if match["p"]:
        found = not _is_verdict(match, text, at, value) and _is_password(match, text, at, loud=loud)
        return ("password", start, end) if found else None
    wordy = "secret" in match["k"].lower() and value.isalpha() and len(value) >= 12
    spaced = " " in value.strip() or (_HEXES.fullmatch(value) and _HASH_OF.search(text, max(0, at - 40), at))
    if not spaced and (
        is_random(value) or (loud and ((len(value) > 3 and not value.isdigit() and not value.isalpha()) or wordy))
    ):
        return (_kind(match["k"]), start, end)
    return None


_HEXES = expression(r"(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})", re.IGNORECASE)
_HASH_OF = expression(
    r"\b(?:hash|digest|checksum|fingerprint|sum|sha-?[0-9]{1,3}|md5)s? (?:of|for)[^\n]{0,30}\Z", re.IGNORECASE
)


def _is_verdict(match: re.Match[str], text: str, at: int, value: str) -> bool:
    """`PASS: TestX` and `pass=12` are verdicts of a test run: the bare word `pass` announces nothing by itself."""
    if match["p"].lower() != "pass" or match["tail"] or match["close"] or text[max(0, at - 1) : at] in {"_", "-"}:
        return False
    return match["p"].isupper() or value.isdigit() or "/" in value or value.isalpha() or len(value) < 6


def _is_password(match: re.Match[str], text: str, at: int, *, loud: bool) -> bool:
    """Whether what follows a word for a password is one: quoted, odd, loudly assigned, or a field of its own."""
    value, _, end, quoted = _value(match)
    sep = match["sep"]
    if quoted and " " in value.strip():
        words = value.split()
        odd = any(any(not letter.isalpha() for letter in part.strip(".,;:!?'\"")) for part in words)
        return len(words) < 6 and odd and match["close"] != "" and "=" in sep
    if value.strip(".,").lower() in _NOT_VALUES or (value.isdigit() and not quoted and "=" not in sep):
        return False
    odd = any(not letter.isalpha() and letter not in "_.-" for letter in value) or is_jumbled(value)
    if not (quoted or loud or odd) and sep == ": " and _is_yaml(match, text, at, end):
        plain = value.isalpha() and value.islower() and value not in _SCHEMA_WORDS
        return plain and len(value) >= _SHORTEST_PLAIN
    field = sep == "=" and text[max(0, at - 1) : at] in _FIELD_EDGES and text[end : end + 1] in _FIELD_EDGES
    odd = odd and (len(value) >= _SHORTEST_PAIRED or sep.strip() == ":")
    return quoted or loud or odd or (field and not _KEY_WORD.search(value))


def _is_yaml(match: re.Match[str], text: str, at: int, end: int) -> bool:
    """Whether a key and its value are a line of their own, and no member of an object in code: `  db_password: …`."""
    line = text.rfind("\n", max(0, at - _KEY_REACH), at) + 1
    if match["close"] or end != match.end("b") or not _YAML_KEY.fullmatch(text, line, at):
        return False
    stop = _LINE_END.match(text, end)
    return (
        stop is not None
        and text[max(0, line - 2) : max(0, line - 1)] not in {",", "{", "("}
        and text[stop.end() : stop.end() + _KEY_REACH].lstrip()[:1] not in {"}", ")", "]"}
    )


def _paired(text: str, at: int, _: bool) -> Hit | None:
    """`credentials: ann / …`: a user and what belongs to it."""
    match = _PAIR.match(text, at)
    if match is None or is_innocent(match["b"]):
        return None
    value = match["b"].rstrip(".,;!?")
    odd = any(not letter.isalpha() and letter not in "_.-/" for letter in value)
    user = match["user"].lower()
    known = (user in _USERS or "@" in user) and _LINE_END.match(text, match.end("b")) is not None
    if value.lower() in _NOT_VALUES or len(value) < _SHORTEST_PAIRED or not (odd or known):
        return None
    return ("password", match.start("b"), match.start("b") + len(value))


_NAMED = expression(rf"(?:{_PASSWORD_KEY}|{_TOKEN_KEY}){_TAIL}", re.IGNORECASE)
_CALLED = expression(r"\(\\{0,4}[\"'](?P<b>[^\"'\\\n]{6,300})\\{0,4}[\"']\)")
_SETTER = expression(r"\b(?:set|with|use)[A-Za-z_]{0,20}\Z", re.IGNORECASE)


_GIVEN = expression(r"\\{0,4}[\"'],[ \t\n]{0,20}\\{0,4}[\"'](?P<b>[^\"'\\\s]{6,400})\\{0,4}[\"']")
_GIVER = expression(
    r"\b(?:set|put|add|define|header|append|with)[A-Za-z_.]{0,24}\([\"'\\][\w.-]{0,40}\Z", re.IGNORECASE
)
_LOGIN = expression(
    r"(?:[ \t]?=[ \t]{0,2})?\([ \t]{0,2}\\{0,4}[\"'][^\"'\\\n]{1,60}\\{0,4}[\"'],[ \t]{0,2}\\{0,4}[\"'](?P<b>[^\"'\\\s]{4,200})\\{0,4}[\"'][,)]"
)


def login(text: str, at: int, anchor: str) -> Iterator[Hit]:
    """`auth=("ann", "…")`, `HTTPBasicAuth("ann", "…")`: a user and what belongs to it, in code."""
    match = _LOGIN.match(text, at + len(anchor.rstrip("= ")))
    if match and is_chosen(match["b"]):
        yield ("password", match.start("b"), match.end("b"))


def _elsewhere(text: str, at: int, _: bool) -> Hit | None:
    """A value that follows in its own way: a statement, an entry of name and value, a setter, a sentence."""
    if found := statement(text, at):
        return found
    match = _NAMED.match(text, at)
    if match is None:
        return None
    called = _CALLED.match(text, match.end())
    if called and _SETTER.search(text, max(0, at - 30), at) and not is_innocent(called["b"]) and is_chosen(called["b"]):
        return ("password", called.start("b"), called.end("b"))
    given = _GIVEN.match(text, match.end())
    if given and not is_innocent(given["b"]) and _GIVER.search(text, max(0, at - 80), at):
        return ("token", given.start("b"), given.end("b")) if is_chosen(given["b"]) else None
    if found := entry(text, match.end()):
        return found
    word = _SPOKEN.match(text, at)
    return told(text, at, word.end(), silent=False) if word else None


_SPOKEN = expression(r"(?:passw(?:or)?ds?|passwort|passphrase|passcode|pwd|pw)(?=[^A-Za-z0-9_])", re.IGNORECASE)


def _kind(key: str) -> str:
    low = key.lower()
    if "token" in low:
        return "token"
    return "api-key" if "key" in low else "secret"


def _flag(text: str, at: int, flagged: bool) -> Hit | None:
    match = _FLAG.match(text, at) if flagged else None
    if match is None:
        return None
    value, start, end, quoted = _value(match)
    if is_innocent(value) or value.startswith("-") or value.lower() in _NOT_VALUES:
        return None
    if match["k"] and not (is_random(value, length=6) or quoted):
        return None
    return ("password" if match["p"] else _kind(match["k"]), start, end)


def _told(text: str, at: int, _: bool) -> Hit | None:
    """A sentence that says a secret: `remember my password is …`."""
    match = _PROSE.match(text, at)
    if match is None:
        return None
    value, start, end, quoted = _value(match)
    if len(value) < 3 or value.lower().strip(".,!?") in _NOT_VALUES or is_innocent(value):
        return None
    odd = any(letter.isdigit() or letter in "!@#$%^&*+?" for letter in value) or (
        value != value.lower() and value[1:] != value[1:].lower()
    )
    plain = match["verb"].split()[0] in {"is", "was", "="}
    if match["p"] and (quoted or odd or (plain and _MINE.search(text, max(0, at - 60), at))):
        return ("password", start, end)
    if match["k"] and (is_random(value) or (quoted and is_random(value, length=6))):
        return (_kind(match["k"]), start, end)
    return None


def _said(text: str, at: int, _: bool) -> Hit | None:
    """`login ann password x`, `use password x2`: the value follows the word at once."""
    match = _FOLLOWING.match(text, at)
    if match is None:
        return None
    value = match["b"].rstrip(".,;:!?")
    mixed = len(value) >= 6 and any(letter.isdigit() for letter in value) and any(letter.isalpha() for letter in value)
    known = not mixed or _ALGORITHM.match(value) or "/" in value or "." in value
    told_so = not known and _USING.search(text, max(0, at - 40), at)
    if not told_so and not ("login" in text[max(0, at - 120) : at] and _NETRC_LEAD.search(text, max(0, at - 120), at)):
        return None
    return None if is_innocent(match["b"]) else ("password", match.start("b"), match.start("b") + len(value))


def _framed(text: str, at: int, _: bool) -> Hit | None:
    """`<password>…</password>`."""
    match = _FRAMED.match(text, at)
    if match is None or is_innocent(match["b"]):
        return None
    return ("password", match.start("b"), match.end("b"))


_DIGITS, _LOWER_HEX = expression(r"[0-9]"), expression(r"[0-9a-f]{1,300}")
_SOURCE = expression(r"@|/|\.[a-z]{1,5}\b|\b(?:file|branch|in|at|rev|ref)\b", re.IGNORECASE)


def _near(text: str, at: int, anchor: str) -> Hit | None:
    """Noise soon after a word for a secret."""
    match = _NEAR.match(text, at + len(anchor))
    if match is None:
        return None
    value = match["b"].rstrip("=")
    digits = len(_DIGITS.findall(value))
    hexes = _LOWER_HEX.fullmatch(value) is not None
    mixed = value != value.lower() and value != value.upper()
    noisy = (hexes and len(value) >= 32 and digits >= 6) or (
        mixed and digits >= 3 and entropy(value) > 3.4 and value.count("/") < 3 and "-" not in value
    )
    between = text[max(0, at - 40) : match.start("b")].lower()
    if hexes and _SOURCE.search(text, at, match.start("b")):
        return None
    tail = text[at : match.start("b")]
    if "}" in tail or '":' in tail.partition('":')[2] or '","' in between:
        return None
    if (
        noisy
        and not is_innocent(value)
        and not any(
            name in between
            for name in (
                "sha",
                "hash",
                "commit",
                "digest",
                "md5",
                "checksum",
                "uuid",
                "fingerprint",
                " h1:",
                "trace",
                "etag",
                "span ",
                "request id",
            )
        )
    ):
        return ("high-entropy", match.start("b"), match.end("b"))
    return None


# Who reads on after which word: those whose expressions begin with it.
_KEYED = (_assigned, _flag, _elsewhere)
_READERS: Mapping[str, tuple[Callable[[str, int, bool], Hit | None], ...]] = {
    **dict.fromkeys(("secret", "token", "apikey", "api_key"), (_assigned, _flag, _told, _framed, _elsewhere)),
    **dict.fromkeys(("api-key", "api key", "accesskey", "access-key", "access key"), (_assigned, _flag, _told, _elsewhere)),
    "credential": (_assigned, _flag, _told, _paired, _elsewhere),
    "passw": (_assigned, _flag, _told, _said, _framed, _elsewhere),
    "pwd": (_assigned, _flag, _told, _framed, _elsewhere),
    **dict.fromkeys(("passphrase", "passcode", "pass=", "pass:", 'pass"', "requirepass"), (_assigned, _flag, _told, _elsewhere)),
    **dict.fromkeys(("pw:", "pw=", "pw "), (_assigned, _flag, _told, _elsewhere)),
    "pin is": (_told,),
}  # fmt: skip
