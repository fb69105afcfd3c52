"""The judge knows what may follow what: every step of every actor is held against a plain model of the promise.

Owns the rules between two moments and the leases as the model counts them (INV-I1, I3, I4, I7, R2, R81, R84, R96, R98,
CASE-H08). It reads the file by itself (`looking`) and takes nothing on trust from the code that it judges. Knows
nothing of threads, faults or how a home is opened.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ferrule.session.source import COMPANION_SUFFIX, CRITIC_PROFILE, LaneClaim
from proofs.acts import Act, Called, Kind, Moment
from proofs.looking import Order, Snapshot, TurnKey

__all__ = ["Judge", "Step"]

DETACHED_ORIGINS = frozenset({"thumbs-up", "management", "event"})
LEGAL = frozenset(
    {
        ("", "waiting"),
        ("waiting", "claimed"),
        ("waiting", "parked"),
        ("waiting", "withdrawn"),
        ("claimed", "waiting"),
        ("claimed", "done"),
        ("claimed", "parked"),
        ("parked", "waiting"),
        ("withdrawn", "waiting"),
    }
)


@dataclass(frozen=True, slots=True)
class Step:
    """What one actor did between two cuts, and what stood in the file before and after."""

    actor: str
    act: Act
    calls: Sequence[Called]
    before: Snapshot
    after: Snapshot
    moment: Moment

    @property
    def now(self) -> float:
        """What the clock says after the step."""
        return self.moment.now


@dataclass(slots=True)
class Hold:
    """A claim as the model counts it, from what the worker was told."""

    actor: str
    turn: str
    epoch: int
    since: Moment
    lease: float

    def live(self, at: Moment) -> bool:
        """Whether the lease surely runs: a clock set forward ends it early, one set back never does (CASE-H08)."""
        return at.steady - self.since.steady < self.lease and at.forward == self.since.forward

    def over(self, at: Moment) -> bool:
        """Whether the lease has surely run out: by the clock, unless that was set back."""
        return at.now - self.since.now > self.lease and at.backward == self.since.backward


@dataclass
class Judge:
    """Collects what is wrong; `events` are the turns of which a sound event was ever handed in."""

    events: set[TurnKey] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)
    commits: int = 0
    takeovers: int = 0
    refused: int = 0
    _holds: dict[str, Hold] = field(default_factory=dict)
    _last: tuple[int, str] = (0, "0" * 64)

    def step(self, step: Step) -> None:
        """Judge one step."""
        for call in step.calls:
            self._claims(step, call)
        if step.before is not step.after:
            for rule in (
                self._orders,
                self._lanes,
                self._reviews,
                self._memory,
                self._sessions,
                self._subscriptions,
                self._stored_events,
            ):
                for fault in rule(step):
                    self.say(step, fault)
        for call in step.calls:
            self._ends(call)

    def say(self, step: Step, fault: str) -> None:
        """Write a fault down with who did what."""
        called = ", ".join(call.method for call in step.calls) or "nothing"
        self.wrong.append(f"{fault} [{step.actor} in {step.act.kind.value}, called {called}, at {step.now:.0f}]")

    # -- claims and leases

    def _claims(self, step: Step, call: Called) -> None:
        if isinstance(call.result, LaneClaim):
            self._claimed(step, call.result, call)
        elif call.method == "renew" and call.claim is not None:
            hold = self._holds.get(call.claim.source)
            mine = hold is not None and hold.epoch == call.claim.epoch
            if call.result is True and (not mine or (hold is not None and hold.over(call.at))):
                self.say(step, "a lease that ran out, or that another worker holds, was prolonged")
            if call.result is True and hold is not None and mine:
                hold.since, hold.lease = call.at, call.lease

    def _claimed(self, step: Step, claim: LaneClaim, call: Called) -> None:
        source, turn = claim.source, claim.instruction.turn
        lane = step.before.lanes.get(source)
        if lane is not None and claim.epoch <= lane.epoch:
            self.say(step, f"INV-I4: {source}: the epoch did not rise with the claim")
        stands = step.after.lanes.get(source)
        if stands is None or stands.epoch < claim.epoch:
            self.say(step, f"fencing: {source}: a claim was given whose epoch the lane does not have")
        parked = {key[1] for key, order in step.after.orders.items() if key[0] == source and order.state == "parked"}
        oldest = next((turn for _, turn in step.before.waiting(source) if turn not in parked), None)
        if oldest != turn:
            self.say(step, f"order: {source}: {turn} was claimed, but {oldest} waits longest")
        if step.before.sessions.get(source, ("", None, False, 0))[2]:
            self.say(step, f"R98: {source} is archived, and {turn} was claimed")
        if source in step.before.paused:
            self.say(step, f"{source} is paused, and {turn} was claimed")
        before = self._holds.get(source)
        if before is not None:
            self.takeovers += 1
            if before.live(call.at):
                self.say(step, f"R2: {source}: a lane was claimed while {before.actor} held it")
        self._holds[source] = Hold(step.actor, turn, claim.epoch, call.at, call.lease)

    def _ends(self, call: Called) -> None:
        """A claim that its holder handed in, or gave back, is no longer held."""
        if call.claim is None or call.method not in {"commit", "fail", "release"}:
            return
        if call.method == "commit" and call.failed:
            self.refused += 1
            return
        hold = self._holds.get(call.claim.source)
        if hold is not None and hold.epoch == call.claim.epoch and not call.failed:
            del self._holds[call.claim.source]

    # -- what changed

    def _orders(self, step: Step) -> Iterable[str]:
        yield from (f"INV-I4: {key} is queued twice" for key in step.after.twice)
        for key in step.before.orders.keys() - step.after.orders.keys():
            yield f"0 lost: the instruction of {key} vanished"
        for key, order in step.after.orders.items():
            was = step.before.orders.get(key)
            if was != order:
                yield from self._order(step, key, was, order)

    def _order(self, step: Step, key: TurnKey, was: Order | None, order: Order) -> Iterable[str]:
        state = was.state if was is not None else ""
        lapsed = (state, order.state) == ("claimed", "withdrawn") and not self._is_live(key[0], step.moment)
        if state != order.state and (state, order.state) not in LEGAL and not lapsed:
            yield f"{key} went from {state or 'nothing'} to {order.state}"
        if was is not None and (was.ordinal, was.companion) != (order.ordinal, order.companion):
            yield f"{key} changed its place or its companion"
        if order.companion != f"{key[0]}{COMPANION_SUFFIX}":
            yield f"R8: {key} is queued for {order.companion}"
        if order.state == "parked" and not order.reason:
            yield f"{key} is parked without a reason"
        if order.state == "withdrawn" != state and not self._may_withdraw(step, key, was):
            yield f"R96: {key} was withdrawn without a detach that may"
        if order.state == "waiting" and state == "parked" and step.act.kind is not Kind.UNPARK:
            yield f"{key} is no longer parked, and nobody asked"
        if order.state == "waiting" and state in {"", "withdrawn"}:
            yield from self._queued(step, key, order)

    def _is_live(self, source: str, now: Moment) -> bool:
        hold = self._holds.get(source)
        return hold is not None and hold.live(now)

    def _may_withdraw(self, step: Step, key: TurnKey, was: Order | None) -> bool:
        asked = step.act.kind is Kind.DETACH and step.act.source == key[0]
        return asked and was is not None and was.origin in DETACHED_ORIGINS

    def _queued(self, step: Step, key: TurnKey, order: Order) -> Iterable[str]:
        """Why may this turn wait now? Somebody selected exactly it, or a covered event told of it (R75, R81, R96)."""
        source, turn = key
        if not step.after.observable(source):
            yield f"R9: {source} is not to be observed, and {turn} was queued"
        if step.act.selects(source, turn):
            return
        standing = step.before.subscriptions.get(source)
        if key not in self.events:
            yield f"R75: nobody selected {key}, and no event told of it"
        elif standing is None or not standing.enabled:
            yield f"R96: {key} was queued by an event, and nothing listens"
        elif order.ordinal < standing.first_ordinal:
            yield f"R81: {key} was queued by an event, and is older than the subscription"
        elif standing.lapsed(step.now):
            yield f"{key} was queued by an event after the subscription ran out"

    def _lanes(self, step: Step) -> Iterable[str]:
        for source, lane in step.before.lanes.items():
            after = step.after.lanes.get(source)
            if after is None or after.epoch < lane.epoch:
                yield f"{source}: the epoch of its lane fell"

    def _reviews(self, step: Step) -> Iterable[str]:
        for key in step.before.reviews.keys() - step.after.reviews.keys():
            yield f"the review of {key} vanished"
        done = {key for key, order in step.after.orders.items() if order.state == "done"}
        yield from (f"R84: {key}: done and reviewed differ" for key in done ^ step.after.reviews.keys())
        fresh = step.after.reviews.keys() - step.before.reviews.keys()
        for key in fresh:
            yield from self._review(step, key)
        yield from self._receipts(step, fresh)

    def _review(self, step: Step, key: TurnKey) -> Iterable[str]:
        self.commits += 1
        source, turn = key
        hold = self._holds.get(source)
        lane = step.after.lanes.get(source)
        if hold is None or lane is None or (hold.actor, hold.turn, hold.epoch) != (step.actor, turn, lane.epoch):
            yield f"fencing: {step.actor} committed {key}, which it does not hold"
        elif hold.over(_committed_at(step)):
            yield f"fencing: {key} was committed after its lease"
        if not step.after.reviews[key].startswith(
            f"ONLINE_MEMORY_CRITIC_RESULT online-memory-critic:{source}:{turn}\n"
        ):
            yield f"R90: the marker of {key} names another turn"

    def _receipts(self, step: Step, fresh: set[TurnKey]) -> Iterable[str]:
        given: dict[TurnKey, int] = dict.fromkeys(fresh, 0)
        for row in step.after.receipts:
            if (row["seq"], row["previous"]) != (self._last[0] + 1, self._last[1]):
                yield f"receipt {row['seq']} does not follow from receipt {self._last[0]}"
            self._last = (row["seq"], row["hash"])
            key = (row["session"], row["turn"])
            if key not in given:
                yield f"INV-I4: receipt {row['seq']} is of {key}, which was not reviewed now"
            given[key] = given.get(key, 0) + 1
        yield from (f"INV-I4: {key} has {count} receipts for one write" for key, count in given.items() if count != 1)

    def _memory(self, step: Step) -> Iterable[str]:
        reviewed = {key[0] for key in step.after.reviews.keys() - step.before.reviews.keys()}
        for place, value in step.before.values.items():
            if step.after.values.get(place) != value:
                yield f"INV-I3: {place} is no longer what it was"
        for place in step.after.values.keys() - step.before.values.keys():
            if place[0] not in reviewed:
                yield f"INV-I7: {place} was written without a review of its session"

    def _sessions(self, step: Step) -> Iterable[str]:
        for key, (profile, parent, archived, revision) in step.after.sessions.items():
            was = step.before.sessions.get(key)
            if was is None:
                if profile == CRITIC_PROFILE and key != f"{parent}{COMPANION_SUFFIX}":
                    yield f"R8: {key} was made the companion of {parent}"
                continue
            if (profile, parent) != was[:2]:
                yield f"R12: {key} changed its profile or parent"
            if archived != was[2] and (step.act.kind is not Kind.ARCHIVE or step.act.source != key):
                yield f"R98: {key} was archived or brought back, and nobody asked"
            if revision < was[3]:
                yield f"the revision of {key} fell"

    def _subscriptions(self, step: Step) -> Iterable[str]:
        if step.after.subscribed != len(step.after.subscriptions):
            yield "R74: a source has more than one subscription"
        for source, standing in step.after.subscriptions.items():
            was = step.before.subscriptions.get(source)
            enabled = was is not None and was.enabled and not was.lapsed(step.now)
            attaching = step.act.source == source and step.act.kind is Kind.ATTACH
            if standing.enabled and not enabled:
                if not attaching:
                    yield f"R79: the subscription of {source} was enabled, and nobody attached"
                if standing.first_ordinal <= step.before.newest.get(source, 0):
                    yield f"R81: the subscription of {source} covers turns that were there before"
            elif enabled and was is not None and standing.first_ordinal != was.first_ordinal:
                yield f"R81: the first turn of the subscription of {source} moved"
            if enabled and not standing.enabled and not (step.act.kind is Kind.DETACH and step.act.source == source):
                yield f"R96: the subscription of {source} was disabled, and nobody detached"

    def _stored_events(self, step: Step) -> Iterable[str]:
        """A stored event that its subscription asks for is queued when its time comes, not let go (R92)."""
        for key, event in step.after.events.items():
            was = step.before.events.get(key)
            if was is None or was.state == event.state or event.outcome in {"queued", "duplicate"}:
                continue
            if step.before.covers(event.source, event.turn, "queue-input", step.now):
                yield f"0 lost: the stored event {key} was settled as {event.outcome}: {event.reason}"


def _committed_at(step: Step) -> Moment:
    return next((call.at for call in step.calls if call.method == "commit"), step.moment)
