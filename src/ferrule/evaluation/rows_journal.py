"""A lane's finished rows are on the disk before the next row begins, and a torn line is as if it had not been.

Owns `rows.jsonl`: reading it after any crash, mending it, adding to it. A line that cannot be read is dropped and its
turn reviewed again. Knows nothing of reviews or figures.
"""

import os
from collections.abc import Collection
from pathlib import Path
from types import TracebackType
from typing import Self

from ferrule.errors import Code, StoreError
from ferrule.evaluation.rows import Row, row_line, row_of
from ferrule.evaluation.runs_files import put_whole, sync_folder

__all__ = ["Journal", "read_journal"]


def read_journal(path: Path, known: Collection[str]) -> tuple[tuple[Row, ...], int]:
    """The rows of a journal in order, and how many lines were dropped: torn, damaged, or of a turn that is not `known`.

    Raises:
        StoreError: it is there and cannot be read.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return (), 0
    except OSError as problem:
        raise StoreError(f"{path}: {problem.strerror or problem}", code=Code.IO_FAILED) from problem
    *lines, torn = data.split(b"\n")
    rows = [row_of(line.decode("utf-8", errors="replace")) for line in lines]
    kept = tuple(row for row in rows if row is not None and row.id in known)
    return kept, len(lines) - len(kept) + bool(torn)


class Journal:
    """One lane's journal, open for adding. `rows` is what it held when it was opened; `dropped` counts lost lines."""

    def __init__(self, path: Path, known: Collection[str]) -> None:
        self._path = path
        self.rows, self.dropped = read_journal(path, known)
        try:
            if self.dropped:  # else the next line would be glued to half a line
                put_whole(path, "".join(row_line(row) + "\n" for row in self.rows))
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("ab")
            sync_folder(path.parent)
            sync_folder(path.parent.parent)
        except OSError as problem:
            raise StoreError(f"{path}: {problem.strerror or problem}", code=Code.IO_FAILED) from problem

    def add(self, row: Row) -> None:
        """Put one row on the disk; when this returns no crash takes it away.

        Raises:
            StoreError: it cannot be written.
        """
        try:
            self._file.write((row_line(row) + "\n").encode("utf-8", errors="backslashreplace"))
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as problem:
            raise StoreError(f"{self._path}: {problem.strerror or problem}", code=Code.IO_FAILED) from problem

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._file.close()
        except OSError as problem:  # what could not be flushed was never acknowledged
            if error is None:
                raise StoreError(f"{self._path}: {problem.strerror or problem}", code=Code.IO_FAILED) from problem
