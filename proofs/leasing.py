"""Leases as a plain model counts them, from what the workers were told: who may work, and who may hand in.

Owns the holds of one run (R2, INV-I4, CASE-H08). Time is told twice, by the clock and as it really passes, because a
clock may be set while a lease runs. Knows nothing of rows.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from ferrule.session.source import LaneClaim
from proofs.acts import Called, Moment, Step

__all__ = ["Hold", "Leases"]


@dataclass(slots=True)
class Hold:
    """A claim that was given and not handed in or back."""

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
class Leases:
    """The holds of all lanes."""

    takeovers: int = 0
    refused: int = 0
    _holds: dict[str, Hold] = field(default_factory=dict)

    def given(self, step: Step) -> Iterator[str]:
        """Take in the claims and renewals of a step; yields what was given against a lease, the epoch or the order."""
        for call in step.calls:
            if isinstance(call.result, LaneClaim):
                yield from self._claimed(step, call.result, call)
            elif call.method == "renew" and call.result is True and call.claim is not None:
                yield from self._renewed(call, call.claim)

    def ended(self, step: Step) -> None:
        """A claim that its holder handed in, or gave back, is no longer held."""
        for call in step.calls:
            if call.claim is None or call.method not in {"commit", "fail", "release"}:
                continue
            hold = self._holds.get(call.claim.source)
            self.refused += call.method == "commit" and bool(call.failed)
            if hold is not None and hold.epoch == call.claim.epoch and not call.failed:
                del self._holds[call.claim.source]

    def live(self, source: str, at: Moment) -> bool:
        """Whether somebody surely holds the lane."""
        hold = self._holds.get(source)
        return hold is not None and hold.live(at)

    def handed_in(self, step: Step, source: str, turn: str) -> Iterator[str]:
        """Whether the one who committed this review in the step might."""
        hold = self._holds.get(source)
        lane = step.after.lanes.get(source)
        if hold is None or lane is None or (hold.actor, hold.turn, hold.epoch) != (step.actor, turn, lane.epoch):
            yield f"fencing: {step.actor} committed {source} {turn}, which it does not hold"
        elif hold.over(next((call.at for call in step.calls if call.method == "commit"), step.moment)):
            yield f"fencing: {source} {turn} was committed after its lease"

    def _claimed(self, step: Step, claim: LaneClaim, call: Called) -> Iterator[str]:
        source, turn = claim.source, claim.instruction.turn
        lane, stands = step.before.lanes.get(source), step.after.lanes.get(source)
        if lane is not None and claim.epoch <= lane.epoch:
            yield f"INV-I4: {source}: the epoch did not rise with the claim"
        if stands is None or stands.epoch < claim.epoch:
            yield f"fencing: {source}: a claim was given whose epoch the lane does not have"
        before = self._holds.get(source)
        self.takeovers += before is not None
        if before is not None and before.live(call.at):
            yield f"R2: {source}: a lane was claimed while {before.actor} held it"
        self._holds[source] = Hold(step.actor, turn, claim.epoch, call.at, call.lease)

    def _renewed(self, call: Called, claim: LaneClaim) -> Iterator[str]:
        hold = self._holds.get(claim.source)
        if hold is None or hold.epoch != claim.epoch or hold.over(call.at):
            yield f"{claim.source}: a lease that ran out, or that another worker holds, was prolonged"
        else:
            hold.since, hold.lease = call.at, call.lease
