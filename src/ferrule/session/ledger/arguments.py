"""Arguments of a tool call come as an object or as the text an export made of it; both are read by shape.

Owns the names under which tools write path, command, URL or query, and the code spans of exported text. Knows nothing
of what a tool does.
"""

import json
import re
from collections.abc import Mapping, Sequence

from ferrule.referents.expressions import expression

__all__ = [
    "COMMAND_KEYS",
    "PATH_KEYS",
    "QUERY_KEYS",
    "URL_KEYS",
    "as_object",
    "code_text",
    "first_text",
    "labelled",
    "script_of",
]

PATH_KEYS = (
    "file_path",
    "filePath",
    "path",
    "notebook_path",
    "target_file",
    "absolute_path",
    "relative_workspace_path",
    "filename",
    "file",
    "dir_path",
    "directory",
    "dirPath",
)
COMMAND_KEYS = ("command", "cmd", "script", "commandLine", "CommandLine")
URL_KEYS = ("url", "uri", "URL")
QUERY_KEYS = ("pattern", "query", "regex", "search_term", "glob_pattern", "q")

_FENCE = expression(r"```[\w+-]{0,20}\n(.*?)\n?```", re.DOTALL)
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "fish", "/bin/bash", "/bin/sh", "/bin/zsh", "/usr/bin/bash"})
_MAX_JSON = 4 * 1024 * 1024


def as_object(arguments: str | Mapping[str, object]) -> Mapping[str, object]:
    """The arguments as an object; empty when they are a text that is none."""
    if not isinstance(arguments, str):
        return arguments
    if arguments.lstrip()[:1] != "{" or len(arguments) > _MAX_JSON:
        return {}
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def first_text(arguments: Mapping[str, object], keys: Sequence[str]) -> str:
    """The first non-empty text under one of the keys; empty when there is none."""
    for key in keys:
        value = arguments.get(key)
        if isinstance(value, str) and value:
            return value
    return ""


def code_text(text: str) -> str:
    """The code that an exported text shows: the first fenced block, else the code span, else the text itself."""
    fence = _FENCE.search(text)
    if fence is not None:
        return fence[1]
    start = 0 if text.lstrip().startswith("`") else text.find("\n`")
    if start < 0:
        return text.strip()
    opened = text.find("`", start)
    closed = text.rfind("`")
    return text[opened + 1 : closed].strip() if closed > opened else text.strip()


def labelled(text: str, label: str) -> str:
    """The code span after a label in an exported text such as "path `src` pattern `x`"; empty when there is none."""
    found = re.search(rf"\b{re.escape(label)}:? `([^`\n]{{1,1000}})`", text)
    return found[1] if found else ""


def script_of(value: object) -> str:
    """The shell text of a `command` argument: a string, or an argument vector, perhaps of a shell with `-c`."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list | tuple):
        return ""
    words = [str(word) for word in value]
    if len(words) > 2 and words[0] in _SHELLS and words[1].startswith("-") and "c" in words[1]:  # noqa: PLR2004 - sh -c X
        return words[2]
    return " ".join(_quoted(word) for word in words)


def _quoted(word: str) -> str:
    if word and re.fullmatch(r"[\w@%+=:,./~-]{1,4000}", word):
        return word
    return "'" + word.replace("'", "'\\''") + "'"
