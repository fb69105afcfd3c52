"""`ferrule context`: the text that tells an agent what its session remembers.

Owns the command's words and output. Knows nothing of what is worth telling.
"""

import sys
from argparse import Namespace

from ferrule.interfaces.cli.command import opened
from ferrule.interfaces.cli.output import print_json
from ferrule.wiring.recalling import recall

__all__ = ["run_context"]


def run_context(arguments: Namespace) -> int:
    """Print the context text, or nothing at all when there is nothing to tell: this goes to agents as it is."""
    with opened(arguments, make=False) as home:
        session, text = recall(home, arguments.session)
    if arguments.json:
        print_json({"session": session, "text": text})
    else:
        sys.stdout.write(text)
    return 0
