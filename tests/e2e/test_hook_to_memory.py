"""From the end of a client's turn to a memory: the real hook process, the worker that it starts, the stored result."""

import contextlib
import os
import signal
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hook_cases import Claude, Codex, run_hook

from ferrule.adapters.laptop.lock import holder
from ferrule.wiring.home import open_home
from ferrule.wiring.spooling import spool_standing

LONG = 60.0
# Built here, so that no scanner of this repository takes it for one.
CANARY = "ghp_" + "Zk3qVb8LmN2pXt7RwYc5HdJf9GsA4eU6oBiK"[:36]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """Where the home is; a worker that still runs in it is ended."""
    place = tmp_path / "home"
    yield place
    with contextlib.suppress(OSError):
        there = holder(place)
        if there is not None and there.pid > 0:
            os.kill(there.pid, signal.SIGTERM)


def ends(client: Claude | Codex, home: Path, *, start: bool = True) -> None:
    """The client's turn ends: its hook is run, and may start a worker."""
    name = "claude-code" if isinstance(client, Claude) else "codex"
    around = {"HOME": str(home.parent), "FERRULE_WORKER": "" if start else "off"}
    told = run_hook(name, client.stop(), home, "--python", sys.executable, environment=around)
    assert (told.returncode, told.stdout, told.stderr) == (0, b"", b"")


def wait_for(condition: Callable[[], bool], what: str) -> None:
    """Poll for what a worker does, within a bound."""
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def reviewed(home: Path) -> int:
    """How many reviews are committed; 0 while there is no store yet."""
    file = home / "ferrule.sqlite3"
    if not file.exists():
        return 0
    with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(file)) as connection:
        return int(connection.execute("SELECT count(*) FROM reviews").fetchone()[0])
    return 0


def claude_turn(folder: Path) -> Claude:
    """A turn that made a file."""
    claude = Claude(folder).asks("Write a retry policy in src/retry/policy.py.")
    claude.calls(
        "Write",
        "File created successfully at: /work/kestrel/src/retry/policy.py",
        file_path="/work/kestrel/src/retry/policy.py",
        content="class RetryPolicy: ...",
    )
    return claude.says("I created `src/retry/policy.py` with the class RetryPolicy.").written()


def codex_turn(folder: Path) -> Codex:
    """A turn that opened a pull request."""
    codex = Codex(folder).asks("Open a pull request for the retry policy.")
    codex.calls("gh pr create --fill", "https://git.example/harbor/kestrel/pull/41")
    return codex.says("I opened https://git.example/harbor/kestrel/pull/41 for the retry policy.").completes().written()


@pytest.mark.parametrize("make", [claude_turn, codex_turn])
def test_a_turn_of_a_client_becomes_a_memory(place: Path, tmp_path: Path, make: Callable[..., Claude | Codex]) -> None:
    """R73 R77: the hook makes the home and starts a worker, which attaches by this turn and remembers its handle."""
    client = make(tmp_path / "client")
    ends(client, place)
    wait_for(lambda: reviewed(place) == 1, "the review")
    ends(client, place)  # again: it stays one
    wait_for(lambda: not list((place / "spool").glob("*.json")), "the spool")
    name = f"claude-code:{client.session}" if isinstance(client, Claude) else f"codex:{client.thread}"
    handle = "src/retry/policy.py" if isinstance(client, Claude) else "pull/41"
    with open_home(place) as home:
        found = dict(home.store.definitions(name))
        assert any(handle in definition for definition in found.values())
        (instruction,) = home.store.instructions(name)
        assert (instruction.origin.value, instruction.state.value) == ("management", "done")
        standing = spool_standing(home)
        assert (standing.waiting, standing.notes) == (0, ())
    assert reviewed(place) == 1


def test_no_word_and_no_secret_reaches_the_disk_before_it_is_scrubbed(place: Path, tmp_path: Path) -> None:
    """DEC-D13: a secret in prompt, tool output and answer is in no file of the home, before and after the review."""
    claude = Claude(tmp_path / "client").asks(f"Use the token {CANARY} and write src/push.py.")
    claude.calls("Bash", f"GITHUB_TOKEN={CANARY}", command=f"export GITHUB_TOKEN={CANARY}")
    claude.calls(
        "Write", "File created successfully at: /work/kestrel/src/push.py", file_path="/work/kestrel/src/push.py"
    )
    claude.says(f"I wrote `src/push.py`; it uses {CANARY}.").written()
    ends(claude, place, start=False)
    assert_clean(place)
    ends(claude, place)
    wait_for(lambda: reviewed(place) == 1, "the review")
    assert_clean(place)
    with open_home(place) as home:
        (one,) = home.store.turn_keys(f"claude-code:{claude.session}")
        turn = home.store.turn(f"claude-code:{claude.session}", one[1])
        assert turn is not None
        assert CANARY not in repr(turn)
        assert "src/push.py" in turn.outcome


def assert_clean(home: Path) -> None:
    """The canary stands in no file of the home."""
    files = [path for path in home.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if CANARY.encode() in path.read_bytes()]


def test_a_locked_store_costs_the_client_nothing_and_the_turn_is_reviewed_later(place: Path, tmp_path: Path) -> None:
    """INV-I8: the hook needs no database; the report waits until the worker can have it."""
    with open_home(place):
        pass
    claude = claude_turn(tmp_path / "client")
    with contextlib.closing(sqlite3.connect(place / "ferrule.sqlite3")) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        ends(claude, place)
        assert len(list((place / "spool").glob("*.json"))) == 1
        connection.execute("ROLLBACK")
    wait_for(lambda: reviewed(place) == 1, "the review")


def test_a_worker_that_was_killed_is_followed_by_another(place: Path, tmp_path: Path) -> None:
    """INV-I8: what a dead worker left in the spool is taken by the one that the next turn starts."""
    claude = claude_turn(tmp_path / "client")
    ends(claude, place)
    wait_for(lambda: (there := holder(place)) is not None and there.pid > 0, "a worker")
    there = holder(place)
    assert there is not None
    with contextlib.suppress(ProcessLookupError):
        os.kill(there.pid, signal.SIGKILL)
    wait_for(lambda: holder(place) is None, "its end")
    claude.asks("Document it in docs/retry.md.")
    claude.calls(
        "Write", "File created successfully at: /work/kestrel/docs/retry.md", file_path="/work/kestrel/docs/retry.md"
    )
    claude.says("The page is `docs/retry.md`.").written()
    ends(claude, place)
    wait_for(lambda: reviewed(place) == 2, "both reviews")


def test_a_damaged_store_costs_the_client_nothing(place: Path, tmp_path: Path) -> None:
    """INV-I8: the report stays for when the home is whole again."""
    place.mkdir(mode=0o700)
    (place / "ferrule.sqlite3").write_bytes(b"this is no database " * 500)
    ends(claude_turn(tmp_path / "client"), place)
    wait_for(lambda: holder(place) is None, "the worker's end")
    assert len(list((place / "spool").glob("*.json"))) == 1
