"""A critic turn has a bounded number of door calls; what does not fit is not done, and is said so (R48, R49).

Owns the count of calls, identical ones included. Knows nothing of what the calls are for.
"""

from collections import Counter

from ferrule.bridge.door import Door
from ferrule.bridge.values import Details, SchemaRow, SearchKind, SearchReceipt
from ferrule.review.port import Limits

__all__ = ["CallBudget"]


class CallBudget:
    """Door calls within limits. The door records them; this only counts, so that the critic can plan ahead."""

    def __init__(self, door: Door, limits: Limits) -> None:
        self._door = door
        self._limits = limits
        self._used = 0
        self._same: Counter[tuple[str, str]] = Counter()

    @property
    def left(self) -> int:
        """How many calls are left."""
        return self._limits.calls - self._used

    def search(self, query: str, kind: SearchKind, *, candidate: str) -> SearchReceipt | None:
        """One search, or None when the limits leave no room for it."""
        return self._door.search(query, kind, candidate=candidate) if self._may("search", f"{kind}:{query}") else None

    def details(self, name: str, *, candidate: str) -> Details | None:
        """Current values of one prototype, or None when the limits leave no room."""
        return self._door.details(name, candidate=candidate) if self._may("details", name) else None

    def schema(self, name: str, *, candidate: str) -> tuple[SchemaRow, ...] | None:
        """Declarations of one prototype, or None when the limits leave no room."""
        return self._door.schema(name, candidate=candidate) if self._may("schema", name) else None

    def _may(self, tool: str, argument: str) -> bool:
        if self.left <= 0 or self._same[tool, argument] >= self._limits.identical_calls:
            return False
        self._used += 1
        self._same[tool, argument] += 1
        return True
