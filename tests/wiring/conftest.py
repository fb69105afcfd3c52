"""A home with the worker's chore over its spool, and two clients' sessions."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hook_cases import Claude, Codex
from spool_desk import Desk, desk_over

from ferrule.wiring.home import open_home


@pytest.fixture
def _no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is rung for or started."""
    monkeypatch.setenv("FERRULE_WORKER", "off")
    monkeypatch.delenv("CODEX_HOME", raising=False)
    monkeypatch.delenv("FERRULE_CRITIC", raising=False)


@pytest.fixture
def place(_no_worker: None, tmp_path: Path) -> Path:
    """Where the home is."""
    return tmp_path / "home"


@pytest.fixture
def desk(place: Path) -> Iterator[Desk]:
    """A fresh home."""
    with open_home(place) as home:
        yield desk_over(home)


@pytest.fixture
def claude(tmp_path: Path) -> Claude:
    """A Claude Code session."""
    return Claude(tmp_path / "projects" / "-work-kestrel")


@pytest.fixture
def codex(tmp_path: Path) -> Codex:
    """A Codex thread."""
    return Codex(tmp_path / "codex")
