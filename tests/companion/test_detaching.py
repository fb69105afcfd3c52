"""Detach stops what is to come and takes back what waits; nothing else."""

from companion_cases import SOURCE, attach_to, attached, counted, said_turn, state_digest
from store_cases import LEASE, Clock

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.companion.answers import Declined, Detached
from ferrule.companion.attaching import Choice, Terms, detach
from ferrule.companion.binding import companion_of
from ferrule.errors import Code
from ferrule.session.source import InstructionState, Origin


def test_detach_stops_future_turns_and_takes_back_what_waits(store: SqliteStore, clock: Clock) -> None:
    """R96: the subscription is off, waiting turns are withdrawn, child and choice stay; twice is once."""
    attached(store, "t3", clock)
    attached(store, "t4", clock)
    store.enqueue(SOURCE, companion_of(SOURCE), [(5, "t5")], Origin.IMPORT)
    store.enqueue(SOURCE, companion_of(SOURCE), [(7, "t7")], Origin.EVENT)
    store.enqueue(SOURCE, companion_of(SOURCE), [(8, "t8")], Origin.THUMBS_UP)
    store.enqueue(SOURCE, companion_of(SOURCE), [(6, "t6")], Origin.CATCH_UP)
    assert detach(store, SOURCE.key) == Detached(SOURCE.key, withdrawn=4)
    states = [standing.state.value for n in range(3, 9) if (standing := store.instruction(SOURCE.key, f"t{n}"))]
    assert states == ["withdrawn", "withdrawn", "waiting", "waiting", "withdrawn", "withdrawn"]
    subscription = store.subscription(SOURCE.key)
    assert subscription is not None
    assert not subscription.enabled
    assert store.companion(SOURCE.key) is not None
    before = state_digest(store)
    assert detach(store, SOURCE.key) == Detached(SOURCE.key, withdrawn=0, was_attached=False)
    assert state_digest(store) == before


def test_attach_after_detach_reuses_the_child_and_reviews_nothing_of_between(store: SqliteStore, clock: Clock) -> None:
    """R74, R81, R96: a withdrawn turn waits again only when it is selected again."""
    first = attached(store, "t3", clock, terms=Terms(Choice(model="small-1")))
    attached(store, "t4", clock)
    detach(store, SOURCE.key)
    store.put_turns([said_turn(ordinal) for ordinal in range(10, 13)])
    again = attached(store, "t3", clock)
    assert (again.companion, again.already, again.instruction.state.value) == (first.companion, False, "waiting")
    assert (again.subscription.first_ordinal, again.subscription.enabled) == (13, True)
    withdrawn = store.instruction(SOURCE.key, "t4")
    assert withdrawn is not None
    assert withdrawn.state is InstructionState.WITHDRAWN
    assert counted(store, "subscriptions") == 1


def test_a_turn_in_a_workers_hands_is_finished_by_it(store: SqliteStore, clock: Clock) -> None:
    """R96: detach takes back what waits, not what is being done."""
    attached(store, "t3", clock)
    store.claim(SOURCE.key, lease_seconds=LEASE)
    assert detach(store, SOURCE.key) == Detached(SOURCE.key, withdrawn=0)
    standing = store.instruction(SOURCE.key, "t3")
    assert standing is not None
    assert standing.state is InstructionState.CLAIMED


def test_what_was_never_attached_is_told(store: SqliteStore) -> None:
    """R96: no session is declined, no subscription is simply nothing to do; also of an archived source."""
    before = state_digest(store)
    for key in ("nobody", "\ud800"):
        answer = detach(store, key)
        assert isinstance(answer, Declined)
        assert answer.code is Code.NOT_ATTACHABLE
    assert detach(store, SOURCE.key) == Detached(SOURCE.key, was_attached=False)
    assert state_digest(store) == before


def test_an_archived_source_can_be_detached_and_not_attached(store: SqliteStore, clock: Clock) -> None:
    """R96, R98: putting away is not for good, and neither is wanting no reviews."""
    attached(store, "t3", clock)
    store.archive(SOURCE.key, archived=True)
    refused = attach_to(store, "t4", clock)
    assert isinstance(refused, Declined)
    assert refused.reason == "archived: it is archived"
    assert detach(store, SOURCE.key) == Detached(SOURCE.key, withdrawn=1)
    store.archive(SOURCE.key, archived=False)
    assert attached(store, "t4", clock).subscription.enabled
