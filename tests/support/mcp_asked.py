"""A client of the MCP server in this process: it sends lines and reads lines, as over the pipes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ferrule.interfaces.mcp.server import Server

__all__ = ["Called", "call", "request"]


@dataclass(frozen=True)
class Called:
    """What a tool gave back."""

    is_error: bool
    text: str
    content: Any


def request(server: Server, method: str, parameters: Mapping[str, object] | None = None) -> Any:  # noqa: ANN401 - any answer
    """The result of one request."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": dict(parameters or {})}
    line = server.answer(json.dumps(message).encode())
    assert line is not None
    assert line.endswith(b"\n")
    answer = json.loads(line)
    assert answer["id"] == 1
    return answer["result"]


def call(server: Server, tool: str, arguments: Mapping[str, object]) -> Called:
    """One call of a tool; what it says as text and as an object is the same."""
    found = request(server, "tools/call", {"name": tool, "arguments": dict(arguments)})
    (content,) = found["content"]
    if not found["isError"]:
        assert json.loads(content["text"]) == found["structuredContent"]
    return Called(found["isError"], content["text"], found.get("structuredContent"))
