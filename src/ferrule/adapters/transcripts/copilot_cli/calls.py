"""A tool call of Copilot CLI begins in one event and ends in another; `success` says that the tool ran, no more.

Owns arguments, results and outcomes. Knows nothing of turns.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from ferrule.adapters.transcripts.drafts import RawCall
from ferrule.adapters.transcripts.fields import joined_texts, object_at, text_at
from ferrule.session.ledger.results import exit_code
from ferrule.session.ledger.tools import tool_family

__all__ = ["call_of", "end_call", "is_shell"]

_SHELLS = frozenset({"shell", "powershell"})
_STILL_RUNNING = re.compile(
    r"still running|started in (?:the )?(?:detached )?background|command started", re.IGNORECASE
)
_EDGE = 600
_MAX_PATHS = 40_000


def call_of(identity: str, name: str, arguments: object) -> RawCall:
    """A call as it was asked for; arguments are an object, or the text of a free-form tool such as `apply_patch`."""
    given = arguments if isinstance(arguments, dict | str) else {}
    return RawCall(identity, name, given)


def is_shell(call: RawCall) -> bool:
    """Whether a call runs a command."""
    return tool_family(call.tool, call.arguments if isinstance(call.arguments, dict) else {}) in _SHELLS


def end_call(call: RawCall, data: Mapping[str, Any]) -> None:
    """Put the result of `tool.execution_complete` to its call."""
    success = data.get("success")
    result = data.get("result")
    if isinstance(result, dict):
        call.result = text_at(result, "content") or joined_texts(result.get("contents"))
    elif isinstance(result, str):
        call.result = result
    if success is False:
        call.result = text_at(object_at(data, "error"), "message") or call.result or ""
    call.ok = success if isinstance(success, bool) else None
    if call.ok and is_shell(call):
        call.ok = _ran_well(call.result or "")
    edited = _paths(data)
    if len(edited) == 1:
        call.details = {**call.details, "filePath": edited[0]}


def _ran_well(printed: str) -> bool | None:
    """Whether a command worked: by its exit code; unknown while it still runs."""
    code = exit_code(printed)
    if code is not None:
        return code == 0
    return None if _STILL_RUNNING.search(printed[-_EDGE:]) else True


def _paths(data: Mapping[str, Any]) -> list[str]:
    """The files that the client says an editing tool changed: JSON in a text, beside the result."""
    text = text_at(object_at(object_at(data, "toolTelemetry"), "restrictedProperties"), "filePaths")
    if not text.startswith("[") or len(text) > _MAX_PATHS:
        return []
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return [path for path in found if isinstance(path, str)] if isinstance(found, list) else []
