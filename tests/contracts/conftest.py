"""One fresh store per implementation: another store joins the suite by adding itself to `OPEN`."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from lane_cases import Store
from store_cases import Clock

from ferrule.adapters.sqlite.store import SqliteStore

OPEN: dict[str, Callable[[Path, Clock], SqliteStore]] = {"sqlite": SqliteStore}


@pytest.fixture
def clock() -> Clock:
    """A clock that moves only when told."""
    return Clock()


@pytest.fixture(params=sorted(OPEN))
def store(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[SqliteStore]:
    """A fresh store."""
    opened = OPEN[request.param](tmp_path / "home", clock)
    yield opened
    opened.close()


@pytest.fixture
def another(store: SqliteStore, clock: Clock) -> Iterator[Callable[[], Store]]:
    """Opens the same store once more, as another process would."""
    opened: list[SqliteStore] = []

    def again() -> Store:
        opened.append(type(store)(store.home, clock))
        return opened[-1]

    yield again
    for one in opened:
        one.close()


@pytest.fixture(scope="session", params=sorted(OPEN))
def shared_home(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Clock], Store]:
    """Opens one home for a whole campaign of generated histories; each of them leaves no work behind."""
    home = tmp_path_factory.mktemp("shared") / "home"

    def opened(clock: Clock) -> Store:
        return OPEN[request.param](home, clock)

    return opened
