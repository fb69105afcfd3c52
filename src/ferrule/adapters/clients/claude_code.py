"""Claude Code: hooks and status line in `settings.json`, servers in `.claude.json`, commands as Markdown files.

Owns where those are, their form, and the units in them: timeouts are seconds. Knows nothing of how they are edited.
"""

from pathlib import Path

from ferrule.adapters.clients.command_lines import context_words, hook_words, mcp_words, shell, status_words
from ferrule.adapters.clients.described import Client, Entry, Folders, HookEntry, MemberEntry, TextEntry, Wish

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
    runtime = wish.runtime
    server = mcp_words(runtime)
    return (
        HookEntry(
            settings,
            "Stop",
            {"type": "command", "command": shell(hook_words(runtime, NAME)), "timeout": STOP_SECONDS},
            "when a turn ends, a note of it is left for review (milliseconds, and never an error)",
        ),
        HookEntry(
            settings,
            "SessionStart",
            {"type": "command", "command": shell(context_words(runtime, NAME)), "timeout": START_SECONDS},
            "when a session starts, resumes or was compacted, the agent is told what it knew",
        ),
        MemberEntry(
            settings,
            (),
            "statusLine",
            {"type": "command", "command": shell(status_words(runtime))},
            lambda value: value.get("command"),
            "the status line shows what is remembered",
            "you have a status line of your own: call this in it instead: " + shell(status_words(runtime)),
            wanted=wish.status_line,
        ),
        MemberEntry(
            servers_file(folders),
            ("mcpServers",),
            "ferrule",
            {"type": "stdio", "command": server[0], "args": [*server[1:]]},
            lambda value: _line(value.get("command"), value.get("args")),
            "the agent can search its memory (MCP, read only)",
            "it has an MCP server named ferrule that is not ours: rename it, or install with --no-mcp",
            wanted=wish.mcp,
        ),
        *(
            TextEntry(folders.config / "commands" / "ferrule" / name, data, f"the command /ferrule:{Path(name).stem}")
            for name, data in sorted(wish.texts.items())
        ),
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
