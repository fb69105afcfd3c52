"""Stand-in folders of clients, as the real ones leave them, and a command line over them."""

import json
from dataclasses import dataclass
from pathlib import Path

__all__ = ["CLAUDE_SERVERS", "CLAUDE_SETTINGS", "CODEX_CONFIG", "User", "a_user"]

CLAUDE_SETTINGS = (
    '{\n    "model": "opus",\n    "hooks": {\n        "Stop": [\n            {\n'
    '                "hooks": [ { "type": "command", "command": "notify done" } ]\n            }\n        ]\n    }\n}\n'
)
CLAUDE_SERVERS = '{"numStartups": 3, "mcpServers": {"docs": {"command": "docs"}}, "projects": {"/w": {"history": []}}}'
CODEX_CONFIG = '# mine\r\nmodel = "x"\r\n\r\n[mcp_servers.docs]\r\ncommand = "docs"'


@dataclass(frozen=True)
class User:
    """A person's own folder with both clients' configurations in it."""

    home: Path

    @property
    def settings(self) -> Path:
        return self.home / ".claude" / "settings.json"

    @property
    def servers(self) -> Path:
        return self.home / ".claude.json"

    @property
    def hooks(self) -> Path:
        return self.home / ".codex" / "hooks.json"

    @property
    def config(self) -> Path:
        return self.home / ".codex" / "config.toml"

    def files(self) -> dict[str, bytes]:
        """Everything in the clients' folders, byte for byte."""
        return {
            str(path.relative_to(self.home)): path.read_bytes()
            for top in (".claude", ".codex", ".claude.json")
            for path in [self.home / top, *(self.home / top).rglob("*")]
            if path.is_file()
        }

    def folders(self) -> set[str]:
        """The folders in the clients' folders."""
        return {
            str(path.relative_to(self.home))
            for top in (".claude", ".codex")
            for path in (self.home / top).rglob("*")
            if path.is_dir()
        }

    def hook(self, file: Path, event: str = "Stop") -> dict[str, object]:
        """The last handler of an event."""
        found: dict[str, object] = json.loads(file.read_text(encoding="utf-8"))["hooks"][event][-1]["hooks"][-1]
        return found


def a_user(home: Path) -> User:
    """A person who has used both clients."""
    user = User(home)
    for file, text in (
        (user.settings, CLAUDE_SETTINGS),
        (user.servers, CLAUDE_SERVERS),
        (user.config, CODEX_CONFIG),
    ):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
    return user


def programme(folder: Path, name: str, said: str) -> Path:
    """A stand-in on PATH that says a version."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{said}'\n", encoding="utf-8")
    path.chmod(0o755)
    return path
