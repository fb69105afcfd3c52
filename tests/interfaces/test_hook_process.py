"""Whatever happens to the hook's process, its client sees nothing: exit 0, silence, and soon."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hook_cases import HOOK, LONG, Codex, run_hook, spooled

from ferrule.adapters.laptop.bell import FifoBell
from ferrule.adapters.laptop.lock import Holder, WorkerLock, holder
from ferrule.adapters.spool.folder import DROPPED, SPOOL
from ferrule.interfaces.hook import hook

STOP = Codex(Path("/nowhere")).asks("Write it.").says("Written.").stop()


def sh(line: str) -> list[str]:
    """Run what follows inside a line of the shell."""
    return ["/bin/sh", "-c", line, "sh"]


def nothing(_: Path) -> None:
    """All is well."""


def under_a_file(home: Path) -> None:
    """The home cannot be made."""
    home.parent.rmdir()
    home.parent.write_text("a file")


def a_file(home: Path) -> None:
    """A file stands where the home belongs."""
    home.write_text("a file")


def open_to_all(home: Path) -> None:
    """Anybody may write to the home."""
    home.mkdir()
    home.chmod(0o777)


def unwritable(home: Path) -> None:
    """Nobody may write to the home (who is root may)."""
    home.mkdir()
    home.chmod(0o500)


def spool_link(home: Path) -> None:
    """The spool leads elsewhere."""
    home.mkdir()
    (home.parent / "elsewhere").mkdir()
    (home / SPOOL).symlink_to(home.parent / "elsewhere")


def spool_file(home: Path) -> None:
    """The spool is a file."""
    home.mkdir()
    (home / SPOOL).write_text("a file")


def bell_link(home: Path) -> None:
    """The bell leads to a file."""
    home.mkdir()
    (home.parent / "victim").write_text("kept")
    (home / hook.BELL).symlink_to(home.parent / "victim")


def lock_link(home: Path) -> None:
    """The worker's lock leads to a file."""
    home.mkdir()
    (home.parent / "victim").write_text("kept")
    (home / hook.LOCK).symlink_to(home.parent / "victim")


Case = tuple[Callable[[Path], None], list[str], bytes, int]
WHOLE = json.dumps(STOP).encode()
CASES: dict[str, Case] = {
    "all is well": (nothing, [], WHOLE, 1),
    "a home under a file": (under_a_file, [], WHOLE, 0),
    "a file as home": (a_file, [], WHOLE, 0),
    "a home open to all": (open_to_all, [], WHOLE, 0),
    "a spool that leads elsewhere": (spool_link, [], WHOLE, 0),
    "a file as spool": (spool_file, [], WHOLE, 0),
    "a bell that leads elsewhere": (bell_link, [], WHOLE, 1),
    "a lock that leads elsewhere": (lock_link, [], WHOLE, 1),
    "a full disk": (nothing, sh('ulimit -f 0; exec "$@"'), WHOLE, 0),
    "no file descriptors left": (nothing, sh('ulimit -n 4; exec "$@"'), WHOLE, 0),
    "no standard input": (nothing, sh('exec "$@" <&-'), b"", 1),
    "no streams at all": (nothing, sh('exec "$@" <&- >&- 2>&-'), b"", 1),
    "a full standard output": (nothing, sh('exec "$@" >/dev/full 2>/dev/full'), WHOLE, 1),
    "a reader that went": (nothing, sh('"$@" | true'), WHOLE, 1),
    "garbage": (nothing, [], b"\x00\xff garbage", 1),
    "an endless payload": (nothing, [], b"[" * (hook.MAX_PAYLOAD + 4_000_000), 1),
}


@pytest.mark.parametrize("name", CASES)
def test_the_client_sees_nothing_of_what_went_wrong(tmp_path: Path, name: str) -> None:
    """INV-I8 CASE-E07 CASE-K10: exit 0, empty output, and the record only where it belongs."""
    prepare, around, payload, records = CASES[name]
    home = tmp_path / "in" / "home"
    home.parent.mkdir()
    prepare(home)
    told = run_hook("codex", payload, home, "--python", "/bin/false", around=around)
    assert (told.returncode, told.stdout, told.stderr) == (0, b"", b"")
    found = list((home / SPOOL).iterdir()) if (home / SPOOL).is_dir() and not (home / SPOOL).is_symlink() else []
    assert len(found) == records
    assert not (tmp_path / "in" / "elsewhere").exists() or not list((tmp_path / "in" / "elsewhere").iterdir())
    assert not (tmp_path / "in" / "victim").exists() or (tmp_path / "in" / "victim").read_text() == "kept"


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a file system that nobody may write to")
def test_a_place_where_nothing_can_be_made_is_left_alone() -> None:
    """CASE-K10: also for root."""
    told = run_hook("codex", STOP, Path("/proc/ferrule/home"))
    assert (told.returncode, told.stdout, told.stderr) == (0, b"", b"")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_home_that_nobody_may_write_to_is_left_alone(tmp_path: Path) -> None:
    """CASE-K10: a read-only home costs the memory, never the client."""
    home = tmp_path / "home"
    unwritable(home)
    told = run_hook("codex", STOP, home)
    home.chmod(0o700)
    assert (told.returncode, told.stdout, told.stderr, list(home.iterdir())) == (0, b"", b"", [])


def test_folders_and_files_are_their_owner_s_only(tmp_path: Path) -> None:
    """CASE-E11: 0700 and 0600 whatever the umask, and a spool that was wider is made private again."""
    home = tmp_path / "home"
    run_hook("codex", STOP, home, around=sh('umask 0; exec "$@"'))
    (home / SPOOL).chmod(0o755)
    run_hook("codex", STOP, home, around=sh('umask 0; exec "$@"'))
    assert [path.stat().st_mode & 0o777 for path in (home, home / SPOOL)] == [0o700, 0o700]
    assert {path.stat().st_mode & 0o777 for path in (home / SPOOL).iterdir()} == {0o600}


def test_a_client_that_keeps_the_pipe_open_is_not_waited_for_long(tmp_path: Path) -> None:
    """The payload is taken as soon as patience ends; the process has a bound of its own."""
    home = tmp_path / "home"
    command = [sys.executable, "-I", "-S", str(HOOK), "codex", "--home", str(home)]
    environment = {"FERRULE_WORKER": "off"}
    with subprocess.Popen(command, stdin=subprocess.PIPE, env=environment) as process:  # noqa: S603 - our own file
        assert process.stdin is not None
        process.stdin.write(WHOLE)
        process.stdin.flush()
        assert process.wait(timeout=LONG) == 0
    assert [record["turn"] for record in spooled(home)] == ["turn-1"]


def test_the_critic_s_own_calls_leave_nothing(tmp_path: Path) -> None:
    """A model's client that the critic runs ends turns too: they are none of a source (no recursion)."""
    home = tmp_path / "home"
    told = run_hook("codex", STOP, home, environment={hook.CRITIC: "1"})
    assert (told.returncode, told.stdout, told.stderr) == (0, b"", b"")
    assert not home.exists()


def test_a_full_spool_drops_and_counts(tmp_path: Path) -> None:
    """The spool is bounded in number; what found no room is counted, and the worker is called all the same."""
    home = tmp_path / "home"
    (home / SPOOL).mkdir(parents=True, mode=0o700)
    for number in range(hook.MAX_FILES):
        (home / SPOOL / f"{number:020d}-1.json").touch()
    bell = FifoBell(home)
    bell.listen()
    try:
        for _ in range(2):
            run_hook("codex", STOP, home)
            assert bell.wait(LONG)
    finally:
        bell.close()
    assert len(list((home / SPOOL).glob("*.json"))) == hook.MAX_FILES
    assert (home / SPOOL / DROPPED).stat().st_size == 2


def test_strange_payloads_never_crowd_out_turns(tmp_path: Path) -> None:
    """Only so many unknown payloads wait; they are no lost turns, and turns still find room."""
    home = tmp_path / "home"
    (home / SPOOL).mkdir(parents=True, mode=0o700)
    for number in range(hook.MAX_UNKNOWN):
        (home / SPOOL / f"{number:020d}-1.unknown.json").touch()
    run_hook("codex", b"garbage", home)
    run_hook("codex", STOP, home)
    assert len(list((home / SPOOL).glob("*.unknown.json"))) == hook.MAX_UNKNOWN
    assert len(list((home / SPOOL).glob("*.json"))) == hook.MAX_UNKNOWN + 1
    assert not (home / SPOOL / DROPPED).exists()


def test_a_worker_that_listens_is_rung_for(tmp_path: Path) -> None:
    """One byte wakes it; nothing is started."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    bell = FifoBell(home)
    bell.listen()
    try:
        run_hook("codex", STOP, home, "--python", "/bin/false", environment={"FERRULE_WORKER": "on"})
        assert bell.wait(LONG)
    finally:
        bell.close()
    assert holder(home) is None
    assert not (home / hook.LOCK).exists()


def test_no_worker_is_started_where_that_is_forbidden(tmp_path: Path) -> None:
    """`FERRULE_WORKER=off` keeps every process away."""
    home = tmp_path / "home"
    run_hook("codex", STOP, home, "--python", sys.executable)
    assert [path.name for path in home.iterdir()] == [SPOOL]


RECORDER = """#!/bin/sh
echo "$$ <$FERRULE_WORKER_LOCK> $SECRET $*" >> "$FERRULE_RECORD"
exec sleep 60
"""


def test_a_burst_of_turns_starts_one_detached_worker(tmp_path: Path) -> None:
    """INV-I8: it gets the home's lock and none of the client's secrets, and outlives the client's group."""
    home, record, python = tmp_path / "home", tmp_path / "record", tmp_path / "python"
    python.write_text(RECORDER)
    python.chmod(0o700)
    around = {"FERRULE_WORKER": "", "FERRULE_RECORD": str(record), "SECRET": "of the client"}
    run_hook("codex", STOP, home, "--python", str(python), environment=around)
    wait_for(lambda: record.exists() and record.read_text().endswith("\n"))
    pid, lock, *words = record.read_text().split()
    try:
        for _ in range(3):
            run_hook("codex", STOP, home, "--python", str(python), environment=around)
        assert record.read_text().count("\n") == 1
        assert words == ["-P", "-m", "ferrule", "worker", "--home", str(home)]
        assert int(lock.strip("<>")) > 2
        assert WorkerLock.taken(home) is None
        there = holder(home)
        assert there is not None
        assert (there.pid, there.doing) == (0, "starting")
        assert os.getsid(int(pid)) == int(pid)
    finally:
        os.kill(int(pid), signal.SIGKILL)
    assert len(spooled(home)) == 4


def test_while_a_worker_is_leaving_another_is_started_that_waits_for_the_lock(tmp_path: Path) -> None:
    """A worker that neither starts nor listens is on its way out: what was spooled now may not wait for a next turn."""
    home, record, python = tmp_path / "home", tmp_path / "record", tmp_path / "python"
    home.mkdir(mode=0o700)
    python.write_text(RECORDER)
    python.chmod(0o700)
    leaving = WorkerLock.taken(home)
    assert leaving is not None
    leaving.tell(Holder(pid=4711, doing="leaving"))
    around = {"FERRULE_WORKER": "", "FERRULE_RECORD": str(record)}
    run_hook("codex", STOP, home, "--python", str(python), environment=around)
    wait_for(lambda: record.exists() and record.read_text().endswith("\n"))
    pid, lock, *_ = record.read_text().split()
    os.kill(int(pid), signal.SIGKILL)
    assert lock == "<>"
    leaving.close()


def test_a_worker_that_cannot_be_started_costs_only_delay(tmp_path: Path) -> None:
    """The report stays; the lock is free again for the next one."""
    home = tmp_path / "home"
    run_hook("codex", STOP, home, "--python", str(tmp_path / "none"), environment={"FERRULE_WORKER": ""})
    assert len(spooled(home)) == 1
    wait_for(lambda: holder(home) is None)
    lock = WorkerLock.taken(home)
    assert lock is not None
    lock.close()


def wait_for(condition: Callable[[], bool]) -> None:
    """Poll for what another process does, within a bound."""
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_hook_that_is_gone_needs_its_command_line_to_end_in_success(tmp_path: Path) -> None:
    """INV-I8: Python exits with 2 for a file that is not there, which clients take for a block; `|| :` makes it 0."""
    gone = [sys.executable, "-I", "-S", str(tmp_path / "hook.py"), "codex"]
    codes = [
        subprocess.run([*line, *gone], capture_output=True, timeout=LONG, check=False).returncode  # noqa: S603
        for line in (sh('exec "$@"'), sh('"$@" 2>/dev/null || :'))
    ]
    assert codes == [2, 0]


@pytest.mark.parametrize("half", [b'{"hook_event_name": "Stop"', b"[1", b'"abc', b"{"])
def test_half_a_payload_is_kept_for_a_report(tmp_path: Path, half: bytes) -> None:
    """INV-I8: where only the hook is loaded, the error of its reader has no class; the shape is told all the same."""
    assert run_hook("codex", half, tmp_path / "home").returncode == 0
    (record,) = spooled(tmp_path / "home")
    assert (record["kind"], record["shape"]) == ("unknown", "not-json")
