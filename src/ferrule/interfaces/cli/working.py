"""`ferrule worker`: review what is queued, in this process, until nothing is left to do.

Owns the command's words and output. Usually nobody types it: an attach or event starts a worker by itself. Knows
nothing of how a worker works.
"""

import math
from argparse import Namespace

from ferrule.errors import Code, UsageError
from ferrule.interfaces.cli.output import print_json, say
from ferrule.interfaces.cli.visible import visible
from ferrule.wiring.calling import rung_for

__all__ = ["run_worker_here"]


def run_worker_here(arguments: Namespace) -> int:
    """Run the home's worker here, unless it has one: that is told to look.

    Raises:
        UsageError: there is no home yet, or a setting or wish is wrong.
        StoreError: the home cannot be used.
    """
    if arguments.idle is not None and not math.isfinite(arguments.idle):
        raise UsageError("--idle takes a number of seconds", code=Code.BAD_TOOL_ARGS)
    running = rung_for(arguments.home)
    if running is not None:
        return _told(arguments, None, 0, running)
    from ferrule.wiring.workshop import Wishes, run_worker, was_spawned  # noqa: PLC0415 - a second of CPU to import

    tell = None if was_spawned() else (lambda line: say(f"ferrule: {visible(line)}"))
    run = run_worker(arguments.home, Wishes(idle_seconds=arguments.idle, once=arguments.once, tell=tell))
    ended = None if run.ended is None else run.ended.name.lower()
    return _told(arguments, ended, run.reviewed, run.other.pid if run.other is not None else 0)


def _told(arguments: Namespace, ended: str | None, reviewed: int, running: int) -> int:
    if arguments.json:
        print_json({"ended": ended, "reviewed": reviewed, "running": running or None})
    elif ended is None:
        pid = f" (process {running})" if running else ""
        say(f"ferrule: a worker of this home runs already{pid}; it was told to look")
    return 0
