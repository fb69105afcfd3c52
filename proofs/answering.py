"""An answer is judged by everything that stood while it was being made: a refusal changed nothing, a yes is kept.

Owns what each kind of answer promises (R59, R75, R76, R92, R96, CASE-H06) and when an event must be taken. Knows
nothing of how an answer is made.
"""

from dataclasses import dataclass, field

from ferrule.companion.answers import Attached, Declined, Detached, Duplicate, Ignored, Queued
from proofs.acts import Act, Kind, Step
from proofs.judging import Judge
from proofs.looking import Snapshot

__all__ = ["Answers"]

FORGED = frozenset({"foreign", "unsigned", "stranger", "other-type"})
LET_GO = frozenset({"ignored", "declined"})


@dataclass
class Pending:
    """One act on its way: what held at every moment since it began."""

    act: Act
    always: bool = True
    able: bool = True
    clash: bool = False
    changed: bool = False
    detached: bool = False
    attached: bool = False


@dataclass
class Answers:
    """Acts on their way and answers that came, in the order of time."""

    judge: Judge
    now: Snapshot = field(default_factory=Snapshot)
    clock: float = 0.0
    pending: dict[str, Pending] = field(default_factory=dict)
    came: list[tuple[str, object]] = field(default_factory=list)
    counted: dict[str, int] = field(default_factory=dict)

    def begin(self, name: str, act: Act) -> None:
        """An actor sets out."""
        fresh = Pending(act)
        self._see(fresh, self.now)
        others = [other.act for key, other in self.pending.items() if key != name]
        fresh.detached = any(act.kind is Kind.DETACH for act in others)
        fresh.attached = any(act.kind is Kind.ATTACH for act in others)
        for other in self.pending.values():
            other.detached = other.detached or act.kind is Kind.DETACH
            other.attached = other.attached or act.kind is Kind.ATTACH
        self.pending[name] = fresh

    def end(self, name: str, answer: object) -> None:
        """An actor got its answer; judged with the step in which it came."""
        self.came.append((name, answer))

    def forget(self, name: str) -> None:
        """An actor died on the way: no answer was given, so none can be wrong."""
        self.pending.pop(name, None)

    def step(self, step: Step) -> None:
        """Take in what one step changed, then judge the answers that came in it."""
        self.now, self.clock = step.after, step.now
        for name, pending in self.pending.items():
            self._see(pending, step.after)
            if name == step.actor and _differ(step.before, step.after):
                pending.changed = True
        for name, answer in self.came:
            pending = self.pending.pop(name)
            kind = f"{pending.act.kind.value}{'/' + pending.act.twist if pending.act.twist else ''}"
            label = f"{kind}: {type(answer).__name__ if answer is not None else 'done'}"
            self.counted[label] = self.counted.get(label, 0) + 1
            for fault in _faults(pending, answer, step.after):
                self.judge.say(
                    step, f"{kind} of {pending.act.source} {pending.act.turns} was answered {answer}: {fault}"
                )
        self.came.clear()

    def _see(self, pending: Pending, now: Snapshot) -> None:
        act = pending.act
        able = now.observable(act.source) and all((act.source, turn) in now.turns for turn in act.turns)
        known = now.events.get(act.event)
        pending.able = pending.able and able
        pending.clash = pending.clash or (known is not None and (known.turn,) != act.turns)
        pending.always = pending.always and all(
            now.covers(act.source, turn, act.mode, self.clock) for turn in act.turns
        )


def _differ(before: Snapshot, after: Snapshot) -> bool:
    return (before.orders, before.subscriptions, before.sessions) != (
        after.orders,
        after.subscriptions,
        after.sessions,
    )


def _faults(pending: Pending, answer: object, now: Snapshot) -> list[str]:
    match answer:
        case Attached():
            faults = _kept(pending, now)
            if not pending.detached and not _enabled(pending.act, now):
                faults.append("R79: and yet nothing listens")
        case Detached():
            listens = not pending.attached and _enabled(pending.act, now)
            faults = ["R96: and yet it listens"] if listens else []
        case Queued():
            faults = _kept(pending, now)
        case Declined() | Ignored() | Duplicate():
            faults = _refused(pending, answer, now)
        case _:
            faults = []
    if pending.act.twist in FORGED and not isinstance(answer, Declined | Ignored | Duplicate):
        faults.append("an odd one was taken")
    return faults


def _refused(pending: Pending, answer: Declined | Ignored | Duplicate, now: Snapshot) -> list[str]:
    faults = ["R59: and yet something changed"] if pending.changed else []
    if pending.act.twist in FORGED:
        return faults
    event = pending.act.kind is Kind.DISPATCH
    wanted = pending.always and not pending.clash if event else pending.able
    if isinstance(answer, Duplicate):
        known = now.events.get(pending.act.event)
        waits = known is not None and known.state == "received"
        if waits or (known is not None and known.outcome in LET_GO) or not pending.always:
            return faults
        return [*faults, *_kept(pending, now)]
    if wanted:
        faults.append("0 lost: nothing stood against it")
    return faults


def _kept(pending: Pending, now: Snapshot) -> list[str]:
    """What was said yes to waits or is reviewed, unless a detach came between."""
    faults = []
    for turn in pending.act.turns:
        order = now.orders.get((pending.act.source, turn))
        if order is None or (order.state == "withdrawn" and not pending.detached):
            faults.append(f"0 lost: {turn} stands as {order.state if order else 'nothing'}")
    return faults


def _enabled(act: Act, now: Snapshot) -> bool:
    standing = now.subscriptions.get(act.source)
    return standing is not None and standing.enabled
