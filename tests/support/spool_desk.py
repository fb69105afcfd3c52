"""An open home with the chore of a worker over its spool, whose clocks a test moves."""

import json
import time
from dataclasses import dataclass

from hook_cases import Claude, Codex
from store_cases import Clock

from ferrule.interfaces.hook.hook import main
from ferrule.wiring.home import Home
from ferrule.wiring.spooling import SpoolChore, spool_standing


@dataclass
class Desk:
    """An open home with the chore of a worker, whose clocks the test moves."""

    home: Home
    clock: Clock
    chore: SpoolChore

    def later(self, seconds: float) -> float | None:
        """Let time pass and the worker look again."""
        self.clock.now += seconds
        return self.chore()

    def lane(self, source: str) -> list[tuple[str, str, str]]:
        """(turn, origin, state) of a source's instructions, in order."""
        return [(one.turn, one.origin.value, one.state.value) for one in self.home.store.instructions(source)]

    def report(self, client: "Claude | Codex", **more: object) -> None:
        """The client's hook at the end of its running turn."""
        self.hook("claude-code" if isinstance(client, Claude) else "codex", client.stop(**more))

    def hook(self, client: str, payload: object) -> None:
        """The hook's own code, in this process; that its process does the same stands in `test_hook.py`."""
        main([client, "--home", str(self.home.path), json.dumps(payload)])

    def reasons(self) -> list[str]:
        """Why turns are not reviewed, or what they wait for."""
        return [one.reason for one in spool_standing(self.home).notes]

    def left(self) -> int:
        """How many reports wait."""
        return spool_standing(self.home).waiting


def desk_over(home: Home) -> Desk:
    """A chore over a home, with clocks that the test moves; they begin now, as the hook's own clock does."""
    clock = Clock(time.time())
    return Desk(home, clock, SpoolChore(home, clock=clock, steady=clock))


def first(claude: Claude) -> Claude:
    """A first turn that made a file."""
    claude.asks("Write src/retry.py.").calls("Write", "File created", file_path="/work/kestrel/src/retry.py")
    return claude.says("I created src/retry.py.").written()


def key(client: Claude | Codex) -> str:
    """The session's key."""
    return f"claude-code:{client.session}" if isinstance(client, Claude) else f"codex:{client.thread}"
