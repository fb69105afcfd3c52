"""A queue-input event is one durable row first and one instruction later, and ends either way."""

from dataclasses import replace
from pathlib import Path

import pytest
from companion_cases import SOURCE, attached, counted, event, said_turn, state_digest
from store_cases import Clock, a_session

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.companion.answers import Attached, Declined, Duplicate, Ignored, Queued, Received
from ferrule.companion.attaching import Terms, attach, detach
from ferrule.companion.dispatching import MAX_LOOKS, accept, dispatch, drain
from ferrule.errors import Code
from ferrule.session.events import EventState, StoredEvent
from ferrule.session.source import Origin
from ferrule.session.subscriptions import Delivery

QUEUED = Terms(delivery=Delivery.QUEUE_INPUT)


@pytest.fixture
def home(store: SqliteStore, clock: Clock) -> SqliteStore:
    """The source's events come by queue-input; turn 10 is completed and stored, turn 11 is not."""
    attached(store, "t3", clock, terms=QUEUED)
    store.put_turns([said_turn(10)])
    return store


def stored(store: SqliteStore, event_id: str) -> StoredEvent:
    """The stored event, which must be there."""
    found = store.event(SOURCE.key, event_id)
    assert found is not None
    return found


def test_an_event_is_stored_first_and_dispatched_by_whoever_drains(home: SqliteStore, clock: Clock) -> None:
    """R79, R80, R92: one row, no instruction; then one instruction, and the row is settled."""
    assert accept(home, event("e1", "t10"), now=clock()) == Received("e1", SOURCE.key, "t10")
    assert (counted(home, "events"), home.instruction(SOURCE.key, "t10")) == (1, None)
    (answer,) = drain(home, now=clock())
    assert isinstance(answer, Queued)
    assert answer.instruction == home.instruction(SOURCE.key, "t10")
    assert "please do thing 10" in answer.text
    settled = stored(home, "e1")
    assert (settled.state, settled.outcome, settled.attempts) == (EventState.SETTLED, "queued", 1)
    assert drain(home, now=clock()) == ()


def test_a_stored_event_survives_the_process(tmp_path: Path, home: SqliteStore, clock: Clock) -> None:
    """INV-I2, R92: acknowledged means durable; the next process dispatches it once."""
    accept(home, event("e1", "t10"), now=clock())
    home.close()
    again = SqliteStore(tmp_path / "home", clock)
    other = SqliteStore(tmp_path / "home", clock)
    assert isinstance(accept(other, event("e1", "t10"), now=clock()), Duplicate)
    answers = [*drain(again, now=clock()), *drain(other, now=clock())]
    assert len(answers) == 1
    assert counted(other, "instructions") == 2
    again.close()
    other.close()


def test_what_can_never_be_dispatched_is_not_stored(home: SqliteStore, clock: Clock) -> None:
    """R9, R59, R81, R92, R98: the answers of a dispatch, at once, and not one row changes."""
    home.put_session(a_session("desk:beta"))
    before = state_digest(home)
    refusals = [
        (event("e1", "t10", EventType="turn.started"), Ignored),
        (event("e1", "t9"), Ignored),
        (event("e1", "t3"), Duplicate),
        (event("e1", "t10", SourceSessionKey="desk:beta", TargetSessionKey=""), Ignored),
        (event("e1", "t10", SourceSessionKey="desk:nobody"), Declined),
        (event("e1", "t10", TargetSessionKey="x"), Declined),
        (event("e1", "a b"), Declined),
        (b"[" * 60_000, Declined),
    ]
    assert [type(accept(home, raw, now=clock())) for raw, _ in refusals] == [kind for _, kind in refusals]
    detach(home, SOURCE.key)
    detached = state_digest(home)
    assert isinstance(accept(home, event("e1", "t10"), now=clock()), Ignored)
    assert before != detached == state_digest(home)


def test_another_road_is_refused(home: SqliteStore, clock: Clock) -> None:
    """R92: what is to be queued is not dispatched on the spot, and the other way round."""
    answer = dispatch(home, event("e1", "t10"), road=Delivery.LOCAL, now=clock())
    assert isinstance(answer, Declined)
    assert answer.code is Code.FORBIDDEN_ORIGIN
    attached(home, "t3", clock, terms=Terms(delivery=Delivery.LOCAL))
    refused = accept(home, event("e1", "t10"), now=clock())
    assert isinstance(refused, Declined)
    assert refused.code is Code.FORBIDDEN_ORIGIN
    assert counted(home, "events") == 0


def test_a_known_id_with_other_content_is_tampered(home: SqliteStore, clock: Clock) -> None:
    """R92: while it waits and after it was settled."""
    accept(home, event("e1", "t10"), now=clock())
    for _ in range(2):
        answer = accept(home, event("e1", "t11"), now=clock())
        assert isinstance(answer, Declined)
        assert answer.code is Code.EVENT_TAMPERED
        drain(home, now=clock())


def test_two_hosts_that_count_alike_do_not_meet(home: SqliteStore, clock: Clock) -> None:
    """R92, INV-I7: an event's id is its source's own; that of another one is neither tampered with nor known."""
    other = a_session("desk:beta")
    home.put_session(other)
    home.put_turns([replace(said_turn(1), session=other.key)])
    assert isinstance(attach(home, other.key, "t1", Origin.MANAGEMENT, terms=QUEUED, now=clock()), Attached)
    home.put_turns([replace(said_turn(2), session=other.key)])
    beta = event("1", "t2", SourceSessionKey=other.key, TargetSessionKey="")
    assert isinstance(accept(home, event("1", "t10"), now=clock()), Received)
    assert isinstance(accept(home, beta, now=clock()), Received)
    assert [type(answer) for answer in drain(home, now=clock())] == [Queued, Queued]
    assert isinstance(accept(home, beta, now=clock()), Duplicate)
    assert {home.instruction(SOURCE.key, "t10") is None, home.instruction(other.key, "t2") is None} == {False}


def test_what_a_source_may_have_waiting_is_bounded(
    home: SqliteStore, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R92, CASE-H10: no flood of events fills the disk; what is refused is not known and may come again."""
    monkeypatch.setattr("ferrule.companion.dispatching.MAX_WAITING", 3)
    for number in range(3):
        assert isinstance(accept(home, event(f"e{number}", f"t{20 + number}"), now=clock()), Received)
    before = state_digest(home)
    refused = accept(home, event("e9", "t10"), now=clock())
    assert isinstance(refused, Declined)
    assert (refused.code, "later" in refused.reason) == (Code.BUDGET, True)
    assert state_digest(home) == before
    assert isinstance(accept(home, event("e1", "t21"), now=clock()), Duplicate)
    home.put_turns([said_turn(20)])
    drain(home, now=clock())
    assert isinstance(accept(home, event("e9", "t10"), now=clock()), Received)


def test_a_turn_that_is_late_is_waited_for(home: SqliteStore, clock: Clock) -> None:
    """R76, R82: it is looked for again later, not again at once, and queued when it is there."""
    assert isinstance(accept(home, event("e1", "t11"), now=clock()), Received)
    (answer,) = drain(home, now=clock())
    assert isinstance(answer, Declined)
    waiting = stored(home, "e1")
    assert (waiting.state, waiting.attempts, waiting.due) == (EventState.RECEIVED, 1, clock() + 5)
    home.put_turns([said_turn(11)])
    assert drain(home, now=clock()) == ()
    clock.now += 5
    (answer,) = drain(home, now=clock())
    assert isinstance(answer, Queued)
    settled = stored(home, "e1")
    assert (settled.outcome, settled.code, settled.reason, settled.attempts) == ("queued", "", "", 2)


def test_a_turn_that_never_comes_ends_the_event_visibly(home: SqliteStore, clock: Clock) -> None:
    """R76, R92: a bounded number of looks, then its row says why; it may be sent again, and waits anew."""
    accept(home, event("e1", "t11"), now=clock())
    looks = 0
    while stored(home, "e1").state is EventState.RECEIVED:
        looks += len(drain(home, now=clock()))
        clock.now = max(clock.now, stored(home, "e1").due)
    ended = stored(home, "e1")
    assert (looks, ended.attempts, ended.outcome, ended.code) == (
        *(MAX_LOOKS, MAX_LOOKS, "declined"),
        Code.TURN_NOT_COMPLETED.value,
    )
    assert "'t11'" in ended.reason
    assert home.stuck_events(SOURCE.key, 10) == (ended,)
    assert drain(home, now=clock() + 10_000) == ()
    assert isinstance(accept(home, event("e1", "t11"), now=clock()), Received)
    assert stored(home, "e1").attempts == 0
    home.put_turns([said_turn(11)])
    assert [type(answer) for answer in drain(home, now=clock())] == [Queued]


def test_events_that_wait_hold_up_none_behind_them(home: SqliteStore, clock: Clock) -> None:
    """R92, CASE-H04: neither for a turn that never comes nor by their number."""
    for number in range(5):
        accept(home, event(f"e{number}", f"t{number + 11}"), now=clock())
    accept(home, event("e9", "t10"), now=clock())
    assert not [answer for answer in drain(home, limit=5, now=clock()) if isinstance(answer, Queued)]
    assert [type(answer) for answer in drain(home, limit=5, now=clock())] == [Queued]


def test_a_damaged_turn_ends_its_event_and_none_behind_it(home: SqliteStore, clock: Clock) -> None:
    """R89: the store tells which turn it is, and the rest goes on."""
    home.put_turns([said_turn(11)])
    for number in (10, 11):
        accept(home, event(f"e{number}", f"t{number}"), now=clock())
    with home._database.transaction():
        home._database.run("UPDATE turns SET body = 'x' WHERE key = 't10'")
    damaged, sound = drain(home, now=clock())
    assert isinstance(damaged, Declined)
    assert (damaged.code, type(sound)) == (Code.STORE_CORRUPT, Queued)
    assert (stored(home, "e10").outcome, stored(home, "e10").code) == ("declined", "STORE_CORRUPT")
    assert home.instruction(SOURCE.key, "t10") is None


def test_what_changes_between_row_and_dispatch_counts(home: SqliteStore, clock: Clock) -> None:
    """R96, R98, CASE-H06: detached, archived, queued by hand meanwhile: decided again when it is dispatched."""
    home.put_turns([said_turn(n) for n in (11, 12)])
    accept(home, event("e10", "t10"), now=clock())
    attached(home, "t10", clock)
    (again,) = drain(home, now=clock())
    assert isinstance(again, Duplicate)
    assert stored(home, "e10").code == Code.DUPLICATE_TURN.value
    accept(home, event("e11", "t11"), now=clock())
    home.archive(SOURCE.key, archived=True)
    (put_away,) = drain(home, now=clock())
    assert isinstance(put_away, Ignored)
    home.archive(SOURCE.key, archived=False)
    accept(home, event("e12", "t12"), now=clock())
    detach(home, SOURCE.key)
    (gone,) = drain(home, now=clock())
    assert isinstance(gone, Ignored)
    assert [stored(home, f"e{n}").outcome for n in (10, 11, 12)] == ["duplicate", "ignored", "ignored"]
    assert home.instruction(SOURCE.key, "t11") is None
    attached(home, "t3", clock, terms=QUEUED)
    home.put_turns([said_turn(13)])
    accept(home, event("e13", "t13"), now=clock())
    home.archive(SOURCE.key, archived=True)
    drain(home, now=clock())
    home.archive(SOURCE.key, archived=False)
    assert isinstance(accept(home, event("e13", "t13"), now=clock()), Received)
    assert [type(answer) for answer in drain(home, now=clock())] == [Queued]


def test_a_clock_set_back_does_not_hold_an_event(home: SqliteStore, clock: Clock) -> None:
    """CASE-H08: a time farther off than any wait was written before the clock was set back."""
    accept(home, event("e1", "t11"), now=clock())
    drain(home, now=clock())
    home.put_turns([said_turn(11)])
    clock.now -= 2 * 86_400
    assert [type(answer) for answer in drain(home, now=clock())] == [Queued]
