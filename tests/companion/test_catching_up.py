"""Catch-up: the stored turns that no marker shows as reviewed, oldest first, one at a time, and only when asked."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from catch_up_cases import Noting, begun, counts, critic, never_rest, planned, ran, told
from companion_cases import CHILD_KEY, SOURCE, a_home, attached, counted, event, said_turn, state_digest
from store_cases import Clock

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.companion.answers import Declined, Queued
from ferrule.companion.binding import companion_of
from ferrule.companion.catching_up import (
    EntryState,
    Halt,
    Progress,
    Unfinished,
    Why,
    begin,
    entries,
    plan,
    progress_of,
    reset,
    reviewed_turns,
    run_all,
    run_next,
    unfinished,
)
from ferrule.companion.dispatching import dispatch
from ferrule.companion.worker import work_lane
from ferrule.errors import Code
from ferrule.review.marker import render_marker
from ferrule.session.source import InstructionState, Origin
from ferrule.session.subscriptions import Delivery

T = [f"t{number}" for number in range(20)]


@pytest.fixture
def clock() -> Clock:
    """A clock that moves only when told."""
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[SqliteStore]:
    """One source with five stored turns."""
    opened = a_home(tmp_path, clock, turns=5)
    yield opened
    opened.close()


def state(store: SqliteStore, turn: str) -> InstructionState | None:
    """How the instruction of a turn stands."""
    found = store.instruction(SOURCE.key, turn)
    return None if found is None else found.state


def halted(store: SqliteStore) -> Halt | None:
    """What keeps the batch from going on."""
    found = unfinished(store, SOURCE.key)
    return None if found is None else found.halt


def test_stored_turns_are_reviewed_oldest_first_one_at_a_time(store: SqliteStore) -> None:
    """R99, R2, R84: in order, each settled before the next is begun, one marker each."""
    held: list[tuple[str, int]] = []

    def look(turn: str) -> None:
        lane = store.lane(SOURCE.key)
        assert lane is not None
        claimed = [row for row in store.instructions(SOURCE.key) if row.state is InstructionState.CLAIMED]
        held.append((lane.reviewing, len(claimed)))
        assert state(store, turn) is InstructionState.CLAIMED

    assert begun(store).turns == tuple((number, T[number]) for number in range(1, 6))
    steps = ran(store, Noting(then=look))
    assert told(steps) == [(turn, "nothing", True) for turn in T[1:6]]
    assert held == [(turn, 1) for turn in T[1:6]]
    assert [counts(step) for step in steps] == [(number, 5, 0, 0) for number in range(1, 6)]
    assert reviewed_turns(store, SOURCE.key) == set(T[1:6])
    assert unfinished(store, SOURCE.key) is None


def test_it_is_never_part_of_attach_and_serves_attached_and_never_attached_alike(
    store: SqliteStore, clock: Clock
) -> None:
    """R81, R99: an attach queues its one turn; a batch ensures the child and makes no subscription."""
    attached(store, "t4", clock)
    assert [row.turn for row in store.instructions(SOURCE.key)] == ["t4"]
    before = store.subscription(SOURCE.key)
    assert begun(store).queued == 1
    instruction = store.instruction(SOURCE.key, "t4")
    assert instruction is not None
    assert instruction.origin is Origin.MANAGEMENT
    assert [step.outcome.turn for step in ran(store, Noting())] == T[1:6]
    assert store.subscription(SOURCE.key) == before

    other = replace(SOURCE, key="desk:beta")
    store.put_session(other)
    store.put_turns([said_turn(1, other.key)])
    begun(store, other.key)
    assert store.subscription(other.key) is None
    assert store.session(companion_of(other).key) == companion_of(other)
    assert told(ran(store, Noting(), other.key)) == [("t1", "nothing", True)]


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"profile": "level-2"}, "companion"),
        ({"profile": "code-reviewer"}, "profile"),
        ({"key": "desk:alpha-level-two"}, "companion"),
        ({"parent": "desk:other"}, "subagent"),
        ({"archived": True}, "archived"),
    ],
)
def test_what_is_no_source_is_declined_and_nothing_changes(
    tmp_path: Path, clock: Clock, changed: dict[str, object], why: str
) -> None:
    """R9, R10, R11, R12, R98, CASE-F04: plan and begin agree, zero side effects."""
    session = replace(SOURCE, **changed)  # type: ignore[arg-type]
    store = a_home(tmp_path, clock, turns=2, session=session)
    before = state_digest(store)
    for answer in (plan(store, session.key), begin(store, session.key)):
        assert isinstance(answer, Declined)
        assert (answer.code, answer.reason.partition(":")[0]) == (Code.NOT_ATTACHABLE, why)
    assert state_digest(store) == before
    store.close()


def test_a_missing_source_and_a_strangers_child_are_declined(store: SqliteStore) -> None:
    """R8, R98: the child's key may belong to nobody else."""
    assert isinstance(begin(store, "desk:nobody"), Declined)
    store.put_session(replace(SOURCE, key=CHILD_KEY))
    before = state_digest(store)
    answer = begin(store, SOURCE.key)
    assert isinstance(answer, Declined)
    assert answer.code is Code.NOT_ATTACHABLE
    assert state_digest(store) == before


def test_where_nothing_is_to_be_reviewed_nothing_changes(store: SqliteStore) -> None:
    """R99: not even the child is made; and a batch that is through leaves the next one nothing."""
    empty = replace(SOURCE, key="desk:empty")
    store.put_session(empty)
    before = state_digest(store)
    assert begun(store, empty.key).turns == ()
    assert state_digest(store) == before
    begun(store)
    ran(store, Noting())
    before = state_digest(store)
    again = begun(store)
    assert (again.turns, {row.why for row in again.left_out}) == ((), {Why.REVIEWED})
    assert ran(store, Noting()) == []
    assert state_digest(store) == before


def test_the_plan_says_why_others_are_left_out(store: SqliteStore, clock: Clock) -> None:
    """R99: reviewed before, given up, past retention; a detach's withdrawn turn is to be reviewed."""
    store.enqueue(SOURCE, companion_of(SOURCE), [(1, "t1")], Origin.IMPORT)
    list(work_lane(critic(store, Noting()), SOURCE.key))
    store.enqueue(SOURCE, companion_of(SOURCE), [(2, "t2")], Origin.IMPORT)
    for _ in range(5):
        list(work_lane(critic(store, Noting(failing=["t2"])), SOURCE.key))
    store.enqueue(SOURCE, companion_of(SOURCE), [(4, "t4")], Origin.EVENT)
    store.withdraw(SOURCE.key, [Origin.EVENT])
    store.enqueue(SOURCE, companion_of(SOURCE), [(5, "t5")], Origin.EVENT)
    clock.now += 15 * 86_400
    store.put_turns([said_turn(6)])
    found = planned(store)
    assert found.turns == ((5, "t5"), (6, "t6"))
    assert found.queued == 1
    assert [(row.turn, row.why) for row in found.left_out] == [
        ("t1", Why.REVIEWED),
        ("t2", Why.PARKED),
        ("t3", Why.EXPIRED),
        ("t4", Why.EXPIRED),
    ]
    assert found.left_out[1].reason == "the model is not there"


@pytest.mark.parametrize(
    "marker",
    [
        "",
        "t2 was reviewed, believe me",
        render_marker("desk:other", "t2", (), (), reason="another source's"),
        render_marker(SOURCE.key, "t9", (), (), reason="another turn's"),
        render_marker(SOURCE.key, "t2", (), (), reason="r").replace("- Writes: 0", "- Writes: some"),
        "as told: " + render_marker(SOURCE.key, "t2", (), (), reason="quoted"),
    ],
    ids=["none", "prose", "foreign-source", "foreign-turn", "broken", "quoted"],
)
def test_only_a_readable_marker_of_this_source_and_turn_shows_a_review(store: SqliteStore, marker: str) -> None:
    """R49, R90, R99: neither the review's row nor the instruction's state nor the manifest decides; it is redone."""
    begun(store)
    ran(store, Noting())
    with store._database.transaction():
        store._database.run("UPDATE reviews SET marker = ? WHERE turn = 't2'", (marker,))
    assert state(store, "t2") is InstructionState.DONE
    found = planned(store)
    assert (found.turns, found.unmarked) == (((2, "t2"),), ("t2",))
    begun(store)
    reviewer = Noting()
    assert told(ran(store, reviewer)) == [("t2", "nothing", True)]
    assert reviewer.reviewed == ["t2"]
    assert planned(store).turns == ()
    lane = store.lane(SOURCE.key)
    assert lane is not None
    assert (lane.reviewed, counted(store, "reviews"), counted(store, "instructions")) == (5, 5, 5)


def test_a_marker_counts_even_where_no_manifest_and_no_instruction_knows_of_it(store: SqliteStore) -> None:
    """R99: markers decide alone: nothing is reviewed twice, whatever else was lost (INV-I4)."""
    begun(store)
    ran(store, Noting())
    reset(store, SOURCE.key)
    with store._database.transaction():
        store._database.run("UPDATE instructions SET state = 'waiting', attempts = 0 WHERE turn = 't3'")
    assert planned(store).turns == ()


def test_begun_again_a_batch_goes_on_and_adds_nothing_twice(store: SqliteStore) -> None:
    """R99, INV-I4: the same instructions, the same manifest; what was reviewed meanwhile stays done."""
    begun(store)
    steps = run_all(critic(store, Noting()), SOURCE.key, rest=never_rest)
    assert told([next(steps), next(steps)]) == [("t1", "nothing", True), ("t2", "nothing", True)]
    steps.close()  # type: ignore[attr-defined]
    instructions = store.instructions(SOURCE.key)
    again = begun(store)
    assert (again.turns, again.queued) == (((3, "t3"), (4, "t4"), (5, "t5")), 3)
    assert store.instructions(SOURCE.key) == instructions
    assert progress_of(entries(store, SOURCE.key)) == Progress(2, 5)
    steps_left = ran(store, Noting())
    assert told(steps_left) == [(turn, "nothing", True) for turn in T[3:6]]
    assert counts(steps_left[-1]) == (5, 5, 0, 0)


def test_a_manifest_that_was_worked_off_makes_room_for_the_next(store: SqliteStore) -> None:
    """R99: progress counts the batch that is asked for now."""
    begun(store)
    ran(store, Noting())
    store.put_turns([said_turn(6)])
    begun(store)
    assert [row.turn for row in entries(store, SOURCE.key)] == ["t6"]
    assert counts(ran(store, Noting())[-1]) == (1, 1, 0, 0)


def test_what_is_delivered_live_waits_in_the_same_lane_and_keeps_the_order(store: SqliteStore, clock: Clock) -> None:
    """R99: an event in the middle of a batch is queued at once and reviewed at its own place."""
    attached(store, "t5", clock)
    list(work_lane(critic(store, Noting()), SOURCE.key))

    def deliver(turn: str) -> None:
        if turn == "t2":
            store.put_turns([said_turn(6)])
            answer = dispatch(store, event("e6", "t6"), road=Delivery.LOCAL, now=clock())
            assert isinstance(answer, Queued), answer
            assert state(store, "t6") is InstructionState.WAITING

    begun(store)
    steps = ran(store, Noting(then=deliver))
    assert told(steps) == [(turn, "nothing", True) for turn in T[1:5]] + [("t6", "nothing", False)]
    assert counts(steps[-1]) == (4, 4, 0, 0)


def test_what_stands_before_the_batch_in_the_lane_is_reviewed_before_it(store: SqliteStore) -> None:
    """R99, R2: one lane, one order; `next` ends with the first turn of the batch."""
    store.put_turns([said_turn(0)])
    store.enqueue(SOURCE, companion_of(SOURCE), [(0, "t0")], Origin.IMPORT)
    begin(store, SOURCE.key)
    with store._database.transaction():
        store._database.run("DELETE FROM manifests WHERE turn = 't0'")
    steps = list(run_next(critic(store, Noting()), SOURCE.key, rest=never_rest))
    assert told(steps) == [("t0", "nothing", False), ("t1", "nothing", True)]
    assert unfinished(store, SOURCE.key) == Unfinished(Halt.WAITING, "the rest waits in the lane")
    steps = list(run_next(critic(store, Noting()), SOURCE.key, rest=never_rest))
    assert told(steps) == [("t2", "nothing", True)]


def test_a_failure_that_may_pass_stops_the_batch_in_its_place(store: SqliteStore) -> None:
    """R99, CASE-L01: order before progress; the next run tries the same turn first."""
    begun(store)
    steps = ran(store, Noting(failing=["t2"]))
    assert told(steps) == [("t1", "nothing", True), ("t2", "failed", True)]
    assert counts(steps[-1]) == (1, 5, 0, 0)
    assert unfinished(store, SOURCE.key) == Unfinished(Halt.FAILED, "turn 2 failed: the model is not there")
    begun(store)
    assert told(ran(store, Noting())) == [(turn, "nothing", True) for turn in T[2:6]]


def test_a_turn_that_is_given_up_holds_nobody_up(store: SqliteStore) -> None:
    """R99, CASE-L01: it counts as failed, the turns behind it are reviewed, and the batch is through."""
    begun(store)
    for _ in range(4):
        ran(store, Noting(failing=["t2"]))
    steps = ran(store, Noting(failing=["t2"]))
    assert told(steps) == [("t2", "failed", True)] + [(turn, "nothing", True) for turn in T[3:6]]
    assert counts(steps[-1]) == (4, 5, 0, 1)
    assert unfinished(store, SOURCE.key) is None
    assert [row.why for row in planned(store).left_out if row.turn == "t2"] == [Why.PARKED]
    store.unpark(SOURCE.key)
    begun(store)
    assert told(ran(store, Noting())) == [("t2", "nothing", True)]


def test_a_paused_lane_rests_and_says_so(store: SqliteStore) -> None:
    """R99: a batch does not go round a pause."""
    begun(store)
    store.pause(SOURCE.key, paused=True)
    assert ran(store, Noting()) == []
    assert halted(store) is Halt.PAUSED
    store.pause(SOURCE.key, paused=False)
    assert len(ran(store, Noting())) == 5


def test_an_archived_source_rests_and_says_so(store: SqliteStore) -> None:
    """R98: archived in the middle of a batch: nothing more is reviewed until it is brought back."""
    begun(store)
    reviewer = Noting(then=lambda turn: store.archive(SOURCE.key, archived=turn == "t2"))
    ran(store, reviewer)
    assert reviewer.reviewed == ["t1", "t2"]
    assert halted(store) is Halt.DECLINED
    store.archive(SOURCE.key, archived=False)
    ran(store, Noting())
    assert reviewed_turns(store, SOURCE.key) == set(T[1:6])


def test_forgetting_a_batch_takes_out_what_waits_and_touches_no_review(store: SqliteStore) -> None:
    """R99: reset forgets the manifest and withdraws its own waiting turns; an import in the same lane stays."""
    store.enqueue(SOURCE, companion_of(SOURCE), [(5, "t5")], Origin.IMPORT)
    begun(store)
    list(run_next(critic(store, Noting()), SOURCE.key, rest=never_rest))
    done = reset(store, SOURCE.key)
    assert (done.turns, done.withdrawn) == (5, 3)
    assert entries(store, SOURCE.key) == ()
    assert reviewed_turns(store, SOURCE.key) == {"t1"}
    assert [(row.turn, row.state.value) for row in store.instructions(SOURCE.key)] == [
        ("t1", "done"),
        ("t2", "withdrawn"),
        ("t3", "withdrawn"),
        ("t4", "withdrawn"),
        ("t5", "waiting"),
    ]
    nothing = reset(store, SOURCE.key)
    assert (nothing.turns, nothing.withdrawn) == (0, 0)
    begun(store)
    assert [step.outcome.turn for step in ran(store, Noting())] == T[2:6]


def test_a_reset_while_a_batch_runs_ends_it(store: SqliteStore) -> None:
    """R99: what was taken out of the lane is not waited for."""
    begun(store)
    reviewer = Noting(then=lambda turn: reset(store, SOURCE.key) if turn == "t2" else None)
    assert [step.outcome.turn for step in ran(store, reviewer)] == ["t1", "t2"]
    assert unfinished(store, SOURCE.key) is None


def test_manifest_rows_tell_how_each_turn_stands(store: SqliteStore, clock: Clock) -> None:
    """R99: told from markers and instructions, so the manifest can be projected at any time."""
    begun(store)
    list(run_next(critic(store, Noting()), SOURCE.key, rest=never_rest))
    for _ in range(5):
        list(work_lane(critic(store, Noting(failing=["t2"])), SOURCE.key))
    store.put_manifest(SOURCE.key, [(6, "t6"), (7, "t7")])
    clock.now += 15 * 86_400
    store.put_turns([said_turn(6), said_turn(7)])
    store.enqueue(SOURCE, companion_of(SOURCE), [(6, "t6"), (7, "t7")], Origin.CATCH_UP)
    assert store.claim(SOURCE.key, lease_seconds=30.0) is not None
    found = {row.turn: row.state for row in entries(store, SOURCE.key)}
    assert found["t1"] is EntryState.REVIEWED
    assert found["t2"] is EntryState.PARKED
    assert found["t6"] is EntryState.REVIEWING
    assert found["t7"] is EntryState.WAITING
