"""Two handles are the same thing when their identity keys are equal.

Owns normal forms (D9) and identity keys (design.md section 3) of every kind. Keys are text, `<family>:<rest>`:

    path:github.com/owner/name:src/a.py   path:/abs/x      url:https://host/x   repo:github.com/owner/name
    pr:github.com/owner/name:12           pr::12           task:ENT-98          sha:1a2b3c4
    branch:<repository>:<name>            tag:<repository>:<name>               cmd:<words>
    secret:<NAME>  package:<id>  host:<host[:port]>  database:<id>  session:<id>  document:<id>  site:<id>
    id:<id>        ref:<Prototype>

Issues and pull requests of one repository share one number space on GitHub and its like, so they share the family `pr`;
GitLab, Bitbucket and Azure DevOps count them apart. A `file:` URL is the path that it names. Knows nothing of turns or
prototypes.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache

from ferrule.referents.addresses import DATABASE_PORTS, ascii_host, fold_url
from ferrule.referents.expressions import expression
from ferrule.referents.kinds import NOWHERE, HandleKind, Place
from ferrule.referents.locations import absolute, path_key
from ferrule.referents.remotes import forge_link, number_of, repository_of, work_item

__all__ = ["identity_key", "normal_form", "same_commit"]

_SPACE = expression(r"\s+")
_CONTINUED = expression(r"(?<![ \t])[ \t]*\\\r?\n[ \t]*")
_REF = expression(r"(?:refs/)?(?:heads/|remotes/)?(?:origin/)?")
_TAG_REF = expression(r"(?:refs/)?tags/")
_PACKAGE_VERSION = expression(r"(?<=.)(?:@[^@/]{1,64}|[=~<>!]=?=?[0-9].{0,64}|\[[^\]]{1,64}\].{0,64})\Z")
_NUMBERED = expression(
    r"(?:task|ticket|job|story|item)[ \t]{0,3}[#:/-]{0,2}[ \t]?(?P<n>[A-Za-z0-9][A-Za-z0-9._-]{0,63})", re.IGNORECASE
)
_MIN_SHA = 7
_USUAL = 300  # longer values are not remembered
_COUNTED_APART = ("gitlab", "bitbucket", "dev.azure.com")
# A tag or digest behind an image's name; `group:artifact` is no image.
_IMAGE_VERSION = expression(
    r"(?<=[a-z0-9])(?:(?::[\w.-]{1,128})?@sha256:[0-9a-f]{64}|:(?=[0-9]|latest|v[0-9])[\w.-]{1,128})\Z"
)
_IMAGE_TAG = expression(r"(?<=[a-z0-9]):[\w.-]{1,128}\Z")
_READ = expression(
    r"\$?(?:\{\{ ?)?(?:secrets|process\.env|env)[.:]([A-Z_][A-Z0-9_]{0,200})(?: ?\}\})?"
    r"|\$\{?(?:env:)?([A-Za-z_][A-Za-z0-9_]{0,200})\}?|%([A-Za-z_][A-Za-z0-9_]{0,200})%"
)
_BACK = "\\"
_HIVES = {
    **{name: name for name in ("HKLM", "HKCU", "HKCR", "HKU", "HKCC")},
    "HKEY_LOCAL_MACHINE": "HKLM", "HKEY_CURRENT_USER": "HKCU", "HKEY_CLASSES_ROOT": "HKCR", "HKEY_USERS": "HKU",
    "HKEY_CURRENT_CONFIG": "HKCC",
}  # fmt: skip
_PATHS = frozenset({HandleKind.FILESYSTEM_PATH, HandleKind.REPOSITORY_ROOT, HandleKind.PROMPT_PATH})


def _clean(value: str) -> str:
    return unicodedata.normalize("NFC", value.strip().strip("`'\"").strip())


def _command(value: str) -> str:
    text = _CONTINUED.sub(" ", _clean(value)).removeprefix("$ ").removeprefix("% ")
    return _SPACE.sub(" ", text).strip()


def normal_form(kind: HandleKind, value: str, place: Place = NOWHERE) -> str:
    """The documented normal form of a value (D9): what two spellings of one handle have in common, still readable.

    Paths are absolute where the place allows, with forward slashes; URLs folded; commands with single spaces;
    commits in lower case; the other kinds trimmed and in NFC.
    """
    if kind in _PATHS:
        return absolute(value, place)[0]
    if kind is HandleKind.URL:
        return absolute(value, place)[0] if _is_file(value) else fold_url(value)
    if kind is HandleKind.COMMAND:
        return _command(value)
    if kind is HandleKind.COMMIT_SHA:
        return _clean(value).lower()
    if kind is HandleKind.BRANCH:
        return _REF.sub("", _clean(value), count=1)
    return _clean(value)


def identity_key(kind: HandleKind, value: str, place: Place = NOWHERE) -> tuple[str, bool]:
    """The identity key of a handle, and whether it needed the place to become absolute (D9: marked derived)."""
    if kind in _PATHS:
        return path_key(value, place)
    make = _other_key if len(value) <= _USUAL else _other_key.__wrapped__
    return make(kind, value, place), False


# View, reviewer, searches and rules ask for the same few handles of a turn again and again.
@lru_cache(maxsize=1024)
def _other_key(kind: HandleKind, value: str, place: Place) -> str:
    return _KEYS[kind](_clean(value), place)


def same_commit(one: str, other: str) -> bool:
    """Whether two SHAs, at least seven digits each, name one commit: the shorter is the start of the longer."""
    short, long = sorted((one.lower().removeprefix("sha:"), other.lower().removeprefix("sha:")), key=len)
    return len(short) >= _MIN_SHA and long.startswith(short)


def _repo_of(place: Place) -> str:
    return (place.repository or "").lower()


def _is_file(value: str) -> bool:
    return value.strip().strip("`'\"<>")[:6].lower() == "file:/"


def _url_key(value: str, place: Place) -> str:
    if _is_file(value) or value.startswith(("/", "~")) or value[1:3] == ":/":  # a `file:` URL, or its normal form
        return path_key(value.strip("<>"), place)[0]
    ticket = number_of(value)
    if ticket:
        return f"task:{ticket}"
    if "://" not in value or value.startswith(("ssh://", "git://")):
        repository = repository_of(value, place)
        return f"repo:{repository}" if repository else f"url:{fold_url(value)}"
    link = forge_link(value)
    if link is None:
        return f"url:{fold_url(value)}"
    return {
        "repo": f"repo:{link.repository}",
        "pull": _item(link.repository, link.value, pull=True),
        "issue": _item(link.repository, link.value, pull=False),
        "commit": f"sha:{link.value.lower()}",
        "tag": f"tag:{link.repository}:{link.value}",
        "branch": f"branch:{link.repository}:{link.value}",
    }.get(link.what, f"url:{fold_url(value)}")


def _item(repository: str, number: str, *, pull: bool) -> str:
    if any(forge in repository.split("/", 1)[0] for forge in _COUNTED_APART):
        return f"{'mr' if pull else 'issue'}:{repository}:{number}"
    return f"pr:{repository}:{number}"


def _pull_key(value: str, place: Place) -> str:
    item = work_item(value, place)
    return _item(*item, pull=True) if item else f"pr:{_repo_of(place)}:{value}"


def _issue_key(value: str, place: Place) -> str:
    item = work_item(value, place)
    if item:
        return _item(*item, pull=False)
    return _task_key(value, place)


def _task_key(value: str, place: Place) -> str:
    numbered = _NUMBERED.fullmatch(value)
    bare = numbered["n"] if numbered else value.lstrip("#")
    ticket = number_of(bare)
    if ticket:
        return f"task:{ticket}"
    return f"task:{_repo_of(place)}:{bare}" if bare.isdigit() else f"task:{bare}"


def _repository_key(value: str, place: Place) -> str:
    return f"repo:{repository_of(value, place) or ':' + value.lower()}"


def _commit_key(value: str, place: Place) -> str:
    return _url_key(value, place) if "://" in value else f"sha:{value.lower()}"


def _branch_key(value: str, place: Place) -> str:
    return f"branch:{_repo_of(place)}:{_REF.sub('', value, count=1)}"


def _tag_key(value: str, place: Place) -> str:
    return f"tag:{_repo_of(place)}:{_TAG_REF.sub('', value, count=1)}"


def _package_key(value: str, _: Place) -> str:
    for prefix in ("npm:", "pypi:", "pkg:", "crates:", "docker:"):
        value = value.removeprefix(prefix)
    value = _IMAGE_VERSION.sub("", value)
    if "/" in value and not value.startswith(("@", "/")):
        value = _IMAGE_TAG.sub("", value)
    return f"package:{_PACKAGE_VERSION.sub('', value).lower()}"


def _host_key(value: str, _: Place) -> str:
    if "://" in value:
        value = fold_url(value).split("://", 1)[1].split("/", 1)[0]
    name, colon, port = value.partition(":")
    return f"host:{ascii_host(name)}{colon}{port}" if ":" not in port else f"host:{value.lower()}"


def _database_key(value: str, _: Place) -> str:
    return f"database:{fold_url(value.removeprefix('jdbc:'), DATABASE_PORTS) if '://' in value else value}"


def _secret_key(value: str, _: Place) -> str:
    """A name in the environment is one name, however a shell or a workflow reads it."""
    found = _READ.fullmatch(value)
    return f"secret:{(found[1] or found[2] or found[3]) if found else value}"


def _id_key(value: str, _: Place) -> str:
    """An id as it stands; the registry of Windows has two names for a hive and does not tell case apart."""
    hive, rest = value.partition("\\")[::2]
    short = _HIVES.get(hive.upper().removesuffix(":"))
    return f"id:{short}\\{rest.strip(_BACK).lower()}" if short and rest else f"id:{value}"


def _plain(family: str, *, fold: bool = False) -> Callable[[str, Place], str]:
    return lambda value, _: f"{family}:{value.lower() if fold else value}"


_KEYS: Mapping[HandleKind, Callable[[str, Place], str]] = {
    HandleKind.URL: _url_key,
    HandleKind.REPOSITORY_ID: _repository_key,
    HandleKind.PULL_REQUEST: _pull_key,
    HandleKind.ISSUE: _issue_key,
    HandleKind.TASK_ID: _task_key,
    HandleKind.COMMIT_SHA: _commit_key,
    HandleKind.BRANCH: _branch_key,
    HandleKind.TAG: _tag_key,
    HandleKind.PACKAGE_ID: _package_key,
    HandleKind.HOST: _host_key,
    HandleKind.COMMAND: lambda value, _: f"cmd:{_command(value)}",
    HandleKind.SECRET_NAME: _secret_key,
    HandleKind.SITE_ID: _plain("site"),
    HandleKind.SESSION_KEY: _plain("session"),
    HandleKind.DOCUMENT_ID: _plain("document"),
    HandleKind.DATABASE_ID: _database_key,
    HandleKind.OTHER_ID: _id_key,
    HandleKind.TYPED_REFERENCE: _plain("ref"),
}
