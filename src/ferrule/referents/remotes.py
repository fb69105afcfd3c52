"""Every spelling of a forge address leads to the same repository, pull request, commit or release.

Owns the reading of remotes and forge URLs. Contacts nothing. Knows nothing of paths on disk.
"""
# ruff: noqa: E501, PLR2004, SIM905 - patterns, thresholds and word lists are the data here

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from ferrule.referents.expressions import expression
from ferrule.referents.kinds import Place

__all__ = ["FORGES", "ForgeLink", "forge_link", "number_of", "repository_of", "work_item"]

FORGES = ("github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "git.sr.ht", "gitea.com", "dev.azure.com")
_SLUG = expression(r"[A-Za-z0-9_.~-]{1,100}/[A-Za-z0-9_.-]{1,100}")
_SCP = expression(
    r"(?:ssh://|git://|git\+ssh://|git\+https://)?(?:[A-Za-z0-9_.-]{1,64}@)?(?P<host>[A-Za-z0-9.-]{3,255})"
    r"(?::[0-9]{1,5}/|[:/])(?P<slug>[A-Za-z0-9_.~/-]{3,300})"
)
_NUMBER = expression(r"(?P<sign>[#!]?)(?P<n>[0-9]{1,12})")
_WORDED = expression(
    r"(?:pull[ -]requests?|pull|pulls|prs?|merge[ -]requests?|mrs?|issues?|bugs?|tasks?|tickets?|gh)"
    r"[ \t]{0,3}[-/#!:]{0,2}[ \t]{0,2}#?(?P<n>[0-9]{1,12})",
    re.IGNORECASE,
)
_QUALIFIED = expression(
    r"(?P<repo>[A-Za-z0-9_.-]{1,100}(?:/[A-Za-z0-9_.-]{1,100}){0,3}?)(?:[#!]|/(?:pull|pulls|issues|merge_requests)/)(?P<n>[0-9]{1,12})"
)
_TICKET = expression(r"[A-Za-z][A-Za-z0-9]{1,9}-[0-9]{1,7}")


@dataclass(frozen=True, slots=True)
class ForgeLink:
    """What a forge URL points at: `what` is repo, pull, issue, commit, branch, tag, run or file."""

    repository: str
    what: str
    value: str


# Hosts that forges offer for SSH where its port is closed, and what they stand for.
_DOORS = {
    "ssh.github.com": "github.com", "altssh.gitlab.com": "gitlab.com", "altssh.bitbucket.org": "bitbucket.org",
    "ssh.dev.azure.com": "dev.azure.com", "vs-ssh.visualstudio.com": "dev.azure.com",
}  # fmt: skip
_AZURE = "dev.azure.com"


def _repo(host: str, slug: str) -> str:
    host, slug = host.lower().removeprefix("www."), slug.strip("/").removesuffix(".git").lower()
    host = _DOORS.get(host, host)
    return f"{host}/{slug.removeprefix('v3/') if host == _AZURE else slug}"


def repository_of(value: str, place: Place) -> str | None:
    """The normalised repository (`github.com/owner/name`) of a remote, slug or bare name, or None.

    A slug without host is on the host of the place's repository, else on github.com (policy).
    """
    text = value.strip().strip("`'\"").removeprefix("git+")
    if "://" not in text and "/_git/" in text:
        text = f"https://{text}"
    if "://" in text and not text.startswith(("ssh://", "git://")):
        link = forge_link(text)
        return link.repository if link else None
    text = text.removeprefix("github:").removesuffix("/")
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
        parts = urlsplit(url.strip().removeprefix("git+"))
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return None
    path = [part for part in parts.path.replace("/-/", "/").split("/") if part]
    if host == "api.github.com" and path[:1] == ["repos"]:
        host, path = "github.com", path[1:]
    if "_git" in path:
        return _azure(host, path)
    known = (
        host in FORGES
        or host.startswith(("github.", "gitlab.", "git.", "gitea."))
        or (bool(path) and path[-1].endswith(".git"))
    )
    if not known or len(path) < 2 or path[0] in _NOT_OWNERS:
        return None
    return _point(host, path)


def _azure(host: str, path: list[str]) -> ForgeLink | None:
    """`dev.azure.com/org/project/_git/name/…`; the project may be left out where the repository bears its name."""
    if host.endswith(".visualstudio.com"):
        path = [host.split(".", 1)[0], *(part for part in path if part.lower() != "defaultcollection")]
    elif host != _AZURE:
        return None
    at = path.index("_git")
    if at not in (1, 2) or len(path) < at + 2:
        return None
    name, rest = path[at + 1], path[at + 2 :]
    repository = _repo(_AZURE, "/".join((path[0], path[1] if at > 1 else name, name)))
    mark, value = {"pullrequest": "pull", "commit": "commit"}.get(rest[0] if rest else "", ""), "".join(rest[1:2])
    if mark == "commit" or (mark and value.isdigit()):
        return ForgeLink(repository, mark, value)
    return ForgeLink(repository, "page" if rest else "repo", "")


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
