"""Clients that end turns: their transcripts line by line, their payloads, and the real hook as they run it."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HOOK = Path(__file__).parents[2] / "src" / "ferrule" / "interfaces" / "hook" / "hook.py"
LONG = 30.0
CLAUDE_SESSION = "7d3f9b52-0000-4000-8000-00000000000a"
THREAD = "019a0000-0000-7000-8000-00000000000b"

Payload = dict[str, Any]


def run_hook(
    client: str,
    payload: object,
    home: Path,
    *words: str,
    environment: Mapping[str, str] | None = None,
    around: Sequence[str] = (),
) -> subprocess.CompletedProcess[bytes]:
    """Run the hook as a client does; bytes and texts go to standard input as they are, anything else as JSON.

    `around` is a command that runs it, such as a shell with a limit.
    """
    given = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    env = {"PATH": os.environ["PATH"], "FERRULE_WORKER": "off", "PYTHONDONTWRITEBYTECODE": "1", **(environment or {})}
    command = [*around, sys.executable, "-I", "-S", str(HOOK), client, "--home", str(home), *words]
    return subprocess.run(  # noqa: S603 - our own interpreter and file
        command, input=given, capture_output=True, timeout=LONG, check=False, env=env
    )


def spooled(home: Path) -> list[Payload]:
    """What stands in the spool, oldest first."""
    return [json.loads(path.read_text(encoding="ascii")) for path in sorted((home / "spool").glob("*.json"))]


@dataclass
class Claude:
    """A Claude Code session that names its prompts; a turn is told from `asks` to `stop`."""

    folder: Path
    session: str = CLAUDE_SESSION
    cwd: str = "/work/kestrel"
    version: str = "2.1.300"
    lines: list[Payload] = field(default_factory=list)
    prompts: int = 0
    final: str = ""

    @property
    def path(self) -> Path:
        """Where the transcript is."""
        return self.folder / f"{self.session}.jsonl"

    @property
    def prompt(self) -> str:
        """The id of the running prompt."""
        return f"prompt-{self.prompts}"

    @property
    def turn(self) -> str:
        """The key of the running turn: the uuid of its user line."""
        return next(str(line["uuid"]) for line in reversed(self.lines) if line.get("promptSource"))

    def asks(self, text: str) -> "Claude":
        """The person says something."""
        self.prompts += 1
        self._add("user", text, promptId=self.prompt, promptSource="typed")
        return self

    def calls(self, tool: str, result: str, **arguments: object) -> "Claude":
        """A tool call with its result."""
        ident = f"toolu_{len(self.lines):04d}"
        self._add("assistant", [{"type": "tool_use", "id": ident, "name": tool, "input": arguments}])
        answer = [{"type": "tool_result", "tool_use_id": ident, "content": result, "is_error": False}]
        self._add("user", answer, promptId=self.prompt)
        return self

    def says(self, text: str) -> "Claude":
        """The final words."""
        self.final = text
        self._add("assistant", [{"type": "text", "text": text}])
        return self

    def interrupted(self) -> "Claude":
        """The person stops the agent."""
        self._add("user", [{"type": "text", "text": "[Request interrupted by user]"}], promptId=self.prompt)
        return self

    def _add(self, kind: str, content: object, **more: object) -> None:
        number = len(self.lines) + 1
        line = {
            "type": kind,
            "uuid": f"{number:08d}-0000-4000-8000-{self.session[-12:]}",
            "parentUuid": self.lines[-1]["uuid"] if self.lines else None,
            "isSidechain": False,
            "sessionId": self.session,
            "timestamp": f"2026-03-02T{10 + number // 3600:02d}:{number // 60 % 60:02d}:{number % 60:02d}.000Z",
            "cwd": self.cwd,
            "gitBranch": "main",
            "version": self.version,
            "message": {"id": f"m{number}", "role": kind, "content": content},
        }
        self.lines.append(line | more)

    def written(self, *, without: int = 0) -> "Claude":
        """Write the file; without its last lines, as a client that lags does."""
        _put(self.path, self.lines[: len(self.lines) - without])
        return self

    def stop(self, **more: object) -> Payload:
        """The payload at the end of the running turn."""
        return {
            "session_id": self.session,
            "transcript_path": str(self.path),
            "cwd": self.cwd,
            "prompt_id": self.prompt,
            "permission_mode": "default",
            "effort": {"level": "high"},
            "hook_event_name": "Stop",
            "stop_hook_active": False,
            "last_assistant_message": self.final,
            "background_tasks": [],
            "session_crons": [],
        } | more


@dataclass
class Codex:
    """A Codex thread in its home; a turn is told from `asks` to `completes`."""

    home: Path
    thread: str = THREAD
    cwd: str = "/work/kestrel"
    source: object = "cli"
    lines: list[Payload] = field(default_factory=list)
    turns: int = 0
    final: str = ""
    prompts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        git = {"branch": "main", "repository_url": "https://git.example/harbor/kestrel.git"}
        meta = {"id": self.thread, "session_id": self.thread, "cwd": self.cwd, "source": self.source, "git": git}
        self._add("session_meta", meta)

    @property
    def path(self) -> Path:
        """Where the rollout is."""
        return self.home / "sessions" / "2026" / "03" / "02" / f"rollout-2026-03-02T10-00-00-{self.thread}.jsonl"

    @property
    def turn(self) -> str:
        """The id of the running turn."""
        return f"turn-{self.turns}"

    def asks(self, text: str) -> "Codex":
        """The person says something: a task starts."""
        self.turns += 1
        self.prompts.append(text)
        self._event("task_started", turn_id=self.turn)
        self._add("turn_context", {"turn_id": self.turn, "cwd": self.cwd})
        item = {"type": "UserMessage", "content": [{"type": "text", "text": text}]}
        self._event("item_completed", turn_id=self.turn, item=item)
        return self

    def calls(self, command: str, output: str, code: int = 0) -> "Codex":
        """A command with its output."""
        call = f"call_{len(self.lines)}"
        arguments = json.dumps({"cmd": command})
        self._add(
            "response_item",
            {"type": "function_call", "name": "exec_command", "arguments": arguments, "call_id": call},
        )
        item = {"type": "CommandExecution", "id": call, "cwd": self.cwd, "exit_code": code}
        self._event("item_completed", turn_id=self.turn, item=item)
        text = f"Process exited with code {code}\nOutput:\n{output}"
        self._add("response_item", {"type": "function_call_output", "call_id": call, "output": text})
        return self

    def says(self, text: str) -> "Codex":
        """The final words; the task's completion comes a line later."""
        self.final = text
        item = {"type": "AgentMessage", "content": [{"type": "Text", "text": text}]}
        self._event("item_completed", turn_id=self.turn, item=item)
        return self

    def completes(self) -> "Codex":
        """The task is complete."""
        self._event("task_complete", turn_id=self.turn, last_agent_message=self.final)
        return self

    def _event(self, kind: str, **members: object) -> None:
        self._add("event_msg", {"type": kind, **members})

    def _add(self, kind: str, payload: Payload) -> None:
        number = len(self.lines)
        stamp = f"2026-03-02T{10 + number // 3600:02d}:{number // 60 % 60:02d}:{number % 60:02d}.000Z"
        self.lines.append({"timestamp": stamp, "ordinal": number, "type": kind, "payload": payload})

    def written(self, *, without: int = 0) -> "Codex":
        """Write the file; without its last lines, as a client that lags does."""
        _put(self.path, self.lines[: len(self.lines) - without])
        return self

    def stop(self, **more: object) -> Payload:
        """The payload at the end of the running turn."""
        return {
            "session_id": self.thread,
            "turn_id": self.turn,
            "transcript_path": str(self.path),
            "cwd": self.cwd,
            "hook_event_name": "Stop",
            "model": "some-model",
            "permission_mode": "default",
            "stop_hook_active": False,
            "last_assistant_message": self.final,
        } | more

    def notify(self) -> Payload:
        """What `notify` gets as its last argument: every prompt of the session."""
        return {
            "type": "agent-turn-complete",
            "thread-id": self.thread,
            "turn-id": self.turn,
            "cwd": self.cwd,
            "client": "codex-tui",
            "input-messages": self.prompts,
            "last-assistant-message": self.final,
        }


def _put(path: Path, lines: list[Payload]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
