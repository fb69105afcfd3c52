"""A model that says what a script has it say, over the two interfaces that real clients speak to their models.

Owns a server on loopback for OpenAI's Responses (Codex) and Anthropic's Messages (Claude Code), both as event streams.
It keeps no state of a conversation: the newest words of the person that a script knows, and the results of calls after
them, say what comes next, so that a client may ask again as often as it likes. Every request is kept: what a client
puts before its model is what the tests are about. It ends with the context that it was made in.
"""

import json
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

__all__ = ["Ask", "Asked", "Delegate", "Fail", "Model", "Move", "Run", "Say", "scripted_model"]

Json: TypeAlias = dict[str, Any]
MAX_REQUEST = 16 * 1024 * 1024
LIMIT_SECONDS = 30.0
SESSION = re.compile(r'<ferrule-memory[^>]{0,300}? session=\\*"([^"\\]{1,300})\\*"')
SUMMARISE = ("CONTEXT CHECKPOINT COMPACTION", "create a detailed summary of the conversation")
"""How each client asks its model to make a conversation short."""


@dataclass(frozen=True, slots=True)
class Run:
    """A command in the client's own shell tool."""

    command: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A call of Ferrule's MCP server; `{session}` in an argument is the key that the recalled text tells."""

    tool: str
    arguments: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Delegate:
    """The client starts an agent of its own with these words; Codex does not wait for it."""

    prompt: str


@dataclass(frozen=True, slots=True)
class Say:
    """The final answer of a turn. `tokens` is what the model says that the conversation takes."""

    text: str
    tokens: int = 20


@dataclass(frozen=True, slots=True)
class Fail:
    """The model refuses with a status of HTTP."""

    status: int


Move: TypeAlias = Run | Ask | Delegate | Say | Fail
Script: TypeAlias = Mapping[str, Sequence[Move]]


@dataclass(frozen=True, slots=True)
class Asked:
    """One request of a client: where it went, and what it holds."""

    path: str
    body: Json

    @property
    def text(self) -> str:
        """All that stands in the model's input, as plain text."""
        return "\n".join(_texts([self.body.get("system"), self.body.get("input"), self.body.get("messages")]))

    def summarises(self) -> bool:
        """Whether the client asks for a summary of the conversation."""
        return any(mark in text for text, _ in _conversation(self.body)[-2:] for mark in SUMMARISE)


@dataclass
class Model:
    """A running server: where it listens, what it says, what it was asked.

    Attributes:
        port: on loopback.
        script: what to do, by a part of what the person says.
        asked: the requests so far, oldest first.
    """

    port: int = 0
    script: Script = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)

    def next_move(self, asked: Asked) -> Move:
        """What the script has for this request: by the newest words that it knows, and the results after them."""
        if asked.summarises():
            return Say("Earlier work is done; nothing of it is listed here.")
        found: Sequence[Move] = ()
        results = 0
        for text, is_result in _conversation(asked.body):
            if is_result:
                results += 1
            elif (mark := next((mark for mark in self.script if mark in text), None)) is not None:
                found, results = self.script[mark], 0
        return found[min(results, len(found) - 1)] if found else Say("Noted.")


@contextmanager
def scripted_model(script: Script | None = None) -> Iterator[Model]:
    """A model that listens until the context ends."""
    model = Model(script=dict(script or {}))

    class Handler(_Handler):
        answers = model

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    model.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
        thread.join(LIMIT_SECONDS)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = LIMIT_SECONDS
    answers: Model

    def log_message(self, format: str, *words: object) -> None:  # noqa: A002 - the standard library's own name
        """Say nothing."""

    def do_GET(self) -> None:
        """Nothing is here to get."""
        self._send(404, "application/json", b"{}")

    def do_HEAD(self) -> None:
        """A client looks whether somebody is there."""
        self._send(200, "application/json", b"")

    def do_POST(self) -> None:
        """One request for a model's next move."""
        raw = self.rfile.read(min(int(self.headers.get("Content-Length") or 0), MAX_REQUEST))
        path = self.path.split("?", 1)[0]
        if path not in {"/v1/responses", "/v1/messages"}:
            self._send(404, "application/json", b"{}")
            return
        asked = Asked(path, json.loads(raw))
        self.answers.asked.append(asked)
        move = self.answers.next_move(asked)
        if isinstance(move, Fail):
            error = {"type": "error", "error": {"type": "invalid_request_error", "message": "the script says so"}}
            self._send(move.status, "application/json", json.dumps(error).encode())
            return
        events = _responses(asked, move) if path == "/v1/responses" else _messages(asked, move)
        stream = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
        self._send(200, "text/event-stream", stream.encode())

    def _send(self, status: int, kind: str, data: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _conversation(body: Json) -> list[tuple[str, bool]]:
    """What the person said and what calls gave back, oldest first: the text, and whether it is a result."""
    found: list[tuple[str, bool]] = []
    for item in body.get("input") or ():  # Responses
        if item.get("type") == "message" and item.get("role") == "user":
            found.append(("\n".join(_texts(item.get("content"))), False))
        elif str(item.get("type")).endswith("_output"):
            found.append(("", True))
    for message in body.get("messages") or ():  # Messages: results stand in the person's messages
        if message.get("role") != "user":
            continue
        content = message.get("content")
        parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
        for part in parts:
            result = part.get("type") == "tool_result"
            found.append(("" if result else "\n".join(_texts(part)), result))
    return found


def _texts(value: object) -> Iterator[str]:
    """Every string of a value that is text of the conversation."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        for name in ("text", "content", "output", "arguments", "input"):
            yield from _texts(value.get(name))


def _arguments(asked: Asked, call: Ask) -> dict[str, str]:
    session = SESSION.findall(asked.text)
    return {name: value.replace("{session}", session[-1] if session else "?") for name, value in call.arguments.items()}


def _responses(asked: Asked, move: Run | Ask | Delegate | Say) -> Iterator[Json]:
    """OpenAI's Responses: one item, whole."""
    number = len(asked.body.get("input") or ())
    item: Json = {"id": f"item_{number}", "status": "completed"}
    tokens = 20
    match move:
        case Say(text, tokens):
            item |= {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
        case Run(command):
            item |= {"type": "function_call", "call_id": f"call_{number}", "name": "exec_command"}
            item["arguments"] = json.dumps({"cmd": command})
        case Ask(tool):
            item |= {"type": "function_call", "call_id": f"call_{number}", **_codex_tool(asked, tool)}
            item["arguments"] = json.dumps(_arguments(asked, move))
        case Delegate(prompt):
            item |= {"type": "function_call", "call_id": f"call_{number}", "name": "spawn_agent"}
            item |= {"namespace": "multi_agent_v1", "arguments": json.dumps({"message": prompt})}
    yield {"type": "response.created", "response": {"id": f"resp_{number}"}}
    yield {"type": "response.output_item.added", "output_index": 0, "item": item}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}
    usage = {"input_tokens": tokens, "output_tokens": 10, "total_tokens": tokens + 10}
    yield {"type": "response.completed", "response": {"id": f"resp_{number}", "output": [item], "usage": usage}}


def _codex_tool(asked: Asked, tool: str) -> dict[str, str]:
    """What Codex calls a tool of Ferrule: in a namespace of the server, or with the server's name before it."""
    for offered in asked.body.get("tools") or ():
        name = str(offered.get("name"))
        inner = [str(one.get("name")) for one in offered.get("tools") or ()]
        if "ferrule" in name and tool in inner:
            return {"name": tool, "namespace": name}
    return {"name": f"mcp__ferrule__{tool}"}


def _claude_call(asked: Asked, move: Run | Ask | Delegate) -> tuple[str, Mapping[str, str]]:
    match move:
        case Run(command):
            return "Bash", {"command": command}
        case Ask(tool):
            return f"mcp__ferrule__{tool}", _arguments(asked, move)
        case Delegate(prompt):
            return "Agent", {"description": "a part of it", "prompt": prompt, "subagent_type": "general-purpose"}


def _messages(asked: Asked, move: Run | Ask | Delegate | Say) -> Iterator[Json]:
    """Anthropic's Messages: one block, in two pieces."""
    number = len(asked.body.get("messages") or ())
    tokens = 20
    match move:
        case Say(text, tokens):
            block, delta, reason = {"type": "text", "text": ""}, {"type": "text_delta", "text": text}, "end_turn"
        case Run() | Ask() | Delegate():
            name, given = _claude_call(asked, move)
            block = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": {}}  # type: ignore[dict-item]
            delta, reason = {"type": "input_json_delta", "partial_json": json.dumps(given)}, "tool_use"
    message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": "scripted", "content": []}
    usage = {"input_tokens": tokens, "output_tokens": 10}
    yield {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None, "usage": usage}}
    yield {"type": "content_block_start", "index": 0, "content_block": block}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    yield {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage}
    yield {"type": "message_stop"}
