"""`ferrule bench`: benchmark turns reviewed in isolation, predictions and figures written.

Owns the command's words and output. Knows nothing of scoring.
"""

from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

from ferrule.interfaces.cli.output import Progress, print_json
from ferrule.interfaces.cli.page import Page
from ferrule.wiring.benching import bench

__all__ = ["run_bench"]


def run_bench(arguments: Namespace) -> int:
    """Review every labelled turn by itself.

    Raises:
        UnreadableInput: turns or labels cannot be read.
        StoreError: the folder cannot be written.
    """
    ontology = [Path(path) for path in arguments.ontology]
    with Progress() as progress:
        figures = bench(
            Path(arguments.turns), Path(arguments.labels), Path(arguments.out), ontology=ontology, progress=progress
        )
    if arguments.json:
        print_json(figures)
        return 0
    page = Page()
    _show(page, figures, 0)
    page.line(f"written: {Path(arguments.out) / 'predictions.jsonl'}, {Path(arguments.out) / 'metrics.json'}")
    return 0


def _show(page: Page, figures: Mapping[str, object], indent: int) -> None:
    for name, value in figures.items():
        if isinstance(value, Mapping):
            page.line((name, "bold"), indent=indent)
            _show(page, value, indent + 2)
        elif isinstance(value, list):
            page.line(f"{name}: {len(value)}", indent=indent)
        else:
            page.line(f"{name}: {value}", indent=indent)
