"""One evaluate gate per home and process, whoever opens the home how often.

Owns that choice: a thread that evaluates a source and then writes to its memory through another opening of the same
home is let in, as with one opening. Where files cannot be locked, the gate is of this process only. Knows nothing of
stores' contents.
"""

import os
import sys
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ferrule.adapters.sqlite.home import ensure_home
from ferrule.errors import StoreError
from ferrule.session.gate import EvaluateGate, Evaluation, Latch

__all__ = ["evaluating", "gate_at"]

_GATES: weakref.WeakValueDictionary[str, EvaluateGate] = weakref.WeakValueDictionary()
_GUARD = threading.RLock()  # a signal handler may ask in the middle of this very thread's asking


def gate_at(home: Path) -> EvaluateGate:
    """The gate of a home in this process; the same one as long as anybody has it."""
    place = os.path.realpath(home)
    with _GUARD:
        gate = _GATES.get(place)
        if gate is None:
            gate = _GATES[place] = EvaluateGate(_latch(Path(place)))
        return gate


@contextmanager
def evaluating(home: Path, source: str, *, seconds: float | None = None) -> Iterator[Evaluation]:
    """Say that a host evaluates a source: NLMemory writes to its memory before or afterwards (R78).

    Attach, dispatch and feedback may be called inside; they return at once. The home is made when there is none. What
    is wrong with it never holds the source up: the evaluation then begins all the same, and says so (INV-I8).

    Args:
        home: the home folder.
        source: the key of the source session.
        seconds: how long to wait for another evaluation of this source; None for half a minute.

    Raises:
        GateBusy: another evaluation of this source did not end in time.
    """
    without = ""
    try:
        ensure_home(home)
    except StoreError as error:
        without = str(error)
    with gate_at(home).evaluating(source, seconds=seconds) as evaluation:
        yield Evaluation(source, evaluation.without or without)


def _latch(home: Path) -> Latch | None:
    if sys.platform == "win32":
        return None
    from ferrule.adapters.gates.latch import FileLatch  # noqa: PLC0415 - the module needs a system that locks files

    return FileLatch(home)


def _fork_safe() -> None:
    global _GUARD  # noqa: PLW0603 - a child may have been forked while another thread held it
    _GUARD = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_fork_safe)
