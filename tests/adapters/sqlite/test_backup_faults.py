"""Whatever call of the system fails, or is the last one, a backup and a restore are whole or have not been."""

import os
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from backup_cases import LATER, NEW, OLD, SOURCE, backup, filled, names, opened, restore

from ferrule.adapters.sqlite.home import FILE_NAME, HEAD_NAME
from ferrule.errors import StoreError

CALLS = ("open", "write", "fsync", "replace", "link", "unlink")


@dataclass
class Breaking:
    """Counts calls of the system and lets the one of number `stop` (and all later ones, if `for_ever`) break."""

    stop: int
    how: Callable[[], None]
    for_ever: bool = False
    count: int = 0

    def around(self, call: Callable[..., object]) -> Callable[..., object]:
        """A call that counts."""

        def counted(*args: object, **named: object) -> object:
            self.count += 1
            if self.count == self.stop or (self.for_ever and self.count > self.stop > 0):
                self.how()
            return call(*args, **named)

        return counted


def full() -> None:
    """The disk is full."""
    raise OSError(28, os.strerror(28))


def dead() -> None:
    """The process is gone."""
    os._exit(9)


def broken(monkeypatch: pytest.MonkeyPatch, breaking: Breaking) -> None:
    """Let the calls of the system be counted."""
    for name in CALLS:
        monkeypatch.setattr(os, name, breaking.around(getattr(os, name)))


@pytest.mark.parametrize("for_ever", [False, True])
@pytest.mark.parametrize("act", ["backup", "restore"])
def test_an_error_at_any_call_leaves_all_or_nothing(
    in_memory: Path, monkeypatch: pytest.MonkeyPatch, *, act: str, for_ever: bool
) -> None:
    """INV-I1, CASE-K01, CASE-K03, CASE-K07: at the n-th call for every n, once and for ever; then it works again."""
    base = filled(in_memory / "base", LATER)
    file = backup(filled(in_memory / "old"), in_memory / "old.sqlite3")
    at, outcomes = 0, set()
    while True:
        at += 1
        home, target = in_memory / f"home{at}", in_memory / f"copy{at}.sqlite3"
        shutil.copytree(base, home)
        breaking = Breaking(at, full, for_ever)
        failed = False
        with monkeypatch.context() as patched:
            broken(patched, breaking)
            try:
                backup(home, target) if act == "backup" else restore(home, file)
            except StoreError:
                failed = True
        left = (names(home), target.exists())
        outcomes.add(left)
        if act == "backup" and target.exists():
            restore(in_memory / f"other{at}", target)
            assert names(in_memory / f"other{at}") == NEW
        if breaking.count < at:
            assert not failed
            break
        assert failed or left == ((OLD, False) if act == "restore" else (NEW, True))
    assert at > 8
    assert outcomes == ({(NEW, False), (NEW, True)} if act == "backup" else {(NEW, False), (OLD, False)})


def test_a_kill_at_any_call_of_a_restore_leaves_the_one_store_or_the_other(
    in_memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CASE-J01, INV-I1: before every call of the system; the home opens with its chain checked, and can be restored."""
    base = filled(in_memory / "base", LATER)
    file = backup(filled(in_memory / "old"), in_memory / "old.sqlite3")
    at, status, outcomes = 0, 9, set()
    while os.waitstatus_to_exitcode(status) if at else status:
        at += 1
        home = in_memory / f"home{at}"
        shutil.copytree(base, home)
        child = os.fork()
        if child == 0:
            broken(monkeypatch, Breaking(at, dead))
            restore(home, file)
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        outcomes.add(names(home))
        assert (home / HEAD_NAME).exists()
    assert at > 8
    assert outcomes == {NEW, OLD}


def test_a_kill_at_any_call_of_a_backup_leaves_a_whole_one_or_none(
    in_memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CASE-J01, INV-I1: what has the name of a backup is one; the same command makes it after all."""
    home = filled(in_memory / "home")
    before = (home / FILE_NAME).read_bytes()
    at, status, outcomes = 0, 9, set()
    while os.waitstatus_to_exitcode(status) if at else status:
        at += 1
        target = in_memory / f"copy{at}.sqlite3"
        child = os.fork()
        if child == 0:
            broken(monkeypatch, Breaking(at, dead))
            backup(home, target)
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        outcomes.add(target.exists())
        if not target.exists():
            backup(home, target)
        restore(in_memory / f"other{at}", target)
        assert names(in_memory / f"other{at}") == OLD
    assert at > 8
    assert outcomes == {True, False}
    assert (home / FILE_NAME).read_bytes() == before


def test_what_a_killed_restore_left_in_the_home_goes_in_time(in_memory: Path) -> None:
    """CASE-J07, R97: never read as data; an hour later it is removed when the home is opened, not before."""
    home = filled(in_memory / "home")
    fresh, old = home / ".restoring-fresh", home / ".rehearsing-old"
    for folder in (fresh, old):
        folder.mkdir()
        (folder / FILE_NAME).write_bytes(b"what is meant to be gone")
    hour = time.time() - 3700
    os.utime(old, (hour, hour))
    store = opened(home)
    store.forget(SOURCE.key, ["StyleGuide"])
    store.close()
    assert (fresh.exists(), old.exists()) == (True, False)
