"""`ferrule worker`: review what is queued, in this process, until nothing is left to do.

Owns the command's words and output. Usually nobody types it: an attach or event starts a worker by itself. Knows
nothing of how a worker works.
"""

from argparse import Namespace

from ferrule.interfaces.cli.output import print_json, say
from ferrule.interfaces.cli.visible import visible
from ferrule.wiring.workshop import Ended, Wishes, run_worker, was_spawned

__all__ = ["run_worker_here"]


def run_worker_here(arguments: Namespace) -> int:
    """Run the home's worker here, unless it has one.

    Raises:
        UsageError: there is no home yet, or a setting is wrong.
        StoreError: the home cannot be used.
    """
    spawned = was_spawned()
    tell = None if spawned else (lambda line: say(f"ferrule: {visible(line)}"))
    run = run_worker(arguments.home, Wishes(idle_seconds=arguments.idle, once=arguments.once, tell=tell))
    if arguments.json:
        running = run.other.pid if run.other is not None else None
        print_json({"ended": _word(run.ended), "reviewed": run.reviewed, "running": running})
    elif run.ended is None and not spawned:
        pid = f" (process {run.other.pid})" if run.other is not None and run.other.pid else ""
        say(f"ferrule: a worker of this home runs already{pid}; it was told to look")
    return 0


def _word(ended: Ended | None) -> str | None:
    return None if ended is None else ended.name.lower()
