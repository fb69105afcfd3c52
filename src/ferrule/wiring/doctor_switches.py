"""A client may pass over our entries though they are right: a switch of its own, or a person's trust that is missing.

Owns where clients keep those, as far as that can be read from their files. Knows nothing of the entries themselves.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ferrule.adapters.clients import json_text, toml_text
from ferrule.adapters.clients.changes import read_file, target_of
from ferrule.adapters.clients.claude_code import CLAUDE_CODE
from ferrule.adapters.clients.codex import CODEX, HookPlace, Trust, trust_of
from ferrule.adapters.clients.described import Client, Folders, HookEntry
from ferrule.adapters.clients.standing import Standing
from ferrule.errors import FerruleError
from ferrule.wiring.doctor_findings import Finding, note, problem

__all__ = ["switched_off", "untrusted"]

MANAGED = Path(
    "/Library/Application Support/ClaudeCode/managed-settings.json"
    if sys.platform == "darwin"
    else "/etc/claude-code/managed-settings.json"
)
HOW_TO_TRUST = "start `codex` in a terminal and choose `Trust all and continue`, or look at each with /hooks"


def switched_off(client: Client, folders: Folders) -> Iterator[Finding]:
    """Switches of the client, its administrator or this folder's project that keep our hooks from running."""
    if client.name == CLAUDE_CODE.name:
        yield from _claude_code(folders)
    elif client.name == CODEX.name:
        yield from _codex(_toml(folders.config / "config.toml"), folders.config / "config.toml")


def _claude_code(folders: Folders) -> Iterator[Finding]:
    here = Path.cwd() / ".claude"
    files = [folders.config / "settings.json", here / "settings.json", here / "settings.local.json", MANAGED]
    for file in dict.fromkeys(files):
        values = _json(file)
        if values.get("disableAllHooks") is True:
            yield problem("hooks-disabled", f"{file}: disableAllHooks is on: no hook runs", "take that line out")
        if file == MANAGED and values.get("allowManagedHooksOnly") is True:
            fix = "ask whoever manages this machine to allow the hook"
            yield problem("hooks-managed", f"{file}: only the administrator's hooks run", fix)


def _codex(config: Mapping[str, object], file: Path) -> Iterator[Finding]:
    features = config.get("features")
    for name in ("hooks", "codex_hooks"):
        if isinstance(features, Mapping) and features.get(name) is False:
            yield problem("hooks-disabled", f"{file}: [features] {name} is off: no hook runs", "take that line out")
    servers = config.get("mcp_servers")
    server = servers.get("ferrule") if isinstance(servers, Mapping) else None
    if isinstance(server, Mapping) and server.get("enabled") is False:
        yield note("mcp-disabled", f"{file}: the memory search is switched off (enabled = false)")


def untrusted(client: Client, folders: Folders, stand: Sequence[Standing]) -> Iterator[Finding]:
    """Hooks of ours that Codex would pass over without a word, since nobody has trusted them as they are now."""
    if client.name != CODEX.name:
        return
    config = _toml(folders.config / "config.toml")
    found: dict[Trust, list[str]] = {}
    for one in stand:
        if isinstance(one.entry, HookEntry) and one.place is not None:
            found.setdefault(_trust(config, one.entry, one.place), []).append(one.entry.event)
    for trust, events in found.items():
        if trust is not Trust.TRUSTED:
            code, text, fix = _WORDS[trust]
            yield problem(code, text.format(" and ".join(events)), fix)


def _trust(config: Mapping[str, object], entry: HookEntry, place: tuple[int, int]) -> Trust:
    """The best that is known of the hook, whichever way Codex names its file."""
    file = entry.file
    group = _group(_json(file), entry.event, place[0])
    places = [HookPlace(path, entry.event, *place) for path in dict.fromkeys((file, target_of(file)))]
    known = {trust_of(config, place, group) for place in places}
    return next(trust for trust in Trust if trust in known)


_WORDS = {
    Trust.SWITCHED_OFF: ("hook-off", "hooks switched off in Codex: {}", "switch it on with /hooks in `codex`"),
    Trust.OTHER: (
        "hook-changed",
        "hooks not as they were trusted, so Codex passes over them (or it keeps trust in another form now): {}",
        HOW_TO_TRUST,
    ),
    Trust.MISSING: (
        "hook-untrusted",
        "hooks not trusted yet, so Codex passes over them without a word: {}",
        HOW_TO_TRUST,
    ),
}


def _group(values: Mapping[str, object], event: str, number: int) -> object:
    hooks = values.get("hooks")
    groups = hooks.get(event) if isinstance(hooks, Mapping) else None
    return groups[number] if isinstance(groups, list) and number < len(groups) else None


def _json(file: Path) -> Mapping[str, object]:
    """What a JSON file says; nothing where that cannot be told, which is told elsewhere."""
    try:
        data = read_file(target_of(file))
        value = None if data is None else json_text.load(data.decode("utf-8"))
    except (FerruleError, UnicodeDecodeError):
        return {}
    return value if isinstance(value, dict) else {}


def _toml(file: Path) -> Mapping[str, object]:
    try:
        data = read_file(target_of(file))
        return {} if data is None else toml_text.load(data.decode("utf-8"))
    except (FerruleError, UnicodeDecodeError):
        return {}
