"""What editors, readers, patches and other servers' tools become in the action ledger."""

# ruff: noqa: E501 - a row of the table is one line

import json

import pytest

from ferrule.referents.kinds import Place
from ferrule.session.ledger.ledger import ledger
from ferrule.session.ledger.results import outcome
from ferrule.session.ledger.tools import FAMILIES
from ferrule.session.turn import Action, ToolCall

HERE = Place(cwd="/w")
PATCH = (
    "*** Begin Patch\n*** Add File: a.py\n+x\n*** Update File: b.py\n*** Move to: c.py\n@@\n-y\n+z\n"
    "*** Update File: d.py\n@@\n-1\n+2\n*** Delete File: e.py\n*** End Patch\n"
)
PATCHED = [
    "created filesystem-path True /w/a.py",
    "moved filesystem-path True /w/c.py < /w/b.py",
    "edited filesystem-path True /w/d.py",
    "deleted filesystem-path True /w/e.py",
]
ISSUE = {"id": "9d2f", "identifier": "ATL-7", "title": "Say it", "url": "https://tracker.example.org/ATL-7"}

# tool, arguments, result -> rows
ROWS: list[tuple[str, str | dict[str, object], str, list[str]]] = [
    # editors of several clients, by argument shape
    ("Edit", {"file_path": "/w/a.py", "old_string": "x", "new_string": "y"}, "", ["edited filesystem-path True /w/a.py"]),
    ("edit", {"filePath": "a.py", "oldString": "x", "newString": "y"}, "", ["edited filesystem-path True /w/a.py"]),
    ("replace", {"file_path": "a.py", "old_string": "x", "new_string": "y"}, "", ["edited filesystem-path True /w/a.py"]),
    ("MultiEdit", {"file_path": "a.py", "edits": []}, "", ["edited filesystem-path True /w/a.py"]),
    ("NotebookEdit", {"notebook_path": "a.ipynb", "new_source": "x"}, "", ["edited filesystem-path True /w/a.ipynb"]),
    ("str_replace_editor", {"command": "create", "path": "a.py", "file_text": "x"}, "", ["created filesystem-path True /w/a.py"]),
    ("str_replace_editor", {"command": "view", "path": "a.py"}, "", ["read filesystem-path True /w/a.py"]),
    ("some_new_editor", {"path": "a.py", "old_str": "x", "new_str": "y"}, "", ["edited filesystem-path True /w/a.py"]),
    ("Write", {"file_path": "a.py", "content": "x"}, "File created successfully at: /w/a.py", ["created filesystem-path True /w/a.py"]),
    ("Write", {"file_path": "a.py", "content": "x"}, "The file /w/a.py has been updated successfully.", ["edited filesystem-path True /w/a.py"]),
    ("write_file", {"file_path": "a.py", "content": "x"}, "Successfully overwrote file: a.py", ["edited filesystem-path True /w/a.py"]),
    ("some_new_writer", {"path": "a.py", "content": "x"}, "", ["created filesystem-path True /w/a.py"]),
    ("delete_file", {"path": "a.py"}, "", ["deleted filesystem-path True /w/a.py"]),
    # patches
    ("apply_patch", PATCH, "", PATCHED),
    ("apply_patch", {"patchText": PATCH}, "", PATCHED),
    ("apply_patch", {"input": PATCH}, "", PATCHED),
    ("apply_patch", "\n**Add: `docs/a.md`**\n\n```diff\n+x\n```\n\n**Update: `b.md`**\n", "", ["created filesystem-path True /w/docs/a.md", "edited filesystem-path True /w/b.md"]),
    ("apply_patch", "--- /dev/null\n+++ b/a.py\n@@\n+x\n--- a/b.py\n+++ b/b.py\n", "", ["created filesystem-path True /w/a.py", "edited filesystem-path True /w/b.py"]),
    ("apply_patch", "", "Success. Updated the following files:\nA a.py\nM b.py\n", ["created filesystem-path True /w/a.py", "edited filesystem-path True /w/b.py"]),
    # readers and searchers
    ("Read", {"file_path": "/w/a.py"}, "", ["read filesystem-path True /w/a.py"]),
    ("Read", "`./a.py`", "", ["read filesystem-path True /w/a.py"]),
    ("list_directory", {"dir_path": "src/"}, "", ["listed filesystem-path True /w/src"]),
    ("Glob", {"pattern": "**/*.py"}, "", ["listed - True "]),
    ("Grep", {"pattern": "x", "path": "src/a"}, "", ["searched filesystem-path True /w/src/a"]),
    ("Grep", "path `src/a` pattern `x`", "", ["searched filesystem-path True /w/src/a"]),
    # exported text of an edit
    ("Edit", "\n```\nThe file /w/a.py has been updated successfully.\n```", "", ["edited filesystem-path True /w/a.py"]),
    # shells by shape
    ("Bash", "Look at it\n\n`touch a.py`", "", ["created filesystem-path True /w/a.py"]),
    ("exec_command", "`touch a.py`", "", ["created filesystem-path True /w/a.py"]),
    ("some_new_shell", {"command": "touch a.py"}, "", ["created filesystem-path True /w/a.py"]),
    ("local_shell", {"command": ["touch", "a b.py"]}, "", ["created filesystem-path True /w/a b.py"]),
    ("PowerShell", {"command": "Set-Content -Path out\\a.txt -Value 'x'"}, "", ["created filesystem-path True /w/out\\a.txt"]),
    ("exec", 'const r = await tools.exec_command({cmd:"touch a.py",workdir:"/v"}); text(r)', "", ["created filesystem-path True /v/a.py"]),
    # web, plans, delegation, other servers
    ("WebFetch", {"url": "https://example.org/a", "prompt": "x"}, "", ["fetched url True https://example.org/a"]),
    ("websearch", {"query": "x"}, "", ["searched - True "]),
    ("TodoWrite", {"todos": []}, "", ["planned - True "]),
    ("Task", {"description": "Look around", "prompt": "...", "subagent_type": "Explore"}, "", ["delegated - True "]),
    ("Skill", {"skill": "review"}, "", []),
    ("mcp__tracker__get_issue", {"id": "ATL-7"}, json.dumps(ISSUE), ["viewed issue True ATL-7", "viewed url True https://tracker.example.org/ATL-7"]),
    ("mcp__docs__create_document", {"title": "Plan"}, '{"id": "44-1"}', ["created document-id True 44-1"]),
    ("mcp__github__get_pull_request", {"owner": "larkspur", "repo": "atlas", "pull_number": 7}, "", ["viewed pull-request True larkspur/atlas#7"]),
    ("mcp__browser__navigate", {"url": "https://example.org"}, "", ["fetched url True https://example.org"]),
]  # fmt: skip


def shown(row: Action) -> str:
    """A row in one line."""
    was = f" < {row.was}" if row.was else ""
    return f"{row.verb} {row.kind or '-'} {row.ok} {row.target}{was}"


@pytest.mark.parametrize(("tool", "arguments", "result", "expected"), ROWS)
def test_a_tool_call_becomes_its_rows(
    tool: str, arguments: str | dict[str, object], result: str, expected: list[str]
) -> None:
    """R18, R23: by tool name and argument shape, never by client."""
    call = ToolCall("c1", tool, arguments, result, ok=True)
    assert [shown(row) for row in ledger([call], HERE)] == expected


def test_structured_results_tell_creation_from_update() -> None:
    """R23: what the client says beside the result is better evidence than prose."""
    for kind, verb in (("create", "created"), ("update", "edited")):
        call = ToolCall("c1", "Write", {"file_path": "a.py"}, "ok", ok=True, details={"type": kind})
        assert [row.verb for row in ledger([call], HERE)] == [verb]


OUTCOMES: list[tuple[str | None, bool | None]] = [
    (None, None),
    ("", None),
    ("some output", None),
    ("Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nx", True),
    ("Chunk ID: 1\nProcess exited with code 2\nOutput:\nx", False),
    ("Chunk ID: 1\nProcess running with session ID 7\n", None),
    ("Exit code 1\nboom", False),
    ("Error: Exit code 127\nboom", False),
    ('{"output": "x", "metadata": {"exit_code": 0}}', True),
    ("<returncode>1</returncode>", False),
    ("x\n<exited with exit code 0>", True),
    ("fatal: not a git repository", False),
    ("error: pathspec", False),
    ("<tool_use_error>File has not been read yet.</tool_use_error>", False),
    ("bash: foo: command not found", False),
    ("ls: cannot access 'x': No such file or directory", None),
    ("The file /w/a.py has been updated successfully.", True),
    ("Success. Updated the following files:\nM a.py", True),
]


@pytest.mark.parametrize(("result", "expected"), OUTCOMES)
def test_an_outcome_is_read_from_the_text_only_where_it_tells(result: str | None, expected: bool | None) -> None:  # noqa: FBT001
    """DEC-D10: three-valued; a missing result proves nothing."""
    assert outcome(ToolCall("c1", "Bash", {}, result, None)) is expected


def test_the_formats_own_word_wins_over_the_text() -> None:
    """DEC-D10: `ok` as the transcript states it, then structured exit codes and interruptions."""
    assert outcome(ToolCall("c1", "Bash", {}, "fatal: x", ok=True)) is True
    assert outcome(ToolCall("c1", "Bash", {}, "fine", None, details={"exit_code": 3})) is False
    assert outcome(ToolCall("c1", "Bash", {}, "fine", None, details={"interrupted": True})) is False


def test_every_tool_has_one_family() -> None:
    """R18: a name in two families would depend on the order of a table."""
    listed = [name for text in FAMILIES.values() for name in text.split()]
    assert len(listed) == len(set(listed))
