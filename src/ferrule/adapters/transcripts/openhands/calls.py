"""What the agent of OpenHands did becomes a call that any ledger understands, with the outcome that was observed.

Owns the actions of both generations, the file commands inside notebook cells, and how an observation tells success.
Knows nothing of turns.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from ferrule.adapters.transcripts.drafts import RawCall
from ferrule.adapters.transcripts.fields import joined_texts, text_at

__all__ = ["calls_of", "outcome_of", "typed_call", "typed_outcome"]

_IN_CELL = re.compile(
    r"^[ \t]{0,40}(?:print\()?(edit_file|edit_file_by_replace|edit_file_by_line|append_file|insert_content_at_line"
    r"|create_file|write_file|open_file)\(\s{0,80}(?:file_name\s?=\s?|path\s?=\s?)?[\"']([^\"'\n]{1,400})[\"']",
    re.MULTILINE,
)
_SHELL_LINE = re.compile(r"^[ \t]{0,40}(?:!|%(?=pip\b))([^\n]{1,4000})$", re.MULTILINE)
_CELL_TOOLS = {"create_file": "write_file", "write_file": "write_file", "open_file": "read_file"}
_FAILED = re.compile(r"\s{0,20}(?:ERROR\b|\[Error|Traceback \(most recent call last\)|Error executing)")
_MAX_IN_CELL = 50
_MAX_CELL = 256 * 1024
_MAX_JSON = 4 * 1024 * 1024
_EDITS = frozenset({"str_replace_editor", "file_editor", "edit"})
_SHELLS = frozenset({"terminal", "execute_bash", "bash"})
_TYPED_TOOLS = {
    "ExecuteBashAction": "bash",
    "TerminalAction": "bash",
    "FileEditorAction": "str_replace_editor",
    "StrReplaceEditorAction": "str_replace_editor",
    "GlobAction": "glob",
    "GrepAction": "grep",
    "TaskTrackerAction": "plan",
    "ThinkAction": "think",
}


def calls_of(name: str, args: Mapping[str, Any]) -> tuple[RawCall, ...]:
    """The calls of an action of the first generation; none when it does nothing to the world.

    Args:
        name: the action's name.
        args: its arguments, the agent's thought among them.
    """
    given = {key: value for key, value in args.items() if key not in _NO_ARGUMENTS and value is not None}
    if name == "run_ipython":
        return _cell(text_at(args, "code"))
    if name == "run":
        return (_shell(text_at(args, "command"), typed=args.get("is_input") is True),)
    if name in {"call_tool_mcp", "mcp"}:
        arguments = args.get("arguments")
        named = text_at(args, "name") or "tool"
        return (RawCall("", named, arguments if isinstance(arguments, dict) else {}),)
    tool = _TOOLS.get(name)
    return (RawCall("", tool, given),) if tool is not None else ()


_NO_ARGUMENTS = frozenset({"thought", "impl_source", "security_risk", "confirmation_state", "blocking", "keep_prompt"})
_TOOLS = {
    "read": "read_file",
    "write": "write_file",
    "edit": "str_replace_editor",
    "browse": "fetch",
    "browse_interactive": "browser",
    "delegate": "delegate",
    "task_tracking": "plan",
}


def typed_call(tool: str, action: Mapping[str, Any], call: Mapping[str, Any]) -> RawCall | None:
    """The call of an action of the SDK: by its own members, else by the arguments that the model gave.

    Args:
        tool: the tool's name.
        action: the action, its class under `kind`; empty when the model's arguments were no good.
        call: the model's call, its arguments JSON in a text.
    """
    kind = text_at(action, "kind")
    given = {key: value for key, value in action.items() if key != "kind" and value is not None}
    given = given or _arguments(text_at(call, "arguments"))
    if kind == "MCPToolAction":
        data = action.get("data")
        return RawCall("", tool or "tool", data if isinstance(data, dict) else given)
    name = _TYPED_TOOLS.get(kind, "")
    if name == "bash" or tool in _SHELLS:
        return _shell(text_at(given, "command"), typed=given.get("is_input") is True)
    if name == "str_replace_editor" or tool in _EDITS:
        return RawCall("", "str_replace_editor", given)
    return RawCall("", name or tool, given) if name or tool else None


def outcome_of(name: str, value: Mapping[str, Any], extras: Mapping[str, Any]) -> tuple[bool | None, str]:
    """Whether an observation of the first generation tells success, and in which folder the shell is after it."""
    metadata = extras.get("metadata")
    shown = metadata if isinstance(metadata, dict) else extras
    content = text_at(value, "content")
    if name == "run":
        return _by_code(shown.get("exit_code")), text_at(shown, "working_dir")
    if name in {"error", "user_rejected"} or _FAILED.match(content):
        return False, ""
    return (True if name in {"read", "write", "edit"} else None), ""


def typed_outcome(observation: Mapping[str, Any]) -> tuple[str, bool | None, str]:
    """The text of an observation of the SDK, whether it tells success, and in which folder the shell is after it."""
    content = observation.get("content")
    text = joined_texts(content) or text_at(observation, "output") or text_at(observation, "error")
    metadata = observation.get("metadata")
    directory = text_at(metadata, "working_dir") if isinstance(metadata, dict) else ""
    failed = observation.get("is_error") is True or bool(text_at(observation, "error"))
    if "exit_code" in observation:
        return text, False if failed else _by_code(observation["exit_code"]), directory
    if failed or _FAILED.match(text):
        return text, False, directory
    return text, True if text_at(observation, "kind") == "FileEditorObservation" else None, directory


def _by_code(code: object) -> bool | None:
    """An exit code of -1 is that of a command which still runs, or of a key that was pressed."""
    known = isinstance(code, int) and not isinstance(code, bool) and code != -1
    return code == 0 if known else None


def _shell(command: str, *, typed: bool) -> RawCall:
    """A shell command, or what was typed into the one that runs."""
    return RawCall("", "write_stdin" if typed else "bash", {"chars" if typed else "command": command})


def _cell(code: str) -> tuple[RawCall, ...]:
    """A notebook cell: its code, and each file or shell command in it."""
    text = code[:_MAX_CELL]
    found = [
        RawCall("", _CELL_TOOLS.get(match[1], "edit_file"), {"file_path": match[2]})
        for match in _IN_CELL.finditer(text)
    ]
    found += [_shell(match[1], typed=False) for match in _SHELL_LINE.finditer(text)]
    return (RawCall("", "run_ipython", {"code": code}), *found[:_MAX_IN_CELL])


def _arguments(text: str) -> dict[str, Any]:
    if text.lstrip()[:1] != "{" or len(text) > _MAX_JSON:
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
