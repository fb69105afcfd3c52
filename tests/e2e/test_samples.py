"""The bundled samples, through the real command line: what `make demo` shows (issue 2, point 10)."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ferrule

SAMPLES = Path(ferrule.__file__).parent / "samples"


def reviewed(command: Callable[..., Any], sample: str) -> list[dict[str, Any]]:
    """The reviews of one sample."""
    told = command("review", str(SAMPLES / f"{sample}.jsonl"), "--json")
    assert told.code == 0, told.err
    reviews: list[dict[str, Any]] = told.rows()[0]["reviews"]
    return reviews


def carrying(review: dict[str, Any], ending: str) -> list[dict[str, Any]]:
    """What one review wrote that carries a handle with this ending."""
    return [row for row in review["written"] if any(h["value"].endswith(ending) for h in row["handles"])]


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_every_sample_is_reviewed_without_a_failure(ferrule: Callable[..., Any], path: Path) -> None:
    """Each turn ends as wrote or nothing, and every new memory carries a handle (R24)."""
    (report,) = ferrule("review", str(path), "--json").rows()
    assert report["reviews"]
    assert {review["outcome"] for review in report["reviews"]} <= {"wrote", "nothing"}
    written = [row for review in report["reviews"] for row in review["written"]]
    assert all(row["handles"] for row in written if row["action"] == "created")
    page = ferrule("explain", "last").out
    assert all(row["prototype"] in page for row in written)


def test_planned_becomes_created(ferrule: Callable[..., Any]) -> None:
    """R20, R45, R47: the script is planned in the first turn, created in the second, and both are kept."""
    first, second = reviewed(ferrule, "claude-code-planned-then-created")
    (planned,) = carrying(first, "scripts/export_loans.py")
    (created,) = carrying(second, "scripts/export_loans.py") or [
        row for row in second["written"] if row["prototype"] == planned["prototype"]
    ]
    assert (planned["modality"], created["modality"]) == ("planned", "created")
    shown = ferrule("memory", "show", planned["prototype"], "--json").rows()[0]
    (state,) = [prop for prop in shown["properties"] if prop["name"] == "LifecycleState"]
    assert (state["value"], state["was"]) == ("created", ["planned"])


def test_an_alias_across_roles_is_one_memory(ferrule: Callable[..., Any]) -> None:
    """R19, R33: "web shop module" and ShopWebModule are one thing with both names."""
    (review,) = reviewed(ferrule, "claude-code-alias-across-roles")
    named = [row for row in review["written"] if "shopwebmodule" in json.dumps(row).casefold()]
    assert len(named) == 1
    assert "web shop module" in json.dumps(named[0]["properties"])
    found = ferrule("memory", "search", "web shop module", "--json").rows()
    assert found[0]["name"] == named[0]["prototype"]


def test_the_users_correction_wins(ferrule: Callable[..., Any]) -> None:
    """R16: Falcon was the agent's word, Kestrel is the user's."""
    reviewed(ferrule, "codex-corrected-name")
    found = ferrule("memory", "search", "Kestrel", "--json").rows()
    assert found
    shown = ferrule("memory", "show", found[0]["name"], "--json").rows()[0]
    names = {prop["name"]: prop["value"] for prop in shown["properties"]}
    assert "kestrel" in json.dumps(names).casefold()
    assert "falcon" not in names.get("EntityName", "").casefold()


def test_the_pasted_password_is_nowhere(ferrule: Callable[..., Any], home: Path) -> None:
    """INV-I6, R28: no byte of the home holds what the sample's user pasted."""
    text = (SAMPLES / "claude-code-pasted-secret.jsonl").read_text(encoding="utf-8")
    told = ferrule("review", str(SAMPLES / "claude-code-pasted-secret.jsonl"), "--json")
    stored = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    password = pasted_password(text)
    assert password.encode() not in stored
    assert password not in told.out
    assert b"[secret:" in stored


def pasted_password(text: str) -> str:
    """The password in the sample's user message: the value after `PASSWORD=` there."""
    for line in text.splitlines():
        message = json.loads(line).get("message", {})
        said = message.get("content") if message.get("role") == "user" else None
        if isinstance(said, str) and "PASSWORD" in said.upper():
            tail = said[said.upper().index("PASSWORD") :]
            word = next(word for word in tail.replace("=", " ").replace("`", " ").split()[1:] if len(word) > 10)
            return word.strip(".,;'\"")
    raise AssertionError("the sample has no pasted password any more")


def test_a_huge_dump_leaves_no_trace(ferrule: Callable[..., Any]) -> None:
    """R61, R62: what the log says is not remembered, the fixed file may be."""
    (review,) = reviewed(ferrule, "codex-huge-tool-dump")
    assert len(review["written"]) <= 3
    assert "log" not in json.dumps([row["handles"] for row in review["written"]]).casefold()


def test_small_talk_writes_nothing(ferrule: Callable[..., Any]) -> None:
    """R14: no write, no context."""
    assert not any(review["written"] for review in reviewed(ferrule, "claude-code-small-talk"))
    assert ferrule("context").out == ""


def test_a_moved_repository_keeps_the_old_value_and_shows_the_new(ferrule: Callable[..., Any]) -> None:
    """R45, R60: the old root stands in the definition, the current view and the context tell the new one."""
    reviewed(ferrule, "claude-code-moved-repository")
    (name,) = [row["name"] for row in ferrule("memory", "list", "--json").rows() if "Repository" in row["bases"]]
    shown = ferrule("memory", "show", name, "--json").rows()[0]
    (root,) = [prop for prop in shown["properties"] if prop["name"] == "RepositoryRoot"]
    assert (root["value"], root["was"]) == ("/srv/work/atlas", ["/home/mira/src/atlas"])
    assert "/home/mira/src/atlas" in shown["definition"]
    assert "/srv/work/atlas" in ferrule("context").out


def test_both_orders_of_two_turns_give_the_same_current_view(tmp_path: Path, ferrule: Callable[..., Any]) -> None:
    """CASE-H04: turn 2 before turn 1, or one after the other: what is there now is the same, whatever came first."""
    sample = str(SAMPLES / "claude-code-planned-then-created.jsonl")
    views = []
    for place, first in ((tmp_path / "late", ["--turn", "2"]), (tmp_path / "early", ["--turn", "1"])):
        assert ferrule("review", sample, *first, "--home", str(place)).code == 0
        assert ferrule("review", sample, "--home", str(place)).code == 0
        rows = ferrule("memory", "list", "--json", "--home", str(place)).rows()
        views.append({(row["name"], row["modality"]) for row in rows})
    assert views[0] == views[1]
    assert {state for _, state in views[0]} == {"created"}
