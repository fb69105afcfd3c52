"""Stub."""

from ferrule.memory.submission import AdmissionView, Refusals
from ferrule.session.turn import Turn


def critic_ruling(text: str, turn: Turn, view: AdmissionView) -> Refusals:
    """Stub."""
    return Refusals(())
