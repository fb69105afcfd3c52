"""The real command line in this process, a home of its own per test, and transcripts made to measure."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from ferrule.interfaces.cli.entry import run


@dataclass(frozen=True)
class Told:
    """What a command said and how it ended."""

    code: int
    out: str
    err: str

    def rows(self) -> list[dict[str, Any]]:
        """The JSON objects of its output."""
        return [json.loads(line) for line in self.out.splitlines()]


Ferrule = Callable[..., Told]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, and no clients' folders of the machine that runs the tests."""
    place = tmp_path / "home"
    monkeypatch.setenv("FERRULE_HOME", str(place))
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.delenv("CODEX_HOME", raising=False)
    monkeypatch.delenv("COLUMNS", raising=False)
    return place


@pytest.fixture
def ferrule(home: Path, capsys: pytest.CaptureFixture[str]) -> Ferrule:
    """Run one command line against the test's home."""
    assert home is not None

    def command(*words: str) -> Told:
        capsys.readouterr()
        code = run(list(words))
        told = capsys.readouterr()
        return Told(code, told.out, told.err)

    return command


@dataclass
class Transcript:
    """A Claude Code session, written line by line as the client does."""

    session: str
    cwd: str
    lines: list[dict[str, Any]] = field(default_factory=list)
    branch: str = "main"

    def _line(self, kind: str, content: object, **more: object) -> None:
        number = len(self.lines) + 1
        line = {
            "type": kind,
            "uuid": f"{number:08d}-0000-4000-8000-{self.session[-12:]:0>12}",
            "parentUuid": self.lines[-1]["uuid"] if self.lines else None,
            "sessionId": self.session,
            "timestamp": f"2026-03-02T10:{number // 60:02d}:{number % 60:02d}.000Z",
            "cwd": self.cwd,
            "gitBranch": self.branch,
            "version": "2.1.100",
            "userType": "external",
            "isSidechain": False,
            "message": {"role": kind, "content": content},
        }
        self.lines.append(line | more)

    def user(self, text: str) -> "Transcript":
        """The user says something: a turn begins."""
        self._line("user", text)
        return self

    def call(self, tool: str, result: str, *, error: bool = False, **arguments: object) -> "Transcript":
        """The agent calls a tool and gets its result."""
        ident = f"toolu_{len(self.lines):04d}"
        self._line("assistant", [{"type": "tool_use", "id": ident, "name": tool, "input": arguments}])
        self._line("user", [{"type": "tool_result", "tool_use_id": ident, "content": result, "is_error": error}])
        return self

    def says(self, text: str) -> "Transcript":
        """The agent's final words: the turn is completed."""
        self._line("assistant", [{"type": "text", "text": text}])
        return self

    def written(self, folder: Path, *, lines: int | None = None) -> Path:
        """The session as a file; only its first lines when asked for."""
        path = folder / f"{self.session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(line) + "\n" for line in self.lines[:lines]), encoding="utf-8")
        return path


@pytest.fixture
def transcript() -> Callable[..., Transcript]:
    """A new transcript: session id and working directory."""

    def begin(session: str = "5f1c0b7e-0000-4000-8000-000000000001", cwd: str = "/w/shop") -> Transcript:
        return Transcript(session, cwd)

    return begin
