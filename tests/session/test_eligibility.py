"""Who is observed and who is not."""

from dataclasses import replace

import pytest

from ferrule.session.eligibility import declined
from ferrule.session.profiles import imported_profile
from ferrule.session.source import CRITIC_PROFILE, SOURCE_PROFILE, SourceSession

SOURCE = SourceSession(key="claude-code:9d2f", profile=SOURCE_PROFILE)

SPECIALISED = [
    *("claude-code-subagent", "codex-subagent", "codex-review", "code-reviewer", "planner", "", "buffaly-agent-2"),
    "online-action-critic",
]
COMPANION_KEYS = [
    *("s-online-memory-critic", "s-level-two", "s-level-2", "s-online-action-critic", "S-ONLINE-MEMORY-CRITIC"),
    "s-online-memory-critic-level-two",
]


def test_a_normal_source_session_is_observed() -> None:
    """R9: profile `buffaly-agent`, no parent, no companion's suffix."""
    assert declined(SOURCE) is None


@pytest.mark.parametrize("profile", SPECIALISED)
def test_a_specialised_profile_is_declined(profile: str) -> None:
    """R9, R10: whatever its key looks like."""
    assert declined(replace(SOURCE, profile=profile)) is not None


@pytest.mark.parametrize("key", COMPANION_KEYS)
def test_a_companions_key_is_declined_under_any_profile(key: str) -> None:
    """R11, R12: a suffix makes ineligible even where the profile claims otherwise."""
    reason = declined(replace(SOURCE, key=key))
    assert reason is not None
    assert reason.startswith("companion")


def test_a_name_never_makes_eligible() -> None:
    """R9: the profile decides, not a key that says buffaly-agent."""
    assert declined(SourceSession(key="buffaly-agent", profile="planner")) is not None


def test_a_session_that_merely_ends_in_watcher_is_observed() -> None:
    """R11: only the suffixes of companions count, not every word that resembles one."""
    assert declined(replace(SOURCE, key="bird-watcher")) is None


def test_a_session_with_a_parent_is_declined() -> None:
    """R10, R12: subagents of a source and children of a critic, known or unknown."""
    child = replace(SOURCE, key="claude-code:agent-1", parent=SOURCE.key)
    critic = SourceSession(key=f"{SOURCE.key}-online-memory-critic", profile=CRITIC_PROFILE, parent=SOURCE.key)
    assert declined(child, SOURCE) == "subagent: it has a parent session"
    assert declined(child) == "subagent: it has a parent session"
    assert declined(replace(child, parent=critic.key), critic) == "companion: its parent is a companion"
    assert declined(replace(child, parent=critic.key)) == "companion: its parent is a companion"


def test_archived_and_missing_sources_are_declined() -> None:
    """R98: no review and no resurrection."""
    assert declined(replace(SOURCE, archived=True)) == "archived: it is archived"
    assert declined(None) == "missing: there is no such session"


@pytest.mark.parametrize("client", ["claude-code", "codex", "opencode", "some-new-client"])
def test_imported_main_sessions_are_sources_and_their_subagents_are_not(client: str) -> None:
    """R9, R10: the table that ships as data, with a default for clients it does not list."""
    assert imported_profile(client) == SOURCE_PROFILE
    subagent = replace(SOURCE, profile=imported_profile(client, subagent=True))
    assert declined(subagent) is not None


def test_a_special_kind_of_session_has_its_own_profile() -> None:
    """R10: a Codex review session is specialised."""
    assert imported_profile("codex", subagent=True, kind="review") == "codex-review"
    assert imported_profile("codex", subagent=True, kind="unheard-of") == "codex-subagent"
