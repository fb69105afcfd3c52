"""Thousands of hostile definitions are handled in a process that is watched: nothing runs, nothing outside is opened.

Owns the campaign `trace` (INV-I5): the canary, the port where somebody listens, the process without a network, and the
verdict. Knows nothing of what the definitions say.
"""

import json
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from proofs.scenes import workshop
from proofs.tables import Row

__all__ = ["Trace", "trace", "watched"]

_PATIENCE = 3000.0
_OPEN_ANSWERS = ("Accepted", "Refused", "Unchanged", "restored: Restoration")


@dataclass(frozen=True, slots=True)
class Trace:
    """What a watched process did."""

    texts: int
    remembered: int
    events: int
    answers: dict[str, int]
    outside: list[str]
    network: bool
    touched: list[str]

    @property
    def wrong(self) -> list[str]:
        """What must not be."""
        return [*self.outside, *self.touched, *(one for one in self.answers if one not in _OPEN_ANSWERS)]


def _alone() -> list[str]:
    """How to begin a command without a network, where that is possible."""
    unshare = shutil.which("unshare")
    if unshare is None:
        return []
    # S603: the programme that was just found
    done = subprocess.run([unshare, "-n", "/bin/true"], check=False, capture_output=True, timeout=20)  # noqa: S603
    return [unshare, "-n"] if done.returncode == 0 else []


def watched(count: int, seed: int, *, planted: bool = False, alone: bool = True) -> Trace:
    """Handle so many definitions in a process of their own.

    Raises:
        RuntimeError: the process failed.
    """
    with workshop("trace") as folder, socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0)
        canary = folder / "canary"
        canary.write_text("whoever reads this has opened a file that a definition named", encoding="utf-8")
        before = canary.stat()
        words = [str(folder / "home"), str(canary), str(listening.getsockname()[1]), str(count), str(seed)]
        command = [*(_alone() if alone else []), sys.executable, "-m", "proofs.watched", *words]
        # S603: our own interpreter
        ended = subprocess.run(  # noqa: S603
            [*command, *(["plant"] if planted else [])],
            check=False,
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            cwd=Path(__file__).parents[1],
        )
        if ended.returncode:
            raise RuntimeError(f"the watched process failed: {ended.stderr[-2000:]}")
        touched = []
        if canary.stat() != before:
            touched.append("the canary was changed")
        try:
            listening.accept()[0].close()
            touched.append("somebody called the address that a definition names")
        except BlockingIOError:
            pass
        return Trace(**json.loads(ended.stdout.splitlines()[-1]), touched=touched)


def trace(count: int, seed: int) -> Iterator[Row]:
    """One watched process."""
    found = watched(count, seed)
    for one in found.wrong[:10]:
        print(one, flush=True)
    note = (
        f"{found.answers.get('Refused', 0)} refused, {found.answers.get('Accepted', 0)} taken, {found.remembered} "
        f"remembered; {found.events} events of the interpreter, {'with' if found.network else 'without'} a network"
    )
    what = "nothing runs, is loaded, or is opened outside of the home"
    yield Row(what, f"{found.texts} definitions, checked, written, restored", len(found.wrong), f"{seed}", note)
