"""`ferrule recall on|off PATH`: whether a project's sessions are told what its other sessions remember.

Owns the command's words and output. Knows nothing of what is told.
"""

from argparse import Namespace

from ferrule.interfaces.cli.output import print_json
from ferrule.interfaces.cli.page import Page
from ferrule.wiring.wider import switched

__all__ = ["run_recall"]


def run_recall(arguments: Namespace) -> int:
    """Switch it.

    Raises:
        UsageError: there is no such project.
        StoreError: the home cannot be written.
    """
    on = arguments.state == "on"
    root, changed = switched(arguments.home, arguments.path, on=on)
    if arguments.json:
        print_json({"root": str(root), "recall": on, "changed": changed})
        return 0
    page = Page()
    page.line(f"recall is {arguments.state} for {root}", "" if changed else ", as it was")
    if on:
        page.line(
            "its sessions are also told what other sessions of this repository remember: after their own memories, "
            "within the same bounds, with origin and age; nothing is learned from it"
        )
    return 0
