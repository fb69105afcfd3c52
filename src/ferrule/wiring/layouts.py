"""ProtoScript files made uniform in place: found below folders, formatted, replaced whole or not at all.

Owns which files a command is about and putting one file in another's place. Knows nothing of layout.
"""

import difflib
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ferrule.errors import Code, StoreError, UsageError
from ferrule.protoscript.formatting import format_source
from ferrule.wiring.drafts import STANDARD_INPUT, Finding, findings, read_draft

__all__ = ["FileLayout", "difference", "files_below", "lay_out", "put"]

SUFFIX = ".pts"
MAX_FILES = 100_000


@dataclass(frozen=True, slots=True)
class FileLayout:
    """One file as it is and as it is formatted: the same text where it is wrong, with what is wrong in it."""

    file: str
    before: str
    after: str
    problems: tuple[Finding, ...] = ()
    kept: bool = False

    @property
    def changes(self) -> bool:
        """Whether formatting changes it."""
        return self.before != self.after

    def json(self) -> dict[str, object]:
        """The object of `ferrule format --json`."""
        rows = [
            {"code": row.code, "message": row.message, "line": row.line, "column": row.column} for row in self.problems
        ]
        return {"file": self.file, "ok": not self.problems, "changed": self.changes, "diagnostics": rows}


def files_below(names: Iterable[str]) -> Iterator[str]:
    """The files that are meant: each name itself, and of a folder every `.pts` file below it, by name.

    Links to folders are not followed.

    Raises:
        UsageError: there are more than a hundred thousand of them.
    """
    count = 0
    for name in names:
        folder = name != STANDARD_INPUT and Path(name).is_dir()
        for found in _below(name) if folder else (name,):
            count += 1
            if count > MAX_FILES:
                raise UsageError(f"more than {MAX_FILES:,} files; name a smaller folder", code=Code.TOO_LARGE)
            yield found


def _below(folder: str) -> Iterator[str]:
    for place, folders, names in os.walk(folder):
        folders.sort()
        yield from (str(Path(place) / name) for name in sorted(names) if name.endswith(SUFFIX))


def lay_out(name: str, stdin: IO[bytes]) -> FileLayout:
    """Format one text; nothing is written.

    Raises:
        UsageError: no such file.
        UnreadableInput: it is no UTF-8 text, or too large.
    """
    text = read_draft(name, stdin).text
    done = format_source(text)
    return FileLayout(name, text, done.text, findings(done.diagnostics, text), done.kept)


def difference(laid: FileLayout) -> str:
    """The change as a unified diff; empty where there is none."""
    lines = difflib.unified_diff(
        laid.before.splitlines(keepends=True),
        laid.after.splitlines(keepends=True),
        f"{laid.file} (as it is)",
        f"{laid.file} (formatted)",
    )
    return "".join(line if line.endswith("\n") else f"{line}\n\\ no line end here\n" for line in lines)


def put(laid: FileLayout) -> None:
    """Put the formatted text in the file's place: whole or not at all, with the mode it has; a link is followed.

    Raises:
        StoreError: `STALE_REVISION` when the file has changed meanwhile, `IO_FAILED` when it cannot be written.
    """
    path = Path(os.path.realpath(laid.file))
    fresh = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        if path.read_bytes() != laid.before.encode():
            raise StoreError(f"{laid.file} changed meanwhile; format it again", code=Code.STALE_REVISION)
        _write(fresh, laid.after.encode(), path.stat().st_mode & 0o7777)
        os.replace(fresh, path)  # noqa: PTH105 - one call that tests can break
    except OSError as error:
        raise StoreError(f"{laid.file} cannot be written: {error.strerror}", code=Code.IO_FAILED) from error
    finally:
        with suppress(OSError):
            fresh.unlink()


def _write(path: Path, content: bytes, mode: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
    with os.fdopen(descriptor, "wb") as file:
        os.fchmod(descriptor, mode)
        file.write(content)
        file.flush()
        os.fsync(descriptor)
