"""`ferrule status-line`: the segment of Claude Code's status line, as the lighter file that it installs prints it.

Owns nothing but the way there. Knows nothing of what is said.
"""

import sqlite3
import sys
from argparse import Namespace

from ferrule.errors import FerruleError
from ferrule.interfaces.hook.status_line import main

__all__ = ["run_status_line"]


def run_status_line(arguments: Namespace) -> int:
    """Print what there is to say of the session on standard input; 0 and nothing whatever goes wrong."""
    sys.stdout.flush()
    try:
        main(["--home", arguments.home] if arguments.home else [])
    except (FerruleError, OSError, ValueError, RecursionError, sqlite3.Error):  # not for a status line to show
        return 0
    return 0
