"""Workers as real processes: started on demand, stopped, killed, left alone, succeeded."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from store_cases import a_session

from ferrule.adapters.laptop.lock import holder
from ferrule.companion.binding import companion_of
from ferrule.errors import Code, StoreError
from ferrule.session.source import InstructionState, Origin
from ferrule.session.turn import Turn
from ferrule.wiring.home import Home, open_home
from ferrule.wiring.working import Wake, wake, worker_standing
from ferrule.wiring.workshop import Wishes, run_worker

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="workers are started on demand on POSIX systems")

PATIENCE = 20.0
SLOW = """
import sys, time
from dataclasses import replace
from pathlib import Path
from ferrule.wiring.critic import critic_of
from ferrule.wiring.workshop import Wishes, run_worker
home, folder = Path(sys.argv[1]), Path(sys.argv[2])
class Slow:
    name = "slow-1"
    def __init__(self, real): self.real = real
    def review(self, door, limits):
        (folder / "began").touch()
        while not (folder / "go on").exists(): time.sleep(0.01)
        return self.real.review(door, limits)
def critic(home):
    usual = critic_of(home)
    return replace(usual, reviewer=Slow(usual.reviewer))
package = folder / "package"
run = run_worker(home, Wishes(critic=critic, package=package if package.exists() else None, grace_seconds=0.2))
print(run.ended.name, run.reviewed)
"""


def until(found: Callable[[], bool], what: str) -> None:
    """Look again and again, for a bounded time."""
    end = time.monotonic() + PATIENCE
    while not found():
        assert time.monotonic() < end, f"waited in vain: {what}"
        time.sleep(0.01)


def alive(pid: int) -> bool:
    """Whether the process runs; a zombie does not."""
    with suppress(OSError):
        return ") Z" not in Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    with suppress(OSError):
        os.kill(pid, 0)
        return not Path("/proc").is_dir()
    return False


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    """A home whose workers are short of patience; whatever worker is left afterwards is ended."""
    monkeypatch.delenv("FERRULE_WORKER", raising=False)
    place = tmp_path / "home"
    place.mkdir(mode=0o700)
    (place / "settings.toml").write_text("idle_seconds = 0.3\nlease_seconds = 1.0\n", encoding="utf-8")
    with open_home(place) as opened:
        yield opened
        there = holder(place)
        if there is not None and there.pid:
            with suppress(ProcessLookupError):
                os.kill(there.pid, signal.SIGKILL)


def queue(home: Home, ordinal: int, source: str = "desk:alpha") -> None:
    """Store and enqueue one turn."""
    session = a_session(source)
    home.store.put_session(session)
    text = f"please write /w/shop/notes/plan-{ordinal}.md"
    home.store.put_turns([Turn(f"t{ordinal}", source, ordinal, text, f"I wrote /w/shop/notes/plan-{ordinal}.md")])
    home.store.enqueue(session, companion_of(session), [(ordinal, f"t{ordinal}")], Origin.EVENT)


def reviewed(home: Home, ordinal: int, source: str = "desk:alpha") -> Callable[[], bool]:
    """Whether the review of a turn is stored."""
    return lambda: home.store.review(source, f"t{ordinal}") is not None


def working(home: Home) -> int:
    """The process of the worker, once it is there."""
    until(lambda: worker_standing(home).pid > 0, "the worker")
    return worker_standing(home).pid


def gone(home: Home, pid: int) -> bool:
    """Whether neither worker nor process is left."""
    return not worker_standing(home).running and not alive(pid)


def started(home: Home, folder: Path) -> "subprocess.Popen[str]":
    """A worker whose reviewer waits for the file `go on`, as a child of the test."""
    command = [sys.executable, "-c", SLOW, str(home.path), str(folder)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # noqa: S603 - ours
    until((folder / "began").exists, "the review")
    return child


def test_a_wake_after_the_enqueue_gets_the_turn_reviewed(home: Home) -> None:
    """R72, R77, CASE-J07, CASE-J14: started on demand, rung for while it is there, gone when idle, nothing left."""
    queue(home, 1)
    assert wake(home).wake is Wake.STARTED
    assert wake(home).wake in {Wake.STARTING, Wake.RUNG}
    until(reviewed(home, 1), "the first review")
    pid = working(home)
    standing = worker_standing(home)
    assert (standing.running, standing.version, standing.trouble) == (True, "0.1.0", "")
    queue(home, 2)
    assert wake(home).wake is Wake.RUNG
    until(reviewed(home, 2), "the second review")
    assert worker_standing(home).pid == pid
    until(lambda: gone(home, pid), "its leaving")
    assert {path.name for path in home.path.iterdir()} >= {"worker.lock", "worker.wake", "worker.log"}
    assert not [path for path in home.path.rglob("*") if path.name.startswith(".") or path.suffix == ".tmp"]
    log = (home.path / "worker.log").read_text(encoding="ascii")
    assert "plan" not in log
    assert log.count("worker 0.1.0 began") == 1


def test_it_reviews_after_its_starter_and_the_terminal_are_gone(home: Home) -> None:
    """R77, INV-I8: the terminal hangs up and its whole process group gets SIGHUP; the worker finishes."""
    queue(home, 1)
    code = (
        "import sys, os, time; from pathlib import Path; from ferrule.adapters.laptop.waking import wake;"
        "print(wake(Path(sys.argv[1])).wake, flush=True); time.sleep(60)"
    )
    pid, terminal = pty.fork()
    if pid == 0:
        try:
            os.execv(sys.executable, [sys.executable, "-c", code, str(home.path)])  # noqa: S606 - our own interpreter
        finally:
            os._exit(127)
    said = b""
    while b"\n" not in said:
        said += os.read(terminal, 1000)
    assert said.strip() == b"started"
    os.killpg(pid, signal.SIGHUP)
    os.close(terminal)
    os.waitpid(pid, 0)
    until(reviewed(home, 1), "the review")
    worker = worker_standing(home).pid
    until(lambda: not worker or gone(home, worker), "its leaving")


def test_a_killed_worker_costs_one_lease(home: Home, tmp_path: Path) -> None:
    """CASE-J01, R100: nothing is left of it that hinders; the next wake starts another, which reviews the turn."""
    queue(home, 1)
    child = started(home, tmp_path)
    child.kill()
    child.communicate(timeout=PATIENCE)
    assert not worker_standing(home).running
    assert wake(home).wake is Wake.STARTED
    until(reviewed(home, 1), "the review")
    instruction = home.store.instruction("desk:alpha", "t1")
    assert instruction is not None
    assert (instruction.state, instruction.attempts) == (InstructionState.DONE, 2)


def test_a_signal_in_a_review_gives_the_turn_back(home: Home, tmp_path: Path) -> None:
    """CASE-J09: within its grace, un-attempted, with a good end."""
    queue(home, 1)
    child = started(home, tmp_path)
    child.send_signal(signal.SIGTERM)
    out, err = child.communicate(timeout=PATIENCE)
    assert (child.returncode, out.strip(), err) == (0, "STOPPED 0", "")
    instruction = home.store.instruction("desk:alpha", "t1")
    assert instruction is not None
    assert (instruction.state, instruction.attempts) == (InstructionState.WAITING, 0)
    due = home.store.next_due()
    assert due is not None
    assert due <= time.time()


def test_an_upgrade_brings_a_successor(home: Home, tmp_path: Path) -> None:
    """R100: the old one finishes its turn and leaves; the rest is reviewed by a new process without another wake."""
    (tmp_path / "package").write_bytes(b"1")
    queue(home, 1)
    queue(home, 2)
    child = started(home, tmp_path)
    (tmp_path / "package").write_bytes(b"22")
    (tmp_path / "go on").touch()
    out, err = child.communicate(timeout=PATIENCE)
    assert (out.strip(), err) == ("OUTDATED 1", "")
    until(reviewed(home, 2), "the successor's review")
    assert working(home) != child.pid


def ferrule(home: Home, *words: str) -> "subprocess.CompletedProcess[str]":
    """One command line in a process of its own."""
    command = [sys.executable, "-m", "ferrule", *words, "--home", str(home.path)]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=PATIENCE)  # noqa: S603 - ours


def test_a_second_worker_says_that_one_runs(home: Home, tmp_path: Path) -> None:
    """R74, CASE-M02: one line, exit code 0; the first is told to look."""
    queue(home, 1)
    child = started(home, tmp_path)
    told = ferrule(home, "worker")
    assert (told.returncode, told.stdout) == (0, "")
    assert told.stderr == f"ferrule: a worker of this home runs already (process {child.pid}); it was told to look\n"
    assert worker_standing(home).doing == "desk:alpha t1"
    row = json.loads(ferrule(home, "worker", "--json").stdout)
    assert row == {"ended": None, "reviewed": 0, "running": child.pid}
    (tmp_path / "go on").touch()
    child.communicate(timeout=PATIENCE)


def test_a_worker_may_be_run_by_hand_until_nothing_is_due(home: Home) -> None:
    """R84: `--once` reviews what waits and says so."""
    queue(home, 1)
    queue(home, 2)
    told = ferrule(home, "worker", "--once", "--json")
    assert (told.returncode, json.loads(told.stdout)) == (0, {"ended": "idle", "reviewed": 2, "running": None})
    assert told.stderr.splitlines()[-1] == "ferrule: worker left: nothing to do; 2 reviewed"


def test_starting_can_be_forbidden(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """R77: `FERRULE_WORKER=off` starts nobody, and an open worker is still rung for."""
    monkeypatch.setenv("FERRULE_WORKER", "off")
    queue(home, 1)
    assert wake(home).wake is Wake.OFF
    assert worker_standing(home).running is False


def test_a_trap_in_the_bells_place_is_told_and_reviews_nothing(home: Home) -> None:
    """CASE-E07: neither the waker nor a worker touches it."""
    (home.path / "worker.wake").symlink_to("/dev/null")
    queue(home, 1)
    woken = wake(home)
    assert woken.wake is Wake.FAILED
    assert "worker.wake" in woken.reason
    with pytest.raises(StoreError) as refused:
        run_worker(home.path, Wishes(once=True))
    assert refused.value.code is Code.UNSAFE_PATH
    assert worker_standing(home).running is False
