"""A home with a source of nine turns, for tests of the companion's life."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from companion_cases import a_home
from store_cases import Clock

from ferrule.adapters.sqlite.store import SqliteStore


@pytest.fixture
def clock() -> Clock:
    """A clock that moves only when told."""
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[SqliteStore]:
    """A home with a source of nine turns."""
    opened = a_home(tmp_path, clock)
    yield opened
    opened.close()
