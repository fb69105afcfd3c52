"""Whoever changes or loses something is asked first: a person at a terminal, a script by `--yes`.

Owns the question and what is said where nobody can answer. Knows nothing of what is changed.
"""

import sys
from argparse import Namespace

from ferrule.interfaces.cli.page import Page

__all__ = ["NOT_DONE", "answered", "is_asked"]

NOT_DONE = 1


def answered(arguments: Namespace, page: Page, question: str) -> bool:
    """Whether it is to be done: with --yes, or when a person at a terminal says so; elsewhere it is refused."""
    if arguments.yes:
        return True
    if not is_asked():
        page.line("Nothing was changed; do it with --yes")
        return False
    sys.stdout.write(f"{question} [y/N] ")
    sys.stdout.flush()
    if sys.stdin.readline().strip().casefold() in {"y", "yes"}:
        return True
    page.line("Nothing was changed")
    return False


def is_asked() -> bool:
    """Whether a person sits there who can answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()
