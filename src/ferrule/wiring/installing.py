"""Ferrule is put into a client, or taken out of it: planned first, shown, and then done wholly or not at all.

Owns what is wished, from the words of a command and what this installation is: its interpreter, its hook, the texts of
its commands, the home. Knows nothing of how files are edited, or of how a plan is shown.
"""

import contextlib
import os
import re
import shutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import ferrule
from ferrule.adapters.clients.changes import Change, apply, read_file
from ferrule.adapters.clients.claude_code import CLAUDE_CODE
from ferrule.adapters.clients.codex import CODEX, has_hooks_behind_ours
from ferrule.adapters.clients.command_lines import Runtime, shell
from ferrule.adapters.clients.described import Client, Folders, Wish
from ferrule.adapters.clients.planning import Plan, plan_install, plan_uninstall
from ferrule.adapters.clients.records import FOLDER, Record, read_record, record_path, written_record
from ferrule.adapters.clients.standing import standings
from ferrule.adapters.clients.toml_text import set_key
from ferrule.errors import Code, UnreadableInput, UsageError
from ferrule.wiring.locating import located
from ferrule.wiring.settings import ATTACH_MODES, SETTINGS_FILE, read_settings, surroundings

__all__ = [
    "CLIENTS",
    "Change",
    "Installation",
    "Wishes",
    "client_named",
    "done",
    "folders_of",
    "home_at",
    "installed_record",
    "planned_install",
    "planned_uninstall",
    "runtime_of",
    "wish_of",
]

CLIENTS: Mapping[str, Client] = {client.name: client for client in (CLAUDE_CODE, CODEX)}
PACKAGE = Path(ferrule.__file__).resolve().parent
HOOK = PACKAGE / "interfaces" / "hook" / "hook.py"
TEXTS = PACKAGE / "interfaces" / "commands"
PASSING = (
    "{python} is in a cache and may vanish: install Ferrule for good (uv tool install ferrule, or pipx), then run this "
    "again with it"
)
BOTH_HOOKS = "config.toml holds hooks of its own; Codex reads both files and remarks on that when it starts: harmless"
MOVED_UP = (
    "hooks of yours stand behind Ferrule's and move up: Codex knows them by number, and will ask you to trust them"
)
_TEXT_SUFFIXES = frozenset({".md", ".yaml"})
_PASSING_FOLDERS = ("/uv/archive-v", "/.cache/uv/", "/pipx/.cache/")


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the command asks for; None where it says nothing.

    Attributes:
        home: the Ferrule home.
        config: the folder of the client's configuration.
        attach: `auto` or `manual`.
        mcp: whether the agent gets the MCP server.
        status_line: whether the client's status line shows a segment.
    """

    home: Path | str | None = None
    config: Path | str | None = None
    attach: str | None = None
    mcp: bool = True
    status_line: bool = False


@dataclass(frozen=True, slots=True)
class Installation:
    """What is to be done for one client, and what there is to say about it.

    Attributes:
        client: its name.
        title: its name for people.
        config: the folder of its configuration.
        home: the Ferrule home.
        changes: the files that change, the client's and the home's settings.
        notes: what is left as it is, and why.
        next_steps: what a person does next.
        attach: the attach mode that holds afterwards.
        was_installed: whether the home knows of an installation.
        bookkeeping: the home's record; None when it stays as it is.
        folders: folders that go when they are empty, innermost first.
    """

    client: str
    title: str
    config: Path
    home: Path
    changes: tuple[Change, ...]
    notes: tuple[str, ...]
    next_steps: tuple[str, ...]
    attach: str
    was_installed: bool
    bookkeeping: Change | None = None
    folders: tuple[Path, ...] = ()


def client_named(name: str) -> Client:
    """The client of that name.

    Raises:
        UsageError: there is none.
    """
    found = CLIENTS.get(name)
    if found is None:
        raise UsageError(f"no client {name!r:.40}; there are: {', '.join(CLIENTS)}", code=Code.BAD_TOOL_ARGS)
    return found


def home_at(path: Path | str | None) -> Path:
    """The home that a command names, as an absolute path: clients start from anywhere."""
    return _absolute(located(path))


def folders_of(client: Client, config: Path | str | None = None) -> Folders:
    """Where the client's configuration is: as given, else as its own variable says, else its usual place."""
    around = surroundings()
    found = {CLAUDE_CODE.name: around.claude_code, CODEX.name: around.codex}[client.name]
    user = Path(os.environ.get("HOME") or os.path.expanduser("~"))  # noqa: PTH111 - Path.home() raises without a home
    chosen = _absolute(config if config is not None else found)
    moved = config is None and bool(os.environ.get("CLAUDE_CONFIG_DIR"))
    usual = chosen == _absolute(user / ".claude") and not moved
    return Folders(chosen, _absolute(user) if usual else None)


def runtime_of(home: Path) -> Runtime:
    """What the commands of this installation run.

    Raises:
        UsageError: a path cannot be written into a configuration.
    """
    runtime = Runtime(sys.executable, str(HOOK), str(home))
    for path in (runtime.python, runtime.hook, runtime.home):
        if not path or not path.isprintable() or not Path(path).is_absolute():
            raise UsageError(f"the path {path!r} cannot be written into a configuration", code=Code.UNSAFE_PATH)
    return runtime


def wish_of(client: Client, wishes: Wishes, home: Path) -> Wish:
    """What is wished of a client's files."""
    runtime, texts = runtime_of(home), _texts(client)
    return Wish(
        runtime=runtime,
        mcp=wishes.mcp,
        status_line=wishes.status_line,
        texts={name: _filled(text, runtime) for name, text in texts.items()},
        always={name: tuple(re.split(rb"\{\{(?:ferrule|home)\}\}", text)) for name, text in texts.items()},
    )


def planned_install(name: str, wishes: Wishes) -> Installation:
    """What installing changes; nothing is written.

    Raises:
        UsageError: no such client or mode, or something of another origin stands in the way.
        UnreadableInput: a file is not what the client itself would read.
    """
    client, home = client_named(name), home_at(wishes.home)
    folders = folders_of(client, wishes.config)
    mode, setting = _attach(home, wishes.attach)
    wish = wish_of(client, wishes, home)
    wish = replace(wish, status_line=wish.status_line or _has_status_line(client, folders, wish))
    path, before = _recorded(home, client, folders.config)
    plan = plan_install(client, folders, wish, before)
    record = Record(
        client.name, str(folders.config), wish.runtime.python, wish.runtime.hook, ferrule.__version__, plan.files
    )
    record = replace(record, folders=tuple(dict.fromkeys((*plan.folders, *_made(home)))))
    kept, data = read_file(path), written_record(record)
    return Installation(
        client=client.name,
        title=client.title,
        config=folders.config,
        home=home,
        changes=(*plan.changes, *([setting] if setting is not None else [])),
        notes=(*plan.notes, *_remarks(client, folders, wishes, wish)),
        next_steps=client.next_steps,
        attach=mode,
        was_installed=before is not None,
        bookkeeping=None if kept == data else Change(path, kept, data, path),
    )


def planned_uninstall(name: str, wishes: Wishes) -> Installation:
    """What uninstalling changes; nothing is written. Raises as `planned_install` does."""
    client, home = client_named(name), home_at(wishes.home)
    first = installed_record(home, client)
    config = wishes.config if wishes.config is not None or first is None else first.config
    folders = folders_of(client, config)
    path, before = _recorded(home, client, folders.config)
    wish = replace(wish_of(client, wishes, home), mcp=True, status_line=True)
    plan: Plan = plan_uninstall(client, folders, wish, before)
    kept = read_file(path)
    return Installation(
        client=client.name,
        title=client.title,
        config=folders.config,
        home=home,
        changes=plan.changes,
        notes=(*plan.notes, *([MOVED_UP] if client.name == CODEX.name and has_hooks_behind_ours(folders) else ())),
        next_steps=(),
        attach="",
        was_installed=before is not None,
        bookkeeping=None if kept is None else Change(path, kept, None, path),
        folders=_own_folders((*map(Path, plan.folders), *_texts_folders(client, folders, wish)), folders.config, home),
    )


def done(installation: Installation) -> None:
    """Do it, wholly or not at all.

    Raises:
        UsageError: a file is read-only or was changed meanwhile, or writing failed; everything is as it was.
    """
    last = () if installation.bookkeeping is None else (installation.bookkeeping,)
    apply((*installation.changes, *last))
    for folder in installation.folders:
        with contextlib.suppress(OSError):  # somebody else's things are in it
            folder.rmdir()


def installed_record(home: Path, client: Client) -> Record | None:
    """What the home knows of an installation: the first, where a client has several folders of configuration."""
    return read_record(read_file(record_path(home, client.name)))


def _recorded(home: Path, client: Client, config: Path) -> tuple[Path, Record | None]:
    """The record for that folder of the client's configuration, and its place; each folder has its own."""
    first, own = record_path(home, client.name), record_path(home, client.name, config)
    known = installed_record(home, client)
    if own.exists() or (known is not None and known.config != str(config)):
        return own, read_record(read_file(own))
    return first, known


def _own_folders(recorded: Iterable[Path], config: Path, home: Path) -> tuple[Path, ...]:
    """Which of the recorded folders can be ours to take away, innermost first; a record is not believed blindly."""
    places = (config.resolve(), home.resolve())
    ours = [
        folder
        for folder in map(Path.resolve, recorded)
        if any(folder.is_relative_to(place) or place.is_relative_to(folder) for place in places)
    ]
    return tuple(sorted(ours, key=lambda folder: len(folder.parts), reverse=True))


def _texts_folders(client: Client, folders: Folders, wish: Wish) -> Iterable[Path]:
    """The folders that are called by our name, whether or not a record tells who made them."""
    top = folders.config / client.texts_folder
    return {top, *((top / name).parent for name in wish.texts)}


def _made(home: Path) -> list[str]:
    """The folders of the home that installing made, whichever client it was for."""
    others = (installed_record(home, client) for client in CLIENTS.values())
    before = {folder for record in others if record is not None for folder in record.folders}
    return [str(folder) for folder in (home, home / FOLDER) if not folder.exists() or str(folder) in before]


def _attach(home: Path, wished: str | None) -> tuple[str, Change | None]:
    """The attach mode that holds afterwards, and the change of the home's settings that it takes."""
    if wished is not None and wished not in ATTACH_MODES:
        raise UsageError(f"--attach is {' or '.join(ATTACH_MODES)}", code=Code.BAD_TOOL_ARGS)
    now = read_settings(home).attach
    path = home / SETTINGS_FILE
    data = read_file(path)
    if wished is None or (wished == now and data is not None):
        return now, None
    text = (data or b"").decode("utf-8")
    try:
        after = set_key(text, "attach", wished)
    except UnreadableInput as error:
        raise UsageError(f"{path}: {error}", code=error.code) from error
    meaning = {
        "auto": "the first completed turn of a session attaches Ferrule by itself",
        "manual": "a session is followed only after your thumbs-up",
    }[wished]
    return wished, Change(path.resolve(), data, after.encode("utf-8"), path, meaning)


def _has_status_line(client: Client, folders: Folders, wish: Wish) -> bool:
    """Whether it was asked for before: installing again, as after an upgrade, keeps it."""
    said = (one.says for one in standings(client, folders, wish))
    return any(says is not None and says.purpose == "status-line" for says in said)


def _remarks(client: Client, folders: Folders, wishes: Wishes, wish: Wish) -> list[str]:
    remarks: list[str] = []
    if not folders.config.exists() and shutil.which(client.programme) is None:
        remarks.append(
            f"{client.title} has not been used here: no {folders.config}, and no `{client.programme}` on PATH"
        )
    if wishes.status_line and not client.has_status_line:
        remarks.append(f"{client.title} shows no command in its status line; --status-line changes nothing")
    if any(part in wish.runtime.python for part in _PASSING_FOLDERS):
        remarks.append(PASSING.format(python=wish.runtime.python))
    if client.name == CODEX.name and b"[[hooks." in (read_file(folders.config / "config.toml") or b""):
        remarks.append(BOTH_HOOKS)
    return remarks


def _texts(client: Client) -> dict[str, bytes]:
    """The texts of a client's commands as they are shipped, by their names inside the folder for them."""
    folder = TEXTS / client.name
    found = [path for path in sorted(folder.rglob("*")) if path.suffix in _TEXT_SUFFIXES] if folder.is_dir() else []
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def _filled(text: bytes, runtime: Runtime) -> bytes:
    """A text whose `{{ferrule}}` and `{{home}}` became what a shell can run."""
    python = shell([runtime.python, "-P", "-m", "ferrule"]).encode()
    return text.replace(b"{{ferrule}}", python).replace(b"{{home}}", shell([runtime.home]).encode())


def _absolute(path: Path | str) -> Path:
    return Path(os.path.abspath(Path(path).expanduser()))  # noqa: PTH100 - links stay: they are the person's own
