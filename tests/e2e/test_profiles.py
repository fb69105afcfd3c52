"""Profiles from the command line: what a home adds is shown, and makes nothing a source."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from follow_cases import SOURCE, held, put, turn

Ferrule = Callable[..., Any]


def test_a_homes_own_profile_makes_no_source(tmp_path: Path, home: Path, ferrule: Ferrule) -> None:
    """R9, R10: the session is declined as before its profile was described, and nothing of it is stored."""
    mine = put(tmp_path / "mine.json", turn(1, ordinal=1))
    planned = put(tmp_path / "planned.json", turn(1, session_key="desk 2", profile="planner", ordinal=1))
    assert ferrule("attach", "--from", mine, "--json").code == 0
    rows = held(home)
    (home / "agents").mkdir()
    described = {"AgentName": "planner", "DisplayName": "buffaly-agent", "Aliases": ["the planner"]}
    (home / "agents" / "planner.agent.json").write_text(json.dumps(described), encoding="utf-8")
    told = ferrule("attach", "--from", planned, "--json")
    assert (told.code, told.rows()[0]["code"]) == (1, "NOT_ATTACHABLE")
    assert held(home) == rows


def test_what_is_known_of_a_profile_is_shown(tmp_path: Path, home: Path, ferrule: Ferrule) -> None:
    """R1, R7: the critic's own profile is a hidden one; a damaged file of the home is one sentence."""
    assert ferrule("attach", "--from", put(tmp_path / "turn.json", turn(1, ordinal=1)), "--json").code == 0
    shown = ferrule("sessions", "show", SOURCE, "--json").rows()[0]
    assert (shown["profile"], shown["profile_name"]) == ("buffaly-agent", "Source session")
    critic = ferrule("sessions", "show", f"{SOURCE}-online-memory-critic", "--hidden").out
    assert "online-session-memory-critic (Online Session Memory Critic, hidden)" in critic
    (home / "agents").mkdir()
    (home / "agents" / "planner.agent.json").write_text("{", encoding="utf-8")
    told = ferrule("sessions", "show", SOURCE)
    assert (told.code, "planner.agent.json is not JSON" in told.err) == (2, True)
