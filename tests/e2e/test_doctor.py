"""The traps of real clients, each set on purpose: the doctor names it, says the fix, and ends with 1."""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from client_homes import User, a_user, programme

from ferrule.adapters.clients.codex import _digest
from ferrule.wiring import doctor_home, doctor_switches, installing

from .conftest import Ferrule, Told


@pytest.fixture
def user(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ferrule: Ferrule) -> User:
    """A person with both clients on PATH, Ferrule in both, its hooks trusted, and nothing wrong."""
    found = a_user(Path(os.environ["HOME"]))
    programme(tmp_path / "bin", "claude", "2.1.150 (Claude Code)")
    programme(tmp_path / "bin", "codex", "codex-cli 0.171.0")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.delenv("FERRULE_WORKER")
    monkeypatch.chdir(tmp_path)
    for client in ("claude-code", "codex"):
        assert ferrule("install", client, "--yes").code == 0
    trust(found)
    assert home.exists()
    return found


def trust(user: User) -> None:
    """Trust the hooks of Codex as it keeps that."""
    hooks = json.loads(user.hooks.read_text())["hooks"]
    rows = [
        f'[hooks.state."{user.hooks}:{name}:0:0"]\ntrusted_hash = "{_digest(event, 0, hooks[event][0])}"\n'
        for event, name in (("Stop", "stop"), ("SessionStart", "session_start"))
    ]
    user.config.write_text(user.config.read_text() + "\n" + "\n".join(rows))


def found(told: Told, level: str = "problem") -> dict[str, str]:
    """What was found: text by code."""
    return {row["code"]: row["text"] for row in told.rows() if row["level"] == level}


def test_all_is_well(ferrule: Ferrule, user: User) -> None:
    """A short word for each; the end is 0."""
    assert user is not None
    told = ferrule("doctor")
    assert told.code == 0, told.out
    assert told.out.count("all well") == 3
    assert "Claude Code 2.1.150" in told.out
    assert "hook, context at session start, memory search" in told.out
    assert {row["level"] for row in ferrule("doctor", "--json").rows()} == {"well"}


def edited(file: Path, change: Callable[[dict[str, object]], None]) -> None:
    """A JSON file with something changed in it."""
    value = json.loads(file.read_text())
    change(value)
    file.write_text(json.dumps(value, indent=1))


def hook_with(user: User, file: Path, **members: object) -> None:
    """Our Stop handler with other members."""
    handler = user.hook(file)

    def change(value: dict[str, object]) -> None:
        hooks = value["hooks"]
        assert isinstance(hooks, dict)
        hooks["Stop"][-1]["hooks"][-1] = {**handler, **members}

    edited(file, change)


def command_with(user: User, file: Path, old: str, new: str) -> None:
    """Our Stop handler, running something else."""
    hook_with(user, file, command=str(user.hook(file)["command"]).replace(old, new))


def without_stop(user: User) -> None:
    """The entry was taken out by another hand."""
    edited(user.settings, lambda value: value["hooks"].pop("Stop"))  # type: ignore[attr-defined]


def another_hook_file(user: User) -> None:
    """The entry runs the hook of another installation."""
    other = user.home / "old" / "ferrule" / "interfaces" / "hook" / "hook.py"
    other.parent.mkdir(parents=True)
    other.write_text("import sys\n")
    command_with(user, user.settings, str(installing.HOOK), str(other))


def broken_hook_file(user: User) -> None:
    """That one cannot run either."""
    another_hook_file(user)
    (user.home / "old" / "ferrule" / "interfaces" / "hook" / "hook.py").write_text("def broken(:\n")


def untrusted(user: User) -> None:
    """Nobody has trusted the hooks."""
    user.config.write_text(user.config.read_text().partition("\n[hooks.state")[0])


def features_off(user: User) -> None:
    """Hooks are switched off in Codex."""
    user.config.write_text(user.config.read_text() + "\n[features]\nhooks = false\n")


def no_json(user: User) -> None:
    """A slip of somebody's editor."""
    user.settings.write_text("{,}")


def interpreter_without_ferrule(user: User) -> None:
    """The server's interpreter lost its packages."""
    bare = user.home / "python"
    bare.symlink_to(Path(sys.executable).resolve())
    server = json.loads(user.servers.read_text())["mcpServers"]["ferrule"]
    edited(user.servers, lambda value: value.update(mcpServers={"ferrule": {**server, "command": str(bare)}}))


CLIENT_TRAPS: list[tuple[str, Callable[[User], None], str, str]] = [
    ("claude-code", without_stop, "hook-missing", "the hook is missing"),
    (
        "claude-code",
        lambda user: command_with(user, user.settings, sys.executable, "/gone/python"),
        "stale-path",
        "/gone",
    ),
    (
        "codex",
        lambda user: command_with(user, user.hooks, "/ferrule/interfaces", "/gone/ferrule/interfaces"),
        "stale-path",
        "gone",
    ),
    ("claude-code", lambda user: command_with(user, user.settings, "--home ", "--home /other"), "other-home", "/other"),
    ("claude-code", lambda user: hook_with(user, user.settings, timeout=10_000), "wrong-unit", "milliseconds"),
    ("codex", lambda user: hook_with(user, user.hooks, timeout=0.01), "wrong-unit", "too short"),
    ("claude-code", another_hook_file, "hook-differs", "not that of this Ferrule"),
    ("claude-code", broken_hook_file, "hook-fails", "SyntaxError"),
    (
        "claude-code",
        lambda user: edited(user.settings, lambda value: value.update(disableAllHooks=True)),
        "hooks-disabled",
        "disableAllHooks",
    ),
    (
        "codex",
        features_off,
        "hooks-disabled",
        "[features] hooks",
    ),
    ("codex", untrusted, "hook-untrusted", "Stop and SessionStart"),
    ("codex", lambda user: hook_with(user, user.hooks, timeout=11), "hook-changed", "not as they were trusted"),
    ("claude-code", no_json, "file-unreadable", "not JSON"),
    ("claude-code", interpreter_without_ferrule, "package-fails", "No module named 'ferrule'"),
]


@pytest.mark.parametrize("trap", CLIENT_TRAPS, ids=lambda trap: f"{trap[0]}-{trap[2]}")
def test_a_trap_of_a_client_is_named_with_its_fix(
    ferrule: Ferrule, user: User, trap: tuple[str, Callable[[User], None], str, str]
) -> None:
    """Issue 4: nothing is remembered, and here is why."""
    client, spring, code, words = trap
    spring(user)
    told = ferrule("doctor", client, "--json")
    assert told.code == 1, told.out
    assert words in found(told)[code]
    assert all(row["fix"] for row in told.rows() if row["level"] == "problem")


@pytest.mark.parametrize(("client", "trap"), [(trap[0], trap[1]) for trap in CLIENT_TRAPS[:6]])
def test_installing_again_is_the_fix_that_it_is_said_to_be(
    ferrule: Ferrule, user: User, client: str, trap: Callable[[User], None]
) -> None:
    """What the doctor asks for helps."""
    trap(user)
    assert ferrule("install", client, "--yes").code == 0
    assert set(found(ferrule("doctor", client, "--json"))) <= {"hook-changed"}  # to be trusted again


def worker_off(home: Path, patch: pytest.MonkeyPatch) -> None:
    """Somebody switched workers off."""
    assert home.is_dir()
    patch.setenv("FERRULE_WORKER", "off")


def open_to_all(home: Path, _: pytest.MonkeyPatch) -> None:
    """Everybody may write into the home."""
    home.chmod(0o777)


def of_another_user(home: Path, patch: pytest.MonkeyPatch) -> None:
    """As after a `sudo ferrule review`."""
    assert home.is_dir()
    patch.setattr(os, "geteuid", lambda: 4242)


def on_a_network(home: Path, patch: pytest.MonkeyPatch) -> None:
    """A home folder that a server holds."""
    mounts = home.parent / "mounts"
    mounts.write_text(f"disk / ext4 rw 0 0\nserver:/x {home.parent} nfs4 rw 0 0\nproc /proc proc rw 0 0\n")
    patch.setattr(doctor_home, "MOUNTS", mounts)


def long_waiting(home: Path, _: pytest.MonkeyPatch) -> None:
    """A report of two hours ago."""
    name = f"{time.time_ns() - 2 * 3600 * 10**9:020d}-1.json"
    (home / "spool").mkdir(mode=0o700)
    (home / "spool" / name).write_text("{}")


def overflowing(home: Path, _: pytest.MonkeyPatch) -> None:
    """More reports than there was room for."""
    (home / "spool").mkdir(mode=0o700)
    (home / "spool" / ".dropped").write_text("...")


def strange(home: Path, _: pytest.MonkeyPatch) -> None:
    """A client that changed its form."""
    (home / "spool" / "unknown").mkdir(mode=0o700, parents=True)
    (home / "spool").chmod(0o700)
    record = {"version": 1, "kind": "unknown", "client": "codex", "event": "Stop", "shape": "incomplete"}
    whole = {**record, "bytes": 10, "keys": [["cwd", 3]], "more_keys": 0, "when": 1}
    (home / "spool" / "unknown" / f"{1:020d}-1.unknown.json").write_text(json.dumps(whole))


def troubled_log(home: Path, _: pytest.MonkeyPatch) -> None:
    """The last worker did not get far."""
    (home / "worker.log").write_text("x 1 worker 0.1.0 began\nx 1 the store failed: no room [IO_FAILED]\n")


def broken_store(home: Path, _: pytest.MonkeyPatch) -> None:
    """No database where one belongs."""
    (home / "ferrule.sqlite3").write_bytes(b"no database" * 1000)


def broken_settings(home: Path, _: pytest.MonkeyPatch) -> None:
    """A setting that is none."""
    (home / "settings.toml").write_text("attach = 'later'\n")


def misspelt_setting(home: Path, _: pytest.MonkeyPatch) -> None:
    """A folder that is believed to be quiet and is not."""
    (home / "settings.toml").write_text("ignroe = ['~/private/**']\n")


def read_only_system(_: Path, patch: pytest.MonkeyPatch) -> None:
    """As a mounted image is."""
    patch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_flag=os.ST_RDONLY, f_bavail=10**6, f_frsize=4096))


def full_disk(_: Path, patch: pytest.MonkeyPatch) -> None:
    """A few pages are left."""
    patch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_flag=0, f_bavail=9, f_frsize=4096))


def not_writable(home: Path, _: pytest.MonkeyPatch) -> None:
    """Somebody took the right to write away."""
    home.chmod(0o500)


def no_folder(home: Path, _: pytest.MonkeyPatch) -> None:
    """A file stands there."""
    home.rmdir()
    home.write_text("")


def troubled_worker(home: Path, _: pytest.MonkeyPatch) -> None:
    """Something else stands where the worker's lock belongs."""
    (home / "worker.lock").mkdir()


HOME_TRAPS: list[tuple[Callable[[Path, pytest.MonkeyPatch], None], str, str]] = [
    (worker_off, "worker-off", "FERRULE_WORKER=off"),
    (open_to_all, "home-open", "everybody"),
    (of_another_user, "home-owner", "another user"),
    (on_a_network, "home-far", "nfs4"),
    (read_only_system, "home-read-only", "read-only file system"),
    (full_disk, "disk-full", "nearly full"),
    (not_writable, "home-not-writable", "cannot be written"),
    (no_folder, "home-no-folder", "something else stands"),
    (troubled_worker, "worker-trouble", "worker.lock"),
    (long_waiting, "spool-waits", "1 reported turn waits and no worker takes it, the oldest for 2 h"),
    (overflowing, "spool-full", "3 reports"),
    (strange, "unknown-shapes", "codex Stop incomplete"),
    (troubled_log, "worker-log", "the store failed: no room"),
    (broken_store, "store", "ferrule.sqlite3"),
    (broken_settings, "settings", "attach is auto or manual"),
    (misspelt_setting, "settings-unknown", "ignroe"),
]


@pytest.mark.parametrize("trap", HOME_TRAPS, ids=lambda trap: str(trap[1]))
def test_a_trap_of_the_home_is_named_with_its_fix(
    ferrule: Ferrule,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    trap: tuple[Callable[[Path, pytest.MonkeyPatch], None], str, str],
) -> None:
    """Issue 4: what clients report is not taken, and here is why."""
    monkeypatch.setenv("PATH", str(home))
    monkeypatch.delenv("FERRULE_WORKER")
    home.mkdir(mode=0o700)
    spring, code, words = trap
    spring(home, monkeypatch)
    told = ferrule("doctor", "--json")
    assert told.code == 1, told.out
    assert words in found(told)[code]


def test_an_administrator_s_switch_is_told(ferrule: Ferrule, user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Issue 4: our hook is right and does not run: it is not ours to switch on."""
    file = user.home / "managed.json"
    file.write_text('{"allowManagedHooksOnly": true}')
    monkeypatch.setattr(doctor_switches, "MANAGED", file)
    assert "only the administrator's hooks" in found(ferrule("doctor", "claude-code", "--json"))["hooks-managed"]


def test_what_may_be_wanted_so_is_a_note(ferrule: Ferrule, user: User) -> None:
    """No server, a newer client, an addition to our handler: said, and the end is 0."""
    ferrule("install", "codex", "--no-mcp", "--yes")
    programme(user.home.parent / "bin", "codex", "codex-cli 0.999.0")
    programme(user.home.parent / "bin", "claude", "who knows")
    told = ferrule("doctor", "--json")
    assert told.code == 0
    assert set(found(told, "note")) == {"mcp-missing", "version-newer", "version-unknown"}
    programme(user.home.parent / "bin", "codex", "codex-cli 0.39.0")
    assert "0.39.0 is older" in found(ferrule("doctor", "codex", "--json"), "note")["version-older"]


def test_a_command_s_text_that_is_missing_or_older_is_a_note(ferrule: Ferrule, user: User) -> None:
    """Said by name; a person may have wanted it so."""
    texts = sorted((user.home / ".claude" / "commands" / "ferrule").glob("*.md"))
    texts[0].unlink()
    texts[1].write_text("mine")
    told = ferrule("doctor", "claude-code", "--json")
    assert told.code == 0
    notes = found(told, "note")
    assert (texts[0].name in notes["texts-missing"], texts[1].name in notes["texts-differ"]) == (True, True)


def test_a_folder_that_is_quiet_is_a_note(ferrule: Ferrule, user: User, home: Path) -> None:
    """R97: nothing is remembered here since a person said so."""
    assert user is not None
    (home / "settings.toml").write_text(f'ignore = ["{Path.cwd()}/**"]\n')
    told = ferrule("doctor", "--json")
    assert told.code == 0
    assert "nothing of this folder is captured" in found(told, "note")["quiet-here"]


def test_a_client_that_is_not_here_is_told_only_when_asked_for(
    ferrule: Ferrule, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing to say on a machine without clients; a problem when one was named."""
    assert home is not None
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("FERRULE_WORKER")
    told = ferrule("doctor")
    assert told.code == 0
    assert "neither Claude Code nor Codex" in told.out
    assert set(found(ferrule("doctor", "codex", "--json"))) == {"no-client"}
    (Path(os.environ["HOME"]) / ".codex").mkdir(parents=True)
    assert set(found(ferrule("doctor", "codex", "--json"))) == {"not-installed"}
    assert ferrule("doctor").code == 0
