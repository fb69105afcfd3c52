"""A key that older normal forms made is made anew by today's, as far as value, old key and place tell it.

Owns that step for one key: what a store holds under an old key must still be found, and
what was forgotten under one must stay forgotten (DEC-D14, CASE-N10). The old key tells what the value alone does not:
the repository a number is of, the folder a relative path was joined with. Knows nothing of stores.
"""

from collections.abc import Mapping
from dataclasses import replace

from ferrule.referents.expressions import expression
from ferrule.referents.forms import identity_key
from ferrule.referents.kinds import NOWHERE, HandleKind, Place
from ferrule.referents.locations import fold_path, is_absolute, path_key
from ferrule.referents.remotes import repository_of

__all__ = ["renewed_key", "renewed_marks", "renewed_repository"]

_ROOT_COMMIT = "root-commit:"
_DRIVE = expression(r"[A-Za-z]:(?:/|\Z)")
_OF_A_REPOSITORY = frozenset({"branch", "tag", "pr", "mr", "issue", "task"})
_BY_VALUE: Mapping[str, HandleKind] = {
    "url": HandleKind.URL, "host": HandleKind.HOST, "database": HandleKind.DATABASE_ID, "id": HandleKind.OTHER_ID,
    "secret": HandleKind.SECRET_NAME, "package": HandleKind.PACKAGE_ID,
}  # fmt: skip


def renewed_key(kind: HandleKind, value: str, old: str, place: Place = NOWHERE) -> str:
    """The key of a handle by today's forms.

    Args:
        kind: of the handle.
        value: of the handle.
        old: the key that it was admitted under; empty for none.
        place: where it was admitted, as far as that is still known.
    """
    family = _family(old)
    if not family:
        return old
    if family == "path":
        return _renewed_path(kind, value, old, place)
    told = _told_repository(old)
    fresh = identity_key(kind, value, place if told is None else replace(place, repository=told or None))[0]
    moved = family == "url" or (family == "pr" and _family(fresh) in {"mr", "issue"})
    # A turn may know a value as something else than its property says: then the key is of what the turn knew.
    return fresh if moved or _family(fresh) == family else renewed_marks(old, place)[0]


def renewed_marks(mark: str, place: Place = NOWHERE) -> tuple[str, ...]:
    """What a key becomes when nothing but the key is left, as in a tombstone; a folded phrase stays as it is.

    Several when today's forms tell apart what the old ones did not: a number that was a pull request or an issue.
    """
    family, rest = _family(mark), mark.partition(":")[2]
    if family == "path":
        repository, inside = _parted(rest)
        if repository:
            return (f"path:{renewed_repository(repository)}:{fold_path(inside)}",)
        return (path_key(rest, place)[0],)
    if family == "repo":
        return (f"repo:{renewed_repository(rest)}",)
    told = _told_repository(mark)
    if told is not None:
        repository, name = renewed_repository(told), _parted(rest)[1]
        if family == "pr":
            here = Place(repository=repository or None)
            both = (HandleKind.PULL_REQUEST, HandleKind.ISSUE) if repository else (HandleKind.PULL_REQUEST,)
            return tuple(dict.fromkeys(identity_key(kind, f"#{name}", here)[0] for kind in both))
        return (f"{family}:{repository}:{name}",)
    kind_of = _BY_VALUE.get(family)
    return (mark,) if kind_of is None else (identity_key(kind_of, rest, place)[0],)


def renewed_repository(repository: str) -> str:
    """A repository's identity by today's forms: `ssh.github.com/owner/name` is `github.com/owner/name`."""
    if repository.startswith(_ROOT_COMMIT) or repository.count("/") < 2:  # noqa: PLR2004 - host, owner, name
        return repository
    return repository_of(repository, NOWHERE) or repository


def _renewed_path(kind: HandleKind, value: str, old: str, place: Place) -> str:
    fresh = identity_key(kind, value, place)[0]
    repository, rest = _parted(old.partition(":")[2])
    spelt = fold_path(value)
    if fresh.startswith("path:") and (is_absolute(spelt) or spelt.startswith("~")):
        kept = repository and f"/{spelt}".lower().endswith(f"/{rest}".lower())
        return renewed_marks(old)[0] if kept else fresh
    # A relative path was joined with a folder that only its turn knew; while the key still shows it, the key is right.
    shows = f"/{rest}".endswith(f"/{spelt}") or ".." in spelt.split("/")
    knows = place.cwd is not None and (place.repository is not None or not repository)
    return fresh if knows and not shows and fresh.startswith("path:") else renewed_marks(old, place)[0]


def _family(key: str) -> str:
    return key.partition(":")[0] if ":" in key else ""


def _told_repository(key: str) -> str | None:
    """The repository that a key names, empty where it names none; None for keys that have no place for one."""
    family, rest = _family(key), key.partition(":")[2]
    if family == "repo":
        return None if rest.startswith(":") else renewed_repository(rest)
    if family not in _OF_A_REPOSITORY or ":" not in rest:
        return None
    return renewed_repository(_parted(rest)[0])


def _parted(rest: str) -> tuple[str, str]:
    """(repository, what is inside of it) of the rest of a key; no repository before a path that stands alone."""
    if rest.startswith(("/", "~", ".")) or _DRIVE.match(rest):
        return "", rest
    if rest.startswith(_ROOT_COMMIT):
        commit, _, inside = rest.removeprefix(_ROOT_COMMIT).partition(":")
        return f"{_ROOT_COMMIT}{commit}", inside
    repository, colon, inside = rest.partition(":")
    return (repository, inside) if colon else ("", rest)
