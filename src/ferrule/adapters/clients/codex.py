"""Codex: hooks in `hooks.json`, servers in `config.toml`, a skill as a Markdown file; hooks need the person's trust.

Owns where those are, their form, the units in them (timeouts are seconds), and how Codex keeps what was trusted: by
the place of a hook and a digest of what it runs, in `config.toml`. Knows nothing of how files are edited.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from ferrule.adapters.clients import json_text
from ferrule.adapters.clients.changes import read_file, target_of
from ferrule.adapters.clients.command_lines import context_words, hook_line, hook_words, mcp_words
from ferrule.adapters.clients.described import (
    AT_END,
    AT_START,
    Client,
    Entry,
    Folders,
    HookEntry,
    TableEntry,
    TextEntry,
    Wish,
)
from ferrule.adapters.clients.json_text import JsonValue
from ferrule.adapters.clients.placing import own_hooks
from ferrule.errors import FerruleError

__all__ = ["CODEX", "HookPlace", "Trust", "has_hooks_behind_ours", "trust_of"]

NAME = "codex"
SKILL = "skills/ferrule"
"""Codex took a person's own prompts until 0.116; since then a skill is what a person calls by its name ($ferrule)."""
STOP_SECONDS, START_SECONDS = 10, 10
USUAL_SECONDS = 600
"""What Codex takes where a hook names no timeout."""
EVENTS = {"Stop": "stop", "SessionStart": "session_start"}


class Trust(StrEnum):
    """What Codex's own file says of a hook, from the best to the worst known."""

    TRUSTED = "trusted"
    SWITCHED_OFF = "off"
    OTHER = "other"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class HookPlace:
    """Where a handler stands: the file as Codex names it, the event, the numbers of group and handler."""

    file: Path
    event: str
    group: int
    handler: int

    @property
    def name(self) -> str:
        """What Codex calls it."""
        return f"{self.file}:{EVENTS[self.event]}:{self.group}:{self.handler}"


def trust_of(config: Mapping[str, object], place: HookPlace, group: object) -> Trust:
    """Whether Codex runs the handler at that place; `config` is what `config.toml` says, `group` the hook's group."""
    event = place.event
    hooks = config.get("hooks")
    states = hooks.get("state") if isinstance(hooks, Mapping) else None
    state = states.get(place.name) if isinstance(states, Mapping) else None
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


def has_hooks_behind_ours(folders: Folders) -> bool:
    """Whether others' hooks move up when ours go: Codex knows a hook by its number, and asks for trust again."""
    value, found = _own(folders)
    hooks = value.get("hooks") if isinstance(value, dict) else None
    for place in found:
        groups = hooks.get(place.event) if isinstance(hooks, dict) else None
        if isinstance(groups, list) and place.group < len(groups) - 1:
            return True
    return False


def _traces(folders: Folders) -> tuple[tuple[str, ...], ...]:
    """Where `config.toml` keeps the trust in our hooks."""
    _, found = _own(folders)
    names = [replace(place, file=file).name for place in found for file in (place.file, target_of(place.file))]
    return tuple(("hooks", "state", name) for name in dict.fromkeys(names))


def _own(folders: Folders) -> tuple[JsonValue, list[HookPlace]]:
    """What the file of the hooks says, and where ours stand in it."""
    file = folders.config / "hooks.json"
    try:
        data = read_file(target_of(file))
        value = None if data is None else json_text.load(data.decode("utf-8"))
    except (FerruleError, UnicodeDecodeError):  # told where that file is planned
        return None, []
    return value, [HookPlace(file, event, group, at) for event, group, at, _ in own_hooks(value) if event in EVENTS]


def _entries(folders: Folders, wish: Wish) -> tuple[Entry, ...]:
    hooks = folders.config / "hooks.json"
    stop, start = hook_line(hook_words(wish.runtime, NAME)), hook_line(context_words(wish.runtime, NAME))
    python, *arguments = mcp_words(wish.runtime)
    return (
        HookEntry(hooks, "Stop", {"type": "command", "command": stop, "timeout": STOP_SECONDS}, AT_END),
        HookEntry(hooks, "SessionStart", {"type": "command", "command": start, "timeout": START_SECONDS}, AT_START),
        TableEntry(
            folders.config / "config.toml",
            ("mcp_servers", "ferrule"),
            {"command": python, "args": arguments},
            "the agent can search its memory (MCP, read only)",
            "it has an MCP server named ferrule that is not ours: rename it, or install with --no-mcp",
            wanted=wish.mcp,
        ),
        *(
            TextEntry(
                folders.config / SKILL / name,
                data,
                "the skill $ferrule: see, forget, pause, when you ask for it",
                wish.always.get(name, ()),
            )
            for name, data in sorted(wish.texts.items())
        ),
    )


CODEX = Client(
    name=NAME,
    title="Codex",
    programme="codex",
    tried=("0.171.0", "0.171.0"),
    texts_folder=SKILL,
    has_status_line=False,
    entries=_entries,
    next_steps=(
        "Codex runs no hook that you have not trusted. Start `codex` in a terminal: it says that hooks need review.",
        "Choose `Trust all and continue` there, or look at each with /hooks. Until then it passes over them silently.",
    ),
    traces=_traces,
)
