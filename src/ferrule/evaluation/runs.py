"""A run is a folder that says of itself what it is of, so that it can be gone on with after any crash.

The layout of OUT, on which the report and other readers build:

    run.json                    what the run is of; another start with other inputs is refused
    lanes/<name>/rows.jsonl     append-only journal, one synced line per finished turn (`evaluation/rows.py`)
    lanes/<name>/predictions.jsonl   {"id", "written": […]} per reviewed turn, in the order of the turns (score.py)
    metrics.json                every figure, and the account of every turn in every lane
    predictions.jsonl           with one lane: the same as that lane's
    report.html                 all of it on one page, made anew from these files at any time (`evaluation/report`)

`run.json`: {"format": 1, "ferrule": version, "code": digest of the reviewing code, "started": UTC time (not compared),
"turns": {"file": path, "sha256", "count": labelled turns of this run}, "labels": {"file", "sha256", "count"},
"chosen": {"limit": N or null, "only": [id…] or null}, "ontology": digest or "",
"lanes": [{"name", "kind", "argument", "settings": {…}, "about": {"reviewer", "weights", …}}]}

`metrics.json`:

    {"format": 1, "ferrule": version, "run": {the object of run.json},
     "turns": [{"id", "session", "format", "repository", "language", "expect": "write" | "nothing",
                "entities": [{"label", "type", "group", "grade", "modality", "handles": [{"kind", "value"}]}],
                "forbidden": [{"value", "why"}]}],                       texts stay in the turns file: look up by id
     "lanes": {name: {
        "lane": {as in run.json},
        "figures": {all counts and ratios of `scoring.Score.figures()`},
        "intervals": {figure: [low, high] or null},                      95 %, sessions resampled
        "bootstrap": {"draws", "seed", "sessions"},
        "groups" | "types" | "kinds": {key: {"required", "hit", "recall", "interval": [low, high] or null}},
        "formats" | "repositories" | "languages": {key: {"turns", "required", "hit", "false", "written", "precision",
                "recall", "abstention", "writes_per_100_turns"}},
        "most_missed": [{"type", "modality", "missed"}],
        "thresholds": null or {"candidates", "curve": [{"threshold", "precision", "recall", "f1",
                "writes_per_100_turns", "hit", "false", "written"}], "as_shipped": {same without threshold},
                "nested": {rule: {"rule": words, "precision", "recall", "f1", "writes_per_100_turns", "hit", "false",
                "written", "required", "intervals": {…}, "folds": [{"repository", "threshold", "turns", "hit", "false",
                "required"}]}},                                           rules: "best_f1", "recall_at_precision"
                "calibration": [{"from", "to", "candidates", "required", "acceptable"}]},
        "outcomes": {"written", "nothing", "skipped", "failed"},
        "skipped": [{"id", "reason"}], "failed": [{"id", "reason", "code"}],
        "cost": {"requests", "input_tokens", "output_tokens", "price": US dollars or null, "turns"},
        "latency": {"cpu_ms" | "wall_ms": {"p50", "p95", "max", "mean"} or {}, "turns", "turns_per_cpu_minute"},
        "turns": [{"id", "outcome", "reason", "code", "cpu_ms", "wall_ms", "counts": {the counts of figures()},
                "entities": [{"verdict": "hit" | "missed" | "acceptable" | "unneeded", "memory": index or null,
                              "modality_ok": bool or null, "why": reason of the best candidate, "score": or null}],
                "written": [{"prototype", "handles", "modality", "verdict": "hit" | "acceptable" | "false",
                             "entity": index or null, "forbidden": [value…], "why", "score"}],
                "forbidden": [value…]}]}},
     "agreement": [{"lanes": [a, b], "turns", "both", "only_a", "only_b", "neither", "agreed", "kappa",
                "required": {"both", "only_a", "only_b", "neither"}, "jaccard", "shared", "written": [na, nb],
                "differences": {figure: {"delta": a - b, "interval": [low, high] or null}},
                "disagreements": [{"id", "only_a": [prototype…], "only_b": [prototype…]}]}],
     "drift": null or {"baseline": path, "ferrule": its version, "lanes": {name: {"baseline_lane", "turns": common,
                "only_now", "only_then", "same_labels": bool, "figures": {figure: {"was", "now", "delta",
                "interval": the baseline's, "outside": bool, "worse": bool}},
                "changed": [{"id", "gained": [label…], "lost": [label…], "new_false": [first handle…],
                "gone_false": [first handle…], "new_forbidden": count}]}}}}

For one lane, and for the first of several, `figures`, `intervals`, `groups`, `types`, `kinds`, `formats`,
`most_missed`, `skipped` and `cpu_ms` also stand at the top, as they always did.

Owns the layout and the journal. Knows nothing of reviews or figures.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from ferrule.errors import Code, StoreError, UnreadableInput, UsageError
from ferrule.evaluation.runs_files import put_whole, removed

__all__ = [
    "FORMAT",
    "LANES",
    "METRICS",
    "PREDICTIONS",
    "REPORT",
    "ROWS",
    "RUN",
    "lane_folder",
    "open_run",
    "read_metrics",
]

FORMAT = 1
RUN = "run.json"
METRICS = "metrics.json"
PREDICTIONS = "predictions.jsonl"
REPORT = "report.html"
LANES = "lanes"
ROWS = "rows.jsonl"
_MAX_RUN_BYTES = 4 * 1024**2
_MAX_METRICS_BYTES = 512 * 1024**2
_WORDS = {
    "ferrule": "another version of Ferrule",
    "code": "other reviewing code",
    "turns": "other turns",
    "labels": "other labels",
    "chosen": "another choice of turns",
    "ontology": "another ontology",
    "lanes": "other lanes or settings",
}


def lane_folder(out: Path, name: str) -> Path:
    """Where the files of a lane are."""
    return out / LANES / name


def open_run(out: Path, what: Mapping[str, object], *, fresh: bool = False) -> bool:
    """Make `out` the folder of this run; True when a run of exactly this is gone on with.

    What a folder holds without a whole `run.json` is no run: it is made anew, and so it is with `fresh`. Other files in
    it are left alone.

    Args:
        out: the folder; made when there is none.
        what: the object of `run.json`; a plain JSON object.
        fresh: forget the run that is there.

    Raises:
        UsageError: it holds a run of something else; nothing is changed.
        StoreError: it cannot be read or written.
    """
    before = None if fresh else _run_of(out)
    if before is not None:
        _same(out, before, what)
        return True
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise StoreError(f"{out}: {problem.strerror or problem}", code=Code.IO_FAILED) from problem
    # The run's own file goes first and comes last: whatever stops this in between, the next start makes it anew.
    removed(out / RUN)
    removed(out / METRICS)
    removed(out / REPORT)  # of another run: it must not be taken for this one's while this one is made
    removed(out / PREDICTIONS)
    for folder in _lane_folders(out):
        removed(folder / ROWS)
        removed(folder / PREDICTIONS)
    put_whole(out / RUN, json.dumps(what, indent=1, ensure_ascii=False) + "\n")
    return False


def _lane_folders(out: Path) -> Sequence[Path]:
    try:
        return sorted(path for path in (out / LANES).iterdir() if path.is_dir() and not path.is_symlink())
    except FileNotFoundError:
        return ()
    except OSError as problem:
        raise StoreError(f"{out / LANES}: {problem.strerror or problem}", code=Code.IO_FAILED) from problem


def _run_of(out: Path) -> Mapping[str, object] | None:
    """The object of `run.json`; None when there is none. It is written whole, so half of one is somebody's damage."""
    text = _read(out / RUN, _MAX_RUN_BYTES)
    if text is None:
        return None
    run = _object(text)
    if run is None:
        raise UsageError(f"{out / RUN} is damaged; start anew with --fresh, or choose another --out")
    if run.get("format") != FORMAT:
        raise UsageError(
            f"{out} holds a run of another form of Ferrule; choose another --out, or --fresh to replace it"
        )
    return run


def _same(out: Path, before: Mapping[str, object], what: Mapping[str, object]) -> None:
    now = _object(json.dumps(what)) or {}
    differing = [words for name, words in _WORDS.items() if _compared(before, name) != _compared(now, name)]
    if differing:
        raise UsageError(
            f"{out} holds a run of {' and '.join(differing)}; choose another --out, or --fresh to replace it",
            code=Code.BAD_TOOL_ARGS,
        )


def _compared(run: Mapping[str, object], name: str) -> object:
    """What counts of one part: files by their content, not by where they lie."""
    value = run.get(name)
    if name in {"turns", "labels"} and isinstance(value, dict):
        return {key: part for key, part in value.items() if key != "file"}
    if name == "lanes" and isinstance(value, list):
        return [_lane(lane) for lane in value]
    return value


def _lane(lane: object) -> object:
    if isinstance(lane, dict) and lane.get("kind") == "file":  # its digest is among its facts
        return {key: part for key, part in lane.items() if key != "argument"}
    return lane


def read_metrics(path: Path) -> Mapping[str, object]:
    """The object of a `metrics.json`, given by its own path or by its run's folder.

    Raises:
        UnreadableInput: there is none, or it is not one that this Ferrule can compare with.
    """
    place = path / METRICS if path.is_dir() else path
    try:
        text = _read(place, _MAX_METRICS_BYTES)
    except StoreError as problem:
        raise UnreadableInput(str(problem), code=Code.IO_FAILED) from problem
    if text is None:
        line = f"{place} is not there; a finished `ferrule bench --out DIR` leaves one in DIR"
        raise UnreadableInput(line, code=Code.IO_FAILED)
    metrics = _object(text)
    if metrics is None:
        raise UnreadableInput(f"{place} is not JSON")
    if metrics.get("format") != FORMAT or not isinstance(metrics.get("lanes"), dict):
        raise UnreadableInput(f"{place} is not a metrics.json of this form; make it anew with `ferrule bench`")
    return metrics


def _read(path: Path, most: int) -> str | None:
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as problem:
        raise StoreError(f"{path}: {problem.strerror or problem}", code=Code.IO_FAILED) from problem
    if len(data) > most:
        raise StoreError(f"{path} is larger than {most // 1024**2} MB", code=Code.TOO_LARGE)
    return data.decode("utf-8", errors="replace")


def _object(text: str) -> dict[str, object] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
