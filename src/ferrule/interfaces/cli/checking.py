"""`ferrule check`: what is wrong with ProtoScript files, where, and what would mend it.

Owns the command's words and output. Knows nothing of the language.
"""

import sys
from argparse import Namespace

from ferrule.interfaces.cli.output import print_json
from ferrule.interfaces.cli.page import Page
from ferrule.wiring.drafts import FileCheck, check_file

__all__ = ["run_check"]


def run_check(arguments: Namespace) -> int:
    """Check files; 1 when one of them has diagnostics.

    Raises:
        UsageError: no such file.
        UnreadableInput: a file is no UTF-8 text or too large.
    """
    page = None if arguments.json else Page()
    clean = True
    for name in arguments.file:
        checked = check_file(name, sys.stdin.buffer)
        clean = clean and checked.ok
        if page is None:
            print_json(checked.json())
        else:
            _show(page, checked)
    return 0 if clean else 1


def _show(page: Page, checked: FileCheck) -> None:
    if checked.ok:
        page.exact((f"{checked.file}: ", "bold"), ("ok", "green"), f", {checked.contents}")
        return
    for found in checked.diagnostics:
        place = f"{checked.file}:{found.line}:{found.column}: "
        page.exact((place, "bold"), (found.code, "red"), f" {found.message}")
        if found.source:
            page.exact(f"    {found.source}")
            page.exact((f"    {found.caret}", "red"))
        if found.hint:
            page.line((f"    {found.hint}", "dim"))
