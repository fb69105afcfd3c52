"""Processes of a campaign are started, killed by their number, and never outlive it.

Owns starting a Python module of this folder as a child, and the end of all children. Knows nothing of what they do.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Brood", "brood"]

_ROOT = Path(__file__).parents[1]
_PATIENCE = 30.0


@dataclass
class Brood:
    """The children of one campaign, alive or not."""

    children: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self, module: str, *words: object) -> subprocess.Popen[bytes]:
        """Start `python -m module words…` with this very interpreter."""
        environment = os.environ | {"PYTHONPATH": str(_ROOT), "PYTHONDONTWRITEBYTECODE": "1", "FERRULE_WORKER": "off"}
        command = [sys.executable, "-m", module, *(str(word) for word in words)]
        child = subprocess.Popen(command, cwd=_ROOT, env=environment, stdin=subprocess.DEVNULL)
        self.children.append(child)
        return child

    def kill(self, child: subprocess.Popen[bytes]) -> None:
        """SIGKILL one child and wait until it is gone."""
        if child.poll() is None:
            child.send_signal(signal.SIGKILL)
        child.wait(_PATIENCE)

    def finish(self, child: subprocess.Popen[bytes], seconds: float) -> int:
        """Wait for a child that ends by itself; its exit code. One that does not end in time is killed: -9."""
        try:
            return child.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill(child)
            return child.returncode


@contextmanager
def brood() -> Iterator[Brood]:
    """Children that are all gone when the block ends, stopped ones too."""
    family = Brood()
    try:
        yield family
    finally:
        for child in family.children:
            family.kill(child)
