"""Codex: hooks in `hooks.json`, servers in `config.toml`, prompts as Markdown files; hooks need the person's trust.

Owns where those are, their form, the units in them (timeouts are seconds), and how Codex keeps what was trusted: by
the place of a hook and a digest of what it runs, in `config.toml`. Knows nothing of how files are edited.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from ferrule.adapters.clients.command_lines import context_words, hook_words, mcp_words, shell
from ferrule.adapters.clients.described import Client, Entry, Folders, HookEntry, TableEntry, TextEntry, Wish
from ferrule.adapters.clients.json_text import JsonValue

__all__ = ["CODEX", "HookPlace", "Trust", "trust_of"]

NAME = "codex"
STOP_SECONDS, START_SECONDS = 10, 10
USUAL_SECONDS = 600
"""What Codex takes where a hook names no timeout."""
EVENTS = {"Stop": "stop", "SessionStart": "session_start"}


class Trust(StrEnum):
    """What Codex's own file says of a hook."""

    TRUSTED = "trusted"
    MISSING = "missing"
    OTHER = "other"
    SWITCHED_OFF = "off"


@dataclass(frozen=True, slots=True)
class HookPlace:
    """Where a handler stands: the file as Codex names it, the event, the numbers of group and handler."""

    file: Path
    event: str
    group: int
    handler: int


def trust_of(config: Mapping[str, object], place: HookPlace, group: object) -> Trust:
    """Whether Codex runs the handler at that place; `config` is what `config.toml` says, `group` the hook's group."""
    event = place.event
    name = f"{place.file}:{EVENTS[event]}:{place.group}:{place.handler}"
    hooks = config.get("hooks")
    states = hooks.get("state") if isinstance(hooks, Mapping) else None
    state = states.get(name) if isinstance(states, Mapping) else None
    if not isinstance(state, Mapping):
        return Trust.MISSING
    if state.get("enabled") is False:
        return Trust.SWITCHED_OFF
    trusted = state.get("trusted_hash")
    if not isinstance(trusted, str):
        return Trust.MISSING
    return Trust.TRUSTED if trusted == _digest(event, place.handler, group) else Trust.OTHER


def _digest(event: str, number: int, group: object) -> str:
    """The digest of 0.171.0 over what a handler is: sorted JSON of event, matcher and the handler with its defaults."""
    handlers = group.get("hooks") if isinstance(group, Mapping) else None
    handler = handlers[number] if isinstance(handlers, list) and number < len(handlers) else None
    if not isinstance(handler, Mapping):
        return ""
    matcher = group.get("matcher") if isinstance(group, Mapping) and event != "Stop" else None
    whole: dict[str, object] = {
        "event_name": EVENTS[event],
        "hooks": [{"async": False, "timeout": USUAL_SECONDS, **handler}],
    }
    if isinstance(matcher, str):
        whole["matcher"] = matcher
    text = json.dumps(whole, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _entries(folders: Folders, wish: Wish) -> tuple[Entry, ...]:
    hooks = folders.config / "hooks.json"
    runtime = wish.runtime
    stop: dict[str, JsonValue] = {"type": "command", "command": shell(hook_words(runtime, NAME))}
    start: dict[str, JsonValue] = {"type": "command", "command": shell(context_words(runtime, NAME))}
    server = mcp_words(runtime)
    return (
        HookEntry(
            hooks,
            "Stop",
            {**stop, "timeout": STOP_SECONDS},
            "when a turn ends, a note of it is left for review (milliseconds, and never an error)",
        ),
        HookEntry(
            hooks,
            "SessionStart",
            {**start, "timeout": START_SECONDS},
            "when a session starts, resumes or was compacted, the agent is told what it knew",
        ),
        TableEntry(
            folders.config / "config.toml",
            ("mcp_servers", "ferrule"),
            {"command": server[0], "args": server[1:]},
            "the agent can search its memory (MCP, read only)",
            "it has an MCP server named ferrule that is not ours: rename it, or install with --no-mcp",
            wanted=wish.mcp,
        ),
        *(
            TextEntry(folders.config / "prompts" / name, data, f"the prompt {Path(name).stem}")
            for name, data in sorted(wish.texts.items())
        ),
    )


CODEX = Client(
    name=NAME,
    title="Codex",
    programme="codex",
    tried=("0.118.0", "0.171.0"),
    texts_folder="prompts",
    has_status_line=False,
    entries=_entries,
    next_steps=(
        "Codex runs no hook that you have not trusted. Start `codex` in a terminal: it says that hooks need review.",
        "Choose `Trust all and continue` there, or look at each with /hooks. Until then it passes over them silently.",
    ),
)
