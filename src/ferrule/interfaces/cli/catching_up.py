"""`ferrule catch-up`: the stored turns that nobody reviewed, shown, then reviewed oldest first.

Owns the command's words and output. Knows nothing of what a batch leaves out or of how a turn is reviewed.
"""

import shlex
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field

from ferrule.errors import Code, UsageError
from ferrule.interfaces.cli.command import opened, opened_or_empty
from ferrule.interfaces.cli.output import Progress, print_json, say
from ferrule.interfaces.cli.page import Page
from ferrule.interfaces.cli.report import ended_with, print_session
from ferrule.interfaces.cli.rows import Row, rows
from ferrule.interfaces.cli.visible import excerpt, visible
from ferrule.interfaces.cli.wording import counted, spans_of
from ferrule.wiring.catching_up import (
    Declined,
    Halt,
    LeftOut,
    Plan,
    Reset,
    Target,
    Unfinished,
    Unreadable,
    Why,
    begun,
    forgotten_batch,
    plan_of,
    progress_now,
    run_batch,
    targets,
    title_of,
    why_unfinished,
)
from ferrule.wiring.catching_up import Progress as Count
from ferrule.wiring.home import Home

__all__ = ["run_catch_up"]

NOT_DONE = 1
SOME_UNREADABLE = 3
REASON = 120
SHOWN = 5
COMMANDS = {Halt.PAUSED: "resume", Halt.DECLINED: "status"}


@dataclass(slots=True)
class _Run:
    """One source's batch as it came out."""

    plan: Plan
    reviews: list[dict[str, object]] = field(default_factory=list)
    titles: dict[str, str] = field(default_factory=dict)

    @property
    def report(self) -> Row:
        """As a review reports."""
        return {"session": self.plan.source, "skipped": [], "reviews": self.reviews}


def run_catch_up(arguments: Namespace) -> int:
    """Show what is to be reviewed and, unless only that was asked for, review it; or forget the batch.

    Raises:
        UsageError: no such session or path, or options that exclude each other.
        UnreadableInput: nothing at the path is a transcript.
        StoreError: the home cannot be used; what was committed before stays.
    """
    if arguments.reset:
        return _reset(arguments)
    codes: list[int] = []
    with _home(arguments) as home, Progress() as progress:
        catching_up = _CatchingUp(arguments, home, progress, None if arguments.json else Page())
        for target in targets(home, arguments.source, arguments.transcripts, sys.stdin.buffer, progress=progress):
            if isinstance(target, Unreadable):
                with progress.paused():
                    say(visible(f"ferrule: skipped {target.file}: {target.reason}"))
            else:
                codes.append(catching_up.one(target))
    return max(codes, default=SOME_UNREADABLE)


def _home(arguments: Namespace) -> AbstractContextManager[Home]:
    brought = arguments.transcripts is not None
    return opened_or_empty(arguments) if arguments.dry_run and brought else opened(arguments, make=brought)


@dataclass(frozen=True, slots=True)
class _CatchingUp:
    """The command at work on one home; `page` is None where JSON is asked for."""

    arguments: Namespace
    home: Home
    progress: Progress
    page: Page | None

    def one(self, target: Target) -> int:
        """Catch up one source, or only show its plan; returns the exit code."""
        dry = self.arguments.dry_run
        planned = plan_of(self.home, target) if dry else begun(self.home, target, progress=self.progress)
        with self.progress.paused():
            if isinstance(planned, Declined):
                _decline(self.page, target.source, planned)
                return NOT_DONE
            if self.page is not None:
                _show_plan(self.page, planned)
            elif dry:
                print_json({"session": planned.source, "dry_run": True, "plan": _plan_json(planned)})
        if dry:
            return 0
        run = _Run(planned)
        if planned.turns:
            self._work(run)
        with self.progress.paused():
            return self._tell(run)

    def _work(self, run: _Run) -> None:
        """Run the batch; a person who stops it is told how far it came."""
        source = run.plan.source
        try:
            with closing(run_batch(self.home, source, one=self.arguments.next, progress=self.progress)) as steps:
                for step in steps:
                    run.reviews.append(step.outcome.json_form())
                    run.titles[step.outcome.turn] = title_of(self.home, source, step.outcome.turn)
        except (KeyboardInterrupt, SystemExit):
            count = progress_now(self.home, source)
            with self.progress.paused():
                say(visible(f"{source}: {_reviewed(count)}; goes on with: ferrule catch-up {shlex.quote(source)}"))
            raise

    def _tell(self, run: _Run) -> int:
        source = run.plan.source
        count, why = progress_now(self.home, source), why_unfinished(self.home, source)
        failed = ended_with([run.report])
        stopped = None if self.arguments.next and run.reviews and not failed else why
        if self.page is None:
            print_json(
                {
                    "session": source,
                    "plan": _plan_json(run.plan),
                    "reviews": run.reviews,
                    "progress": _progress_json(count),
                    "caught_up": count.done == count.of,
                    "stopped": {"why": stopped.halt.value, "reason": stopped.reason} if stopped else None,
                }
            )
        elif run.plan.turns:
            _show_run(self.page, run, count, why)
        return failed or (NOT_DONE if stopped else 0)


def _reviewed(count: Count) -> str:
    given_up = f", {count.failed} given up" if count.failed else ""
    skipped = f", {count.skipped} skipped" if count.skipped else ""
    return f"{count.done} of {counted(count.of, 'turn')} reviewed{given_up}{skipped}"


def _progress_json(count: Count) -> dict[str, object]:
    return {
        "done": count.done,
        "of": count.of,
        "skipped": count.skipped,
        "failed": count.failed,
        "left": count.left,
    }


def _show_run(page: Page, run: _Run, count: Count, why: Unfinished | None) -> None:
    if run.reviews:
        print_session(page, run.report, run.titles, "")
    if count.done == count.of:
        page.line(("Caught up", "bold green"), f": {_reviewed(count)}, {_written(run)}.")
        return
    reason = f"; {why.reason.removesuffix('.')}" if why else ""
    page.line(("Not caught up", "bold yellow"), f": {_reviewed(count)}{reason}.")
    command = COMMANDS.get(why.halt, "catch-up") if why else "resume --parked" if count.failed else ""
    if command:
        page.line((f"goes on with: ferrule {command} {shlex.quote(run.plan.source)}", "dim"))


def _written(run: _Run) -> str:
    written = sum(len(rows(review, "written")) for review in run.reviews)
    refused = sum(len(rows(review, "refused")) for review in run.reviews)
    return f"{counted(written, 'memory', 'memories')} written" + (f", {refused} refused" if refused else "")


def _show_plan(page: Page, planned: Plan) -> None:
    """What would be done, and why the rest is left out, each with what to do about it."""
    page.line((planned.source, "bold"))
    if not planned.turns and not planned.left_out:
        page.line("No turn of it is stored. Bring them in with: --from TRANSCRIPT", indent=2)
        return
    if not planned.turns and all(row.why is Why.REVIEWED for row in planned.left_out):
        stored = counted(len(planned.left_out), "stored turn")
        page.line(("Caught up", "bold green"), f": {stored}, nothing left to review.", indent=2)
        return
    turns = [ordinal for ordinal, _ in planned.turns]
    what = f"{counted(len(turns), 'turn')} to review ({spans_of(turns)})" if turns else "nothing to review"
    some = f"{planned.queued} of them " if planned.queued < len(turns) else ""
    waiting = f", {some}waiting already" if planned.queued else ""
    page.line(f"{what}{waiting}", indent=2, hang=4)
    for line in _left_out(planned):
        page.line((line, "dim"), indent=2, hang=4)


def _left_out(planned: Plan) -> Iterator[str]:
    by_why: dict[Why, list[LeftOut]] = {}
    for row in planned.left_out:
        by_why.setdefault(row.why, []).append(row)
    if reviewed := by_why.get(Why.REVIEWED):
        yield f"{len(reviewed)} reviewed before ({_ordinals(reviewed)})"
    if parked := by_why.get(Why.PARKED, []):
        for row in parked[:SHOWN]:
            yield f"turn {row.ordinal} is given up: {excerpt(row.reason, REASON)}"
        if len(parked) > SHOWN:
            yield f"and {len(parked) - SHOWN} more given up"
        yield f"to try what was given up again: ferrule resume {shlex.quote(planned.source)} --parked"
    if expired := by_why.get(Why.EXPIRED):
        gone = f"{len(expired)} whose text is past its retention ({_ordinals(expired)})"
        yield f"{gone}; --from TRANSCRIPT brings it back"


def _ordinals(rows: Sequence[LeftOut]) -> str:
    return spans_of([row.ordinal for row in rows])


def _decline(page: Page | None, source: str, answer: Declined) -> None:
    if page is None:
        print_json({"session": source, "answer": "declined", "code": answer.code.value, "reason": answer.reason})
        return
    page.line((source, "bold"), ("  not reviewed: ", "yellow"), f"{answer.reason} [{answer.code.value}]")


def _plan_json(planned: Plan) -> dict[str, object]:
    return {
        "turns": [{"key": key, "ordinal": ordinal} for ordinal, key in planned.turns],
        "queued": planned.queued,
        "left_out": [
            {"key": row.turn, "ordinal": row.ordinal, "why": row.why.value, "reason": row.reason}
            for row in planned.left_out
        ],
    }


def _reset(arguments: Namespace) -> int:
    if arguments.transcripts is not None or arguments.next or arguments.dry_run:
        raise UsageError("--reset goes with a session only", code=Code.BAD_TOOL_ARGS)
    with opened(arguments, make=False) as home:
        done: Reset = forgotten_batch(home, arguments.source)
    if arguments.json:
        print_json({"session": done.source, "turns": done.turns, "withdrawn": done.withdrawn})
        return 0
    page = Page()
    if not done.turns and not done.withdrawn:
        page.line(f"{done.source} has no catch-up to forget.")
        return 0
    waited = f" {done.withdrawn} of them waited and will not be reviewed." if done.withdrawn else ""
    page.line(
        f"Forgotten: the catch-up of {counted(done.turns, 'turn')} of {done.source}.{waited} Reviews and memories stay."
    )
    return 0
