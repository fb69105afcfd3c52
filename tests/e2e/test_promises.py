"""What the seed promises about where memory goes, seen from outside through the real command line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import ferrule

SAMPLES = Path(ferrule.__file__).parent / "samples"
ROLES = {"intent", "outcome", "action", "observation"}


def test_no_ledger_and_no_candidate_table_is_kept(ferrule: Callable[..., Any], home: Path) -> None:
    """R6, R69: after many turns there is no Markdown file, and no readable artifact but the ProtoScript projection."""
    assert ferrule("review", str(SAMPLES)).code == 0
    files = [path for path in home.rglob("*") if path.is_file()]
    assert {path.name for path in files if "sessions" in path.parts} == {"SessionMemory.pts"}
    assert not [path for path in files if path.suffix in {".md", ".markdown"}]
    for path in files:
        if path.suffix == ".pts":
            text = path.read_text(encoding="utf-8")
            assert "new-create" not in text
            assert "ONLINE_MEMORY_CRITIC_RESULT" not in text


def test_memory_lands_in_the_reviewed_session_only(ferrule: Callable[..., Any]) -> None:
    """R3: an accepted memory is in its source's ontology, in no other session and not in the permanent layer."""
    ferrule("review", str(SAMPLES / "claude-code-planned-then-created.jsonl"))
    ferrule("review", str(SAMPLES / "codex-corrected-name.jsonl"))
    keys = [row["session"] for row in ferrule("sessions", "list", "--json").rows()]
    assert len(keys) == 2
    names = [{row["name"] for row in ferrule("memory", "list", "--session", key, "--json").rows()} for key in keys]
    assert all(names)
    assert not names[0] & names[1]
    for own, other in ((0, 1), (1, 0)):
        for name in names[own]:
            assert ferrule("memory", "show", name, "--session", keys[other]).code != 0


def test_each_candidate_tells_in_which_roles_it_was_found(ferrule: Callable[..., Any]) -> None:
    """R32: candidates come from the pair, and each says in which role its evidence stands, with the words."""
    (report,) = ferrule("review", str(SAMPLES / "claude-code-alias-across-roles.jsonl"), "--json").rows()
    candidates = [candidate for review in report["reviews"] for candidate in review["candidates"]]
    assert candidates
    for candidate in candidates:
        roles = {piece["role"] for piece in candidate["evidence"]}
        assert roles
        assert roles <= ROLES
        assert all(piece["excerpt"] and piece["start"] < piece["end"] for piece in candidate["evidence"])
    both = [
        candidate for candidate in candidates if "ShopWebModule" in str(candidate["label"]) + str(candidate["aliases"])
    ]
    assert {"intent", "outcome"} <= {piece["role"] for candidate in both for piece in candidate["evidence"]}
