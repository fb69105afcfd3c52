"""Stored profiles: what ships, what a home may add, and what it may not."""

import json
from importlib import resources

import pytest

from ferrule.errors import Code, UsageError
from ferrule.session.eligibility import declined
from ferrule.session.profiles import (
    MAX_PROFILE_BYTES,
    client_profiles,
    imported_profile,
    read_profile,
    shipped_profiles,
)
from ferrule.session.source import CRITIC_PROFILE, SOURCE_PROFILE, SourceSession

OWN = {"AgentName": "code-review", "DisplayName": "Code review", "Aliases": ["reviewer"], "IsHidden": True}


def raw(**changed: object) -> bytes:
    """The file of that profile."""
    return json.dumps(OWN | changed).encode()


def test_the_critics_profile_ships_hidden_and_without_watchers() -> None:
    """R1, R7, R12, R91: hidden, no watcher and no companion of its own, its own roots, a model of one's choice."""
    critic = shipped_profiles().find("online-session-memory-critic")
    assert critic is not None
    assert critic.name == CRITIC_PROFILE
    assert (critic.hidden, critic.no_watcher, critic.companions) == (True, True, ())
    assert critic.action_root == "OnlineSessionMemoryCriticActionRoot"
    assert critic.entity_root == "OnlineSessionMemoryCriticEntityRoot"
    assert critic.can_change_model


def test_the_sources_profile_ships_and_every_prompt_file_is_there() -> None:
    """R9: `buffaly-agent` is a normal, visible profile."""
    source = shipped_profiles().find(SOURCE_PROFILE)
    assert source is not None
    assert not source.hidden
    folder = resources.files("ferrule.session").joinpath("agents")
    assert all(folder.joinpath(profile.prompt_file).is_file() for profile in shipped_profiles().profiles)


def test_a_profile_is_read_as_the_platform_writes_it() -> None:
    """R1: unknown fields are left alone, absent ones are empty."""
    profile = read_profile(raw(Provider="local", SomethingNew={"x": 1}, UiPage=None), "agents/code-review.agent.json")
    assert (profile.name, profile.display, profile.aliases, profile.hidden) == (
        *("code-review", "Code review"),
        ("reviewer",),
        True,
    )
    assert (profile.provider, profile.ui_page, profile.prompt_context) == ("local", "", "none")


WRONG: list[tuple[bytes, Code]] = [
    (b"{" + b" " * MAX_PROFILE_BYTES + b"}", Code.TOO_LARGE),
    (b"\xff\xfe{}", Code.BAD_TEXT),
    (b"{", Code.PARSE),
    (b"[" * 60_000, Code.PARSE),
    (b"[]", Code.PARSE),
    (b'{"AgentName": "code-review", "AgentName": "x"}', Code.PARSE),
    (b"{}", Code.BAD_IDENTIFIER),
    (raw(AgentName=3), Code.BAD_IDENTIFIER),
    (raw(AgentName="../x"), Code.BAD_IDENTIFIER),
    (raw(AgentName="another"), Code.BAD_IDENTIFIER),
    (raw(IsHidden="yes"), Code.BAD_TOOL_ARGS),
    (raw(IsHidden=1), Code.BAD_TOOL_ARGS),
    (raw(DisplayName=["x"]), Code.BAD_TOOL_ARGS),
    (raw(DisplayName="x\x1b[31m"), Code.BAD_TOOL_ARGS),
    (raw(Aliases="x"), Code.BAD_TOOL_ARGS),
    (raw(Aliases=[1]), Code.BAD_TOOL_ARGS),
    (raw(CompanionAgents=["x"] * 33), Code.BAD_TOOL_ARGS),
    (raw(PromptFile="x" * 401), Code.BAD_TOOL_ARGS),
]


@pytest.mark.parametrize(("text", "code"), WRONG)
def test_a_wrong_profile_is_one_sentence(text: bytes, code: Code) -> None:
    """R59: with its file's name and a stable code, never a guess."""
    with pytest.raises(UsageError, match="code-review") as caught:
        read_profile(text, "code-review.agent.json")
    assert caught.value.code is code


def test_a_home_adds_profiles_and_replaces_none() -> None:
    """R9: neither by name nor by alias, in whatever case."""
    own = read_profile(raw(), "code-review.agent.json")
    catalogue = shipped_profiles().adding([own])
    assert catalogue.find("reviewer") is own
    assert shipped_profiles().find("reviewer") is None
    for taken in ("buffaly-agent", "BUFFALY-AGENT", "Online-Session-Memory-Critic"):
        clash = read_profile(raw(AgentName=taken), f"{taken}.agent.json")
        with pytest.raises(UsageError, match="taken"):
            shipped_profiles().adding([clash])
    alias = read_profile(raw(Aliases=["Buffaly-Agent"]), "code-review.agent.json")
    with pytest.raises(UsageError, match="taken"):
        shipped_profiles().adding([alias])
    with pytest.raises(UsageError, match="taken"):
        shipped_profiles().adding([own, own])


@pytest.mark.parametrize("client", ["claude-code", "codex", "opencode", "some-new-client"])
def test_imported_main_sessions_are_sources_and_their_subagents_are_not(client: str) -> None:
    """R9, R10: the table that ships as data, with a default for clients it does not list."""
    assert imported_profile(client) == SOURCE_PROFILE
    assert declined(SourceSession("k", imported_profile(client, subagent=True))) is not None


def test_a_special_kind_of_session_has_its_own_profile() -> None:
    """R10: a Codex review session is specialised."""
    assert imported_profile("codex", subagent=True, kind="review") == "codex-review"
    assert imported_profile("codex", subagent=True, kind="unheard-of") == "codex-subagent"


def test_a_home_takes_a_client_out_or_brings_one_in() -> None:
    """R9: entries are added to the shipped ones, and nothing but the table handed over knows of it."""
    own = client_profiles().with_own(
        {"codex": {"main": "off"}, "default": {"main": "unlisted"}, "desk": {"main": SOURCE_PROFILE}}
    )
    assert own.of("codex") == "off"
    assert own.of("codex", subagent=True, kind="review") == "codex-review"
    assert (own.of("some-new-client"), own.of("desk")) == ("unlisted", SOURCE_PROFILE)
    assert own.of("claude-code") == SOURCE_PROFILE
    assert imported_profile("codex") == SOURCE_PROFILE
    assert imported_profile("codex", profiles=own) == "off"


@pytest.mark.parametrize(
    "own",
    [
        {"codex": {"subagent": SOURCE_PROFILE}},
        {"codex": {"review": SOURCE_PROFILE}},
        {"codex": {"main": ""}},
        {"codex": {"main": 3}},
        {"codex": {"main": "a b"}},
        {"codex": "buffaly-agent"},
        {"co dex": {"main": "x"}},
    ],
)
def test_a_home_cannot_make_a_subagent_a_source(own: dict[str, object]) -> None:
    """R10: nor leave an entry half right."""
    with pytest.raises(UsageError):
        client_profiles().with_own(own)
