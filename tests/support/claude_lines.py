"""Small Claude Code sessions for tests: one content block a line, as the client writes them."""

import json
from collections.abc import Callable
from typing import Any

from ferrule.adapters.transcripts.reader import read_text
from ferrule.session.imported import ImportedSession

SESSION = "5b1e5b5e-0000-4000-8000-000000000001"
Line = dict[str, Any]


class Talk:
    """A session that grows line by line; each line's parent is the line before unless told otherwise."""

    def __init__(self, session: str = SESSION, *, cwd: str = "/w", branch: str = "main") -> None:
        self.session = session
        self.cwd = cwd
        self.branch = branch
        self.lines: list[Line] = []
        self.last: str | None = None

    def add(self, kind: str, **members: Any) -> Line:  # noqa: ANN401 - the members of a JSON object
        """One line with its envelope."""
        number = len(self.lines) + 1
        line: Line = {
            "type": kind,
            "uuid": f"u{number}",
            "parentUuid": self.last,
            "isSidechain": False,
            "sessionId": self.session,
            "cwd": self.cwd,
            "gitBranch": self.branch,
            "version": "2.1.0",
            "timestamp": f"2026-01-01T00:{number // 60:02d}:{number % 60:02d}.000Z",
            **members,
        }
        self.lines.append(line)
        self.last = line["uuid"]
        return line

    def user(self, content: object, **members: Any) -> Line:  # noqa: ANN401 - as above
        """A user line."""
        return self.add("user", message={"role": "user", "content": content}, **members)

    def text(self, text: str, *, message: str = "", **members: Any) -> Line:  # noqa: ANN401 - as above
        """One text block of the assistant."""
        return self._assistant({"type": "text", "text": text}, message, members)

    def use(self, name: str, arguments: Line, *, call: str = "", **members: Any) -> Line:  # noqa: ANN401 - as above
        """One tool_use block."""
        block = {"type": "tool_use", "id": call or f"t{len(self.lines)}", "name": name, "input": arguments}
        return self._assistant(block, "", members)

    def result(self, text: object, *, call: str = "", failed: bool = False, **members: Any) -> Line:  # noqa: ANN401 - as above
        """The result of the latest tool_use block, or of the named one."""
        uses = [line["message"]["content"][0]["id"] for line in self.lines if _uses(line)]
        block = {"type": "tool_result", "tool_use_id": call or uses[-1], "content": text, "is_error": failed}
        return self.user([block], **members)

    def call(self, name: str, arguments: Line, text: str = "ok") -> None:
        """A tool_use block and its result."""
        self.use(name, arguments)
        self.result(text)

    def _assistant(self, block: Line, message: str, members: Line) -> Line:
        identity = message or f"m{len(self.lines)}"
        return self.add("assistant", message={"id": identity, "role": "assistant", "content": [block]}, **members)

    def read(self, scrub: Callable[[str], str] = str) -> ImportedSession:
        """The session as the importer reads it."""
        return read_lines(self.lines, scrub)


def _uses(line: Line) -> bool:
    content = line.get("message", {}).get("content")
    return isinstance(content, list) and content[0].get("type") == "tool_use"


def read_lines(lines: list[Line], scrub: Callable[[str], str] = str) -> ImportedSession:
    """Read lines as one file."""
    (session,) = read_text("".join(json.dumps(line) + "\n" for line in lines), scrub=scrub)
    return session


def reasons(session: ImportedSession) -> list[str]:
    """Why turns were skipped, in order."""
    return [skipped.reason for skipped in session.skipped]


def said(session: ImportedSession) -> list[tuple[str, str]]:
    """The pair of each turn."""
    return [(turn.user, turn.outcome) for turn in session.turns]
