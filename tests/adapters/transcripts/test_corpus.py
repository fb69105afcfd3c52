"""Real sessions of other people, where the judge's data is present."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from ferrule.adapters.transcripts.reader import read_transcript

SHARED = Path(__file__).parents[4] / "shared"
CORPUS = SHARED / "corpus"
FILES = sorted(
    str(path.relative_to(CORPUS)) for kind in ("claude-code", "codex") for path in CORPUS.glob(f"{kind}/*.jsonl")
)

# Custom slash commands are prompts that a person typed (agents.md 1.1); the table counts them apart from `human`.
COMMANDS_ARE_PROMPTS = {
    "claude-code/claude-code-viewer__1af7fc5e.jsonl": 1,
    "claude-code/claude-code-viewer__5c0375b4.jsonl": 1,
    "claude-code/claude-code-viewer__fe5e1c67.jsonl": 1,
    "claude-code/cli__8e-0a64736bc7-0.jsonl": 1,
}


def expected(file: str) -> Counter[tuple[str, str]]:
    """How many turns of which kind and status the table counts in a file."""
    with (CORPUS / "TURNS.tsv").open(encoding="utf-8", newline="") as table:
        rows = csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)
        return Counter((row["kind"], row["status"]) for row in rows if row["file"] == file)


@pytest.mark.shared
@pytest.mark.parametrize("file", FILES or ["absent"])
def test_every_completed_human_turn_is_found_and_nothing_else(file: str) -> None:
    """R15, R76: agrees with the table of turns, custom commands beside."""
    (session,) = read_transcript(CORPUS / file, scrub=str)
    counted = expected(file)
    assert len(session.turns) == counted["human", "completed"] + COMMANDS_ARE_PROMPTS.get(file, 0)
    assert len({turn.key for turn in session.turns}) == len(session.turns)
    unfinished = sum(n for (kind, status), n in counted.items() if status != "completed" or kind == "ui-command")
    assert len([skipped for skipped in session.skipped if skipped.reason != "sidechain"]) == unfinished


@pytest.mark.shared
@pytest.mark.parametrize("client", ["claude-code", "codex"])
def test_the_newest_versions_are_read(client: str) -> None:
    """R15: what today's clients write: two turns, each creating one file."""
    (session,) = read_transcript(SHARED / "clients" / client / "transcript.jsonl", scrub=str)
    assert [[row.target for row in turn.actions] for turn in session.turns] == [["/home/user/project/hello.txt"]] * 2


@pytest.mark.shared
def test_the_gold_turns_are_read_as_neutral_turns() -> None:
    """Design section 8: 221 turns of many clients, none skipped, nearly all with a ledger."""
    sessions = read_transcript(SHARED / "gold" / "turns.jsonl", scrub=str)
    turns = [turn for session in sessions for turn in session.turns]
    assert len(turns) == 221
    assert not any(session.skipped for session in sessions)
    assert sum(bool(turn.actions) for turn in turns if turn.calls) / sum(bool(turn.calls) for turn in turns) > 0.95
