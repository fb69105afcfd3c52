"""What a reviewed turn costs outside any model: CPU, memory, bytes at rest."""

import json
import shutil
import statistics
import tempfile
import time
import tracemalloc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.figures import Figure, cpu_ms, percentile
from benchmarks.storing import definition
from ferrule.adapters.transcripts.reader import read_text
from ferrule.bridge.view import view_of
from ferrule.companion.importing import review_import
from ferrule.session.imported import ImportedSession
from ferrule.session.source import SOURCE_PROFILE, SourceSession
from ferrule.wiring.critic import critic_of, memory_of, projected
from ferrule.wiring.home import Home, open_home, throw_away_home
from ferrule.wiring.reviewing import review_session

__all__ = ["turning"]

SHARED = Path(__file__).parents[2] / "shared"
SAMPLES = Path(__file__).parents[1] / "src" / "ferrule" / "samples"
LIMIT = 64 * 1024
SESSION = "bench:turns"
REMEMBERED = (0, 200, 2_000)
SOME = 3


def turning() -> Iterator[Figure]:
    """Real turns where `../shared` is there, the bundled samples otherwise."""
    turns = SHARED / "gold" / "turns.jsonl"
    if turns.is_file():
        yield from _turns([line for line in turns.read_text(encoding="utf-8").splitlines() if line])
    yield _dump()


@dataclass(frozen=True, slots=True)
class _Spent:
    """What one turn took: its size as read in bytes, CPU milliseconds to read and to review it, wall for both."""

    size: int
    reading: float
    reviewing: float
    wall: float

    @property
    def small(self) -> bool:
        return self.size <= LIMIT


def _turns(lines: list[str]) -> Iterator[Figure]:
    with _home() as home:
        spent = [_spent(home, line) for line in lines]
        at_rest = home.path.joinpath("ferrule.sqlite3").stat().st_size
    small = [turn.reviewing for turn in spent if turn.small]
    large = [turn.reviewing for turn in spent if not turn.small]
    yield Figure(
        "outside the model: CPU per reviewed turn of <= 64 KB",
        f"p50 {percentile(small, 0.5):.0f}, p95 {percentile(small, 0.95):.0f} ms",
        "< 20 ms",
        f"{len(small)} labelled turns, each a session of its own, reading and scrubbing apart, commit included; larger "
        f"ones p50 {percentile(large, 0.5):.0f} ms ({len(large)})",
    )
    cpu = statistics.mean(turn.reading + turn.reviewing for turn in spent)
    wall = statistics.mean(turn.wall for turn in spent)
    yield Figure(
        "turns read, scrubbed, reviewed and committed in a minute on one core",
        f"{60_000 / cpu:.0f} by CPU, {60_000 / wall:.0f} by the clock",
        ">= 1,000",
        f"{len(spent)} labelled turns of every size, one after the other; reading and scrubbing are "
        f"{sum(turn.reading for turn in spent) / len(spent) / cpu:.0%} of it",
    )
    for count in REMEMBERED:
        yield _among(lines, count)
    yield Figure(
        "bytes at rest per 1,000 turns",
        f"{1000 * at_rest / len(lines) / 1e6:.1f} MB",
        "reported",
        f"with the text of the turns ({sum(map(len, lines)) / len(lines) / 1000:.0f} KB each as read)",
    )


def _among(lines: list[str], count: int) -> Figure:
    """Some of the turns as turns of one session that remembers so much already; its projection is made once, behind."""
    spent = []
    with _home() as home:
        home.store.put_session(SourceSession(SESSION, SOURCE_PROFILE))
        memory = memory_of(home)
        for number in range(count):
            memory.write(SESSION, definition(number))
        critic = critic_of(home)
        for number, line in enumerate(lines[::SOME]):
            for session in read_text(_of_one_session(line, number), scrub=home.scrub):
                taken = cpu_ms(partial(_exhaust, review_import(session, critic)))[0]
                spent += [taken] if len(line.encode()) <= LIMIT else []
        behind = cpu_ms(partial(projected, home, SESSION))[0]
    return Figure(
        f"the same in one session with {count:,} memories",
        f"p50 {percentile(spent, 0.5):.0f}, p95 {percentile(spent, 0.95):.0f} ms",
        "flat",
        f"{len(spent)} of the turns, which leave memories too; the readable projection apart: {behind:.0f} ms each "
        "time a session has come to rest",
    )


def _exhaust(outcomes: Iterable[object]) -> None:
    for _ in outcomes:
        pass


def _of_one_session(line: str, number: int) -> str:
    """The turn as the next one of the session that all of them belong to here."""
    row = json.loads(line) | {"session_key": SESSION, "turn_key": f"turn{number}", "ordinal": number + 1}
    return json.dumps(row | {"profile": SOURCE_PROFILE, "parent_key": None}, ensure_ascii=False)


def _spent(home: Home, line: str) -> _Spent:
    began = time.perf_counter()
    read: list[ImportedSession] = []
    reading = cpu_ms(lambda: read.extend(read_text(line, scrub=home.scrub)))[0]
    reviewing = cpu_ms(partial(review_session, home, read[0], progress=_quiet))[0]
    return _Spent(len(line.encode()), reading, reviewing, 1000 * (time.perf_counter() - began))


@contextmanager
def _home() -> Iterator[Home]:
    folder = Path(tempfile.mkdtemp(prefix="ferrule-bench-"))
    try:
        with open_home(folder) as home:
            yield home
    finally:
        shutil.rmtree(folder)


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
