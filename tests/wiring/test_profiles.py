"""A home's own profiles join the shipped ones."""

import json
import os
from pathlib import Path

import pytest

from ferrule.errors import Code, UsageError
from ferrule.session.eligibility import declined
from ferrule.session.profiles import shipped_profiles
from ferrule.session.source import SourceSession
from ferrule.wiring.profiles import MAX_PROFILES, profiles_of


def put(home: Path, name: str, **fields: object) -> Path:
    """Write one profile into a home."""
    folder = home / "agents"
    folder.mkdir(exist_ok=True)
    file = folder / f"{name}.agent.json"
    file.write_text(json.dumps({"AgentName": name} | fields), encoding="utf-8")
    return file


def test_a_home_without_profiles_has_the_shipped_ones(tmp_path: Path) -> None:
    """R1: no folder, or a file in its place, is none."""
    assert profiles_of(tmp_path) == shipped_profiles()
    (tmp_path / "agents").write_text("", encoding="utf-8")
    assert profiles_of(tmp_path) == shipped_profiles()


def test_a_homes_own_profile_is_found_and_makes_nothing_eligible(tmp_path: Path) -> None:
    """R9: it can say what it likes; a source is a `buffaly-agent` all the same."""
    put(tmp_path, "my-agent", DisplayName="buffaly-agent", IsHidden=False, CompanionAgents=["buffaly-agent"])
    (tmp_path / "agents" / "notes.txt").write_text("x", encoding="utf-8")
    found = profiles_of(tmp_path).find("my-agent")
    assert found is not None
    assert len(profiles_of(tmp_path).profiles) == len(shipped_profiles().profiles) + 1
    assert declined(SourceSession("k", found.name)) is not None


def test_a_shipped_profile_is_never_replaced(tmp_path: Path) -> None:
    """R9, R12: neither the source's nor the critic's."""
    put(tmp_path, "online-session-memory-critic", IsHidden=False)
    with pytest.raises(UsageError, match="taken") as caught:
        profiles_of(tmp_path)
    assert caught.value.code is Code.ALREADY_EXISTS


def test_a_file_that_is_no_profile_is_one_sentence_with_its_name(tmp_path: Path) -> None:
    """R59: damaged, huge, a folder, a pipe, or one too many."""
    file = put(tmp_path, "my-agent")
    for text in ("{", " " * 70_000):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(UsageError, match=r"my-agent\.agent\.json"):
            profiles_of(tmp_path)
    file.unlink()
    file.mkdir()
    with pytest.raises(UsageError, match="is no file"):
        profiles_of(tmp_path)
    file.rmdir()
    os.mkfifo(file)
    with pytest.raises(UsageError, match="is no file"):
        profiles_of(tmp_path)
    file.unlink()
    for number in range(MAX_PROFILES + 1):
        put(tmp_path, f"agent-{number}")
    with pytest.raises(UsageError, match="more than"):
        profiles_of(tmp_path)
