"""`ferrule review`: the completed turns of a transcript, reviewed in order.

Owns the command's words and output. Knows nothing of how a turn is reviewed.
"""

import shlex
import sys
from argparse import Namespace
from contextlib import AbstractContextManager

from ferrule.interfaces.cli.command import opened
from ferrule.interfaces.cli.output import Progress, print_json, say
from ferrule.interfaces.cli.page import Page
from ferrule.interfaces.cli.report import ended_with, print_session, summary
from ferrule.interfaces.cli.rows import Row, rows
from ferrule.interfaces.cli.visible import visible
from ferrule.wiring.home import Home, throw_away_home
from ferrule.wiring.reading import Unreadable
from ferrule.wiring.reviewing import SessionReport, review_inputs
from ferrule.wiring.sessions import newest

__all__ = ["run_review"]

SOME_UNREADABLE = 3


def run_review(arguments: Namespace) -> int:
    """Review a file, a folder or standard input.

    Raises:
        UsageError: no such path, or no such turn.
        UnreadableInput: not one file could be read as a transcript.
        StoreError: the home cannot be used.
    """
    reports: list[Row] = []
    unreadable, told = 0, set[str]()
    page = None if arguments.json else Page()
    with _home(arguments) as home, Progress() as progress:
        stdin = sys.stdin.buffer
        found = review_inputs(
            home, arguments.path, stdin, only=arguments.turn, progress=progress, form=arguments.format
        )
        for result in found:
            if isinstance(result, Unreadable):
                unreadable += 1
                with progress.paused():
                    say(f"ferrule: skipped {result.file}: {result.reason}")
                continue
            reports.append(result.review)
            with progress.paused():
                _remark(result, told)
                _show(page, result)
        last = newest(home)
    if page is not None and unreadable and not reports:
        page.line(f"Not one of {unreadable} file{'' if unreadable == 1 else 's'} could be read as a transcript.")
    elif page is not None:
        page.line((f"{summary(reports, dry=arguments.dry_run)}", "bold"))
        _next_steps(page, reports, last, dry=arguments.dry_run)
    return ended_with(reports) or (SOME_UNREADABLE if unreadable and not reports else 0)


def _home(arguments: Namespace) -> AbstractContextManager[Home]:
    if arguments.dry_run:
        return throw_away_home(arguments.home, ontology=arguments.ontology)
    return opened(arguments)


def _remark(result: SessionReport, told: set[str]) -> None:
    """Say once, beside the output, what of a file was passed over."""
    for remark in result.remarks:
        if remark not in told:
            told.add(remark)
            say(f"ferrule: {visible(remark)}")


def _show(page: Page | None, result: SessionReport) -> None:
    if page is None:
        print_json(result.review)
        return
    print_session(page, result.review, result.titles, result.heading)
    page.blank()


def _next_steps(page: Page, reports: list[Row], last: str, *, dry: bool) -> None:
    if dry or not any(rows(review, "written") for report in reports for review in rows(report, "reviews")):
        return
    key = str(reports[-1].get("session"))
    name = "last" if key == last else shlex.quote(key)
    there = "" if key == last else f" --session {name}"
    page.line((f"again: ferrule memory list{there}", "dim"))
    page.line((f"why:   ferrule explain {name}", "dim"))
    page.line((f"agent: ferrule context{there}", "dim"))
