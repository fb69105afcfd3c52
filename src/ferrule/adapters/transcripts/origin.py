"""A session's file says on its first lines from which other session it was forked, when its client wrote that down.

Owns that look, bounded: a client waits while it is taken. Knows nothing of turns.
"""

import itertools
import json
import os
import stat
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from ferrule.adapters.transcripts.fields import text_at

__all__ = ["origin_of"]

MAX_BYTES, MAX_LINES = 256 * 1024, 40
_SAFELY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)


def origin_of(client: str, path: str, session: str) -> str:
    """The client's id of the session that this one was forked from; empty when the file is not there or says nothing.

    Args:
        client: `claude-code` or `codex`.
        path: the transcript.
        session: the client's id of the session itself.
    """
    for value in itertools.islice(_values(path), MAX_LINES):
        found = _codex(value) if client == "codex" else _claude_code(value)
        if found and found != session:
            return found
    return ""


def _codex(value: Mapping[str, Any]) -> str:
    payload = value.get("payload")
    return (
        text_at(payload, "forked_from_id") if value.get("type") == "session_meta" and isinstance(payload, dict) else ""
    )


def _claude_code(value: Mapping[str, Any]) -> str:
    """What a fork copied names its origin; what older versions copied keeps the id that it had."""
    if value.get("type") not in {"user", "assistant"} or value.get("isSidechain") is True:
        return ""
    origin = value.get("forkedFrom")
    return text_at(origin, "sessionId") if isinstance(origin, dict) else text_at(value, "sessionId")


def _values(path: str) -> Iterator[Mapping[str, Any]]:
    for line in _head(path).splitlines():
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def _head(path: str) -> bytes:
    """The beginning of the user's own plain file."""
    if not os.path.isabs(path):  # noqa: PTH117 - a text that may be no path at all
        return b""
    try:
        descriptor = os.open(path, os.O_RDONLY | _SAFELY)
    except (OSError, ValueError):
        return b""
    try:
        facts = os.fstat(descriptor)
        plain = stat.S_ISREG(facts.st_mode) and (sys.platform == "win32" or facts.st_uid == os.geteuid())
        return os.read(descriptor, MAX_BYTES) if plain else b""
    except OSError:
        return b""
    finally:
        os.close(descriptor)
