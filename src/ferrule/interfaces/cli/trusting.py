"""`ferrule trust`, `ferrule untrust` and `ferrule recall`: what a person decides about a project, always shown first.

Owns the commands' words and output. Knows nothing of what a decision leads to.
"""

from argparse import Namespace

from ferrule.errors import Code, UsageError
from ferrule.interfaces.cli.output import print_json
from ferrule.interfaces.cli.page import Page
from ferrule.wiring.trusting import FileView, TrustView, trust_rows, trust_view, trusted_now, untrusted

__all__ = ["run_trust", "run_untrust"]

_STATES = {"new": "new", "changed": "changed since it was trusted", "same": "as trusted", "gone": "gone"}
_STYLES = {"new": "green", "changed": "yellow", "same": "", "gone": "red"}


def run_trust(arguments: Namespace) -> int:
    """Show what stands in a project's ontology and trust it with --yes; 1 when it cannot be trusted as it is.

    Raises:
        UsageError: neither a path nor --list, both, or nothing to trust there.
    """
    if arguments.list == bool(arguments.path):
        raise UsageError("give the path of a project, or --list", code=Code.BAD_TOOL_ARGS)
    if arguments.list:
        return _list(arguments)
    view = trust_view(arguments.home, arguments.path)
    done = bool(arguments.yes) and not view.problem
    if done:
        trusted_now(arguments.home, view)
    if arguments.json:
        print_json(_json(view, done=done))
    else:
        _show(Page(), view, done=done)
    return 1 if view.problem else 0


def run_untrust(arguments: Namespace) -> int:
    """Take trust back.

    Raises:
        UsageError: it was not trusted.
    """
    root = untrusted(arguments.home, arguments.path)
    if arguments.json:
        print_json({"root": str(root), "trusted": False})
        return 0
    Page().line(f"{root} is no longer trusted; its files stay, and are not read")
    return 0


def _list(arguments: Namespace) -> int:
    rows = trust_rows(arguments.home)
    if arguments.json:
        print_json(
            *({"root": str(row.root), "at": row.at, "files": row.files, "state": row.trust.value} for row in rows)
        )
        return 0
    page = Page()
    if not rows:
        page.line("No project is trusted. What a project's .ferrule/ontology says is read after: ferrule trust PATH")
        return 0
    page.table(
        ("Project", "Files", "Trusted", "State"),
        [(str(row.root), str(row.files), row.at, row.trust.value) for row in rows],
    )
    return 0


def _show(page: Page, view: TrustView, *, done: bool) -> None:
    page.line((str(view.root / ".ferrule" / "ontology"), "bold"))
    for file in view.files:
        _file(page, file)
    for unread in view.unread:
        page.line(("not read: ", "red"), f"{unread.name}: {unread.reason}", indent=2)
    page.blank()
    if view.problem:
        page.line(("cannot be trusted as it is: ", "red"), view.problem)
    elif done:
        page.line("trusted as shown; any change takes that back until you look again")
    elif all(file.state == "same" for file in view.files):
        page.line("trusted already, exactly as it is")
    else:
        page.line("not read by any session until you trust it as it is: do it with --yes")


def _file(page: Page, file: FileView) -> None:
    page.line(f"{file.name}  ", (_STATES[file.state], _STYLES[file.state]), indent=2)
    for one in file.declares:
        bases = f" : {', '.join(one.bases)}" if one.bases else ""
        page.line((f"{one.what} ", "dim"), (one.name, "bold"), bases, indent=4)
        for prop, value in one.handles:
            page.line((f"{prop} ", "cyan"), value, indent=6, hang=8)
    for odd in file.odd:
        page.line(("odd: ", "yellow"), odd, indent=4)
    for line in file.diff:
        style = "green" if line.startswith("+") else "red" if line.startswith("-") else "dim"
        page.line((line.replace("\t", "    "), style), indent=4)


def _json(view: TrustView, *, done: bool) -> dict[str, object]:
    return {
        "root": str(view.root),
        "state": "trusted" if done else view.trust.value,
        "files": [
            {
                "file": file.name,
                "state": file.state,
                "declares": [
                    {
                        "name": one.name,
                        "what": one.what,
                        "bases": list(one.bases),
                        "handles": [{"property": prop, "value": value} for prop, value in one.handles],
                    }
                    for one in file.declares
                ],
                "odd": list(file.odd),
                "diff": list(file.diff),
            }
            for file in view.files
        ],
        "unread": [{"file": unread.name, "reason": unread.reason} for unread in view.unread],
        "problem": view.problem or None,
        "done": done,
    }
