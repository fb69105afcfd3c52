"""`ferrule try`: what Ferrule would remember of your newest agent session, without writing anything.

Owns the command's words and output. Knows nothing of how a session is found or reviewed.
"""

import shlex
from argparse import Namespace

from ferrule.interfaces.cli.output import Progress, print_json
from ferrule.interfaces.cli.page import Page
from ferrule.interfaces.cli.report import print_worth, summary
from ferrule.wiring.home import throw_away_home
from ferrule.wiring.trying import Trial, try_newest

__all__ = ["run_try"]

AT_MOST = 10
OFFERED = ("claude-code", "codex")
NOTHING_FOUND = (
    "There is no session of Claude Code or Codex in their standard folders.",
    "Looked in: {folders}",
    "Point Ferrule at a transcript instead: ferrule review FILE",
)


def run_try(arguments: Namespace) -> int:
    """Review the newest local session in a throw-away home and show at most ten memories with their reasons."""
    with throw_away_home(arguments.home, ontology=arguments.ontology) as home, Progress() as progress:
        trial = try_newest(home, arguments.client, progress=progress)
    if arguments.json:
        print_json({"file": trial.file, "review": trial.report.review if trial.report else None})
        return 0
    page = Page()
    if trial.report is None:
        for line in NOTHING_FOUND:
            page.line(line.format(folders=", ".join(trial.looked_in)))
        return 0
    _show(page, trial, arguments.home)
    return 0


def _show(page: Page, trial: Trial, home: str | None) -> None:
    report = trial.report
    if report is None:
        return
    page.line((report.heading, "bold"))
    shown = print_worth(page, report.review, AT_MOST)
    page.blank()
    page.line((summary([report.review], dry=True), "bold"))
    if trial.left_out:
        page.line(
            (f"Only the last {trial.looked_at} of {trial.looked_at + trial.left_out} turns were looked at.", "dim")
        )
    if not shown:
        page.line("Nothing in it has a handle that deserves memory: Ferrule stays quiet rather than keep a diary.")
    where = f" --home {shlex.quote(home)}" if home else ""
    page.line(f"Nothing was written. Keep them: ferrule review {shlex.quote(trial.file)}{where}")
    client = str(report.review.get("session", "")).partition(":")[0]
    if client in OFFERED:
        page.line((f"From now on by itself: ferrule install {client}{where}", "dim"))
