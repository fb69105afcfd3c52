"""Real sessions of OpenCode, Gemini CLI and Copilot CLI, where the judge's data is present."""

import csv
import json
from pathlib import Path

import pytest

from ferrule.adapters.transcripts.reader import read_transcript
from ferrule.session.eligibility import declined
from ferrule.session.imported import ImportedSession

SHARED = Path(__file__).parents[4] / "shared"
CORPUS = SHARED / "corpus"
FILES = sorted(
    str(path.relative_to(CORPUS))
    for kind in ("opencode", "gemini-cli", "copilot-cli")
    for path in CORPUS.glob(f"{kind}/*")
)

# Turns of the table that are none of their own here: the client's "System: Please continue." (R94) goes on with the
# turn before it, which ends with its answer; the table counts an open turn and a completed one.
CONTINUED = {"gemini-cli/cli__51-3fab7adf0b-0.json": 1}
# Sessions that the client started by itself (R10): their turns are read, and never reviewed.
SUBAGENTS = {"opencode/gatomia-vscode__17-6a36dde4c6-1.json"}


def rows_of(file: str) -> list[dict[str, str]]:
    """The rows of a file in the table of turns."""
    with (CORPUS / "TURNS.tsv").open(encoding="utf-8", newline="") as table:
        rows = csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [row for row in rows if row["file"] == file]


def read(file: str) -> ImportedSession:
    """The one session of a file."""
    (session,) = read_transcript(CORPUS / file, scrub=str)
    return session


def _plain(text: str) -> str:
    """Without the quotes that `opencode run` puts around a prompt, and without blanks at length."""
    return " ".join(text.replace('\\"', '"').split()).strip("\"' ")


@pytest.mark.shared
@pytest.mark.parametrize("file", FILES or ["absent"])
def test_every_completed_turn_is_found_and_nothing_else(file: str) -> None:
    """R15, R76: agrees with the table of turns in number, words, outcome and calls."""
    session = read(file)
    rows = rows_of(file)
    completed = [row for row in rows if row["status"] == "completed"]
    assert len(session.turns) == len(completed)
    assert len(session.turns) + len(session.skipped) == len(rows) - CONTINUED.get(file, 0)
    assert (declined(session.session) is not None) == (file in SUBAGENTS)
    for turn, row in zip(session.turns, completed, strict=True):
        assert _plain(turn.outcome)[:100] == _plain(row["final_head"])[:100]
        if file not in CONTINUED:
            assert _plain(turn.user)[:60] == _plain(row["user_head"])[:60]
            assert len(turn.calls) == int(row["tool_calls"])


@pytest.mark.shared
def test_every_turn_of_these_clients_knows_where_it_ran_and_what_it_changed() -> None:
    """R18, R23: a folder for each turn, and rows of the ledger for each turn with calls."""
    turns = [turn for file in FILES for turn in read(file).turns]
    assert all(turn.place.cwd for turn in turns)
    assert all(turn.actions for turn in turns if turn.calls)
    told = [call.ok for turn in turns for call in turn.calls]
    assert told.count(None) < len(told) / 20


@pytest.mark.shared
def test_the_newest_versions_are_read() -> None:
    """R15: what today's clients write: one turn that creates one file."""
    for client, file, created in (
        ("opencode", "session.messages.json", "/home/user/project/hello.txt"),
        ("gemini-cli", "transcript.jsonl", "/home/user/project/hello.txt"),
    ):
        (session,) = read_transcript(SHARED / "clients" / client / file, scrub=str)
        (turn,) = session.turns
        assert (session.format, session.session.client) == (client, client)
        assert [row.target for row in turn.actions] == [created]
        assert turn.user == "Please create hello.txt with a greeting."


@pytest.mark.shared
def test_gold_turns_of_these_clients_are_the_same_by_either_road() -> None:
    """Design section 2: words and outcome of a labelled turn are those of its transcript, and so are its calls."""
    with (SHARED / "gold" / "labels.jsonl").open(encoding="utf-8") as lines:
        labels = [label for label in map(json.loads, lines) if label["file"] in FILES]
    with (SHARED / "gold" / "turns.jsonl").open(encoding="utf-8") as lines:
        gold = {turn["id"]: turn for turn in map(json.loads, lines)}
    assert len(labels) > 15
    for label in labels:
        wanted = gold[label["id"]]
        found = [
            turn for turn in read(label["file"]).turns if turn.outcome.strip() == wanted["outcome"]["text"].strip()
        ]
        assert [turn.ordinal for turn in found] == [label["turn"]]
        assert _plain(found[0].user)[:2000] == _plain(wanted["user"]["text"])[:2000]
        assert [call.tool for call in found[0].calls] == [call["tool"] for call in wanted["tool_results"]]
