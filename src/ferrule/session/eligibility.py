"""Only a normal source session is observed; everything else is declined with a reason and without a side effect (R9).

Owns the decision and the table of profiles that imported sessions get. Decides by stored profile and parent: a name
never makes a session eligible, but a companion's suffix makes it ineligible, so that chains cannot recurse (R12).
Knows nothing of stores.
"""

import tomllib
from functools import cache
from importlib import resources

from ferrule.session.source import COMPANION_SUFFIX, CRITIC_PROFILE, SOURCE_PROFILE, SourceSession

__all__ = ["COMPANION_PROFILES", "COMPANION_SUFFIXES", "declined", "imported_profile"]

COMPANION_SUFFIXES = (
    COMPANION_SUFFIX,
    "-online-action-critic",
    "-online-session-memory-critic",
    "-online-critic",
    "-memory-critic",
    "-action-critic",
    "-action-learning-critic",
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
        "action-learning-critic",
        "level-two-watcher",
        "level-two",
        "level-2",
    }
)


def declined(session: SourceSession | None, parent: SourceSession | None = None) -> str | None:
    """Why a session is not observed, or None when it is (R9-R12, R98).

    Args:
        session: the session as stored; None when there is none.
        parent: its parent as stored, when it has one.
    """
    if session is None:
        return "missing: there is no such session"
    profile = session.profile.strip().casefold()
    key = session.key.strip().casefold()
    if key.endswith(COMPANION_SUFFIXES):
        return "companion: its key carries a companion's suffix"
    if profile in COMPANION_PROFILES or profile.endswith(COMPANION_SUFFIXES):
        return f"companion: its profile is {session.profile}"
    if session.parent is not None:
        return _of_parent(session.parent, parent)
    if profile != SOURCE_PROFILE:
        return f"profile: {session.profile or 'none'} is not {SOURCE_PROFILE}"
    return "archived: it is archived" if session.archived else None


def _of_parent(key: str, parent: SourceSession | None) -> str:
    """A session with a parent is a subagent, a watcher or a companion, never a source of its own."""
    if parent is not None and parent.profile.strip().casefold() in COMPANION_PROFILES:
        return "companion: its parent is a companion"
    if key.strip().casefold().endswith(COMPANION_SUFFIXES):
        return "companion: its parent is a companion"
    return "subagent: it has a parent session"


def imported_profile(client: str, *, subagent: bool = False, kind: str = "") -> str:
    """The profile that an imported session gets, from the table that ships as data.

    Args:
        client: the client's name, such as `codex`.
        subagent: whether the client started the session by itself.
        kind: a special kind of session that the client knows, such as `review`.
    """
    table = _profiles()
    entries = {**table["default"], **table.get(client, {})}
    wanted = kind if kind in entries else "subagent" if subagent else "main"
    return entries[wanted]


@cache
def _profiles() -> dict[str, dict[str, str]]:
    text = resources.files("ferrule.session").joinpath("profiles.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
