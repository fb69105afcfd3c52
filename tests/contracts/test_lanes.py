"""One suite for every store: sessions, turns and lanes."""

from dataclasses import replace
from pathlib import Path

import pytest
from lane_cases import CHILD, NOTES, SOURCE, claim, queue, write
from store_cases import (
    LEASE,
    Clock,
    a_commit,
    a_session,
    a_turn,
    a_write,
)

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.errors import Code, StoreError, UsageError
from ferrule.session.source import InstructionState

# -- sessions and turns


def test_a_session_keeps_its_profile_and_parent(store: SqliteStore) -> None:
    """R9, R12: a later delivery cannot make another kind of session of it; other facts are refreshed."""
    store.put_session(a_session(title="first"))
    store.put_session(replace(a_session(), profile="level-2", parent="x", title="second", cwd="/w"))
    found = store.session(SOURCE.key)
    assert found is not None
    assert (found.profile, found.parent, found.title, found.cwd) == ("buffaly-agent", None, "second", "/w")


def test_a_blank_fact_does_not_erase_a_known_one(store: SqliteStore) -> None:
    """R60: what was known stays known."""
    store.put_session(a_session(title="first", cwd="/w"))
    store.put_session(a_session())
    found = store.session(SOURCE.key)
    assert found is not None
    assert (found.title, found.cwd) == ("first", "/w")


def test_a_child_is_hidden_from_the_list(store: SqliteStore) -> None:
    """R1, R8: the default list shows no critic; "show hidden" and the direct key do."""
    queue(store, a_turn())
    assert [session.key for session in store.sessions()] == [SOURCE.key]
    assert {session.key for session in store.sessions(hidden=True)} == {SOURCE.key, CHILD.key}
    assert store.session("desk:alpha-online-memory-critic") == CHILD


def test_a_turn_reads_back_equal(store: SqliteStore) -> None:
    """R18: pair, ledger, calls and artifacts."""
    store.put_session(SOURCE)
    assert store.put_turns([a_turn()]) == 1
    assert store.turn(SOURCE.key, "t1") == a_turn()
    assert store.turn(SOURCE.key, "t2") is None


def test_a_huge_turn_reads_back_equal_and_is_small_on_disk(store: SqliteStore) -> None:
    """CASE-I01: a tool dump of megabytes is kept whole, in far less room."""
    store.put_session(SOURCE)
    huge = a_turn(user="a line of output, näïve ☂ and plain\n" * 60_000)
    store.put_turns([huge])
    assert store.turn(SOURCE.key, "t1") == huge
    store.close()
    assert sum(path.stat().st_size for path in store.home.iterdir()) < len(huge.user) // 2


def test_a_stored_turn_never_changes(store: SqliteStore) -> None:
    """INV-I4: the same turn by another road is the same turn."""
    store.put_session(SOURCE)
    store.put_turns([a_turn()])
    assert store.put_turns([a_turn(user="something else"), a_turn(2)]) == 1
    assert store.turn(SOURCE.key, "t1") == a_turn()


def test_a_turn_that_went_on_renews_its_text_until_its_review_begins(store: SqliteStore, clock: Clock) -> None:
    """INV-I4: the turn stays the same turn in its place; what a review has read never changes after it."""
    queue(store, a_turn(1), a_turn(2))
    longer = a_turn(1, outcome="I wrote docs/parser.md, and then its index.")
    assert store.renew_turn(longer)
    assert not store.renew_turn(longer)
    assert (store.turn(SOURCE.key, "t1"), store.turn_ordinal(SOURCE.key, "t1")) == (longer, 1)
    held = claim(store)
    assert not store.renew_turn(a_turn(1))
    store.commit(a_commit(longer), held)
    clock.now += 15 * 24 * 3600
    store.put_turns([])
    assert not store.renew_turn(a_turn(1))
    assert not store.renew_turn(a_turn(3))
    assert store.turn(SOURCE.key, "t1") is None


def test_a_turn_of_an_unknown_session_is_refused(store: SqliteStore) -> None:
    """R98: nothing is made on the side."""
    with pytest.raises(UsageError):
        store.put_turns([a_turn()])
    assert store.sessions(hidden=True) == ()


def test_turn_text_goes_after_its_retention_but_not_before_its_review(store: SqliteStore, clock: Clock) -> None:
    """DEC-D13: text is kept for a time; the key stays, so that the turn stays known."""
    write(store, 1, NOTES)
    queue(store, a_turn(2))
    clock.now += 15 * 24 * 3600
    store.put_turns([a_turn(3)])
    assert store.turn(SOURCE.key, "t1") is None
    assert store.turn(SOURCE.key, "t2") == a_turn(2)
    assert store.turn_keys(SOURCE.key) == ((1, "t1"), (2, "t2"), (3, "t3"))
    assert store.put_turns([a_turn(1)]) == 0


def test_a_retention_of_zero_keeps_no_text_of_a_reviewed_turn(tmp_path: Path, clock: Clock) -> None:
    """DEC-D13: the text is there until the review has committed, and gone from the file after it."""
    store = SqliteStore(tmp_path / "none", clock, retention_seconds=0.0)
    queue(store, a_turn(1, user="the word heliotrope stands here"), a_turn(2))
    clock.now += 3600
    held = claim(store)
    store.put_turns([a_turn(3)])
    assert store.turn(SOURCE.key, "t1") is not None
    store.commit(a_commit(a_turn(1)), held)
    assert store.turn(SOURCE.key, "t1") is None
    assert store.turn(SOURCE.key, "t2") == a_turn(2)
    store.close()
    assert b"heliotrope" not in (tmp_path / "none" / "ferrule.sqlite3").read_bytes()


def test_old_text_goes_when_the_store_is_opened(tmp_path: Path, clock: Clock) -> None:
    """DEC-D13: also when nothing new is ever imported."""
    store = SqliteStore(tmp_path / "old", clock)
    store.put_session(SOURCE)
    store.put_turns([a_turn(1)])
    store.close()
    clock.now += 15 * 24 * 3600
    store = SqliteStore(tmp_path / "old", clock)
    assert store.turn(SOURCE.key, "t1") is None
    assert store.turn_keys(SOURCE.key) == ((1, "t1"),)
    store.close()


# -- lanes


def test_an_instruction_exists_once(store: SqliteStore) -> None:
    """R74, R75, R92, INV-I4, CASE-F11, CASE-H12: any number of deliveries is one instruction and one child."""
    for _ in range(20):
        queue(store, a_turn())
    first = store.instruction(SOURCE.key, "t1")
    assert first is not None
    assert (first.state, first.companion, first.attempts) == (InstructionState.WAITING, CHILD.key, 0)
    assert claim(store).instruction.turn == "t1"
    assert store.claim(SOURCE.key, lease_seconds=LEASE) is None


def test_the_oldest_turn_comes_first_whatever_the_order_of_arrival(store: SqliteStore) -> None:
    """CASE-H04, R2: ordered by turn, one at a time."""
    queue(store, a_turn(3))
    queue(store, a_turn(1), a_turn(2))
    taken = []
    for _ in range(3):
        held = claim(store)
        taken.append(held.instruction.ordinal)
        store.commit(a_commit(a_turn(held.instruction.ordinal)), held)
    assert taken == [1, 2, 3]


def test_a_lane_is_claimed_by_one_worker_at_a_time(store: SqliteStore, clock: Clock) -> None:
    """R2: a second claim waits for the lease to end; the epoch rises with each claim."""
    queue(store, a_turn(1), a_turn(2))
    first = claim(store)
    assert store.claim(SOURCE.key, lease_seconds=LEASE) is None
    clock.now += LEASE + 1
    second = claim(store)
    assert second.instruction.turn == first.instruction.turn == "t1"
    assert second.epoch == first.epoch + 1


def test_a_worker_that_lost_its_lease_commits_nothing(store: SqliteStore, clock: Clock) -> None:
    """INV-I1: the epoch fences a slow worker out; the other one's commit stands."""
    queue(store, a_turn(1), a_turn(2))
    slow = claim(store)
    clock.now += LEASE + 1
    quick = claim(store)
    with pytest.raises(StoreError) as caught:
        store.commit(a_commit(a_turn(1), a_write(NOTES)), slow)
    assert caught.value.code is Code.STALE_REVISION
    assert store.definitions(SOURCE.key) == ()
    assert store.receipts() == ()
    store.commit(a_commit(a_turn(1)), quick)
    store.fail(slow, "late", attempts=5)
    assert store.instruction(SOURCE.key, "t1") == replace(
        quick.instruction, state=InstructionState.DONE, reason="nothing"
    )


def test_a_clock_set_back_does_not_block_the_lane(store: SqliteStore, clock: Clock) -> None:
    """CASE-H08: a lease lasts as long as it would have, however the clock stands."""
    queue(store, a_turn())
    claim(store)
    clock.now -= 2 * 24 * 3600
    assert store.claim(SOURCE.key, lease_seconds=LEASE) is None
    clock.now += LEASE + 1
    assert claim(store).epoch == 2


def test_a_failed_review_waits_with_its_reason_and_is_parked_after_five(store: SqliteStore) -> None:
    """CASE-L01: retryable with its reason; a poison turn does not block the lane for ever."""
    queue(store, a_turn(1), a_turn(2))
    for attempt in range(1, 6):
        held = claim(store)
        assert (held.instruction.turn, held.instruction.attempts) == ("t1", attempt)
        store.fail(held, "model unavailable", attempts=5)
    parked = store.instruction(SOURCE.key, "t1")
    assert parked is not None
    assert (parked.state, parked.reason) == (InstructionState.PARKED, "model unavailable")
    assert claim(store).instruction.turn == "t2"


def test_a_turn_that_kills_its_worker_is_parked(store: SqliteStore, clock: Clock) -> None:
    """CASE-L01: also when nobody lives to report the failure."""
    queue(store, a_turn(1), a_turn(2))
    for _ in range(5):
        assert claim(store).instruction.turn == "t1"
        clock.now += LEASE + 1
    assert claim(store).instruction.turn == "t2"


def test_a_released_instruction_was_not_attempted(store: SqliteStore) -> None:
    """CASE-J09: a worker that is told to stop gives its turn back at once."""
    queue(store, a_turn())
    store.release(claim(store))
    assert claim(store).instruction.attempts == 1


def test_an_archived_session_is_not_reviewed_and_not_revived(store: SqliteStore) -> None:
    """R98: what waits, waits; a further import does not unarchive it."""
    store.put_session(replace(SOURCE, archived=True))
    queue(store, a_turn())
    assert store.claim(SOURCE.key, lease_seconds=LEASE) is None
    found = store.session(SOURCE.key)
    assert found is not None
    assert found.archived


def test_an_unknown_source_has_no_lane(store: SqliteStore) -> None:
    """R98: nothing to claim, nothing made."""
    assert store.claim("nobody", lease_seconds=LEASE) is None
    assert store.instruction("nobody", "t1") is None
