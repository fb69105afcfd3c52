"""Claude Code: hooks and status line in `settings.json`, servers in `.claude.json`, commands as Markdown files.

Owns where those are, their form, and the units in them: timeouts are seconds. Knows nothing of how they are edited.
"""

from pathlib import Path

from ferrule.adapters.clients.command_lines import context_words, hook_line, hook_words, mcp_words, shell, status_words
from ferrule.adapters.clients.described import (
    AT_END,
    AT_START,
    Client,
    Entry,
    Folders,
    HookEntry,
    MemberEntry,
    TextEntry,
    Wish,
)

__all__ = ["CLAUDE_CODE", "servers_file"]

NAME = "claude-code"
STOP_SECONDS, START_SECONDS = 10, 10


def servers_file(folders: Folders) -> Path:
    """Where the client keeps the person's MCP servers: beside its usual folder, inside any other one.

    An older name inside the folder goes first where the file is there, as the client has it.
    """
    older = folders.config / ".config.json"
    if older.exists():
        return older
    return (folders.user or folders.config) / ".claude.json"


def _entries(folders: Folders, wish: Wish) -> tuple[Entry, ...]:
    settings = folders.config / "settings.json"
    stop, start = hook_line(hook_words(wish.runtime, NAME)), hook_line(context_words(wish.runtime, NAME))
    return (
        HookEntry(settings, "Stop", {"type": "command", "command": stop, "timeout": STOP_SECONDS}, AT_END),
        HookEntry(settings, "SessionStart", {"type": "command", "command": start, "timeout": START_SECONDS}, AT_START),
        _status_line(settings, wish),
        _server(folders, wish),
        *(
            TextEntry(
                folders.config / "commands" / "ferrule" / name,
                data,
                f"the command /ferrule:{Path(name).stem}",
                wish.always.get(name, ()),
            )
            for name, data in sorted(wish.texts.items())
        ),
    )


def _status_line(settings: Path, wish: Wish) -> MemberEntry:
    command = shell(status_words(wish.runtime))
    return MemberEntry(
        settings,
        (),
        "statusLine",
        {"type": "command", "command": command},
        lambda value: value.get("command"),
        "the status line shows what is remembered",
        f"you have a status line of your own; leave --status-line out, and call this in yours: {command}",
        wanted=wish.status_line,
    )


def _server(folders: Folders, wish: Wish) -> MemberEntry:
    python, *arguments = mcp_words(wish.runtime)
    return MemberEntry(
        servers_file(folders),
        ("mcpServers",),
        "ferrule",
        {"type": "stdio", "command": python, "args": [*arguments]},
        lambda value: _line(value.get("command"), value.get("args")),
        "the agent can search its memory (MCP, read only)",
        "it has an MCP server named ferrule that is not ours: rename it, or install with --no-mcp",
        wanted=wish.mcp,
    )


def _line(command: object, arguments: object) -> list[object]:
    return [command, *(arguments if isinstance(arguments, list) else [])]


CLAUDE_CODE = Client(
    name=NAME,
    title="Claude Code",
    programme="claude",
    tried=("1.0.98", "2.1.197"),
    texts_folder="commands/ferrule",
    has_status_line=True,
    entries=_entries,
    next_steps=("Sessions that run already keep their old settings: start a new one, or restart them.",),
)
