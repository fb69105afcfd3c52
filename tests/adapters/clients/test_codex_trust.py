"""Codex keeps what was trusted by place and digest; the digests below are what 0.171.0 says of these hooks."""

from pathlib import Path

import pytest

from ferrule.adapters.clients.codex import HookPlace, Trust, trust_of

FILE = Path("/w/hooks.json")
START = {"hooks": [{"type": "command", "command": "echo x"}]}
KNOWN = [
    (
        "Stop",
        {"hooks": [{"type": "command", "command": "echo hi", "timeout": 10}]},
        "2a05b889a7ae70a6cb043aabb2bcfb6ce36c120c3e60d0fd65e4d297c36f1e00",
    ),
    (
        "Stop",
        {"matcher": "x", "hooks": [{"type": "command", "command": "echo ü", "timeout": 10, "statusMessage": "hey"}]},
        "23e40fc8b6290adbab6d490fe8600cc216383a888a425df41d00302ffc698989",
    ),
    ("SessionStart", START, "8dac79ce16609dbe704abafcce7720fcc19e7b7abc7b500caeb7355f11ff92e9"),
    (
        "SessionStart",
        {"matcher": "startup", "hooks": [{"type": "command", "command": "echo x", "timeout": 7}]},
        "fb0f7eee711747d11dbee73177c2842cd93f3d94bc04887ea3b8aa661d0dcd95",
    ),
]


@pytest.mark.parametrize(("event", "group", "digest"), KNOWN)
def test_a_trusted_hook_is_known_and_a_changed_one_is_not(event: str, group: dict[str, object], digest: str) -> None:
    """Issue 4: `exec` passes over untrusted hooks without a word, so the doctor has to know."""
    place = HookPlace(FILE, event, 1, 0)
    name = f"/w/hooks.json:{'stop' if event == 'Stop' else 'session_start'}:1:0"
    config = {"hooks": {"state": {name: {"trusted_hash": f"sha256:{digest}"}}}}
    assert trust_of(config, place, group) is Trust.TRUSTED
    changed = {**group, "hooks": [{"type": "command", "command": "echo other", "timeout": 10}]}
    assert trust_of(config, place, changed) is Trust.OTHER
    assert trust_of(config, HookPlace(FILE, event, 0, 0), group) is Trust.MISSING


@pytest.mark.parametrize(
    ("config", "trust"),
    [
        ({}, Trust.MISSING),
        ({"hooks": 3}, Trust.MISSING),
        ({"hooks": {"state": []}}, Trust.MISSING),
        ({"hooks": {"state": {"/w/hooks.json:session_start:0:0": {}}}}, Trust.MISSING),
        ({"hooks": {"state": {"/w/hooks.json:session_start:0:0": {"enabled": False}}}}, Trust.SWITCHED_OFF),
        ({"hooks": {"state": {"/w/hooks.json:session_start:0:0": {"trusted_hash": "sha256:0"}}}}, Trust.OTHER),
    ],
)
def test_any_other_state_is_named(config: dict[str, object], trust: Trust) -> None:
    """Whatever shape the file has, the answer is one of four."""
    assert trust_of(config, HookPlace(FILE, "SessionStart", 0, 0), START) is trust
    assert trust_of(config, HookPlace(FILE, "SessionStart", 0, 0), None) is trust
