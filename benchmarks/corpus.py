"""What becomes of real transcripts: every file read, every session reviewed in order, every memory counted."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure
from ferrule.adapters.transcripts.reader import read_transcript
from ferrule.errors import FerruleError
from ferrule.wiring.benching_sessions import SessionsAsked
from ferrule.wiring.benching_ways import WayRequest, bench_sequence

__all__ = ["CORPUS", "corpus"]

CORPUS = Path(__file__).parents[2] / "shared" / "corpus"
CLEAN = ("overwrites", "secrets", "handleless", "failed")


def corpus() -> Iterator[Figure]:
    """One row per format: what was read and written; then what whole sessions in order came to."""
    if not CORPUS.is_dir():
        return
    found = _found()
    read = _read()
    for name, row in found["formats"].items():
        counts = read[name]
        skipped = ", ".join(f"{key[5:]} {count}" for key, count in sorted(counts.items()) if key.startswith("skip "))
        yield Figure(
            f"corpus, {name}: {row['sessions']} sessions",
            f"{row['turns']} turns reviewed, {row['turns_that_wrote']} of them wrote, {row['memories']} memories",
            "no exception",
            f"{row['writes_per_100_turns'] or 0:.0f} writes per 100 turns; skipped: {skipped or 'none'}",
        )
    figures = found["figures"]
    yield Figure(
        "corpus in sequence: overwrites, secrets, memories without a handle, failed reviews",
        ", ".join(str(figures[name]) for name in CLEAN),
        "0, 0, 0, 0",
        f"{figures['sessions']} sessions, {figures['turns']} turns, looked at after every turn; "
        f"refused by code: {sum(found['refused'].values())}",
    )
    view = figures["current_view"]
    yield Figure(
        "corpus in sequence: two prototypes of one identity",
        f"{figures['duplicates']} of {figures['memories']} memories",
        "< 2 %",
        f"{figures['augmentations']} augmentations; of {view['values']} values {view['hidden']} hidden from readers",
    )
    yield Figure(
        "corpus in sequence: writes per 100 turns",
        f"{figures['writes_per_100_turns']:.1f}",
        "<= 80",
        f"{figures['cpu_ms_per_turn']:.0f} ms CPU a turn on average, whatever its size",
    )
    yield Figure(
        "corpus: files",
        f"{sum(read['files'].values())} of which {read['files']['unreadable']} are no transcripts",
        "no exception",
        "; ".join(f"{name} {count}" for name, count in sorted(read["unreadable"].items())),
    )


@cache
def _found() -> Mapping[str, Any]:
    request = WayRequest(sessions=SessionsAsked(paths=(CORPUS,)))
    return bench_sequence(request, progress=lambda _line: None)


@cache
def _read() -> Mapping[str, Counter[str]]:
    """Why turns were skipped, by format; how many files could be read."""
    read: dict[str, Counter[str]] = {"files": Counter(), "unreadable": Counter()}
    for path in sorted(path for path in CORPUS.rglob("*") if path.is_file() and path.suffix != ".tsv"):
        try:
            sessions = read_transcript(path, scrub=str)
        except FerruleError as error:
            read["files"]["unreadable"] += 1
            read["unreadable"][str(error).removeprefix(f"{path} ").split(";", maxsplit=1)[0]] += 1
            continue
        read["files"]["read"] += 1
        for session in sessions:
            counts = read.setdefault(session.format, Counter())
            counts.update(f"skip {turn.reason}" for turn in session.skipped)
    return read
