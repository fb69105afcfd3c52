"""What a worker costs: to start, to keep, to wake, and how soon after an enqueue its review begins."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from benchmarks.figures import Figure, cpu_ms, percentile, wall_ms
from ferrule.companion.binding import companion_of
from ferrule.session.source import SOURCE_PROFILE, Origin, SourceSession
from ferrule.session.turn import Turn
from ferrule.wiring.home import Home, open_home
from ferrule.wiring.working import wake, worker_standing

__all__ = ["working"]

SOURCE = SourceSession("bench:worker", SOURCE_PROFILE)
RUNS = 7
WAKES = 40
IDLE_SECONDS = 10.0
WAITING_SECONDS = 30.0
# A worker whose reviewer only notes when it was called.
NOTING = """
import sys, time
from dataclasses import replace
from pathlib import Path
from ferrule.review.port import ReviewDraft
from ferrule.wiring.critic import critic_of
from ferrule.wiring.workshop import Wishes, run_worker
class Noting:
    name = "noting-1"
    def review(self, door, limits):
        print(time.time(), flush=True)
        return ReviewDraft((), (), "noted")
run_worker(sys.argv[1], Wishes(critic=lambda home: replace(critic_of(home), reviewer=Noting())))
"""

# The peak that wait4 tells of a child begins with its parent's, so the process tells its own where it can.
PEAK = """
import resource, sys
from ferrule.interfaces.cli.entry import run
code = run(sys.argv[1:])
try:
    with open("/proc/self/status", encoding="ascii") as status:
        peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
except OSError:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1)
print(peak)
sys.exit(code)
"""


def working() -> Iterator[Figure]:
    """A worker by itself, then one that is rung for."""
    with _home() as home:
        yield from _starting(home)
        yield from _waking(home)


@contextmanager
def _home() -> Iterator[Home]:
    folder = Path(tempfile.mkdtemp(prefix="ferrule-bench-"))
    try:
        with open_home(folder / "home") as home:
            home.store.put_session(SOURCE)
            yield home
    finally:
        shutil.rmtree(folder)


def _queue(home: Home, ordinal: int) -> None:
    turn = Turn(
        f"t{ordinal}",
        SOURCE.key,
        ordinal,
        f"please write the survey notes into /srv/work/notes/survey-{ordinal}.md and commit them",
        f"The survey notes are in /srv/work/notes/survey-{ordinal}.md.",
    )
    home.store.put_turns([turn])
    home.store.enqueue(SOURCE, companion_of(SOURCE), [(ordinal, turn.key)], Origin.EVENT)


def _starting(home: Home) -> Iterator[Figure]:
    command = [sys.executable, "-c", PEAK, "worker", "--once", "--home", str(home.path)]
    empty, spent, resident = [], [], 0
    for run in range(RUNS):
        empty.append(_run(command)[0])
        _queue(home, run + 1)
        cpu, memory = _run(command)
        spent.append(cpu)
        resident = max(resident, memory)
    yield Figure(
        "worker: start, one review, end",
        f"{percentile(spent, 0.5):.0f} ms CPU",
        "reported",
        f"{percentile(empty, 0.5):.0f} ms without a turn to review; medians of {RUNS}, a fresh process each",
    )
    yield Figure(
        "worker: resident memory after a review", f"{resident / 1024:.0f} MB", "<= 80 MB", "peak of the process"
    )


def _run(command: list[str]) -> tuple[float, int]:
    """CPU milliseconds and peak resident KiB of one process."""
    with tempfile.TemporaryFile("w+") as told:
        child = subprocess.Popen(command, stdout=told, stderr=subprocess.DEVNULL)  # noqa: S603 - our own interpreter
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        told.seek(0)
        peak = int(told.read().split()[-1])
    return 1000 * (usage.ru_utime + usage.ru_stime), peak


def _waking(home: Home) -> Iterator[Figure]:
    child = subprocess.Popen([sys.executable, "-c", NOTING, str(home.path)], stdout=subprocess.PIPE, text=True)  # noqa: S603
    try:
        _until_idle(home)
        yield from _idle(child.pid)
        yield from _begun(home, child)
        rung = partial(wake, home)
        yield Figure(
            "wake: a worker is there",
            f"{percentile(cpu_ms(rung, times=WAKES), 0.5) * 1000:.0f} us CPU",
            "nothing that a hook or an attach would feel",
            f"{percentile(wall_ms(rung, times=WAKES), 0.5) * 1000:.0f} us wall, median of {WAKES}",
        )
    finally:
        child.send_signal(signal.SIGTERM)
        child.communicate(timeout=WAITING_SECONDS)
    yield from _started(home)


def _until_idle(home: Home) -> None:
    end = time.monotonic() + WAITING_SECONDS
    while worker_standing(home).doing != "idle" and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(1.0)


def _idle(pid: int) -> Iterator[Figure]:
    if not Path("/proc/self/task").is_dir():
        return
    before = _account(pid)
    time.sleep(IDLE_SECONDS)
    after = _account(pid)
    ticks = (after[0] - before[0]) / os.sysconf("SC_CLK_TCK")
    yield Figure(
        "worker: an idle one",
        f"{after[1] - before[1]} wake-ups, {ticks * 60_000 / IDLE_SECONDS:.0f} ms CPU a minute",
        "0 wake-ups",
        f"context switches of all its threads in {IDLE_SECONDS:.0f} s",
    )


def _account(pid: int) -> tuple[int, int]:
    """Clock ticks of CPU, and how often its threads were scheduled."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    switches = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        for line in (task / "status").read_text(encoding="ascii").splitlines():
            if "ctxt_switches" in line:
                switches += int(line.split()[1])
    return int(fields[11]) + int(fields[12]), switches


def _begun(home: Home, child: "subprocess.Popen[str]") -> Iterator[Figure]:
    spent, whole = [], []
    for run in range(WAKES):
        before = time.time()
        _queue(home, 1000 + run)
        queued = time.time()
        wake(home)
        assert child.stdout is not None  # noqa: S101 - it was opened as a pipe
        begun = float(child.stdout.readline())
        spent.append(1000 * (begun - queued))
        whole.append(1000 * (begun - before))
        _settled(home, 1000 + run)
    yield Figure(
        "worker: from the enqueue's commit to the begun review",
        f"{percentile(spent, 0.5):.1f} ms",
        "far less than any poll",
        f"wall, an idle worker, median of {WAKES}; p95 {percentile(spent, 0.95):.1f} ms; "
        f"{percentile(whole, 0.5):.1f} ms with storing and queueing the turn",
    )


def _settled(home: Home, ordinal: int) -> None:
    end = time.monotonic() + WAITING_SECONDS
    while home.store.review(SOURCE.key, f"t{ordinal}") is None and time.monotonic() < end:
        time.sleep(0.002)
    time.sleep(0.05)


def _started(home: Home) -> Iterator[Figure]:
    cpu, wall = [], []
    for _ in range(RUNS):
        before = os.times()
        wall.extend(wall_ms(lambda: wake(home)))
        after = os.times()
        own = after.user + after.system - before.user - before.system
        cpu.append(
            1000 * (own + after.children_user + after.children_system - before.children_user - before.children_system)
        )
        _ended(home)
    yield Figure(
        "wake: a worker is started",
        f"{percentile(wall, 0.5):.1f} ms wall",
        "a missing worker costs the caller next to nothing",
        f"median of {RUNS}, {percentile(cpu, 0.5):.0f} ms CPU with the shell between (ticks of 10 ms)",
    )


def _ended(home: Home) -> None:
    """End the worker that was started, so that the next wake starts one too."""
    end = time.monotonic() + WAITING_SECONDS
    while worker_standing(home).running and time.monotonic() < end:
        pid = worker_standing(home).pid
        if pid:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
        time.sleep(0.05)
