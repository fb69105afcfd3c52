"""What a reviewed turn costs outside any model: CPU, memory, bytes at rest."""

import json
import shutil
import tempfile
import tracemalloc
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.figures import Figure, cpu_ms, percentile
from ferrule.adapters.transcripts.reader import read_text
from ferrule.bridge.view import view_of
from ferrule.wiring.home import open_home, throw_away_home
from ferrule.wiring.reviewing import review_session

__all__ = ["turning"]

SHARED = Path(__file__).parents[2] / "shared"
SAMPLES = Path(__file__).parents[1] / "src" / "ferrule" / "samples"
LIMIT = 64 * 1024


def turning() -> Iterator[Figure]:
    """Real turns where `../shared` is there, the bundled samples otherwise."""
    turns = SHARED / "gold" / "turns.jsonl"
    if turns.is_file():
        yield from _turns([line for line in turns.read_text(encoding="utf-8").splitlines() if line])
    yield _dump()


def _turns(lines: list[str]) -> Iterator[Figure]:
    folder = Path(tempfile.mkdtemp(prefix="ferrule-bench-"))
    small: list[float] = []
    large: list[float] = []
    try:
        with open_home(folder) as home:
            for line in lines:
                (session,) = read_text(line, scrub=home.scrub)
                size = len(line.encode())
                spent = cpu_ms(partial(review_session, home, session, progress=_quiet))[0]
                (small if size <= LIMIT else large).append(spent)
            size = home.path.joinpath("ferrule.sqlite3").stat().st_size
    finally:
        shutil.rmtree(folder)
    yield Figure(
        "outside the model: CPU per reviewed turn of <= 64 KB",
        f"p50 {percentile(small, 0.5):.0f}, p95 {percentile(small, 0.95):.0f} ms",
        "< 20 ms",
        f"{len(small)} labelled turns, reading and scrubbing apart, commit included; larger ones "
        f"p50 {percentile(large, 0.5):.0f} ms ({len(large)})",
    )
    yield Figure(
        "bytes at rest per 1,000 turns",
        f"{1000 * size / len(lines) / 1e6:.1f} MB",
        "reported",
        f"with the text of the turns ({sum(map(len, lines)) / len(lines) / 1000:.0f} KB each as read)",
    )


def _quiet(_line: str) -> None:
    """Progress is not part of the figure."""


def _dump() -> Figure:
    row = {
        "session_key": "bench:dump",
        "profile": "buffaly-agent",
        "turn_key": "dump",
        "user": {"text": "Why does the import fail? See the log."},
        "outcome": {"text": "The import fails in `src/importer.py`: the file is read twice."},
        "tool_results": [
            {
                "call_id": "c1",
                "tool": "Bash",
                "arguments": {"command": "cat import.log"},
                "result": "2026-01-02 ERROR /var/log/import/part-17.log: cannot read row 12\n" * 160_000,
                "ok": True,
            }
        ],
    }
    text = json.dumps(row)
    size = len(row["tool_results"][0]["result"])  # type: ignore[index]
    with throw_away_home() as home:
        spent = min(cpu_ms(lambda: view_of(read_text(text, scrub=home.scrub)[0].turns[0]), times=3))
        parsing = min(cpu_ms(lambda: json.loads(text), times=3))
        (session,) = read_text(text, scrub=home.scrub)
        tracemalloc.start()
        review_session(home, session, progress=_quiet)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    kept = len(session.turns[0].calls[0].result or "")
    return Figure(
        f"a tool result of {size / 1e6:.0f} MB: read, scrubbed, made a view",
        f"{spent:.0f} ms CPU",
        "< 300 ms, bounded memory",
        f"{parsing:.0f} ms of it JSON; {kept / 1e6:.1f} MB kept, both ends; peak of the review {peak / 1e6:.0f} MB",
    )
