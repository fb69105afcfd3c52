"""What a client pays for the hook at the end of a turn, beside a bare Python, and what the worker pays for the turn."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.figures import Figure, cpu_ms, percentile
from ferrule.adapters.laptop.bell import FifoBell
from ferrule.adapters.transcripts.selecting import Anchor, Reading, Selected, Wanted, final_digest, select_turn
from ferrule.referents.secrets.detect import scrub

__all__ = ["hooking"]

HOOK = Path(__file__).parents[1] / "src" / "ferrule" / "interfaces" / "hook" / "hook.py"
RUNS = 40
SESSION = "5f1c0b7e-0000-4000-8000-000000000001"
_Cost = tuple[float, float]  # CPU and wall milliseconds of one process
MEGABYTES, LINE = 20, 12_000
KEY = b"k" * 32


def hooking() -> Iterator[Figure]:
    """The hook's process in pairs with a bare interpreter, and one turn read out of a long session."""
    with tempfile.TemporaryDirectory(prefix="ferrule-bench-") as folder:
        place = Path(folder)
        for name, listening in (("nobody listens, starting is off", False), ("a worker is rung for", True)):
            yield from _hook(place / f"home-{listening}", name, listening=listening)
        yield from _starting(place / "home-starting")
        yield from _reading(place)


def _hook(home: Path, name: str, *, listening: bool) -> Iterator[Figure]:
    home.mkdir(mode=0o700)
    bell = FifoBell(home)
    if listening:
        bell.listen()
    pairs = [(_run(["-c", "pass"]), _run([str(HOOK), "claude-code", "--home", str(home)])) for _ in range(RUNS)]
    bell.close()
    files = len(list((home / "spool").iterdir()))
    yield from _figures(name, pairs, f"{files / RUNS:g} file a turn")


def _starting(home: Path) -> Iterator[Figure]:
    """A worker that is started does nothing here: what it costs is not the hook's, nor the client's."""
    words = [str(HOOK), "claude-code", "--home", str(home), "--python", "/bin/true"]
    pairs = [(_run(["-c", "pass"]), _run(words, worker="")) for _ in range(RUNS)]
    yield from _figures("a worker is started", pairs, "with the worker's own time left out")


def _figures(
    name: str, pairs: Sequence[tuple[tuple[float, float], tuple[float, float]]], note: str
) -> Iterator[Figure]:
    bare, hook = (percentile([pair[side][0] for pair in pairs], 0.5) for side in (0, 1))
    ratio = percentile([one[0] / max(0.1, other[0]) for other, one in pairs], 0.5)
    worst = percentile([one[0] for _, one in pairs], 0.95)
    wall = percentile([one[1] for _, one in pairs], 0.5)
    yield Figure(
        f"hook, {name}",
        f"{hook:.0f} ms CPU (p95 {worst:.0f}), {wall:.0f} ms wall",
        "< 60 ms CPU, one file",
        f"{ratio:.2f} of `python -I -S -c pass` ({bare:.0f} ms), median of {len(pairs)} pairs; {note}",
    )


def _run(words: list[str], *, worker: str = "off") -> _Cost:
    """(CPU, wall) milliseconds of one process, its own children that it does not wait for left out."""
    payload = {
        "session_id": SESSION,
        "transcript_path": str(HOOK),
        "cwd": "/w",
        "prompt_id": "p",
        "hook_event_name": "Stop",
        "last_assistant_message": "I created src/a.py and ran its tests. " * 50,
    }
    environment = {"FERRULE_WORKER": worker, "PATH": os.environ.get("PATH", "")}
    reading, writing = os.pipe()
    os.write(writing, json.dumps(payload).encode())
    os.close(writing)
    began = time.perf_counter()
    process = subprocess.Popen(  # noqa: S603 - our own interpreter and file
        [sys.executable, "-I", "-S", *words], stdin=reading, env=environment
    )
    os.close(reading)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    return 1000 * (usage.ru_utime + usage.ru_stime), 1000 * wall


def _reading(place: Path) -> Iterator[Figure]:
    """The newest turn of a long session: at its first report, and at every later one."""
    path, prompt, final, anchor = _session(place / f"{SESSION}.jsonl")
    wanted = Wanted("claude-code", prompt, final_digest(final))
    for name, known, goal in (("first report", None, "once a session"), ("every later report", anchor, "< 20 ms CPU")):
        spent = percentile(cpu_ms(lambda known=known: _select(path, wanted, known), times=3), 0.0)  # type: ignore[misc]
        size = path.stat().st_size / 1e6
        yield Figure(
            f"a turn of 50 KB out of a transcript of {size:.0f} MB, {name}", f"{spent:.0f} ms CPU", goal, "worker"
        )


def _select(path: Path, wanted: Wanted, anchor: Anchor | None) -> None:
    with path.open("rb") as stream:
        found = select_turn(stream, wanted, Reading(lambda text: scrub(text, KEY), anchor=anchor, stem=path.stem))
    assert isinstance(found, Selected)  # noqa: S101 - what was measured is a turn


def _session(path: Path) -> tuple[Path, str, str, Anchor]:
    """A Claude Code session of that size: its file, last prompt and final message, and the turn before the last."""
    turns = MEGABYTES * 1_000_000 // (4 * LINE + 2_000)
    output = "tests/test_part.py::test_it PASSED in 0.01 s of 3 and more words\n" * (LINE // 66)
    number = 0
    with path.open("w", encoding="utf-8") as file:
        for turn in range(turns):
            for kind, content in _turn(turn, output):
                line = {
                    "type": kind,
                    "uuid": f"u{number}",
                    "parentUuid": f"u{number - 1}" if number else None,
                    "sessionId": SESSION,
                    "isSidechain": False,
                    "cwd": "/w",
                    "message": {"id": f"m{number}", "role": kind, "content": content},
                } | ({"promptId": f"p{turn}"} if kind == "user" else {})
                file.write(json.dumps(line, separators=(",", ":")) + "\n")
                number += 1
    each = number // turns
    return path, f"p{turns - 1}", f"I wrote src/part{turns - 1}.py.", Anchor(f"u{(turns - 2) * each}", turns - 1)


def _turn(turn: int, output: str) -> Iterator[tuple[str, object]]:
    yield "user", f"Write src/part{turn}.py and test it."
    for call in range(4):
        ident = f"t{turn}-{call}"
        yield (
            "assistant",
            [{"type": "tool_use", "id": ident, "name": "Bash", "input": {"command": f"pytest -k {call}"}}],
        )
        yield "user", [{"type": "tool_result", "tool_use_id": ident, "content": output, "is_error": False}]
    yield "assistant", [{"type": "text", "text": f"I wrote src/part{turn}.py."}]
