"""Two sessions worked in the same repository only when something says so (design.md section 7: never across them).

Owns that: the same remote, or the same checkout on this machine. Unlike members of one conversation, sessions that have
nothing else in common need proof. Knows nothing of disks: where a session's checkout is, is handed in.
"""

from collections.abc import Callable, Iterable

from ferrule.session.source import SourceSession

__all__ = ["neighbours"]


def neighbours(
    session: SourceSession, others: Iterable[SourceSession], checkout: Callable[[str | None], str]
) -> tuple[SourceSession, ...]:
    """The other sources of the session's repository, in the given order.

    Args:
        session: the session.
        others: the sessions to choose from; hidden ones and the session itself are left out.
        checkout: the main checkout that a folder belongs to, empty when there is none here.
    """
    here = checkout(session.cwd)
    return tuple(
        one for one in others if one.key != session.key and not one.hidden and _same(session, one, here, checkout)
    )


def _same(session: SourceSession, one: SourceSession, here: str, checkout: Callable[[str | None], str]) -> bool:
    if session.repository and one.repository:
        return session.repository.lower() == one.repository.lower()
    return bool(here) and checkout(one.cwd) == here
