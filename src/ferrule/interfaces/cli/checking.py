"""`ferrule check`: what is wrong with ProtoScript files, where, and what would mend it.

Owns the command's words and output. Knows nothing of the language.
"""

import sys
from argparse import Namespace
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ferrule.errors import Code, UsageError
from ferrule.interfaces.cli.output import Progress, print_json, say
from ferrule.interfaces.cli.page import Page
from ferrule.wiring.drafts import FileCheck, Finding, check_file
from ferrule.wiring.layouts import files_below
from ferrule.wiring.understanding import Meant, meaning_of_files

__all__ = ["run_check", "show_findings"]


@dataclass(slots=True)
class _Sum:
    """What was met in all files together."""

    files: int = 0
    prototypes: int = 0
    errors: int = 0
    warnings: int = 0
    opaque: int = 0

    def add(self, checked: FileCheck) -> None:
        """One more file."""
        wrong = sum(found.severity == "error" for found in checked.diagnostics)
        self.files += 1
        self.prototypes += checked.prototypes
        self.errors += wrong
        self.warnings += len(checked.diagnostics) - wrong
        self.opaque += len(checked.opaque)

    def __str__(self) -> str:
        parts = [
            _counted(self.files, "file"),
            _counted(self.prototypes, "prototype"),
            _counted(self.errors, "error"),
            *([_counted(self.warnings, "warning")] if self.warnings else []),
            *([f"{_counted(self.opaque, 'part')} kept unread, for running would tell"] if self.opaque else []),
        ]
        return ", ".join(parts)


def run_check(arguments: Namespace) -> int:
    """Check files, and every `.pts` file below folders; 1 when one of them is wrong.

    With `--meaning` also what they mean together.

    Raises:
        UsageError: no such file, or options that do not go together.
        UnreadableInput: a file is no UTF-8 text or too large.
    """
    page = None if arguments.json else Page()
    total = _Sum()
    meant = _meant(arguments)
    with Progress() as progress:
        for name in (*files_below(arguments.file), *(meant.followed if meant else ())):
            progress(f"checking {name}")
            checked = check_file(name, sys.stdin.buffer, _further(meant, name))
            total.add(checked)
            with progress.paused():
                if page is None:
                    print_json(checked.json())
                elif checked.diagnostics or name in arguments.file or (arguments.verbose and checked.opaque):
                    _show(page, checked, verbose=arguments.verbose)
    if page is not None and (total.files != 1 or checked.file not in arguments.file):
        say(str(total))
    return 1 if total.errors else 0


def _meant(arguments: Namespace) -> Meant | None:
    if not arguments.meaning:
        if arguments.alone:
            raise UsageError("--alone goes with --meaning", code=Code.BAD_TOOL_ARGS)
        return None
    return meaning_of_files(arguments.file, alone=arguments.alone)


def _further(meant: Meant | None, name: str) -> Callable[[str, tuple[Finding, ...]], tuple[Finding, ...]] | None:
    return None if meant is None else lambda text, found: meant.findings(name, text, found)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _show(page: Page, checked: FileCheck, *, verbose: bool) -> None:
    if checked.ok:
        page.exact((f"{checked.file}: ", "bold"), ("ok", "green"), f", {checked.contents}")
    show_findings(page, checked.file, checked.diagnostics)
    for what, line in checked.opaque if verbose else ():
        page.exact((f"{checked.file}:{line}: ", "bold"), f"not run: {what}")


def show_findings(page: Page, file: str, findings: Iterable[Finding]) -> None:
    """Each finding with its place, the line it points into, and what would mend it."""
    for found in findings:
        place = f"{file}:{found.line}:{found.column}: "
        page.exact((place, "bold"), (found.code, "red" if found.severity == "error" else "yellow"), f" {found.message}")
        if found.source:
            page.exact(f"    {found.source}")
            page.exact((f"    {found.caret}", "red"))
        if found.hint:
            page.line((f"    {found.hint}", "dim"))
