"""Names that stand for something configured or installed: secrets by name, settings, packages.

Owns the vocabulary of secret names (never values, R27). Knows nothing of what a secret looks like.
"""
# ruff: noqa: E501, SIM905 - patterns, thresholds and word lists are the data here

import re
from collections.abc import Iterator

from ferrule.referents.expressions import expression
from ferrule.referents.kinds import Found, HandleKind
from ferrule.referents.scan.places import after, places, with_lead
from ferrule.referents.scan.words import vocabulary

__all__ = ["installed_packages", "is_secret_name", "pinned_packages", "stored_names", "upper_names"]

_UPPER = expression(r"[A-Z][A-Z0-9]{0,40}+(?:_[A-Z0-9]{1,40}+){1,12}+(?![^\W\u2e80-\ud7ff])")
_LETTER = expression(r"[^\W\u2e80-\ud7ff]|[/-]")  # scripts that write without spaces hold no name together
_DOTTED = expression(
    r"\.(?:[A-Z][a-z]{1,20}){0,3}(?:(?:Api|Access|Secret|Private|Signing|Encryption|Client|Auth|Bearer|Refresh|Webhook|Deploy|Service|Account|Shared)"
    r"(?:Key|Token|Secret)|Password|ConnectionString|Secret|Passphrase|Credentials?)(?!\w)"
)
_DOTTED_LEAD = expression(r"(?<![\w./-])[A-Z][A-Za-z0-9]{0,60}(?:[.:][A-Z][A-Za-z0-9]{0,60}){0,5}\Z")
_VAULT = expression(
    r"(?<![\w./-])(?:(?:kv|secret|secrets|vault)/(?:[\w.-]{1,60}/){0,8}[\w.-]{1,60}|op://[\w -]{1,60}(?:/[\w.-]{1,60}){1,4})(?![\w/])"
)
_SECRET_WORDS = frozenset(
    "KEY TOKEN SECRET PASSWORD PASSWD PWD PASS CREDENTIAL CREDENTIALS PAT PASSPHRASE DSN APIKEY AUTH COOKIE WEBHOOK SECRETS PASSWORDS KEYS CREDS"
    " PASSWORT KENNWORT SCHLUESSEL GEHEIMNIS PASSE SENHA CHAVE SEGREDO CONTRASENA CLAVE SECRETO PAROLA CHIAVE HASLO PAROL WACHTWOORD".split()
)
_TAILS = frozenset(
    "NAME ID FILE PROD DEV STAGING TEST B64 BASE64 JSON LIVE OLD NEW RO RW READ WRITE PATH URL CI PRODUCTION".split()
)
_NOT_SECRETS = frozenset(
    "PRIMARY FOREIGN UNIQUE UNEXPECTED INVALID PARTITION SORT MISSING NO HOT ROW MAP ARROW CACHE PUBLIC EXPIRED DUPLICATE MAX MIN TOTAL INPUT OUTPUT CANDIDATE COMMA".split()
)
_TOOL = expression(
    r"(?<![\w./-])(?P<tool>pip3?|uv pip|pipx|npm|pnpm|yarn|bun|cargo|go|uv|poetry|gem|brew|apt|apt-get|dotnet|composer|pdm|mix|conda|winget)"
    r"(?: tool| global| -[a-zA-Z-]{1,16})?\Z"
)
_VERBS = (" install ", " i ", " add ", " get ", " remove ", " uninstall ", " add package ")
_REST = expression(r"(?!package )(?P<rest>[^\n;&|`\"'<>()]{1,200})")
_RUNNERS = ("npx ", "uvx ", "bunx ")
_VERSION = expression(r"v?[0-9]{1,6}(?:\.[0-9]{1,6}){0,3}")
_PINNED = expression(
    r"@(?:v[0-9][\w.-]{0,30}|[0-9a-f]{40}|main|master)(?![\w@])|(?:@[\^~]?|==)[0-9]{1,6}\.[0-9]{1,6}[\w.+-]{0,30}(?![\w@])"
)
_PINNED_OWNER = expression(r"(?<![\w/.@:-])[A-Za-z0-9_.-]{1,60}/[A-Za-z0-9_./-]{1,100}\Z")
_PINNED_NAME = expression(r"(?<![\w/.@:-])[a-z][a-z0-9_.-]{0,60}\Z")
_PACKAGE = expression(
    r"@?[A-Za-z0-9][A-Za-z0-9_.-]{0,80}(?:/[A-Za-z0-9_.-]{1,80}){0,6}(?:\[[a-z0-9,_-]{1,60}\])?(?:(?:@|[=~<>!]=?=?)[A-Za-z0-9^~*][\w.*+-]{0,40})?"
)
_VALUED = frozenset(
    "-r -c -e -t -i -f --features --requirement --group --index-url --extra -p --python --with --version --tag --filter -w --workspace --target --editable".split()
)


def is_secret_name(value: str) -> bool:
    """Whether the value is the name of a secret by its form: `DEPLOY_KEY`, `Billing.ApiKey`, `kv/prod/db`."""
    if _UPPER.fullmatch(value):
        return _secret_words(value)
    dotted = _DOTTED.search(value)
    return bool(
        (dotted and dotted.end() == len(value) and _DOTTED_LEAD.fullmatch(value, 0, dotted.start()))
        or _VAULT.fullmatch(value)
    )


def _secret_words(name: str) -> bool:
    words = name.split("_")
    at = len(words) - 1
    while at > 0 and (words[at] in _TAILS or words[at].isdigit()):
        at -= 1
    return words[at] in _SECRET_WORDS and words[max(0, at - 1)] not in _NOT_SECRETS and words[0] not in _NOT_SECRETS


def upper_names(text: str) -> Iterator[Found]:
    """Names in capitals: of secrets (never their values) and of settings, by their last words."""
    settings = vocabulary("settings")
    for match in _UPPER.finditer(text):
        name, start = match.group(), match.start()
        if start and _LETTER.match(text[start - 1]):
            continue
        if _secret_words(name):
            yield Found(HandleKind.SECRET_NAME, name, start, match.end())
        elif name.rsplit("_", 1)[1] in settings:
            yield Found(HandleKind.OTHER_ID, name, start, match.end())


def stored_names(text: str) -> Iterator[Found]:
    """Names of secrets in configuration and vaults: `Billing.ApiKey`, `kv/prod/db`."""
    for match in _DOTTED.finditer(text):
        lead = _DOTTED_LEAD.search(text, max(0, match.start() - 200), match.start())
        if lead:
            yield Found(HandleKind.SECRET_NAME, text[lead.start() : match.end()], lead.start(), match.end())
    for match in with_lead(text, ("kv/", "secret/", "secrets/", "vault/", "op://"), _VAULT, 0):
        yield Found(HandleKind.SECRET_NAME, match.group(), match.start(), match.end())


def pinned_packages(text: str) -> Iterator[Found]:
    """`name@1.2.3`, `name==1.2`, `owner/action@v5`."""
    for match in _PINNED.finditer(text):
        numbered = match.group().lstrip("@=^~")[0].isdigit()
        lead = (
            _PINNED_NAME if numbered and "/" not in text[match.start() - 20 : match.start()] else _PINNED_OWNER
        ).search(text, max(0, match.start() - 162), match.start())
        if lead:
            yield Found(
                HandleKind.PACKAGE_ID,
                text[lead.start() : match.end()].rstrip("."),
                lead.start(),
                lead.start() + len(text[lead.start() : match.end()].rstrip(".")),
            )


def installed_packages(text: str) -> Iterator[Found]:
    """The packages in an install, add or remove command of a known package manager, or in `npx`, `uvx`."""
    for verb in [verb for verb in _VERBS if verb in text]:
        for at in places(text, verb):
            tool = _TOOL.search(text, max(0, at - 40), at)
            rest = _REST.match(text, at + len(verb)) if tool else None
            if tool and rest and (tool["tool"] != "go" or "/" in rest["rest"]):
                yield from _packages(rest["rest"], rest.start(), single=False)
    for match in after(text, _RUNNERS, _REST):
        yield from _packages(match["rest"], match.start(), single=True)


def _packages(rest: str, offset: int, *, single: bool) -> Iterator[Found]:
    skip, words = False, vocabulary("function_words")
    for token in re.finditer(r"[^\s,]+", rest):
        raw = token.group().rstrip(".,:")
        if skip:
            skip = False
            continue
        if raw.startswith("-"):
            skip = raw in _VALUED
            continue
        if _VERSION.fullmatch(raw):
            continue
        if (
            not _PACKAGE.fullmatch(raw)
            or raw.lower() in words
            or ("." in raw.rsplit("/", 1)[-1].lstrip("@") and raw.endswith((".txt", ".toml", ".whl", ".git")))
        ):
            return
        yield Found(HandleKind.PACKAGE_ID, raw, offset + token.start(), offset + token.start() + len(raw))
        if single or token.group()[-1] in ".,:":
            return
