"""A row as a line, and back."""

import json

import pytest
from bench_cases import candidate

from ferrule.evaluation.records_turns import facts_of
from ferrule.evaluation.rows import Row, RowOutcome, RowUsage, Step, row_line, row_of
from ferrule.evaluation.scoring import WrittenMemory

FULL = Row(
    id="t1",
    outcome=RowOutcome.WRITTEN,
    written=(WrittenMemory("App", (("filesystem-path", "src/ä\u2028b.py"),), "changed", {"EntityName": "app"}),),
    candidates=(candidate("src/a.py", 0.9, chosen=True), candidate("src/b.py", 0.1)),
    steps=(Step(0.9, (0,)), Step(0.1, (0, 1))),
    reason="because",
    code="",
    cpu_ms=1.5,
    wall_ms=2.5,
    usage=RowUsage(1, 20, 3, None),
)


@pytest.mark.parametrize("row", [FULL, Row("t2", RowOutcome.FAILED, reason="full", code="IO_FAILED")])
def test_a_row_comes_back_from_its_line(row: Row) -> None:
    """R89: one line, complete in itself, whatever characters are in it."""
    line = row_line(row)
    assert "\n" not in line
    assert row_of(line) == row


def test_every_beginning_of_a_line_is_no_row() -> None:
    """R89: a torn line is never taken for a row."""
    line = row_line(FULL)
    assert [row_of(line[:end]) for end in range(len(line))] == [None] * len(line)


@pytest.mark.parametrize(
    "change",
    [
        {"id": 7},
        {"outcome": "perhaps"},
        {"steps": [[0.5, [9]]]},
        {"steps": [[0.5]]},
        {"steps": [0.5]},
        {"cpu_ms": "1"},
        {"usage": {"requests": True}},
    ],
)
def test_a_damaged_row_is_none(change: dict[str, object]) -> None:
    """R89: its turn is reviewed again instead."""
    assert row_of(json.dumps({**json.loads(row_line(FULL)), **change})) is None


@pytest.mark.parametrize(
    ("turn", "label", "expected"),
    [
        (
            {"id": "x", "source": {"file": "a/1", "format": "codex", "repo": "me/shop", "language": "de"}},
            {"file": "b/2", "language": "en"},
            ("a/1", "codex", "shop", "de"),
        ),
        ({"id": "x"}, {"file": "codex/shop__a6-0.jsonl"}, ("codex/shop__a6-0.jsonl", "codex", "shop", "unknown")),
        ({"id": "x", "cwd": "C:\\w\\shop\\"}, {"file": "f/1", "language": "fr"}, ("f/1", "f", "shop", "fr")),
        ({"id": "x", "session_key": "s"}, {}, ("s", "unknown", "unknown", "unknown")),
        ({"id": "x", "source": "odd"}, {"file": 7}, ("x", "unknown", "unknown", "unknown")),
    ],
)
def test_where_a_turn_comes_from_is_read_off_turn_and_label(
    turn: dict[str, object], label: dict[str, object], expected: tuple[str, str, str, str]
) -> None:
    """R71: figures by format, repository and language need it; copies of one repository count as one."""
    found = facts_of(turn, label)
    assert (found.session, found.format, found.repository, found.language) == expected
