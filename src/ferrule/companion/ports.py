"""What the companion asks of a store: sessions, turns, and lanes that keep order and fencing.

Owns the port; `adapters.sqlite` implements it and `tests/contracts` holds the suite that another store must pass.
"""

from collections.abc import Sequence
from typing import Protocol

from ferrule.session.source import Instruction, LaneClaim, Origin, SourceSession
from ferrule.session.turn import Turn

__all__ = ["CompanionStore"]


class CompanionStore(Protocol):
    """Sessions, immutable turns and one lane per source."""

    def session(self, key: str) -> SourceSession | None:
        """The stored session, or None."""
        ...

    def sessions(self, *, hidden: bool = False) -> tuple[SourceSession, ...]:
        """All sessions, the one with the newest turn first; hidden ones only when asked for (R1)."""
        ...

    def put_session(self, session: SourceSession) -> None:
        """Create or refresh a session's facts; profile and parent of a stored one never change."""
        ...

    def put_turns(self, turns: Sequence[Turn]) -> int:
        """Store completed turns, immutable from then on; returns how many were new (INV-I4)."""
        ...

    def turn_keys(self, source: str) -> tuple[tuple[int, str], ...]:
        """(ordinal, key) of the stored turns, in order."""
        ...

    def enqueue(
        self, source: SourceSession, companion: SourceSession, turns: Sequence[tuple[int, str]], origin: Origin
    ) -> tuple[Instruction, ...]:
        """One transaction: ensure the child, add one instruction per turn unless it exists (R74, R75, R92)."""
        ...

    def claim(self, source: str, *, lease_seconds: float, attempts: int = 5) -> LaneClaim | None:
        """Claim the source's oldest waiting instruction and raise the lane's epoch.

        None when none waits or another worker holds the lane. An instruction whose worker died in each of `attempts`
        attempts is parked on the way.
        """
        ...

    def release(self, claim: LaneClaim) -> None:
        """Give an unfinished instruction back, as if it had not been attempted."""
        ...

    def review(self, session: str, turn: str) -> dict[str, object] | None:
        """The stored review of a turn in its JSON form (design.md section 8), or None."""
        ...

    def fail(self, claim: LaneClaim, reason: str, *, attempts: int) -> None:
        """Return the instruction to waiting with its reason, or park it after `attempts` attempts."""
        ...

    def instruction(self, source: str, turn: str) -> Instruction | None:
        """The instruction for one turn, or None."""
        ...
