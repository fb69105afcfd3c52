"""`ferrule bench --sequence` and `--amnesia`: whole sessions, reviewed in order or cut.

Owns their options and pages. Knows nothing of how the figures come about.
"""

from argparse import Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path

from ferrule.errors import Code, UsageError
from ferrule.interfaces.cli.bench_report import write_beside
from ferrule.interfaces.cli.output import Progress, print_json
from ferrule.interfaces.cli.page import Page
from ferrule.interfaces.cli.rows import Row, members, rows, text
from ferrule.wiring.benching_sessions import SessionsAsked
from ferrule.wiring.benching_ways import AMNESIA, SEQUENCE, WayRequest, bench_amnesia, bench_sequence

__all__ = ["run_amnesia", "run_sequence"]

_FINDINGS = 1
_MOST_SHOWN = 10
_BOUNDS = {"overwrites": 0, "secrets": 0, "handleless": 0, "failed": 0}
_MOST_DUPLICATES = 0.02
_GOALS = {
    "writes_per_100_turns": "<= 80",
    "duplicate_share": "< 0.02",
    "overwrites": "0",
    "secrets": "0",
    "handleless": "0",
    "failed": "0",
}


def run_sequence(arguments: Namespace) -> int:
    """Review whole sessions in order; 1 when something was overwritten, doubled too often, secret or without a handle.

    Raises:
        UsageError: an option is wrong, or there is no such path.
        UnreadableInput: nothing there is a transcript.
        StoreError: the folder cannot be written.
    """
    request = _request(arguments)
    with Progress() as progress:
        found = bench_sequence(request, progress=progress)
    _reported(arguments, request)
    figures = members(found, "figures")
    if arguments.json:
        print_json(found)
    else:
        page = Page()
        _show_sequence(page, found, figures)
        _show_file(page, request.out, SEQUENCE)
    doubled = figures.get("duplicate_share")
    broken = any(figures.get(name) != bound for name, bound in _BOUNDS.items())
    return _FINDINGS if broken or (isinstance(doubled, float) and doubled >= _MOST_DUPLICATES) else 0


def _show_sequence(page: Page, found: Row, figures: Row) -> None:
    shown = [
        (_words(name), _cell(value), _GOALS.get(name, "")) for name, value in figures.items() if name != "current_view"
    ]
    page.table(("Figure", "Value", "Goal"), shown)
    view = members(figures, "current_view")
    page.line(
        f"Of {text(view, 'values')} values, readers were shown {text(view, 'current')} as current, "
        f"{text(view, 'was')} as what was before, {text(view, 'hidden')} not at all."
    )
    page.blank()
    page.table(
        ("Format", "Sessions", "Turns", "Writes per 100", "Memories", "Augmented", "Doubled"),
        [
            (name, *(_cell(row.get(key)) for key in ("sessions", "turns", "writes_per_100_turns", "memories")),
             _cell(row.get("augmentations")), _cell(row.get("duplicates")))
            for name, row in _named(found, "formats")
        ],
    )  # fmt: skip
    _show_faults(page, found)


def _show_faults(page: Page, found: Row) -> None:
    faults = rows(found, "faults")
    if faults:
        page.blank()
        told = [(text(f, "fault"), text(f, "session"), text(f, "turn"), text(f, "what")) for f in faults[:_MOST_SHOWN]]
        page.table(("Fault", "Session", "Turn", "What"), told)


def run_amnesia(arguments: Namespace) -> int:
    """Cut sessions and tell how much of what is used again survives. Raises as `run_sequence`."""
    request = _request(arguments)
    with Progress() as progress:
        found = bench_amnesia(request, progress=progress)
    _reported(arguments, request)
    if arguments.json:
        print_json(found)
        return 0
    page = Page()
    page.line(
        f"{text(found, 'sessions')} sessions with {text(found, 'turns')} turns, cut {text(found, 'cuts')} times. "
        f"{text(found, 'needed')} handles are used after a cut, were told before it, and are absent from the last "
        f"{request.window} turns."
    )
    if not found.get("needed"):
        page.line("So there is nothing to measure: give longer sessions with --sessions PATH, or a smaller --window.")
        _show_file(page, request.out, AMNESIA)
        return 0
    page.blank()
    _show_contenders(page, found, request)
    for title, name in (
        ("After turn", "by_cut"),
        ("Before the cut", "by_origin"),
        ("Format", "by_format"),
        ("Kind", "by_kind"),
    ):
        page.blank()
        _show_shares(page, title, list(_named(found, name)))
    for title, name, key in (("Tokens", "by_budget", "tokens"), ("Last turns kept", "by_window", "window")):
        page.blank()
        _show_shares(page, title, [(text(row, key), row) for row in rows(found, name)])
    _show_file(page, request.out, AMNESIA)
    return 0


def _show_contenders(page: Page, found: Row, request: WayRequest) -> None:
    ahead = members(found, "advantage")
    page.table(
        (f"Within {request.tokens} tokens", "Share", "95 %", "Ferrule ahead by", "95 %"),
        [
            (name, _cell(row.get("share")), _span(row), *_ahead(ahead, name))
            for name, row in _named(found, "contenders")
            if name != "remembered"
        ],
    )
    kept = members(members(found, "contenders"), "remembered")
    page.line(f"Remembered, whatever the budget (what a search would find): {_cell(kept.get('share'))}")


def _ahead(ahead: Row, name: str) -> tuple[str, str]:
    row = members(ahead, name)
    return (_cell(row.get("share")), _span(row)) if row else ("", "")


def _span(row: Row) -> str:
    span = row.get("interval")
    return f"{_cell(span[0])} to {_cell(span[1])}" if isinstance(span, list | tuple) and len(span) > 1 else ""


def _show_shares(page: Page, title: str, found: list[tuple[str, Row]]) -> None:
    names = list(members(found[0][1], "shares")) if found else []
    page.table(
        (title, "Needed", *(name.capitalize() for name in names)),
        [(group, text(row, "needed"), *(_cell(v) for v in members(row, "shares").values())) for group, row in found],
    )


def _named(found: Row, name: str) -> Iterator[tuple[str, Row]]:
    return ((key, row) for key, row in members(found, name).items() if isinstance(row, Mapping))


def _request(arguments: Namespace) -> WayRequest:
    tokens, window, threshold = arguments.tokens, arguments.window, arguments.threshold
    if not 50 <= tokens <= 100_000 or not 0 <= window <= 1000:  # noqa: PLR2004 - less holds no entry, more is no context
        raise UsageError("--tokens is 50 to 100000, --window 0 to 1000", code=Code.BAD_TOOL_ARGS)
    return WayRequest(
        sessions=SessionsAsked(
            paths=tuple(Path(path) for path in arguments.sessions),
            threshold=_threshold(threshold),
            ontology=tuple(Path(path) for path in arguments.ontology),
            home=Path(arguments.home) if arguments.home else None,
        ),
        out=Path(arguments.out) if arguments.out else None,
        tokens=tokens,
        window=window,
        draws=arguments.draws,
        seed=arguments.seed,
    )


def _threshold(text_: str | None) -> float | None:
    try:
        value = None if text_ is None else float(text_)
    except ValueError:
        value = 0.0
    if value is not None and not 0 < value < 1:
        raise UsageError("--threshold is a number above 0 and below 1", code=Code.BAD_TOOL_ARGS)
    return value


def _reported(arguments: Namespace, request: WayRequest) -> None:
    """The page of the folder tells this too."""
    if request.out is not None:
        write_beside(arguments, request.out)


def _show_file(page: Page, out: Path | None, name: str) -> None:
    if out is not None:
        page.blank()
        page.line(f"written: {out / name}, and report.html beside it")


def _words(name: str) -> str:
    return name.replace("_", " ")


def _cell(value: object) -> str:
    return "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
