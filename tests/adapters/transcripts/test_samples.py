"""The bundled sessions show what their README says."""

from importlib import resources
from pathlib import Path

import pytest

from ferrule.adapters.transcripts.reader import read_transcript
from ferrule.session.eligibility import declined
from ferrule.session.imported import ImportedSession
from ferrule.session.turn import Verb

SAMPLES = Path(str(resources.files("ferrule"))) / "samples"
FILES = sorted(path.name for path in SAMPLES.glob("*.jsonl"))


def sample(name: str) -> ImportedSession:
    """One bundled session."""
    (session,) = read_transcript(SAMPLES / name, scrub=str)
    return session


@pytest.mark.parametrize("name", FILES)
def test_every_sample_is_a_whole_source_session(name: str) -> None:
    """R9: reviewable, nothing skipped, no warning, small enough to ship."""
    session = sample(name)
    assert session.turns
    assert not session.skipped
    assert not session.warnings
    assert declined(session.session) is None
    assert (SAMPLES / name).stat().st_size < 60_000


def test_the_readme_names_every_sample() -> None:
    """R89: what ships is explained."""
    text = (SAMPLES / "README.md").read_text(encoding="utf-8")
    assert [name for name in FILES if f"`{name}`" not in text] == []


def test_what_is_planned_in_the_first_turn_is_created_in_the_second() -> None:
    """R47: the story of planned and created."""
    planned, created = sample("claude-code-planned-then-created.jsonl").turns
    script = "/home/mira/src/larkspur/scripts/export_loans.py"
    assert not any(row.target == script for row in planned.actions)
    assert any(row.target == script and row.verb is Verb.CREATED and row.ok for row in created.actions)


def test_the_pull_request_story_has_every_handle_in_its_ledger() -> None:
    """R46: pull request, worktree, branch, commit and test command."""
    first, _second = sample("codex-pull-request-and-worktree.jsonl").turns
    done = {(row.verb, row.target) for row in first.actions if row.ok}
    assert done >= {
        (Verb.OPENED, "https://github.com/larkspur-labs/harvest/pull/57"),
        (Verb.CREATED, "/home/mira/src/harvest.worktrees/retry-limit"),
        (Verb.BRANCHED, "feat/retry-limit"),
        (Verb.COMMITTED, "8c41d7e"),
        (Verb.TESTED, "python -m pytest tests/test_retry.py -q"),
    }


def test_a_repository_is_cloned_and_then_moved() -> None:
    """R45: the same remote, another folder, both shown by what the agent did."""
    before, after = sample("claude-code-moved-repository.jsonl").turns
    assert [row.target for row in before.actions if row.verb is Verb.CLONED] == [
        "git@github.com:larkspur-labs/atlas.git",
        "/home/mira/src/atlas",
    ]
    assert [(row.target, row.was, row.ok) for row in after.actions if row.verb is Verb.MOVED] == [
        ("/srv/work/atlas", "/home/mira/src/atlas", True)
    ]
