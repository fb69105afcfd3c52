"""Locked files keep the processes of one home out of each other's sources."""

import errno
import os
import resource
import signal
import stat
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from gate_cases import forked, heard, until

pytest.importorskip("fcntl")

from ferrule.adapters.gates import latch as latching
from ferrule.adapters.gates.latch import FOLDER_NAME, FileLatch, lock_name
from ferrule.adapters.gates.lockfile import lock_once, private_folder, swept
from ferrule.errors import Code, StoreError
from ferrule.session.gate import Room

KEY = "Alpha Desk 6-1: the ../one/ with \\ everything"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder."""
    made = tmp_path / "home"
    made.mkdir(mode=0o700)
    return made


def taken(latch: FileLatch, seconds: float = 0.0, source: str = KEY, room: Room = Room.GATE) -> Callable[[], None]:
    """The lock, which must be had."""
    undo = latch.take(source, room, seconds)
    assert undo is not None
    return undo


def holding(home: Path) -> Callable[[Connection], None]:
    """The work of a process that takes the lock, says so, and stays until it is told to go."""

    def work(pipe: Connection) -> None:
        undo = FileLatch(home).take(KEY, Room.GATE, 10.0)
        pipe.send("held" if undo is not None else "nothing")
        heard(pipe)
        if undo is not None:
            undo()
        pipe.send("left")
        heard(pipe)

    return work


def modes(home: Path) -> dict[str, int]:
    """Mode bits of the folder and of every file in it."""
    folder = home / FOLDER_NAME
    return {path.name: stat.S_IMODE(path.lstat().st_mode) for path in (folder, *folder.iterdir())}


def test_another_process_is_kept_out_until_the_holder_leaves(home: Path) -> None:
    """R78, CASE-M08: bounded wait, then the same lock is had."""
    latch = FileLatch(home)
    with forked(holding(home)) as other:
        assert other.says() == "held"
        assert latch.take(KEY, Room.GATE, 0.05) is None
        other.pipe.send("go")
        assert other.says() == "left"
        taken(latch)()


def test_rooms_and_sources_have_locks_of_their_own(home: Path) -> None:
    """R78: neither another source nor the other room of the same one is kept waiting."""
    latch, other = FileLatch(home), FileLatch(home)
    undo = taken(latch)
    assert other.take(KEY, Room.GATE, 0.0) is None
    taken(other, room=Room.EVALUATION)()
    taken(other, source=KEY + " ")()
    undo()


def test_no_key_leads_out_of_the_folder(home: Path) -> None:
    """CASE-E01, CASE-E03, CASE-E14: files are named by a digest of the whole key, whatever stands in it."""
    latch = FileLatch(home)
    keys = ["../x", "/etc/x", "", ".", "..", "CON", "user", "user1", "a\x00b", "lone \ud800", "k" * 10_000]
    for key in keys:
        taken(latch, source=key)()
    names = {path.name for path in (home / FOLDER_NAME).iterdir()}
    assert len(names) == 2 * len(keys)
    assert all(latching._OURS.fullmatch(name) for name in names)
    assert [path.name for path in home.iterdir()] == [FOLDER_NAME]


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o777])
def test_folder_and_files_are_private_whatever_the_umask(home: Path, umask: int) -> None:
    """CASE-E11: 0700 and 0600, also where they stood with other modes before."""
    before = os.umask(umask)
    try:
        taken(FileLatch(home))()
    finally:
        os.umask(before)
    wanted = {FOLDER_NAME: 0o700, lock_name(KEY, Room.GATE): 0o600, f"{lock_name(KEY, Room.GATE)}.next": 0o600}
    assert modes(home) == wanted
    for path in (home / FOLDER_NAME).iterdir():
        path.chmod(0o666)
    (home / FOLDER_NAME).chmod(0o777)
    taken(FileLatch(home))()
    assert modes(home) == wanted


def a_link(path: Path, outside: Path) -> None:
    """A symbolic link to a file."""
    path.symlink_to(outside)


def a_dangling_link(path: Path, outside: Path) -> None:
    """A symbolic link to nothing."""
    path.symlink_to(outside.with_name("nothing"))


def a_hard_link(path: Path, outside: Path) -> None:
    """A second name of a file elsewhere."""
    os.link(outside, path)


def a_fifo(path: Path, _outside: Path) -> None:
    """A FIFO, on which a careless opening waits for ever."""
    os.mkfifo(path)


def a_folder(path: Path, _outside: Path) -> None:
    """A folder."""
    path.mkdir()


def a_socket(path: Path, _outside: Path) -> None:
    """A socket's name."""
    os.mknod(path, stat.S_IFSOCK | 0o600)


TRAPS = [a_link, a_dangling_link, a_hard_link, a_fifo, a_folder]
if sys.platform == "linux":  # elsewhere only root makes one without binding it
    TRAPS.append(a_socket)


@pytest.mark.parametrize("turnstile", [False, True], ids=["lock", "turnstile"])
@pytest.mark.parametrize("trap", TRAPS)
def test_something_else_in_the_place_of_a_lock_is_refused_and_never_blocks(
    home: Path, tmp_path: Path, trap: Callable[[Path, Path], None], *, turnstile: bool
) -> None:
    """CASE-E07: UNSAFE_PATH; what is outside stays as it was."""
    outside = tmp_path / "outside"
    outside.write_text("mine", encoding="utf-8")
    outside.chmod(0o644)
    os.close(private_folder(home / FOLDER_NAME))
    name = lock_name(KEY, Room.GATE)
    trap(home / FOLDER_NAME / (f"{name}.next" if turnstile else name), outside)
    with pytest.raises(StoreError) as caught:
        FileLatch(home).take(KEY, Room.GATE, 5.0)
    assert caught.value.code is Code.UNSAFE_PATH
    assert (outside.read_text(encoding="utf-8"), stat.S_IMODE(outside.stat().st_mode)) == ("mine", 0o644)
    assert not outside.with_name("nothing").exists()


@pytest.mark.parametrize("trap", [trap for trap in TRAPS if trap is not a_folder])
def test_something_else_in_the_place_of_the_folder_is_refused(
    home: Path, tmp_path: Path, trap: Callable[[Path, Path], None]
) -> None:
    """CASE-E05: a link to another folder is not followed, nothing is written behind it."""
    outside = tmp_path / "outside"
    if trap is a_link:
        outside.mkdir()
    else:
        outside.touch()
    trap(home / FOLDER_NAME, outside)
    with pytest.raises(StoreError) as caught:
        FileLatch(home).take(KEY, Room.GATE, 0.0)
    assert caught.value.code is Code.UNSAFE_PATH
    assert trap is not a_link or list(outside.iterdir()) == []


def test_a_home_that_is_gone_is_one_clear_error(tmp_path: Path) -> None:
    """CASE-K07: IO_FAILED with the errno's name."""
    with pytest.raises(StoreError, match="ENOENT") as caught:
        FileLatch(tmp_path / "nowhere").take(KEY, Room.GATE, 0.0)
    assert caught.value.code is Code.IO_FAILED


def test_no_descriptors_left_is_one_clear_error(home: Path) -> None:
    """CASE-I10, CASE-K07: EMFILE is IO_FAILED, and nothing stays open or locked."""

    def work(pipe: Connection) -> None:
        latch = FileLatch(home)
        taken(latch)()
        lowest = os.dup(0)
        os.close(lowest)
        resource.setrlimit(resource.RLIMIT_NOFILE, (lowest + 1, lowest + 1))
        try:
            latch.take(KEY, Room.GATE, 0.0)
        except StoreError as error:
            pipe.send(f"{error.code} {error}")
        resource.setrlimit(resource.RLIMIT_NOFILE, (lowest + 1, lowest + 1))
        assert os.dup(0) == lowest

    with forked(work) as other:
        said = str(other.says())
        assert said.startswith(f"{Code.IO_FAILED} ")
        assert "EMFILE" in said
        assert other.ended() == 0
    taken(FileLatch(home))()


def test_a_system_that_cannot_lock_files_is_one_clear_error(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CASE-K07: IO_FAILED with the errno's name, and no descriptor stays open."""

    def flock(_descriptor: int, _operation: int) -> None:
        raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))

    before = os.dup(0)
    monkeypatch.setattr("fcntl.flock", flock)
    with pytest.raises(StoreError, match=r"EOPNOTSUPP|ENOTSUP") as caught:
        FileLatch(home).take(KEY, Room.GATE, 0.0)
    assert caught.value.code is Code.IO_FAILED
    os.close(before)
    after = os.dup(0)
    os.close(after)
    assert after == before


def test_a_stopped_holder_keeps_the_lock_and_others_end_in_bounded_time(home: Path) -> None:
    """CASE-M08: nobody is let in beside it; once it goes on and leaves, everything is as before."""
    latch = FileLatch(home)
    with forked(holding(home)) as other:
        assert other.says() == "held"
        other.stopped()
        assert latch.take(KEY, Room.GATE, 0.05) is None
        other.signal(signal.SIGCONT)
        assert latch.take(KEY, Room.GATE, 0.05) is None
        other.pipe.send("go")
        assert other.says() == "left"
        taken(latch)()


def test_a_killed_holder_holds_nothing(home: Path) -> None:
    """CASE-J01, CASE-J07: the kernel frees the lock; a file that stands there means nothing."""
    with forked(holding(home)) as other:
        assert other.says() == "held"
        other.killed()
        assert (home / FOLDER_NAME / lock_name(KEY, Room.GATE)).exists()
        taken(FileLatch(home))()


def test_a_child_that_was_forked_under_the_lock_does_not_keep_it_after_its_parents_death(home: Path) -> None:
    """CASE-J12: the child shares the open file; it lets go of it, and giving back is its parent's alone."""

    def parent(pipe: Connection) -> None:
        undo = FileLatch(home).take(KEY, Room.GATE, 0.0)
        grandchild = os.fork()
        if grandchild == 0:
            if undo is not None:
                undo()
            pipe.send(os.getpid())
            heard(pipe)
            os._exit(0)
        os.waitpid(grandchild, 0)

    latch = FileLatch(home)
    with forked(parent) as other:
        grandchild = other.says()
        assert isinstance(grandchild, int)
        assert latch.take(KEY, Room.GATE, 0.05) is None, "the child gave back what is its parent's"
        other.killed()
        taken(latch)()
        os.kill(grandchild, 0)  # it lives on, and holds nothing
        other.pipe.send("end")
        until(lambda: not alive(grandchild))


def alive(pid: int) -> bool:
    """Whether a process that is no child of ours still runs."""
    try:
        return not Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").split(") ")[1].startswith("Z")
    except OSError:
        return False


def test_a_lock_that_is_dropped_gives_itself_back(home: Path) -> None:
    """CASE-J09: an interrupt between having the lock and noting it leaks nothing."""
    latch = FileLatch(home)
    undo = taken(latch)
    del undo
    again = taken(latch)
    again()
    again()  # a second time does nothing, whoever has that descriptor now
    taken(latch)()


def test_a_holder_that_comes_again_and_again_does_not_pass_a_waiter_by(home: Path) -> None:
    """R78: the turnstile: a host that evaluates turn after turn leaves the gate for microseconds only."""

    def host(pipe: Connection) -> None:
        latch = FileLatch(home)
        undo = taken(latch, 10.0)
        pipe.send("held")
        while not pipe.poll(0.2):
            undo()
            undo = taken(latch, 10.0)

    with forked(host) as other:
        assert other.says() == "held"
        for _ in range(3):
            taken(FileLatch(home), 3.0)()
        other.pipe.send("stop")
        assert other.ended() == 0


@pytest.fixture
def few_files(monkeypatch: pytest.MonkeyPatch) -> int:
    """A small bound on the number of files."""
    monkeypatch.setattr(latching, "MAX_FILES", 8)
    return 8


def test_files_do_not_pile_up_with_sources(home: Path, few_files: int) -> None:
    """R78, CASE-I12: beyond the bound, those that nobody holds are taken away; a held one and a stranger's stay."""
    latch = FileLatch(home)
    undo = taken(latch)
    (home / FOLDER_NAME / "README").touch()
    for number in range(100):
        taken(latch, source=f"source {number}")()
    names = {path.name for path in (home / FOLDER_NAME).iterdir()}
    assert len(names) <= few_files + 4
    assert {lock_name(KEY, Room.GATE), "README"} <= names
    assert FileLatch(home).take(KEY, Room.GATE, 0.0) is None
    undo()


def test_a_lock_on_a_file_that_was_taken_away_does_not_count(home: Path) -> None:
    """R78: the inode is compared after locking, so whoever opened the old file makes a new one."""
    path = home / FOLDER_NAME / "some.gate"
    folder = private_folder(path.parent)
    lock = lock_once(folder, path)
    assert lock is not None
    assert lock.made
    assert not swept(folder, path), "it is held"
    lock()
    old = path.stat().st_ino
    keeper = os.open(path, os.O_RDWR)  # whoever waits for it has it open, so its number is not used again
    assert swept(folder, path)
    assert not swept(folder, path), "it is gone"
    lock = lock_once(folder, path)
    assert lock is not None
    assert path.stat().st_ino != old
    lock()
    os.close(keeper)
    os.close(folder)


@pytest.mark.usefixtures("few_files")
def test_one_at_a_time_holds_while_files_are_swept_away(home: Path, tmp_path: Path) -> None:
    """CASE-M02: a count that three processes raise without any other care is exact, whatever a fourth sweeps."""
    count, rounds, processes = tmp_path / "count", 120, 3
    count.write_text("0", encoding="ascii")

    def raising(pipe: Connection) -> None:
        latch = FileLatch(home)
        for _ in range(rounds):
            undo = taken(latch, 20.0)
            value = int(count.read_text(encoding="ascii"))
            count.write_text(str(value + 1), encoding="ascii")
            undo()
        pipe.send("done")

    def sweeping(pipe: Connection) -> None:
        latch, number = FileLatch(home), 0
        while not pipe.poll():
            taken(latch, 20.0, source=f"source {number}")()
            number += 1

    with forked(sweeping) as broom, forked(raising) as one, forked(raising) as two, forked(raising) as three:
        assert [child.says() for child in (one, two, three)] == ["done"] * processes
        broom.pipe.send("stop")
        assert broom.ended() == 0
    assert count.read_text(encoding="ascii") == str(rounds * processes)
