"""The real store, cut at its calls: before each one the actor gives the baton away, and what it called is written down.

Owns the cut, also of whole units: inside `unit()` nobody else can come between, so nothing is cut there. Knows nothing
of what a call means but the few that move a claim.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import cast

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.errors import FerruleError
from ferrule.session.source import LaneClaim
from proofs.acts import Called, Moment
from proofs.fibers import Fiber

__all__ = ["Stage", "cut_store"]

_CLAIMING = frozenset({"claim", "claim_next", "renew", "commit", "fail", "release"})


@dataclass
class Stage:
    """Who holds the baton, and what it called since it got it; `clock` tells when."""

    clock: Callable[[], Moment] = Moment
    fiber: Fiber | None = None
    called: list[Called] = field(default_factory=list)
    deep: int = 0

    def cut(self) -> None:
        """Give the baton away, unless a unit or a look is open or nobody plays."""
        if self.fiber is not None and (not self.deep or self.fiber.dying):
            self.fiber.cut()

    @contextmanager
    def held(self) -> Iterator[None]:
        """While a unit or a look is open nobody else gets the baton: they hold the store, and others wait for it."""
        self.deep += 1
        try:
            yield
        finally:
            self.deep -= 1


class CutStore:
    """Stands for one store of one process; every method is the real one."""

    def __init__(self, store: SqliteStore, stage: Stage) -> None:
        self._store = store
        self._stage = stage

    def __getattr__(self, name: str) -> object:
        found = getattr(self._store, name)
        if not callable(found) or name in {"close", "layer", "lineage"}:
            return found
        held = {"unit": self._unit, "looking": self._look}
        return held[name] if name in held else self._cut(name, found)

    def _cut(self, name: str, method: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **named: object) -> object:
            self._stage.cut()
            if name not in _CLAIMING:
                return method(*args, **named)
            return self._noted(name, method, args, named)

        return call

    def _noted(
        self, name: str, method: Callable[..., object], args: tuple[object, ...], named: dict[str, object]
    ) -> object:
        claim = next((value for value in (*args, *named.values()) if isinstance(value, LaneClaim)), None)
        lease = cast("float", named.get("lease_seconds", 0.0))
        failed = "killed"
        result: object = None
        at = self._stage.clock()
        try:
            result = method(*args, **named)
            failed = ""
        except FerruleError as error:
            failed = error.code.value
            raise
        finally:
            self._stage.called.append(Called(name, at, result, claim, lease, failed))
        return result

    @contextmanager
    def _unit(self) -> Iterator[None]:
        self._stage.cut()
        with self._store.unit(), self._stage.held():
            yield

    @contextmanager
    def _look(self) -> Iterator[object]:
        self._stage.cut()
        with self._store.looking() as mark, self._stage.held():
            yield mark


def cut_store(store: SqliteStore, stage: Stage) -> SqliteStore:
    """The store as code under test gets it."""
    return cast("SqliteStore", CutStore(store, stage))
