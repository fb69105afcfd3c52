"""Builds OpenCode sessions message by message, and keeps them in each of the four ways that the client has."""

import json
import sqlite3
from pathlib import Path
from typing import Any

from ferrule.adapters.transcripts.reader import read_text
from ferrule.session.imported import ImportedSession

Line = dict[str, Any]

# The tables as the client makes them, without what no reader needs.
SCHEMA = """
CREATE TABLE `project` (`id` text PRIMARY KEY, `worktree` text NOT NULL);
CREATE TABLE `session` (`id` text PRIMARY KEY, `project_id` text NOT NULL, `parent_id` text, `slug` text NOT NULL,
  `directory` text NOT NULL, `title` text NOT NULL, `version` text NOT NULL, `revert` text,
  `time_created` integer NOT NULL, `time_updated` integer NOT NULL);
CREATE TABLE `message` (`id` text PRIMARY KEY, `session_id` text NOT NULL, `time_created` integer NOT NULL,
  `time_updated` integer NOT NULL, `data` text NOT NULL);
CREATE TABLE `part` (`id` text PRIMARY KEY, `message_id` text NOT NULL, `session_id` text NOT NULL,
  `time_created` integer NOT NULL, `time_updated` integer NOT NULL, `data` text NOT NULL);
"""


def text(words: str, **members: object) -> Line:
    """A text part."""
    return {"type": "text", "text": words, **members}


def tool(name: str, given: Line, output: str = "ok", *, status: str = "completed", **metadata: object) -> Line:
    """A tool part."""
    state: Line = {"status": status, "input": given, "metadata": metadata}
    state["error" if status == "error" else "output"] = output
    return {"type": "tool", "tool": name, "callID": f"call-{name}", "state": state}


class OpenTalk:
    """One session; ids and times grow with every message."""

    def __init__(self, session: str = "ses_1", **info: object) -> None:
        self.info: Line = {
            "id": session,
            "slug": "calm-otter",
            "projectID": "p1",
            "directory": "/w",
            "title": "Tides",
            "version": "1.14.0",
            "time": {"created": 1_767_225_600_000, "updated": 1_767_225_600_000},
            **info,
        }
        self.messages: list[Line] = []
        self._clock = 1_767_225_600_000
        self._asked = ""

    def _add(self, info: Line, parts: list[Line]) -> str:
        session = self.info["id"]
        number = f"{len(self.messages) + 1:03}" if session == "ses_1" else f"{session}_{len(self.messages) + 1:03}"
        identity = f"msg_{number}"
        rows = [
            {"id": f"prt_{number}_{at:02}", "sessionID": session, "messageID": identity, **part}
            for at, part in enumerate(parts)
        ]
        self.messages.append({"info": {"id": identity, "sessionID": session, **info}, "parts": rows})
        return identity

    def user(self, *parts: str | Line, at: int | None = None, **info: object) -> str:
        """A message in the user's place."""
        self._clock += 1000
        when = {"created": self._clock if at is None else at}
        given = [text(part) if isinstance(part, str) else part for part in parts]
        self._asked = self._add({"role": "user", "time": when, **info}, given)
        return self._asked

    def answer(self, *parts: str | Line, finish: str = "stop", parent: str | None = None, **info: object) -> str:
        """One answer of the model."""
        created, self._clock = self._clock + 100, self._clock + 900
        facts = {
            "role": "assistant",
            "parentID": self._asked if parent is None else parent,
            "time": {"created": created, "completed": self._clock},
            "path": {"cwd": "/w", "root": "/w"},
            "finish": finish,
            **info,
        }
        given = [text(part) if isinstance(part, str) else part for part in parts]
        return self._add({key: value for key, value in facts.items() if value is not None}, given)

    def now(self) -> int:
        """The time of the last message."""
        return self._clock

    def export(self) -> Line:
        """The session as `opencode export` writes it."""
        return {"info": self.info, "messages": self.messages}

    def folders(self, root: Path) -> Path:
        """The session in the folders of older versions; the answer is the session's own file."""
        file = root / "storage" / "session" / "p1" / f"{self.info['id']}.json"
        rows = {file: self.info}
        for message in self.messages:
            info = message["info"]
            rows[root / "storage" / "message" / self.info["id"] / f"{info['id']}.json"] = info
            for part in message["parts"]:
                rows[root / "storage" / "part" / info["id"] / f"{part['id']}.json"] = part
        for path, value in rows.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(value), encoding="utf-8")
        return file

    def rows(self, connection: sqlite3.Connection) -> None:
        """The session in the database of newer versions."""
        info = self.info
        connection.execute(
            "INSERT INTO session VALUES (?, 'p1', ?, 'calm-otter', ?, ?, '1.18.0', ?, ?, ?)",
            (
                info["id"],
                info.get("parentID"),
                info["directory"],
                info["title"],
                json.dumps(info["revert"]) if "revert" in info else None,
                self.messages[0]["info"]["time"]["created"] if self.messages else 0,
                self._clock,
            ),
        )
        for message in self.messages:
            facts = message["info"]
            data = {key: value for key, value in facts.items() if key not in ("id", "sessionID")}
            created = facts["time"]["created"]
            connection.execute(
                "INSERT INTO message VALUES (?, ?, ?, 0, ?)", (facts["id"], info["id"], created, json.dumps(data))
            )
            for part in message["parts"]:
                rest = {key: value for key, value in part.items() if key not in ("id", "sessionID", "messageID")}
                row = (part["id"], facts["id"], info["id"], json.dumps(rest))
                connection.execute("INSERT INTO part VALUES (?, ?, ?, 0, 0, ?)", row)


def database(path: Path, *talks: OpenTalk) -> Path:
    """A closed database of sessions."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(SCHEMA)
    for one in talks:
        one.rows(connection)
    connection.commit()
    connection.close()
    return path


def read_export(talk: OpenTalk) -> ImportedSession:
    """Read a session as an export."""
    (session,) = read_text(json.dumps(talk.export()), scrub=str)
    return session


def simple(**info: Any) -> OpenTalk:  # noqa: ANN401 - the members of a JSON object
    """A session with one completed turn."""
    talk = OpenTalk(**info)
    talk.user("go")
    talk.answer(tool("bash", {"command": "touch a"}, exit=0), finish="tool-calls")
    talk.answer("gone")
    return talk
