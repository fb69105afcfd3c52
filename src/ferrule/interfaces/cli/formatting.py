"""`ferrule format`: ProtoScript files in one layout, comments kept.

Owns the command's words and output. Knows nothing of the language.
"""

import sys
from argparse import Namespace

from ferrule.interfaces.cli.checking import show_findings
from ferrule.interfaces.cli.output import Progress, print_json, say
from ferrule.interfaces.cli.page import Page
from ferrule.wiring.drafts import STANDARD_INPUT
from ferrule.wiring.layouts import FileLayout, difference, files_below, lay_out, put

__all__ = ["run_format"]


def run_format(arguments: Namespace) -> int:
    """Format files in place; standard input goes to standard output.

    1 when a file is wrong and stays as it is, or when `--check` finds one that is not formatted.

    Raises:
        UsageError: no such file.
        UnreadableInput: a file is no UTF-8 text or too large.
        StoreError: a file cannot be written.
    """
    page = Page()
    looks = arguments.check or arguments.diff
    counted = {"formatted": 0, "as they were": 0, "wrong": 0}
    with Progress() as progress:
        for name in files_below(arguments.file):
            progress(f"formatting {name}")
            laid = lay_out(name, sys.stdin.buffer)
            counted["wrong" if laid.problems else "formatted" if laid.changes else "as they were"] += 1
            with progress.paused():
                _tell(page, laid, arguments)
            if laid.changes and not looks and name != STANDARD_INPUT:
                put(laid)
    if not (arguments.json or arguments.file == [STANDARD_INPUT]):
        _sum(counted, looks=looks)
    return 1 if counted["wrong"] or (arguments.check and counted["formatted"]) else 0


def _tell(page: Page, laid: FileLayout, arguments: Namespace) -> None:
    if arguments.json:
        print_json(laid.json())
    elif laid.problems:
        show_findings(Page(sys.stderr), laid.file, laid.problems)
    elif arguments.diff:
        sys.stdout.write(difference(laid))
    elif laid.file == STANDARD_INPUT and not arguments.check:
        sys.stdout.write(laid.after)
    elif laid.changes:
        page.exact((f"{laid.file}: ", "bold"), "would change" if arguments.check else "formatted")
    if laid.kept:
        say(f"{laid.file}: left as it is, for its formatted text would not read the same. Please report this.")


def _sum(counted: dict[str, int], *, looks: bool) -> None:
    shown = {"would change" if looks and what == "formatted" else what: count for what, count in counted.items()}
    told = ", ".join(f"{count} {what}" for what, count in shown.items() if count)
    total = sum(counted.values())
    say(f"{total} file{'' if total == 1 else 's'}: {told}" if told else "no .pts file there")
