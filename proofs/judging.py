"""The judge knows what may follow what: every step of every actor is held against a plain model of the promise.

Owns one run's judgement: leases, rules, and what a review leaves behind (R84, R90, INV-I4). It reads the file by itself
(`looking`) and takes nothing on trust from the code that it judges. Knows nothing of threads, faults or how a home is
opened.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from proofs import rules
from proofs.acts import Step
from proofs.leasing import Leases
from proofs.looking import TurnKey

__all__ = ["Judge"]


@dataclass
class Judge:
    """Collects what is wrong; `events` are the turns of which a sound event was ever handed in."""

    events: set[TurnKey] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)
    commits: int = 0
    leases: Leases = field(default_factory=Leases)
    _last: tuple[int, str] = (0, "0" * 64)

    def step(self, step: Step) -> None:
        """Judge one step."""
        checks = [self.leases.given, rules.claims]
        if step.before is not step.after:
            checks += [self._orders, rules.lanes, self._reviews, rules.memory]
            checks += [rules.sessions, rules.subscriptions, rules.stored_events]
        for check in checks:
            for fault in check(step):
                self.say(step, fault)
        self.leases.ended(step)

    def say(self, step: Step, fault: str) -> None:
        """Write a fault down with who did what."""
        called = ", ".join(call.method for call in step.calls) or "nothing"
        self.wrong.append(f"{fault} [{step.actor} in {step.act.kind.value}, called {called}, at {step.now:.0f}]")

    def _orders(self, step: Step) -> Iterable[str]:
        yield from (f"INV-I4: {key} is queued twice" for key in step.after.twice)
        for key in step.before.orders.keys() - step.after.orders.keys():
            yield f"0 lost: the instruction of {key} vanished"
        for key, order in step.after.orders.items():
            was = step.before.orders.get(key)
            if was == order:
                continue
            state = was.state if was is not None else ""
            lapsed = (state, order.state) == ("claimed", "withdrawn") and not self.leases.live(key[0], step.moment)
            if state != order.state and (state, order.state) not in rules.LEGAL and not lapsed:
                yield f"{key} went from {state or 'nothing'} to {order.state}"
            yield from rules.moved(step, key, was, order)
            if order.state == "waiting" and state in {"", "withdrawn"}:
                yield from rules.queued(step, key, order, told=key in self.events)

    def _reviews(self, step: Step) -> Iterable[str]:
        """A review is done, held, marked, and leaves one receipt; nothing else leaves any."""
        for key in step.before.reviews.keys() - step.after.reviews.keys():
            yield f"the review of {key} vanished"
        done = {key for key, order in step.after.orders.items() if order.state == "done"}
        yield from (f"R84: {key}: done and reviewed differ" for key in done ^ step.after.reviews.keys())
        fresh = step.after.reviews.keys() - step.before.reviews.keys()
        self.commits += len(fresh)
        for source, turn in fresh:
            yield from self.leases.handed_in(step, source, turn)
            token = f"ONLINE_MEMORY_CRITIC_RESULT online-memory-critic:{source}:{turn}\n"
            if not step.after.reviews[source, turn].startswith(token):
                yield f"R90: the marker of {source} {turn} names another turn"
        yield from self._receipts(step, fresh)

    def _receipts(self, step: Step, fresh: set[TurnKey]) -> Iterable[str]:
        given: dict[TurnKey, int] = dict.fromkeys(fresh, 0)
        for row in step.after.receipts:
            if (row["seq"], row["previous"]) != (self._last[0] + 1, self._last[1]):
                yield f"receipt {row['seq']} does not follow from receipt {self._last[0]}"
            self._last = (row["seq"], row["hash"])
            key = (row["session"], row["turn"])
            if key not in given:
                yield f"INV-I4: receipt {row['seq']} is of {key}, which was not reviewed now"
            given[key] = given.get(key, 0) + (row["verdict"] == "accepted")
        yield from (f"INV-I4: {key} has {count} receipts for one write" for key, count in given.items() if count != 1)
