"""Sessions by the names that people give them: a key, the beginning of one, or `last`.

Owns that, what is known of a session, archiving one, and reading one session's memory. Knows nothing of how it is
shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ferrule.bridge.door import SourceReader
from ferrule.errors import Code, UsageError
from ferrule.memory.reader import MemoryReader
from ferrule.referents.kinds import Place
from ferrule.session.keys import child_key, is_text
from ferrule.session.profiles import AgentProfile
from ferrule.session.source import CRITIC_PROFILE, SourceSession
from ferrule.wiring.home import NO_SESSION, Home
from ferrule.wiring.meaning import meaning_of
from ferrule.wiring.profiles import profiles_of
from ferrule.wiring.working import wake

__all__ = [
    "Archiving",
    "SessionFacts",
    "SessionRow",
    "TurnRow",
    "archived",
    "facts_of",
    "found",
    "newest",
    "overview",
    "reader",
    "resolved",
]

LAST = "last"
SHOWN = 3


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One session in a list: with the numbers of its completed turns and memories."""

    session: SourceSession
    turns: int
    memories: int


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One turn of a session and what became of it.

    `state` is the outcome of its review (`wrote`, `nothing`), else how its instruction stands, else `not queued`.
    """

    key: str
    ordinal: int
    state: str
    reason: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """Everything that is known of one session.

    Attributes:
        session: the session as stored.
        companion: the hidden child that reviews it, None when there is none or it is not to be shown.
        kin: the other members of its lineage, by key.
        turns: how many turns are stored.
        memories: how many memories it has.
        shown: the newest turns, oldest first.
        profile: what its profile says, where it is one that ships or that the home adds.
    """

    session: SourceSession
    companion: SourceSession | None
    kin: tuple[str, ...]
    turns: int
    memories: int
    shown: tuple[TurnRow, ...]
    profile: AgentProfile | None = None


@dataclass(frozen=True, slots=True)
class Archiving:
    """A session was archived or brought back; `waiting` turns rest meanwhile, or wait again now."""

    session: SourceSession
    changed: bool
    waiting: int


def overview(home: Home, *, hidden: bool = False) -> tuple[SessionRow, ...]:
    """The sessions of a home, newest first; hidden ones (companions) only when asked for (R1)."""
    turns = home.store.turn_counts()
    return tuple(
        SessionRow(session, turns.get(session.key, 0), len(home.store.layer(session.key)))
        for session in home.store.sessions(hidden=hidden)
    )


def facts_of(home: Home, name: str, *, hidden: bool, limit: int) -> SessionFacts:
    """What is known of one session, its newest turns included. A companion is found by its whole key.

    Raises:
        UsageError: no such session, or a profile that the home adds is wrong.
    """
    session = resolved(home, name)
    child = home.store.session(child_key(session.key)) if hidden else None
    keys = home.store.turn_keys(session.key)
    return SessionFacts(
        session=session,
        companion=child if child is not None and child.parent == session.key else None,
        kin=tuple(one.key for one in home.store.kin(session.key)),
        turns=len(keys),
        memories=len(home.store.layer(session.key)),
        shown=tuple(_turn_row(home, session.key, ordinal, key) for ordinal, key in keys[-limit:]),
        profile=profiles_of(home.path).find(session.profile),
    )


def archived(home: Home, name: str, *, archive: bool) -> Archiving:
    """Archive a session, or bring it back (R98). Its memory stays; nothing of it is reviewed while it is archived.

    What waits when it comes back is looked at by a worker at once.

    Raises:
        UsageError: no such session, or it is a companion: that one goes and comes with its source.
    """
    session = resolved(home, name)
    if session.hidden or session.profile == CRITIC_PROFILE:
        of = session.parent or "its source"
        line = f"{session.key} is the companion of {of} and rests with it; archive or detach {of} instead"
        raise UsageError(line, code=Code.NOT_ATTACHABLE)
    changed = home.store.archive(session.key, archived=archive)
    lane = home.store.lane(session.key)
    waiting = 0 if lane is None else lane.waiting
    if changed and waiting and not archive:
        wake(home)
    return Archiving(session, changed, waiting)


def _turn_row(home: Home, source: str, ordinal: int, key: str) -> TurnRow:
    stored = home.store.turn(source, key)
    said = "" if stored is None else stored.user
    review = home.store.review(source, key)
    if review is not None:
        return TurnRow(key, ordinal, str(review.get("outcome", "")), str(review.get("reason", "")), said)
    instruction = home.store.instruction(source, key)
    if instruction is None:
        return TurnRow(key, ordinal, "not queued" if stored is not None else "text gone", said=said)
    return TurnRow(key, ordinal, instruction.state.value, instruction.reason, said)


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
    place = Place(session.cwd, session.cwd, session.repository)
    return MemoryReader(home.store, home.permanent_of(key), key, place=place, meaning=meaning_of(home))


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
    exact = home.store.session(name) if is_text(name) else None
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
        return f"no session is called {name!r:.240} or begins so; ferrule sessions list shows them"
    shown = ", ".join(session.key for session in found[:SHOWN])
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return f"{name!r} is the beginning of {len(found)} sessions: {shown}{more}"
