"""Many processes deliver the same turns by every road at once, again and again: the effect is that of one delivery.

Owns the campaign of deliveries (INV-I4, CASE-H01, CASE-H12, R92): four processes with the same deliveries in different
order, two workers beside them, and the counts of the file afterwards. Knows nothing of what a road does inside.
"""

import random
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.companion.answers import Acceptance, Attachment, Dispatch, FeedbackAnswer
from ferrule.companion.attaching import Terms, attach
from ferrule.companion.catching_up import begin
from ferrule.companion.dispatching import accept, dispatch
from ferrule.companion.feedback import Opinion, give_feedback
from ferrule.companion.importing import review_import
from ferrule.companion.patience import Patience
from ferrule.companion.worker import Critic
from ferrule.session.events import EventEnvelope, render_envelope, sign
from ferrule.session.imported import ImportedSession
from ferrule.session.keys import child_key
from ferrule.session.source import Origin
from ferrule.session.subscriptions import TURN_COMPLETED, Delivery
from proofs.children import brood
from proofs.homes import a_source, faults_of, filled, open_count, throw_away
from proofs.looking import Look
from proofs.stub_worker import OVER, run
from proofs.stub_worker import Terms as Work
from proofs.stubs import PlainDesk, StubReviewer
from proofs.tables import Row
from proofs.world import a_turn

__all__ = ["Deliverer", "a_round", "deliveries"]

SOURCES = 6
TURNS = 4
PROCESSES = 4
TIMES = 3
LEASE = 2.0
PATIENCE = 90.0
KEY = b"the webhook key of this campaign"
# By its road, each source takes its events; on every road everything else is tried as well.
ROADS = (Delivery.LOCAL, Delivery.QUEUE_INPUT, Delivery.WEBHOOK)


class Deliverer:
    """One process that delivers; every method is one way for a turn to come."""

    def __init__(self, home: Path, seed: int, number: int) -> None:
        self._store = SqliteStore(home, time.time)
        self._number = number
        self._rng = random.Random(f"{seed}/{number}")
        self._critic = Critic(
            self._store, PlainDesk(self._store), StubReviewer(lambda: None), lease_seconds=LEASE, worker=f"d{number}"
        )

    def run(self) -> None:
        """Deliver every turn by every way, several times, in an order of its own."""
        ways: tuple[Callable[[int, int], object], ...] = (self.up, self.attach, self.event, self.import_, self.catch_up)
        every = [
            (way, source, turn)
            for way in ways
            for source in range(SOURCES)
            for turn in range(1, TURNS + 1)
            for _ in range(TIMES)
        ]
        self._rng.shuffle(every)
        for way, source, turn in every:
            way(source, turn)
        self._store.close()

    def up(self, source: int, turn: int) -> FeedbackAnswer:
        """A thumbs-up."""
        return give_feedback(
            self._store, a_source(source).key, f"t{turn}", Opinion.UP, terms=_terms(source), now=time.time()
        )

    def attach(self, source: int, turn: int) -> Attachment:
        """A management action."""
        terms = _terms(source)
        return attach(self._store, a_source(source).key, f"t{turn}", Origin.MANAGEMENT, terms=terms, now=time.time())

    def event(self, source: int, turn: int) -> Dispatch | Acceptance:
        """An event by the source's road, under an id of everybody's or of this process's own."""
        key = a_source(source).key
        whose = self._rng.choice(("all", str(self._number)))
        envelope = EventEnvelope(
            f"{key}/t{turn}/{whose}", TURN_COMPLETED, key, child_key(key), "2030-03-17T17:46:40Z", f"t{turn}"
        )
        raw = render_envelope(envelope).encode()
        road = ROADS[source % len(ROADS)]
        if road is Delivery.QUEUE_INPUT:
            return accept(self._store, raw, now=time.time())
        return dispatch(self._store, raw, road=road, signature=sign(KEY, raw), key=KEY, now=time.time())

    def import_(self, source: int, turn: int) -> None:
        """A transcript with the turn and those before it, reviewed in this process."""
        session = a_source(source)
        turns = tuple(a_turn(session.key, ordinal) for ordinal in range(1, turn + 1))
        list(
            review_import(ImportedSession(session, turns, (), "neutral"), self._critic, patience=Patience(seconds=0.2))
        )

    def catch_up(self, source: int, turn: int) -> None:
        """A catch-up of the whole source."""
        del turn
        begin(self._store, a_source(source).key)


def deliver(home: Path, seed: int, number: int) -> None:
    """The whole life of one process that delivers."""
    Deliverer(home, seed, number).run()


def _terms(source: int) -> Terms:
    return Terms(delivery=ROADS[source % len(ROADS)])


def a_round(seed: int, processes: int = PROCESSES) -> Counter[str]:
    """One round; what was found."""
    with throw_away("deliveries") as home, brood() as family:
        store = SqliteStore(home, time.time)
        filled(store, SOURCES, TURNS)
        store.close()
        workers = [family.start(run, home, f"w{number}", Work(LEASE, 0.01)) for number in range(2)]
        hands = [family.start(deliver, home, seed, number) for number in range(processes)]
        codes = [family.finish(hand, PATIENCE) for hand in hands]
        look = Look(home)
        _until_rest(look)
        codes.append(family.finish(family.start(deliver, home, seed, processes), PATIENCE))  # all of it once more
        _until_rest(look)
        (home / OVER).touch()
        codes += [family.finish(worker, PATIENCE) for worker in workers]
        found = faults_of(home, [(a_source(n).key, f"t{o}") for n in range(SOURCES) for o in range(1, TURNS + 1)])
        found["deliveries"] = (processes + 1) * SOURCES * TURNS * TIMES * 5
        found["processes that failed"] = sum(code != 0 for code in codes)
        found["children too many"] = look.count("SELECT count(*) FROM sessions WHERE hidden") - SOURCES
        found["subscriptions too many"] = look.count("SELECT count(*) FROM subscriptions") - SOURCES
        found["turns"] = SOURCES * TURNS
        look.close()
        return found


def _until_rest(look: Look) -> None:
    """Wait until every turn is reviewed and every stored event dispatched."""
    ends = time.monotonic() + PATIENCE
    while (open_count(look) or look.count(_UNDISPATCHED)) and time.monotonic() < ends:
        time.sleep(0.05)


_UNDISPATCHED = "SELECT count(*) FROM events WHERE state = 'received'"
_BROKEN = (
    "lost",
    "duplicate effects",
    "unsound",
    "children too many",
    "subscriptions too many",
    "processes that failed",
)


def deliveries(rounds: int, seed: int) -> list[Row]:
    """The campaign's table."""
    total: Counter[str] = Counter()
    for number in range(rounds):
        counted = a_round(seed + number)
        total.update(counted)
        if any(counted[name] for name in _BROKEN):
            print(f"round {seed + number}: {dict(counted)}", flush=True)
    runs = f"{total['deliveries']} deliveries of {total['turns']} turns, {rounds} rounds"
    return [Row(name, runs, abs(total[name]), f"{seed}..{seed + rounds - 1}") for name in _BROKEN]
