"""A reviewer that is slow, fails or hangs as the seed says, and a desk that commits one small memory per turn.

Owns both. Every review adds one value of its own to the one memory of its source, so that a lost update, a second
effect, or an effect in a foreign session can be seen in the file. Knows nothing of schedules or of the judge.
"""

import hashlib
from collections.abc import Callable
from typing import cast

from ferrule.bridge.door import Door, ReviewDesk
from ferrule.bridge.values import Call, Claim, Evidence, MentionRef, Modality, Proves, Receipt, TurnReview
from ferrule.bridge.values import Stage as Pass
from ferrule.errors import Code, UsageError
from ferrule.memory.merge import canonical
from ferrule.memory.ports import MemoryStore, ReviewCommit, StagedWrite
from ferrule.ontology.values import LayerName, Property, Prototype
from ferrule.review.port import Limits, ReviewDraft
from ferrule.session.source import LaneClaim
from ferrule.session.turn import Turn

__all__ = ["MEMORY", "PlainDesk", "StubReviewer", "property_of", "value_of"]

MEMORY = "Harbour"


def property_of(ordinal: int) -> str:
    """The one property that the review of a turn adds."""
    return f"BerthPathAtTurn{ordinal}"


def value_of(source: str, turn: str) -> str:
    """Its value: it tells whose it is."""
    return f"/quay/{hashlib.sha256(source.encode()).hexdigest()[:8]}/{turn}.md"


class PlainDoor:
    """What the stub reviewer sees of a turn; its one write is recorded as the real door would."""

    def __init__(self, turn: Turn, write: StagedWrite) -> None:
        self.turn = turn
        self.write = write

    def record(self) -> tuple[Call, ...]:
        """The one accepted write."""
        return (Call("c1", Pass.PROPERTIES, "write", MEMORY, (), ok=True, values=(MEMORY,)),)


class PlainDesk(ReviewDesk):
    """Opens plain doors and commits through the real store; what a definition may say is not its business."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    def open(self, claim: LaneClaim) -> Door:
        """A door for the claimed turn; refused when its text is gone."""
        turn = self._store.turn(claim.source, claim.instruction.turn)
        if turn is None:
            raise UsageError(f"{claim.instruction.turn} is not kept any more", code=Code.TURN_NOT_COMPLETED)
        before = self._store.layer(claim.source).get(MEMORY)
        return cast("Door", PlainDoor(turn, _write(turn, before)))

    def commit(self, door: Door, review: TurnReview, claim: LaneClaim) -> tuple[Receipt, ...]:
        """Commit the one write that was staged when the door was opened."""
        plain = cast("PlainDoor", door)
        turn = plain.turn
        form: dict[str, object] = {
            "turn": {"key": turn.key, "ordinal": turn.ordinal},
            "outcome": "wrote",
            "reason": review.reason,
            "candidates": [],
            "written": [],
        }
        commit = ReviewCommit(
            session=turn.session,
            turn=turn.key,
            ordinal=turn.ordinal,
            staged=(plain.write,),
            refused=(),
            outcome="wrote",
            review=form,
            marker=review.marker,
            read_revision=0,
            reviewer=review.reviewer,
        )
        return self._store.commit(commit, claim)


def _write(turn: Turn, before: Prototype | None) -> StagedWrite:
    name, value = property_of(turn.ordinal), value_of(turn.session, turn.key)
    added = Property(name, "String", value, declares=True, assigned=True)
    held = before.properties if before is not None else ()
    merged = Prototype(MEMORY, ("Document",), (*held, added), LayerName.SESSION)
    text = f'prototype {MEMORY} : Document {{ String {name} = @"{value}"; }}'
    return StagedWrite(
        prototype=merged,
        action="created" if before is None else "augmented",
        definition=text,
        merged=canonical(merged),
        handles=(),
        keys=(f"path:{value}",),
        phrases=(),
        modality=Modality.CREATED,
        claims=(Claim(name, value, (Evidence(MentionRef("m1"), Proves.HANDLE),), Modality.CREATED),),
        excerpts=(),
        candidate=MEMORY,
    )


class StubReviewer:
    """Does with each turn what it is told to; `behave` may take its time, fail, or never come back."""

    def __init__(self, behave: Callable[[], None]) -> None:
        self._behave = behave

    @property
    def name(self) -> str:
        """`stub-1`."""
        return "stub-1"

    def review(self, door: Door, limits: Limits) -> ReviewDraft:  # noqa: ARG002 - a stub has neither
        """Behave, then have nothing more to say."""
        self._behave()
        return ReviewDraft((), (), "stub")
