"""Whether a whole value looks like a handle of its kind: what rule 8 asks after the property's name gave the kind.

Owns one shape per kind, generous to ids and strict to prose. Knows nothing of properties or of where a value stood.
"""
# ruff: noqa: PLR2004 - patterns, thresholds and word lists are the data here

import re
from collections.abc import Callable, Mapping

from ferrule.referents.expressions import expression
from ferrule.referents.kinds import NOWHERE, HandleKind
from ferrule.referents.remotes import work_item
from ferrule.referents.scan.commands import is_command
from ferrule.referents.scan.names import is_secret_name
from ferrule.referents.scan.paths import is_path
from ferrule.referents.secrets.mark import has_placeholder

__all__ = ["accepts", "free_kind"]

_MAX = 2000
_URL = expression(
    r"[a-z][a-z0-9+.-]{1,20}://[^\s<>\"]{1,1900}|(?:[\w.-]{1,60}@)?[\w.-]{1,200}\.[a-z]{2,20}:[\w.~-]{1,100}/[\w./~-]{1,300}"
    r"|(?:www\.)?[\w-]{1,60}(?:\.[\w-]{1,60}){1,6}(?::[0-9]{2,5})?(?:/[^\s<>\"]{0,1000})?|mailto:[^\s]{3,200}",
    re.IGNORECASE,
)
_SHA = expression(r"[0-9a-f]{7,64}", re.IGNORECASE)
_ID = expression(r"[\w@#][\w.@:/#+~={}()$%&,-]{0,300}")
_HIVE = expression(r"HK(?:EY_[A-Z_]{5,20}|[A-Z]{1,2}):?(?:\\[\w.{} -]{1,80}){1,20}\\?")
_SPACED_ID = expression(r"[\w@#][\w.@:/#+~ -]{0,120}")
_REF = expression(r"[^\s~^:?*\[\]\\]{1,250}")
_TAG = expression(r"[^\s~^:?*\[\]\\]{1,200}")
_PACKAGE = expression(r"[@A-Za-z0-9][\w.@/:+~^=<>!*,\[\]-]{0,250}")
_HOST = expression(r"[A-Za-z0-9_\[\]](?:[A-Za-z0-9_.:\[\]-]{0,252}[A-Za-z0-9\]])?")
_SECRET = expression(r"[A-Za-z_][\w./:@ -]{1,200}")
_TICKET = expression(r"(?:(?:task|issue|ticket|bug|story|gh|pr)[ \t]?)?[#!]?[A-Za-z0-9][\w.:/#-]{0,100}", re.IGNORECASE)
_REPO = expression(r"[\w.@:/~-]{2,300}")
_DATABASE = expression(r"[\w.-][\w.:/@?&=+~-]{0,300}")
_PROTOTYPE = expression(r"[A-Za-z_]\w*(?:#\w+)*")
_SESSION = expression(r"[\w][\w.:#@ +-]{1,223}")


def _full(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda value: pattern.fullmatch(value) is not None


def _is_work_item(value: str) -> bool:
    return work_item(value, NOWHERE) is not None


def _is_issue(value: str) -> bool:
    return _is_work_item(value) or _is_ticket(value) or (value.startswith(("https://", "http://")) and _is_url(value))


def _is_ticket(value: str) -> bool:
    return _TICKET.fullmatch(value) is not None and any(letter.isdigit() or letter in "-#" for letter in value)


def _is_url(value: str) -> bool:
    return _URL.fullmatch(value) is not None


def _is_sha(value: str) -> bool:
    return _SHA.fullmatch(value) is not None or ("://" in value and _is_url(value))


def _is_repository(value: str) -> bool:
    return _REPO.fullmatch(value) is not None or _is_url(value)


def _is_secret(value: str) -> bool:
    return is_secret_name(value) or (_SECRET.fullmatch(value) is not None and value.count(" ") < 3)


_SHAPES: Mapping[HandleKind, Callable[[str], bool]] = {
    HandleKind.FILESYSTEM_PATH: is_path,
    HandleKind.REPOSITORY_ROOT: is_path,
    HandleKind.PROMPT_PATH: is_path,
    HandleKind.REPOSITORY_ID: _is_repository,
    HandleKind.URL: _is_url,
    HandleKind.PACKAGE_ID: _full(_PACKAGE),
    HandleKind.SITE_ID: _full(_SPACED_ID),
    HandleKind.SESSION_KEY: _full(_SESSION),
    HandleKind.SECRET_NAME: _is_secret,
    HandleKind.COMMIT_SHA: _is_sha,
    HandleKind.COMMAND: is_command,
    HandleKind.BRANCH: _full(_REF),
    HandleKind.TAG: _full(_TAG),
    HandleKind.PULL_REQUEST: lambda value: _is_work_item(value) or _is_issue(value),
    HandleKind.ISSUE: _is_issue,
    HandleKind.TASK_ID: lambda value: _is_ticket(value) or _is_url(value),
    HandleKind.DOCUMENT_ID: _full(_SPACED_ID),
    HandleKind.HOST: _full(_HOST),
    HandleKind.DATABASE_ID: lambda value: _DATABASE.fullmatch(value) is not None or _is_url(value),
    HandleKind.OTHER_ID: lambda value: (_ID.fullmatch(value) or _HIVE.fullmatch(value)) is not None,
    HandleKind.TYPED_REFERENCE: _full(_PROTOTYPE),
}


def accepts(kind: HandleKind, value: str) -> bool:
    """Whether the whole value looks like a handle of this kind (rule 8, R26). A scrubbed secret never does (D13)."""
    text = value.strip()
    if not text or len(text) > _MAX or has_placeholder(text):
        return False
    return _SHAPES[kind](text)


def free_kind(value: str) -> HandleKind | None:
    """The kind of a value under a property name that tells none: only path, URL, SHA and session key (section 3)."""
    text = value.strip()
    if "://" in text and _is_url(text):
        return HandleKind.URL
    if _STRICT_SHA.fullmatch(text) and not text.isdigit() and not text.isalpha():
        return HandleKind.COMMIT_SHA
    if _STRICT_SESSION.fullmatch(text):
        return HandleKind.SESSION_KEY
    return HandleKind.FILESYSTEM_PATH if _STRICT_PATH.fullmatch(text) and is_path(text) else None


_STRICT_SHA = expression(r"[0-9a-f]{7,40}")
_STRICT_SESSION = expression(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:ses|sess|thread|conv)_[A-Za-z0-9]{8,40}|(?:claude-code|codex|gemini-cli|opencode|pi|qwen-code):\S{3,200}"
)
_STRICT_PATH = expression(
    r"(?:[A-Za-z]:[\\/]|~/|/|\./|\.\./|\\\\)[^\n]{1,1000}|[\w.@+ -]{1,200}(?:[\\/][\w.@+ ()\[\]-]{1,200}){1,30}[\\/]?"
)
