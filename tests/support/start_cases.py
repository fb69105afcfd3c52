"""Clients that start sessions: their payloads, and the real command as they run it."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

LONG = 60.0
CLIENTS = ("claude-code", "codex")
SOURCES = ("startup", "resume", "clear", "compact", "fork")

Payload = dict[str, Any]


def start_of(client: str, session: str, source: str = "startup", **more: object) -> Payload:
    """What a client says when a session of it starts; the folder is /w/shop unless told otherwise."""
    payload: Payload = {
        "session_id": session,
        "transcript_path": f"/nowhere/{session}.jsonl",
        "cwd": "/w/shop",
        "hook_event_name": "SessionStart",
        "source": source,
    }
    if client == "codex":
        payload |= {"model": "some-model", "permission_mode": "default"}
    return payload | more


def starts(
    client: str,
    payload: object,
    home: Path,
    *,
    environment: Mapping[str, str] | None = None,
    around: Sequence[str] = (),
) -> subprocess.CompletedProcess[bytes]:
    """Run the command as a client does; bytes go to standard input as they are, anything else as JSON.

    `around` is a command that runs it, such as one that stands for another process of the client.
    """
    given = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    env = {"PATH": os.environ["PATH"], "FERRULE_WORKER": "off", "PYTHONDONTWRITEBYTECODE": "1", **(environment or {})}
    command = [*around, sys.executable, "-P", "-m", "ferrule", "context", "--client", client, "--home", str(home)]
    return subprocess.run(  # noqa: S603 - our own interpreter
        command, input=given, capture_output=True, timeout=LONG, check=False, env=env
    )


def told(done: subprocess.CompletedProcess[bytes]) -> str:
    """The text that a client is told, out of its own form of an answer; empty when nothing at all was said."""
    assert (done.returncode, done.stderr) == (0, b"")
    if not done.stdout:
        return ""
    answer = json.loads(done.stdout)
    assert set(answer) == {"hookSpecificOutput"}
    assert set(answer["hookSpecificOutput"]) == {"hookEventName", "additionalContext"}
    assert answer["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    return str(answer["hookSpecificOutput"]["additionalContext"])
