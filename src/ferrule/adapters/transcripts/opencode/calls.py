"""A tool part of OpenCode is a call with its result; a patch part names files that changed while a step ran.

Owns states, exit codes, what a person answered through a tool, and which changed files no editing tool names. Knows
nothing of turns.
"""

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ferrule.adapters.transcripts.drafts import RawCall
from ferrule.adapters.transcripts.fields import object_at, objects_at, text_at
from ferrule.session.ledger.arguments import COMMAND_KEYS, PATH_KEYS, first_text
from ferrule.session.ledger.tools import tool_family

__all__ = ["call_of", "note_changes", "said_in", "statuses_of"]

_MAX_DETAIL = 600
_MAX_FILES = 12
_MAX_LOOKED_AT = 1000
_MAX_PATCH = 1024 * 1024
_SKIPPED = frozenset({"output", "preview", "diff", "description", "title"})
_REFUSED = "The user rejected permission to use this specific tool call with the following feedback:"
_EDITING = frozenset({"edit", "write", "patch", "delete"})
_LOOKING = frozenset({"read", "list", "search", "fetch", "websearch", "plan", "silent"})
# What moves the whole tree changed files that nobody wrote in this turn.
_MOVES_TREE = re.compile(
    r"\bgit\s(?:[^;&|\n]{0,80}\s)?(?:checkout|switch|pull|merge|rebase|reset|stash|cherry-pick|am|restore)\b"
)


def call_of(part: Mapping[str, Any], cwd: str | None) -> RawCall:
    """The call of a `tool` part. Whether it worked is told by its state, a shell's exit code first."""
    state = object_at(part, "state")
    status = text_at(state, "status")
    details = _details(object_at(state, "metadata"))
    result = text_at(state, "error") if status == "error" else text_at(state, "output")
    ok: bool | None = {"completed": True, "error": False}.get(status)
    code = details.get("exit_code")
    if ok and "exit_code" in details:
        ok = code == 0 if isinstance(code, int) else None
    given = state.get("input")
    return RawCall(
        id=text_at(part, "callID") or text_at(part, "id"),
        tool=text_at(part, "tool"),
        arguments=given if isinstance(given, dict | str) else {},
        result=result if status in {"completed", "error"} else None,
        ok=ok,
        cwd=cwd,
        details=details,
    )


def _details(metadata: Mapping[str, Any]) -> dict[str, object]:
    """The small scalars of a result under the names that the ledger knows; texts and diffs are not needed."""
    found: dict[str, object] = {
        str(key): item
        for key, item in metadata.items()
        if key not in _SKIPPED
        and (isinstance(item, bool | int | float) or (isinstance(item, str) and len(item) <= _MAX_DETAIL))
    }
    if "exit" in metadata:
        found["exit_code"] = metadata["exit"] if isinstance(metadata["exit"], int) else None
    if isinstance(metadata.get("exists"), bool):
        found["type"] = "update" if metadata["exists"] else "create"
    file = text_at(object_at(metadata, "filediff"), "file") or text_at(metadata, "filepath")
    if file and len(file) <= _MAX_DETAIL:
        found["filePath"] = file
    return found


def said_in(part: Mapping[str, Any]) -> list[str]:
    """A person's own words in a tool part: answers to the agent's questions, and why a call was refused."""
    state = object_at(part, "state")
    error = text_at(state, "error")
    if error.startswith(_REFUSED):
        return [words] if (words := error.removeprefix(_REFUSED).strip()) else []
    answers = object_at(state, "metadata").get("answers") if text_at(part, "tool") == "question" else None
    rows = answers if isinstance(answers, list) else []
    return [
        text for row in rows for text in (row if isinstance(row, list) else [row]) if isinstance(text, str) and text
    ]


def statuses_of(info: Mapping[str, Any], root: str | None) -> dict[str, str]:
    """What became of each file in a turn, as the client sums it up at its user message: added, modified, deleted."""
    found: dict[str, str] = {}
    for row in objects_at(object_at(info, "summary"), "diffs"):
        path, status = text_at(row, "file"), text_at(row, "status")
        if path and status:
            found[posixpath.normpath(posixpath.join(root or "", path))] = status
    return found


def note_changes(calls: Sequence[RawCall], files: Iterable[object], statuses: Mapping[str, str]) -> None:
    """Put the files that a step changed into the details of its last call that may have: a shell's, a delegation's."""
    changed = [file for file in files if isinstance(file, str) and file]
    doers = [call for call in calls if _family(call) not in _EDITING | _LOOKING] if changed else []
    if not doers or any(_MOVES_TREE.search(_script(call)) for call in doers):
        return
    edits = [call.arguments for call in calls if isinstance(call.arguments, dict) and _family(call) in _EDITING]
    named = {posixpath.normpath(first_text(given, PATH_KEYS) or "-") for given in edits}
    patches = "\n".join(first_text(given, ("patchText", "patch"))[:_MAX_PATCH] for given in edits)
    rest = [
        path
        for path in dict.fromkeys(posixpath.normpath(file) for file in changed[:_MAX_LOOKED_AT])
        if path not in named and posixpath.basename(path) not in patches
    ]
    if 0 < len(rest) <= _MAX_FILES:
        rows = [{"path": path, "status": statuses.get(path, "modified")} for path in rest]
        doers[-1].details = {**doers[-1].details, "files_changed": rows}


def _family(call: RawCall) -> str:
    return tool_family(call.tool, call.arguments if isinstance(call.arguments, dict) else {})


def _script(call: RawCall) -> str:
    return first_text(call.arguments, COMMAND_KEYS)[:4000] if isinstance(call.arguments, dict) else ""
