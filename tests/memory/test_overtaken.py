"""Somebody else writes between the judgement of a person's definition and its commit."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from door_cases import SOURCE, permanent
from store_cases import Clock

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.values import Accepted, Refused
from ferrule.errors import Code, StoreError
from ferrule.memory.nlmemory import NLMemory
from ferrule.session.gate import EvaluateGate, Latch, Room

KEY = SOURCE.key


class Meddler(Latch):
    """Other processes: they do something each time just before the gate is had."""

    def __init__(self, *actions: Callable[[], object]) -> None:
        self.actions = list(actions)

    def take(self, _source: str, _room: Room, _seconds: float) -> Callable[[], None]:
        """Let them be quicker."""
        if self.actions:
            self.actions.pop(0)()
        return lambda: None


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store with the source."""
    opened = SqliteStore(tmp_path / "home", Clock())
    opened.put_session(SOURCE)
    yield opened
    opened.close()


def a_document(name: str, line: str = "") -> str:
    """A document with a path, or with that line instead."""
    inside = line or f'DocumentPath = @"/srv/{name}.md";'
    return f"prototype {name} : Document\n{{\n\t{inside}\n}}\n"


def added(name: str, line: str) -> str:
    """Something more about a document."""
    return f"partial prototype {name}\n{{\n\t{line}\n}}\n"


def memory_with(store: SqliteStore, *actions: Callable[[], object]) -> NLMemory:
    """A memory whose gate is had only after others did that."""
    return NLMemory(store, permanent(), store.home, gate=EvaluateGate(Meddler(*actions)))


def test_whoever_is_second_learns_that_the_property_has_a_value(store: SqliteStore) -> None:
    """CASE-M01, INV-I3, R44: judged again, because the same memory was written to."""
    other = memory_with(store)
    other.write(KEY, a_document("Page", 'EntityName = @"Page";'))
    first = added("Page", 'DocumentPath = @"/srv/first.md";')
    memory = memory_with(store, lambda: other.write(KEY, first))
    answer = memory.write(KEY, added("Page", 'DocumentPath = @"/srv/second.md";'))
    assert isinstance(answer, Refused)
    assert [refusal.code for refusal in answer.refusals] == [Code.ALREADY_VALUED]
    assert "/srv/first.md" in store.definition(KEY, "Page")


def test_a_name_taken_in_another_spelling_is_seen(store: SqliteStore) -> None:
    """CASE-I09, R39: two names that differ in case only are never both new."""
    other = memory_with(store)
    memory = memory_with(store, lambda: other.write(KEY, a_document("PAGE")))
    answer = memory.write(KEY, a_document("Page"))
    assert isinstance(answer, Refused)
    assert store.layer(KEY).names() == ("PAGE",)


@pytest.mark.parametrize("link", ["Supersedes = Old;", "Collection Related = [1, [Old]];"])
def test_a_link_to_what_was_forgotten_meanwhile_is_refused(store: SqliteStore, link: str) -> None:
    """R86, DEC-D14: no reference is left in the air, alone or in a list."""
    other = memory_with(store)
    other.write(KEY, a_document("Old"))
    memory = memory_with(store, lambda: other.forget(KEY, ["Old"]))
    answer = memory.write(KEY, a_document("New", f'DocumentPath = @"/srv/new.md";\n\t{link}'))
    assert isinstance(answer, Refused)
    assert store.layer(KEY).names() == ()


def test_what_has_nothing_to_do_with_it_changes_nothing(store: SqliteStore) -> None:
    """CASE-M02: another memory of the same session."""
    other = memory_with(store)
    memory = memory_with(store, lambda: other.write(KEY, a_document("Other")))
    assert isinstance(memory.write(KEY, a_document("Mine")), Accepted)
    assert set(store.layer(KEY).names()) == {"Other", "Mine"}


def test_whoever_adds_something_else_to_the_same_memory_loses_nothing(store: SqliteStore) -> None:
    """CASE-M02, INV-I3: both additions stand."""
    other = memory_with(store)
    other.write(KEY, a_document("Page"))
    memory = memory_with(store, lambda: other.write(KEY, added("Page", 'EntityName = @"The page";')))
    assert isinstance(memory.write(KEY, added("Page", 'Notes = @"for later";')), Accepted)
    text = store.definition(KEY, "Page")
    assert ("The page" in text, "for later" in text) == (True, True)


def test_nobody_tries_for_ever(store: SqliteStore) -> None:
    """CASE-M08: others who are quicker each time end it with STALE_REVISION, and nothing was written."""
    other = memory_with(store)
    other.write(KEY, a_document("Page"))
    lines = [f'String Aspect{number} = @"{number}";' for number in range(20)]
    memory = memory_with(store, *(lambda line=line: other.write(KEY, added("Page", line)) for line in lines))
    with pytest.raises(StoreError) as caught:
        memory.write(KEY, added("Page", 'Notes = @"for later";'))
    assert caught.value.code is Code.STALE_REVISION
    assert "for later" not in store.definition(KEY, "Page")
