"""What actors do is the real code of the companion; only the reviewer's mind and the desk are stubs.

Owns the bodies of the actors: a worker that works lanes for ever, a host that goes through its script. Knows nothing of
schedules, faults or verdicts.
"""

from collections import deque
from dataclasses import dataclass

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.door import Door, ReviewDesk
from ferrule.bridge.values import Receipt, TurnReview
from ferrule.companion.attaching import Terms, attach, detach
from ferrule.companion.catching_up import begin
from ferrule.companion.dispatching import accept, dispatch, drain
from ferrule.companion.feedback import Opinion, give_feedback
from ferrule.companion.importing import review_import
from ferrule.companion.leases import Lease
from ferrule.companion.patience import Patience
from ferrule.companion.worker import Critic, review_claim
from ferrule.errors import Code, ModelError, UsageError
from ferrule.memory.desk import MemoryDesk
from ferrule.session.events import EventEnvelope, render_envelope, sign
from ferrule.session.imported import ImportedSession
from ferrule.session.keys import child_key
from ferrule.session.source import LaneClaim, Origin, SourceSession
from ferrule.session.subscriptions import TURN_COMPLETED, Delivery
from ferrule.session.turn import Turn
from proofs.acts import Act, Kind
from proofs.answering import Answers
from proofs.chance import happens
from proofs.minds import DoorReviewer, permanent
from proofs.stubs import PlainDesk, StubReviewer
from proofs.world import SOURCES, STRANGERS, Process, World, a_turn

KEY = b"the webhook key of the simulated home"
HALF = 0.5
LEASE = 30.0
REAL_DOOR = 20  # in one seed of so many

__all__ = ["LEASE", "critic_of", "host", "worker"]


def worker(process: Process, name: str) -> None:
    """Dispatch stored events and review what is due, for ever; a real one sleeps where this gives the baton away.

    The same calls in the same order as a hand and the chores of `companion.working` make them.
    """
    stage = process.world.stage
    store = process.store
    while True:
        drain(store, now=process.world.now)
        claim = store.claim_next(lease_seconds=LEASE, worker=name)
        if claim is None:
            process.world.asleep.add(name)
            stage.cut()
        else:
            process.holding += 1
            try:
                review_claim(critic_of(process), claim)
            finally:
                process.holding -= 1


def host(process: Process, name: str, script: deque[Act], answers: Answers) -> None:
    """Go through a script; an act that was begun by a process that died is not begun again by itself."""
    while script:
        act = script.popleft()
        process.world.acts[name] = act
        answers.begin(name, act)
        answers.end(name, _answer(process, act))
        process.world.stage.cut()


def _answer(process: Process, act: Act) -> object:
    """What the act was answered; a session that is not there yet is a user's mistake, told by an exception."""
    try:
        return _done(process, act)
    except UsageError as error:
        if error.code is not Code.BAD_KEY or act.kind not in {Kind.ARCHIVE, Kind.PAUSE}:
            raise
        return error


@dataclass
class Bench(ReviewDesk):
    """A desk that remembers the claim it opened last: what the heartbeat of the stub's mind renews."""

    desk: ReviewDesk
    claim: LaneClaim | None = None

    def open(self, claim: LaneClaim) -> Door:
        """The desk's own door."""
        self.claim = claim
        return self.desk.open(claim)

    def commit(self, door: Door, review: TurnReview, claim: LaneClaim) -> tuple[Receipt, ...]:
        """The desk's own commit."""
        return self.desk.commit(door, review, claim)


def critic_of(process: Process) -> Critic:
    """What a worker works with in this process: in some runs behind the real door, in the others a plain one."""
    store, world = process.store, process.world
    real = world.seed % REAL_DOOR == 0
    bench = Bench(MemoryDesk(store, permanent()) if real else PlainDesk(store))

    def mind() -> None:
        if bench.claim is not None:
            behave(world, store, bench.claim)

    reviewer = DoorReviewer(mind) if real else StubReviewer(mind)
    return Critic(store, bench, reviewer, lease_seconds=LEASE)


def behave(world: World, store: SqliteStore, claim: LaneClaim) -> None:
    """A reviewer is quick, slow, hangs past its lease, fails, or finds that the turn cannot be reviewed."""
    if world.quiet:
        return
    (kind,) = world.rng.choices(("quick", "slow", "hangs", "fails", "cannot"), weights=(25, 25, 35, 12, 3))
    match kind:
        case "slow":
            for _ in range(world.rng.randint(1, 4)):
                world.stage.cut()
        case "hangs":
            _hang(world, Lease(store, claim, LEASE) if happens(world.rng, HALF) else None)
        case "fails":
            world.stage.cut()
            raise ModelError("the stub was told to fail")
        case "quick":
            return
        case _:
            raise UsageError("the stub was told that this turn cannot be reviewed")


def _hang(world: World, lease: Lease | None) -> None:
    """Think for longer than a lease; with the heartbeat that a real worker has, or with one that does not come."""
    for _ in range(8):
        world.wait(6.0)
        world.stage.cut()
        if lease is not None:
            lease.beat()


def _done(process: Process, act: Act) -> object:
    """Do one act for real; the answer of the companion, or None where there is none."""
    store = process.store
    match act.kind:
        case Kind.ATTACH:
            return _attached(process, store, act)
        case Kind.DETACH:
            return detach(store, act.source)
        case Kind.DISPATCH:
            return _dispatched(process, store, act)
        case Kind.IMPORT:
            return _imported(process, act)
        case Kind.CATCH_UP:
            return begin(store, act.source)
        case _:
            _managed(store, act)
            return None


def _managed(store: SqliteStore, act: Act) -> None:
    """A turn ends, or a person does something with a lane."""
    match act.kind:
        case Kind.DELIVER:
            store.put_session(_session(act.source))
            store.put_turns(_turns(act))
        case Kind.ARCHIVE:
            store.archive(act.source, archived=act.on)
        case Kind.PAUSE:
            store.pause(act.source, paused=act.on)
        case _:
            store.unpark(act.source)


def _imported(process: Process, act: Act) -> object:
    """Review a transcript in this process."""
    imported = ImportedSession(_session(act.source), tuple(_turns(act)), (), "neutral")
    patience = Patience(pause=lambda seconds: _rest(process.world, seconds), seconds=20.0)
    return list(review_import(imported, critic_of(process), patience=patience))


def _attached(process: Process, store: SqliteStore, act: Act) -> object:
    """By a management action or, as often, by a thumbs-up."""
    terms = Terms(delivery=Delivery(act.mode) if act.mode else None)
    (turn,) = act.turns
    now = process.world.now
    if happens(process.world.rng, HALF):
        return give_feedback(store, act.source, turn, Opinion.UP, terms=terms, now=now)
    return attach(store, act.source, turn, Origin.MANAGEMENT, terms=terms, now=now)


def _dispatched(process: Process, store: SqliteStore, act: Act) -> object:
    """An event by its road, forged where the act says so."""
    raw = render_envelope(_envelope(act)).encode()
    now, road = process.world.now, Delivery(act.mode)
    if road is Delivery.QUEUE_INPUT:
        return accept(store, raw, now=now)
    signature = None if act.twist == "unsigned" else sign(KEY, raw)
    return dispatch(store, raw, road=road, signature=signature, key=KEY, now=now)


def _envelope(act: Act) -> EventEnvelope:
    (turn,) = act.turns
    target = child_key("desk:somebody-else" if act.twist == "foreign" else act.source)
    kind = "turn.started" if act.twist == "other-type" else TURN_COMPLETED
    return EventEnvelope(act.event, kind, act.source, target, "2030-03-17T17:46:40Z", turn)


def _rest(world: World, seconds: float) -> None:
    world.wait(seconds)
    world.stage.cut()


def _session(key: str) -> SourceSession:
    return next(session for session in (*SOURCES, *STRANGERS) if session.key == key)


def _turns(act: Act) -> list[Turn]:
    return [a_turn(act.source, int(turn[1:])) for turn in act.turns]
