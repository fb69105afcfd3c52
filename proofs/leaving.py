"""A process is told to end in the middle of a write, or its interpreter just ends: whole, and soon.

Owns the signals and the abrupt ends of the campaign `together` (CASE-J09, J14): the real command, and a host of the
Python parts. Knows nothing of kills.
"""

import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from ferrule.adapters.sqlite.home import read_head
from proofs.beside import begun
from proofs.deeds import SOURCE, Bench, definition
from proofs.judging_homes import faults_of_file
from proofs.scenes import workshop

__all__ = ["abrupt_ends", "told_to_end"]

_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_MOST_SECONDS = 5.0
_PATIENCE = 60.0
_FILES = 150
# A host that writes from threads which do not keep it alive, and whose main thread just returns.
_HOST = """
import os, sys, threading, time
from pathlib import Path
from proofs.deeds import SOURCE, Bench, definition
bench = Bench(Path(sys.argv[1]), time.time())
_ = bench.store
begun = threading.Semaphore(0)
def write(number):
    at = 0
    while True:
        bench.memory.write(SOURCE.key, definition(f"Thing{number}x{at}"))
        os.write(1, f"Thing{number}x{at} ".encode())
        begun.release()
        at += 1
for number in range(3):
    threading.Thread(target=write, args=(number,), daemon=True).start()
for _ in range(int(sys.argv[2])):
    begun.acquire()
"""


def told_to_end(count: int, seed: int) -> tuple[float, list[str]]:
    """CASE-J09: `ferrule memory write` with many files is signalled somewhere; the slowest end, and what is wrong."""
    rng = random.Random(seed)
    slowest, wrong = 0.0, []
    with workshop("signals") as folder:
        drafts = []
        for number in range(_FILES):
            drafts.append(folder / f"draft{number:03d}.pts")
            text = definition(f"Thing{number}").replace("DocumentPath", "FilePath")
            drafts[-1].write_text(text, encoding="utf-8")
        for number in range(count):
            place = folder / f"at{number}"
            place.mkdir()
            took, found = _signalled(begun(place), drafts, _SIGNALS[number % len(_SIGNALS)], rng)
            slowest = max(slowest, took)
            wrong += found
    return slowest, wrong


def _signalled(home: Path, drafts: list[Path], number: signal.Signals, rng: random.Random) -> tuple[float, list[str]]:
    command = [sys.executable, "-m", "ferrule", "memory", "write", *map(str, drafts), "--home", str(home)]
    # S603: our own interpreter
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)  # noqa: S603
    try:
        _await_first(home, process)
        time.sleep(rng.random() * 0.4)
        began = time.monotonic()
        process.send_signal(number)
        said = process.communicate(timeout=_PATIENCE)[1]
        took = time.monotonic() - began
    finally:
        process.kill()
        process.wait(_PATIENCE)
    wrong = [f"{number.name}: ended after {took:.1f} s"] if took > _MOST_SECONDS else []
    if "Traceback" in said:
        wrong.append(f"{number.name}: {said[-300:]}")
    return took, [*wrong, *_a_prefix(home)]


def _await_first(home: Path, process: "subprocess.Popen[str]") -> None:
    """Wait until the first file was written."""
    ends = time.monotonic() + _PATIENCE
    while not _receipts(home) and process.poll() is None and time.monotonic() < ends:
        time.sleep(0.002)


def _receipts(home: Path) -> int:
    head = read_head(home)
    return 0 if head is None else head.seq


def _a_prefix(home: Path) -> Iterator[str]:
    bench = Bench(home, time.time())
    names = bench.names()
    bench.close()
    if names != tuple(f"Thing{number}" for number in range(len(names))):
        yield f"what was written is not the first {len(names)} files"
    yield from faults_of_file(home)


def abrupt_ends(count: int) -> list[str]:
    """CASE-J14: the interpreter ends while threads write; what one of them was told is there, and nothing is torn."""
    wrong: list[str] = []
    for number in range(count):
        with workshop("ends") as folder:
            home = begun(folder)
            # S603: our own interpreter
            ended = subprocess.run(  # noqa: S603
                [sys.executable, "-c", _HOST, str(home), str(3 + number)],
                check=False,
                capture_output=True,
                text=True,
                timeout=_PATIENCE,
            )
            bench = Bench(home, time.time())
            lost = {*ended.stdout.split()} - {*bench.store.layer(SOURCE.key).names()}
            bench.close()
            wrong += [f"{len(lost)} acknowledged writes are lost"] if lost else []
            wrong += [] if ended.stdout else [f"it wrote nothing: {ended.stderr[-300:]}"]
            wrong += faults_of_file(home)
    return wrong
