"""The client's own process is found behind its shells, and two of them have two names."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ferrule.adapters.laptop import calling
from ferrule.adapters.laptop.calling import calling_process

SOURCE = Path(__file__).parents[3] / "src"
CALL = "from ferrule.adapters.laptop.calling import calling_process; print(calling_process())"
CLIENT = f"""
import json, subprocess, sys

call = [sys.executable, "-c", {CALL!r}]
ways = [call, ["sh", "-c", '"$@"; :', "sh", *call], ["sh", "-c", 'sh -c "\\\\"\\\\$@\\\\"; :" sh "$@"; :', "sh", *call]]
print(json.dumps([subprocess.run(way, capture_output=True, check=True).stdout.decode().strip() for way in ways]))
"""


def client(*more: str) -> list[str]:
    """The names that one process of a client gets, called directly, through a shell and through two."""
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", CLIENT, *more],
        capture_output=True,
        timeout=60,
        check=True,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
    )
    names: list[str] = json.loads(done.stdout)
    return names


def test_a_client_has_one_name_whatever_shells_stand_between() -> None:
    """R87: and another process of the same client has another one."""
    one, other = client(), client()
    assert all(one)
    assert len(set(one)) == len(set(other)) == 1
    assert set(one).isdisjoint(other)


@pytest.mark.parametrize("word", ["app-server", "mcp-server", "exec-server"])
def test_a_server_of_many_conversations_has_no_name(word: str) -> None:
    """INV-I7: what goes on from what in it nobody can tell."""
    assert set(client(word)) == {""}


def test_ps_tells_the_same_process() -> None:
    """Where there is no /proc: parent, beginning and words come from `ps`."""
    found = calling._from_ps(os.getpid())
    assert found is not None
    assert (found.parent, bool(found.began)) == (os.getppid(), True)
    assert sys.argv[0] in found.words or "pytest" in found.words or "python" in found.name


@pytest.mark.parametrize("pid", [0, -1, 2**22 + 1])
def test_a_process_that_is_not_there_has_no_name(pid: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that went, or one that stands at the top of its container."""
    monkeypatch.setattr(os, "getppid", lambda: pid)
    assert calling_process() == ""
