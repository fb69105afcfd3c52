"""Which words announce a secret, and who reads what follows them.

Owns the anchors. Standard library only: a text without an anchor costs a few substring searches.
"""
# ruff: noqa: E501 - patterns, thresholds and word lists are the data here

from collections.abc import Iterator, Mapping

from ferrule.referents.expressions import expression
from ferrule.referents.secrets import carriers, settings
from ferrule.referents.secrets.announced import login, word
from ferrule.referents.secrets.programs import PROGRAMS, programs
from ferrule.referents.secrets.spoken import ASCII_WORDS, PHRASES, WIDE_WORDS, phrase, spoken

__all__ = ["KEYED", "STEMS", "WIDE_WORDS", "WORDED", "judge"]

# The anchors by a stem that all of them hold: a text without the stem is not searched for them.
_STEMS: Mapping[str, tuple[str, ...]] = {
    "pass": ("passw", "passphrase", "passcode", "pass=", "pass:", 'pass"', "_pass ", "requirepass"),
    "pwd": ("pwd",),
    "pw": ("pw:", "pw=", "pw "),
    "secret": ("secret",),
    "token": ("token",),
    "key": (
        "apikey", "api_key", "api-key", "api key", "accesskey", "access_key", "access-key", "access key", "privatekey", "private_key",
        "signing_key", "signingkey", "encryption_key", "encryptionkey", "accountkey", "account_key", "auth_key", "authkey", "master_key",
        "client_key", "storage_key", "deploy_key", "service_key", "license_key", "hmac_key", "aes_key", "webhook_key", "server_key", "admin_key", "functions-key", "sharedkey", "shared_key", "key-data", "subscription-key", "subscription_key", "session_key=", "?key=", "&key=",
    ),
    "credential": ("credential",),
    "auth": ("authorization", "auth=", "auth =", "basicauth", "_auth", 'auth"', 'auth\\"', "auth&quot;"),
    "bearer": ("bearer",),
    "basic ": ("basic ",),
    "cookie:": ("cookie:",),
    "sig": ("sig=", "signature="),
    "x-amz-": ("x-amz-",),
    "pin is": ("pin is",),
    "-----begin ": ("-----begin ",),
    "@": ("://",),
    "kind": ("kind: secret",),
    ":": tuple(anchor for anchor in PHRASES if anchor[0] == ":"),
}  # fmt: skip
_TOKEN = expression(r"[a-z0-9_]+")
# Of the many anchors with "key" those of one token are looked for in the tokens with "key" alone.
KEYED: tuple[str, ...] = tuple(anchor for anchor in _STEMS["key"] if _TOKEN.fullmatch(anchor))
STEMS: Mapping[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    stem.split()[0]: tuple((anchor, tuple(anchor.split())) for anchor in anchors if anchor not in KEYED)
    for stem, anchors in _STEMS.items()
}


def _worded() -> dict[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    for anchor in (*PROGRAMS, *ASCII_WORDS, *PHRASES):
        if anchor[0] != ":":
            for token in _tokens(_TOKEN.findall(anchor)[0]):
                table[token] = (*table.get(token, ()), anchor)
    return table


def _tokens(token: str) -> tuple[str, ...]:
    return tuple(token + tail for tail in ("", *_TAILS.get(token, ())))


# What begins with a word of its own is looked for only in a text that holds the word, in one of its forms.
_TAILS = {
    "mysql": ("dump", "admin", "import", "check", "show", "slap", "_config_editor", "binlog"),
    "kennwort": ("es",), "clave": ("s",), "senha": ("s",), "wachtwoord": ("en",), "parola": ("m", "yla", "si", "n"), "heslo": ("m",), "contrasena": ("s",), "salasana": ("si", "ni"), "adgangskode": ("n",),
    "passord": ("et",), "lozinka": ("m",), "creds": ("_",), "login": ("s", "data"), "mnemonic": ("s",),
}  # fmt: skip
WORDED: Mapping[str, tuple[str, ...]] = _worded()


def judge(text: str, low: str, at: int, anchor: str) -> Iterator[carriers.Hit]:
    """The secrets that the anchor at this position announces."""
    if anchor == "-----begin ":
        yield from carriers.pem(text, low, at)
        return
    reader = _CARRIERS.get(anchor)
    found = list(reader(text, at, anchor)) if reader else ()
    yield from found
    if (reader is None or (not found and anchor.startswith("private"))) and (hit := word(text, at, anchor)):
        yield hit


def _auth(text: str, at: int, anchor: str) -> Iterator[carriers.Hit]:
    yield from carriers.query(text, at, anchor)
    yield from login(text, at, anchor)


_CARRIERS = {
    "://": carriers.userinfo,
    "bearer": carriers.header,
    "basic ": carriers.header,
    "authorization": carriers.header,
    "cookie:": carriers.cookie,
    **dict.fromkeys(PROGRAMS, programs),
    **dict.fromkeys((*ASCII_WORDS, *WIDE_WORDS), spoken),
    **dict.fromkeys(PHRASES, phrase),
    "basicauth": login,
    "auth =": login,
    "auth=": _auth,
    **dict.fromkeys(('auth"', 'auth\\"', "auth&quot;"), settings.registry_auth),
    "kind: secret": settings.manifest,
    **dict.fromkeys(("sig=", "signature=", "?key=", "&key=", "x-amz-"), carriers.query),
}
