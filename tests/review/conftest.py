"""A desk with an empty memory for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from critic_cases import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A store, the shipped ontology and the embedded reviewer."""
    made = Desk(tmp_path)
    yield made
    made.close()
