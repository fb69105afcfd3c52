"""A place per client: fetched once, its own folders under the cache, its worker ended, all of it gone in the end."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from client_programmes import CLAUDE_CODE, CODEX, Absent, Package, cache, command_of
from client_script import script_in
from real_clients import RealClaude, RealClient, RealCodex, end_worker, place_of
from scripted_model import scripted_model

KINDS: dict[str, tuple[Package, type[RealClient]]] = {
    "codex": (CODEX, RealCodex),
    "claude-code": (CLAUDE_CODE, RealClaude),
}


@contextmanager
def client_in_its_place(name: str) -> Iterator[RealClient]:
    """A client with a model, its person's configuration, and a project; nothing of Ferrule yet.

    Not in the folder for temporary things: what lies there is not remembered, and Codex says so with every start.
    """
    package, kind = KINDS[name]
    try:
        command = command_of(package)
    except Absent as absent:
        pytest.skip(str(absent))
    folder = Path(tempfile.mkdtemp(prefix="place-", dir=cache()))
    try:
        place = place_of(folder)
        with scripted_model(script_in(place)) as model:
            client = kind(command, place, model)
            client.prepared()
            yield client
        end_worker(client.home)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module", params=list(KINDS))
def client(request: pytest.FixtureRequest) -> Iterator[RealClient]:
    """Each client in turn, one place for all tests of a module."""
    with client_in_its_place(request.param) as found:
        yield found


@pytest.fixture(scope="module")
def codex() -> Iterator[RealCodex]:
    """Codex, for what only it has."""
    with client_in_its_place("codex") as found:
        assert isinstance(found, RealCodex)
        yield found


@pytest.fixture(autouse=True)
def _own_surroundings() -> None:
    """No test here passes on its own environment."""
    assert os.environ.get("FERRULE_WORKER") == "off"
