"""`ferrule memory supersede|undo`: a person corrects what is remembered, always shown and asked about first (DEC-D8).

Owns the commands' words and output. Knows nothing of rules and receipts.
"""

from argparse import Namespace
from collections.abc import Sequence

from ferrule.bridge.values import Refused, Unchanged
from ferrule.errors import Code, UsageError
from ferrule.interfaces.cli.asking import NOT_DONE, answered
from ferrule.interfaces.cli.command import opened
from ferrule.interfaces.cli.memory_writing import show_finding
from ferrule.interfaces.cli.output import print_json
from ferrule.interfaces.cli.page import Page
from ferrule.interfaces.shapes import refusal_rows
from ferrule.wiring.home import Home
from ferrule.wiring.mending import (
    StandingWrite,
    Superseding,
    superseded,
    superseding,
    undoable,
    undone,
    writes_of,
)
from ferrule.wiring.sessions import resolved

__all__ = ["run_supersede", "run_undo"]


def run_supersede(arguments: Namespace) -> int:
    """Give a property a later value beside the old one; 1 when it is refused or was only shown.

    Raises:
        UsageError: no such memory or value, or the words are no value of its kind.
    """
    with opened(arguments, make=False) as home:
        session = resolved(home, arguments.session)
        change = superseding(home, session.key, arguments.name, arguments.property, value=arguments.value)
        return _supersede_json(home, arguments, change) if arguments.json else _supersede(home, arguments, change)


def _supersede(home: Home, arguments: Namespace, change: Superseding) -> int:
    page = Page()
    page.line((change.name, "bold"), f"  {change.prop}")
    page.line(("- ", "red"), change.was, indent=2)
    page.line(("+ ", "green"), change.value, indent=2)
    answer = change.answer
    if change.accepted:
        page.line(("the old value stays visible as what it was", "dim"), indent=2)
        if not answered(arguments, page, "Write this?"):
            return NOT_DONE
        answer = superseded(home, change)
    match answer:
        case Refused(refusals=refusals):
            page.line(("refused", "red"), ": nothing was written")
            for refusal in refusals:
                show_finding(page, refusal, "red")
            return NOT_DONE
        case Unchanged():
            page.line(("unchanged", "green"), ": that is its value already")
        case _:
            page.line(("written", "green"), f": {change.name}")
    return 0


def _supersede_json(home: Home, arguments: Namespace, change: Superseding) -> int:
    do = arguments.yes and change.accepted
    answer = superseded(home, change) if do else change.answer
    refused = answer.refusals if isinstance(answer, Refused) else ()
    print_json(
        {
            "session": change.session,
            "prototype": change.name,
            "property": change.prop,
            "was": change.was,
            "value": change.value,
            "definition": change.text,
            "unchanged": isinstance(answer, Unchanged),
            "refusals": refusal_rows(refused),
            "done": do and not refused,
        }
    )
    return 0 if (do and not refused) or isinstance(answer, Unchanged) else NOT_DONE


def run_undo(arguments: Namespace) -> int:
    """Take one write back, or list those that stand; 1 when it was only shown what that would change.

    Raises:
        UsageError: no such write, or later ones stand on it.
        StoreError: the home cannot be written.
    """
    if arguments.write is None and arguments.yes:
        raise UsageError("say which write: the number of its receipt, or a memory's name", code=Code.BAD_TOOL_ARGS)
    with opened(arguments, make=False) as home:
        session = resolved(home, arguments.session)
        if arguments.write is None:
            return _list(arguments, session.key, writes_of(home, session.key))
        write = undoable(home, session.key, arguments.write)
        page = None if arguments.json else Page()
        if page is not None:
            _show(page, write)
        do = arguments.yes if page is None else answered(arguments, page, "Undo it?")
        receipt = undone(home, session.key, write) if do else None
    if page is None:
        print_json({"session": session.key, **_row(write), "receipt": receipt, "done": do})
    elif do:
        page.line(("undone", "green"), f": receipt {receipt} says so; a later turn will not learn its handles again")
    return 0 if do else NOT_DONE


def _show(page: Page, write: StandingWrite) -> None:
    by = f"turn {write.turn}" if write.turn else "you"
    page.line((f"{write.number}", "bold"), f"  {write.name}  {write.action} by {by}, {write.at}")
    if write.whole:
        page.line(("- ", "red"), f"all of {write.name}: nothing else was written of it", indent=2)
        return
    for name in write.properties:
        page.line(("- ", "red"), name, indent=2)
    page.line(("what other writes valued stays", "dim"), indent=2)


def _list(arguments: Namespace, key: str, writes: Sequence[StandingWrite]) -> int:
    if arguments.json:
        print_json(*map(_row, writes))
        return 0
    page = Page()
    if not writes:
        page.line(f"No write stands in {key}.")
        return 0
    rows = [
        (str(one.number), (one.name, "bold"), one.action, one.turn or "you", one.at, ", ".join(one.properties))
        for one in writes
    ]
    page.table(("Write", "Name", "Did", "Turn", "When", "Values"), rows)
    return 0


def _row(write: StandingWrite) -> dict[str, object]:
    return {
        "write": write.number,
        "prototype": write.name,
        "action": write.action,
        "turn": write.turn or None,
        "at": write.at,
        "properties": list(write.properties),
        "whole": write.whole,
        "held": write.held,
    }
