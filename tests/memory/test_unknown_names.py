"""What is asked of a name or phrase that nothing has, and of a source that is being evaluated."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from door_cases import SOURCE, permanent
from store_cases import Clock

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.matches import Match, MatchKind
from ferrule.errors import GateBusy
from ferrule.memory.matching import called
from ferrule.memory.nlmemory import NLMemory
from ferrule.memory.showing import Sight, hit_of
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.values import LayerName, Property, Prototype
from ferrule.session.gate import EvaluateGate

KEY = SOURCE.key


class Evaluating(EvaluateGate):
    """The gate of a source that is evaluated as long as `busy` says so."""

    busy = True

    @contextmanager
    def of(self, source: str, *, seconds: float | None = None) -> Iterator[None]:
        """As the real one where the source is free."""
        if self.busy:
            raise GateBusy(f"{source} is being evaluated")
        with super().of(source, seconds=seconds):
            yield


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store with the source."""
    opened = SqliteStore(tmp_path / "home", Clock())
    opened.put_session(SOURCE)
    yield opened
    opened.close()


def test_nothing_is_forgotten_while_the_source_evaluates(store: SqliteStore) -> None:
    """CASE-M08, R97: memory and file stay as they were, and whoever asked is told so."""
    free = NLMemory(store, permanent(), store.home)
    free.write(KEY, 'prototype Page : Document { EntityName = @"page"; DocumentPath = @"/srv/page.md"; }')
    free.project(KEY)
    before = free.export(KEY)
    with pytest.raises(GateBusy):
        NLMemory(store, permanent(), store.home, gate=Evaluating()).forget(KEY, ["Page"])
    assert free.export(KEY) == before
    assert free.verify(KEY).ok


def test_a_name_that_nothing_has_is_no_answer(store: SqliteStore) -> None:
    """R49: an index may be older than the memory; what is gone meanwhile is not shown."""
    sight = Sight(store, KEY, Ontology(permanent()))
    assert hit_of(sight, "Nobody", "is called so") is None
    shown = hit_of(sight, "HandBook", "is called so")
    assert shown is not None
    assert (shown.name, shown.why) == ("HandBook", "is called so")


def test_the_name_by_which_a_memory_is_called_is_told() -> None:
    """R35: its own name, its EntityName, an alias with its property; else the phrase that was asked."""
    gauge = Prototype(
        "TideGauge",
        ("Host",),
        (
            Property("EntityName", "", "Level meter", declares=False, assigned=True),
            Property("Aliases", "", "water clock; sounding rod", declares=False, assigned=True),
        ),
        LayerName.SESSION,
    )
    assert called(gauge, "tide-gauge") == Match(MatchKind.NAME, "TideGauge")
    assert called(gauge, "level METER") == Match(MatchKind.NAME, "Level meter", "EntityName")
    assert called(gauge, "Sounding Rod") == Match(MatchKind.ALIAS, "sounding rod", "Aliases")
    assert called(gauge, "sundial") == Match(MatchKind.NAME, "sundial")
