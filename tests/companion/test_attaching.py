"""Attach ensures the child and queues exactly the selected turn, or changes nothing."""

import math
from dataclasses import replace
from pathlib import Path

import pytest
from companion_cases import (
    CHILD_KEY,
    SOURCE,
    a_home,
    attach_to,
    attached,
    counted,
    said_turn,
    state_digest,
    tracing,
)
from store_cases import LEASE, Clock, a_commit, a_session

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.companion.answers import Attached, Declined
from ferrule.companion.attaching import Choice, Terms, attach
from ferrule.companion.binding import companion_of
from ferrule.errors import Code
from ferrule.session.source import CRITIC_PROFILE, SOURCE_PROFILE, InstructionState, Origin, SourceSession
from ferrule.session.subscriptions import HANDLER, TURN_COMPLETED, Companion, Delivery, Subscription
from ferrule.session.turn import Turn


def declines(
    store: SqliteStore, clock: Clock, *, source: str = SOURCE.key, turn: str = "t3", terms: Terms | None = None
) -> Declined:
    """The refusal of an attach, which changed nothing."""
    before = state_digest(store)
    answer = attach_to(store, turn, clock, source=source, terms=terms)
    assert isinstance(answer, Declined)
    assert state_digest(store) == before
    return answer


def test_attach_ensures_the_hidden_child_and_queues_exactly_the_selected_turn(store: SqliteStore, clock: Clock) -> None:
    """R1, R7, R8, R73, R74, R75, R79: one child by profile, key and parent, one subscription, one instruction."""
    answer = attached(store, "t3", clock)
    child = store.session(CHILD_KEY)
    assert child == companion_of(SOURCE)
    assert child is not None
    assert (child.key, child.profile, child.parent, child.hidden) == (
        *("desk:alpha-online-memory-critic", CRITIC_PROFILE),
        SOURCE.key,
        True,
    )
    assert [session.key for session in store.sessions()] == [SOURCE.key]
    assert CHILD_KEY in [session.key for session in store.sessions(hidden=True)]
    assert answer.companion == store.companion(SOURCE.key) == Companion(CHILD_KEY, SOURCE.key)
    assert answer.subscription == store.subscription(SOURCE.key)
    assert answer.subscription == Subscription(
        SOURCE.key, CHILD_KEY, 10, TURN_COMPLETED, delivery=Delivery.LOCAL, handler=HANDLER, created=clock()
    )
    assert (answer.instruction.turn, answer.instruction.ordinal, answer.instruction.origin) == (
        "t3",
        3,
        Origin.MANAGEMENT,
    )
    assert answer.instruction.state is InstructionState.WAITING
    assert not answer.already
    assert [counted(store, table) for table in ("subscriptions", "instructions", "companions", "events")] == [
        1,
        1,
        1,
        0,
    ]


def test_a_key_with_spaces_names_its_child_exactly(tmp_path: Path, clock: Clock) -> None:
    """R8: the suffix is put behind whatever the key is."""
    store = a_home(tmp_path, clock, session=a_session("Alpha Desk 6-1"))
    answer = attach_to(store, "t1", clock, source="Alpha Desk 6-1")
    assert isinstance(answer, Attached)
    child = store.session("Alpha Desk 6-1-online-memory-critic")
    assert child is not None
    assert child.parent == "Alpha Desk 6-1"
    store.close()


def test_only_a_completed_turn_can_be_selected(store: SqliteStore, clock: Clock) -> None:
    """R76: one that is running or unknown is never stored, so it is refused; a value with no outcome cannot exist."""
    for turn in ("t10", "", "nowhere", "t3 ", SOURCE.key, "\ud800"):
        assert declines(store, clock, turn=turn).code is Code.TURN_NOT_COMPLETED


def test_a_turn_of_another_session_is_none_of_this_one(store: SqliteStore, clock: Clock) -> None:
    """R76, INV-I7: turn keys are looked up in the source alone."""
    store.put_session(a_session("desk:beta"))
    store.put_turns([replace(said_turn(1, "desk:beta"), key="b1")])
    assert declines(store, clock, turn="b1").code is Code.TURN_NOT_COMPLETED


def test_a_turn_whose_text_is_gone_cannot_be_reviewed(tmp_path: Path, clock: Clock) -> None:
    """R76, DEC-D13: past its retention it is refused, unless it is reviewed or queued already."""
    store = SqliteStore(tmp_path / "home", clock, retention_seconds=3600)
    store.put_session(SOURCE)
    store.put_turns([said_turn(1), said_turn(2)])
    attached(store, "t1", clock)
    clock.now += 7200
    store.put_turns([said_turn(3)])
    assert "no longer kept" in declines(store, clock, turn="t2").reason
    claim = store.claim(SOURCE.key, lease_seconds=LEASE)
    assert claim is not None
    store.commit(a_commit(said_turn(1)), claim)
    clock.now += 7200
    store.put_turns([said_turn(4)])
    assert store.turn(SOURCE.key, "t1") is None
    again = attached(store, "t1", clock)
    assert (again.already, again.instruction.state) == (True, InstructionState.DONE)
    store.close()


def a_family(store: SqliteStore) -> None:
    """Sessions that must never be observed, each with a completed turn."""
    critic = SourceSession(CHILD_KEY, CRITIC_PROFILE, parent=SOURCE.key, hidden=True)
    others = [
        critic,
        *(
            SourceSession(f"one of {name}", name)
            for name in ("planner", "code-review", "ops-coordinator", "offline-critic")
        ),
        *(
            SourceSession(f"two of {name}", name)
            for name in ("claude-code-subagent", "codex-review", "", "Buffaly-Agent")
        ),
        SourceSession("buffaly-agent", "planner"),
        SourceSession(f"{SOURCE.key}-level-two", "level-2", parent=SOURCE.key),
        SourceSession("x-level-two", SOURCE_PROFILE),
        SourceSession("a watcher", "level-2"),
        SourceSession("x-online-action-critic", SOURCE_PROFILE),
        SourceSession("a second critic", CRITIC_PROFILE),
        SourceSession(f"{CHILD_KEY}-online-memory-critic", SOURCE_PROFILE),
        SourceSession("child of a critic", SOURCE_PROFILE, parent=CHILD_KEY),
        SourceSession("child of a plainly named critic", SOURCE_PROFILE, parent="a second critic"),
        SourceSession("subagent", SOURCE_PROFILE, parent=SOURCE.key),
        SourceSession("its own parent", SOURCE_PROFILE, parent="its own parent"),
        SourceSession("put away", SOURCE_PROFILE, archived=True),
    ]
    for session in others:
        store.put_session(session)
        store.put_turns([said_turn(1, session.key)])


FAMILY = {
    "one of planner": "profile",
    "one of code-review": "profile",
    "one of ops-coordinator": "profile",
    "one of offline-critic": "companion",
    "two of claude-code-subagent": "profile",
    "two of codex-review": "profile",
    "two of ": "profile",
    "two of Buffaly-Agent": "profile",
    "buffaly-agent": "profile",
    f"{SOURCE.key}-level-two": "companion",
    "x-level-two": "companion",
    "a watcher": "companion",
    "x-online-action-critic": "companion",
    "a second critic": "companion",
    CHILD_KEY: "companion",
    f"{CHILD_KEY}-online-memory-critic": "companion",
    "child of a critic": "companion",
    "child of a plainly named critic": "companion",
    "subagent": "subagent",
    "its own parent": "subagent",
    "put away": "archived",
    "nobody": "missing",
}


def test_nothing_but_a_normal_source_is_attached_to(store: SqliteStore, clock: Clock) -> None:
    """R9, R10, R11, R12, R98, INV-I7, CASE-F01, CASE-F02, CASE-F04: typed refusal, and not one row changes."""
    a_family(store)
    before = state_digest(store)
    answers = {source: attach_to(store, "t1", clock, source=source) for source in FAMILY}
    assert state_digest(store) == before
    refusals = {source: answer for source, answer in answers.items() if isinstance(answer, Declined)}
    assert {answer.code for answer in refusals.values()} == {Code.NOT_ATTACHABLE}
    assert {source: answer.reason.partition(":")[0] for source, answer in refusals.items()} == FAMILY


def test_a_hundred_attaches_to_children_make_no_session(store: SqliteStore, clock: Clock) -> None:
    """R12, CASE-F02: chains cannot recurse, however often it is tried."""
    attached(store, "t3", clock)
    before = state_digest(store)
    key = CHILD_KEY
    for _ in range(100):
        assert isinstance(attach_to(store, "t3", clock, source=key), Declined)
        key = f"{key}-online-memory-critic" if len(key) < 400 else CHILD_KEY
    assert state_digest(store) == before


@pytest.mark.parametrize(
    "squatter",
    [
        SourceSession(CHILD_KEY, SOURCE_PROFILE),
        SourceSession(CHILD_KEY, "planner", parent=SOURCE.key),
        SourceSession(CHILD_KEY, CRITIC_PROFILE),
        SourceSession(CHILD_KEY, CRITIC_PROFILE, parent="desk:beta"),
        SourceSession(CHILD_KEY, CRITIC_PROFILE.upper(), parent=SOURCE.key),
    ],
)
def test_a_child_is_reused_only_if_key_profile_and_parent_match(
    store: SqliteStore, clock: Clock, squatter: SourceSession
) -> None:
    """R74, INV-I7: another session under the child's key is not made a companion."""
    store.put_session(squatter)
    answer = declines(store, clock)
    assert (answer.code, "not the companion of this source" in answer.reason) == (Code.NOT_ATTACHABLE, True)


def test_attaching_again_queues_that_turn_and_leaves_the_rest(store: SqliteStore, clock: Clock) -> None:
    """R74, R75, R81: one child, one subscription that begins where it began, one instruction per turn."""
    first = attached(store, "t3", clock)
    store.put_turns([said_turn(10)])
    clock.now += 60
    second = attached(store, "t5", clock)
    assert (second.subscription, second.companion, second.already) == (first.subscription, first.companion, False)
    third = attached(store, "t5", clock)
    assert (third.instruction, third.already) == (second.instruction, True)
    assert [counted(store, table) for table in ("subscriptions", "instructions", "companions")] == [1, 2, 1]


def test_attaching_to_what_stands_writes_nothing(tmp_path: Path, clock: Clock) -> None:
    """R74, CASE-H12: the second of two equal attaches changes no row, and does not even write the same again."""
    seen: list[str] = []
    a_home(tmp_path, clock).close()
    store = SqliteStore(tmp_path / "home", clock, connect=tracing(seen))
    attached(store, "t3", clock)
    before = state_digest(store)
    seen.clear()
    assert attached(store, "t3", clock).already
    assert not [statement for statement in seen if "INTO companions" in statement or "INTO subscriptions" in statement]
    assert state_digest(store) == before
    store.close()


def test_thumbs_up_and_management_do_the_same(tmp_path: Path, clock: Clock) -> None:
    """R72, R73: but for who asked."""
    answers = []
    for origin in (Origin.MANAGEMENT, Origin.THUMBS_UP):
        store = a_home(tmp_path / origin.value, clock)
        answer = attach(store, SOURCE.key, "t3", origin, now=clock())
        assert isinstance(answer, Attached)
        answers.append(replace(answer, instruction=replace(answer.instruction, origin=Origin.MANAGEMENT)))
        store.close()
    assert answers[0] == answers[1]


@pytest.mark.parametrize("origin", [Origin.EVENT, Origin.IMPORT, Origin.CATCH_UP])
def test_nobody_attaches_with_another_origin(store: SqliteStore, clock: Clock, origin: Origin) -> None:
    """R72, R73: an event or an import is no attach."""
    before = state_digest(store)
    answer = attach(store, SOURCE.key, "t3", origin, now=clock())
    assert isinstance(answer, Declined)
    assert (answer.code, state_digest(store)) == (Code.BAD_TOOL_ARGS, before)


def test_history_is_what_was_known_at_the_attach(tmp_path: Path, clock: Clock) -> None:
    """R81: what is stored, what the transcript at hand shows, and the selected turn itself."""
    for number, (newest, expected) in enumerate([(0, 10), (5, 10), (40, 41)]):
        store = a_home(tmp_path / str(number), clock)
        answer = attached(store, "t3", clock, terms=Terms(newest_ordinal=newest))
        assert answer.subscription.first_ordinal == expected
        store.close()


def test_attach_on_turn_50_of_5000_reads_no_other_turn(tmp_path: Path, clock: Clock) -> None:
    """R75, R81, CASE-F13: exactly the selected one queued; a trace shows no statement that names or lists another."""
    full = a_home(tmp_path, clock, turns=0)
    full.put_turns([Turn(f"t{n}", SOURCE.key, n, f"do thing {n}", f"did thing {n}") for n in range(1, 5001)])
    full.close()
    seen: list[str] = []
    store = SqliteStore(tmp_path / "home", clock, connect=tracing(seen))
    plans = store._database
    seen.clear()
    attached(store, "t50", clock)
    reads = {statement for statement in seen if "turns" in statement and "SELECT" in statement}
    assert reads
    # One look at the end of an index tells where history ends; everything else is about the selected turn.
    assert all("'t50'" in one or "max(turns.ordinal)" in one for one in reads), reads
    for statement in reads:
        steps = [str(row["detail"]) for row in plans.rows(f"EXPLAIN QUERY PLAN {statement}")]
        assert not [step for step in steps if step.startswith("SCAN") and "turns" in step], (statement, steps)
    assert counted(store, "instructions") == 1
    assert store.instruction(SOURCE.key, "t50") is not None
    store.close()


def test_the_reviewer_is_chosen_per_attach_and_kept(store: SqliteStore, clock: Clock) -> None:
    """R91: blanks keep what was chosen before; values update the companion, and nothing of the source."""
    source = store.session(SOURCE.key)
    known = ("embedded", "judge")
    asked = Terms(Choice("judge", "local", "small-1", "low"), known)
    assert attached(store, "t1", clock, terms=asked).companion == Companion(
        CHILD_KEY, SOURCE.key, CRITIC_PROFILE, "judge", "local", "small-1", "low"
    )
    assert attached(store, "t2", clock).companion.model == "small-1"
    changed = attached(store, "t2", clock, terms=Terms(Choice(model="small-2"), known)).companion
    assert (changed.reviewer, changed.provider, changed.model, changed.reasoning) == (
        "judge",
        "local",
        "small-2",
        "low",
    )
    assert store.companion(SOURCE.key) == changed
    assert store.session(SOURCE.key) == source


WRONG_TERMS = {
    "a reviewer that is not there": Terms(Choice(reviewer="oracle")),
    "a reviewer of another build": Terms(Choice(reviewer="embedded"), reviewers=("judge",)),
    "a model's name of many lines": Terms(Choice(model="a\nb")),
    "a model's name without end": Terms(Choice(model="a" * 201)),
    "an expiry that has passed": Terms(expires=1.0),
    "an expiry that is no time": Terms(expires=math.nan),
    "an expiry before all time": Terms(expires=-math.inf),
}


def test_terms_that_cannot_be_met_are_refused_before_anything_is_created(store: SqliteStore, clock: Clock) -> None:
    """R59, R91: also for a source that stands attached."""
    assert {declines(store, clock, terms=terms).code for terms in WRONG_TERMS.values()} == {Code.BAD_TOOL_ARGS}
    attached(store, "t1", clock)
    assert {declines(store, clock, terms=terms).code for terms in WRONG_TERMS.values()} == {Code.BAD_TOOL_ARGS}


def test_delivery_and_expiry_change_only_when_they_are_named(store: SqliteStore, clock: Clock) -> None:
    """R79: and a subscription that stands keeps where it began."""
    first = attached(store, "t1", clock, terms=Terms(delivery=Delivery.WEBHOOK, expires=clock() + 60)).subscription
    store.put_turns([said_turn(10)])
    again = attached(store, "t2", clock).subscription
    assert again == first
    renewed = attached(store, "t2", clock, terms=Terms(delivery=Delivery.LOCAL, expires=math.inf)).subscription
    assert (renewed.delivery, renewed.expires, renewed.first_ordinal) == (Delivery.LOCAL, None, 10)


def test_an_expired_subscription_begins_anew_behind_history(store: SqliteStore, clock: Clock) -> None:
    """R81: what passed while nobody listened is history."""
    attached(store, "t1", clock, terms=Terms(delivery=Delivery.QUEUE_INPUT, expires=clock() + 60))
    store.put_turns([said_turn(ordinal) for ordinal in range(10, 15)])
    clock.now += 60
    again = attached(store, "t2", clock).subscription
    assert (again.first_ordinal, again.expires, again.delivery) == (15, None, Delivery.QUEUE_INPUT)
    assert counted(store, "subscriptions") == 1


def test_attach_returns_while_a_review_of_the_source_hangs(store: SqliteStore, clock: Clock) -> None:
    """R77, R78, INV-I8: it queues behind the turn that a worker holds, and asks nobody."""
    attached(store, "t1", clock)
    assert store.claim(SOURCE.key, lease_seconds=LEASE) is not None
    assert attached(store, "t2", clock).instruction.state is InstructionState.WAITING
    assert attached(store, "t1", clock).instruction.state is InstructionState.CLAIMED


def test_attach_writes_nothing_into_the_source(store: SqliteStore, clock: Clock) -> None:
    """R13, R83: neither turns nor facts of the source change."""
    before = store.session(SOURCE.key), store.turn_keys(SOURCE.key), counted(store, "turns")
    attached(store, "t3", clock)
    assert (store.session(SOURCE.key), store.turn_keys(SOURCE.key), counted(store, "turns")) == before
