"""`ferrule bench --report DIR`, and the page that every kept run gets: one file to open in a browser.

Owns the option's words and output. Knows nothing of what is on the page.
"""

from argparse import Namespace
from pathlib import Path

from ferrule.interfaces.cli.output import Progress, print_json, say
from ferrule.interfaces.cli.page import Page
from ferrule.interfaces.cli.visible import visible
from ferrule.wiring.benching_report import Reported, ReportRequest, write_report

__all__ = ["run_report", "write_beside"]


def run_report(arguments: Namespace) -> int:
    """Make the page of a run anew from its folder.

    Raises:
        UsageError: the folder holds no finished run, or another process works on it.
        UnreadableInput: a file of figures is damaged.
        StoreError: the folder cannot be written.
    """
    found = write_beside(arguments, Path(arguments.report))
    if arguments.json:
        print_json(
            {
                "report": str(found.path),
                "bytes": found.size,
                "cases": found.cases,
                "cases_shown": found.shown,
                "remark": found.remark,
            }
        )
        return 0
    page = Page()
    page.line(f"Written: {found.path} ({found.size / 1024:,.0f} kB, {found.shown} of {found.cases} cases)")
    return 0


def write_beside(arguments: Namespace, out: Path) -> Reported:
    """Write `report.html` into a run's folder and say what it lacks. Raises as `run_report`."""
    request = ReportRequest(out, arguments.cases)
    with Progress() as progress:
        found = write_report(request, progress=progress)
    if found.remark:
        say(f"ferrule: note: {visible(found.remark)}")
    return found
