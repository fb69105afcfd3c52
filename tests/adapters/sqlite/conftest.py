"""A folder in memory, where there is one: a killed process loses nothing that it wrote, so no disk need be synced."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

MEMORY = "/dev/shm"  # noqa: S108 - a private folder is made in it


@pytest.fixture
def in_memory() -> Iterator[Path]:
    """A folder of this test; on the usual disk where there is no memory for it."""
    place = MEMORY if os.access(MEMORY, os.W_OK | os.X_OK) else None
    with tempfile.TemporaryDirectory(prefix="ferrule-test-", dir=place) as folder:
        yield Path(folder)
