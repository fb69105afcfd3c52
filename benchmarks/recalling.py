"""What a client pays when a session starts: nothing to tell, or all that a long session remembers."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import Figure, percentile
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.memory.nlmemory import NLMemory
from ferrule.ontology.loading import load_shipped
from ferrule.session.source import SOURCE_PROFILE, SourceSession

__all__ = ["recalling"]

RUNS = 21
SIZES = (20, 1000)
_Cost = tuple[float, float]  # CPU and wall milliseconds of one process and its children


def recalling() -> Iterator[Figure]:
    """The command that answers a SessionStart, in pairs with a bare interpreter."""
    with tempfile.TemporaryDirectory(prefix="ferrule-bench-") as folder:
        place = Path(folder)
        repository = _repository(place / "shop")
        for size in SIZES:
            _remember(place / "home", f"many-{size}", size, repository)
        yield _figure("a new session, nothing to tell", place / "home", "new", repository)
        for size in SIZES:
            yield _figure(f"{size} memories, after compaction", place / "home", f"many-{size}", repository)


def _figure(name: str, home: Path, session: str, cwd: Path) -> Figure:
    words = ["-P", "-m", "ferrule", "context", "--client", "claude-code", "--home", str(home)]
    pairs = [(_run(["-c", "pass"], session, cwd), _run(words, session, cwd)) for _ in range(RUNS)]
    bare, cpu = (percentile([pair[side][0] for pair in pairs], 0.5) for side in (0, 1))
    wall = percentile([pair[1][1] for pair in pairs], 0.5)
    worst = percentile([pair[1][0] for pair in pairs], 0.95)
    return Figure(
        f"session start, {name}",
        f"{cpu:.0f} ms CPU (p95 {worst:.0f}), {wall:.0f} ms wall",
        "as little as Python allows",
        f"bare interpreter {bare:.0f} ms in the same run; places and git asked included; median of {RUNS} pairs",
    )


def _repository(root: Path) -> Path:
    root.mkdir()
    name = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    for words in (["init", "-q"], [*name, "commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run(["git", "-C", str(root), *words], check=True, capture_output=True)  # noqa: S603, S607 - git on a folder of our own
    return root


def _remember(home: Path, session: str, size: int, cwd: Path) -> None:
    store = SqliteStore(home, time.time)
    key = f"claude-code:{session}"
    store.put_session(SourceSession(key, SOURCE_PROFILE, lineage=key, client="claude-code", cwd=str(cwd)))
    memory = NLMemory(store, load_shipped().layer, home)
    kinds = (
        'prototype File{0} : SourceFile {{ FilePath = "src/part{0}/module.py"; }}',
        'prototype Pull{0} : PullRequest {{ PullRequestUrl = "https://git.example/acme/shop/pull/{0}"; }}',
        'prototype Branch{0} : Branch {{ BranchName = "feat/part-{0}"; }}',
    )
    for number in range(size):
        memory.write(key, kinds[number % len(kinds)].format(number))
    store.close()


def _run(words: list[str], session: str, cwd: Path) -> _Cost:
    payload = {
        "session_id": session,
        "transcript_path": "/nowhere.jsonl",
        "cwd": str(cwd),
        "hook_event_name": "SessionStart",
        "source": "compact",
    }
    before, began = os.times(), time.perf_counter()
    subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, *words], input=json.dumps(payload).encode(), check=True, stdout=subprocess.DEVNULL
    )
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return 1000 * spent, 1000 * (time.perf_counter() - began)
