"""Turns and events of an invented session, and everything that a home holds, for tests of the doors."""

import json
import sqlite3
from pathlib import Path
from typing import Any

SOURCE = "desk 1"
CHILD = f"{SOURCE}-online-memory-critic"


def turn(number: int, **members: Any) -> dict[str, Any]:  # noqa: ANN401 - the members of a JSON object
    """A completed turn in the neutral form that writes one file; without an ordinal."""
    path = f"/w/shop/notes/plan{number}.md"
    call = {
        "call_id": "c1",
        "tool": "Write",
        "arguments": {"file_path": path, "content": "x"},
        "result": f"File created successfully at: {path}",
        "ok": True,
    }
    return {
        "session_key": SOURCE,
        "profile": "buffaly-agent",
        "turn_key": f"k{number}",
        "cwd": "/w/shop",
        "user": {"text": f"Please create the file notes/plan{number}.md."},
        "outcome": {"text": f"I created `notes/plan{number}.md`."},
        "tool_results": [call],
        **members,
    }


def event(number: int, **members: Any) -> dict[str, Any]:  # noqa: ANN401 - the members of a JSON object
    """The event of that turn's completion."""
    return {
        "EventId": f"e{number}",
        "EventType": "turn.completed",
        "SourceSessionKey": SOURCE,
        "TargetSessionKey": CHILD,
        "OccurredUtc": "2026-03-02T10:00:00Z",
        "Data": {"TurnKey": f"k{number}"},
        **members,
    }


def put(path: Path, *objects: object) -> str:
    """A file with these JSON objects, one a line; its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(item) + "\n" for item in objects), encoding="utf-8")
    return str(path)


def held(home: Path) -> dict[str, list[str]]:
    """Every row of every table of a home, to compare before and after."""
    connection = sqlite3.connect(f"{(home / 'ferrule.sqlite3').absolute().as_uri()}?mode=ro", uri=True)
    try:
        names = [str(row[0]) for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {name: sorted(map(repr, connection.execute(f'SELECT * FROM "{name}"'))) for name in names}  # noqa: S608
    finally:
        connection.close()
