"""`ferrule memory import`: definitions of a file, through the rules, as a person's own writes (DEC-D12, CASE-N08).

Owns the command's words and output. Knows nothing of the rules.
"""

import sys
from argparse import Namespace
from collections import Counter

from ferrule.interfaces.cli.asking import NOT_DONE, answered
from ferrule.interfaces.cli.command import opened
from ferrule.interfaces.cli.memory_writing import show_finding
from ferrule.interfaces.cli.output import Progress, print_json
from ferrule.interfaces.cli.page import Page
from ferrule.interfaces.shapes import refusal_rows
from ferrule.wiring.drafts import read_draft
from ferrule.wiring.home import Home
from ferrule.wiring.importing import Import, imported, rehearsed
from ferrule.wiring.sessions import resolved

__all__ = ["run_import"]

STYLES = {"new": "green", "added": "green", "unchanged": "dim", "refused": "red", "unreadable": "red"}


def run_import(arguments: Namespace) -> int:
    """Take the definitions of a file in, each whole or not at all; 1 when one stays out or it was only shown.

    Raises:
        UsageError: no such file or session.
        UnreadableInput: it is no text.
        StoreError: the home cannot be used.
    """
    draft = read_draft(arguments.file, sys.stdin.buffer)
    with opened(arguments, make=False) as home:
        session = resolved(home, arguments.session)
        with Progress() as progress:
            progress("judging every definition on a copy of the store")
            change = rehearsed(home, session.key, draft)
        if arguments.json:
            return _told_json(home, arguments, change)
        return _told(home, arguments, change)


def _told(home: Home, arguments: Namespace, change: Import) -> int:
    page = Page()
    for item in change.items:
        where = f"{change.file}:{item.line}: " if item.line else ""
        page.line(where, (item.name or "(the file)", "bold"), "  ", (item.verdict, STYLES[item.verdict]))
        for refusal in item.refusals:
            show_finding(page, refusal, "red")
        if item.reason:
            page.line((item.reason, "dim"), indent=4)
    counts = Counter(item.verdict for item in change.items)
    page.line(", ".join(f"{count} {verdict}" for verdict, count in counts.items()) or f"{change.file}: no definition")
    if arguments.dry_run or not change.changes:
        page.line("Nothing was written" + (": --dry-run" if arguments.dry_run else ""))
        return NOT_DONE if change.refused else 0
    if not answered(arguments, page, f"Write {change.changes} into {change.session}?"):
        return NOT_DONE
    late = imported(home, change)
    for name, _ in late:
        page.line((name, "bold"), ("  refused", "red"), ": somebody else was quicker")
    page.line((f"{change.changes} written", "green"), f" into {change.session}")
    return NOT_DONE if change.refused or late else 0


def _told_json(home: Home, arguments: Namespace, change: Import) -> int:
    do = arguments.yes and not arguments.dry_run and change.changes > 0
    late = dict(imported(home, change)) if do else {}
    for item in change.items:
        print_json(
            {
                "session": change.session,
                "file": change.file,
                "line": item.line or None,
                "prototype": item.name or None,
                "verdict": "refused" if item.name in late else item.verdict,
                "refusals": refusal_rows(item.refusals),
                "reason": item.reason or None,
                "done": do and item.verdict in {"new", "added"} and item.name not in late,
            }
        )
    held_back = change.changes > 0 and not do and not arguments.dry_run
    return NOT_DONE if change.refused or late or held_back else 0
