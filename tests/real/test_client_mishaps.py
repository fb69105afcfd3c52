"""Whatever is wrong with Ferrule, a real client's turn ends as ever: exit 0, the same answer, one turn.

How Codex comes to trust a hook, found with 0.171.0: it keeps a digest of each hook below `hooks.state` of
`config.toml`, by file, event and place; its dialog at the next start writes it. A hook without one, or changed since,
is passed over: in `codex exec` without a word.
"""

import contextlib
import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from client_script import DELEGATED, FAILING, SMALL, SMALL_ANSWER, WORK
from hook_cases import HOOK, run_hook
from real_clients import RealClient, RealCodex
from real_processes import end_worker, reviews, wait_for

from ferrule.adapters.laptop.lock import holder
from ferrule.wiring.home import open_home

pytestmark = pytest.mark.real
IN_A_MOUNT = """
mount -t tmpfs -o size=256k,mode=700 tmpfs "$1" || exit 99
{then}
shift
exec "$@"
"""
FULL = IN_A_MOUNT.format(then='head -c 1000000 /dev/zero > "$1/filled" 2>/dev/null')
READ_ONLY = IN_A_MOUNT.format(then='mount -o remount,ro "$1" || exit 99')


@pytest.fixture(scope="module")
def installed(client: RealClient) -> RealClient:
    """The client with Ferrule in it, and with its person's trust."""
    client.installs()
    return client


@contextmanager
def mounted(client: RealClient, script: str) -> Iterator[None]:
    """A home on a disk of its own, for the client and all that it starts."""
    client.home.mkdir(mode=0o700)
    around = ["unshare", "-rm", "/bin/sh", "-c", script, "sh", str(client.home)]
    tried = subprocess.run([*around, "true"], check=False, capture_output=True, timeout=30)  # noqa: S603 - see above
    if tried.returncode:
        pytest.skip("a disk of its own needs user namespaces")
    client.around = around
    try:
        yield
    finally:
        client.around = ()


@contextmanager
def read_only(client: RealClient) -> Iterator[None]:
    """Nothing can be written."""
    with mounted(client, READ_ONLY):
        yield


@contextmanager
def full(client: RealClient) -> Iterator[None]:
    """No byte is left."""
    with mounted(client, FULL):
        yield


@contextmanager
def locked(client: RealClient) -> Iterator[None]:
    """Another process has the database for itself."""
    with open_home(client.home):
        pass
    with contextlib.closing(sqlite3.connect(client.home / "ferrule.sqlite3")) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        yield
        connection.execute("ROLLBACK")


@contextmanager
def corrupt(client: RealClient) -> Iterator[None]:
    """The database is none."""
    client.home.mkdir(mode=0o700)
    (client.home / "ferrule.sqlite3").write_bytes(b"this is no database " * 500)
    yield


@contextmanager
def no_folder(client: RealClient) -> Iterator[None]:
    """A file stands where the home should be."""
    client.home.write_text("a file")
    yield


@contextmanager
def no_worker(client: RealClient) -> Iterator[None]:
    """Somebody holds the worker's lock and does nothing: no worker is there, and none can be started."""
    client.home.mkdir(mode=0o700)
    code = (
        "import fcntl, sys; f = open(sys.argv[1], 'wb'); fcntl.flock(f, 2); print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", code, str(client.home / "worker.lock")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        yield
        process.kill()


@contextmanager
def gone(client: RealClient) -> Iterator[None]:
    """Ferrule was removed from the machine, its entries were not."""
    before = {path: path.read_bytes() for path in client.configured()}
    for path, data in before.items():
        path.write_bytes(data.replace(str(HOOK).encode(), b"/nowhere/ferrule/interfaces/hook/hook.py"))
    client.trusts()
    yield
    for path, data in before.items():
        path.write_bytes(data)
    client.trusts()


@pytest.mark.parametrize("wrong", [read_only, full, locked, corrupt, no_folder, no_worker, gone])
def test_a_turn_ends_as_ever(
    installed: RealClient, wrong: Callable[[RealClient], AbstractContextManager[None]]
) -> None:
    """INV-I8: what is wrong with the home costs the memory, never the turn; and the turn is not repeated."""
    client = installed
    clean(client)
    known = len(client.model.asked)
    with wrong(client):
        ran = client.turn(SMALL)
    assert (ran.code, ran.out.strip()) == (0, SMALL_ANSWER)
    assert sum(SMALL in asked.text for asked in client.model.asked[known:]) == 1
    assert "errule" not in ran.err
    assert client.payload()["last_assistant_message"] == SMALL_ANSWER
    clean(client)


def clean(client: RealClient) -> None:
    """No worker, and no home."""
    if client.home.is_file():
        client.home.unlink()
    end_worker(client.home)
    shutil.rmtree(client.home, ignore_errors=True)


def test_a_failed_turn_leaves_nothing(installed: RealClient) -> None:
    """R76, CASE-H05: the model refused; there is no event, so no review and no file."""
    clean(installed)
    assert installed.turn(FAILING).code != 0
    assert not list((installed.home / "spool").glob("*.json"))
    assert reviews(installed.home) == 0


def test_a_turn_that_is_reported_again_and_again_is_reviewed_once(installed: RealClient) -> None:
    """R84, R92, CASE-H01: the same payload, a second Stop, three killed workers: one review, each memory once."""
    client = installed
    clean(client)
    client.extra["FERRULE_WORKER"] = "off"  # the hook of the client leaves a note and starts nobody
    assert client.turn(WORK).code == 0
    del client.extra["FERRULE_WORKER"]
    assert len(list((client.home / "spool").glob("*.json"))) == 1
    payload = client.payload()
    for _ in range(3):
        reported(client, payload)
        wait_for(
            lambda: ((there := holder(client.home)) is not None and there.pid > 0) or spool_is_empty(client), "one"
        )
        end_worker(client.home, signal.SIGKILL)
    reported(client, {**payload, "stop_hook_active": True})
    wait_for(lambda: reviews(client.home) == 1 and spool_is_empty(client), "the review")
    reported(client, payload)
    wait_for(lambda: spool_is_empty(client), "the spool")
    assert reviews(client.home) == 1
    listed = client.ferrule("memory", "list", "--session", client.session(), "--json").out.splitlines()
    names = [json.loads(line)["name"] for line in listed]
    assert len(names) == len(set(names)) == 3
    end_worker(client.home)


def reported(client: RealClient, payload: dict[str, object]) -> None:
    """The hook is run by hand, as the client ran it."""
    around = {"HOME": str(client.user), "FERRULE_WORKER": ""}
    words = ("--python", sys.executable)
    told = run_hook(client.name, payload, client.home, *words, environment={**client.own(), **around})
    assert (told.returncode, told.stdout, told.stderr) == (0, b"", b"")


def spool_is_empty(client: RealClient) -> bool:
    """Whether all that was reported is settled."""
    return not list((client.home / "spool").glob("*.json"))


def test_what_a_subagent_ends_leaves_nothing(installed: RealClient) -> None:
    """R10: the client's own agent ends beside the session, which alone is reported."""
    client = installed
    clean(client)
    known = len(client.model.asked)
    client.extra["FERRULE_WORKER"] = "off"
    assert client.turn(DELEGATED).code == 0
    del client.extra["FERRULE_WORKER"]
    asked = [asked for asked in client.model.asked[known:] if SMALL in asked.text and DELEGATED not in asked.text]
    assert asked, "the agent was at work"
    (reported,) = (client.home / "spool").glob("*.json")
    assert client.session() == f"{client.name}:{json.loads(reported.read_text())['session']}"
    reported.unlink()
    for more in ({"hook_event_name": "SubagentStop"}, {"agent_id": "a1", "agent_type": "worker"}):
        told = run_hook(client.name, {**client.payload(), **more}, client.home)
        assert (told.returncode, told.stdout, told.stderr) == (0, b"", b"")
    assert spool_is_empty(client)


def test_codex_passes_over_a_hook_that_nobody_trusted(codex: RealCodex) -> None:
    """Seen with 0.171.0: no word, exit 0, nothing captured, and doctor says it; trusted, it is taken."""
    trust, codex.trusts = codex.trusts, lambda: None  # type: ignore[method-assign]  # a person who only installs
    codex.installs()
    assert set(codex.trust_of_hooks().values()) == {"untrusted"}
    assert distrust(codex)
    assert codex.turn(SMALL).code == 0
    assert not (codex.home / "spool").exists()
    trust()
    assert set(codex.trust_of_hooks().values()) == {"trusted"}
    assert not distrust(codex)
    codex.extra["FERRULE_WORKER"] = "off"
    assert codex.turn(SMALL).code == 0
    assert len(list((codex.home / "spool").glob("*.json"))) == 1


def distrust(codex: RealCodex) -> list[str]:
    """What `ferrule doctor` says of it."""
    told = codex.ferrule("doctor", "codex", "--json").out.splitlines()
    return [finding["text"] for finding in map(json.loads, told) if finding["code"] == "hook-untrusted"]
