"""What a doctor finds is one sentence, and what to do about it is another.

Owns the form of a finding. Knows nothing of how one is found.
"""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Finding", "Level", "Patient", "note", "problem", "well"]


class Level(StrEnum):
    """How much a finding matters: a problem needs a hand, a note may be wanted so."""

    WELL = "well"
    NOTE = "note"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: `code` is stable, for programs; `fix` is empty where nothing is to be done."""

    level: Level
    code: str
    text: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Patient:
    """What was looked at: the home, or a client, and what was found of it."""

    name: str
    title: str
    place: str
    findings: tuple[Finding, ...]

    @property
    def needs_a_hand(self) -> bool:
        """Whether something is to be done."""
        return any(finding.level is Level.PROBLEM for finding in self.findings)


def problem(code: str, text: str, fix: str) -> Finding:
    """Something that needs a hand."""
    return Finding(Level.PROBLEM, code, text, fix)


def note(code: str, text: str, fix: str = "") -> Finding:
    """Something to know."""
    return Finding(Level.NOTE, code, text, fix)


def well(code: str, text: str) -> Finding:
    """Something that is as it should be."""
    return Finding(Level.WELL, code, text)
