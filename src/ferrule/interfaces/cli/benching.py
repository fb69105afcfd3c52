"""`ferrule bench`: benchmark turns reviewed in isolation, predictions and figures written.

Owns the command's words and output. Knows nothing of scoring.
"""

from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

from ferrule.errors import Code, UsageError
from ferrule.interfaces.cli.output import Progress, print_json
from ferrule.interfaces.cli.page import Page
from ferrule.interfaces.cli.rows import Row, members, text
from ferrule.wiring.benching import bench

__all__ = ["run_bench"]

# What design.md section 9 wants to see.
GOALS = {
    "precision": ">= 0.92",
    "recall": ">= 0.80",
    "writes_per_100_turns": "<= 80",
    "acceptable_share": "<= 0.35",
    "abstention": ">= 0.95",
    "handle_support": ">= 0.97",
    "handle_completeness": ">= 0.85",
    "modality_accuracy": ">= 0.90",
    "forbidden": "0",
    "cpu_ms_p50": "< 20",
}


def run_bench(arguments: Namespace) -> int:
    """Review every labelled turn by itself.

    Raises:
        UsageError: the threshold is none.
        UnreadableInput: turns or labels cannot be read.
        StoreError: the folder cannot be written.
    """
    threshold = arguments.threshold
    if threshold is not None and not 0 < threshold < 1:
        raise UsageError("--threshold is a number above 0 and below 1", code=Code.BAD_TOOL_ARGS)
    with Progress() as progress:
        figures = bench(
            Path(arguments.turns),
            Path(arguments.labels),
            Path(arguments.out),
            ontology=[Path(path) for path in arguments.ontology],
            threshold=threshold,
            progress=progress,
        )
    if arguments.json:
        print_json(figures)
        return 0
    page = Page()
    _show(page, figures)
    page.line(f"written: {Path(arguments.out) / 'predictions.jsonl'}, {Path(arguments.out) / 'metrics.json'}")
    return 0


def _show(page: Page, figures: Row) -> None:
    found = {**members(figures, "figures"), **{f"cpu_ms_{name}": v for name, v in members(figures, "cpu_ms").items()}}
    page.table(
        ("Figure", "Value", "Goal"),
        [(name.replace("_", " "), _shown(value), GOALS.get(name, "")) for name, value in found.items()],
    )
    for title in ("groups", "types"):
        page.blank()
        rows = [(name, row) for name, row in members(figures, title).items() if isinstance(row, Mapping)]
        cells = [(name, text(row, "required"), text(row, "hit"), _shown(row.get("recall"))) for name, row in rows]
        page.table((title.capitalize(), "Required", "Found", "Recall"), cells)
    page.blank()


def _shown(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)
