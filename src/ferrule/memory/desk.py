"""A claimed instruction gets a door, a finished review is handed in: the source's side of one critic turn.

Owns opening the door for exactly the claimed turn and committing what was staged through it as one unit of work
(design.md section 2, step 12), under the source's evaluate gate and for nothing else than the commit (R78). Knows
nothing of lanes, workers or how the critic came to its candidates.
"""

from collections.abc import Callable
from dataclasses import replace
from weakref import WeakKeyDictionary

from ferrule.bridge.door import Door, ReviewDesk
from ferrule.bridge.json_form import JsonObject, review_form, written_form
from ferrule.bridge.values import Receipt, TurnReview, TurnView
from ferrule.bridge.view import view_of
from ferrule.errors import Code, GateBusy, InternalError, StoreError, UsageError
from ferrule.memory.door import DoorLimits, NLMemoryDoor
from ferrule.memory.ports import MemoryStore, RefusedWrite, ReviewCommit, StagedWrite
from ferrule.memory.rules.disguises import hidden_kind
from ferrule.memory.showing import value_text
from ferrule.memory.speakable import speakable
from ferrule.ontology.layer import PrototypeLayer
from ferrule.ontology.values import Prototype, Ref, Value
from ferrule.referents.secrets.detect import find_secrets
from ferrule.session.gate import EvaluateGate
from ferrule.session.source import LaneClaim

__all__ = ["MemoryDesk", "json_value"]

# The text of these is not kept, not even in the review: it may be the very thing that must not be stored.
MAX_KEPT = 16 * 1024
_UNSPEAKABLE = frozenset({Code.SECRET_VALUE.value, Code.BAD_TEXT.value, Code.TOO_LARGE.value})


class MemoryDesk(ReviewDesk):
    """The desk of one home.

    Args:
        store: where memory is kept.
        permanent: the ontology below every session.
        limits: of each door.
        gate: the evaluate gate of the home; a gate of this desk alone when None.
        permanent_of: the layer below one session, where its project adds to `permanent`; None where none does.
    """

    def __init__(
        self,
        store: MemoryStore,
        permanent: PrototypeLayer,
        limits: DoorLimits | None = None,
        *,
        gate: EvaluateGate | None = None,
        permanent_of: Callable[[str], PrototypeLayer] | None = None,
    ) -> None:
        self._store = store
        self._permanent_of = permanent_of or (lambda _session: permanent)
        self._limits = limits
        self._gate = gate or EvaluateGate()
        self._waiting: WeakKeyDictionary[NLMemoryDoor, int] = WeakKeyDictionary()

    def open(self, claim: LaneClaim) -> NLMemoryDoor:
        """A fresh door for the claimed turn.

        Raises:
            UsageError: `TURN_NOT_COMPLETED` when the turn is unknown or its text is past its retention.
        """
        turn = self._store.turn(claim.source, claim.instruction.turn)
        if turn is None:
            raise UsageError(
                f"{claim.source}: turn {claim.instruction.turn} is unknown or no longer kept",
                code=Code.TURN_NOT_COMPLETED,
            )
        return NLMemoryDoor(self._store, self._permanent_of(claim.source), view_of(turn), self._limits)

    def commit(self, door: Door, review: TurnReview, claim: LaneClaim) -> tuple[Receipt, ...]:
        """Commit staged definitions, receipts, review and the instruction's "done" in one transaction.

        The record is the door's, whatever the review carries (R48).

        Raises:
            GateBusy: the source is being evaluated and did not leave its gate in time (CASE-M08); nothing was
                committed. The instruction is given back as if it had not been attempted, and door and review may be
                handed in again under its next claim.
            StoreError: nothing was committed; `STALE_REVISION` when another worker has the lane, or when memory was
                changed while a review waited for the gate: it has to be made again.
        """
        if not isinstance(door, NLMemoryDoor):
            raise InternalError("a review was handed in with a door of another house")
        view = door.view
        if (view.source, view.turn) != (claim.source, claim.instruction.turn):
            raise UsageError(f"{claim.source}: the review is of another turn", code=Code.WRONG_SESSION)
        staged = tuple(replace(write, candidate=speakable(write.candidate)) for write in door.staged())
        refused = tuple(_speakable(write) for write in door.refused())
        review = replace(review, source=view.source, turn=view.turn, ordinal=view.ordinal, calls=door.record())
        form, marker = speakable((self._form(review, view, staged, refused), review.marker))
        commit = ReviewCommit(
            session=view.source,
            turn=view.turn,
            ordinal=view.ordinal,
            staged=staged,
            refused=refused,
            outcome="wrote" if staged else "nothing",
            review=form,
            marker=marker,
            read_revision=door.read_revision,
            reviewer=review.reviewer,
        )
        seen = self._store.revision(view.source)
        try:
            with self._gate.of(view.source):
                self._check_wait(door)
                return self._store.commit(commit, claim)
        except GateBusy:
            self._waiting.setdefault(door, seen)
            raise

    def _check_wait(self, door: NLMemoryDoor) -> None:
        """A review that was handed in before may have waited long; a person may have written or forgotten things."""
        source = door.view.source
        seen = self._waiting.get(door)
        if seen is not None and seen != self._store.revision(source):
            raise StoreError(f"{source}: memory was changed while its review waited", code=Code.STALE_REVISION)

    def _form(
        self, review: TurnReview, view: TurnView, staged: tuple[StagedWrite, ...], refused: tuple[RefusedWrite, ...]
    ) -> JsonObject:
        layer = self._store.layer(view.source)
        return review_form(
            review,
            view,
            written=[_written(write, layer.get(write.prototype.name)) for write in staged],
            refused=[
                {"candidate": write.candidate, "definition": write.definition, "refusals": list(write.refusals)}
                for write in refused
            ],
            outcome="wrote" if staged else "nothing",
        )


def _written(write: StagedWrite, before: Prototype | None) -> JsonObject:
    """What one write added: properties that were valued before are not its doing."""
    added = {
        prop.name: json_value(prop.value)
        for prop in write.prototype.properties
        if prop.assigned and not _valued(before, prop.name)
    }
    form = written_form(
        prototype=write.prototype.name,
        bases=write.prototype.bases,
        action=write.action,
        properties=added,
        handles=[handle for handle in write.handles if handle.property in added],
        modality=write.modality.value,
        definition=write.definition,
    )
    return form | {"candidate": write.candidate}


def json_value(value: Value) -> object:
    """A value as JSON: a reference is the name it refers to, a list a list."""
    if isinstance(value, tuple):
        return [json_value(element) for element in value]
    return value_text(value) if isinstance(value, Ref) else value


def _valued(before: Prototype | None, name: str) -> bool:
    held = before.own(name) if before is not None else None
    return held is not None and held.assigned


def _speakable(write: RefusedWrite) -> RefusedWrite:
    secret = write.length > MAX_KEPT or find_secrets(write.definition) or hidden_kind(write.definition)
    hidden = secret or _UNSPEAKABLE & set(write.codes)
    return replace(write, candidate=speakable(write.candidate), definition="" if hidden else write.definition)
