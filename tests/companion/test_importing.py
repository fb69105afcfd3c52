"""A transcript is reviewed in process, turn by turn, once."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from door_cases import GUIDE, NOTES, SOURCE, permanent, the_turn, written
from store_cases import Clock, fill_disk

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.door import Door
from ferrule.bridge.values import Accepted
from ferrule.companion.importing import companion_of, review_import
from ferrule.companion.outcomes import Outcome, TurnOutcome
from ferrule.companion.worker import Critic, work_lane
from ferrule.errors import Code, ModelError
from ferrule.memory.artifact import artifact_path
from ferrule.memory.desk import MemoryDesk
from ferrule.memory.nlmemory import NLMemory
from ferrule.review.port import Limits, ReviewDraft
from ferrule.session.imported import ImportedSession
from ferrule.session.source import InstructionState, Origin, SourceSession
from ferrule.session.turn import Turn

THINGS = {1: ("ParserNotes", "Parser Notes", NOTES), 2: ("StyleGuide", "Style Guide", GUIDE)}


class Fixed:
    """A reviewer that writes the thing of each turn, and fails on the turns it is told to fail on."""

    name = "fixed-1"

    def __init__(self, *, failing: Sequence[str] = (), then: Callable[[], None] | None = None) -> None:
        self.failing = list(failing)
        self.reviewed: list[str] = []
        self._then = then

    def review(self, door: Door, limits: Limits) -> ReviewDraft:  # noqa: ARG002 - bounded by its script
        """Write the turn's one thing, if it has one."""
        view = door.read_turn()
        self.reviewed.append(view.turn)
        if view.turn in self.failing:
            raise ModelError("the model is not there")
        if view.ordinal in THINGS:
            written(door, *THINGS[view.ordinal])
        if self._then is not None:
            self._then()
        return ReviewDraft((), (), "as told")


@pytest.fixture
def clock() -> Clock:
    """A clock that moves only when told."""
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[SqliteStore]:
    """A fresh store."""
    opened = SqliteStore(tmp_path / "home", clock)
    yield opened
    opened.close()


def critic(store: SqliteStore, reviewer: Fixed) -> Critic:
    """What the worker works with."""
    return Critic(store, MemoryDesk(store, permanent()), reviewer, cpu=lambda: 0.0)


def imported(*ordinals: int, session: SourceSession = SOURCE) -> ImportedSession:
    """A session as an importer reads it."""
    turns = tuple(a_turn_of(ordinal, session) for ordinal in ordinals)
    return ImportedSession(session, turns, (), "test")


def a_turn_of(ordinal: int, session: SourceSession = SOURCE) -> Turn:
    """The turn of that number."""
    return the_turn(ordinal, session.key)


def told(outcomes: Iterator[TurnOutcome]) -> list[tuple[str, str, bool]]:
    """Turn, outcome and whether it was reviewed before."""
    return [(outcome.turn, outcome.outcome.value, outcome.already) for outcome in outcomes]


def state(store: SqliteStore) -> tuple[object, ...]:
    """Everything that a second review must not change."""
    return (store.definitions(SOURCE.key), store.receipts(), store.sessions(hidden=True), store.revision(SOURCE.key))


def test_turns_are_reviewed_oldest_first_and_told_one_by_one(store: SqliteStore) -> None:
    """R2, R15, R84: one exact turn per review, one outcome per turn as it is committed."""
    reviewer = Fixed()
    outcomes = review_import(imported(3, 1, 2), critic(store, reviewer))
    first = next(outcomes)
    assert (first.turn, first.outcome) == ("t1", Outcome.WROTE)
    assert [name for name, _ in store.definitions(SOURCE.key)] == ["ParserNotes"]
    assert told(outcomes) == [("t2", "wrote", False), ("t3", "nothing", False)]
    assert reviewer.reviewed == ["t1", "t2", "t3"]


def test_the_child_is_the_hidden_critic_of_the_source(store: SqliteStore) -> None:
    """R1, R7, R8, R74: profile, key, parent; an import makes no subscription."""
    list(review_import(imported(1), critic(store, Fixed())))
    assert [session.key for session in store.sessions()] == [SOURCE.key]
    child = store.session("desk:alpha-online-memory-critic")
    assert child == companion_of(SOURCE)
    assert child is not None
    assert (child.profile, child.parent, child.hidden) == ("online-session-memory-critic", SOURCE.key, True)
    assert store._database.number("SELECT count(*) FROM subscriptions") == 0


def test_reviewing_twice_changes_nothing(store: SqliteStore) -> None:
    """INV-I4, R66: the second time tells what was written then, and nothing moves."""
    list(review_import(imported(1, 2, 3), critic(store, Fixed())))
    before = state(store)
    reviewer = Fixed()
    again = list(review_import(imported(1, 2, 3), critic(store, reviewer)))
    assert told(iter(again)) == [("t1", "wrote", True), ("t2", "wrote", True), ("t3", "nothing", True)]
    assert reviewer.reviewed == []
    assert state(store) == before
    form = again[0].json_form()
    assert form["already"] is True
    assert [item["prototype"] for item in form["written"]] == ["ParserNotes"]  # type: ignore[attr-defined]


def test_half_then_whole_is_the_whole_at_once(tmp_path: Path) -> None:
    """INV-I4: a transcript that grew is reviewed where it went on."""
    results = []
    for parts in (((1,), (1, 2, 3)), ((1, 2, 3),)):
        store = SqliteStore(tmp_path / str(len(parts)), Clock())
        for part in parts:
            list(review_import(imported(*part), critic(store, Fixed())))
        results.append(state(store))
        store.close()
    assert results[0] == results[1]


def test_only_the_asked_turn_is_reviewed(store: SqliteStore) -> None:
    """R75, R81: exactly the selected turn; nothing historical is scanned."""
    outcomes = review_import(imported(1, 2, 3), critic(store, Fixed()), only=["t2"])
    assert told(outcomes) == [("t2", "wrote", False)]
    assert store.turn_keys(SOURCE.key) == ((2, "t2"),)


@pytest.mark.parametrize(
    ("session", "why"),
    [
        (replace(SOURCE, profile="level-2"), "companion"),
        (replace(SOURCE, profile="code-reviewer"), "profile"),
        (replace(SOURCE, key="desk:alpha-online-memory-critic"), "companion"),
        (replace(SOURCE, parent="desk:other"), "subagent"),
    ],
)
def test_an_ineligible_session_is_declined_without_a_trace(
    store: SqliteStore, session: SourceSession, why: str
) -> None:
    """R9, R10, R11, R12, CASE-F01, CASE-F04: typed refusal, zero side effects."""
    outcomes = list(review_import(imported(1, session=session), critic(store, Fixed())))
    assert [(outcome.outcome, outcome.code) for outcome in outcomes] == [(Outcome.DECLINED, Code.NOT_ATTACHABLE)]
    assert outcomes[0].reason.startswith(why)
    assert store.sessions(hidden=True) == ()


def test_a_stranger_under_the_childs_key_is_made_no_companion(store: SqliteStore) -> None:
    """R74, INV-I7: a binding is key, profile and parent, also for a review without a subscription."""
    store.put_session(replace(SOURCE, key=companion_of(SOURCE).key))
    outcomes = list(review_import(imported(1), critic(store, Fixed())))
    assert [(outcome.outcome, outcome.code) for outcome in outcomes] == [(Outcome.DECLINED, Code.NOT_ATTACHABLE)]
    assert store.instructions(SOURCE.key) == ()


def test_the_stored_profile_decides_not_the_delivered_one(store: SqliteStore) -> None:
    """R9: a later file cannot make a source of what is none."""
    store.put_session(replace(SOURCE, profile="level-2"))
    outcomes = list(review_import(imported(1), critic(store, Fixed())))
    assert [outcome.outcome for outcome in outcomes] == [Outcome.DECLINED]


def test_a_session_archived_between_the_look_and_the_queue_is_declined(tmp_path: Path, clock: Clock) -> None:
    """R98, INV-I4: eligibility is decided in the unit that queues, as at attach and at every event."""

    class Archived(SqliteStore):
        def put_turns(self, turns: Sequence[Turn]) -> int:
            stored = super().put_turns(turns)
            self.archive(SOURCE.key, archived=True)
            return stored

    store = Archived(tmp_path / "home", clock)
    outcomes = list(review_import(imported(1), critic(store, Fixed())))
    assert [(outcome.outcome, outcome.code) for outcome in outcomes] == [(Outcome.DECLINED, Code.NOT_ATTACHABLE)]
    assert store.instructions(SOURCE.key) == ()
    store.close()


def test_a_turn_that_a_detach_took_back_is_reviewed_when_its_transcript_is(store: SqliteStore) -> None:
    """R96, R75: whoever asks for the turn by itself gets it, withdrawn or not."""
    store.put_session(SOURCE)
    store.put_turns([a_turn_of(1)])
    store.enqueue(SOURCE, companion_of(SOURCE), [(1, "t1")], Origin.MANAGEMENT)
    assert store.withdraw(SOURCE.key, [Origin.MANAGEMENT]) == 1
    assert told(review_import(imported(1), critic(store, Fixed()))) == [("t1", "wrote", False)]


def test_a_model_that_is_away_leaves_the_turn_waiting_with_its_reason(store: SqliteStore) -> None:
    """CASE-L01, R41: nothing written, retryable, and the order is kept for the next run."""
    outcomes = list(review_import(imported(1, 2), critic(store, Fixed(failing=["t1"]))))
    assert [(outcome.turn, outcome.outcome, outcome.code) for outcome in outcomes] == [
        ("t1", Outcome.FAILED, Code.MODEL_UNAVAILABLE),
        ("t2", Outcome.FAILED, Code.IO_FAILED),
    ]
    standing = store.instruction(SOURCE.key, "t1")
    assert standing is not None
    assert (standing.state, standing.attempts, standing.reason) == (
        InstructionState.WAITING,
        1,
        "the model is not there",
    )
    assert store.definitions(SOURCE.key) == ()
    assert told(review_import(imported(1, 2), critic(store, Fixed()))) == [
        ("t1", "wrote", False),
        ("t2", "wrote", False),
    ]


def test_a_poison_turn_is_parked_and_the_others_go_on(store: SqliteStore) -> None:
    """CASE-L01: five attempts, then it holds nobody up."""
    for _ in range(4):
        list(review_import(imported(1, 2), critic(store, Fixed(failing=["t1"]))))
    last = list(review_import(imported(1, 2), critic(store, Fixed(failing=["t1"]))))
    assert told(iter(last)) == [("t1", "failed", False), ("t2", "wrote", False)]
    (parked, done) = list(review_import(imported(1, 2), critic(store, Fixed())))
    assert (parked.outcome, parked.code, done.already) == (Outcome.FAILED, Code.BUDGET, True)
    assert "the model is not there" in parked.reason


def test_a_stopped_worker_gives_its_turn_back(store: SqliteStore) -> None:
    """CASE-J09: Ctrl-C in a review leaves the lane free at once and no attempt counted."""

    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(review_import(imported(1), critic(store, Fixed(then=interrupt))))
    assert store.definitions(SOURCE.key) == ()
    assert told(review_import(imported(1), critic(store, Fixed()))) == [("t1", "wrote", False)]


def test_a_worker_that_was_overtaken_commits_nothing_and_stops(store: SqliteStore, clock: Clock) -> None:
    """INV-I1: a slow review loses its lane; the other worker's result is the only one."""
    quick: list[TurnOutcome] = []

    def overtake() -> None:
        if not quick:
            clock.now += 31
            quick.extend(work_lane(critic(store, Fixed()), SOURCE.key))

    outcomes = list(review_import(imported(1), critic(store, Fixed(then=overtake))))
    assert [outcome.outcome for outcome in quick] == [Outcome.WROTE]
    assert len(store.receipts()) == 1
    assert [outcome.outcome for outcome in outcomes] == [Outcome.WROTE]


def test_a_memory_that_a_person_changed_meanwhile_is_judged_anew(store: SqliteStore) -> None:
    """INV-I3: the review of the turn is repeated on what is there now, and the person's value stands."""
    memory = NLMemory(store, permanent(), store.home)
    text = f'prototype ParserNotes : Document\n{{\n\tDocumentPath = @"{NOTES}";\n\tNotes = @"mine";\n}}\n'
    reviewer = Fixed(then=lambda: None if store.definitions(SOURCE.key) else _person_writes(memory, text))
    outcomes = list(review_import(imported(1), critic(store, reviewer)))
    assert reviewer.reviewed == ["t1", "t1"]
    assert [outcome.outcome for outcome in outcomes] == [Outcome.NOTHING]
    assert "mine" in store.definition(SOURCE.key, "ParserNotes")


def _person_writes(memory: NLMemory, text: str) -> None:
    assert isinstance(memory.write(SOURCE.key, text), Accepted)


def test_a_full_disk_stops_the_run_with_the_reason(store: SqliteStore) -> None:
    """CASE-K01: the turn stays queued and is reviewed when there is room."""

    def fill() -> None:
        fill_disk(store)

    reviewer = Fixed(then=fill)
    (outcome,) = review_import(imported(1), critic(store, reviewer))
    assert (outcome.outcome, outcome.code) == (Outcome.FAILED, Code.IO_FAILED)
    assert "ENOSPC" in outcome.reason
    assert store.definitions(SOURCE.key) == ()
    store._database.number("PRAGMA max_page_count = 100000")
    assert told(review_import(imported(1), critic(store, Fixed()))) == [("t1", "wrote", False)]


def test_the_projection_is_refreshed_once_when_something_was_written(store: SqliteStore) -> None:
    """DEC-D12: after the lane has rested, not for every turn, not for nothing."""
    refreshed: list[str] = []
    list(review_import(imported(1, 2), critic(store, Fixed()), settled=refreshed.append))
    assert refreshed == [SOURCE.key]
    list(review_import(imported(1, 2, 3), critic(store, Fixed()), settled=refreshed.append))
    assert refreshed == [SOURCE.key]


def test_the_source_gets_no_turn_of_ours(store: SqliteStore) -> None:
    """R13, R83: a review adds nothing to the source's timeline."""
    list(review_import(imported(1, 2), critic(store, Fixed())))
    assert store.turn_keys(SOURCE.key) == ((1, "t1"), (2, "t2"))
    assert store.turn(SOURCE.key, "t1") == a_turn_of(1)


def test_the_marker_is_kept_and_counts_accepted_writes(store: SqliteStore) -> None:
    """R90: rendered from the door's record."""
    list(review_import(imported(1), critic(store, Fixed())))
    row = store._database.row("SELECT marker FROM reviews")
    assert row is not None
    lines = str(row["marker"]).splitlines()
    assert lines[0] == "ONLINE_MEMORY_CRITIC_RESULT online-memory-critic:desk:alpha:t1"
    assert "- Writes: 1" in lines
    assert "- PrototypeNames: ParserNotes" in lines


def test_memory_lives_in_the_source_alone(store: SqliteStore) -> None:
    """R3, R52, R53: in the source; not in the critic, not in a sibling, not in the permanent layer."""
    sibling = replace(SOURCE, key="desk:beta")
    list(review_import(imported(3, session=sibling), critic(store, Fixed())))
    list(review_import(imported(1), critic(store, Fixed())))
    assert store.layer(SOURCE.key).names() == ("ParserNotes",)
    for other in (companion_of(SOURCE).key, sibling.key, companion_of(sibling).key):
        assert store.layer(other).names() == ()
    assert permanent().get("ParserNotes") is None


def test_no_ledger_is_kept_beside_memory(store: SqliteStore) -> None:
    """R6, R69: after many turns a home holds its database, the receipts' head and the projections, no markdown."""
    memory = NLMemory(store, permanent(), store.home)
    projected: list[str] = []

    def settle(session: str) -> None:
        memory.project(session)
        projected.append(session)

    list(review_import(imported(*range(1, 21)), critic(store, Fixed()), settled=settle))
    assert projected == [SOURCE.key]
    names = {path.name for path in store.home.rglob("*") if path.is_file()}
    assert names - {"ferrule.sqlite3-wal", "ferrule.sqlite3-shm"} == {
        "ferrule.sqlite3",
        "receipts.head",
        "SessionMemory.pts",
    }
    text = artifact_path(store.home, SOURCE.key).read_text(encoding="utf-8")
    assert "new-create" not in text
    assert "|" not in text


def test_two_sessions_do_not_meet(store: SqliteStore) -> None:
    """INV-I7: the same names in two sessions stay two memories."""
    other = replace(SOURCE, key="desk:beta")
    list(review_import(imported(1), critic(store, Fixed())))
    outcomes = list(review_import(imported(1, session=other), critic(store, Fixed())))
    assert [outcome.outcome for outcome in outcomes] == [Outcome.WROTE]
    assert store.layer(SOURCE.key).names() == store.layer(other.key).names() == ("ParserNotes",)
    store.forget(other.key, ["ParserNotes"])
    assert store.layer(SOURCE.key).names() == ("ParserNotes",)
