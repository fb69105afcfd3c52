"""A benchmark run: lanes opened over throw-away homes, rows kept in a folder, every figure in one object.

Owns what a run is of, and its files from the first to the last. Knows nothing of scoring or of how it is shown.
"""

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from ferrule import __version__
from ferrule.errors import Code, StoreError, UsageError
from ferrule.evaluation.bench import BenchLane, LaneRows, Work, run_lanes
from ferrule.evaluation.bootstrap import Draws
from ferrule.evaluation.metrics_run import Baseline, run_metrics
from ferrule.evaluation.records import prediction_line
from ferrule.evaluation.rows import RowOutcome
from ferrule.evaluation.runs import FORMAT, METRICS, PREDICTIONS, lane_folder, open_run, read_metrics
from ferrule.evaluation.runs_files import alone, put_whole
from ferrule.evaluation.scoring import Prediction
from ferrule.wiring.benching_lanes import LanePlace, lanes_of
from ferrule.wiring.benching_turns import SHIPPED, Chosen, Survey, survey
from ferrule.wiring.locating import located
from ferrule.wiring.settings import read_settings

__all__ = ["BenchRequest", "BenchResult", "Choice", "Drawing", "bench", "run_benchmark"]

Choice = Chosen  # the two values of a request under names that interfaces may import
Drawing = Draws

MOST_JOBS = 32
MOST_DRAWS = 100_000
_REVIEWING = ("errors.py", "referents", "session", "bridge", "ontology", "protoscript", "review", "memory", "companion")
_READING = ("adapters", "wiring")


@dataclass(frozen=True, slots=True)
class BenchRequest:
    """What is asked for.

    Attributes:
        turns: the turns, one per line; with `labels` None the hand-written ones that ship with Ferrule.
        labels: their labels.
        out: the run's folder; None keeps nothing.
        lanes: lanes in words (`evaluation/lanes.py`); the embedded reviewer when empty.
        ontology: .pts files or folders that replace the shipped base.
        chosen: which of the labelled turns.
        jobs: how many lanes at the same time.
        fresh: forget the run that `out` holds.
        retry_failed: make failed rows again.
        baseline: a `metrics.json`, or the folder of its run, to compare with.
        draws: of the intervals.
        home: the home whose settings count; None for the usual one. Nothing is written there.
    """

    turns: Path | None = None
    labels: Path | None = None
    out: Path | None = None
    lanes: tuple[str, ...] = ()
    ontology: tuple[Path, ...] = ()
    chosen: Chosen = field(default_factory=Chosen)
    jobs: int = 1
    fresh: bool = False
    retry_failed: bool = False
    baseline: Path | None = None
    draws: Draws = field(default_factory=Draws)
    home: Path | None = None


@dataclass(frozen=True, slots=True)
class BenchResult:
    """What came of it.

    Attributes:
        metrics: the object of `metrics.json`.
        rows: how many rows the run has.
        kept: how many of them an earlier start had made.
        dropped: how many damaged lines were dropped, whose turns were reviewed again.
    """

    metrics: dict[str, object]
    rows: int
    kept: int = 0
    dropped: int = 0


def bench(
    turns: Path, labels: Path, out: Path, *, progress: Callable[[str], None], threshold: float | None = None
) -> dict[str, object]:
    """The embedded reviewer on these turns, anew; returns what `metrics.json` holds. Raises as `run_benchmark`."""
    lanes = () if threshold is None else (f"embedded=embedded:threshold={threshold:g}",)
    request = BenchRequest(turns=turns, labels=labels, out=out, lanes=lanes, fresh=True)
    return run_benchmark(request, progress=progress).metrics


def run_benchmark(request: BenchRequest, *, progress: Callable[[str], None]) -> BenchResult:
    """Make the rows that are missing in every lane, write the files of the run, and give the figures back.

    Everything that can be refused is refused before anything is created.

    Raises:
        UsageError: a lane, a choice or a number is wrong, or `out` holds a run of something else.
        UnreadableInput: a file cannot be read as what it should be.
        StoreError: `out` cannot be written.
    """
    _check(request)
    progress("looking over turns and labels")
    settings = read_settings(located(request.home))
    turns, labels = _files(request)
    lanes = lanes_of(request.lanes, LanePlace(turns, request.home, request.ontology, settings.threshold))
    baseline = None if request.baseline is None else Baseline(str(request.baseline), read_metrics(request.baseline))
    seen = survey(turns, labels, request.chosen)
    what = _what(seen, request, lanes, (*request.ontology, *settings.ontology))
    with _folder(request.out) as out:
        open_run(out, what, fresh=request.fresh)
        work = Work(seen.ids, request.jobs, retry_failed=request.retry_failed, progress=progress)
        found = run_lanes(lanes, out, work)
        progress("counting")
        metrics = run_metrics(what, seen.judged, found, request.draws, baseline=baseline)
        _write(out, found, metrics)
    rows, kept = sum(len(lane.rows) for lane in found), sum(lane.kept for lane in found)
    return BenchResult(metrics, rows, kept, sum(lane.dropped for lane in found))


def _check(request: BenchRequest) -> None:
    if not 1 <= request.jobs <= MOST_JOBS:
        raise UsageError(f"--jobs is a number from 1 to {MOST_JOBS}", code=Code.BAD_TOOL_ARGS)
    if not 0 <= request.draws.count <= MOST_DRAWS:
        raise UsageError(f"--draws is a number from 0 to {MOST_DRAWS}", code=Code.BAD_TOOL_ARGS)
    if request.chosen.limit is not None and request.chosen.limit < 1:
        raise UsageError("--limit is a number from 1", code=Code.BAD_TOOL_ARGS)
    if request.out is None and (request.fresh or request.retry_failed):
        raise UsageError("--fresh and --retry-failed need --out: without it no run is kept", code=Code.BAD_TOOL_ARGS)


def _files(request: BenchRequest) -> tuple[Path, Path]:
    if request.turns is not None and request.labels is not None:
        return request.turns, request.labels
    if request.turns is not None or request.labels is not None:
        raise UsageError("--turns and --labels go together: give both, or none", code=Code.BAD_TOOL_ARGS)
    return SHIPPED / "turns.jsonl", SHIPPED / "labels.jsonl"


def _what(
    seen: Survey, request: BenchRequest, lanes: Sequence[BenchLane], ontology: Sequence[Path]
) -> dict[str, object]:
    """The object of `run.json`."""
    package = Path(__file__).resolve().parents[1]
    return {
        "format": FORMAT,
        "ferrule": __version__,
        "code": _digest([package / name for name in (*_REVIEWING, *_READING)]),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "turns": dict(seen.of_turns),
        "labels": dict(seen.of_labels),
        "chosen": request.chosen.json_form(),
        "ontology": _digest(ontology) if ontology else "",
        "lanes": [lane.lane.json_form() for lane in lanes],
    }


def _digest(places: Sequence[Path]) -> str:
    """SHA-256 over names and contents: of files, and of everything in folders but what Python leaves there."""
    digest = hashlib.sha256()
    for place in places:
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if path.is_file() and path.suffix != ".pyc":
                digest.update(f"{path.relative_to(place)}\0".encode(errors="surrogateescape"))
                digest.update(hashlib.sha256(_bytes(path)).digest())
    return digest.hexdigest()


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as problem:
        raise StoreError(f"{path}: {problem.strerror or problem}", code=Code.IO_FAILED) from problem


@contextmanager
def _folder(out: Path | None) -> Iterator[Path]:
    """The run's folder, held alone; one that is thrown away when none is named."""
    if out is not None:
        with alone(out):
            yield out
        return
    with tempfile.TemporaryDirectory(prefix="ferrule-bench-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def _write(out: Path, lanes: Sequence[LaneRows], metrics: Mapping[str, object]) -> None:
    """The files that are made from the rows, each whole; the figures last."""
    for lane in lanes:
        text = "".join(
            prediction_line(Prediction(row.id, row.written)) + "\n"
            for row in lane.rows
            if row.outcome in {RowOutcome.WRITTEN, RowOutcome.NOTHING}
        )
        put_whole(lane_folder(out, lane.lane.name) / PREDICTIONS, text)
        if len(lanes) == 1:
            put_whole(out / PREDICTIONS, text)
    put_whole(out / METRICS, json.dumps(metrics, indent=1, ensure_ascii=False) + "\n")
