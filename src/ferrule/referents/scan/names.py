"""Names that stand for something configured or installed: secrets by name, settings, packages.

Owns the vocabulary of secret names (never values, R27). Knows nothing of what a secret looks like.
"""

import re
from collections.abc import Iterator

from ferrule.referents.kinds import Found, HandleKind
from ferrule.referents.scan.words import vocabulary

__all__ = ["installed_packages", "is_secret_name", "stored_names", "upper_names"]

_UPPER = re.compile(r"[A-Z][A-Z0-9]{0,40}+(?:_[A-Z0-9]{1,40}+){1,12}+(?!\w)")
_DOTTED = re.compile(
    r"(?<![\w./-])(?:[A-Z][A-Za-z0-9]{0,60}[.:]){1,6}(?:[A-Z][a-z]{1,20}){0,3}(?:(?:Api|Access|Secret|Private|Signing|Encryption|Client|Auth|Bearer|Refresh"
    r"|Webhook|Deploy|Service|Account|Shared)(?:Key|Token|Secret)|Password|ConnectionString|Secret|Passphrase|Credentials?|ApiToken)(?!\w)"
)
_VAULT = re.compile(
    r"(?<![\w./-])(?:(?:kv|secret|secrets|vault)/(?:[\w.-]{1,60}/){0,8}[\w.-]{1,60}|op://[\w -]{1,60}(?:/[\w.-]{1,60}){1,4})(?![\w/])"
)
_SECRET_WORDS = frozenset(
    "KEY TOKEN SECRET PASSWORD PASSWD PWD PASS CREDENTIAL CREDENTIALS PAT PASSPHRASE DSN APIKEY AUTH COOKIE WEBHOOK SECRETS PASSWORDS KEYS CREDS".split()
)
_TAILS = frozenset(
    "NAME ID FILE PROD DEV STAGING TEST B64 BASE64 JSON LIVE OLD NEW RO RW READ WRITE PATH URL CI PRODUCTION".split()
)
_NOT_SECRETS = frozenset(
    "PRIMARY FOREIGN UNIQUE UNEXPECTED INVALID PARTITION SORT MISSING NO HOT ROW MAP ARROW CACHE PUBLIC EXPIRED DUPLICATE MAX MIN TOTAL INPUT OUTPUT CANDIDATE COMMA".split()
)
_INSTALL = re.compile(
    r"(?<![\w./-])(?P<tool>pip3?|uv pip|pipx|npm|pnpm|yarn|bun|cargo|go|uv|uvx|npx|bunx|poetry|gem|brew|apt|apt-get|dotnet|composer|pdm|mix|conda|winget)"
    r"[ \t]{1,2}(?:(?:install|i|add|get|remove|uninstall|tool install|add package|global add)[ \t]{1,2})?"
    r"(?P<rest>[^\n;&|`\"'<>()]{1,200})"
)
_NEEDS_VERB = frozenset(
    "pip pip3 pipx npm pnpm yarn bun cargo go uv poetry gem brew apt apt-get dotnet composer pdm mix conda winget".split()
) | {"uv pip"}
_VERB = re.compile(r"\b(?:install|i|add|get|remove|uninstall|package)[ \t]{1,2}\Z")
_PACKAGE = re.compile(
    r"@?[A-Za-z0-9][A-Za-z0-9_.-]{0,80}(?:/[A-Za-z0-9_.-]{1,80}){0,6}(?:\[[a-z0-9,_-]{1,60}\])?(?:(?:@|[=~<>!]=?=?)[A-Za-z0-9^~*][\w.*+-]{0,40})?"
)
_VALUED = frozenset(
    "-r -c -e -t -i -f --features --requirement --group --index-url --extra -p --python --with --version --tag --filter -w --workspace --target --editable".split()
)


def is_secret_name(value: str) -> bool:
    """Whether the value is the name of a secret by its form: `DEPLOY_KEY`, `Billing.ApiKey`, `kv/prod/db`."""
    if _UPPER.fullmatch(value):
        return _secret_words(value)
    return bool(_DOTTED.fullmatch(value) or _VAULT.fullmatch(value))


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
        if start and (text[start - 1].isalnum() or text[start - 1] in "_/-"):
            continue
        if _secret_words(name):
            yield Found(HandleKind.SECRET_NAME, name, start, match.end())
        elif name.rsplit("_", 1)[1] in settings:
            yield Found(HandleKind.OTHER_ID, name, start, match.end())


def stored_names(text: str) -> Iterator[Found]:
    """Names of secrets in configuration and vaults: `Billing.ApiKey`, `kv/prod/db`."""
    for pattern in (_DOTTED, _VAULT):
        for match in pattern.finditer(text):
            yield Found(HandleKind.SECRET_NAME, match.group(), match.start(), match.end())


def installed_packages(text: str) -> Iterator[Found]:
    """The packages in an install, add or remove command of a known package manager."""
    for match in _INSTALL.finditer(text):
        lead = text[match.start() : match.start("rest")]
        if match["tool"] in _NEEDS_VERB and not _VERB.search(lead):
            continue
        if match["tool"] == "go" and "/" not in match["rest"]:
            continue
        yield from _packages(match["rest"], match.start("rest"), single=match["tool"] in {"uvx", "npx", "bunx"})


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
        if (
            not _PACKAGE.fullmatch(raw)
            or raw.lower() in words
            or "." in raw.rsplit("/", 1)[-1].lstrip("@")
            and raw.endswith((".txt", ".toml", ".whl", ".git"))
        ):
            return
        yield Found(HandleKind.PACKAGE_ID, raw, offset + token.start(), offset + token.start() + len(raw))
        if single or token.group()[-1] in ".,:":
            return
