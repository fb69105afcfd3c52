"""Every labelled turn is reviewed by itself in every lane, one row in flight per lane, each row kept once it is done.

Owns the run: which rows are still to be made, in which order, and what becomes of one that fails. How a turn is
reviewed is a function that `wiring` hands in. Knows nothing of stores, reviewers, transcripts or figures.
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from ferrule.errors import Code, FerruleError
from ferrule.evaluation.lanes import Lane
from ferrule.evaluation.rows import Row, RowOutcome, latest
from ferrule.evaluation.rows_journal import Journal
from ferrule.evaluation.runs import ROWS, lane_folder
from ferrule.session.turn import Turn

__all__ = ["BenchLane", "BenchTurn", "LaneAtWork", "LaneRows", "Unread", "Work", "run_lanes"]


@dataclass(frozen=True, slots=True)
class BenchTurn:
    """One turn of a benchmark. `turn` is None when it is not reviewable; `reason` then says why."""

    id: str
    turn: Turn | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Unread:
    """A turn that is still to be read: a reader's bug is then that row's failure and not the end of the run."""

    id: str
    read: Callable[[], BenchTurn]


@dataclass(frozen=True, slots=True)
class LaneAtWork:
    """An open lane: `turns` finds the turns of the ids it is given, one by one; `review` makes a row of each."""

    turns: Callable[[Sequence[str]], Iterable[Unread]]
    review: Callable[[BenchTurn], Row]


OpenLane: TypeAlias = Callable[[], AbstractContextManager[LaneAtWork]]


@dataclass(frozen=True, slots=True)
class BenchLane:
    """A lane and how it is opened: only when rows are missing, in the thread that works on it, for itself alone."""

    lane: Lane
    open: OpenLane


@dataclass(frozen=True, slots=True)
class LaneRows:
    """What a lane made of the turns, in their order.

    `kept` counts rows that an earlier start had made, `dropped` damaged lines whose turns were done again.
    """

    lane: Lane
    rows: tuple[Row, ...]
    kept: int = 0
    dropped: int = 0


def _silent(_what: str) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Work:
    """How a run is worked on.

    Attributes:
        ids: the labelled turns in their order.
        jobs: how many lanes at the same time.
        retry_failed: whether failed rows are made again.
        progress: told in words what goes on.
    """

    ids: Sequence[str]
    jobs: int = 1
    retry_failed: bool = False
    progress: Callable[[str], None] = _silent


def run_lanes(lanes: Sequence[BenchLane], out: Path, work: Work) -> tuple[LaneRows, ...]:
    """Make every row that is still missing, and give all of them back by lane.

    Whatever stops it, finished rows stay and the next call goes on behind them.

    Raises:
        StoreError: the folder cannot be written.
    """
    stop = threading.Event()
    if work.jobs <= 1 or len(lanes) <= 1:
        return tuple(_lane_rows(lane, out, work, stop) for lane in lanes)
    with ThreadPoolExecutor(max_workers=work.jobs, thread_name_prefix="lane") as pool:
        futures = [pool.submit(_lane_rows, lane, out, work, stop) for lane in lanes]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
        finally:  # one lane failed, or a person stopped it: the others end behind the row that is in flight
            if not all(future.done() for future in futures):
                stop.set()
        return tuple(future.result() for future in futures)


@dataclass(frozen=True, slots=True)
class _Making:
    """One lane's rows in the making."""

    name: str
    rows: dict[str, Row]
    journal: Journal
    work: Work

    def keep(self, row: Row) -> None:
        self.journal.add(row)
        self.rows[row.id] = row
        self.work.progress(f"{self.name}: {len(self.rows)} of {len(self.work.ids)} turns")


def _lane_rows(bench: BenchLane, out: Path, work: Work, stop: threading.Event) -> LaneRows:
    with Journal(lane_folder(out, bench.lane.name) / ROWS, frozenset(work.ids)) as journal:
        rows = latest(journal.rows)
        missing = [name for name in work.ids if name not in rows or (work.retry_failed and _failed(rows[name]))]
        if missing and not stop.is_set():
            with bench.open() as at_work:
                _work_on(at_work, missing, _Making(bench.lane.name, rows, journal, work), stop)
    done = tuple(rows[name] for name in work.ids if name in rows)
    return LaneRows(bench.lane, done, len(work.ids) - len(missing), journal.dropped)


def _failed(row: Row) -> bool:
    return row.outcome is RowOutcome.FAILED


def _work_on(at_work: LaneAtWork, missing: Sequence[str], making: _Making, stop: threading.Event) -> None:
    left = dict.fromkeys(missing)
    for item in at_work.turns(missing):
        if stop.is_set():
            return
        if item.id in left:
            del left[item.id]
            making.keep(_row(at_work.review, item))
    for name in left:
        making.keep(Row(name, RowOutcome.SKIPPED, reason="not among the turns"))


def _row(review: Callable[[BenchTurn], Row], item: Unread) -> Row:
    """The row of one turn; one that fails is a row too, and the run goes on."""
    try:
        return review(item.read())
    except FerruleError as error:
        return Row(item.id, RowOutcome.FAILED, reason=str(error), code=error.code.value)
    except Exception as error:  # noqa: BLE001 - a row's edge: a bug is a failed row, told by its name
        reason = f"a bug in the reviewer: {type(error).__name__}"  # its text may quote the turn
        return Row(item.id, RowOutcome.FAILED, reason=reason, code=Code.INTERNAL.value)
