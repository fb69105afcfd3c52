"""Gemini CLI keeps only the hash of the folder it worked in; its own words elsewhere name the folder, and are proved.

Owns where a session's working directory can be found, and how the hash proves it. Knows nothing of turns.
"""

import hashlib
import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ferrule.adapters.transcripts.fields import joined_texts, object_at, objects_at, text_at
from ferrule.adapters.transcripts.gemini_cli.calls import result_of
from ferrule.adapters.transcripts.gemini_cli.log import Entry
from ferrule.adapters.transcripts.naming import folder_of

__all__ = ["CONTEXT", "working_directory"]

CONTEXT = ("<session_context>", "This is the Gemini CLI. We are setting up")
_MAX_FOUND = 200
_LOOK_AT = 4000
_MAX_ROOT_FILE = 2000
_FOLDER = r"((?:/|[A-Za-z]:\\)[^\n]{1,600}?)"
_DESCRIBED = re.compile(rf"\[current working directory {_FOLDER}\]")
_TOLD = re.compile(
    rf"(?:Workspace Directories:\*{{0,2}}\s{{0,4}}\n\s{{0,4}}- |working in the directory: ){_FOLDER}$", re.MULTILINE
)
_LISTED = re.compile(rf"Directory listing for {_FOLDER}:$", re.MULTILINE)
_WRITTEN = " file: "


def working_directory(facts: Mapping[str, Any], entries: Iterable[Entry], path: Path | None) -> str | None:
    """The session's folder: one that has the file's hash, else the one that the client's own words name most.

    Args:
        facts: the session's facts.
        entries: its messages.
        path: its file; newer versions keep a file with the folder's name two folders above.
    """
    wanted = text_at(facts, "projectHash")
    counted: Counter[str] = Counter()
    for found in _found(entries, path):
        folder = folder_of(found.rstrip("/\\") or found)
        if folder is None:
            continue
        if hashlib.sha256(folder.encode("utf-8", "surrogatepass")).hexdigest() == wanted:
            return folder
        counted[folder] += 1
        if counted.total() >= _MAX_FOUND:
            break
    return counted.most_common(1)[0][0] if counted else None


def _found(entries: Iterable[Entry], path: Path | None) -> Iterator[str]:
    named = _named_beside(path)
    if named:
        yield named
    for entry in entries:
        kind = text_at(entry.value, "type")
        if kind == "user":
            text = joined_texts(entry.value.get("content"))[:_LOOK_AT]
            if text.startswith(CONTEXT):
                yield from (match[1].strip() for match in _TOLD.finditer(text))
        elif kind == "gemini":
            for call in objects_at(entry.value, "toolCalls"):
                yield from _in_call(call)


def _in_call(call: Mapping[str, Any]) -> Iterator[str]:
    """A folder that a call shows: of the shell, of a listing of `.`, or the start of a path that was given without."""
    described = _DESCRIBED.search(text_at(call, "description")[:_LOOK_AT])
    if described is not None:
        yield described[1]
    arguments = object_at(call, "args")
    answer = result_of(call.get("result"))[:_LOOK_AT]
    given = text_at(arguments, "file_path")
    if given and not given.startswith(("/", "~", "..")):
        whole = text_at(object_at(call, "resultDisplay"), "filePath").replace("\\", "/")
        tail = "/" + posixpath.normpath(given.replace("\\", "/"))
        if whole.endswith(tail):
            yield whole[: -len(tail)]
        else:
            folder, there, _ = answer.partition(_WRITTEN)[2].partition(tail)
            yield from [folder] if there else []
    if text_at(arguments, "dir_path") in {".", "./"}:
        listed = _LISTED.match(answer)
        if listed is not None:
            yield listed[1]


def _named_beside(path: Path | None) -> str:
    """What stands in `.project_root` of the client's folder for this project; empty where there is no such file."""
    if path is None or path.parent.name != "chats":
        return ""
    file = path.parent.parent / ".project_root"
    try:
        if file.is_symlink() or not file.is_file() or file.stat().st_size > _MAX_ROOT_FILE:
            return ""
        return file.read_text("utf-8", "replace").strip()
    except OSError:
        return ""
