"""`ferrule bench`: labelled turns reviewed in isolation in every lane, with figures that a pipeline can hold to.

Owns the command's options and what it says beside the page. Other ways of working are rows of `WAYS` in
`table_benching.py`, each with a module of its own. Knows nothing of scoring.
"""

import importlib
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path

from ferrule.interfaces.cli.bench_report import write_beside
from ferrule.interfaces.cli.output import Progress, print_json, say
from ferrule.interfaces.cli.page import Page
from ferrule.interfaces.cli.rows import text
from ferrule.interfaces.cli.table_benching import WAYS
from ferrule.wiring.benching import BenchRequest, BenchResult, Choice, Drawing, run_benchmark
from ferrule.wiring.benching_checks import bounds_of, out_of_bounds

__all__ = ["run_bench"]

_FINDINGS = 1


def run_bench(arguments: Namespace) -> int:
    """Review every labelled turn by itself; 1 when a figure is out of the bounds that were asked for.

    Raises:
        UsageError: an option is wrong, or the folder holds a run of something else.
        UnreadableInput: turns, labels, predictions or a baseline cannot be read.
        StoreError: the folder cannot be written.
    """
    for way in WAYS:
        if getattr(arguments, way.name, None):
            return _function(way.target)(arguments)
    bounds = (*bounds_of(arguments.fail_below, least=True), *bounds_of(arguments.fail_above, least=False))
    request = _request(arguments)
    with Progress() as progress:
        result = run_benchmark(request, progress=progress)
    _remark(result)
    if request.out is not None:
        write_beside(arguments, request.out)
    broken = out_of_bounds(result.metrics, bounds)
    if arguments.json:
        print_json({**result.metrics, "out_of_bounds": broken})
    else:
        from ferrule.interfaces.cli.benching_page import show  # noqa: PLC0415 - programs need no page

        page = Page()
        show(page, result.metrics)
        _show_files(page, request.out)
    for row in broken:
        say(f"{row['lane']}: {_words(text(row, 'figure'))} {_shown(row['value'])} is {row['side']} {row['bound']}")
    return _FINDINGS if broken else 0


def _function(target: str) -> Callable[[Namespace], int]:
    module, _, function = target.partition(":")
    found: Callable[[Namespace], int] = getattr(importlib.import_module(f"ferrule.interfaces.cli.{module}"), function)
    return found


def _request(arguments: Namespace) -> BenchRequest:
    lanes = list(arguments.lane)
    if arguments.threshold is not None:
        lanes.append(f"embedded:threshold={arguments.threshold}")
    return BenchRequest(
        turns=_path(arguments.turns),
        labels=_path(arguments.labels),
        out=_path(arguments.out),
        lanes=tuple(lanes),
        ontology=tuple(Path(path) for path in arguments.ontology),
        chosen=Choice(arguments.limit, _ids(arguments.only)),
        jobs=arguments.jobs,
        fresh=arguments.fresh,
        retry_failed=arguments.retry_failed,
        baseline=_path(arguments.baseline),
        draws=Drawing(arguments.draws, arguments.seed),
        home=_path(arguments.home),
    )


def _path(given: str | None) -> Path | None:
    return None if given is None else Path(given)


def _ids(given: Sequence[str]) -> tuple[str, ...]:
    return tuple(name.strip() for words in given for name in words.split(",") if name.strip())


def _remark(result: BenchResult) -> None:
    if result.dropped:
        say(f"{result.dropped} damaged lines of an earlier start were dropped, and their turns reviewed again")
    if 0 < result.kept < result.rows:
        say(f"went on with an earlier start: {result.kept} of {result.rows} rows were there")


def _show_files(page: Page, out: Path | None) -> None:
    page.blank()
    if out is None:
        page.line("Nothing was kept; --out DIR keeps predictions, rows and all figures.")
    else:
        page.line(f"Kept in {out}: run.json, lanes/, metrics.json, report.html")


def _words(name: str) -> str:
    return name.replace("_", " ")


def _shown(value: object) -> str:
    return "(not counted)" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
