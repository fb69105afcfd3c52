"""A sleeping worker is woken by one byte; nobody who rings ever waits."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from ferrule.adapters.laptop.bell import BELL_FILE, EventBell, FifoBell, ring
from ferrule.errors import Code, StoreError


@pytest.fixture
def bell(tmp_path: Path) -> Iterator[FifoBell]:
    """A worker's bell that listens."""
    made = FifoBell(tmp_path)
    made.listen()
    yield made
    made.close()


def test_nobody_is_told_from_somebody(tmp_path: Path) -> None:
    """R77: without a worker a ring says so at once, also when the FIFO is left from before."""
    assert not ring(tmp_path)
    assert not ring(tmp_path / "nowhere")
    bell = FifoBell(tmp_path)
    bell.listen()
    assert ring(tmp_path)
    bell.close()
    assert (tmp_path / BELL_FILE).is_fifo()
    assert not ring(tmp_path)


def test_a_ring_ends_the_wait_and_only_a_ring_does(bell: FifoBell, tmp_path: Path) -> None:
    """INV-I8: rings from before the wait count, many are one, and a ringer that went away leaves silence."""
    assert not bell.wait(0)
    assert ring(tmp_path)
    assert ring(tmp_path)
    assert bell.wait(None)
    assert not bell.wait(0)
    code = "import sys; from pathlib import Path; from ferrule.adapters.laptop.bell import ring; "
    subprocess.run([sys.executable, "-c", code + "ring(Path(sys.argv[1]))", str(tmp_path)], check=True, timeout=30)  # noqa: S603
    assert bell.wait(None)
    assert not bell.wait(0)


def test_a_nudge_from_inside_is_no_ring(bell: FifoBell, tmp_path: Path) -> None:
    """R77: the worker's own threads wake the foreman without having it look for work."""
    bell.nudge()
    assert not bell.wait(None)
    bell.nudge()
    ring(tmp_path)
    assert bell.wait(None)


def test_a_full_bell_has_been_rung(bell: FifoBell, tmp_path: Path) -> None:
    """CASE-E07: nobody blocks on a worker that does not look (stopped, say)."""
    keeper = os.open(tmp_path / BELL_FILE, os.O_WRONLY | os.O_NONBLOCK)
    with suppress(BlockingIOError):
        while True:
            os.write(keeper, b"!" * 4096)
    os.close(keeper)
    assert ring(tmp_path)
    for _ in range(70_000):
        bell.nudge()
    assert bell.wait(None)
    assert not bell.wait(0)


def test_who_left_is_not_rung_for(bell: FifoBell, tmp_path: Path) -> None:
    """R77: from leaving on another worker is started; nudges still count; who listens again is there again."""
    bell.leave()
    assert not ring(tmp_path)
    bell.nudge()
    assert not bell.wait(None)
    bell.listen()
    bell.listen()
    assert ring(tmp_path)
    assert bell.wait(None)


def test_a_closed_bell_takes_nudges_and_touches_no_other_file(tmp_path: Path) -> None:
    """CASE-J14: a thread that is late writes into nothing."""
    bell = FifoBell(tmp_path)
    bell.listen()
    bell.close()
    with (tmp_path / "other").open("wb") as other:
        bell.nudge()
        assert os.fstat(other.fileno()).st_size == 0


def fifo_beside(path: Path) -> Path:
    """A FIFO under another name."""
    os.mkfifo(path.with_name("fifo"))
    return path.with_name("fifo")


TRAPS: dict[str, Callable[[Path], object]] = {
    "a plain file": lambda path: path.write_bytes(b"mine"),
    "a link to a FIFO": lambda path: path.symlink_to(fifo_beside(path)),
    "a dangling link": lambda path: path.symlink_to("nowhere"),
    "a second name of a FIFO": lambda path: path.hardlink_to(fifo_beside(path)),
    "a folder": Path.mkdir,
    "a device": lambda path: path.symlink_to("/dev/null"),
}


@pytest.mark.parametrize("trap", TRAPS)
def test_what_stands_in_its_place_is_refused(tmp_path: Path, trap: str) -> None:
    """CASE-E07: neither side follows a link, blocks, or writes into what is not its own."""
    place = tmp_path / BELL_FILE
    TRAPS[trap](place)
    bell = FifoBell(tmp_path)
    for use in (lambda: ring(tmp_path), bell.listen):
        with pytest.raises(StoreError) as refused:
            use()
        assert refused.value.code is Code.UNSAFE_PATH
    bell.close()
    assert not place.is_file() or place.read_bytes() in {b"mine", b""}


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can make a file of another user")
def test_another_users_fifo_is_refused(tmp_path: Path) -> None:
    """CASE-E07, CASE-E12: somebody else would hear when this home is at work, and keep its bell silent."""
    os.mkfifo(tmp_path / BELL_FILE)
    os.chown(tmp_path / BELL_FILE, 65_534, 65_534)
    with pytest.raises(StoreError):
        ring(tmp_path)


def test_a_fifo_that_others_may_use_is_made_private(tmp_path: Path) -> None:
    """CASE-E11: 0600 regardless."""
    os.mkfifo(tmp_path / BELL_FILE)
    (tmp_path / BELL_FILE).chmod(0o666)
    bell = FifoBell(tmp_path)
    bell.listen()
    assert (tmp_path / BELL_FILE).stat().st_mode & 0o777 == 0o600
    bell.close()


def test_the_bell_without_a_fifo_behaves_the_same() -> None:
    """R77: inside one process; a ring finds somebody only while he listens."""
    bell = EventBell()
    assert not bell.ring()
    bell.listen()
    bell.nudge()
    assert not bell.wait(None)
    assert bell.ring()
    assert bell.wait(None)
    assert not bell.wait(0)
    bell.leave()
    assert not bell.ring()
    bell.close()
