"""A host that evaluates through the Python API, and the real worker in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from gate_cases import until

from ferrule import Attached, Delivered, Ferrule
from ferrule.session.gate import Room

pytest.importorskip("fcntl")

from ferrule.adapters.gates.latch import FOLDER_NAME, lock_name
from ferrule.adapters.gates.lockfile import lock_once, private_folder

KEY = "Alpha Desk 6-1"
TURN = {
    "session_key": KEY,
    "profile": "buffaly-agent",
    "turn_key": "t1",
    "ordinal": 1,
    "cwd": "/srv/kestrel",
    "user": {"text": "Please write the retry policy into src/retry/policy.py."},
    "outcome": {"text": "I created `src/retry/policy.py` with the class RetryPolicy."},
    "tool_results": [
        {
            "call_id": "c1",
            "tool": "Write",
            "arguments": {"file_path": "/srv/kestrel/src/retry/policy.py", "content": "class RetryPolicy: ..."},
            "result": "File created successfully at: /srv/kestrel/src/retry/policy.py",
            "ok": True,
        }
    ],
}


def somebody_waits(home: Path) -> bool:
    """Whether a process stands in the turnstile of the source's gate."""
    folder = private_folder(home / FOLDER_NAME)
    try:
        lock = lock_once(folder, home / FOLDER_NAME / f"{lock_name(KEY, Room.GATE)}.next")
        if lock is not None:
            lock()
        return lock is None
    finally:
        os.close(folder)


def command(home: Path, *words: str) -> subprocess.Popen[str]:
    """A ferrule command in a process of its own."""
    argv = [sys.executable, "-m", "ferrule", *words, "--home", str(home), "--json"]
    return subprocess.Popen(  # noqa: S603 - our own command
        argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )


def memories(home: Path) -> int:
    """How many memories another process finds."""
    lister = command(home, "memory", "list", "--session", KEY)
    out, err = lister.communicate(timeout=60)
    assert lister.returncode == 0, err
    return len(out.splitlines())


def test_a_worker_writes_only_after_the_evaluation_in_which_it_was_asked(tmp_path: Path) -> None:
    """R77, R78, CASE-M05: thumbs-up from inside a running evaluation; the review runs meanwhile, its write waits."""
    home = tmp_path / "home"
    with Ferrule(home) as ferrule:
        assert isinstance(ferrule.deliver(TURN), Delivered)
        with ferrule.evaluating(KEY) as evaluation:
            assert evaluation.without == ""
            assert isinstance(ferrule.feedback(KEY, "t1", "up"), Attached)
            worker = command(home, "worker", "--once")
            until(lambda: worker.poll() is not None or somebody_waits(home), "the worker does not come to its commit")
            assert worker.poll() is None
            assert ferrule.status(KEY).reviewed == 0
        out, err = worker.communicate(timeout=60)
        assert worker.returncode == 0, out + err
        assert ferrule.status(KEY).reviewed == 1
    assert memories(home) == 1
