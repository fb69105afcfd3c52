"""Every spelling of a forge address leads to the same repository, pull request, commit or release.

Owns the reading of remotes and forge URLs. Contacts nothing. Knows nothing of paths on disk.
"""
# ruff: noqa: E501, PLR2004, SIM905 - patterns, thresholds and word lists are the data here

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from ferrule.referents.kinds import Place

__all__ = ["FORGES", "ForgeLink", "fold_url", "forge_link", "number_of", "repository_of", "work_item"]

FORGES = ("github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "git.sr.ht", "gitea.com", "dev.azure.com")
_SLUG = re.compile(r"[A-Za-z0-9_.~-]{1,100}/[A-Za-z0-9_.-]{1,100}")
_SCP = re.compile(
    r"(?:ssh://|git://|git\+ssh://|git\+https://)?(?:[A-Za-z0-9_.-]{1,64}@)?(?P<host>[A-Za-z0-9.-]{3,255})"
    r"(?::[0-9]{1,5}/|[:/])(?P<slug>[A-Za-z0-9_.~/-]{3,300})"
)
_NUMBER = re.compile(r"(?P<sign>[#!]?)(?P<n>[0-9]{1,12})")
_WORDED = re.compile(
    r"(?:pull[ -]requests?|pull|pulls|prs?|merge[ -]requests?|mrs?|issues?|bugs?|tasks?|tickets?|gh)"
    r"[ \t]{0,3}[-/#!:]{0,2}[ \t]{0,2}#?(?P<n>[0-9]{1,12})",
    re.IGNORECASE,
)
_QUALIFIED = re.compile(
    r"(?P<repo>[A-Za-z0-9_.-]{1,100}(?:/[A-Za-z0-9_.-]{1,100}){0,3}?)(?:[#!]|/(?:pull|pulls|issues|merge_requests)/)(?P<n>[0-9]{1,12})"
)
_TICKET = re.compile(r"[A-Za-z][A-Za-z0-9]{1,9}-[0-9]{1,7}")
_LINES = re.compile(r"L[0-9]{1,7}(?:C[0-9]{1,5})?(?:-L?[0-9]{1,7}(?:C[0-9]{1,5})?)?")


@dataclass(frozen=True, slots=True)
class ForgeLink:
    """What a forge URL points at: `what` is repo, pull, issue, commit, branch, tag, run or file."""

    repository: str
    what: str
    value: str


def _repo(host: str, slug: str) -> str:
    slug = slug.strip("/").removesuffix(".git")
    return f"{host.lower().removeprefix('www.')}/{slug.lower()}"


def repository_of(value: str, place: Place) -> str | None:
    """The normalised repository (`github.com/owner/name`) of a remote, slug or bare name, or None.

    A slug without host is on the host of the place's repository, else on github.com (policy).
    """
    text = value.strip().strip("`'\"").removeprefix("git+")
    if "://" in text and not text.startswith(("ssh://", "git://")):
        link = forge_link(text)
        return link.repository if link else None
    text = text.removeprefix("github:").removesuffix("/")
    if "://" not in text and ":" not in text and "@" not in text:
        here = place.repository or ""
        if _SLUG.fullmatch(text):
            host = here.split("/", 1)[0] if here.count("/") >= 2 else "github.com"
            return _repo(host, text)
        if here.lower().endswith("/" + text.lower()):
            return here.lower()
    found = _SCP.fullmatch(text)
    if found and "/" in found["slug"] and "." in found["host"]:
        return _repo(found["host"], found["slug"])
    return None


def forge_link(url: str) -> ForgeLink | None:
    """What a URL on a forge points at; None for any other URL."""
    try:
        parts = urlsplit(url.strip())
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return None
    path = [part for part in parts.path.replace("/-/", "/").split("/") if part]
    if host == "api.github.com" and path[:1] == ["repos"]:
        host, path = "github.com", path[1:]
    known = (
        host in FORGES
        or host.startswith(("github.", "gitlab.", "git.", "gitea."))
        or (bool(path) and path[-1].endswith(".git"))
    )
    if not known or len(path) < 2 or path[0] in _NOT_OWNERS:
        return None
    return _point(host, path)


_NOT_OWNERS = frozenset(
    "about advisories apps collections explore features login marketplace notifications orgs organizations pricing search security settings sponsors topics"
    " trending users enterprise customer-stories readme dashboard".split()
)
_MARKS = {
    "pull": "pull", "pulls": "pull", "pull-requests": "pull", "merge_requests": "pull", "issues": "issue", "issue": "issue",
    "work_items": "issue", "commit": "commit", "commits": "commit", "tree": "branch", "blob": "file", "raw": "file",
    "blame": "file", "edit": "file", "actions": "run", "releases": "tag", "compare": "compare", "wiki": "page",
    "discussions": "page", "pipelines": "run", "jobs": "run",
}  # fmt: skip


def _point(host: str, path: list[str]) -> ForgeLink:
    at = next((index for index, part in enumerate(path) if index >= 2 and part in _MARKS), len(path))
    # GitLab groups nest; everywhere else a repository is two components.
    slug = "/".join(path[:at] if "gitlab" in host else path[:2])
    repository, rest = _repo(host, slug), path[at + 1 :]
    what = _MARKS[path[at]] if at < len(path) else ("repo" if at == 2 or "gitlab" in host else "page")
    if what == "run":
        digits = [part for part in rest if part.isdigit()]
        return ForgeLink(repository, "run" if digits else "page", digits[0] if digits else "")
    if what == "tag":
        return ForgeLink(repository, "tag" if rest[:1] == ["tag"] and len(rest) > 1 else "page", "/".join(rest[1:]))
    value = rest[0] if rest and what in {"pull", "issue", "commit"} else "/".join(rest)
    if what in {"pull", "issue"} and not value.isdigit():
        return ForgeLink(repository, "page", value)
    return ForgeLink(repository, what, value)


def work_item(value: str, place: Place) -> tuple[str, str] | None:
    """Repository (or empty) and number of a pull request or issue in any spelling, or None."""
    text = value.strip().strip("`'\"")
    if "://" in text:
        link = forge_link(text)
        return (link.repository, link.value) if link and link.what in {"pull", "issue"} else None
    here = (place.repository or "").lower()
    plain = _NUMBER.fullmatch(text) or _WORDED.fullmatch(text)
    if plain:
        return here, plain["n"].lstrip("0") or "0"
    found = _QUALIFIED.fullmatch(text)
    if found is None:
        return None
    repo = found["repo"]
    if repo.split("/", 1)[0] in FORGES:
        return repo.lower(), found["n"]
    return repository_of(repo, place) or (here if not repo else repo.lower()), found["n"]


def number_of(value: str) -> str | None:
    """The ticket key of a tracker URL or text (`ENT-98`), or None."""
    text = value.strip().strip("`'\"")
    if "://" in text:
        parts = [part for part in text.split("?", 1)[0].split("/") if part]
        for mark in ("issue", "browse", "task"):
            if mark in parts and parts.index(mark) + 1 < len(parts):
                text = parts[parts.index(mark) + 1]
    return text.upper() if _TICKET.fullmatch(text) else None


def fold_url(value: str) -> str:
    """One spelling of a URL: lower scheme and host, no default port, no end slash, no line anchor, no userinfo."""
    text = value.strip().strip("`'\"<>")
    try:
        parts = urlsplit(text)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return text
    if not parts.scheme or not host:
        return text.rstrip("/")
    default = {"http": 80, "https": 443}.get(parts.scheme.lower())
    where = f"[{host}]" if ":" in host else host
    where += f":{port}" if port and port != default else ""
    query = f"?{parts.query}" if parts.query else ""
    anchor = f"#{parts.fragment}" if parts.fragment and not _LINES.fullmatch(parts.fragment) else ""
    return f"{parts.scheme.lower()}://{where}{parts.path.rstrip('/')}{query}{anchor}"
