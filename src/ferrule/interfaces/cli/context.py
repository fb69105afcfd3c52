"""`ferrule context`: the text that tells an agent what its session remembers.

Owns the command's words and output; for a client also that it is never held up or bothered: whatever is wrong, it gets
an answer in its own form or nothing at all, soon, and 0 (INV-I8). Knows nothing of what is worth telling.
"""

import json
import os
import sys
import threading
import time
from argparse import Namespace

from ferrule.interfaces.cli.output import print_json

__all__ = ["run_context"]

CRITIC = "FERRULE_CRITIC"
"""Set in the environment of the critic's own model calls: their sessions are told nothing."""

CLIENT_SECONDS = 3.0
MAX_PAYLOAD = 256 * 1024
_CHUNK = 64 * 1024
_QUIET_SECONDS = 2.0


def run_context(arguments: Namespace) -> int:
    """Print the context text, or nothing at all when there is nothing to tell: this goes to agents as it is."""
    if arguments.client:
        return _greeted(arguments.client, arguments.home)
    from ferrule.interfaces.cli.command import opened  # noqa: PLC0415 - a client waits: it is spared what it needs not
    from ferrule.wiring.recalling import recall  # noqa: PLC0415 - see above

    with opened(arguments, make=False) as home:
        session, text = recall(home, arguments.session)
    if arguments.json:
        print_json({"session": session, "text": text})
    else:
        sys.stdout.write(text)
    return 0


def _greeted(client: str, home: str | None) -> int:
    """Answer a client's SessionStart, whose payload is on standard input; both clients take the same form."""
    if os.environ.get(CRITIC):
        return 0
    answers: list[str] = []
    work = threading.Thread(target=_answer, args=(client, home, answers), daemon=True)
    end = time.monotonic() + CLIENT_SECONDS
    work.start()
    work.join(CLIENT_SECONDS)
    if answers and answers[0]:
        told = {"hookEventName": "SessionStart", "additionalContext": answers[0]}
        sys.stdout.write(json.dumps({"hookSpecificOutput": told}) + "\n")
        sys.stdout.flush()
    if time.monotonic() >= end:
        os._exit(0)  # a disk or a git that hangs is left to itself
    return 0


def _answer(client: str, home: str | None, answers: list[str]) -> None:
    try:
        payload = _payload()
        if payload:
            from ferrule.wiring.greeting import greeting  # noqa: PLC0415 - see above

            answers.append(greeting(client, payload, home))
    except Exception:  # noqa: BLE001 - the edge: nothing that is wrong with Ferrule is the client's to know
        return


def _payload() -> bytes:
    """What the client says; empty when it is too long. A client that keeps the pipe open may have said all."""
    import select  # noqa: PLC0415 - for a client only

    parts: list[bytes] = []
    size = 0
    end = time.monotonic() + _QUIET_SECONDS
    while (left := end - time.monotonic()) > 0:
        if sys.platform != "win32" and not select.select([0], [], [], left)[0]:
            break
        part = os.read(0, _CHUNK)
        if not part:
            break
        size += len(part)
        if size <= MAX_PAYLOAD:
            parts.append(part)
    return b"".join(parts) if size <= MAX_PAYLOAD else b""
