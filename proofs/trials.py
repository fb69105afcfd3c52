"""One deed in a process of its own, under one fault: how it ended, what it was told, which calls it made.

Owns the life of that process and the word it gives. The process does the deed, tells, waits until the fault is over,
and does it again in the same process if it was not done. Knows nothing of which fault is worth trying.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ferrule.errors import FerruleError, StoreError
from proofs.children import Brood, Child
from proofs.deeds import Bench, deed_of
from proofs.sheets import Sheet, new_sheet
from proofs.tracing import Call, Fault, calls_of, traced

__all__ = ["ACKED", "LOST", "MARK", "Trial", "attempt", "trial"]

ACKED = "acked"
LOST = "an earlier sync failed"
MARK = "/the-store-is-being-closed"
_PATIENCE = 60.0
_PAUSE = 0.0005
_READY, _TOLD = 1, 2


@dataclass(frozen=True, slots=True)
class Trial:
    """How one process ended.

    Attributes:
        answers: one for the first attempt, then those after the fault was over; none from a process that was killed
            before it could tell.
        exit: its exit code; negative for a signal.
        calls: what it called, as far as it was traced.
    """

    answers: tuple[str, ...]
    exit: int
    calls: tuple[Call, ...]

    @property
    def acked(self) -> bool:
        """Whether the first attempt was acknowledged."""
        return self.answers[:1] == (ACKED,)

    @property
    def injected(self) -> bool:
        """Whether the fault was met."""
        return any(call.injected for call in self.calls)


def attempt(bench: Bench, name: str) -> str:
    """Do the deed; `acked`, or the code and message of the refusal, or `!` and an exception that must not get out."""
    deed = deed_of(name)
    try:
        if deed.reopens:
            bench.close()
        deed.act(bench)
    except FerruleError as error:
        return f"{error.code.value}: {error}"
    except (OSError, sqlite3.Error, ValueError, RuntimeError, MemoryError, LookupError) as error:
        return f"!{type(error).__name__}: {error}"
    return ACKED


def _work(page: Path, name: str, home: Path, again: bool) -> None:  # noqa: FBT001 - comes through a process's start
    """The whole life of the process."""
    sheet, bench = Sheet(page), Bench(home)
    sheet.stage = _READY
    sheet.wait(_READY)
    answers = [attempt(bench, name)]
    sheet.tell(answers)
    if again and answers != [ACKED]:
        sheet.stage = _TOLD
        sheet.wait(_TOLD)
        for answer in _once_more(bench, name):
            answers.append(answer)
            sheet.tell(answers)
    try:
        _close(bench)
    except (FerruleError, sqlite3.Error) as error:
        sheet.tell([*answers, f"!closing: {error}"])
    os._exit(0)


def _once_more(bench: Bench, name: str) -> Iterator[str]:
    """Do what was not done; a store that lost a sync must say so, and work once it is opened again."""
    try:
        done = not deed_of(name).repeats and deed_of(name).done(bench)
    except StoreError as error:
        done = False
        yield f"{error.code.value}: {error}"
    answer = ACKED if done else attempt(bench, name)
    yield answer
    if LOST in answer:
        _close(bench)
        yield attempt(bench, name)


def _close(bench: Bench) -> None:
    """Close the store, with a call before it that divides the trace: SQLite then takes the log into the file anew."""
    with suppress(OSError):
        os.close(os.open(MARK, os.O_RDONLY))
    bench.close()


def trial(
    family: Brood,
    home: Path,
    name: str,
    fault: Fault | None = None,
    *,
    again: bool = False,
    between: Callable[[], None] = lambda: None,
) -> Trial:
    """Do a deed in a process of its own, traced, under a fault.

    Args:
        family: whose child it is.
        home: the home, at rest.
        name: of the deed.
        fault: None to see which calls are made.
        again: whether the process does it again, after the fault is over, if it was not done.
        between: is called before it does.

    Raises:
        TimeoutError: the process neither ended nor told anything in time.
    """
    log = home.with_name("trace")
    with new_sheet(home.with_name("sheet")) as sheet:
        child = family.start(_work, home.with_name("sheet"), name, home, again)
        try:
            _await(lambda: sheet.stage == _READY, child)
            with traced(child.pid or 0, log, fault):
                sheet.allow(_READY)
                _await(lambda: sheet.stage == _TOLD or not child.is_alive(), child)
                between()
                lasting = fault is not None and fault.for_ever
                if again and not lasting:
                    sheet.allow(_TOLD)
                    _await(lambda: not child.is_alive(), child)
            sheet.allow(_TOLD)
            _await(lambda: not child.is_alive(), child)
            answers = tuple(sheet.told())
            return Trial(answers, child.exitcode or 0, tuple(calls_of(log)))
        finally:
            family.dismiss(child)
            log.unlink(missing_ok=True)


def _await(over: Callable[[], bool], child: Child) -> None:
    ends = time.monotonic() + _PATIENCE
    while not over():
        if time.monotonic() > ends:
            raise TimeoutError(f"process {child.pid} hangs")
        time.sleep(_PAUSE)
