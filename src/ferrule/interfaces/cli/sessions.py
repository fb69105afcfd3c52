"""`ferrule sessions list`: the sessions that a home knows.

Owns the command's words and output. Knows nothing of stores.
"""

from argparse import Namespace

from ferrule.interfaces.cli.command import opened
from ferrule.interfaces.cli.output import print_json
from ferrule.interfaces.cli.page import Page
from ferrule.interfaces.cli.visible import excerpt
from ferrule.wiring.sessions import overview

__all__ = ["run_list"]

TITLE = 48


def run_list(arguments: Namespace) -> int:
    """List sessions, newest first, with the numbers of their turns and memories."""
    with opened(arguments, make=False) as home:
        found = overview(home)
    if arguments.json:
        print_json(
            *(
                {
                    "session": row.key,
                    "client": row.client,
                    "title": row.title,
                    "cwd": row.cwd,
                    "turns": row.turns,
                    "memories": row.memories,
                }
                for row in found
            )
        )
        return 0
    page = Page()
    if not found:
        page.line("No session yet. Start with: ferrule try, or ferrule review FILE")
        return 0
    page.table(
        ("Session", "Turns", "Memories", "Folder", "Title"),
        [
            ((row.key, "bold"), str(row.turns), str(row.memories), row.cwd or "", excerpt(row.title, TITLE))
            for row in found
        ],
    )
    return 0
