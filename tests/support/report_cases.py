"""Runs to make a page of: two lanes with every fault, scores and a baseline; whole sessions; a cut; hostile texts.

Owns these values. Knows nothing of the page.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bench_cases import label, row, scored
from bench_cases import lane_rows as rows_of

from ferrule.evaluation.bootstrap import Draws
from ferrule.evaluation.metrics_lane import Judged
from ferrule.evaluation.metrics_run import Baseline, run_metrics
from ferrule.evaluation.records_turns import TurnFacts
from ferrule.evaluation.report.page import Run
from ferrule.evaluation.report.texts import CallText, TurnText, TurnTexts
from ferrule.evaluation.rows import Row, RowOutcome

__all__ = ["AMNESIA", "HOSTILE", "SEQUENCE", "a_metrics", "a_run", "hostile_run", "plain"]

HOSTILE = "</title></style></script><script>alert(1)</script>\" onmouseover='x' ]]> <!-- \u202e\x00 https://evil.example/?a=1&b"
_KEPT = frozenset({"verdict", "outcome", "grade", "expect", "code"})
_DIGEST = "ab" * 32

SEQUENCE: dict[str, Any] = {
    "format": 1,
    "ferrule": "9",
    "of": ["/w/sessions"],
    "passed_over": {"unreadable_files": 1},
    "figures": {
        "sessions": 2,
        "turns": 9,
        "writes_per_100_turns": 111.1,
        "duplicates": 1,
        "current_view": {"values": 9, "current": 8, "was": 1, "hidden": 0},
    },
    "formats": {"codex": {"sessions": 1, "writes_per_100_turns": 80.0}, "aider": {"sessions": 1}},
    "refused": {"no-handle": 2},
    "faults": [{"fault": "duplicate", "session": "s1", "format": "codex", "ordinal": 3, "what": "A beside B"}],
}
_SHARES = {"ferrule": 0.6, "summary": 0.2, "last turns": 0.1, "every handle": None}
AMNESIA: dict[str, Any] = {
    "format": 1,
    "asked": {"tokens": 600, "window": 2},
    "sessions": 3,
    "turns": 20,
    "cuts": 9,
    "needed": 40,
    "contenders": {name: {"share": share, "interval": [0.0, 0.9]} for name, share in _SHARES.items()},
    "advantage": {"summary": {"share": 0.4, "interval": [-0.1, 0.7]}, "last turns": {"share": 0.5, "interval": None}},
    "by_cut": {name: {"needed": 10, "shares": _SHARES} for name in ("1", "2", "3-4")},
    "by_format": {"codex": {"needed": 40, "shares": _SHARES}},
    "by_kind": {"url": {"needed": 40, "shares": _SHARES}},
    "by_budget": [{"tokens": tokens, "needed": 40, "shares": _SHARES} for tokens in (150, 300, 600)],
    "by_window": [{"window": window, "needed": 40, "shares": _SHARES} for window in (0, 1, 2)],
    "missed": [{"session": "s", "cut": 3, "again": 5, "kind": "url", "value": "https://a.example/b"}],
}


def a_metrics(turns: int = 24, *, lanes: int = 2, baseline: bool = False) -> dict[str, Any]:
    """A run in which lane A finds most, and lane B writes what it must not; the last turn fails in both."""
    labels = [
        label(f"t{n}", *([] if n % 4 == 3 else [f"src/f{n}.py"]), forbidden=[f"log/run{n}.txt"]) for n in range(turns)
    ]
    facts = [
        TurnFacts(f"t{n}", f"s{n // 2}", "codex" if n % 2 else "aider", f"repo{n % 3}", "en" if n % 5 else "de")
        for n in range(turns)
    ]
    last = Row(f"t{turns - 1}", RowOutcome.FAILED, reason="no <room>", code="budget")
    good: list[Row] = [_good(n) for n in range(turns - 1)]
    bad = [row(f"t{n}", f"src/f{n}.py", f"log/run{n}.txt", "x/other.py") for n in range(turns - 1)]
    found = [rows_of("careful", *good, last), rows_of("rash", *bad, last)][:lanes]
    what = {
        "ferrule": "9.9",
        "code": _DIGEST,
        "started": "2026-01-02T03:04:05+00:00",
        "turns": {"file": "/w/turns.jsonl", "sha256": _DIGEST, "count": turns},
        "labels": {"file": "/w/labels.jsonl", "sha256": _DIGEST, "count": turns},
        "chosen": {"limit": turns, "only": None},
        "ontology": _DIGEST,
    }
    then = None
    if baseline:
        before = [rows_of("careful", *(row(f"t{n}", "x/old.py") for n in range(turns)))]
        then = Baseline("/w/then", run_metrics(what, Judged(labels, facts), before, Draws(60)))
    return plain(run_metrics(what, Judged(labels, facts), found, Draws(60), baseline=then))


def _good(number: int) -> Row:
    scores = {f"src/f{number}.py": 0.35 + 0.6 * (number % 7) / 7, f"docs/d{number}.md": 0.1 + 0.5 * (number % 3) / 3}
    made = scored(f"t{number}", **scores)
    if number % 6 == 1 and made.written:  # the right file, of another modality
        return replace(made, written=tuple(replace(memory, modality="deleted") for memory in made.written))
    return made


def plain(value: object) -> dict[str, Any]:
    """As a reader of the file sees it."""
    found: dict[str, Any] = json.loads(json.dumps(value))
    return found


def a_run(**more: Any) -> Run:  # noqa: ANN401 - parts of a Run
    """A run with everything that a page can tell."""
    metrics = a_metrics(baseline=True)
    texts = {
        turn["id"]: _text(turn["id"], "Please change {0}, see https://a.example/{1}.") for turn in metrics["turns"]
    }
    parts: dict[str, Any] = {
        "metrics": metrics,
        "sequence": SEQUENCE,
        "amnesia": AMNESIA,
        "texts": TurnTexts(texts),
    }
    return Run(**(parts | more))


def _text(name: str, words: str) -> TurnText:
    file = f"src/f{name.removeprefix('t')}.py"
    calls = (CallText("Edit", file, f"edited {file}", ok=True), CallText("Bash", "ls", "", ok=None))
    return TurnText(words.format(file, name), f"Changed `{file}`.", ("and quickly",), calls, 3, "/w/shop", "main")


def hostile_run() -> Run:
    """The same with every text and every name in it hostile."""

    def hostile(value: object, name: str = "") -> object:
        if isinstance(value, dict):
            free = name in {"types", "kinds", "formats", "repositories", "languages", "refused", "settings", "about"}
            return {f"{key}{HOSTILE}" if free else key: hostile(inner, key) for key, inner in value.items()}
        if isinstance(value, list):
            return [hostile(inner, name) for inner in value]
        return f"{value}{HOSTILE}" if isinstance(value, str) and name not in _KEPT else value

    def bad(value: object) -> dict[str, Any]:
        return plain(hostile(value))

    metrics = bad(a_metrics(baseline=True))
    metrics["lanes"] = {f"{name}{HOSTILE}": lane for name, lane in metrics["lanes"].items()}
    evil: Callable[[str], str] = lambda words: f"{words}{HOSTILE}"  # noqa: E731 - one word
    call = CallText(evil("Tool"), evil("asked"), evil("told"), ok=False)
    text = TurnText(evil("user"), evil("outcome"), (evil("steer"),), (call,), 1, evil("/w"), evil("main"))
    texts = TurnTexts({str(turn["id"]): text for turn in metrics["turns"]}, evil("remark"))
    return Run(metrics, bad(SEQUENCE), bad(AMNESIA), texts)
