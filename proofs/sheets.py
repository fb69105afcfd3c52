"""What a process under a fault tells the campaign goes through shared memory: no call of the system can break it.

Owns the sheet of one process: how far it is, how far it may go, its answers, a count. Knows nothing of what is done.
"""

import json
import mmap
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

__all__ = ["Sheet", "new_sheet"]

_SIZE = 16 * 1024
_STAGE, _LEAVE, _LENGTH, _COUNT, _TEXT = 0, 1, 4, 8, 16
_PAUSE = 0.0004


class Sheet:
    """A page that two processes see. A byte or a number is written whole or not at all."""

    def __init__(self, path: Path) -> None:
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        try:
            self._page = mmap.mmap(descriptor, _SIZE)
        finally:
            os.close(descriptor)

    @property
    def stage(self) -> int:
        """How far the process is."""
        return self._page[_STAGE]

    @stage.setter
    def stage(self, value: int) -> None:
        self._page[_STAGE] = value

    def allow(self, stage: int) -> None:
        """Let the process go on to this stage."""
        self._page[_LEAVE] = stage

    def wait(self, stage: int) -> None:
        """In the process: wait until it may go on to this stage."""
        while self._page[_LEAVE] < stage:
            time.sleep(_PAUSE)

    @property
    def count(self) -> int:
        """How many times something was acknowledged."""
        return int.from_bytes(self._page[_COUNT : _COUNT + 4], "little")

    @count.setter
    def count(self, value: int) -> None:
        self._page[_COUNT : _COUNT + 4] = value.to_bytes(4, "little")

    def tell(self, answers: list[str]) -> None:
        """Write the answers down; the length comes last, so that a killed writer left the ones before."""
        text = json.dumps(answers).encode()
        if len(text) > _SIZE - _TEXT:
            text = json.dumps([answer[:500] for answer in answers]).encode()
        self._page[_TEXT : _TEXT + len(text)] = text
        self._page[_LENGTH : _LENGTH + 4] = len(text).to_bytes(4, "little")

    def told(self) -> list[str]:
        """The answers so far."""
        length = int.from_bytes(self._page[_LENGTH : _LENGTH + 4], "little")
        return cast("list[str]", json.loads(self._page[_TEXT : _TEXT + length])) if length else []

    def close(self) -> None:
        """Let go of the page."""
        self._page.close()


@contextmanager
def new_sheet(path: Path) -> Iterator[Sheet]:
    """A fresh sheet, gone when the block ends."""
    path.write_bytes(bytes(_SIZE))
    sheet = Sheet(path)
    try:
        yield sheet
    finally:
        sheet.close()
        path.unlink(missing_ok=True)
