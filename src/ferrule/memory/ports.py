"""What NLMemory asks of a store: one commit per review, and reading back.

Owns the port and the values that cross it. `adapters.sqlite` implements it. Knows nothing of SQL.
"""

from collections.abc import Hashable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from ferrule.bridge.values import Claim, HandleView, Modality, Receipt
from ferrule.ontology.layer import PrototypeLayer
from ferrule.ontology.values import Prototype
from ferrule.session.source import LaneClaim
from ferrule.session.turn import Turn

__all__ = [
    "Entry",
    "MemoryStore",
    "Provenance",
    "RefusedWrite",
    "ReviewCommit",
    "StagedWrite",
    "StandingWrite",
    "Tombstone",
]


@dataclass(frozen=True, slots=True)
class StagedWrite:
    """One accepted definition: the merged prototype as it will stand, and what this write added.

    `definition` is the canonical text of what was written (D11), `merged` that of the whole prototype after it; `keys`
    the identity keys of every handle of the merged prototype; `excerpts` the cited evidence as (property, role, text),
    the text at most 200 characters each.
    """

    prototype: Prototype
    action: str
    definition: str
    merged: str
    handles: tuple[HandleView, ...]
    keys: tuple[str, ...]
    phrases: tuple[str, ...]
    modality: Modality
    claims: tuple[Claim, ...]
    excerpts: tuple[tuple[str, str, str], ...]
    candidate: str = ""
    person: bool = False


@dataclass(frozen=True, slots=True)
class RefusedWrite:
    """One refused definition: leaves a receipt with code and hash, none of its text."""

    candidate: str
    definition_sha256: str
    codes: tuple[str, ...]
    definition: str = ""
    refusals: tuple[dict[str, object], ...] = ()
    length: int = 0


@dataclass(frozen=True, slots=True)
class ReviewCommit:
    """Everything that one review changes, for one transaction. `review` is its JSON form (design.md section 8)."""

    session: str
    turn: str
    ordinal: int
    staged: tuple[StagedWrite, ...]
    refused: tuple[RefusedWrite, ...]
    outcome: str
    review: dict[str, object]
    marker: str
    read_revision: int
    reviewer: str = ""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where one property value came from (R95): for the current view and for `explain`."""

    property: str
    turn: str
    ordinal: int
    modality: Modality
    by_user: bool
    by_action: bool


@dataclass(frozen=True, slots=True)
class Tombstone:
    """What a person has told Ferrule to forget, by identity key (D14)."""

    session: str
    key: str
    name: str
    at: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One memory in the readable file: its text while nothing refers in circles; `linked` when it refers to others."""

    name: str
    bases: tuple[str, ...]
    text: str
    linked: Prototype | None = None


@dataclass(frozen=True, slots=True)
class StandingWrite:
    """One accepted write that still stands.

    Attributes:
        number: of its receipt.
        name: the memory.
        turn: the reviewed turn, empty for a person's own.
        at: when, in UTC.
        action: `created` or `augmented`.
        definition: what was written.
        properties: what it valued.
        whole: whether it is the only one of its memory, so that undoing it takes the memory away.
        held: whether later writes of its memory stand on it, so that it cannot be undone before them.
    """

    number: int
    name: str
    turn: str
    at: str
    action: str
    definition: str
    properties: tuple[str, ...]
    whole: bool
    held: bool


class MemoryStore(Protocol):
    """The store behind NLMemory, for all sessions of one home."""

    def looking(self) -> AbstractContextManager[Hashable]:
        """One view of the store over every question that this thread asks inside, for a moment: nothing is changed.

        What belongs to one answer is read as of one time, and what is asked twice is read once. Gives a mark: two equal
        ones mean that nothing was changed in between.
        """
        ...

    def layer(self, session: str) -> PrototypeLayer:
        """The session layer, reading committed rows only."""
        ...

    def lineage(self, session: str) -> tuple[PrototypeLayer, ...]:
        """Read-only layers of the other members of the session's lineage, nearest first."""
        ...

    def turn(self, session: str, key: str) -> Turn | None:
        """A stored turn, or None when unknown or past its retention."""
        ...

    def turn_keys(self, source: str) -> tuple[tuple[int, str], ...]:
        """(ordinal, key) of the stored turns, in order."""
        ...

    def revision(self, session: str) -> int:
        """The session's revision: grows by one with every commit that changes memory."""
        ...

    def touched_after(self, session: str, revision: int, keys: Sequence[str]) -> bool:
        """Whether a commit after `revision` touched one of these identity keys or folded phrases."""
        ...

    def tombstones(self, session: str, keys: Sequence[str]) -> tuple[Tombstone, ...]:
        """The tombstones among these identity keys or folded phrases, the lineage's included (D14)."""
        ...

    def provenance(self, session: str, name: str) -> tuple[Provenance, ...]:
        """Provenance of every value of one memory, oldest first."""
        ...

    def commit(self, commit: ReviewCommit, claim: LaneClaim) -> tuple[Receipt, ...]:
        """One transaction: memories, indexes, receipts, review and the instruction's "done", guarded by the epoch.

        Raises:
            StoreError: `STALE_REVISION` when the lane's epoch is newer; nothing is committed.
        """
        ...

    def commit_person(self, session: str, write: StagedWrite, *, turn: tuple[int, str] | None = None) -> Receipt:
        """A person's own memory: one definition, one receipt (D5).

        Args:
            session: whose.
            write: what was admitted.
            turn: (ordinal, key) of the turn on which it was judged as a critic's write: it is kept as that turn's, with
                its claims and excerpts. None for a person's own word.
        """
        ...

    def commit_people(self, session: str, writes: Sequence[StagedWrite], seen: int) -> tuple[Receipt, ...]:
        """A person's own memories together: one transaction, one revision, a receipt for each, in their order.

        Args:
            session: whose.
            writes: judged in their order, each as if those before it were committed.
            seen: the session's revision that they were judged on.

        Raises:
            StoreError: `STALE_REVISION` when anything was committed since; nothing is.
        """
        ...

    def standing_writes(self, session: str) -> tuple[StandingWrite, ...]:
        """Every accepted write of a session that still stands, oldest first."""
        ...

    def undo(self, session: str, number: int) -> Receipt:
        """Undo the write with that receipt: what it alone valued goes, a tombstone and one more receipt stay (D8, D14).

        Raises:
            StoreError: `STALE_REVISION` when no such write stands, or later ones of its memory stand on it; nothing is
                changed.
        """
        ...

    def forget(self, session: str, names: Sequence[str]) -> tuple[Receipt, ...]:
        """Remove memories and leave tombstones for their keys (D8, D14)."""
        ...

    def attest(self, session: str, verdict: str, writes: Sequence[tuple[str, str]]) -> tuple[Receipt, ...]:
        """Receipts for (prototype, text) that a person had written elsewhere (`promoted`); memory stays (DEC-D8)."""
        ...

    def unforget(self, session: str, key: str) -> int:
        """Lift tombstones by identity key or prototype name; returns how many. Each name leaves a receipt."""
        ...

    def review(self, session: str, turn: str) -> dict[str, object] | None:
        """The stored review of a turn in its JSON form, or None."""
        ...

    def receipts(self, session: str | None = None) -> tuple[Receipt, ...]:
        """The receipt chain, oldest first."""
        ...

    def definitions(self, session: str) -> tuple[tuple[str, str], ...]:
        """(name, merged canonical definition) of every memory, oldest first."""
        ...

    def prototypes(self, session: str) -> tuple[Prototype, ...]:
        """Every memory of a session as a merged prototype, oldest first."""
        ...

    def entries(self, session: str) -> tuple[Entry, ...]:
        """Every memory of a session as its entry in the readable file, oldest first; one that stands costs nothing."""
        ...

    def definition(self, session: str, name: str) -> str:
        """The merged canonical definition of one memory; empty when there is none."""
        ...

    def handles(self, session: str, name: str) -> tuple[HandleView, ...]:
        """The handles of one memory with the identity keys they were admitted under."""
        ...

    def recent(self, session: str, limit: int) -> tuple[str, ...]:
        """Names of the session's memories, the newest revision first."""
        ...

    def prepare(self, session: str, names: Sequence[str]) -> None:
        """Read at once what answers about these names will ask for; inside `looking` alone, and changes no answer."""
        ...

    def vectors(self, session: str, digest: str) -> tuple[tuple[str, bytes], ...]:
        """(name, vector) of the session's memories that have one by the model of this digest, oldest first."""
        ...

    def without_vector(self, session: str, digest: str, limit: int) -> tuple[str, ...]:
        """Names of memories that the model of this digest has not seen as they stand, oldest first."""
        ...

    def put_vectors(self, session: str, digest: str, vectors: Mapping[str, tuple[str, bytes]]) -> None:
        """Keep (definition it was made of, vector) by name; one whose definition has changed since is dropped.

        Raises:
            StoreError: the store cannot be written.
        """
        ...

    def writes(self, session: str) -> tuple[tuple[str, str], ...]:
        """(prototype, definition) of every accepted write that still stands, oldest first."""
        ...

    def turn_of(self, session: str, name: str) -> tuple[str, str]:
        """(turn key, modality) of the memory's last write; empty strings for a person's own."""
        ...

    def all_tombstones(self, session: str) -> tuple[Tombstone, ...]:
        """Everything that a person has told Ferrule to forget in a session, oldest first."""
        ...
