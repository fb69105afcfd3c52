"""`ferrule memory check|write|forget|unforget`: a person's own hand on the memory, always shown first (DEC-D5, D8).

Owns the commands' words and output. Knows nothing of the rules.
"""

import sys
from argparse import Namespace
from collections.abc import Iterable, Sequence
from pathlib import Path

from ferrule.bridge.values import Refusal
from ferrule.errors import Code, UsageError
from ferrule.interfaces.cli.asking import NOT_DONE, answered, is_asked
from ferrule.interfaces.cli.command import opened, opened_or_empty
from ferrule.interfaces.cli.output import print_json, say
from ferrule.interfaces.cli.page import Page
from ferrule.interfaces.shapes import refusal_rows
from ferrule.wiring.drafts import read_draft
from ferrule.wiring.memories import Verdict, forgettable, forgotten, handles_shown, judge, lifted
from ferrule.wiring.sessions import found, resolved

__all__ = ["run_check", "run_forget", "run_unforget", "run_write", "show_finding"]


def run_check(arguments: Namespace) -> int:
    """Judge definitions without writing; 1 when one is refused."""
    return _judge(arguments, write=False)


def run_write(arguments: Namespace) -> int:
    """Write definitions; 1 when one is refused, the others stand."""
    return _judge(arguments, write=True)


def run_forget(arguments: Namespace) -> int:
    """Forget memories by name, or all of them; shows what would go, and does it with --yes (DEC-D14, R97).

    Raises:
        UsageError: no name and not --all, or a name that is not remembered.
    """
    if bool(arguments.name) == arguments.all:
        raise UsageError("give the names of memories, or --all", code=Code.BAD_TOOL_ARGS)
    with opened(arguments, make=False) as home:
        session = resolved(home, arguments.session)
        names = forgettable(home, session.key, arguments.name)
        shown = tuple((name, handles_shown(home, session.key, name)) for name in names)
        if not arguments.json and names and not arguments.yes and is_asked():
            _list_forgotten(Page(), shown)
            if not answered(arguments, Page(), "Forget this, and do not learn it again?"):
                return NOT_DONE
            kept = forgotten(home, session.key, names)
            Page().line(_forgotten_words(len(names)))
            _tell_kept(kept)
            return 0
        kept = forgotten(home, session.key, names) if arguments.yes else ()
    if arguments.json:
        print_json({"session": session.key, "forgotten": list(names), "done": arguments.yes})
    else:
        _tell_forgotten(Page(), session.key, shown, done=arguments.yes)
    _tell_kept(kept)
    return 0 if arguments.yes or not names else NOT_DONE


def run_unforget(arguments: Namespace) -> int:
    """Lift what forgetting left behind, so that it may be learned again; does it with --yes.

    Raises:
        UsageError: nothing of that name or key was forgotten.
    """
    with opened(arguments, make=False) as home:
        session = resolved(home, arguments.session)
        marks = lifted(home, session.key, arguments.name, do=arguments.yes)
        if marks and not arguments.yes and not arguments.json and is_asked():
            _list_marks(Page(), marks)
            if not answered(arguments, Page(), "Let it be learned again?"):
                return NOT_DONE
            lifted(home, session.key, arguments.name, do=True)
            Page().line(_lifted_words(len(marks)))
            return 0
    if not marks:
        raise UsageError(f"nothing named {arguments.name} was forgotten in {session.key}", code=Code.UNKNOWN_REFERENCE)
    if arguments.json:
        print_json({"session": session.key, "lifted": list(marks), "done": arguments.yes})
    else:
        page = Page()
        _list_marks(page, marks)
        page.line(_lifted_words(len(marks)) if arguments.yes else "could be learned again then; do it with --yes")
    return 0 if arguments.yes else NOT_DONE


def _tell_forgotten(page: Page, session: str, listed: Sequence[tuple[str, str]], *, done: bool) -> None:
    _list_forgotten(page, listed)
    if not listed:
        page.line(f"{session} remembers nothing.")
    elif done:
        page.line(_forgotten_words(len(listed)))
    else:
        page.line("would be forgotten and not learned again; do it with --yes")


def _tell_kept(kept: Iterable[Path]) -> None:
    for path in kept:
        say(f"{path} was edited by hand and still says it; remove it yourself")


def _list_marks(page: Page, marks: Iterable[str]) -> None:
    for mark in marks:
        page.line(f"  {mark}")


def _list_forgotten(page: Page, listed: Iterable[tuple[str, str]]) -> None:
    for name, handles in listed:
        page.line(("  - ", "red"), name, (f"  {handles}" if handles else "", "dim"))


def _lifted_words(count: int) -> str:
    return f"{count} {'ban' if count == 1 else 'bans'} lifted; a later turn may learn it again"


def _forgotten_words(count: int) -> str:
    return f"{count} forgotten; a later turn will not learn them again (ferrule memory unforget lifts that)"


def _judge(arguments: Namespace, *, write: bool) -> int:
    page = None if arguments.json else Page()
    clean = True
    with opened(arguments, make=False) if write else opened_or_empty(arguments) as home:
        session = resolved(home, arguments.session) if write else found(home, arguments.session)
        for name in arguments.file:
            draft = read_draft(name, sys.stdin.buffer)
            verdict = judge(home, session, draft, as_critic=arguments.as_critic, write=write)
            clean = clean and verdict.ok
            if page is None:
                print_json(_json(verdict))
            else:
                _show(page, verdict, written=write)
    return 0 if clean else 1


def _json(verdict: Verdict) -> dict[str, object]:
    return {
        "file": verdict.file,
        "ok": verdict.ok,
        "prototype": verdict.prototype or None,
        "refusals": refusal_rows(verdict.refusals),
        "warnings": refusal_rows(verdict.warnings),
    }


def _show(page: Page, verdict: Verdict, *, written: bool) -> None:
    head = f"{verdict.file}: "
    if not verdict.ok:
        page.line((head, "bold"), ("refused", "red"))
    elif verdict.unchanged:
        page.line((head, "bold"), ("unchanged", "green"), f": {verdict.prototype} says all of it already")
    else:
        page.line((head, "bold"), ("written" if written else "would be accepted", "green"), f": {verdict.prototype}")
    for refusal in verdict.refusals:
        show_finding(page, refusal, "red")
    for warning in verdict.warnings:
        show_finding(page, warning, "yellow")


def show_finding(page: Page, finding: Refusal, style: str) -> None:
    """One refusal or warning with its place, rule and remedy."""
    named = finding.property and not finding.message.startswith(finding.property)
    place = f" {finding.property}:" if named else ""
    where = f"{finding.line}:{finding.column} "
    page.line(f"  {where}", (finding.code.value, style), f" (rule {finding.rule}){place} {finding.message}", hang=6)
    if finding.remedy:
        page.line((f"to pass: {finding.remedy}", "dim"), indent=6, hang=8)
