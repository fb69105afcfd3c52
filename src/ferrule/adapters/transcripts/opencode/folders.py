"""Older versions of OpenCode keep a session in folders: its facts, each message and each part in a file of its own.

Owns how the files that belong to a session's file are found beside it, bounded and only inside the client's folder.
Knows nothing of turns.
"""

import json
import re
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ferrule.adapters.transcripts.fields import number_at, object_at, text_at
from ferrule.adapters.transcripts.lines import whole_texts
from ferrule.adapters.transcripts.opencode.messages import Message, Talk

__all__ = ["is_session_file", "talk_of_folders"]

_ALONE = "opencode: this file holds a session's facts only, and its messages were not found in the folders beside it"

_MAX_FILES = 20_000
_MAX_BYTES = 64 * 1024 * 1024
_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")


def is_session_file(value: object) -> bool:
    """Whether a JSON value is the file of one session in `storage/session`."""
    if not isinstance(value, dict) or "messages" in value or "role" in value or "messageID" in value:
        return False
    return text_at(value, "id").startswith("ses_") and "projectID" in value and "directory" in value


def talk_of_folders(value: Mapping[str, Any], path: Path | None, warnings: list[str]) -> Talk | None:
    """The session of a file in `storage/session/<project>`, with the messages and parts of the folders beside it.

    None, and a warning, where there are none: the file came alone, or through a pipe.
    """
    session = text_at(value, "id")
    storage = path.resolve().parent.parent.parent if path is not None else None
    if storage is None or not _ID.fullmatch(session) or not (storage / "message" / session).is_dir():
        warnings.append(_ALONE)
        return None
    reading = _Reading(warnings)
    infos = sorted(reading.objects(storage / "message" / session), key=_when)
    messages = [Message(info, _parts(reading, storage, info)) for info in infos]
    reading.tell()
    return Talk(value, messages)


def _parts(reading: "_Reading", storage: Path, info: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The parts of a message; the oldest versions kept them in a folder of their session."""
    message, session = text_at(info, "id"), text_at(info, "sessionID")
    if not _ID.fullmatch(message):
        return []
    found = list(reading.objects(storage / "part" / message))
    if not found and _ID.fullmatch(session):
        found = list(reading.objects(storage / "part" / session / message))
    return sorted(found, key=lambda part: text_at(part, "id"))


def _when(info: Mapping[str, Any]) -> tuple[float, str]:
    return number_at(object_at(info, "time"), "created"), text_at(info, "id")


class _Reading:
    """Small JSON files, up to a number and a size."""

    def __init__(self, warnings: list[str]) -> None:
        self._warnings = warnings
        self._files, self._bytes, self._broken, self._left = 0, 0, 0, False

    def objects(self, folder: Path) -> Iterator[dict[str, Any]]:
        """The objects of a folder's JSON files, by name; nothing where there is no such folder."""
        try:
            files = sorted(folder.glob("*.json"))
        except OSError:
            return
        for file in files:
            if self._files >= _MAX_FILES or self._bytes >= _MAX_BYTES:
                self._left = True
                return
            value = self._object(file)
            if value is not None:
                yield value

    def _object(self, file: Path) -> dict[str, Any] | None:
        self._files += 1
        try:
            facts, left = file.lstat(), _MAX_BYTES - self._bytes
            if not stat.S_ISREG(facts.st_mode) or facts.st_size > left:  # a pipe would never end
                self._broken += 1
                return None
            with file.open("rb") as stream:
                raw = stream.read(left)
            value = whole_texts(json.loads(raw.decode("utf-8", "replace").removeprefix("\ufeff")))
        except (OSError, ValueError, RecursionError):
            self._broken += 1
            return None
        self._bytes += len(raw)
        return value if isinstance(value, dict) else None

    def tell(self) -> None:
        """Say what was passed over."""
        if self._broken:
            self._warnings.append(f"opencode: {self._broken} files of this session could not be read")
        if self._left:
            self._warnings.append("opencode: the session has more files than are read; its end is missing")
