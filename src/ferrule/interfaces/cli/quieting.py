"""`ferrule off`, `ferrule on`, and `pause`/`resume --project`: a person says where there is quiet.

Owns the commands' words and output. Knows nothing of how it is kept or heeded.
"""

import shlex
from argparse import Namespace

from ferrule.interfaces.cli.output import print_json
from ferrule.interfaces.cli.page import Page
from ferrule.interfaces.cli.wording import counted
from ferrule.wiring.quieting import ProjectRest, Turned, pause_project, resume_project, turn_off, turn_on

__all__ = ["rest_project", "run_off", "run_on"]

STILL_OFF = 1


def run_off(arguments: Namespace) -> int:
    """Capture nothing of a folder's repository any more.

    Raises:
        UsageError: no such folder, or the settings cannot be edited.
    """
    turned = turn_off(arguments.home, arguments.path)
    if arguments.json:
        print_json(_turned_json(turned))
        return 0
    page = Page()
    word = "is off" if turned.changed else "was off already"
    page.line((str(turned.project), "bold"), (f"  {word}", "yellow"), ": nothing of this project is captured")
    if turned.withdrawn:
        page.line(f"{counted(turned.withdrawn, 'turn')} that waited withdrawn", indent=2)
    if turned.memories:
        held = f"{counted(turned.memories, 'memory', 'memories')} of {counted(len(turned.sessions), 'session')}"
        key = shlex.quote(turned.sessions[0]) if len(turned.sessions) == 1 else "KEY"
        page.line(f"what it remembers stays: {held}", indent=2)
        page.line((f"forget it with: ferrule memory forget --all --session {key}", "dim"), indent=2)
    page.line((f"Turn it on again: ferrule on{_there(arguments.path)}", "dim"))
    return 0


def run_on(arguments: Namespace) -> int:
    """Let a folder's repository be captured again; 1 when something else still keeps it off.

    Raises:
        UsageError: no such folder, or the settings cannot be edited.
    """
    turned = turn_on(arguments.home, arguments.path)
    still = turned.silence is not None
    if arguments.json:
        print_json(_turned_json(turned))
        return STILL_OFF if still else 0
    page = Page()
    if turned.silence is not None:
        page.line((str(turned.project), "bold"), ("  is still off", "yellow"), f": {turned.silence}")
        page.line((_WHERE[turned.silence.by.value].format(what=turned.silence.what), "dim"))
        return STILL_OFF
    word = "is on" if turned.changed else "was not off"
    page.line((str(turned.project), "bold"), (f"  {word}", "green"), ": its sessions are captured as they end turns")
    return 0


def rest_project(arguments: Namespace, *, paused: bool) -> int:
    """`pause --project` and `resume --project`. Raises as the functions behind it do."""
    rest = (pause_project if paused else resume_project)(arguments.home, arguments.project)
    if arguments.json:
        print_json(_rest_json(rest))
        return 0
    page = Page()
    waiting = f"{counted(rest.waiting, 'turn')} waiting" if rest.waiting else "nothing waits"
    if paused:
        page.line((str(rest.project), "bold"), ("  paused", "yellow"), f"; {waiting}, its turns go on queueing")
        page.line((f"Let it go on: ferrule resume --project {shlex.quote(arguments.project)}", "dim"))
    else:
        page.line((str(rest.project), "bold"), ("  goes on", "green"), f"; {waiting}")
    return 0


_WHERE = {
    "off": "Turn that on too: ferrule on {what}",
    "off-file": "Remove that file",
    "ignore": "Take that pattern out of settings.toml",
}


def _there(path: str) -> str:
    return "" if path == "." else f" {shlex.quote(path)}"


def _turned_json(turned: Turned) -> dict[str, object]:
    silence = turned.silence
    return {
        "project": str(turned.project),
        "off": silence is not None,
        "by": None if silence is None else silence.by.value,
        "what": None if silence is None else silence.what,
        "changed": turned.changed,
        "withdrawn": turned.withdrawn,
        "sessions": list(turned.sessions),
        "memories": turned.memories,
    }


def _rest_json(rest: ProjectRest) -> dict[str, object]:
    return {
        "project": str(rest.project),
        "paused": rest.paused,
        "changed": rest.changed,
        "sessions": [one.source for one in rest.rested],
        "waiting": rest.waiting,
    }
