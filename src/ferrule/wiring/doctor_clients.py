"""A client is looked over: are our entries there and right, would the client run them, and does what they run work.

Owns those checks and the words of what they find. Nothing is changed. Knows nothing of the home.
"""

import os
import shlex
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import ferrule
from ferrule.adapters.clients.command_lines import Spoken
from ferrule.adapters.clients.described import Client, Folders, HookEntry, MemberEntry, TextEntry, Wish
from ferrule.adapters.clients.standing import Standing, standings
from ferrule.wiring.doctor_findings import Finding, Patient, note, problem, well
from ferrule.wiring.doctor_running import Found, hook_runs, installed_client, package_of
from ferrule.wiring.doctor_switches import switched_off, untrusted
from ferrule.wiring.installing import HOOK, Wishes, folders_of, installed_record, wish_of

__all__ = ["looked_over_client"]

LONGEST_SECONDS, SHORTEST_SECONDS = 600, 3
PARTS = {"hook": "hook", "context": "context at session start", "mcp": "memory search", "status-line": "status line"}


@dataclass(frozen=True, slots=True)
class _Case:
    client: Client
    home: Path
    folders: Folders
    wish: Wish
    again: str
    sessions: int


def looked_over_client(
    client: Client, home: Path, config: Path | str | None, *, asked: bool, sessions: int = 0
) -> Patient | None:
    """What there is to say of a client; None when it is not on this machine and nobody asked for it; never raises.

    `sessions` is how many of its sessions the home knows.
    """
    record = installed_record(home, client)
    chosen = config if config is not None or record is None else record.config
    folders = folders_of(client, chosen)
    programme = installed_client(client.programme)
    if programme is None and not folders.config.is_dir() and record is None:
        gone = problem("no-client", f"{client.title} is not on this machine, as far as PATH tells", "install it first")
        return Patient(client.name, client.title, str(folders.config), (gone,)) if asked else None
    wish = wish_of(client, Wishes(status_line=False), home)
    case = _Case(client, home, folders, wish, f"ferrule install {client.name} --yes", sessions)
    found = (*_programme(client, programme), *_findings(case, was_installed=record is not None, asked=asked))
    title = f"{client.title} {programme.version}".strip() if programme is not None else client.title
    return Patient(client.name, title, str(folders.config), found)


def _programme(client: Client, found: Found | None) -> Iterator[Finding]:
    if found is None:
        yield note("not-on-path", f"`{client.programme}` is not on this PATH; its configuration is there")
        return
    low, high = client.tried
    if not found.version:
        yield note("version-unknown", f"{found.path} does not say its version")
    elif _number(found.version) > _number(high):
        text = f"{found.version} is newer than what was tried ({high}); if its form changed, unknown shapes show above"
        yield note("version-newer", text)
    elif _number(found.version) < _number(low):
        text = f"{found.version} is older than what was tried ({low}): its hooks may differ"
        yield note("version-older", text, "upgrade the client if nothing is remembered")


def _findings(case: _Case, *, was_installed: bool, asked: bool) -> Iterator[Finding]:
    stand = standings(case.client, case.folders, case.wish)
    if not was_installed and not any(one.found or one.trouble for one in stand):
        fix = f"ferrule install {case.client.name}"
        text = f"Ferrule is not installed in {case.client.title}"
        yield problem("not-installed", text, fix) if asked else note("not-installed", text, fix)
        return
    for trouble in dict.fromkeys(one.trouble for one in stand if one.trouble):
        yield problem("file-unreadable", trouble, "mend the file; the client may pass over it too")
    for one in stand:
        yield from _entry(case, one)
    yield from switched_off(case.client, case.folders)
    yield from untrusted(case.client, case.folders, stand)
    yield from _runs(case, [one.says for one in stand if one.says is not None])
    yield from _texts(case)
    there = [PARTS[one.says.purpose] for one in stand if one.says is not None]
    if there:
        many = "1 session" if case.sessions == 1 else f"{case.sessions} sessions"
        heard = f"{many} known" if case.sessions else "no turn reported yet"
        yield well("installed", f"{', '.join(there)}; {heard}")


def _entry(case: _Case, one: Standing) -> Iterator[Finding]:
    where = str(one.entry.file)
    if one.trouble:
        return
    if one.found is None or one.says is None:
        yield from _missing(case, one, where)
        return
    if one.says.home and Path(one.says.home).resolve() != case.home.resolve():
        fix = f"{case.again} (or ask there: ferrule doctor --home {shlex.quote(one.says.home)})"
        yield problem("other-home", f"{where}: the {_part(one.says)} reports to another home, {one.says.home}", fix)
    elif (stale := _stale(one.says)) is not None:
        yield problem(
            "stale-path", f"{where}: the {_part(one.says)} runs {stale}, which is not there any more", case.again
        )
    elif isinstance(one.entry, HookEntry) and (unit := _unit(one.found, one.entry)) is not None:
        yield problem("wrong-unit", f"{where}: {unit}", case.again)
    elif not one.is_right:
        yield note("changed", f"{where}: the {_part(one.says)} is not as this Ferrule writes it", case.again)


def _missing(case: _Case, one: Standing, where: str) -> Iterator[Finding]:
    if isinstance(one.entry, HookEntry):
        what = PARTS["hook" if one.entry.event == "Stop" else "context"]
        yield problem("hook-missing", f"{where}: the {what} is missing", case.again)
    elif one.entry.wanted and not (isinstance(one.entry, MemberEntry) and one.entry.name == "statusLine"):
        yield note("mcp-missing", f"{where}: the memory search (MCP) is not installed", case.again)


def _part(says: Spoken) -> str:
    return PARTS[says.purpose]


def _stale(says: Spoken) -> str | None:
    """What it runs and is not there; None when all is."""
    if not os.access(says.python, os.X_OK):
        return says.python
    return says.hook if says.hook and not Path(says.hook).is_file() else None


def _unit(found: Mapping[str, object], entry: HookEntry) -> str | None:
    """Whether a timeout looks like another unit; both clients take seconds."""
    given = found.get("timeout")
    if isinstance(given, bool) or not isinstance(given, int | float):
        return None
    right = entry.handler["timeout"]
    if given > LONGEST_SECONDS:
        return f"a timeout of {given} looks like milliseconds; the client takes seconds ({given / 3600:.1f} h): {right}"
    if given < SHORTEST_SECONDS:
        return f"a timeout of {given} s is too short for a slow start: {right}"
    return None


def _runs(case: _Case, said: list[Spoken]) -> Iterator[Finding]:
    """What is there is tried as the client would run it."""
    hook = next((one for one in said if one.purpose == "hook" and _stale(one) is None), None)
    if hook is not None:
        trial = hook_runs(hook.python, hook.hook, case.client.name)
        if trial.trouble:
            yield problem("hook-fails", f"the hook does not run: {trial.trouble}", case.again)
        elif Path(hook.hook) != HOOK and _bytes(Path(hook.hook)) != _bytes(HOOK):
            text = f"the hook {hook.hook} is not that of this Ferrule ({ferrule.__version__})"
            yield problem("hook-differs", text, case.again)
    for python in dict.fromkeys(one.python for one in said if not one.hook and _stale(one) is None):
        trial = package_of(python)
        if trial.trouble:
            yield problem("package-fails", f"{python} cannot run Ferrule: {trial.trouble}", case.again)
        elif trial.said != ferrule.__version__ and python != sys.executable:
            text = f"the client runs Ferrule {trial.said} of {python}; this is {ferrule.__version__}"
            yield note("other-version", text, f"{case.again}, with the one you want")


def _texts(case: _Case) -> Iterator[Finding]:
    entries = [entry for entry in case.client.entries(case.folders, case.wish) if isinstance(entry, TextEntry)]
    there = {entry.file: _bytes(entry.file) for entry in entries}
    missing = [entry.file.name for entry in entries if there[entry.file] is None]
    differing = [entry.file.name for entry in entries if there[entry.file] not in {None, entry.data}]
    if missing:
        yield note("texts-missing", f"not there: {', '.join(missing)} in {entries[0].file.parent}", case.again)
    if differing:
        text = f"not as this Ferrule has it: {', '.join(differing)} in {entries[0].file.parent}"
        yield note("texts-differ", text, f"{case.again}; what you changed stays yours")


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
