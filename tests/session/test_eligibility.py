"""Who is observed and who is not."""

from dataclasses import replace

import pytest

from ferrule.session.eligibility import COMPANION_SUFFIXES, Ineligibility, declined, ineligible
from ferrule.session.keys import child_key, validate_session_key
from ferrule.session.source import CRITIC_PROFILE, SOURCE_PROFILE, SourceSession

SOURCE = SourceSession(key="claude-code:9d2f", profile=SOURCE_PROFILE)

SPECIALISED = [
    *("claude-code-subagent", "codex-subagent", "codex-review", "code-reviewer", "planner", "", "buffaly-agent-2"),
    *("online-action-critic", "level-2", "code-review", "offline-critic", "action-learning", "ontology-foundry"),
]
# What looks or sounds like the source's profile is not it: one profile is eligible, spelled exactly.
NEARLY = [
    "Buffaly-Agent",
    " buffaly-agent",
    "buffaly-agent\n",
    "bu\ufb00aly-agent",
    "buffaly\u2010agent",
    "buffaly-agent\u200b",
]
KEYS = ["Alpha Desk 6-1", "Käse Brett 5.2", "机器 人 1", "desk 🧀\u200d🧀", "  two  spaces ", "a:b:c", "sinﬁ ß İ"]
COMPANION_KEYS = [
    *("s-online-memory-critic", "s-level-two", "s-level-2", "s-online-action-critic", "S-ONLINE-MEMORY-CRITIC"),
    *("s-online-memory-critic-level-two", "s-online-memory-critic-online-memory-critic", "-online-memory-critic"),
    # The same to the eye: other dashes, full width, an invisible end, a space behind.
    *("s\u2011online\u2011memory\u2011critic", "s\uff0donline\uff0dmemory\uff0dcritic", "s-online-memory-critic\u200b"),
    *("s-online-memory-critic ", "s-online-memory-\u00adcritic", "s-online-memory-\uff43ritic"),
]


def test_a_normal_source_session_is_observed() -> None:
    """R9: profile `buffaly-agent`, no parent, no companion's suffix."""
    assert declined(SOURCE) is None


@pytest.mark.parametrize("key", KEYS)
def test_a_key_may_hold_spaces_and_any_script(key: str) -> None:
    """R8, R9: what a session is called does not matter, and its child's key is that and the suffix."""
    assert ineligible(replace(SOURCE, key=validate_session_key(key))) is None
    assert child_key(key) == f"{key}-online-memory-critic"
    why = ineligible(replace(SOURCE, key=child_key(key)))
    assert why is not None
    assert why.why is Ineligibility.COMPANION


@pytest.mark.parametrize("profile", SPECIALISED)
@pytest.mark.parametrize("key", ["claude-code:9d2f", "buffaly-agent", "Alpha Desk 6-1"])
def test_a_specialised_profile_is_declined(profile: str, key: str) -> None:
    """R9, R10, CASE-F04: whatever its key looks like, a name never makes eligible."""
    why = ineligible(replace(SOURCE, profile=profile, key=key))
    assert why is not None
    assert why.why in (Ineligibility.PROFILE, Ineligibility.COMPANION)


@pytest.mark.parametrize("profile", NEARLY)
def test_one_profile_is_eligible_spelled_exactly(profile: str) -> None:
    """R9: nothing is folded towards eligibility."""
    why = ineligible(replace(SOURCE, profile=profile))
    assert why is not None
    assert why.why is Ineligibility.PROFILE


@pytest.mark.parametrize("key", COMPANION_KEYS)
def test_a_companions_key_is_declined_under_any_profile(key: str) -> None:
    """R11, R12, CASE-F01, CASE-F02: a suffix makes ineligible even where the profile claims otherwise."""
    reason = declined(replace(SOURCE, key=key))
    assert reason == "companion: its key carries a companion's suffix"


@pytest.mark.parametrize("profile", [f"x{suffix}" for suffix in COMPANION_SUFFIXES] + ["LEVEL-2", "level\u20112"])
def test_a_companions_profile_is_told_as_one(profile: str) -> None:
    """R11, R12: critics and watchers of every published kind."""
    why = ineligible(replace(SOURCE, profile=profile))
    assert why is not None
    assert why.why is Ineligibility.COMPANION


def test_a_session_that_merely_ends_in_watcher_is_observed() -> None:
    """R11: only the suffixes of companions count, not every word that resembles one."""
    assert declined(replace(SOURCE, key="bird-watcher")) is None
    assert declined(replace(SOURCE, key="online-memory-critic notes")) is None


def test_a_session_with_a_parent_is_declined() -> None:
    """R10, R12: subagents of a source and children of a critic, known or unknown, even of a parent that is itself."""
    child = replace(SOURCE, key="claude-code:agent-1", parent=SOURCE.key)
    critic = SourceSession(key=f"{SOURCE.key}-online-memory-critic", profile=CRITIC_PROFILE, parent=SOURCE.key)
    assert declined(child, SOURCE) == "subagent: it has a parent session"
    assert declined(child) == "subagent: it has a parent session"
    assert declined(replace(child, parent=child.key), child) == "subagent: it has a parent session"
    assert declined(replace(child, parent=critic.key), critic) == "companion: its parent is a companion"
    assert declined(replace(child, parent=critic.key)) == "companion: its parent is a companion"
    hidden = replace(critic, key="a plain name")
    assert declined(replace(child, parent=hidden.key), hidden) == "companion: its parent is a companion"


def test_archived_and_missing_sources_are_declined() -> None:
    """R98: no review and no resurrection."""
    assert declined(replace(SOURCE, archived=True)) == "archived: it is archived"
    assert declined(None) == "missing: there is no such session"
