"""Processes of a campaign start fast, are killed by their number, and never outlive it.

Owns starting a function of this package in a process of its own, forked by a server that has imported everything and
opened nothing, and the end of all children. Knows nothing of what they do.
"""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerProcess

__all__ = ["Brood", "Child", "brood"]

Child = ForkServerProcess

_PATIENCE = 30.0
_CONTEXT = multiprocessing.get_context("forkserver")
_PRELOADED = ["proofs.stub_worker", "proofs.delivering", "proofs.trials", "proofs.powers"]


@dataclass
class Brood:
    """The children of one campaign, alive or not."""

    children: list[Child] = field(default_factory=list)

    def start(self, work: Callable[..., None], *words: object) -> Child:
        """Start a function in a process of its own."""
        child = _CONTEXT.Process(target=work, args=words, daemon=True)
        child.start()
        self.children.append(child)
        return child

    def kill(self, child: Child) -> None:
        """SIGKILL one child and wait until it is gone."""
        child.kill()
        child.join(_PATIENCE)

    def stop(self, child: Child) -> None:
        """SIGSTOP one child."""
        _signalled(child, signal.SIGSTOP)

    def go_on(self, child: Child) -> None:
        """SIGCONT one child."""
        _signalled(child, signal.SIGCONT)

    def dismiss(self, child: Child) -> None:
        """End a child that is not needed any more, and forget it."""
        self.kill(child)
        self.children.remove(child)
        child.close()

    def finish(self, child: Child, seconds: float) -> int:
        """Wait for a child that ends by itself; its exit code. One that does not end in time is killed: -9."""
        child.join(seconds)
        if child.exitcode is None:
            self.kill(child)
        return -signal.SIGKILL if child.exitcode is None else child.exitcode


def _signalled(child: Child, number: int) -> None:
    if child.pid is not None and child.exitcode is None:
        os.kill(child.pid, number)


@contextmanager
def brood() -> Iterator[Brood]:
    """Children that are all gone when the block ends, stopped ones too."""
    _CONTEXT.set_forkserver_preload(_PRELOADED)
    family = Brood()
    try:
        yield family
    finally:
        for child in family.children:
            family.kill(child)
            child.close()
