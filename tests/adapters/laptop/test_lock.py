"""One worker per home: the lock is the kernel's, and the file says who holds it."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ferrule.adapters.laptop import lock as lock_module
from ferrule.adapters.laptop.lock import LOCK_FILE, Holder, WorkerLock, holder
from ferrule.errors import Code, StoreError

ME = Holder(4711, 1_900_000_000.5, "0.1.0", "desk:alpha t3", "")


def taken(home: Path) -> WorkerLock:
    """The lock, which must be free."""
    lock = WorkerLock.taken(home)
    assert lock is not None
    return lock


def test_a_home_has_one_holder_who_says_who_it_is(tmp_path: Path) -> None:
    """R77: a second worker finds the first; whoever asks reads what it said last."""
    assert holder(tmp_path) is None
    lock = taken(tmp_path)
    lock.tell(Holder(1, 2.0, "0", "a very long standing " * 99, "and trouble"))
    lock.tell(ME)
    assert WorkerLock.taken(tmp_path) is None
    assert holder(tmp_path) == ME
    lock.close()
    assert holder(tmp_path) is None
    taken(tmp_path).close()


def test_the_file_is_private_and_stays(tmp_path: Path) -> None:
    """CASE-E11, CASE-J07: 0600 whatever the umask; what is left of an old worker is no worker."""
    before = os.umask(0)
    try:
        taken(tmp_path).close()
    finally:
        os.umask(before)
    assert (tmp_path / LOCK_FILE).stat().st_mode & 0o777 == 0o600
    (tmp_path / LOCK_FILE).write_bytes(b"\xff\x00 no JSON")
    assert holder(tmp_path) is None
    lock = taken(tmp_path)
    assert holder(tmp_path) == Holder()
    lock.tell(Holder(doing="ü" * 4000, trouble="☂" * 4000))
    told = holder(tmp_path)
    assert told is not None
    assert len(told.doing) < 4000
    lock.close()


def link(path: Path) -> None:
    """A link to another file of the same user."""
    path.with_name("other").write_bytes(b"mine")
    path.symlink_to("other")


def second_name(path: Path) -> None:
    """A hard link to a file elsewhere."""
    path.with_name("other").write_bytes(b"mine")
    path.hardlink_to(path.with_name("other"))


TRAPS: dict[str, Callable[[Path], object]] = {
    "a link": link,
    "a dangling link": lambda path: path.symlink_to("nowhere"),
    "a second name": second_name,
    "a FIFO": os.mkfifo,
    "a folder": Path.mkdir,
}


@pytest.mark.parametrize("trap", TRAPS)
def test_what_stands_in_its_place_is_refused_and_untouched(tmp_path: Path, trap: str) -> None:
    """CASE-E07: no link is followed, nothing blocks."""
    TRAPS[trap](tmp_path / LOCK_FILE)
    for use in (WorkerLock.taken, holder):
        with pytest.raises(StoreError) as refused:
            use(tmp_path)
        assert refused.value.code is Code.UNSAFE_PATH
    other = tmp_path / "other"
    assert not other.exists() or other.read_bytes() == b"mine"
    assert not (tmp_path / "nowhere").exists()


def test_another_file_under_the_name_is_another_lock(tmp_path: Path) -> None:
    """CASE-J07: whoever removed the file by hand gets a lock that counts, not one on a file without a name."""
    old = taken(tmp_path)
    (tmp_path / LOCK_FILE).unlink()
    new = taken(tmp_path)
    assert WorkerLock.inherited(tmp_path, old.descriptor) is None
    assert WorkerLock.inherited(tmp_path, new.descriptor) is not None
    old.close()
    assert WorkerLock.taken(tmp_path) is None
    new.close()


def test_a_file_that_is_replaced_while_it_is_locked_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CASE-J07: two workers would each hold a lock of their own otherwise."""
    real = lock_module._flocked
    taken(tmp_path).close()

    def replaced(descriptor: int) -> bool:
        monkeypatch.setattr(lock_module, "_flocked", real)
        (tmp_path / LOCK_FILE).unlink()
        return real(descriptor)

    monkeypatch.setattr(lock_module, "_flocked", replaced)
    lock = taken(tmp_path)
    assert WorkerLock.inherited(tmp_path, lock.descriptor) is not None
    assert WorkerLock.taken(tmp_path) is None
    lock.close()


def test_a_descriptor_that_is_no_lock_is_not_taken_for_one(tmp_path: Path) -> None:
    """CASE-E07: an environment may say anything."""
    lock = taken(tmp_path)
    again = os.open(tmp_path / LOCK_FILE, os.O_RDWR)
    with (tmp_path / "x").open("wb") as other:
        for number in (again, other.fileno(), 987_654):
            assert WorkerLock.inherited(tmp_path, number) is None
    os.close(again)
    lock.close()


def test_it_is_handed_over_without_a_gap_and_ends_with_its_holder(tmp_path: Path) -> None:
    """CASE-J01: the started process has it though the starter let go; killed, it is free at once."""
    lock = taken(tmp_path)
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, pass_fds=(lock.descriptor,))
    lock.close()
    assert WorkerLock.taken(tmp_path) is None
    child.send_signal(signal.SIGKILL)
    child.communicate(timeout=10)
    taken(tmp_path).close()


def test_whoever_waits_gets_it_when_the_holder_goes(tmp_path: Path) -> None:
    """R77: a worker that was started while another was leaving takes its place; one that finds it staying gives up."""
    lock = taken(tmp_path)
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            lock.close()

    got = WorkerLock.awaited(tmp_path, 10.0, unless=lambda: False, sleep=pause)
    assert got is not None
    assert len(pauses) == 3
    assert WorkerLock.awaited(tmp_path, 10.0, unless=lambda: True, sleep=pause) is None
    assert len(pauses) == 3
    assert WorkerLock.awaited(tmp_path, 1.0, unless=lambda: False, sleep=pause) is None
    assert sum(pauses[3:]) == pytest.approx(0.98)
    got.close()
