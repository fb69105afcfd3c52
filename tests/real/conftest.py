"""Each client in a place of its own: fetched once, its worker ended, the place gone in the end."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from client_programmes import CLAUDE_CODE, CODEX, Absent, Package, command_of, new_place
from client_script import script_in
from real_clients import RealClaude, RealClient, RealCodex, place_of
from real_processes import end_worker
from scripted_model import scripted_model

KINDS: dict[str, tuple[Package, type[RealClient]]] = {
    "codex": (CODEX, RealCodex),
    "claude-code": (CLAUDE_CODE, RealClaude),
}


@contextmanager
def client_in_its_place(name: str) -> Iterator[RealClient]:
    """A client with a model, its person's configuration, and a project; nothing of Ferrule yet."""
    package, kind = KINDS[name]
    with ExitStack() as stack:
        try:
            command, folder = command_of(package), stack.enter_context(new_place())
        except Absent as absent:
            pytest.skip(str(absent))
        model = stack.enter_context(scripted_model(script_in(folder)))
        client = kind(command, place_of(folder), model)
        stack.callback(end_worker, client.home)
        client.prepared()
        yield client


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
