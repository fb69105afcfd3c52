"""Builds Gemini CLI sessions message by message, as one document or as the log of newer versions."""

import hashlib
import json
from typing import Any

from ferrule.adapters.transcripts.reader import read_text
from ferrule.session.imported import ImportedSession

Line = dict[str, Any]
FOLDER = "/home/ada/tides"


def shell(printed: str, code: int = 0) -> str:
    """What the shell tool of older versions gives to the model."""
    return f"Command: x\nDirectory: (root)\nOutput: {printed}\nError: (none)\nExit Code: {code}\nSignal: 0"


def called(name: str, args: Line, output: str = "ok", *, status: str = "success", **members: Any) -> Line:  # noqa: ANN401 - the members of a JSON object
    """One entry of `toolCalls`."""
    key = "error" if status == "error" else "output"
    answer = [{"functionResponse": {"id": name, "name": name, "response": {key: output}}}]
    return {
        "id": f"{name}-{len(json.dumps(args))}",
        "name": name,
        "args": args,
        "status": status,
        "result": answer,
        **members,
    }


class GeminiTalk:
    """One session."""

    def __init__(self, folder: str = FOLDER, **facts: object) -> None:
        self.facts: Line = {
            "sessionId": "9f0c1d2e",
            "projectHash": hashlib.sha256(folder.encode()).hexdigest(),
            "startTime": "2026-01-01T00:00:00.000Z",
            "lastUpdated": "2026-01-01T00:00:00.000Z",
            **facts,
        }
        self.messages: list[Line] = []

    def say(self, kind: str, content: object, identity: str = "", **members: Any) -> Line:  # noqa: ANN401 - the members of a JSON object
        """Add a message of any type."""
        number = len(self.messages) + 1
        message = {
            "id": identity or f"m{number}",
            "timestamp": f"2026-01-01T00:00:{number:02}.000Z",
            "type": kind,
            "content": content,
            **members,
        }
        self.messages.append(message)
        return message

    def user(self, words: object, **members: Any) -> Line:  # noqa: ANN401 - the members of a JSON object
        """A message in the user's place."""
        return self.say("user", [{"text": words}] if isinstance(words, str) else words, **members)

    def answer(self, text: str, *calls: Line, **members: Any) -> Line:  # noqa: ANN401 - the members of a JSON object
        """One answer of the model."""
        given = {"toolCalls": list(calls), **members} if calls else members
        return self.say("gemini", text, **given)

    def document(self) -> Line:
        """The session as older versions write it."""
        return {**self.facts, "messages": self.messages}

    def lines(self) -> list[Line]:
        """The session as the log of newer versions."""
        return [self.facts, *self.messages]


def read_document(talk: GeminiTalk) -> ImportedSession:
    """Read a session as one document."""
    (session,) = read_text(json.dumps(talk.document(), indent=2), scrub=str)
    return session


def read_log(lines: list[Line]) -> ImportedSession:
    """Read the lines of a log."""
    (session,) = read_text("\n".join(json.dumps(line) for line in lines), scrub=str)
    return session
