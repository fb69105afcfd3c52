"""A profile is what a session is stored as, and the only thing that can make it a source (platform.md 1.2).

Owns the stored profiles as the platform writes them (`<agent-name>.agent.json`), the catalogue of those that ship and
those a home adds, and which profile an imported session gets. A file of a home can add a profile; it can neither
replace a shipped one nor make another one eligible. Knows nothing of where a home is.
"""

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from ferrule.errors import Code, UsageError
from ferrule.referents.expressions import expression
from ferrule.session.source import SOURCE_PROFILE

__all__ = [
    "MAX_PROFILE_BYTES",
    "PROFILE_ENDING",
    "AgentProfile",
    "ClientProfiles",
    "ProfileCatalogue",
    "client_profiles",
    "imported_profile",
    "read_profile",
    "shipped_profiles",
]

PROFILE_ENDING = ".agent.json"
MAX_PROFILE_BYTES = 64 * 1024
MAX_TEXT = 400
MAX_NAMES = 32
_NAME = expression(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True, slots=True)
class AgentProfile:
    """One stored profile: persona and boundary of the sessions that carry its name.

    Attributes:
        name: `AgentName`, what a session is stored with.
        display: `DisplayName`, for people.
        aliases: `Aliases`, other names that find it; none of them makes a session anything.
        prompt_file: `PromptFile`, beside the profile.
        project_file: `ProjectFilePath`; empty when it has no project of its own.
        prompt_context: `PromptContext`, a name or `none`.
        provider: `DefaultProviderName` or `Provider`; empty means as the home's settings say.
        model: `DefaultModelName`.
        reasoning: `DefaultReasoningLevel`.
        action_root: `RootActionPrototypeName`: only what descends from it is within reach.
        entity_root: `RootEntityPrototypeName`.
        ui_page: `UiPage`.
        read_only: `IsReadOnly`.
        hidden: `IsHidden`: left out of lists unless asked for (R1).
        can_change_model: `CanChangeModel` (R91).
        no_watcher: `DisableLevel2AutoAttach`: nothing is attached to its sessions by itself (R12).
        companions: `CompanionAgents` that its sessions get by themselves.
    """

    name: str
    display: str = ""
    aliases: tuple[str, ...] = ()
    prompt_file: str = ""
    project_file: str = ""
    prompt_context: str = "none"
    provider: str = ""
    model: str = ""
    reasoning: str = ""
    action_root: str = ""
    entity_root: str = ""
    ui_page: str = ""
    read_only: bool = False
    hidden: bool = False
    can_change_model: bool = False
    no_watcher: bool = False
    companions: tuple[str, ...] = ()


def read_profile(raw: bytes, file: str) -> AgentProfile:
    """Read one `<agent-name>.agent.json`. Fields it does not know are left alone: the platform has more of them.

    Args:
        raw: the file's bytes; give at most `MAX_PROFILE_BYTES + 1`.
        file: its name, for the message and because it must be called as its `AgentName` says.

    Raises:
        UsageError: `TOO_LARGE`, `BAD_TEXT`, `PARSE`, `BAD_TOOL_ARGS` or `BAD_IDENTIFIER`, in one sentence.
    """
    if len(raw) > MAX_PROFILE_BYTES:
        raise UsageError(f"{file} is larger than {MAX_PROFILE_BYTES} bytes", code=Code.TOO_LARGE)
    fields = _object(raw, file)
    name = fields.get("AgentName")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        wanted = "AgentName is a name of up to 100 letters, digits, dots, dashes"
        raise UsageError(f"{file}: {wanted}", code=Code.BAD_IDENTIFIER)
    if file.replace("\\", "/").rsplit("/", 1)[-1] != f"{name}{PROFILE_ENDING}":
        raise UsageError(f"{file} holds the profile {name}; call it {name}{PROFILE_ENDING}", code=Code.BAD_IDENTIFIER)
    return AgentProfile(
        name=name,
        display=_text(fields, "DisplayName", file),
        aliases=_names(fields, "Aliases", file),
        prompt_file=_text(fields, "PromptFile", file),
        project_file=_text(fields, "ProjectFilePath", file),
        prompt_context=_text(fields, "PromptContext", file) or "none",
        provider=_text(fields, "DefaultProviderName", file) or _text(fields, "Provider", file),
        model=_text(fields, "DefaultModelName", file),
        reasoning=_text(fields, "DefaultReasoningLevel", file),
        action_root=_text(fields, "RootActionPrototypeName", file),
        entity_root=_text(fields, "RootEntityPrototypeName", file),
        ui_page=_text(fields, "UiPage", file),
        read_only=_switch(fields, "IsReadOnly", file),
        hidden=_switch(fields, "IsHidden", file),
        can_change_model=_switch(fields, "CanChangeModel", file),
        no_watcher=_switch(fields, "DisableLevel2AutoAttach", file),
        companions=_names(fields, "CompanionAgents", file),
    )


def _object(raw: bytes, file: str) -> dict[str, object]:
    try:
        value = json.loads(raw.decode("utf-8"), object_pairs_hook=_once)
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not UTF-8 text (byte {error.start})", code=Code.BAD_TEXT) from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file} is not JSON: {error}", code=Code.PARSE) from error
    if not isinstance(value, dict):
        raise UsageError(f"{file} is not a JSON object", code=Code.PARSE)
    return value


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _text(fields: Mapping[str, object], key: str, file: str) -> str:
    value = fields.get(key)
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > MAX_TEXT or not value.isprintable():
        raise UsageError(f"{file}: {key} is a text of at most {MAX_TEXT} characters", code=Code.BAD_TOOL_ARGS)
    return value


def _switch(fields: Mapping[str, object], key: str, file: str) -> bool:
    value = fields.get(key, False)
    if not isinstance(value, bool):
        raise UsageError(f"{file}: {key} is true or false", code=Code.BAD_TOOL_ARGS)
    return value


def _names(fields: Mapping[str, object], key: str, file: str) -> tuple[str, ...]:
    value = fields.get(key, [])
    if not isinstance(value, list) or len(value) > MAX_NAMES or not all(isinstance(name, str) for name in value):
        raise UsageError(f"{file}: {key} is a list of at most {MAX_NAMES} names", code=Code.BAD_TOOL_ARGS)
    return tuple(_text({key: name}, key, file) for name in value)


@dataclass(frozen=True, slots=True)
class ProfileCatalogue:
    """The profiles that are known: what ships, and what a home adds."""

    profiles: tuple[AgentProfile, ...]

    def find(self, name: str) -> AgentProfile | None:
        """The profile of that name or alias, or None."""
        return next((found for found in self.profiles if name == found.name or name in found.aliases), None)

    def adding(self, own: Iterable[AgentProfile]) -> "ProfileCatalogue":
        """This catalogue with a home's own profiles.

        Raises:
            UsageError: `ALREADY_EXISTS` when a name or alias is taken, in whatever case: nothing is ever replaced.
        """
        profiles = self.profiles
        for profile in own:
            taken = {name.casefold() for found in profiles for name in (found.name, *found.aliases)}
            clash = next((name for name in (profile.name, *profile.aliases) if name.casefold() in taken), None)
            if clash is not None:
                reason = f"the profile {profile.name} cannot be added: the name {clash} is taken"
                raise UsageError(reason, code=Code.ALREADY_EXISTS)
            profiles = (*profiles, profile)
        return ProfileCatalogue(profiles)


@cache
def shipped_profiles() -> ProfileCatalogue:
    """The profiles that ship with Ferrule: the source's and the critic's."""
    folder = resources.files("ferrule.session").joinpath("agents")
    files = sorted((file for file in folder.iterdir() if file.name.endswith(PROFILE_ENDING)), key=lambda f: f.name)
    return ProfileCatalogue(tuple(read_profile(file.read_bytes(), file.name) for file in files))


@dataclass(frozen=True, slots=True)
class ClientProfiles:
    """Which profile a client's sessions are stored with when they are imported.

    Attributes:
        table: by client, the profile of its `main` sessions, of its `subagent` sessions, and of special kinds; the
            client `default` stands for those that are not listed.
    """

    table: Mapping[str, Mapping[str, str]]

    def of(self, client: str, *, subagent: bool = False, kind: str = "") -> str:
        """The profile of one session.

        Args:
            client: the client's name, such as `codex`.
            subagent: whether the client started the session by itself.
            kind: a special kind of session that the client knows, such as `review`.
        """
        entries = {**self.table["default"], **self.table.get(client, {})}
        return entries[kind if kind in entries else "subagent" if subagent else "main"]

    def with_own(self, own: Mapping[str, object]) -> "ClientProfiles":
        """This table with a home's own entries; what was stored before keeps the profile it was stored with.

        Args:
            own: by client, a table with `main`, `subagent` or both, each the name of a profile.

        Raises:
            UsageError: a client, an entry or a profile is none, or a subagent is to be a source (R10).
        """
        read = {client: _entries(client, entries) for client, entries in own.items()}
        names = {*self.table, *read}
        return ClientProfiles({name: {**self.table.get(name, {}), **read.get(name, {})} for name in names})


def _entries(client: str, entries: object) -> dict[str, str]:
    if not _NAME.fullmatch(client) or not isinstance(entries, Mapping):
        raise UsageError(f"{client!r:.40} is a table with the name of a client", code=Code.BAD_TOOL_ARGS)
    read: dict[str, str] = {}
    for entry, profile in entries.items():
        if entry not in ("main", "subagent"):
            raise UsageError(f"{client}: {entry!r:.40} is none of main, subagent", code=Code.BAD_TOOL_ARGS)
        if not isinstance(profile, str) or not _NAME.fullmatch(profile):
            raise UsageError(f"{client}: {entry} is the name of a profile", code=Code.BAD_TOOL_ARGS)
        if entry == "subagent" and profile == SOURCE_PROFILE:
            raise UsageError(f"{client}: a subagent is never a source", code=Code.NOT_ATTACHABLE)
        read[entry] = profile
    return read


@cache
def client_profiles() -> ClientProfiles:
    """The table that ships as data."""
    text = resources.files("ferrule.session").joinpath("profiles.toml").read_text(encoding="utf-8")
    return ClientProfiles(tomllib.loads(text))


def imported_profile(
    client: str, *, subagent: bool = False, kind: str = "", profiles: ClientProfiles | None = None
) -> str:
    """The profile that an imported session gets; by the shipped table unless a home's own is given."""
    table = client_profiles() if profiles is None else profiles
    return table.of(client, subagent=subagent, kind=kind)
