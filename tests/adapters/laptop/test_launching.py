"""What a started worker gets of its starter's world, and what is written of it."""

import os
from pathlib import Path

import pytest

from ferrule.adapters.laptop.launching import LOCK_VARIABLE, reduced
from ferrule.adapters.laptop.log import LOG_FILE, MAX_LOG_BYTES, tell_log
from ferrule.adapters.laptop.release import installed
from ferrule.adapters.laptop.waking import Wake, wake


def test_a_worker_gets_places_and_language_but_no_secret() -> None:
    """INV-I6: a host's keys do not live on in a process that outlives it."""
    environment = {
        "HOME": "/h",
        "PATH": "/bin",
        "LC_ALL": "C.UTF-8",
        "XDG_DATA_HOME": "/d",
        "FERRULE_HOME": "/f",
        LOCK_VARIABLE: "7",
        "SERVICE_API_KEY": "sk-planted",
        "SSH_AUTH_SOCK": "/s",
        "PYTHONSTARTUP": "/x.py",
        "LD_PRELOAD": "/x.so",
    }
    assert set(reduced(environment)) == {"HOME", "PATH", "LC_ALL", "XDG_DATA_HOME", "FERRULE_HOME"}


def test_the_log_never_grows_beyond_its_bound(tmp_path: Path) -> None:
    """CASE-K10: the newest lines are kept in it and in one older file, each line bounded, controls made visible."""
    for number in range(1500):
        tell_log(tmp_path, f"{number} \x1b[2J\n{'x' * 900}", lambda: 0.0)
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == [LOG_FILE, f"{LOG_FILE}.1"]
    for name in files:
        assert (tmp_path / name).stat().st_size < MAX_LOG_BYTES + 1000
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600
    last = (tmp_path / LOG_FILE).read_text(encoding="ascii").splitlines()[-1]
    assert last.startswith(f"1970-01-01T00:00:00Z {os.getpid()} 1499 \\x1b[2J\\nxxx")


def test_a_log_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    """CASE-K10, CASE-E07: a trap in its place gets nothing."""
    (tmp_path / "other").write_bytes(b"mine")
    (tmp_path / LOG_FILE).symlink_to("other")
    tell_log(tmp_path, "hello")
    tell_log(tmp_path / "nowhere", "hello")
    assert (tmp_path / "other").read_bytes() == b"mine"


def test_another_package_under_the_name_is_noticed(tmp_path: Path) -> None:
    """R100: replaced, changed or taken away."""
    package = tmp_path / "__init__.py"
    package.write_bytes(b"1")
    before = installed(package)
    assert before == installed(package)
    os.utime(package, (1, 1))
    touched = installed(package)
    (tmp_path / "new").write_bytes(b"1")
    (tmp_path / "new").replace(package)
    os.utime(package, (1, 1))
    assert len({before, touched, installed(package)}) == 3
    package.unlink()
    assert installed(package) is None
    assert installed() is not None


@pytest.mark.parametrize("switch", ["off", " OFF "])
def test_the_switch_forbids_starting(tmp_path: Path, switch: str) -> None:
    """R77: nothing is made in the home."""
    assert wake(tmp_path, {"FERRULE_WORKER": switch}).wake is Wake.OFF
    assert list(tmp_path.iterdir()) == []


def test_a_wake_never_fails_its_caller(tmp_path: Path) -> None:
    """INV-I8: whatever stands in the way is told, not raised; a trap starts nobody."""
    started: list[Path] = []
    start = lambda home, _environment, _lock: started.append(home)  # noqa: E731 - a line of a table
    (tmp_path / "file").write_bytes(b"")
    for home in (tmp_path / "nowhere", tmp_path / "file", Path("\0")):
        assert wake(home, {}, start=start).wake is Wake.FAILED
    (tmp_path / "worker.wake").write_bytes(b"")
    woken = wake(tmp_path, {}, start=start)
    assert (woken.wake, started) == (Wake.FAILED, [])
    assert "worker.wake" in woken.reason
