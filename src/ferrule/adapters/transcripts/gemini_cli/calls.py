"""A tool call of Gemini CLI carries its answer, its status and what the person saw of it.

Owns those shapes, and the frame that the shell tool puts around what a command printed. Knows nothing of turns.
"""

import posixpath
import re
from collections.abc import Mapping
from typing import Any

from ferrule.adapters.transcripts.drafts import RawCall
from ferrule.adapters.transcripts.fields import joined_texts, object_at, text_at

__all__ = ["call_of", "is_cancelled", "result_of"]

_OUTCOMES = {"success": True, "error": False, "cancelled": False}
_SHELL = "run_shell_command"
_CODE = re.compile(r"^Exit Code: (-?\d{1,5})$", re.MULTILINE)
_SIGNAL = re.compile(r"^Signal: (?!0$|\(none\)$)\S{1,20}$", re.MULTILINE)
_EDGE = 2000
_MAX_PARTS = 200
_BACKGROUND = "moved to background"


def call_of(value: Mapping[str, Any], cwd: str | None) -> RawCall:
    """One entry of `toolCalls`."""
    status = text_at(value, "status")
    arguments = object_at(value, "args")
    ok = _OUTCOMES.get(status)
    result = result_of(value.get("result")) if status in _OUTCOMES else None
    details = _details(value.get("resultDisplay"))
    name = text_at(value, "name")
    if name == _SHELL and result is not None:
        code = _exit_code(result)
        if code is not None:
            details["exit_code"] = code
        failed = (code is not None and code != 0) or _SIGNAL.search(result[-_EDGE:]) is not None
        ok = False if failed or ok is False else None if _BACKGROUND in result[:_EDGE] else ok
        result = _printed(result)
        cwd = _folder(arguments, cwd)
    return RawCall(text_at(value, "id"), name, arguments, result, ok, cwd, details)


def is_cancelled(value: Mapping[str, Any]) -> bool:
    """Whether the person stopped a call before anything came of it."""
    return text_at(value, "status") == "cancelled"


def result_of(value: object) -> str:
    """The text of a call's answer: what the tool gave to the model."""
    if isinstance(value, str):
        return value
    parts = value if isinstance(value, list) else [value]
    texts = [_answer(part) for part in parts[:_MAX_PARTS] if isinstance(part, dict)]
    return "\n".join(text for text in texts if text)


def _answer(part: Mapping[str, Any]) -> str:
    response = object_at(object_at(part, "functionResponse"), "response")
    found = text_at(response, "output") or text_at(response, "error") or joined_texts(response.get("content"))
    return found or text_at(part, "text")


def _details(display: object) -> dict[str, object]:
    """Whether a file is new, and its absolute path, as the client showed the person."""
    found: dict[str, object] = {}
    if not isinstance(display, dict):
        return found
    if isinstance(display.get("isNewFile"), bool):
        found["type"] = "create" if display["isNewFile"] else "update"
    if text_at(display, "filePath"):
        found["filePath"] = text_at(display, "filePath")
    return found


def _exit_code(result: str) -> int | None:
    found = _CODE.findall(result[-_EDGE:])
    return int(found[-1]) if found else None


def _printed(result: str) -> str:
    """What the command printed, without the frame's own lines before it, which git's would hide behind."""
    if not result.startswith(("Command: ", "Output: ")):
        return result
    start = 0 if result.startswith("Output: ") else result.find("\nOutput: ") + 1
    return result[start:].removeprefix("Output: ") if start or result.startswith("Output: ") else result


def _folder(arguments: Mapping[str, Any], cwd: str | None) -> str | None:
    """Where a command ran: its own folder, which is written relative to the session's."""
    given = text_at(arguments, "dir_path") or text_at(arguments, "directory")
    if given.startswith("/") or not given or cwd is None:
        return given if given.startswith("/") else cwd
    return posixpath.normpath(posixpath.join(cwd, given)) if cwd.startswith("/") else cwd
