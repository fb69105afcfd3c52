"""A transcript is reviewed in process: the same child, instructions and lane as any other delivery, no subscription.

Owns `ferrule review` (design.md section 2): eligibility first, then the turns that are not known yet, then the lane.
Reviewing the same transcript again changes nothing; first half, then the whole, ends as the whole at once (INV-I4).
Knows nothing of transcript formats.
"""

from collections.abc import Callable, Collection, Generator, Iterator

from ferrule.companion.binding import companion_of, misbound
from ferrule.companion.kinship import with_kin
from ferrule.companion.outcomes import Outcome, TurnOutcome
from ferrule.companion.patience import Patience
from ferrule.companion.ports import CompanionStore
from ferrule.companion.worker import Critic, parked, stored_outcome, work_lane
from ferrule.errors import Code
from ferrule.session.eligibility import declined
from ferrule.session.imported import ImportedSession
from ferrule.session.source import Instruction, InstructionState, Origin, SourceSession
from ferrule.session.turn import Turn

__all__ = ["companion_of", "review_import"]

_QUEUED = "still queued: an earlier turn failed, or another worker is reviewing this session"


def review_import(
    imported: ImportedSession,
    critic: Critic,
    *,
    only: Collection[str] | None = None,
    settled: Callable[[str], None] | None = None,
    patience: Patience | None = None,
) -> Generator[TurnOutcome, None, None]:
    """Store, queue and review the turns of one imported session; yields one outcome per turn, oldest first.

    Args:
        imported: the session as its importer read it, scrubbed.
        critic: what the worker works with.
        only: review just these turn keys; all turns when None.
        settled: called once with the session key after the lane has rested, when something was written: the
            projection is refreshed there, off the acknowledged path (D12).
        patience: how to wait while another process holds the lane.

    Raises:
        StoreError: the home cannot be written; what was committed before stays.
    """
    turns = sorted((turn for turn in imported.turns if only is None or turn.key in only), key=lambda turn: turn.ordinal)
    source = imported.session
    why = _why_not(critic.store, source) or _queue(critic.store, source, turns)
    if why is not None:
        yield from (_outcome(turn, Outcome.DECLINED, why, Code.NOT_ATTACHABLE) for turn in turns)
        return
    wrote = False
    try:
        for outcome in _outcomes(critic, turns, patience or Patience()):
            wrote = wrote or (outcome.outcome is Outcome.WROTE and not outcome.already)
            yield outcome
    finally:
        if wrote and settled is not None:
            settled(source.key)


def _why_not(store: CompanionStore, session: SourceSession) -> str | None:
    """Why this session is not reviewed; None when it may be. What is stored decides, where something is."""
    source = store.session(session.key) or session
    why = declined(source, store.session(source.parent) if source.parent else None)
    unbound = misbound(store, source.key) if why is None else None
    return why if unbound is None else unbound.reason


def _queue(store: CompanionStore, session: SourceSession, turns: list[Turn]) -> str | None:
    """Store the turns and queue those that were never queued, or withdrawn by a detach; or say why not.

    Decided once more in the unit that queues: the session may have been archived since (R98).
    """
    with store.unit():
        store.put_session(with_kin(store, session, (turn.key for turn in turns)))
        known = {key for _, key in store.turn_keys(session.key)}
        store.put_turns([turn for turn in turns if turn.key not in known])
        why = _why_not(store, session)
        waiting = [(turn.ordinal, turn.key) for turn in turns if _opens(store.instruction(session.key, turn.key))]
        if why is None and waiting:
            stored = store.session(session.key) or session
            store.enqueue(stored, companion_of(stored), waiting, Origin.IMPORT)
    return why


def _opens(before: Instruction | None) -> bool:
    return before is None or before.state is InstructionState.WITHDRAWN


def _outcomes(critic: Critic, turns: list[Turn], patience: Patience) -> Iterator[TurnOutcome]:
    """Turn by turn; turns that were left waiting by an earlier run are reviewed, and told of, on the way."""
    done: set[str] = set()
    halted = False
    for turn in turns:
        if turn.key in done:
            continue
        stored = stored_outcome(critic.store, turn.session, turn.key, turn.ordinal)
        if stored is not None:
            yield _again(stored)
            continue
        while turn.key not in done:
            for outcome in () if halted else work_lane(critic, turn.session):
                done.add(outcome.turn)
                yield outcome
                halted = outcome.outcome is Outcome.FAILED and not parked(critic.store, outcome)
                if outcome.turn == turn.key:
                    break
            if turn.key in done:
                break
            # Another worker may hold the lane just now; it may have been quicker, now or after a moment's wait.
            by_another = stored_outcome(critic.store, turn.session, turn.key, turn.ordinal)
            if by_another is None and not halted and patience.waited(critic.store, turn):
                by_another = stored_outcome(critic.store, turn.session, turn.key, turn.ordinal)
                if by_another is None:
                    continue
            done.add(turn.key)
            yield by_another or _not_reviewed(critic, turn)


def _again(stored: TurnOutcome) -> TurnOutcome:
    return TurnOutcome(
        stored.source,
        stored.turn,
        stored.ordinal,
        stored.outcome,
        reason=stored.reason,
        already=True,
        review=stored.review,
    )


def _not_reviewed(critic: Critic, turn: Turn) -> TurnOutcome:
    """Why the lane did not come to this turn."""
    standing = critic.store.instruction(turn.session, turn.key)
    if standing is not None and standing.state is InstructionState.PARKED:
        return _outcome(turn, Outcome.FAILED, f"given up after several attempts: {standing.reason}", Code.BUDGET)
    return _outcome(turn, Outcome.FAILED, _QUEUED, Code.IO_FAILED)


def _outcome(turn: Turn, outcome: Outcome, reason: str, code: Code) -> TurnOutcome:
    return TurnOutcome(turn.session, turn.key, turn.ordinal, outcome, reason=reason, code=code)
