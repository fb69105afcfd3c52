"""A companion's subscription renewed and ended as a platform asks, without queueing anything."""

import pytest
from companion_cases import CHILD_KEY, SOURCE, attached, said_turn
from store_cases import Clock

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.companion.answers import Declined, Detached
from ferrule.companion.attaching import Terms, detach
from ferrule.companion.listening import active, subscribe, unsubscribe
from ferrule.errors import Code
from ferrule.session.subscriptions import TURN_COMPLETED, Delivery, Subscription


def asked(store: SqliteStore, clock: Clock, *, expires: float | None = None) -> Subscription:
    """A subscription of the companion, which must succeed."""
    answer = subscribe(store, SOURCE.key, CHILD_KEY, [TURN_COMPLETED], expires=expires, now=clock())
    assert isinstance(answer, Subscription), answer
    return answer


def test_a_standing_subscription_keeps_where_it_began(store: SqliteStore, clock: Clock) -> None:
    """R79, R81: only its expiry is new; nothing is queued, and asking again changes nothing."""
    before = attached(store, "t3", clock, terms=Terms(delivery=Delivery.WEBHOOK)).subscription
    store.put_turns([said_turn(10)])
    after = asked(store, clock, expires=clock() + 60)
    assert (after.first_ordinal, after.delivery, after.expires) == (10, Delivery.WEBHOOK, clock() + 60)
    assert (before.first_ordinal, before.expires) == (10, None)
    assert asked(store, clock, expires=clock() + 60) == after
    assert [row.turn for row in store.instructions(SOURCE.key)] == ["t3"]


@pytest.mark.parametrize("ended", ["detached", "expired"])
def test_a_renewed_one_begins_after_what_is_known(store: SqliteStore, clock: Clock, ended: str) -> None:
    """R81, R96, CASE-H06: what came while nobody listened is history; the road stays."""
    attached(store, "t3", clock, terms=Terms(delivery=Delivery.QUEUE_INPUT, expires=clock() + 60))
    store.put_turns([said_turn(10), said_turn(11)])
    if ended == "detached":
        detach(store, SOURCE.key)
    else:
        clock.now += 120
    assert active(store, None, clock()) == ()
    renewed = asked(store, clock)
    assert (renewed.first_ordinal, renewed.delivery, renewed.enabled, renewed.expires) == (
        12,
        Delivery.QUEUE_INPUT,
        True,
        None,
    )
    assert active(store, None, clock()) == active(store, SOURCE.key, clock()) == (renewed,)
    assert active(store, "another", clock()) == ()


def test_it_ends_as_a_detach_does(store: SqliteStore, clock: Clock) -> None:
    """R96: what waits is withdrawn, and only the companion may ask."""
    attached(store, "t3", clock)
    foreign = unsubscribe(store, SOURCE.key, "another")
    assert isinstance(foreign, Declined)
    assert foreign.code is Code.WRONG_SESSION
    assert unsubscribe(store, SOURCE.key, CHILD_KEY) == Detached(SOURCE.key, withdrawn=1)


def test_who_was_never_attached_cannot_subscribe(store: SqliteStore, clock: Clock) -> None:
    """R74, R79: the child is made by an attach and by nothing else."""
    answer = subscribe(store, SOURCE.key, CHILD_KEY, [TURN_COMPLETED], expires=None, now=clock())
    assert isinstance(answer, Declined)
    assert answer.code is Code.NOT_ATTACHABLE
    assert store.session(CHILD_KEY) is None
