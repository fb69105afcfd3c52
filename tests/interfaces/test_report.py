"""What a review says to people: few words, the reason and the remedy, quiet turns in one line."""

import io
from typing import Any

import pytest

from ferrule.interfaces.cli.page import Page
from ferrule.interfaces.cli.report import ended_with, print_session, summary


def review(ordinal: int, outcome: str = "nothing", **more: object) -> dict[str, Any]:
    """One review as stored."""
    base = {"candidates": [], "written": [], "refused": [], "calls": [], "reason": ""}
    return {"turn": {"key": f"k{ordinal}", "ordinal": ordinal}, "outcome": outcome} | base | more


def report(*reviews: dict[str, Any], skipped: tuple[str, ...] = ()) -> dict[str, Any]:
    """One session's object."""
    return {"session": "s", "skipped": [{"turn": "x", "reason": why} for why in skipped], "reviews": list(reviews)}


def page_of(*reviews: dict[str, Any], titles: dict[str, str] | None = None) -> list[str]:
    """The lines of a session's page, in a pipe."""
    stream = io.StringIO()
    print_session(Page(stream), report(*reviews), titles or {}, "s  /w")
    return stream.getvalue().splitlines()


WRITTEN = {
    "prototype": "RetryPolicy",
    "candidate": "retry policy",
    "bases": ["SourceFile"],
    "action": "augmented",
    "properties": {
        "EntityName": "retry policy",
        "FilePathAtTurn2": "src/new.py",
        "Aliases": "backoff",
        "Repository": "Shop",
    },
    "handles": [{"kind": "filesystem-path", "value": "src/new.py", "property": "FilePathAtTurn2"}],
    "modality": "changed",
    "definition": "",
}
REASON = {
    "label": "retry policy",
    "disposition": "existing-augment",
    "reason": "it moved",
    "aliases": [],
    "evidence": [],
}
KNOWN = {"label": "shop", "disposition": "existing-sufficient", "reason": "already known by its root"}
REFUSED = {
    "candidate": "the host",
    "refusals": [
        {"code": "NO_EVIDENCE", "property": "HostName", "message": "only a tool says it", "remedy": "leave it out"},
        {"code": "NO_EVIDENCE", "property": "HostUrl", "message": "HostUrl cites nothing", "remedy": ""},
    ],
}


@pytest.fixture(autouse=True)
def _pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)


def test_a_memory_is_told_with_state_handles_and_reason() -> None:
    """Name, type, modality; the later value of a property under its own name; other values; why."""
    lines = page_of(review(2, "wrote", written=[WRITTEN], candidates=[REASON]), titles={"k2": "move it\nplease"})
    assert lines == [
        "s  /w",
        'Turn 2  "move it"',
        "  + RetryPolicy  SourceFile, changed (added to it)",
        "      FilePath now  src/new.py",
        "      Repository    Shop",
        "      also called   backoff",
        "      why           it moved",
    ]


def test_a_refusal_is_told_with_its_remedy_and_what_was_known_with_its_reason() -> None:
    """What would make it pass stands below what is wrong; the property is named once."""
    lines = page_of(review(1, refused=[REFUSED], candidates=[KNOWN]))
    assert lines[2:] == [
        "  x the host  refused: NO_EVIDENCE",
        "      HostName: only a tool says it",
        "      to pass: leave it out",
        "      HostUrl cites nothing",
        "  = shop  already known by its root",
    ]


def test_quiet_and_failed_turns_fold() -> None:
    """A run of turns of which the same is to be said is one line."""
    why = "another worker is reviewing this session"
    lines = page_of(review(1), review(2), review(3, "wrote", written=[WRITTEN]), review(5, "failed", reason=why))
    lines += page_of(*(review(n, "failed", reason=why) for n in (7, 8)), review(9, "declined", reason="a watcher"))[1:]
    heads = [line for line in lines if line.startswith("Turn")]
    assert heads == [
        "Turns 1-2  nothing to remember",
        "Turn 3",
        f"Turn 5  not reviewed: {why}",
        f"Turns 7-8  not reviewed: {why}",
        "Turn 9  not reviewed: a watcher",
    ]


@pytest.mark.parametrize(
    ("reports", "line"),
    [
        ([], "0 turns reviewed, 0 memories written"),
        ([report(review(1, "wrote", written=[WRITTEN]))], "1 turn reviewed, 1 memory written"),
        (
            [report(review(1), review(2, refused=[REFUSED]), skipped=("interrupted", "interrupted"))],
            "2 turns reviewed, 0 memories written, 1 refused, 2 skipped (interrupted)",
        ),
        (
            [report(review(1, "wrote", written=[WRITTEN], already=True), skipped=("open", "open", "command"))],
            "1 turn reviewed (1 of them before), 0 memories written, 3 skipped (2 open, 1 command)",
        ),
        (
            [report(review(1, "failed"), review(2, "declined"), review(3))],
            "1 turn reviewed, 0 memories written, 1 declined, 1 failed",
        ),
    ],
)
def test_one_line_sums_up(reports: list[dict[str, Any]], line: str) -> None:
    """Turns, memories, refusals, and what was skipped and why."""
    assert summary(reports) == line


@pytest.mark.parametrize(("code", "ends"), [("MODEL_UNAVAILABLE", 5), ("IO_FAILED", 4), ("", 4)])
def test_a_failed_review_ends_with_its_exit_code(code: str, ends: int) -> None:
    """5 for a model, 4 for the store; 0 when nothing failed."""
    assert ended_with([report(review(1), review(2, "failed", code=code))]) == ends
    assert ended_with([report(review(1))]) == 0


def test_a_stored_review_of_any_shape_is_shown_without_failing() -> None:
    """What stands in a store may be older or newer than this page."""
    odd = {"outcome": "wrote", "written": [{"prototype": None}, 3], "refused": "x", "candidates": None, "turn": []}
    assert page_of(odd)[0] == "s  /w"
