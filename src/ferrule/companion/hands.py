"""Several threads take turns from the lanes, each one turn at a time and no two of one source (R2, R84).

Owns those threads: when they look for work, what each holds, and how they end within a given time, giving back what
they cannot finish (CASE-J09). Fairness and order are the lanes' own. Knows nothing of bells, processes or what happens
when there is nothing to do.
"""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from ferrule.companion.mishaps import survived
from ferrule.companion.outcomes import Outcome, TurnOutcome
from ferrule.companion.worker import Critic, review_claim
from ferrule.errors import Code, StoreError
from ferrule.session.source import LaneClaim

__all__ = ["Hands", "Notices", "Rest"]

# A store that fails one turn by these fails the others too. Damage in one turn is that turn's alone.
_STORE_CODES = {Code.IO_FAILED, Code.STORE_VERSION}


@dataclass(frozen=True, slots=True)
class Notices:
    """Whom the hands tell; each is called from their threads and must return soon.

    Attributes:
        rested: a hand found nothing more to do, or must not go on.
        wrote: a review of this source was committed that wrote something.
        doing: the turns under review changed.
        tell: something that a person may want to read later; sessions and turns by their keys, no text of a turn.
        may_go_on: whether another turn may be begun.
    """

    rested: Callable[[], None]
    wrote: Callable[[str], None]
    doing: Callable[[tuple[LaneClaim, ...]], None]
    tell: Callable[[str], None]
    may_go_on: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Rest:
    """How the hands stand.

    Attributes:
        resting: so many have looked since they were last called, and wait.
        busy: so many have a turn under review.
        called: so many are about to look.
        claims: how many turns they have claimed so far.
        reviewed: how many of those were committed.
    """

    resting: int
    busy: int
    called: int
    claims: int
    reviewed: int

    @property
    def all_rest(self) -> bool:
        """Whether every hand has looked since it was last called, and found nothing."""
        return not self.busy and not self.called


class Hands:
    """The threads of one worker. `start` them, `call` them when something may be due, `close` them."""

    def __init__(self, critic: Critic, count: int, notices: Notices) -> None:
        self._critic = critic
        self._notices = notices
        self._state = threading.Condition()
        self._calls = 0
        self._seen = dict.fromkeys(range(count), 0)
        self._waiting: set[int] = set()
        self._held: dict[int, LaneClaim] = {}
        self._claims = 0
        self._reviewed = 0
        self._closing = False
        self.trouble: StoreError | None = None
        self._threads = [
            threading.Thread(target=self._run, args=(number,), name=f"ferrule-hand-{number}", daemon=True)
            for number in range(count)
        ]

    def start(self) -> None:
        """Let them come; they wait to be called."""
        for thread in self._threads:
            thread.start()

    def call(self) -> None:
        """Let every hand that rests look for work."""
        with self._state:
            self._calls += 1
            self._state.notify_all()

    def rest(self) -> Rest:
        """How they stand now."""
        with self._state:
            resting = sum(self._seen[number] == self._calls for number in self._waiting)
            busy = len(self._held)
            return Rest(resting, busy, len(self._seen) - resting - busy, self._claims, self._reviewed)

    def close(self, grace_seconds: float) -> tuple[LaneClaim, ...]:
        """Let nobody begin another turn and wait so long for those at work; returns the claims that were given back."""
        with self._state:
            self._closing = True
            self._state.notify_all()
        until = time.monotonic() + grace_seconds
        for thread in self._threads:
            if thread.ident is not None:
                thread.join(max(0.0, until - time.monotonic()))
        with self._state:
            unfinished = tuple(self._held.values())
        for claim in unfinished:
            # The thread goes on until the process ends; its commit is refused, since the claim is no longer its own.
            with suppress(StoreError):  # the lease runs out instead
                self._critic.store.release(claim)
        return unfinished

    def _run(self, number: int) -> None:
        def serve() -> bool:
            while self._is_called(number):
                while self._works(number):
                    pass
            return True

        if not survived(serve, self._notices.tell):
            self._lost(number)

    def _lost(self, number: int) -> None:
        """A bug outside any turn ended this hand: the foreman would wait for it for ever."""
        self.trouble = StoreError("a worker's thread ended by a bug", code=Code.INTERNAL)
        with self._state:
            claim = self._held.pop(number, None)
        if claim is not None:
            with suppress(StoreError):
                self._critic.store.release(claim)
        self._notices.rested()

    def _is_called(self, number: int) -> bool:
        """Rest until there is something to look for; False when it is time to end."""
        with self._state:
            self._waiting.add(number)
            self._notices.rested()
            self._state.wait_for(lambda: self._closing or self._seen[number] != self._calls)
            self._waiting.discard(number)
            self._seen[number] = self._calls
            return not self._closing

    def _works(self, number: int) -> bool:
        """Review one turn, of whichever lane is next; False when there is none or nothing may be begun now."""
        if self._closing or self.trouble is not None:
            return False
        try:
            claim = _next_claim(self._critic) if self._notices.may_go_on() else None
        except StoreError as error:
            self.trouble = error
            return False
        if claim is None:
            return False
        self._hold(number, claim)
        try:
            outcome = self._review(claim)
        finally:
            self._hold(number, None)
        self._note(outcome)
        return True

    def _hold(self, number: int, claim: LaneClaim | None) -> None:
        with self._state:
            if claim is None:
                del self._held[number]
            else:
                self._held[number] = claim
                self._claims += 1
            self._notices.doing(tuple(self._held.values()))  # inside: no older standing is told after a newer one

    def _review(self, claim: LaneClaim) -> TurnOutcome | None:
        turn = f"{claim.source} {claim.instruction.turn}"
        try:
            return survived(
                lambda: review_claim(self._critic, claim), tell=lambda what: self._notices.tell(f"{turn}: {what}")
            )
        except StoreError as error:
            self.trouble = error
            return None

    def _note(self, outcome: TurnOutcome | None) -> None:
        if outcome is None:
            return
        if outcome.outcome is Outcome.FAILED:
            code = outcome.code or Code.INTERNAL
            self._notices.tell(f"{outcome.source} {outcome.turn}: not reviewed yet [{code}]")
            if code in _STORE_CODES:
                self.trouble = StoreError(outcome.reason, code=code)
            return
        with self._state:
            self._reviewed += 1
        if outcome.outcome is Outcome.WROTE:
            self._notices.wrote(outcome.source)


def _next_claim(critic: Critic) -> LaneClaim | None:
    return critic.store.claim_next(lease_seconds=critic.lease_seconds, attempts=critic.attempts, worker=critic.worker)
