"""`ferrule memory repair`: what is damaged is rebuilt from what is sound, shown first (CASE-N01, N09).

Owns the command's words and output. Knows nothing of what is mended.
"""

from argparse import Namespace

from ferrule.interfaces.cli.asking import NOT_DONE, answered
from ferrule.interfaces.cli.output import Progress, print_json
from ferrule.interfaces.cli.page import Page
from ferrule.wiring.repairing import Mended, Repaired, repaired

__all__ = ["run_repair"]

MOST_SHOWN = 200
STYLES = {
    "rebuilt": "green",
    "reindexed": "green",
    "set aside": "yellow",
    "dropped": "yellow",
    "reconciled": "yellow",
    "left": "red",
}


def run_repair(arguments: Namespace) -> int:
    """Repair a home; 1 when something is left as it is, or it was only shown.

    Raises:
        UsageError: no home.
        StoreError: the store cannot be read, is in use, or cannot be written; nothing was changed.
    """
    page = None if arguments.json else Page()

    def wanted(plan: Repaired) -> bool:
        if page is None:
            return bool(arguments.yes) and not arguments.dry_run
        with progress.paused():
            _show(page, plan.steps)
            if arguments.dry_run:
                page.line("Nothing was changed: --dry-run")
                return False
            return answered(arguments, page, "Repair it?")

    with Progress() as progress:
        progress("trying the repair on a copy of the store")
        done = repaired(arguments.home, wanted)
    if page is None:
        _json(done)
    else:
        _told(page, done)
    return 0 if (done.done or not done.changes) and not done.left else NOT_DONE


def _show(page: Page, steps: tuple[Mended, ...]) -> None:
    for step in steps[:MOST_SHOWN]:
        place = " ".join(part for part in (step.session, step.name) if part)
        page.line((step.what, STYLES[step.what]), f"  {step.area}", f" {place}" if place else "", f": {step.reason}")
    if len(steps) > MOST_SHOWN:
        page.line((f"… {len(steps) - MOST_SHOWN} more (--json shows all)", "dim"))


def _told(page: Page, done: Repaired) -> None:
    if not done.changes:
        _show(page, done.steps)
        page.line(
            ("nothing can be mended here", "red") if done.left else ("nothing is damaged", "green"), f": {done.home}"
        )
    if not done.done:
        return
    page.line(("repaired", "green"), f": {done.home}")
    if done.copy is not None:
        kept = "until its retention has passed or something is forgotten"
        page.line(f"the store as it was is kept {kept}: {done.copy}", indent=2)
    for note in done.notes:
        page.line(("note", "yellow"), f"  {note}", indent=2)
    page.line(("ferrule memory verify tells what is left", "dim"))


def _json(done: Repaired) -> None:
    for step in done.steps:
        print_json(
            {
                "what": step.what,
                "area": step.area,
                "session": step.session or None,
                "name": step.name or None,
                "reason": step.reason,
                "done": done.done and step.what != "left",
            }
        )
    print_json(
        {
            "home": str(done.home),
            "steps": len(done.steps),
            "done": done.done,
            "copy": str(done.copy or "") or None,
            "notes": list(done.notes),
        }
    )
