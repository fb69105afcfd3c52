"""Sessions by the names that people give them: a key, the beginning of one, or `last`.

Owns that, and reading one session's memory. Knows nothing of how memory is shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ferrule.bridge.door import SourceReader
from ferrule.errors import Code, UsageError
from ferrule.memory.reader import MemoryReader
from ferrule.referents.kinds import Place
from ferrule.session.source import SourceSession
from ferrule.wiring.home import NO_SESSION, Home

__all__ = ["SessionRow", "found", "newest", "overview", "reader", "resolved"]

LAST = "last"
SHOWN = 3


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One session in a list: with the numbers of its completed turns and memories."""

    key: str
    client: str
    title: str
    cwd: str | None
    turns: int
    memories: int


def overview(home: Home) -> tuple[SessionRow, ...]:
    """The sessions of a home, newest first; hidden ones (companions) are not among them (R1)."""
    return tuple(
        SessionRow(
            session.key,
            session.client,
            session.title,
            session.cwd,
            turns=len(home.store.turn_keys(session.key)),
            memories=len(home.store.layer(session.key)),
        )
        for session in home.store.sessions()
    )


def reader(home: Home, key: str | None) -> SourceReader:
    """The memory of one session, exactly named; without a key only the permanent layer.

    Raises:
        UsageError: there is no such session, or it is no source (a companion's key names nothing to read).
    """
    if key is None:
        return MemoryReader(home.store, home.permanent, NO_SESSION)
    session = home.store.session(key)
    if session is None or session.hidden:
        raise UsageError(f"no session is called {key!r}", code=Code.BAD_KEY)
    return MemoryReader(home.store, home.permanent, key, place=Place(session.cwd, session.cwd, session.repository))


def newest(home: Home) -> str:
    """The key that `last` stands for now; empty while no session is known."""
    return next((session.key for session in home.store.sessions()), "")


def found(home: Home, name: str) -> SourceSession | None:
    """As `resolved`, but None for `last` where no session is known yet."""
    return None if name == LAST and not home.store.sessions() else resolved(home, name)


def resolved(home: Home, name: str) -> SourceSession:
    """The session of that key, of the one key that begins with it, or the newest for `last`.

    Raises:
        UsageError: none or several.
    """
    exact = home.store.session(name)
    if exact is not None:
        return exact
    known = home.store.sessions()
    if name == LAST:
        if not known:
            raise UsageError(f"no session is known in {home.path}; start with: ferrule review FILE", code=Code.BAD_KEY)
        return known[0]
    found = [session for session in known if session.key.startswith(name)]
    found = found or [session for session in known if session.key.partition(":")[2].startswith(name)]
    if not name or len(found) != 1:
        raise UsageError(_unclear(name, found), code=Code.BAD_KEY)
    return found[0]


def _unclear(name: str, found: Sequence[SourceSession]) -> str:
    if not found or not name:
        return f"no session is called {name!r} or begins so; ferrule sessions list shows them"
    shown = ", ".join(session.key for session in found[:SHOWN])
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return f"{name!r} is the beginning of {len(found)} sessions: {shown}{more}"
