"""One short line for a client's status: right, quiet in any trouble, and never waiting."""

import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hook_cases import HOOK, Claude, run_hook

from ferrule.interfaces.hook.status_line import _is_off
from ferrule.wiring.quiet_places import silence_of

from .conftest import Ferrule

FILE = HOOK.with_name("status_line.py")
LONG = 30.0


def line(home: Path, client: Claude, cwd: Path | None = None, raw: bytes | None = None) -> str:
    """What the installed command says; it says nothing else, and ends well."""
    status = {"session_id": client.session, "cwd": str(cwd or client.cwd), "transcript_path": str(client.path)}
    told = subprocess.run(  # noqa: S603 - our own interpreter and file
        [sys.executable, "-I", "-S", str(FILE), "--home", str(home)],
        input=json.dumps(status | {"model": {"id": "m"}}).encode() if raw is None else raw,
        capture_output=True,
        timeout=LONG,
        check=False,
        env={"PATH": os.environ["PATH"], "HOME": str(home.parent), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert (told.returncode, told.stderr) == (0, b"")
    return told.stdout.decode()


@pytest.fixture
def client(tmp_path: Path) -> Claude:
    """A session whose first turn opened a pull request."""
    pull = "https://git.example/harbor/kestrel/pull/41"
    client = Claude(tmp_path / "client").asks("Open a pull request.")
    client.calls("Bash", pull, command="gh pr create --fill")
    return client.says(f"I opened {pull}.").written()


@pytest.fixture
def reviewed(ferrule: Ferrule, home: Path, client: Claude) -> Claude:
    """Its review is over."""
    assert run_hook("claude-code", client.stop(), home).returncode == 0
    assert ferrule("worker", "--once").code == 0
    return client


def test_it_says_what_waits_what_came_of_it_and_what_went_on(home: Path, ferrule: Ferrule, client: Claude) -> None:
    """From the first report on: waiting, then one more, which is no news once the client goes on."""
    assert line(home, client) == ""
    run_hook("claude-code", client.stop(), home)
    assert line(home, client) == "ferrule: 1 waiting\n"
    assert ferrule("worker", "--once").code == 0
    assert line(home, client) == "1 remembered, +1\n"
    client.asks("Thanks.").written()
    later = time.time() + 60
    os.utime(client.path, (later, later))
    assert line(home, client) == "1 remembered\n"
    client.says("You are welcome.").written()
    run_hook("claude-code", client.stop(), home)
    assert line(home, client) == "1 remembered, 1 waiting\n"
    assert ferrule("worker", "--once").code == 0
    assert line(home, client) == "1 remembered\n"


def detached(ferrule: Ferrule, _: Path) -> None:
    """Nobody follows any more."""
    assert ferrule("detach").code == 0


def paused(ferrule: Ferrule, _: Path) -> None:
    """Reviews rest."""
    assert ferrule("pause").code == 0


def off(ferrule: Ferrule, home: Path) -> None:
    """The project is off."""
    (home.parent / "kestrel").mkdir()
    assert ferrule("off", str(home.parent / "kestrel")).code == 0


def off_by_file(_: Ferrule, home: Path) -> None:
    """The repository says so."""
    (home.parent / "kestrel" / ".git").mkdir(parents=True)
    (home.parent / "kestrel" / ".ferrule").mkdir()
    (home.parent / "kestrel" / ".ferrule" / "off").touch()


def late(_: Ferrule, home: Path) -> None:
    """Another session's report waits for an hour, and no worker takes it."""
    record = home / "spool" / f"{int((time.time() - 3600) * 1e9):020d}-1.json"
    record.write_text('{"session":"somebody"}\n')


def unknown(_: Ferrule, home: Path) -> None:
    """A payload that nobody understood."""
    (home / "spool" / f"{time.time_ns():020d}-1.unknown.json").write_text("{}\n")


def troubled(_: Ferrule, home: Path) -> None:
    """The last worker was in trouble."""
    (home / "worker.lock").write_text('{"pid": 1, "doing": "idle", "trouble": "the disk is full"}')


STATES: list[tuple[Callable[[Ferrule, Path], None], str]] = [
    (detached, "1 remembered, +1, not following\n"),
    (paused, "1 remembered, +1, paused\n"),
    (off, "1 remembered, off here\n"),
    (off_by_file, "1 remembered, off here\n"),
    (late, "1 remembered, +1, see ferrule doctor\n"),
    (unknown, "1 remembered, +1, see ferrule doctor\n"),
    (troubled, "1 remembered, +1, see ferrule doctor\n"),
]


@pytest.mark.parametrize(("state", "says"), STATES, ids=lambda one: getattr(one, "__name__", ""))
def test_it_marks_what_a_person_should_know(
    home: Path, ferrule: Ferrule, reviewed: Claude, *, state: Callable[[Ferrule, Path], None], says: str
) -> None:
    """Each state of session, project and home has its own few words; the command says the same."""
    state(ferrule, home)
    assert line(home, reviewed, home.parent / "kestrel") == says


SETTINGS = [
    "",
    'off = ["{here}"]',
    'off = ["{here}/src/"]',
    "off = ['{link}']",
    'off = ["{here}-other", "/nowhere"]',
    'off = ["{up}"]',
    'off = ["/"]',
    'ignore = ["{up}/*"]',
    'ignore = ["{up}/kest?el/**"]',
    'ignore = ["{up}/[ab]*"]',
    'ignore = ["~/kestrel"]',
    'ignore = ["~"]',
    'ignore = ["~/private/**"]',
    'ignore = ["**/src"]',
    "# don't mind\nignore = ['**/kestrel']",
    'ignore = ["/**/kestrel/**"]',
    'off = ["{up}/\\u006Bestrel"]',
    'ontology = ["{here}"]',
]


@pytest.mark.parametrize("settings", SETTINGS)
def test_the_few_looks_never_miss_a_folder_that_is_off(
    home: Path, monkeypatch: pytest.MonkeyPatch, settings: str
) -> None:
    """What is passed over quickly is what is on: by name, by link, by pattern, in the folder and in one below."""
    home.mkdir()
    up = home.parent
    monkeypatch.setenv("HOME", str(up))
    (up / "kestrel" / "src").mkdir(parents=True)
    (up / "link").symlink_to("kestrel")
    text = settings.format(here=up / "kestrel", link=up / "link", up=up)
    (home / "settings.toml").write_text(text)
    for place in (up / "kestrel", up / "kestrel" / "src", up / "link" / "src", up):
        assert _is_off(str(home), str(place)) == (silence_of(home, (str(place),)) is not None), place


def test_forgetting_is_seen_at_once(home: Path, ferrule: Ferrule, reviewed: Claude) -> None:
    """R97: the count is the store's own, at every look."""
    assert ferrule("memory", "forget", "--all", "--yes").code == 0
    assert line(home, reviewed) == "0 remembered\n"


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"[1", b"[]", b"{}", b'{"session_id": 5}', b'{"session_id": "\\n"}', b"\xff" * 99]
)
def test_nothing_is_said_to_what_is_no_status(home: Path, reviewed: Claude, raw: bytes) -> None:
    """INV-I8: exit 0 and silence."""
    assert line(home, reviewed, raw=raw) == ""


def test_another_session_is_not_told_of_this_one(home: Path, reviewed: Claude, tmp_path: Path) -> None:
    """Nor of what it remembers."""
    assert line(home, reviewed)
    assert line(home, Claude(tmp_path / "other", session="7d3f9b52-0000-4000-8000-0000000000ff")) == ""


def test_a_damaged_store_is_passed_over(home: Path, reviewed: Claude) -> None:
    """INV-I8: what cannot be read is not told."""
    for name in ("-wal", "-shm"):
        (home / f"ferrule.sqlite3{name}").unlink(missing_ok=True)
    (home / "ferrule.sqlite3").write_bytes(b"no database" * 1000)
    assert line(home, reviewed) == ""


def test_whoever_writes_holds_nobody_up(home: Path, reviewed: Claude) -> None:
    """INV-I8: a transaction that is open for long does not change what is read."""
    writer = sqlite3.connect(home / "ferrule.sqlite3", isolation_level=None)
    try:
        writer.execute("BEGIN IMMEDIATE")
        assert line(home, reviewed) == "1 remembered, +1\n"
    finally:
        writer.close()


def test_it_reads_and_writes_nothing(home: Path, reviewed: Claude) -> None:
    """The store's own file is byte for byte what it was."""
    before = (home / "ferrule.sqlite3").read_bytes()
    names = sorted(path.name for path in home.iterdir())
    assert line(home, reviewed)
    assert (home / "ferrule.sqlite3").read_bytes() == before
    added = {path.name for path in home.iterdir()} - set(names)
    assert added <= {"ferrule.sqlite3-shm", "ferrule.sqlite3-wal"}


def test_the_command_says_the_same(home: Path, reviewed: Claude) -> None:
    """`ferrule status-line`, for a status line that a person wrote."""
    status = json.dumps({"session_id": reviewed.session, "cwd": reviewed.cwd})
    told = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-m", "ferrule", "status-line", "--home", str(home)],
        input=status.encode(),
        capture_output=True,
        timeout=LONG,
        check=False,
    )
    assert (told.returncode, told.stdout, told.stderr) == (0, b"1 remembered, +1\n", b"")
