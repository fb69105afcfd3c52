"""The one door between critic and source, as protocols: what a critic can do, and nothing else (R50, R93).

Owns the shape of the door. `memory` stands behind it, `review` in front; neither knows the other. Knows nothing of how
a search is made or a definition is judged.
"""

from typing import Protocol

from ferrule.bridge.values import (
    Answer,
    Call,
    Details,
    Found,
    Proposal,
    Receipt,
    SchemaRow,
    SearchKind,
    SearchReceipt,
    Stage,
    TurnReview,
    TurnView,
)
from ferrule.session.source import LaneClaim

__all__ = ["Door", "ReviewDesk", "SourceReader"]


class Door(Protocol):
    """One critic turn's door, bound to one source and one turn; every call through it is recorded."""

    def read_turn(self) -> TurnView:
        """The reviewed turn."""
        ...

    def enter(self, stage: Stage) -> None:
        """Say which pass the following calls belong to. Properties cannot go back to identity (R31)."""
        ...

    def search(self, query: str, kind: SearchKind, *, candidate: str = "") -> SearchReceipt:
        """Search the source's whole ontology, staged writes of this review included (R35)."""
        ...

    def details(self, name: str, *, candidate: str = "") -> Details:
        """Current values of a prototype (R42)."""
        ...

    def schema(self, name: str, *, candidate: str = "") -> tuple[SchemaRow, ...]:
        """All resolved declarations of a prototype (R43). Empty when unknown."""
        ...

    def list(self) -> tuple[str, ...]:
        """Names of the source's session-local memories."""
        ...

    def plan(self) -> str:
        """The source's plan, scrubbed; empty when it has none."""
        ...

    def scratch(self) -> str:
        """The source's scratch notes, scrubbed; empty when it has none."""
        ...

    def tasks(self) -> tuple[str, ...]:
        """The source's task names; empty when it has none."""
        ...

    def check(self, proposal: Proposal) -> Answer:
        """The same verdict as `write`, without staging."""
        ...

    def write(self, proposal: Proposal) -> Answer:
        """Judge and stage one definition; it becomes memory when the review commits (R50, R51)."""
        ...

    def record(self) -> tuple[Call, ...]:
        """Every call made through this door so far."""
        ...


class ReviewDesk(Protocol):
    """Where the companion gets a door for a claimed instruction and hands the finished review in."""

    def open(self, claim: LaneClaim) -> Door:
        """A fresh door for that turn; TURN_NOT_COMPLETED or WRONG_SESSION as `FerruleError` when it cannot be read."""
        ...

    def commit(self, door: Door, review: TurnReview, claim: LaneClaim) -> tuple[Receipt, ...]:
        """Commit staged definitions, receipts, review and the instruction's "done" in one transaction under the epoch.

        Raises:
            StoreError: nothing was committed; `STALE_REVISION` when the claim's epoch is no longer the lane's.
        """
        ...


class SourceReader(Protocol):
    """Reading without a record, for recall, MCP, HTTP and CLI; bound to one source session (R87, INV-I7)."""

    @property
    def source(self) -> str:
        """The session key it is bound to."""
        ...

    def find(self, query: str, *, limit: int = 10) -> Found:
        """Best matches by handle, name, alias, words or fragment, best first, in the current view (R35).

        Raises:
            StoreError: the memory cannot be read; that is not the same as finding nothing (CASE-L14).
        """
        ...

    def under(self, kind: str, *, query: str = "", limit: int = 10, after: str = "") -> Found:
        """Everything that is of a kind, subtypes included; with a query only what it finds, best first.

        Without a query in the order of names, the first ones behind `after`: the last name of a page leads to the next.

        Raises:
            StoreError: the memory cannot be read.
        """
        ...

    def search(self, query: str, *, limit: int = 10) -> tuple[Details, ...]:
        """The answers of `find`."""
        return self.find(query, limit=limit).answers

    def details(self, name: str) -> Details:
        """Current values of one prototype."""
        ...

    def schema(self, name: str) -> tuple[SchemaRow, ...]:
        """All resolved declarations of a prototype."""
        ...

    def list(self, *, limit: int = 1000) -> tuple[Details, ...]:
        """The session-local memories in the current view, newest revision first."""
        ...

    def review_of(self, turn: str) -> dict[str, object] | None:
        """The stored review of one turn in its JSON form (design.md section 8), or None."""
        ...
