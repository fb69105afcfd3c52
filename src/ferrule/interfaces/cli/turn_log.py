"""`ferrule log`: one line per turn, of one session or of all of them (R95).

Owns the command's words and output. Knows nothing of how it was decided.
"""

from argparse import Namespace
from datetime import UTC, datetime

from ferrule.errors import Code, UsageError
from ferrule.interfaces.cli.command import opened
from ferrule.interfaces.cli.output import print_json
from ferrule.interfaces.cli.page import Page, Span
from ferrule.interfaces.cli.rows import Row, members, number, rows, text, texts
from ferrule.interfaces.cli.visible import excerpt
from ferrule.wiring.explaining import reviews_of
from ferrule.wiring.turn_log import LogLine, logged

__all__ = ["run_log"]

MOST = 10_000
SESSION = 24
REASON = 160
STYLE = {"wrote": "green", "skipped": "yellow", "parked": "red", "not reviewed": "yellow", "withdrawn": "yellow"}


def run_log(arguments: Namespace) -> int:
    """One line per reviewed turn of a session; with `--all` what became of the newest turns of every session.

    Raises:
        UsageError: no such session, or no such number of lines.
    """
    if arguments.all:
        return _all(arguments)
    with opened(arguments, make=False) as home:
        found = reviews_of(home, arguments.source, None)
    if arguments.json:
        print_json(*({"session": found.session, **_line(review)} for review in found.reviews))
        return 0
    page = Page()
    for review in found.reviews:
        line = _line(review)
        names = ", ".join(texts(line, "written")) or "-"
        refused = f"  refused {line['refused']}" if line["refused"] else ""
        page.line(f"{line['ordinal']:>4}  {line['outcome']:<8}  ", (names, "green"), (refused, "red"), hang=16)
    if not found.reviews:
        page.line("No turn of it was reviewed yet.")
    return 0


def _all(arguments: Namespace) -> int:
    if not 1 <= arguments.limit <= MOST:
        raise UsageError(f"--limit is a number from 1 to {MOST}", code=Code.BAD_TOOL_ARGS)
    with opened(arguments, make=False) as home:
        found = logged(home, arguments.limit)
    if arguments.json:
        print_json(*map(_json, found))
        return 0
    page = Page()
    width = min(max((len(_short(line.source)) for line in found), default=0), SESSION)
    for line in found:
        page.line(*_spans(line, width), hang=18 + width + 20)
    if not found:
        page.line("No turn is known yet. Start with: ferrule try, or ferrule review FILE")
    return 0


def _spans(line: LogLine, width: int) -> list[Span]:
    turn = "   -" if line.ordinal is None else f"{line.ordinal:>4}"
    names = ", ".join(line.written) if line.written else excerpt(line.reason, REASON) or "-"
    return [
        (f"{_clock(line.when)}  ", "dim"),
        (f"{_short(line.source):<{width}}", "bold"),
        f"  {turn}  ",
        (f"{line.outcome:<12}  ", STYLE.get(line.outcome, "")),
        (names, "green" if line.written else "dim"),
        (f"  refused {line.refused}" if line.refused else "", "red"),
    ]


def _short(source: str) -> str:
    """The session as a person may type it: its key, or so much of it that is as good as always its own."""
    return source if len(source) <= SESSION else source[: SESSION - 1] + "…"


def _clock(when: float) -> str:
    try:
        return datetime.fromtimestamp(when, UTC).astimezone().strftime("%Y-%m-%d %H:%M")
    except (OverflowError, ValueError, OSError):
        return "-" * 16


def _json(line: LogLine) -> dict[str, object]:
    return {
        "at": datetime.fromtimestamp(line.when, UTC).isoformat(timespec="seconds"),
        "session": line.source,
        "turn": line.turn,
        "ordinal": line.ordinal,
        "outcome": line.outcome,
        "reason": line.reason,
        "written": list(line.written),
        "refused": line.refused,
        "candidates": line.candidates,
    }


def _line(review: Row) -> dict[str, object]:
    turn = members(review, "turn")
    return {
        "turn": text(turn, "key"),
        "ordinal": number(turn, "ordinal"),
        "outcome": text(review, "outcome"),
        "written": [text(row, "prototype") for row in rows(review, "written")],
        "refused": len(rows(review, "refused")),
        "candidates": len(rows(review, "candidates")),
    }
