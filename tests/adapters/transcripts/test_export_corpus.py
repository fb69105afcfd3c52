"""Real runs and chats of five other agents, where the judge's data is present; its table's differences explained."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from ferrule.adapters.transcripts.reader import read_transcript
from ferrule.session.imported import ImportedSession

SHARED = Path(__file__).parents[4] / "shared"
CORPUS = SHARED / "corpus"
FOLDERS = {
    "swe-agent": "swe-agent",
    "mini-swe-agent": "mini-swe-agent",
    "openhands": "openhands",
    "aider": "aider",
    "specstory-cursor": "specstory",
}
FILES = [
    str(path.relative_to(CORPUS))
    for folder in FOLDERS
    for path in sorted((CORPUS / folder).glob("*"))
    if path.is_file()
]
QUESTION = "Add file to the chat?"


def table(file: str) -> list[dict[str, str]]:
    """The rows of the table of turns for a file."""
    with (CORPUS / "TURNS.tsv").open(encoding="utf-8", newline="") as rows:
        return [row for row in csv.DictReader(rows, delimiter="\t", quoting=csv.QUOTE_NONE) if row["file"] == file]


def read(file: str) -> tuple[ImportedSession, ...]:
    """The sessions of a file of the corpus."""
    return read_transcript(CORPUS / file, scrub=str)


@pytest.mark.shared
@pytest.mark.parametrize("file", FILES or ["absent"])
def test_the_turns_of_a_file_are_those_of_the_table(file: str) -> None:
    """R15, R76: completed turns agree, but for those whose file has no last word.

    The table takes every turn for completed that no mark calls unfinished. An evaluation that ran out of steps, and
    answers of which an export kept no prose (their final text is empty or a tool's markup there), have no outcome
    here. Aider's own question with its answer is no prompt.
    """
    sessions = read(file)
    assert {session.format for session in sessions} == {FOLDERS[file.partition("/")[0]]}
    rows = [row for row in table(file) if not row["user_head"].startswith(QUESTION)]
    wordless = [one for session in sessions for one in session.skipped if one.reason in {"open", "no-outcome"}]
    silent = [
        row for row in rows if row["status"] == "completed" and row["final_head"].strip()[:9] in {"", "<details>"}
    ]
    completed = sum(row["status"] == "completed" for row in rows)
    found = sum(len(session.turns) for session in sessions)
    assert found + len(wordless) == completed
    assert len(wordless) <= len(silent)
    others = Counter(one.reason for session in sessions for one in session.skipped) - Counter(
        one.reason for one in wordless
    )
    assert others.total() == len(rows) - completed
    assert set(others) <= {"ui-command", "user-shell"}


@pytest.mark.shared
@pytest.mark.parametrize("file", FILES or ["absent"])
def test_words_and_keys_of_real_turns_are_sound(file: str) -> None:
    """R15, R90: each turn says what the table says it begins with, keys differ, no warning."""
    sessions = read(file)
    turns = [turn for session in sessions for turn in session.turns]
    heads = [" ".join(row["user_head"].split())[:40] for row in table(file)]
    bare = [head.removeprefix("Please solve this issue: ") for head in heads]
    assert all(any(head and " ".join(turn.user.split()).startswith(head[:30]) for head in bare) for turn in turns)
    assert len({(turn.session, turn.key) for turn in turns}) == len(turns)
    assert not any(session.warnings for session in sessions)


@pytest.mark.shared
def test_what_the_newest_mini_swe_agent_writes_is_read() -> None:
    """R15: one task, one file created."""
    (session,) = read_transcript(SHARED / "clients" / "mini-swe-agent" / "trajectory.json", scrub=str)
    assert [(turn.outcome, [row.target for row in turn.actions]) for turn in session.turns] == [
        ("Created hello.txt", ["hello.txt"])
    ]
