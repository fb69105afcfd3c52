"""Install and uninstall as changes of files: exact where nothing else changed, ours alone where something did."""

import json
import tomllib
from pathlib import Path

import pytest
from client_files import settings_files, toml_files
from hypothesis import HealthCheck, given, settings

from ferrule.adapters.clients.changes import apply
from ferrule.adapters.clients.claude_code import CLAUDE_CODE
from ferrule.adapters.clients.codex import CODEX
from ferrule.adapters.clients.command_lines import Runtime
from ferrule.adapters.clients.described import Client, Folders, Wish
from ferrule.adapters.clients.planning import Plan, plan_install, plan_uninstall
from ferrule.adapters.clients.records import Record
from ferrule.errors import UnreadableInput, UsageError

RUNTIME = Runtime("/opt/my 'py'/bin/python", "/opt/lib/ferrule/interfaces/hook/hook.py", '/h/"home" $x')
WISH = Wish(RUNTIME, texts={"show.md": b"show\n"})
EACH = settings(
    max_examples=max(25, settings.default.max_examples // 2 if settings.default else 25),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def recorded(client: Client, plan: Plan) -> Record:
    """The record that an installation leaves."""
    return Record(client.name, "", RUNTIME.python, RUNTIME.hook, "1", plan.files, plan.folders)


def installed(client: Client, folder: Path, wish: Wish = WISH, record: Record | None = None) -> Record:
    """Install for real."""
    plan = plan_install(client, Folders(folder, None), wish, record)
    apply(plan.changes)
    return recorded(client, plan)


def uninstalled(client: Client, folder: Path, record: Record | None, wish: Wish = WISH) -> Plan:
    """Uninstall for real."""
    plan = plan_uninstall(client, Folders(folder, None), wish, record)
    apply(plan.changes)
    return plan


def emptied(folder: Path) -> Path:
    """The folder without what an earlier example left in it."""
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        if path.is_file():
            path.unlink()
    return folder


@EACH
@given(settings_files())
def test_claude_code_settings_are_byte_for_byte_as_before(tmp_path: Path, text: str) -> None:
    """Issue 4: install, again, uninstall: the same bytes, in whatever layout; a second install changes nothing."""
    folder = emptied(tmp_path / "c")
    (folder / "settings.json").write_bytes(text.encode())
    (folder / ".claude.json").write_bytes(text.encode())
    record = installed(CLAUDE_CODE, folder)
    assert plan_install(CLAUDE_CODE, Folders(folder, None), WISH, record).changes == ()
    uninstalled(CLAUDE_CODE, folder, record)
    assert (folder / "settings.json").read_bytes() == text.encode()
    assert (folder / ".claude.json").read_bytes() == text.encode()


@EACH
@given(settings_files())
def test_without_a_record_only_ours_comes_out(tmp_path: Path, text: str) -> None:
    """The home is gone, or another hand wrote the entries: what is left says what it said before."""
    folder = emptied(tmp_path / "c")
    (folder / "settings.json").write_bytes(text.encode())
    installed(CLAUDE_CODE, folder)
    uninstalled(CLAUDE_CODE, folder, None)
    after = json.loads((folder / "settings.json").read_bytes().decode().removeprefix("\ufeff"))
    before = json.loads(text.removeprefix("\ufeff"))
    for value in (before, after):
        hooks = value.get("hooks")
        if hooks is not None:
            value["hooks"] = {name: groups for name, groups in hooks.items() if groups}
        if not value.get("hooks", True):
            del value["hooks"]
    assert after == before


@EACH
@given(toml_files())
def test_codex_settings_are_byte_for_byte_as_before(tmp_path: Path, text: str) -> None:
    """Issue 4: the same for TOML; `hooks.json`, made for us, goes as it came."""
    folder = emptied(tmp_path / "x")
    (folder / "config.toml").write_bytes(text.encode())
    record = installed(CODEX, folder)
    assert plan_install(CODEX, Folders(folder, None), WISH, record).changes == ()
    uninstalled(CODEX, folder, record)
    assert (folder / "config.toml").read_bytes() == text.encode()
    assert not (folder / "hooks.json").exists()


def test_what_the_client_wrote_meanwhile_stays(tmp_path: Path) -> None:
    """The client rewrites its own file all the time: ours comes out of what it wrote, and nothing else does."""
    file = tmp_path / ".claude.json"
    record = installed(CLAUDE_CODE, tmp_path)
    file.write_text(json.dumps(json.loads(file.read_text()) | {"numStartups": 2}, indent=2))
    assert plan_install(CLAUDE_CODE, Folders(tmp_path, None), WISH, record).changes == ()
    uninstalled(CLAUDE_CODE, tmp_path, record)
    assert file.read_text() == '{\n  "numStartups": 2\n}'


def test_what_somebody_put_beside_ours_stays(tmp_path: Path) -> None:
    """A handler in our group, a group behind it, a server beside ours."""
    file = tmp_path / "settings.json"
    record = installed(CLAUDE_CODE, tmp_path)
    value = json.loads(file.read_text())
    value["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "theirs"})
    value["hooks"]["SessionStart"].append({"hooks": []})
    file.write_text(json.dumps(value))
    uninstalled(CLAUDE_CODE, tmp_path, record)
    left = {"Stop": [{"hooks": [{"type": "command", "command": "theirs"}]}], "SessionStart": [{"hooks": []}]}
    assert json.loads(file.read_text()) == {"hooks": left}


def test_an_upgrade_mends_our_entries_where_they_stand(tmp_path: Path) -> None:
    """Another interpreter: entries keep their place and what a person added; the way back stays exact."""
    (tmp_path / "settings.json").write_text('{"model": "x"}')
    record = installed(CLAUDE_CODE, tmp_path)
    moved = Wish(Runtime("/new/python", RUNTIME.hook, RUNTIME.home), texts={"show.md": b"better\n"})
    record = installed(CLAUDE_CODE, tmp_path, moved, record)
    text = (tmp_path / "settings.json").read_text()
    assert "/new/python" in text
    assert "my 'py'" not in text.replace("'\"'\"'", "'")
    assert (tmp_path / "commands/ferrule/show.md").read_text() == "better\n"
    uninstalled(CLAUDE_CODE, tmp_path, record)
    assert (tmp_path / "settings.json").read_text() == '{"model": "x"}'
    assert not (tmp_path / "commands/ferrule/show.md").exists()


def test_an_upgrade_beside_others_changes_only_the_commands(tmp_path: Path) -> None:
    """A file that others changed too: our handler is mended in its place, its neighbours keep theirs."""
    file = tmp_path / "hooks.json"
    record = installed(CODEX, tmp_path)
    value = json.loads(file.read_text())
    value["hooks"]["Stop"].insert(0, {"hooks": [{"type": "command", "command": "theirs"}]})
    value["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": "also theirs"}]})
    value["hooks"]["Stop"][1]["matcher"] = "*"
    file.write_text(json.dumps(value))
    record = installed(CODEX, tmp_path, Wish(Runtime("/new/python", RUNTIME.hook, RUNTIME.home)), record)
    after = json.loads(file.read_text())
    assert after["hooks"]["Stop"][1]["hooks"][0]["command"].startswith("/new/python -I -S ")
    after["hooks"]["Stop"][1]["hooks"][0]["command"] = value["hooks"]["Stop"][1]["hooks"][0]["command"]
    after["hooks"]["SessionStart"] = value["hooks"]["SessionStart"]
    assert after == value
    uninstalled(CODEX, tmp_path, record)
    assert [group["hooks"][0]["command"] for group in json.loads(file.read_text())["hooks"]["Stop"]] == [
        "theirs",
        "also theirs",
    ]


def test_entries_that_came_twice_become_one(tmp_path: Path) -> None:
    """Whatever an older installation or a copied file left behind."""
    installed(CODEX, tmp_path)
    file = tmp_path / "hooks.json"
    value = json.loads(file.read_text())
    value["hooks"]["Stop"] *= 3
    file.write_text(json.dumps(value))
    installed(CODEX, tmp_path)
    assert len(json.loads(file.read_text())["hooks"]["Stop"]) == 1


def test_options_are_taken_back_by_installing_without_them(tmp_path: Path) -> None:
    """`--no-mcp` after an installation with it takes the server out; the status line likewise."""
    shown = Wish(RUNTIME, status_line=True)
    record = installed(CLAUDE_CODE, tmp_path, shown)
    assert "statusLine" in json.loads((tmp_path / "settings.json").read_text())
    record = installed(CLAUDE_CODE, tmp_path, Wish(RUNTIME, mcp=False), record)
    assert "statusLine" not in json.loads((tmp_path / "settings.json").read_text())
    assert not (tmp_path / ".claude.json").exists()
    uninstalled(CLAUDE_CODE, tmp_path, record)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == []


def test_the_client_s_trust_in_our_hooks_goes_with_them(tmp_path: Path) -> None:
    """Codex keeps it in its own settings, by the place of a hook; that of others' hooks stays."""
    config = tmp_path / "config.toml"
    theirs = '[hooks.state."/p/.codex/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:1"\n'
    ours = [
        f'[hooks.state."{tmp_path}/hooks.json:{event}:0:0"]\ntrusted_hash = "sha256:2"\n'
        for event in ("stop", "session_start")
    ]
    for others in ([theirs], []):
        config.write_text('model = "x"\n')
        record = installed(CODEX, tmp_path)
        config.write_text(config.read_text() + "\n".join(["\n[hooks.state]\n", *ours, *others]))
        uninstalled(CODEX, tmp_path, record)
        left = {"hooks": {"state": {"/p/.codex/hooks.json:stop:0:0": {"trusted_hash": "sha256:1"}}}} if others else {}
        assert tomllib.loads(config.read_text()) == {"model": "x", **left}


FOREIGN: list[tuple[Client, str, str | bytes, type[Exception], str]] = [
    (CLAUDE_CODE, ".claude.json", '{"mcpServers": {"ferrule": {"command": "other"}}}', UsageError, "not ours"),
    (CLAUDE_CODE, "settings.json", '{"statusLine": {"command": "mine"}}', UsageError, "status line of your own"),
    (CODEX, "config.toml", '[mcp_servers.ferrule]\ncommand = "other"\n', UsageError, "not ours"),
    (CODEX, "config.toml", '[mcp_servers]\nferrule = { url = "u" }\n', UsageError, "not ours"),
    (CLAUDE_CODE, "settings.json", '{"hooks": []}', UnreadableInput, "hooks is no object"),
    (CLAUDE_CODE, "settings.json", '{"hooks": {"Stop": {}}}', UnreadableInput, "hooks.Stop is no list"),
    (CLAUDE_CODE, "settings.json", '{"hooks": null}', UnreadableInput, "hooks is no object"),
    (CLAUDE_CODE, ".claude.json", '{"mcpServers": []}', UnreadableInput, "mcpServers is no object"),
    (CLAUDE_CODE, "settings.json", "[]", UnreadableInput, "outermost value is no object"),
    (CODEX, "hooks.json", '{"hooks": {"Stop": 3}}', UnreadableInput, "hooks.Stop is no list"),
    (CODEX, "config.toml", "a = ", UnreadableInput, "not TOML"),
    (CLAUDE_CODE, "settings.json", b"\xff\xfe{}", UnreadableInput, "not UTF-8"),
]


@pytest.mark.parametrize("case", FOREIGN)
def test_what_stands_in_the_way_is_told_with_its_file(
    tmp_path: Path, case: tuple[Client, str, str | bytes, type[Exception], str]
) -> None:
    """Another's entry under our name, or a file in a form that is none: nothing is planned, and the file is named."""
    client, name, text, error, told = case
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(error, match=told) as caught:
        plan_install(client, Folders(tmp_path, None), Wish(RUNTIME, status_line=True), None)
    assert name in str(caught.value)


@pytest.mark.parametrize(
    "text", ["[]", '{"mcpServers": []}', '{"hooks": [], "mcpServers": 3}', '{"hooks": {"Stop": {}}}', "3"]
)
def test_a_form_that_is_none_does_not_keep_ours_in_the_other_files(tmp_path: Path, text: str) -> None:
    """Uninstalling passes over what cannot hold anything of ours."""
    record = installed(CLAUDE_CODE, tmp_path)
    (tmp_path / ".claude.json").write_text(text)
    uninstalled(CLAUDE_CODE, tmp_path, record)
    assert (tmp_path / ".claude.json").read_text() == text
    assert not (tmp_path / "settings.json").exists()


def test_a_text_that_a_person_changed_is_left_to_them(tmp_path: Path) -> None:
    """Neither renewed nor taken away; said instead."""
    record = installed(CLAUDE_CODE, tmp_path)
    file = tmp_path / "commands/ferrule/show.md"
    file.write_text("mine\n")
    plan = plan_install(CLAUDE_CODE, Folders(tmp_path, None), Wish(RUNTIME, texts={"show.md": b"new\n"}), record)
    assert plan.changes == ()
    assert "stays as it is" in plan.notes[0]
    assert "stays" in uninstalled(CLAUDE_CODE, tmp_path, record).notes[0]
    assert file.read_text() == "mine\n"


def test_a_text_that_a_newer_version_does_without_goes(tmp_path: Path) -> None:
    """Unless a person changed it."""
    record = installed(CLAUDE_CODE, tmp_path)
    record = installed(CLAUDE_CODE, tmp_path, Wish(RUNTIME), record)
    assert not (tmp_path / "commands/ferrule/show.md").exists()
    assert record.file(tmp_path / "commands/ferrule/show.md") is None
