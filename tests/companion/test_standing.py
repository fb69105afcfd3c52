"""How a source and its companion stand: told for one, and for a thousand in a handful of queries."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from catch_up_cases import Noting, critic
from companion_cases import CHILD_KEY, SOURCE, a_home, attached, said_turn, tracing
from store_cases import Clock, claimed

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.companion.attaching import Terms, detach
from ferrule.companion.binding import companion_of
from ferrule.companion.standing import AttachmentState, Standing, portfolio, standing_of
from ferrule.companion.worker import work_lane
from ferrule.session.source import Origin


@pytest.fixture
def clock() -> Clock:
    """A clock that moves only when told."""
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[SqliteStore]:
    """One source with four stored turns."""
    opened = a_home(tmp_path, clock, turns=4)
    yield opened
    opened.close()


def now_of(store: SqliteStore, clock: Clock) -> Standing:
    """How the source stands, the same by itself and in the portfolio."""
    session = store.session(SOURCE.key)
    assert session is not None
    found = standing_of(store, session, clock())
    (row,) = portfolio(store, clock())
    assert replace(found, reviewing=0, failed=0) == row
    return found


def test_a_source_that_was_never_attached(store: SqliteStore, clock: Clock) -> None:
    """Never attached, nothing reviewed, nothing waiting."""
    found = now_of(store, clock)
    assert (found.attachment, found.subscription, found.companion) == (AttachmentState.NEVER, None, None)
    assert (found.turns, found.reviewed, found.caught_up, found.declined) == (4, 0, 0.0, "")


def test_attached_reviewed_detached_expired(store: SqliteStore, clock: Clock) -> None:
    """R79, R96: each state of the subscription, and what was reviewed meanwhile."""
    attached(store, "t2", clock, terms=Terms(expires=clock() + 100))
    found = now_of(store, clock)
    assert found.attachment is AttachmentState.ATTACHED
    assert found.companion is not None
    assert (found.companion.key, found.lane.waiting) == (CHILD_KEY, 1)
    list(work_lane(critic(store, Noting()), SOURCE.key))
    found = now_of(store, clock)
    assert (found.reviewed, found.caught_up, found.lane.last_ordinal) == (1, 0.25, 2)
    clock.now += 101
    assert now_of(store, clock).attachment is AttachmentState.EXPIRED
    detach(store, SOURCE.key)
    assert now_of(store, clock).attachment is AttachmentState.DETACHED


def test_what_is_being_reviewed_and_what_went_wrong(store: SqliteStore, clock: Clock) -> None:
    """The turn in hand with its holder; the newest error with its turn; both by ordinal where one source is shown."""
    store.enqueue(SOURCE, companion_of(SOURCE), [(2, "t2"), (3, "t3")], Origin.IMPORT)
    list(work_lane(critic(store, Noting(failing=["t2"])), SOURCE.key))
    found = now_of(store, clock)
    assert (found.lane.last_error, found.failed, found.lane.waiting) == ("the model is not there", 2, 2)
    assert found.lane.due is not None
    assert found.lane.due > clock()
    claimed(store.claim(SOURCE.key, lease_seconds=30.0, worker="w1"))
    found = now_of(store, clock)
    assert (found.reviewing, found.lane.holder) == (2, "w1")


def test_only_turns_that_a_marker_shows_count_as_reviewed_for_one_source(store: SqliteStore, clock: Clock) -> None:
    """R90: the share of one source is counted by its markers."""
    store.enqueue(SOURCE, companion_of(SOURCE), [(1, "t1"), (2, "t2")], Origin.IMPORT)
    list(work_lane(critic(store, Noting()), SOURCE.key))
    assert now_of(store, clock).reviewed == 2
    with store._database.transaction():
        store._database.run("UPDATE reviews SET marker = '' WHERE turn = 't2'")
    session = store.session(SOURCE.key)
    assert session is not None
    assert standing_of(store, session, clock()).reviewed == 1


def test_what_is_not_observed_says_why(store: SqliteStore, clock: Clock) -> None:
    """R98: an archived source is shown with its reason."""
    store.archive(SOURCE.key, archived=True)
    assert now_of(store, clock).declined.startswith("archived")


def test_a_portfolio_shows_attached_ones_first_then_the_newest_and_never_a_companion(
    store: SqliteStore, clock: Clock
) -> None:
    """R1: hidden ones never."""
    others = [replace(SOURCE, key=f"desk:{name}") for name in "bcd"]
    for other in others:
        store.put_session(other)
        store.put_turns([said_turn(1, other.key)])
    attached(store, "t1", clock)
    store.enqueue(others[1], companion_of(others[1]), [(1, "t1")], Origin.IMPORT)
    rows = portfolio(store, clock())
    assert [row.session.key for row in rows] == [SOURCE.key, "desk:d", "desk:c", "desk:b"]
    assert [row.lane.waiting for row in rows] == [1, 0, 1, 0]
    assert CHILD_KEY not in {row.session.key for row in rows}


@pytest.mark.parametrize("sources", [1, 60])
def test_a_portfolio_takes_the_same_few_queries_however_many_sources(
    tmp_path: Path, clock: Clock, sources: int
) -> None:
    """A status of many sessions must not ask once per session."""
    seen: list[str] = []
    store = SqliteStore(tmp_path / "home", clock, connect=tracing(seen))
    with store.unit():
        for number in range(sources):
            session = replace(SOURCE, key=f"desk:{number}")
            store.put_session(session)
            store.put_turns([said_turn(1, session.key)])
            store.enqueue(session, companion_of(session), [(1, "t1")], Origin.IMPORT)
    seen.clear()
    assert len(portfolio(store, clock())) == sources
    assert len(seen) <= 8, seen
    store.close()
