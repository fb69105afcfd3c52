"""A person's own hand: check, write, show, forget, export, under the same rules as the critic (DEC-D5, DEC-D8)."""

import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ferrule as package

SAMPLES = Path(package.__file__).parent / "samples"
HOST = 'prototype StagingHost : Host\n{\n\tHostName = "staging.example.org";\n}\n'
REFUSAL = {"code", "rule", "property", "line", "column", "message", "remedy"}


def put(folder: Path, text: str, name: str = "d.pts") -> str:
    """A draft."""
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


@pytest.fixture
def reviewed(ferrule: Callable[..., Any]) -> Callable[..., Any]:
    """A home with one reviewed session."""
    assert ferrule("review", str(SAMPLES / "codex-pull-request-and-worktree.jsonl")).code == 0
    return ferrule


def test_a_good_draft_is_accepted_written_and_then_unchanged(tmp_path: Path, reviewed: Callable[..., Any]) -> None:
    """DEC-D1, DEC-D11: check and write agree; the same again changes nothing; what is kept is the canonical text."""
    draft = put(tmp_path, HOST)
    assert reviewed("memory", "check", draft, "--json").rows() == [
        {"file": draft, "ok": True, "prototype": "StagingHost", "refusals": [], "warnings": []}
    ]
    assert reviewed("memory", "show", "StagingHost").code == 2
    assert "written: StagingHost" in reviewed("memory", "write", draft).out
    assert "unchanged" in reviewed("memory", "write", draft).out
    shown = reviewed("memory", "show", "StagingHost", "--json").rows()[0]
    assert shown["handles"] == [{"kind": "host", "value": "staging.example.org", "property": "HostName"}]
    assert '@"staging.example.org"' in shown["definition"]


@pytest.mark.parametrize(
    ("text", "code", "rule"),
    [
        ("", "PARSE", 2),
        ("// nothing\n", "NOT_ONE_PROTOTYPE", 2),
        ("```\n" + HOST + "```\n", "PARSE", 2),
        (HOST + HOST.replace("Staging", "Other"), "NOT_ONE_PROTOTYPE", 2),
        (HOST.replace("Host\n", "Nothing\n"), "UNKNOWN_TYPE", 4),
        (HOST.replace("HostName", "Colour"), "UNKNOWN_PROPERTY", 5),
        (HOST.replace('"staging.example.org"', "3"), "TYPE_MISMATCH", 5),
        (HOST.replace("staging.example.org", "https://bot:hunter2pass@x.example.org/"), "SECRET_VALUE", 7),
        (HOST.replace("staging", "sta\u202eging"), "BAD_TEXT", 1),
        (HOST.replace("\tHostName", "\tfunction Run() : void { }\n\tHostName"), "FORBIDDEN_CONSTRUCT", 2),
        ("prototype Host : SemanticEntityBase;", "RESERVED_NAME", 3),
    ],
)
def test_a_bad_draft_is_refused_with_code_rule_place_and_remedy(
    tmp_path: Path, reviewed: Callable[..., Any], *, text: str, code: str, rule: int
) -> None:
    """R89: exit 1, the documented shape; write refuses the same and changes nothing (R59)."""
    draft = put(tmp_path, text)
    before = reviewed("memory", "export").out
    for command in ("check", "write"):
        told = reviewed("memory", command, draft, "--json")
        assert told.code == 1
        (row,) = told.rows()
        assert row["ok"] is False
        first = row["refusals"][0]
        assert set(first) == REFUSAL
        assert (first["code"], first["rule"]) == (code, rule)
        assert first["message"]
        assert first["remedy"]
        assert "hunter2pass" not in told.out
    assert reviewed("memory", "export").out == before


def test_a_handle_is_asked_of_a_person_only_as_a_warning(tmp_path: Path, reviewed: Callable[..., Any]) -> None:
    """DEC-D5: rule 8 warns a person and refuses a critic."""
    draft = put(tmp_path, 'prototype Idea : SemanticEntityBase\n{\n\tEntityName = "harvest";\n}\n')
    told = reviewed("memory", "check", draft, "--json")
    assert told.code == 0
    assert [row["code"] for row in told.rows()[0]["warnings"]] == ["NO_HANDLE"]
    judged = reviewed("memory", "check", draft, "--as-critic", "1", "--json")
    assert judged.code == 1
    assert judged.rows()[0]["refusals"][0]["code"] == "NO_HANDLE"


@pytest.mark.parametrize(("test", "ok"), [("test_retry", True), ("test_other", False)])
def test_as_a_critic_every_handle_needs_evidence_of_that_turn(
    tmp_path: Path, reviewed: Callable[..., Any], *, test: str, ok: bool
) -> None:
    """DEC-D9: the same definition, once with a handle that the turn shows, once with one that it does not."""
    names = reviewed("memory", "forget", "--all", "--yes", "--json").rows()[0]["forgotten"]
    assert all(reviewed("memory", "unforget", name, "--yes").code == 0 for name in names)
    text = f'prototype HarvestTests : Command\n{{\n\tCommandLine = "python -m pytest tests/{test}.py -q";\n}}\n'
    told = reviewed("memory", "check", put(tmp_path, text), "--as-critic", "1", "--json")
    (row,) = told.rows()
    assert (row["ok"], told.code) == (ok, 0 if ok else 1), row
    assert ok or row["refusals"][0]["code"] == "NO_EVIDENCE"


def test_a_turn_that_is_not_there_cannot_judge(tmp_path: Path, reviewed: Callable[..., Any]) -> None:
    """`--as-critic` names a completed turn of the session, else exit 2."""
    told = reviewed("memory", "check", put(tmp_path, HOST), "--as-critic", "99")
    assert told.code == 2
    assert "no completed turn 99" in told.err


def test_checking_needs_no_session_and_makes_no_home(
    tmp_path: Path, home: Path, ferrule: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A draft can be checked before anything was reviewed, from standard input too; writing needs a session."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(HOST.encode())))
    assert ferrule("memory", "check", "-", "--json").rows()[0]["ok"] is True
    assert not home.exists()
    assert ferrule("memory", "write", put(tmp_path, HOST)).code == 2


def test_an_ontology_of_ones_own_replaces_the_base(tmp_path: Path, reviewed: Callable[..., Any]) -> None:
    """`--ontology` replaces, in every command that reads types."""
    mine = put(tmp_path, "prototype Robot\n{\n\tString RobotId;\n}\n", "mine.pts")
    draft = put(tmp_path, 'prototype Marvin : Robot\n{\n\tRobotId = "mk-2";\n}\n')
    assert reviewed("memory", "check", draft, "--json").rows()[0]["refusals"][0]["code"] == "UNKNOWN_TYPE"
    assert reviewed("memory", "check", draft, "--ontology", mine).code == 0
    assert reviewed("memory", "check", draft, "--ontology", str(tmp_path / "nowhere")).code == 2
    wrong = put(tmp_path, "prototype {", "wrong.pts")
    assert reviewed("memory", "check", draft, "--ontology", wrong).code == 3


def test_settings_add_folders_to_the_base(tmp_path: Path, home: Path, reviewed: Callable[..., Any]) -> None:
    """`ontology` in settings.toml; a wrong setting is one line, exit 2."""
    types = tmp_path / "types"
    types.mkdir()
    put(types, "prototype Robot : SemanticEntityBase\n{\n\tString RobotId;\n}\n", "robot.pts")
    (home / "settings.toml").write_text(f"ontology = [{json.dumps(str(types))}]", encoding="utf-8")
    draft = put(tmp_path, 'prototype Marvin : Robot\n{\n\tRobotId = "mk-2";\n}\n')
    assert reviewed("memory", "check", draft).code == 0
    (home / "settings.toml").write_text("retention_days = 'x'", encoding="utf-8")
    told = reviewed("memory", "list")
    assert (told.code, told.err.count("\n")) == (2, 1)


def test_a_folder_of_ones_own_names_new_handles(tmp_path: Path, home: Path, reviewed: Callable[..., Any]) -> None:
    """Design section 3: `handles.toml` in an ontology folder extends the suffix table; a wrong one is one line."""
    types = tmp_path / "types"
    types.mkdir()
    put(types, "prototype Robot : SemanticEntityBase\n{\n\tString Callsign;\n}\n", "robot.pts")
    (home / "settings.toml").write_text(f"ontology = [{json.dumps(str(types))}]", encoding="utf-8")
    draft = put(tmp_path, 'prototype Marvin : Robot\n{\n\tCallsign = "mk-two";\n}\n')
    assert [row["code"] for row in reviewed("memory", "check", draft, "--json").rows()[0]["warnings"]] == ["NO_HANDLE"]
    put(types, '[suffixes]\nother-id = ["Callsign"]\n', "handles.toml")
    assert reviewed("memory", "check", draft, "--json").rows()[0]["warnings"] == []
    assert reviewed("memory", "write", draft).code == 0
    shown = reviewed("memory", "show", "Marvin", "--json").rows()[0]
    assert shown["handles"] == [{"kind": "other-id", "value": "mk-two", "property": "Callsign"}]
    put(types, '[suffixes]\nno-such-kind = ["X"]\n', "handles.toml")
    told = reviewed("memory", "list")
    assert (told.code, told.err.count("\n")) == (3, 1)


def test_a_file_edited_by_hand_that_still_says_a_forgotten_thing_is_named(
    tmp_path: Path, reviewed: Callable[..., Any], home: Path
) -> None:
    """R97, D12: it is a person's own and stays; one that says nothing of it is not named."""
    (shown,) = home.rglob("SessionMemory.pts")
    shown.write_text(shown.read_text(encoding="utf-8") + "// mine\n", encoding="utf-8")
    assert reviewed("memory", "write", put(tmp_path, HOST)).code == 0
    (kept,) = home.rglob("SessionMemory.edited-1.pts")
    told = reviewed("memory", "forget", "PullRequest57", "--yes")
    assert (told.code, f"{kept} was edited by hand and still says it" in " ".join(told.err.split())) == (0, True)
    assert kept.is_file()
    assert reviewed("memory", "forget", "StagingHost", "--yes", "--json").err == ""


def test_forgetting_wants_names_or_all_and_a_yes(reviewed: Callable[..., Any]) -> None:
    """R97, DEC-D8: nothing happens without --yes; unknown names are told; all of it can go."""
    assert reviewed("memory", "forget").code == 2
    assert reviewed("memory", "forget", "Nobody", "--yes").code == 2
    assert reviewed("memory", "forget", "x", "--all").code == 2
    count = len(reviewed("memory", "list", "--json").rows())
    assert reviewed("memory", "forget", "--all", "--json").rows()[0]["done"] is False
    assert len(reviewed("memory", "list", "--json").rows()) == count > 0
    assert reviewed("memory", "forget", "--all", "--yes").code == 0
    assert reviewed("memory", "list", "--json").out == ""
    assert "(forgotten)" in reviewed("explain", "--json").out


def test_an_export_can_be_checked_and_is_never_written_over_a_file(
    tmp_path: Path, reviewed: Callable[..., Any]
) -> None:
    """`memory export` gives ProtoScript; an existing file stays as it is, exit 4."""
    target = tmp_path / "memory.pts"
    assert reviewed("memory", "export", "--out", str(target)).code == 0
    assert reviewed("check", str(target)).code == 0
    told = reviewed("memory", "export", "--out", str(target))
    assert (told.code, told.err.count("\n")) == (4, 1)


def test_a_search_finds_by_handle_name_and_words(reviewed: Callable[..., Any]) -> None:
    """R88: exact handle, words, and nothing for nonsense."""
    url = "https://github.com/larkspur-labs/harvest/pull/57"
    by_url = reviewed("memory", "search", url, "--json").rows()
    assert by_url[0]["handles"][0]["value"] == url
    assert by_url[0]["matched"][0]["by"] == "handle"
    assert by_url[0]["why"].startswith("carries ")
    assert by_url[0]["revision"] > 0
    assert reviewed("memory", "search", "pull", "57", "--json").rows()[0]["name"] == by_url[0]["name"]
    nothing = reviewed("memory", "search", "zzqqxx").out
    assert re.fullmatch(r"Nothing found in \S+ at revision [0-9]+\.\n", nothing)
    same = reviewed("memory", "search", "zzqqxx", "--json")
    assert (same.out, same.err) == ("", nothing)
    assert reviewed("memory", "search", "x", "--limit", "0").code == 2


@pytest.mark.parametrize("name", ["last", "codex:d9c63a5c", "codex:d9c63a5c-5b79-540c-949d-cebec54d65a8", "d9c63a5c"])
def test_a_session_is_named_by_key_beginning_or_last(reviewed: Callable[..., Any], name: str) -> None:
    """SOURCE and --session take all of them; a companion is never one of them (R1)."""
    assert reviewed("log", name).code == 0
    assert reviewed("memory", "list", "--session", name).code == 0
    assert reviewed("log", "nobody").code == 2
    assert reviewed("log", "codex:d9c63a5c-5b79-540c-949d-cebec54d65a8-online").code == 2
