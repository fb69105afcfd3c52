"""`ferrule memory promote`: memories go into the project's own ontology, shown as a diff first (DEC-D8).

Owns the command's words and output. Knows nothing of what may be promoted.
"""

from argparse import Namespace

from ferrule.errors import Code, UsageError
from ferrule.interfaces.cli.asking import NOT_DONE, answered, is_asked
from ferrule.interfaces.cli.command import opened
from ferrule.interfaces.cli.output import print_json
from ferrule.interfaces.cli.page import Page
from ferrule.wiring.home import Home
from ferrule.wiring.promoting import Promotion, Promotions, promoted, promotions
from ferrule.wiring.sessions import resolved
from ferrule.wiring.suggesting import Suggestion, suggestions

__all__ = ["run_promote"]


def run_promote(arguments: Namespace) -> int:
    """Show what would go into the project's ontology, and do it with --yes; 1 when something is refused.

    Raises:
        UsageError: no name and not --suggest, or both; a name that is not remembered; no checkout to write into.
        UnreadableInput: what is there already cannot be read.
        StoreError: it cannot be written.
    """
    if bool(arguments.name) == arguments.suggest:
        raise UsageError("give the names of memories, or --suggest", code=Code.BAD_TOOL_ARGS)
    with opened(arguments, make=False) as home:
        session = resolved(home, arguments.session)
        if arguments.suggest:
            return _suggest(arguments, session.key, suggestions(home, session))
        change = promotions(home, session, arguments.name, arguments.to)
        done = bool(arguments.yes) and not change.refused
        receipts = promoted(home, change) if done else ()
        if change.changes and not change.refused and not done and not arguments.json and is_asked():
            return _asked(home, arguments, change)
    if arguments.json:
        print_json(_json(change, done=done) | {"receipts": [receipt.seq for receipt in receipts]})
    else:
        _show(Page(), change, done=done)
    return 1 if change.refused else 0


def _asked(home: Home, arguments: Namespace, change: Promotions) -> int:
    """A person at a terminal sees the change, and says whether it is made."""
    page = Page()
    _show(page, change, done=False)
    if not answered(arguments, page, "Write this?"):
        return NOT_DONE
    promoted(home, change)
    page.line(("written", "green"), f" to {change.root / '.ferrule' / 'ontology'}; the session keeps its memory")
    page.line(_followed(change))
    return 0


def _show(page: Page, change: Promotions, *, done: bool) -> None:
    for line in change.diff():
        style = "green" if line.startswith("+") else "red" if line.startswith("-") else "dim"
        page.line((line.replace("\t", "    "), style))
    if change.changes:
        page.blank()
    for item in change.items:
        _item(page, item)
    writes = sum(bool(item.text) for item in change.items)
    if change.refused:
        page.line("nothing was written")
    elif not writes:
        page.line(f"{change.root} says all of it already")
    elif done:
        page.line(f"{writes} written to {change.root / '.ferrule' / 'ontology'}; the session keeps its memory")
        page.line(_followed(change))
    else:
        page.line(f"would be written to {change.root}; do it with --yes")


def _followed(change: Promotions) -> str:
    if change.follows:
        return "read from now on by every session that works there, as it is now"
    return f"not read yet, since what else is in that folder is not trusted: ferrule trust {change.root}"


def _item(page: Page, item: Promotion) -> None:
    styles = {"new": "green", "added": "green", "unchanged": "dim", "refused": "red"}
    page.line((item.name, "bold"), "  ", (item.verdict, styles[item.verdict]))
    for objection in item.objections:
        head = f"{objection.property}: " if objection.property else ""
        page.line((head, "cyan"), objection.reason, indent=2)
    if item.left_out:
        page.line((f"stays with the session: {', '.join(item.left_out)}", "dim"), indent=2)


def _json(change: Promotions, *, done: bool) -> dict[str, object]:
    return {
        "session": change.session,
        "root": str(change.root),
        "items": [
            {
                "name": item.name,
                "verdict": item.verdict,
                "file": item.file or None,
                "definition": item.text or None,
                "left_out": list(item.left_out),
                "refusals": [{"property": one.property, "message": one.reason} for one in item.objections],
            }
            for item in change.items
        ],
        "diff": list(change.diff()),
        "trusted": change.follows,
        "done": done,
    }


def _suggest(arguments: Namespace, session: str, found: tuple[Suggestion, ...]) -> int:
    if arguments.json:
        print_json(
            *(
                {
                    "name": one.name,
                    "session": one.session,
                    "sessions": list(one.sessions),
                    "turns": one.turns,
                    "handles": list(one.handles),
                    "command": one.command,
                    "refused": one.refused or None,
                }
                for one in found
            )
        )
        return 0
    page = Page()
    if not found:
        page.line(f"Nothing that two or more sessions of the repository of {session} used is left to promote.")
        return 0
    for one in found:
        page.line(
            (one.name, "bold"), f"  {len(one.sessions)} sessions, {one.turns} turns  ", ("  ".join(one.handles), "dim")
        )
        if one.refused:
            page.line((f"cannot be promoted: {one.refused}", "yellow"), indent=2)
        else:
            page.line(one.command, indent=2)
    return 0
