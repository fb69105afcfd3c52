"""A URL or command without its credential is still a handle: the documented normal form of design.md D9, D13.

Owns what is taken off: userinfo, secret query parameters, secret flags, environment assignments.
Knows nothing of where the value stood.
"""
# ruff: noqa: E501, S105 - patterns, thresholds and word lists are the data here

import re

from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind
from ferrule.referents.secrets.mark import PLACEHOLDER

__all__ = ["SECRET_WORD", "without_secret"]

SECRET_WORD = (
    r"(?:access|account|api|auth|authorization|bearer|client|consumer|deploy|encryption|id|login|master|oauth|private|refresh"
    r"|sas|secret|security|service|session|shared|signing|storage|webhook|x-amz|x-goog|x-ms)?[._-]?"
    r"(?:apikey|api[_-]?key|key|passwd|password|passphrase|pass|pwd|secret|sig|signature|token|credential|credentials|auth|jwt|bearer)"
)
_USERINFO = expression(r"(?<=://)[^/\s@?#]{0,400}@")
_PARAMETER = expression(
    r"(?P<lead>[?&;])(?P<name>(?:[A-Za-z0-9_.-]{0,40}[_.-])?"
    + SECRET_WORD
    + r"|code|AWSAccessKeyId|X-Amz-[A-Za-z-]{3,30}|X-Goog-[A-Za-z-]{3,30}"
    r"|Expires|se|sp|sv|sr|st|spr)=[^&#\s]{0,2000}",
    re.IGNORECASE,
)
_ANY_PARAMETER = expression(r"(?P<lead>[?&;])[A-Za-z0-9_.%-]{1,80}=(?=[^&#\s]{0,300}\[secret:)[^&#\s]{0,2000}")
_FLAG = expression(
    r"(?:(?<=\s)|\A)--?(?:[a-z0-9]{1,20}-){0,3}"
    + SECRET_WORD
    + r"(?:[= ]\s{0,3})(?:\"[^\"\n]{0,400}\"|'[^'\n]{0,400}'|[^\s;|&]{1,400})",
    re.IGNORECASE,
)
_SHORT = expression(r"(?:(?<=\s)|\A)-p(?:\[secret:[a-z0-9-]{1,40}:[0-9a-f]{8}\]|[^\s;|&=-][^\s;|&]{2,200})(?=\s|\Z)")
_USER_FLAG = expression(r"(?:(?<=\s)|\A)(?:-u|--user)[= ]\s{0,3}[\"']?[^\s:\"']{1,100}:[^\s\"']{1,400}[\"']?")
_ASSIGNMENT = expression(
    r"(?:(?<=\s)|\A)(?:export\s{1,4}|set\s{1,4}|\$env:)?(?:[A-Za-z0-9_]{0,60}_)?(?:"
    + SECRET_WORD
    + r"|PGPASSWORD|MYSQL_PWD|PASS)(?:_[A-Z0-9]{1,12})?"
    r"=(?:\"[^\"\n]{0,400}\"|'[^'\n]{0,400}'|[^\s;|&]{1,400})[;&]{0,2}\s{0,4}",
    re.IGNORECASE,
)
_HEADER = expression(
    r"(?:(?<=\s)|\A)(?:-H|--header)[= ]?\s{0,3}(?:\"(?:Authorization|X-Api-Key|Api-Key|X-Auth-Token|Cookie|Private-Token)\s{0,3}:[^\"\n]{0,600}\""
    r"|'(?:Authorization|X-Api-Key|Api-Key|X-Auth-Token|Cookie|Private-Token)\s{0,3}:[^'\n]{0,600}')",
    re.IGNORECASE,
)
_SPACES = expression(r"[ \t]{2,}")
_HINT = expression(
    r"://|\[secret:|-p|-u|-H|pass|pwd|key|token|secret|auth|cred|sig|jwt|bearer|--user|--header", re.IGNORECASE
)
_MYSQL = expression(r"\b(?:mysql|mysqldump|mysqladmin|mariadb|sshpass)\b")


def without_secret(kind: HandleKind, value: str) -> str:
    """The documented normal form of a value that carries a credential: the part that can be kept (D9, D13).

    A URL loses userinfo and secret query parameters; a command loses secret flags, headers and assignments, and the URLs
    in it are reduced too; other kinds come back unchanged. Idempotent. A mark left by scrubbing counts as a credential.
    """
    if kind in {HandleKind.URL, HandleKind.DATABASE_ID, HandleKind.HOST}:
        return _url(value)
    if kind is HandleKind.COMMAND:
        return _command(value)
    return value


def _url(value: str) -> str:
    if "://" in value:
        user = "git@" if value.startswith(("ssh://git@", "git+ssh://git@")) else ""
        value = _USERINFO.sub(user, value, count=1)
    if "?" in value or "&" in value or ";" in value:
        value = _tidy(_PARAMETER.sub(_keep_lead, _ANY_PARAMETER.sub(_keep_lead, value)))
    return PLACEHOLDER.sub("", value)


def _keep_lead(match: re.Match[str]) -> str:
    return "?" if match["lead"] == "?" else ""


def _tidy(value: str) -> str:
    value = value.replace("?&", "?").replace("?;", "?").replace("?#", "#")
    return value.removesuffix("?")


def _command(value: str) -> str:
    if not _HINT.search(value):
        return value
    out = _HEADER.sub("", value)
    out = _ASSIGNMENT.sub("", _FLAG.sub("", _USER_FLAG.sub("", out)))
    if _MYSQL.search(out):
        out = _SHORT.sub("", out)
    if "://" in out:
        out = re.sub(r"[a-z][a-z0-9+.-]{1,20}://[^\s\"'`]{1,2000}", lambda found: _url(found.group()), out)
    out = PLACEHOLDER.sub("", out)
    return value if out == value else _SPACES.sub(" ", out).strip()
