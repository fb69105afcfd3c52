"""Only a normal source session is observed; everything else is declined with a reason and without a side effect (R9).

Owns the decision. Decides by stored profile and parent: a name never makes a session eligible, but a companion's
suffix, profile or parent each makes it ineligible, so that chains cannot recurse (R12, INV-I7). Eligible is exactly one
profile, spelled exactly; ineligible is whatever looks like a companion, however it is spelled. Knows nothing of stores.
"""

import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from ferrule.session.source import COMPANION_SUFFIX, CRITIC_PROFILE, SOURCE_PROFILE, SourceSession

__all__ = [
    "COMPANION_PROFILES",
    "COMPANION_SUFFIXES",
    "NO_SESSION",
    "Ineligibility",
    "Ineligible",
    "declined",
    "ineligible",
]

COMPANION_SUFFIXES = (
    COMPANION_SUFFIX,
    "-online-action-critic",
    "-online-session-memory-critic",
    "-online-critic",
    "-memory-critic",
    "-action-critic",
    "-action-learning",
    "-action-learning-critic",
    "-ontology-foundry",
    "-level-two",
    "-level-2",
    "-level2",
    "-level-two-watcher",
    "-level-2-watcher",
)
COMPANION_PROFILES = frozenset(
    {
        CRITIC_PROFILE,
        "online-action-critic",
        "online-session-action-critic",
        "offline-critic",
        "offline-session-critic",
        "action-learning",
        "action-learning-critic",
        "ontology-foundry",
        "level-two-watcher",
        "level-two",
        "level-2",
    }
)


class Ineligibility(StrEnum):
    """Why a session is not observed; the first that applies is told."""

    MISSING = "missing"
    COMPANION = "companion"
    SUBAGENT = "subagent"
    PROFILE = "profile"
    ARCHIVED = "archived"


@dataclass(frozen=True, slots=True)
class Ineligible:
    """A session that is not observed: the kind of reason for code, the sentence for people."""

    why: Ineligibility
    detail: str

    def __str__(self) -> str:
        return f"{self.why.value}: {self.detail}"


NO_SESSION = Ineligible(Ineligibility.MISSING, "there is no such session")


def ineligible(session: SourceSession | None, parent: SourceSession | None = None) -> Ineligible | None:
    """Why a session is not observed, or None when it is (R9-R12, R98).

    Args:
        session: the session as stored; None when there is none.
        parent: its parent as stored, when it has one.
    """
    if session is None:
        return NO_SESSION
    if _folded(session.key).endswith(COMPANION_SUFFIXES):
        return Ineligible(Ineligibility.COMPANION, "its key carries a companion's suffix")
    if _is_companion(session.profile):
        return Ineligible(Ineligibility.COMPANION, f"its profile is {session.profile}")
    if session.parent is not None:
        return _of_parent(session.parent, parent)
    if session.profile != SOURCE_PROFILE:
        return Ineligible(Ineligibility.PROFILE, f"{session.profile or 'none'} is not {SOURCE_PROFILE}")
    return Ineligible(Ineligibility.ARCHIVED, "it is archived") if session.archived else None


def declined(session: SourceSession | None, parent: SourceSession | None = None) -> str | None:
    """The sentence of `ineligible`, or None when the session is observed."""
    found = ineligible(session, parent)
    return None if found is None else str(found)


def _of_parent(key: str, parent: SourceSession | None) -> Ineligible:
    """A session with a parent is a subagent, a watcher or a companion, never a source of its own."""
    if (parent is not None and _is_companion(parent.profile)) or _folded(key).endswith(COMPANION_SUFFIXES):
        return Ineligible(Ineligibility.COMPANION, "its parent is a companion")
    return Ineligible(Ineligibility.SUBAGENT, "it has a parent session")


def _is_companion(profile: str) -> bool:
    name = _folded(profile)
    return name in COMPANION_PROFILES or name.endswith(COMPANION_SUFFIXES)


def _folded(name: str) -> str:
    """A name without what only the eye misses: case, width, kinds of dashes, invisible characters, outer spaces."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    kept = (("-" if unicodedata.category(char) == "Pd" else char) for char in plain)
    return "".join(char for char in kept if unicodedata.category(char) != "Cf").strip()
