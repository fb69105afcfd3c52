"""`ferrule install` and `ferrule uninstall`: the change is shown first, then it is done on a word.

Owns the commands' words, how a change of a file is shown, and the question. Knows nothing of what is changed or how.
"""

import os
import sys
from argparse import Namespace
from pathlib import Path

from ferrule.interfaces.cli.output import print_json
from ferrule.interfaces.cli.page import Page
from ferrule.wiring.installing import Installation, Wishes, done, planned_install, planned_uninstall
from ferrule.wiring.previewing import Preview, preview

__all__ = ["run_install", "run_uninstall"]

MODES = {
    "auto": "attach auto: the first completed main turn of a session is attached, exactly that turn; later ones follow",
    "manual": "attach manual: nothing is reviewed until you give a turn a thumbs-up; then that session is followed",
}
WIDEST, MOST_ROWS, TEXT = 500, 40, ".md"
ASKED = 1


def run_install(arguments: Namespace) -> int:
    """Put Ferrule into a client; 1 when it was only shown what that would change.

    Raises:
        UsageError: no such client, something of another origin stands in the way, or a file cannot be written.
        UnreadableInput: a file of the client is not what the client itself would read.
    """
    planned = planned_install(arguments.client, _wishes(arguments))
    if arguments.json:
        return _json(planned, "install", arguments)
    page = Page()
    if not planned.changes:
        done(planned)
        page.line((planned.title, "bold"), ": already installed; nothing to change")
        _notes(page, planned)
        return 0
    if arguments.yes and not arguments.dry_run:
        done(planned)  # before a word of it is printed: whoever reads may have seen enough
    verb = "mends or completes" if planned.was_installed else "is put into"
    page.line((f"Ferrule {verb} {planned.title}", "bold"), f"  ({planned.config})")
    _changes(page, planned, every_line=arguments.dry_run)
    page.line(MODES[planned.attach], indent=2)
    _notes(page, planned)
    if not _wanted(page, planned, arguments):
        return ASKED if not arguments.dry_run else 0
    page.line(("Installed.", "green"), " Memory stays on this machine, in ", str(planned.home))
    for number, step in enumerate(planned.next_steps, 1):
        page.line(f"{number}. {step}", indent=2, hang=5)
    page.line((f"Look whether all is well: ferrule doctor {planned.client}", "dim"))
    page.line((f"Take it out again: ferrule uninstall {planned.client}", "dim"))
    return 0


def run_uninstall(arguments: Namespace) -> int:
    """Take Ferrule out of a client; its memory stays. 1 when it was only shown what that would change.

    Raises:
        UsageError: no such client, or a file cannot be written.
        UnreadableInput: a file of the client is not what the client itself would read.
    """
    planned = planned_uninstall(arguments.client, _wishes(arguments))
    if arguments.json:
        return _json(planned, "uninstall", arguments)
    page = Page()
    if not planned.changes:
        done(planned)
        page.line((planned.title, "bold"), ": not installed; nothing to take out")
        _notes(page, planned)
        return 0
    if arguments.yes and not arguments.dry_run:
        done(planned)
    page.line((f"Ferrule is taken out of {planned.title}", "bold"), f"  ({planned.config})")
    _changes(page, planned, every_line=arguments.dry_run)
    _notes(page, planned)
    if not _wanted(page, planned, arguments):
        return ASKED if not arguments.dry_run else 0
    there = planned.home.exists()
    page.line(
        ("Taken out.", "green"), f" What was remembered stays in {planned.home}" if there else " No trace is left."
    )
    return 0


def _wishes(arguments: Namespace) -> Wishes:
    return Wishes(
        home=arguments.home,
        config=arguments.config_dir,
        attach=getattr(arguments, "attach", None),
        mcp=not getattr(arguments, "no_mcp", False),
        status_line=getattr(arguments, "status_line", False),
    )


def _changes(page: Page, planned: Installation, *, every_line: bool) -> None:
    shown = preview(planned.changes)
    whole = [] if every_line else [one for one in shown if one.file.suffix == TEXT]
    for one in shown:
        if one not in whole:
            _change(page, one, every_line=every_line)
    for action, folder in dict.fromkeys((one.action, one.file.parent) for one in whole):
        page.blank()
        page.line((action, "cyan"), "  ", (f"{folder}{os.sep}", "bold"))
        for one in whole:
            if (one.action, one.file.parent) == (action, folder):
                page.line(f"{one.file.name}  {one.meaning}", indent=2)
    page.blank()


def _change(page: Page, shown: Preview, *, every_line: bool) -> None:
    page.blank()
    page.line((shown.action, "cyan"), "  ", (str(shown.file), "bold"))
    page.line(shown.meaning, indent=2)
    if shown.action == "remove" and not every_line:
        return
    rows = shown.rows if every_line else shown.rows[:MOST_ROWS]
    for row in rows:
        style = {"+": "green", "-": "red", "@": "cyan"}.get(row[:1], "dim")
        page.exact((f"    {row[:WIDEST]}{'…' if len(row) > WIDEST else ''}", style))
    if len(rows) < len(shown.rows):
        page.line((f"    … {len(shown.rows) - len(rows)} more lines (--dry-run shows all)", "dim"))


def _notes(page: Page, planned: Installation) -> None:
    for note in planned.notes:
        page.line(("note", "yellow"), f"  {note}", indent=2, hang=8)


def _wanted(page: Page, planned: Installation, arguments: Namespace) -> bool:
    """Whether it is done: it was with --yes, it is now when a person says so."""
    if arguments.yes and not arguments.dry_run:
        return True
    if arguments.dry_run:
        page.line("Nothing was written: --dry-run")
        return False
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        page.line("Nothing was written; do it with --yes")
        return False
    sys.stdout.write("Write this? [y/N] ")
    sys.stdout.flush()
    if sys.stdin.readline().strip().casefold() in {"y", "yes"}:
        done(planned)
        return True
    page.line("Nothing was written")
    return False


def _json(planned: Installation, action: str, arguments: Namespace) -> int:
    do = arguments.yes and not arguments.dry_run
    shown = preview(planned.changes)
    if do or not planned.changes:
        done(planned)
    print_json(
        {
            "client": planned.client,
            "action": action,
            "config": str(planned.config),
            "home": str(planned.home),
            "attach": planned.attach or None,
            "files": [
                {"path": str(Path(one.file)), "action": one.action, "meaning": one.meaning, "diff": list(one.rows)}
                for one in shown
            ],
            "notes": list(planned.notes),
            "next": list(planned.next_steps) if planned.changes else [],
            "done": do or not planned.changes,
        }
    )
    return 0 if do or arguments.dry_run or not planned.changes else ASKED
