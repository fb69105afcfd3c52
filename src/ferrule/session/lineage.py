"""Sessions of one conversation in one repository may read each other's memory (design.md section 7, R87).

Owns what "in one repository" means. That two sessions are of one conversation is their clients' own fact, stored as one
`lineage`: this only keeps such a fact from reaching across repositories. Knows nothing of clients, stores or disks.
"""

from ferrule.session.source import SourceSession

__all__ = ["one_repository"]


def one_repository(one: SourceSession, other: SourceSession) -> bool:
    """Whether nothing says that two sessions of one conversation worked in different repositories.

    The same folder is the same repository. Else their remotes decide where both are known, else whether one folder is
    inside the other; where one of them is not known, the clients' fact stands.
    """
    here, there = _folder(one.cwd), _folder(other.cwd)
    if here and here == there:
        return True
    if one.repository and other.repository:
        return one.repository == other.repository
    return not (here and there) or f"{here}/".startswith(f"{there}/") or f"{there}/".startswith(f"{here}/")


def _folder(cwd: str | None) -> str:
    return (cwd or "").replace("\\", "/").rstrip("/")
