"""A judge that finds nothing proves nothing: each planted fault takes one guard away, and must be found.

Owns the plants: small changes of the real code or its statements for the length of a block. Knows nothing of how a
fault is found.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace

from ferrule.adapters.sqlite import committing, lanes, memories, queueing
from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.sqlite.memories import Occasion, put_write
from ferrule.adapters.sqlite.sessions import session_id
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.companion import attaching, dispatching
from ferrule.companion.answers import Duplicate
from ferrule.memory.ports import StagedWrite
from ferrule.session.source import LaneClaim, Origin

__all__ = ["PLANTS", "planted"]

_ANY_LANE = "SELECT session FROM lanes WHERE due IS NOT NULL ORDER BY due LIMIT 1"
Changes = Callable[[], Iterator[tuple[object, str, object]]]


def _fencing() -> Iterator[tuple[object, str, object]]:
    """A worker that lost its lane may still commit: neither epoch nor lease is looked at."""

    def guarded(database: Database, claim: LaneClaim, now: float) -> int:
        del now
        return session_id(database, claim.source) or 0

    yield committing, "guarded", guarded


def _lease() -> Iterator[tuple[object, str, object]]:
    """A lease that ran out still counts, as long as nobody else took the lane."""

    def guarded(database: Database, claim: LaneClaim, now: float) -> int:
        lane = lanes._held(database, claim)  # noqa: SLF001 - the guard that is taken away stands there
        return lanes.guarded(database, claim, now) if lane is None else int(lane["session"])

    yield committing, "guarded", guarded


def _stolen() -> Iterator[tuple[object, str, object]]:
    """A lane is given to whoever asks, though its lease runs."""
    yield lanes, "_SQL", _changed(lanes._SQL, next_lane=_ANY_LANE)  # noqa: SLF001
    yield lanes, "_leased", lambda lane, now: lane["lease_until"] is not None and now < 0


def _reversed() -> Iterator[tuple[object, str, object]]:
    """The newest waiting turn comes first."""
    wrong = lanes._SQL["oldest"].replace("ORDER BY ordinal, instructions.id", "ORDER BY ordinal DESC")  # noqa: SLF001
    yield lanes, "_SQL", _changed(lanes._SQL, oldest=wrong)  # noqa: SLF001


def _again() -> Iterator[tuple[object, str, object]]:
    """A turn that is delivered again is reviewed again: the key of (source, turn) keeps nobody out."""
    wrong = queueing._SQL["add_instruction"].replace("WHERE state = 'withdrawn'", "WHERE state <> 'claimed'")  # noqa: SLF001
    yield queueing, "_SQL", _changed(queueing._SQL, add_instruction=wrong)  # noqa: SLF001


def _epoch() -> Iterator[tuple[object, str, object]]:
    """A claim does not raise the lane's epoch."""
    wrong = lanes._SQL["lease"].replace("epoch = epoch + 1, ", "")  # noqa: SLF001
    yield lanes, "_SQL", _changed(lanes._SQL, lease=wrong)  # noqa: SLF001


def _history() -> Iterator[tuple[object, str, object]]:
    """An attach forgets what was there before it: a late event of an old turn is taken."""
    yield SqliteStore, "last_ordinal", lambda _store, _source: 0


def _deaf() -> Iterator[tuple[object, str, object]]:
    """A detach leaves the subscription as it is."""
    yield (
        attaching,
        "replace",
        lambda value, **changes: value if changes == {"enabled": False} else replace(value, **changes),
    )


def _overdone() -> Iterator[tuple[object, str, object]]:
    """A detach takes back what was asked for by itself, too."""
    yield attaching, "_WITHDRAWN", tuple(Origin)


def _astray() -> Iterator[tuple[object, str, object]]:
    """A memory lands in the session next door."""

    def wrong(database: Database, write: StagedWrite, occasion: Occasion) -> None:
        put_write(database, write, replace(occasion, session=1))

    yield committing, "put_write", wrong


def _overwriting() -> Iterator[tuple[object, str, object]]:
    """An augmentation gives a value that was there before another one, and nothing looks."""

    def wrong(database: Database, write: StagedWrite, occasion: Occasion) -> None:
        first, *rest = write.prototype.properties
        if rest:
            changed = replace(write.prototype, properties=(replace(first, value="/quay/elsewhere"), *rest))
            write = replace(write, prototype=changed)
        put_write(database, write, occasion)

    yield memories, "_keeps", lambda _before, _after: True
    yield committing, "put_write", wrong


def _halved() -> Iterator[tuple[object, str, object]]:
    """A review is committed, its instruction is not done."""
    yield committing, "close_claim", lambda *_, **__: None


def _clockbound() -> Iterator[tuple[object, str, object]]:
    """A clock set back leaves every lane waiting for the old time."""
    yield lanes, "clock_shift", lambda _database, _now: 0.0


def _dropped() -> Iterator[tuple[object, str, object]]:
    """An event's turn is acknowledged and not queued."""
    yield (
        dispatching,
        "future_turn",
        lambda _store, envelope, _subscription: Duplicate(envelope.source, envelope.turn, "planted"),
    )


PLANTS: Mapping[str, Changes] = {
    "fencing": _fencing,
    "lease": _lease,
    "stolen": _stolen,
    "reversed": _reversed,
    "again": _again,
    "epoch": _epoch,
    "history": _history,
    "deaf": _deaf,
    "overdone": _overdone,
    "astray": _astray,
    "overwriting": _overwriting,
    "halved": _halved,
    "clockbound": _clockbound,
    "dropped": _dropped,
}


def _changed(statements: Mapping[str, str], **changes: str) -> Mapping[str, str]:
    return {**statements, **changes}


@contextmanager
def planted(name: str) -> Iterator[None]:
    """Take one guard away inside the block."""
    with ExitStack() as stack:
        for owner, attribute, wrong in PLANTS[name]():
            stack.callback(setattr, owner, attribute, getattr(owner, attribute))
            setattr(owner, attribute, wrong)
        yield
