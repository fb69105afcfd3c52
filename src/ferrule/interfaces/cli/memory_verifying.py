"""`ferrule memory verify`: whether what a home holds is what was written; nothing is changed (CASE-N01, N08, N09).

Owns the command's words and output. Knows nothing of what is checked.
"""

from argparse import Namespace

from ferrule.interfaces.cli.output import Progress, print_json
from ferrule.interfaces.cli.page import Page
from ferrule.wiring.verifying import Fault, Verified, verified

__all__ = ["run_verify"]

MOST_SHOWN = 200
REMEDIES = {
    "file": "ferrule memory repair; where that cannot read it, restore a backup: ferrule memory restore FILE",
    "receipts": "ferrule memory repair reconciles rows with receipts; a broken chain only a backup mends",
    "memory": "ferrule memory repair rebuilds it, or sets it aside",
    "index": "ferrule memory repair makes it anew",
    "turn": "ferrule memory repair drops the text; import its transcript again: ferrule review FILE",
    "review": "restore a backup: ferrule memory restore FILE",
}


def run_verify(arguments: Namespace) -> int:
    """Check chain, head, seals, indexes, turns and files; 1 when something is wrong, notes alone are 0.

    Raises:
        UsageError: no home, or no such session.
        StoreError: the store cannot be read.
    """
    show = _json if arguments.json else _show
    return verified(arguments.home, arguments.session, show)


def _json(found: Verified) -> int:
    wrong = notes = 0
    for fault in found.findings:
        wrong, notes = (wrong, notes + 1) if fault.code is None else (wrong + 1, notes)
        print_json(
            {
                "code": fault.code.value if fault.code else None,
                "area": fault.area,
                "session": fault.session or None,
                "name": fault.name or None,
                "message": fault.message,
                "remedy": REMEDIES.get(fault.area) if fault.code else None,
            }
        )
    print_json(
        {
            "ok": wrong == 0,
            "findings": wrong,
            "notes": notes,
            "sessions": len(found.sessions),
            "memories": found.counts.memories,
            "receipts": found.counts.receipts,
            "head": found.head,
        }
    )
    return 1 if wrong else 0


def _show(found: Verified) -> int:
    page = Page()
    wrong = notes = 0
    with Progress() as progress:
        progress(f"checking {found.counts.memories} memories and {found.counts.receipts} receipts")
        for fault in found.findings:
            wrong, notes = (wrong, notes + 1) if fault.code is None else (wrong + 1, notes)
            if wrong + notes <= MOST_SHOWN:
                with progress.paused():
                    _line(page, fault)
    if wrong + notes > MOST_SHOWN:
        page.line((f"… {wrong + notes - MOST_SHOWN} more (--json shows all)", "dim"))
    counts = found.counts
    held = f"{counts.memories} memories, {counts.receipts} receipts (head {found.head}), {counts.turns} turns"
    page.line(f"{len(found.sessions)} of {counts.sessions} sessions looked at; the store holds {held}")
    if wrong:
        page.line((f"{wrong} findings", "red"))
    else:
        page.line(("all of it checks out", "green"), f"; {notes} note{'s' * (notes > 1)}" if notes else "")
    return 1 if wrong else 0


def _line(page: Page, fault: Fault) -> None:
    place = " ".join(part for part in (fault.session, fault.name) if part)
    mark = (fault.code.value, "red") if fault.code else ("note", "yellow")
    page.line(mark, f"  {place}: " if place else "  ", fault.message, hang=4)
    if fault.code and fault.area in REMEDIES:
        page.line((REMEDIES[fault.area], "dim"), indent=4, hang=6)
