"""What an agent's host calls after each turn: deliver, attach, dispatch, and it returns at once (R72-R84, R96).

Owns the public Python API. What is to be expected comes back as a value (`Attached`, `Queued`, `Declined` …) to match
on; only misuse and a home that cannot be used are raised, all of it `ferrule.FerruleError`. Knows nothing of how an
answer is come by.

    from ferrule import Delivered, Ferrule

    with Ferrule() as ferrule:
        delivered = ferrule.deliver(turn)       # a completed turn in the neutral form
        if isinstance(delivered, Delivered):
            print(ferrule.attach(*delivered))   # reviewed by a worker, as are the next ones:
        print(ferrule.dispatch(event, turn=next_turn))
"""

import json
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Literal

from ferrule.errors import Code, FerruleError, UsageError
from ferrule.interfaces.python.opened import OpenedHome
from ferrule.session.gate import Evaluation
from ferrule.session.keys import is_text
from ferrule.session.subscriptions import Delivery
from ferrule.wiring.answers import Attachment, Declined, Detached, FeedbackAnswer
from ferrule.wiring.attaching import Wish, attach, detach, feedback
from ferrule.wiring.dispatching import Answered, Delivered, deliver, dispatch
from ferrule.wiring.gating import evaluating
from ferrule.wiring.handover import turn_of
from ferrule.wiring.resting import Rested, pause, resume
from ferrule.wiring.sessions import SessionRow, overview
from ferrule.wiring.standing import Standing, standing
from ferrule.wiring.working import Wake, Woken, wake

__all__ = ["Delivered", "Ferrule"]

Road = Literal["local", "queue-input", "webhook"]


class Ferrule(OpenedHome):
    """Ferrule's companion for the sessions of one home, from inside a host's process.

    Safe to use from several threads; a forked child opens its own. No method waits for a review but `review_pending`.
    Every method raises `UsageError` after `close` and `StoreError` when the home cannot be used; sources and turns are
    named by their exact keys.
    """

    def attach(self, source: str, turn: str | None = None, wish: Wish | None = None) -> Attachment:
        """Attach the critic to a source and have exactly one completed turn reviewed (R73-R77).

        Args:
            source: the source session's key.
            turn: the turn's key, whose text was delivered or imported before; None for the newest stored one.
            wish: reviewer, delivery of future events and their expiry; what is left out stays as it was.
        """
        return attach(self.opened(), source, turn, wish)

    def detach(self, source: str) -> Detached | Declined:
        """Stop the reviews of a source's future turns; what waits is withdrawn, memory stays (R96)."""
        return detach(self.opened(), source)

    def feedback(self, source: str, turn: str, value: Literal["up", "neutral", "down"]) -> FeedbackAnswer:
        """Keep what a person thinks of a turn: `up` attaches and queues it, the others start nothing (R72)."""
        return feedback(self.opened(), source, turn, value)

    def deliver(self, turn: Mapping[str, object]) -> Delivered | Declined:
        """Store the text of one completed turn, scrubbed of secrets, so that it can be attached to or dispatched.

        Queues nothing. Delivering a turn again changes nothing. Returns the keys of its session and of the turn, or
        `Declined`: `TURN_NOT_COMPLETED` without words or an outcome (R76), `NOT_ATTACHABLE` for no source (R9).

        Args:
            turn: the neutral form (design.md section 8): `session_key`, `profile`, `turn_key`, `user`, `outcome`, and
                optionally `ordinal`, `cwd`, `git_branch`, `completed_at`, `steering`, `tool_results`, `artifacts`.
                Without an ordinal it is the next to arrive.

        Raises:
            UsageError: it is no such form, or a key in it is none.
        """
        home = self.opened()
        handed = turn_of(home, turn)
        return handed if isinstance(handed, Declined) else deliver(home, handed)

    def dispatch(
        self,
        envelope: str | bytes | Mapping[str, object],
        *,
        road: Road | Delivery = Delivery.LOCAL,
        signature: str | None = None,
        turn: Mapping[str, object] | None = None,
    ) -> Answered:
        """Take one event: its turn is queued for review, or the answer says why not (R79-R82, R92).

        Args:
            envelope: `{EventId, EventType, SourceSessionKey, TargetSessionKey, OccurredUtc, Data: {TurnKey}}`.
            road: how it came; a subscription takes its events by one road only.
            signature: the `X-Ferrule-Signature` that came with it, for a webhook: over these very bytes.
            turn: the event's turn in the neutral form, stored together with it; None when it was delivered before.

        Raises:
            UsageError: `WRONG_SESSION` when the turn is not the event's; or it is no turn, or the road is none.
        """
        home = self.opened()
        handed = None if turn is None else turn_of(home, turn)
        return dispatch(home, _raw(envelope), road=_road(road), signature=signature, handed=handed)

    def pause(self, source: str) -> Rested | Declined:
        """Let a source's reviews rest; its turns go on queueing."""
        return pause(self.opened(), source)

    def resume(self, source: str, *, parked: bool = False) -> Rested | Declined:
        """Let a source's reviews go on; with `parked` also what was given up waits again."""
        return resume(self.opened(), source, parked=parked)

    def evaluating(self, source: str, *, seconds: float | None = None) -> AbstractContextManager[Evaluation]:
        """Say that a source is being evaluated: memory is written before or afterwards, never meanwhile (R78).

        Attach, feedback and dispatch may be called inside and return at once. `review_pending` may not.

        Args:
            source: the source session's key.
            seconds: how long to wait for another evaluation of it; None for half a minute.

        Raises:
            GateBusy: another evaluation of this source did not end in time.
        """
        return evaluating(self.opened().path, source, seconds=seconds)

    def status(self, source: str) -> Standing:
        """How a source and its companion stand.

        Raises:
            UsageError: there is no such session.
        """
        home = self.opened()
        if not is_text(source) or home.store.session(source) is None:
            raise UsageError(f"no session is called {source!r:.240}", code=Code.BAD_KEY)
        return standing(home, source).sources[0]

    def sessions(self, *, hidden: bool = False) -> tuple[SessionRow, ...]:
        """The sessions of the home, the one with the newest turn first; companions only when asked for (R1)."""
        return overview(self.opened(), hidden=hidden)

    def review_pending(self, source: str | None = None) -> tuple[dict[str, object], ...]:
        """Review what waits, in this thread, for a host that runs no worker; returns the reviews with their sessions.

        This is the only method that waits for reviews. Call it between turns, never while evaluating.

        Args:
            source: only this source's lane; None for all.
        """
        from ferrule.wiring.pending import review_pending  # noqa: PLC0415 - a host with a worker never loads a reviewer

        return tuple(review_pending(self.opened(), source))

    def wake(self) -> Woken:
        """See to it that a worker looks at what waits, starting one if need be. Never raises, never waits (R77)."""
        try:
            return wake(self.opened())
        except FerruleError as error:
            return Woken(Wake.FAILED, str(error))


def _raw(envelope: str | bytes | Mapping[str, object]) -> str | bytes:
    if isinstance(envelope, str | bytes):
        return envelope
    if not isinstance(envelope, Mapping):
        raise UsageError("an event is an object, or its JSON text", code=Code.BAD_TOOL_ARGS)
    try:
        return json.dumps(dict(envelope))
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"the envelope is no JSON: {error}", code=Code.BAD_TOOL_ARGS) from error


def _road(road: str) -> Delivery:
    try:
        return Delivery(road)
    except ValueError as error:
        roads = ", ".join(mode.value for mode in Delivery)
        raise UsageError(f"a road is {roads}, not {road!r:.40}", code=Code.BAD_TOOL_ARGS) from error
