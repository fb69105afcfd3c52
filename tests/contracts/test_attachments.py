"""One suite for every store: companions, subscriptions, feedback, events, manifests, and the portfolio's rows."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from lane_cases import CHILD, NOTES, SOURCE, Store, claim, instruction, queue, review, standing, wait_in, write
from store_cases import LEASE, Clock, a_child, a_session, a_turn

from ferrule.errors import UsageError
from ferrule.session.events import EventEnvelope, EventState, StoredEvent
from ferrule.session.source import InstructionState, Origin
from ferrule.session.subscriptions import Companion, Delivery, Subscription

DAY = 24 * 3600.0
CHOSEN = Companion(CHILD.key, SOURCE.key, reviewer="model", provider="local", model="small", reasoning="low")
LISTENING = Subscription(SOURCE.key, CHILD.key, 7, delivery=Delivery.WEBHOOK, expires=5.0, created=2.0)


def an_event(name: str = "e1", **facts: object) -> StoredEvent:
    """A stored event about a turn."""
    envelope = EventEnvelope(name, "turn.completed", SOURCE.key, CHILD.key, "2030-03-17T17:46:40Z", "t1")
    return replace(StoredEvent(envelope, digest="d" * 64), **facts)  # type: ignore[arg-type]


# -- companions and subscriptions


def test_a_companion_keeps_the_reviewer_chosen_for_it(store: Store) -> None:
    """R7, R8, R91: one child per source; its settings are as given last, of this source only."""
    store.put_session(SOURCE)
    assert store.companion(SOURCE.key) is None
    store.put_companion(CHOSEN, CHILD)
    store.put_companion(replace(CHOSEN, model="large", provider=""), CHILD)
    assert store.companion(SOURCE.key) == replace(CHOSEN, model="large", provider="")
    assert store.session(CHILD.key) == CHILD
    other = wait_in(store, "desk:beta", 1)
    store.put_companion(Companion(a_child(other).key, other.key), a_child(other))
    assert [one.source for one in store.companions()] == [SOURCE.key, other.key]
    assert store.companion(SOURCE.key) == replace(CHOSEN, model="large", provider="")


def test_a_source_has_one_subscription(store: Store) -> None:
    """R74, R79, R96: created once, then given new values: first turn, delivery, expiry, on or off."""
    store.put_session(SOURCE)
    store.put_companion(CHOSEN, CHILD)
    assert store.subscription(SOURCE.key) is None
    store.put_subscription(LISTENING)
    assert store.subscription(SOURCE.key) == LISTENING
    off = replace(LISTENING, enabled=False, first_ordinal=9, delivery=Delivery.LOCAL, expires=None)
    store.put_subscription(off)
    assert store.subscription(SOURCE.key) == off
    assert store.subscriptions() == (off,)


def test_nothing_is_attached_to_a_session_that_is_not_stored(store: Store) -> None:
    """R98: nothing is made on the side."""
    for refused in (
        lambda: store.put_companion(CHOSEN, CHILD),
        lambda: store.put_subscription(LISTENING),
        lambda: store.put_feedback(SOURCE.key, "t1", "up"),
        lambda: store.put_manifest(SOURCE.key, [(1, "t1")]),
        lambda: store.archive(SOURCE.key, archived=True),
        lambda: store.pause(SOURCE.key, paused=True),
    ):
        with pytest.raises(UsageError):
            refused()
    assert store.sessions(hidden=True) == ()
    assert (store.subscriptions(), store.companions(), store.lanes()) == ((), (), ())


def test_the_last_word_about_a_turn_counts(store: Store) -> None:
    """R72: thumbs-up, then down: down; of that turn only."""
    store.put_session(SOURCE)
    assert store.feedback(SOURCE.key, "t1") == ""
    for value in ("up", "neutral", "down"):
        store.put_feedback(SOURCE.key, "t1", value)
        assert store.feedback(SOURCE.key, "t1") == value
    assert store.feedback(SOURCE.key, "t2") == ""


# -- events


def test_an_event_is_stored_once_and_keeps_what_it_said(store: Store) -> None:
    """R92, CASE-H01: what became of it is renewed; envelope and digest never change."""
    assert store.put_event(an_event())
    settled = an_event(state=EventState.SETTLED, outcome="queued", code="C", reason="because", attempts=2, due=3.0)
    forged = replace(settled, digest="0" * 64, envelope=replace(settled.envelope, turn="t9", target="desk:other"))
    assert not store.put_event(forged)
    assert store.event(SOURCE.key, "e1") == settled
    assert store.event(SOURCE.key, "e2") is None


def test_each_source_counts_its_events_as_it_likes(store: Store) -> None:
    """R92: the same id of two sources is two events; what became of one says nothing of the other."""
    foreign = replace(an_event().envelope, source="desk:other")
    assert store.put_event(an_event())
    assert store.event("desk:other", "e1") is None
    assert store.put_event(StoredEvent(foreign, "f" * 64))
    assert not store.put_event(StoredEvent(foreign, "f" * 64, EventState.SETTLED, outcome="ignored"))
    assert store.event(SOURCE.key, "e1") == an_event()


def test_what_a_source_has_waiting_is_counted_up_to_a_number(store: Store) -> None:
    """R92: only its own, only what is not settled."""
    for name in ("a", "b", "c"):
        store.put_event(an_event(name))
    store.put_event(an_event("a", state=EventState.SETTLED))
    counted = [store.events_waiting(source, most) for source in (SOURCE.key, "desk:other") for most in (1, 9)]
    assert counted == [1, 2, 0, 0]


def test_received_events_come_oldest_first_and_when_they_are_due(store: Store, clock: Clock) -> None:
    """R92: whatever the sender's time says; one that waits for its turn comes later, settled ones never."""
    for name in ("b", "a", "c", "d"):
        store.put_event(an_event(name))
    store.put_event(an_event("b", state=EventState.SETTLED))
    store.put_event(an_event("a", due=clock.now + 60, attempts=1))
    assert [one.envelope.id for one in store.received_events(10)] == ["c", "d"]
    assert [one.envelope.id for one in store.received_events(1)] == ["c"]
    for name in ("c", "d"):
        store.put_event(an_event(name, state=EventState.SETTLED))
    assert store.next_event() == clock.now + 60
    clock.now += 60
    assert [one.envelope.id for one in store.received_events(10)] == ["a"]
    store.put_event(an_event("a", state=EventState.SETTLED))
    assert (store.received_events(10), store.next_event()) == ((), None)


def test_an_event_that_waits_is_not_lost_to_a_clock_set_back(store: Store, clock: Clock) -> None:
    """CASE-H08: it is looked at again now, not in two days."""
    store.put_event(an_event(due=clock.now + 60))
    clock.now -= 2 * DAY
    due = store.next_event()
    assert due is not None
    assert due <= clock.now
    assert len(store.received_events(10)) == 1


def test_a_clock_set_back_between_a_senders_look_and_the_row_puts_nothing_off(store: Store, clock: Clock) -> None:
    """CASE-H08: the event says now, the row is stamped two days earlier; it is due all the same."""
    told = clock.now
    clock.now -= 2 * DAY
    store.put_event(an_event(due=told))
    due = store.next_event()
    assert due is not None
    assert due <= clock.now
    assert len(store.received_events(10)) == 1


def test_stuck_events_are_those_that_wait_or_were_declined(store: Store) -> None:
    """R92: of one source, newest first; what was queued, ignored or known before is no trouble."""
    for name, outcome in (("a", "declined"), ("b", "queued"), ("c", ""), ("d", "ignored"), ("e", "duplicate")):
        store.put_event(an_event(name, outcome=outcome, state=EventState.SETTLED if outcome else EventState.RECEIVED))
    source = an_event().envelope.source
    assert [one.envelope.id for one in store.stuck_events(source, 10)] == ["c", "a"]
    assert [one.envelope.id for one in store.stuck_events(source, 1)] == ["c"]
    assert store.stuck_events("desk:other", 10) == ()


def test_settled_events_go_after_their_retention_and_waiting_ones_stay(store: Store, clock: Clock) -> None:
    """R92: the table stays small; a repetition is known by its turn from then on."""
    store.put_event(an_event("settled", state=EventState.SETTLED))
    store.put_event(an_event("waiting"))
    clock.now += 15 * DAY
    store.put_event(an_event("new", state=EventState.SETTLED))
    assert [name for name in ("settled", "waiting", "new") if store.event(SOURCE.key, name)] == ["waiting", "new"]


# -- what waits


def test_a_detach_withdraws_what_was_asked_by_these_origins_and_still_waits(store: Store) -> None:
    """R96: imports and catch-up stay, what is being reviewed is finished; a new request lets it wait again."""
    wait_in(store, SOURCE.key, 1, 2, origin=Origin.EVENT)
    wait_in(store, SOURCE.key, 3, origin=Origin.IMPORT)
    held = claim(store)
    assert store.withdraw(SOURCE.key, [Origin.EVENT, Origin.THUMBS_UP]) == 1
    assert store.withdraw(SOURCE.key, [Origin.EVENT]) == 0
    states = [one.state.value for one in store.instructions(SOURCE.key)]
    assert states == ["claimed", "withdrawn", "waiting"]
    review(store, held)
    wait_in(store, SOURCE.key, 1, 2, 3, origin=Origin.MANAGEMENT)
    assert [one.state.value for one in store.instructions(SOURCE.key)] == ["done", "waiting", "waiting"]
    assert instruction(store, "t2").origin is Origin.MANAGEMENT
    assert instruction(store, "t3").origin is Origin.IMPORT


def test_a_withdrawn_turn_of_a_dead_worker_is_not_finished_by_its_ghost(store: Store, clock: Clock) -> None:
    """R96, INV-I1: once its lease ran out it waits, so it is withdrawn."""
    wait_in(store, SOURCE.key, 1, origin=Origin.EVENT)
    ghost = claim(store)
    clock.now += LEASE
    assert store.withdraw(SOURCE.key, [Origin.EVENT]) == 1
    assert not store.renew(ghost, lease_seconds=LEASE)
    store.release(ghost)
    assert instruction(store).state is InstructionState.WITHDRAWN
    assert (standing(store).waiting, store.next_due()) == (0, None)
    assert store.withdraw("nobody", [Origin.EVENT]) == 0


# -- catch-up


def test_a_manifest_keeps_turns_once_in_order(store: Store, another: Callable[[], Store]) -> None:
    """R99: restart-safe; dropped at once, with the reviews left as they are."""
    store.put_session(SOURCE)
    assert store.put_manifest(SOURCE.key, [(3, "t3"), (1, "t1")]) == 2
    assert store.put_manifest(SOURCE.key, [(1, "t1"), (2, "t2")]) == 1
    assert another().manifest(SOURCE.key) == ((1, "t1"), (2, "t2"), (3, "t3"))
    assert store.manifest("desk:beta") == ()
    assert (store.drop_manifest(SOURCE.key), store.drop_manifest(SOURCE.key), store.drop_manifest("no")) == (3, 0, 0)
    assert store.manifest(SOURCE.key) == ()


def test_markers_stand_in_the_order_of_their_turns(store: Store) -> None:
    """R84, R90: one per reviewed turn, of this source only."""
    queue(store, a_turn(2))
    review(store, claim(store))
    queue(store, a_turn(1))
    review(store, claim(store))
    assert store.markers(SOURCE.key) == ("marker of t1", "marker of t2")
    assert store.markers("desk:beta") == ()


def test_a_turn_that_no_marker_shows_is_reviewed_again(store: Store) -> None:
    """R99: done turns only; memory and receipts stay, and the lane counts its reviews right."""
    write(store, 1, NOTES)
    queue(store, a_turn(2))
    memories, receipts = store.definitions(SOURCE.key), store.receipts()
    assert store.reopen(SOURCE.key, ["t1", "t1", "t2", "t9"]) == 1
    assert (store.definitions(SOURCE.key), store.receipts()) == (memories, receipts)
    assert (store.review(SOURCE.key, "t1"), store.markers(SOURCE.key), standing(store).reviewed) == (None, (), 0)
    held = claim(store)
    assert (held.instruction.turn, held.instruction.attempts) == ("t1", 1)
    review(store, held)
    assert (standing(store).reviewed, store.markers(SOURCE.key)) == (1, ("marker of t1",))
    assert store.reopen("nobody", ["t1"]) == 0


# -- the portfolio


def test_turns_are_counted_and_placed_without_reading_them(store: Store, clock: Clock) -> None:
    """R81, CASE-F13: ordinals by index, counts by source, and which texts are still kept."""
    queue(store, a_turn(4), a_turn(2))
    store.put_session(a_session("desk:beta"))
    assert (store.last_ordinal(SOURCE.key), store.last_ordinal("desk:beta"), store.last_ordinal("no")) == (4, 0, 0)
    assert (store.turn_ordinal(SOURCE.key, "t2"), store.turn_ordinal(SOURCE.key, "t3")) == (2, None)
    assert store.turn_ordinal("desk:beta", "t2") is None
    assert dict(store.turn_counts()) == {SOURCE.key: 2}
    review(store, claim(store))
    clock.now += 15 * DAY
    store.put_turns([a_turn(5)])
    assert store.kept_turns(SOURCE.key) == ((4, "t4"), (5, "t5"))


def test_a_turn_that_comes_again_before_its_review_gets_its_text_back(store: Store, clock: Clock) -> None:
    """R99, DEC-D13: catch-up may review it; another text of that turn, or a reviewed turn, gets nothing."""
    store.put_session(SOURCE)
    store.put_turns([a_turn(1), a_turn(2)])
    queue(store, a_turn(2))
    review(store, claim(store))
    clock.now += 15 * DAY
    store.put_turns([])
    assert store.kept_turns(SOURCE.key) == ()
    assert store.put_turns([a_turn(1, user="another text"), a_turn(2)]) == 0
    assert store.kept_turns(SOURCE.key) == ()
    assert store.put_turns([a_turn(1)]) == 0
    assert store.turn(SOURCE.key, "t1") == a_turn(1)
