"""What was written into a client's files is kept beside the home's store: where, and how the files were before.

Owns that record and its form. It holds digests and places, never a word of the files; and it is never trusted blindly:
it counts only where the digests are those of the files. Knows nothing of clients.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

__all__ = ["FileRecord", "Record", "digest", "read_record", "record_path", "written_record"]

FOLDER = "clients"
VERSION = 1
_MAX_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class FileRecord:
    """One file that holds something of ours.

    Attributes:
        path: the file.
        existed: whether it was there before.
        before: its digest without what is ours; empty when that is not known.
        after: its digest when we had written it.
        pieces: which pieces of it are ours, in characters; None when that does not tell all.
        made: containers in it that were made for what is ours.
    """

    path: str
    existed: bool
    before: str
    after: str
    pieces: tuple[tuple[int, int], ...] | None = None
    made: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """What was installed for one client."""

    client: str
    config: str
    python: str
    hook: str
    version: str
    files: tuple[FileRecord, ...] = ()
    folders: tuple[str, ...] = ()

    def file(self, path: Path) -> FileRecord | None:
        """What is recorded of a file."""
        return next((one for one in self.files if one.path == str(path)), None)


def digest(data: bytes | str) -> str:
    """The digest of a file's bytes."""
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    return hashlib.sha256(raw).hexdigest()


def record_path(home: Path, client: str, config: Path | None = None) -> Path:
    """Where the record of a client is; with `config`, where that of a second folder of its configuration is."""
    mark = "" if config is None else f"-{digest(str(config))[:12]}"
    return home / FOLDER / f"{client}{mark}.json"


def written_record(record: Record) -> bytes:
    """The record's file."""
    return (json.dumps({"record": VERSION, **asdict(record)}, indent=2) + "\n").encode("ascii")


def read_record(data: bytes | None) -> Record | None:
    """The record in a file; None when it is none, or of another version: then the files alone tell."""
    try:
        value = json.loads(data) if data is not None and len(data) <= _MAX_BYTES else None
        return _record(value) if isinstance(value, dict) and value.get("record") == VERSION else None
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _record(value: Mapping[str, object]) -> Record:
    files, folders = value["files"], value["folders"]
    if not isinstance(files, list) or not isinstance(folders, list):
        raise TypeError
    return Record(
        client=str(value["client"]),
        config=str(value["config"]),
        python=str(value["python"]),
        hook=str(value["hook"]),
        version=str(value["version"]),
        files=tuple(map(_file, files)),
        folders=tuple(map(str, folders)),
    )


def _file(value: Mapping[str, object]) -> FileRecord:
    pieces, made = value["pieces"], value["made"]
    if not isinstance(made, list) or not isinstance(pieces, list | None):
        raise TypeError
    return FileRecord(
        path=str(value["path"]),
        existed=value["existed"] is not False,
        before=str(value["before"]),
        after=str(value["after"]),
        pieces=None if pieces is None else tuple((int(start), int(end)) for start, end in pieces),
        made=tuple(tuple(map(str, path)) for path in made),
    )
