"""What is only similar in meaning adds to a search and decides nothing."""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from door_cases import SOURCE, permanent
from store_cases import Clock, Entity, a_child, a_commit, a_property, a_turn, a_write, claimed

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.values import MatchKind, SearchKind
from ferrule.errors import StoreError
from ferrule.memory.finding import find
from ferrule.memory.meaning import Meaning, text_of
from ferrule.memory.reader import MemoryReader
from ferrule.memory.showing import Sight
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.words import subwords
from ferrule.session.source import Origin

INVOICE = Entity("InvoiceTemplate", "/work/kestrel/invoice.html", aliases="bill layout")
PARSER = Entity("ParserNotes", "/work/kestrel/docs/parser.md", aliases="grammar page")
FERRY = Entity("HarbourSurvey", "/work/kestrel/harbour.md", aliases="ferry timetable")
TOPICS = (("invoice", "bill", "payment", "receipt"), ("parser", "grammar", "syntax"), ("harbour", "ferry", "ship"))


@dataclass
class Topics:
    """A model that knows three topics: how many words of each a text has. Counts what it was asked."""

    digest: str = "topics-1"
    read: list[str] = field(default_factory=list)

    def vectors(self, texts: Sequence[str]) -> Sequence[bytes]:
        self.read += texts
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> bytes:
        counts = [float(sum(word in topic for word in subwords(text))) for topic in TOPICS]
        length = sum(count * count for count in counts) ** 0.5 or 1.0
        return struct.pack("<3f", *(count / length for count in counts))

    def likeness(self, query: bytes, vectors: Sequence[bytes]) -> Sequence[float]:
        asked = struct.unpack("<3f", query)
        return [sum(a * b for a, b in zip(asked, struct.unpack("<3f", row), strict=True)) for row in vectors]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store in which one session remembers three things."""
    opened = SqliteStore(tmp_path / "home", Clock())
    learn(opened, 1, INVOICE, PARSER, FERRY)
    yield opened
    opened.close()


def learn(store: SqliteStore, ordinal: int, *entities: Entity) -> None:
    """Review one turn that writes these entities."""
    turn = a_turn(ordinal, SOURCE.key)
    store.put_session(SOURCE)
    store.put_turns([turn])
    store.enqueue(SOURCE, a_child(SOURCE), [(ordinal, turn.key)], Origin.IMPORT)
    claim = claimed(store.claim(SOURCE.key, lease_seconds=30.0))
    store.commit(a_commit(turn, *(a_write(entity) for entity in entities)), claim)


def reader(store: SqliteStore, model: Topics | None) -> MemoryReader:
    """A reader with a model, or without one."""
    return MemoryReader(store, permanent(), SOURCE.key, meaning=None if model is None else Meaning(store, model))


def names(store: SqliteStore, model: Topics | None, query: str) -> list[str]:
    """The names, best first."""
    return [memory.name for memory in reader(store, model).search(query)]


def rows(store: SqliteStore) -> int:
    """How many vectors are kept."""
    return store._database.number("SELECT count(*) FROM vectors")


def test_a_likeness_of_meaning_is_found_and_said_with_its_score(store: SqliteStore) -> None:
    """R35: only where a person points at a model; the answer says that it is no more than similar."""
    assert names(store, None, "ship") == []
    (found,) = reader(store, Topics()).search("ship")
    assert found.name == "HarbourSurvey"
    assert [(match.by, match.score) for match in found.matches] == [(MatchKind.MEANING, 1.0)]


def test_it_stands_below_whatever_was_found_otherwise(store: SqliteStore) -> None:
    """R35: below handle, name, words and slips, however similar it is."""
    model = Topics()
    assert names(store, model, "payment receipt of the ferry")[:2] == ["HarbourSurvey", "InvoiceTemplate"]
    assert names(store, model, "/work/kestrel/docs/parser.md") == ["ParserNotes"]
    assert names(store, model, "grammar page")[0] == "ParserNotes"
    assert names(store, model, "harbur bill syntax payment receipt")[0] != ""
    alone = names(store, None, "harbur bill syntax payment")
    assert names(store, model, "harbur bill syntax payment")[: len(alone)] == alone


def test_a_critic_is_never_told_of_it(store: SqliteStore) -> None:
    """R48, R65: a likeness is no search proof and no identity: the door asks no model."""
    names(store, Topics(), "ship")
    sight = Sight(store, SOURCE.key, Ontology(permanent(), store.layer(SOURCE.key)))
    assert find(sight, "ship", SearchKind.NAME) == ()


def test_each_memory_is_read_once_and_again_when_it_or_the_model_changes(store: SqliteStore) -> None:
    """R35, R45: vectors are kept with the model's digest and made of the memory as it stands."""
    model = Topics()
    for query in ("ship", "bill", "ship"):
        names(store, model, query)
    assert len(model.read) == 3 + 3
    learn(store, 2, replace(PARSER, more=(a_property("AliasesAtTurn2", "ship and ferry register, harbour"),)))
    assert "ParserNotes" in names(store, model, "ferry boat")
    assert [text for text in model.read if "ship and ferry register, harbour" in text] == [
        text_of(replace(PARSER, more=(a_property("AliasesAtTurn2", "ship and ferry register, harbour"),)).prototype)
    ]
    other = Topics(digest="topics-2")
    names(store, other, "ship")
    assert len(other.read) == 3 + 1
    assert rows(store) == 3


def test_what_is_forgotten_leaves_no_vector(store: SqliteStore) -> None:
    """R97: nor does what an added write took away."""
    model = Topics()
    names(store, model, "ship")
    assert rows(store) == 3
    store.forget(SOURCE.key, ["HarbourSurvey"])
    assert rows(store) == 2
    assert names(store, model, "ship") == []
    learn(store, 2, replace(PARSER, more=(a_property("AliasesAtTurn2", "chart"),)))
    assert rows(store) == 1


def test_a_store_that_cannot_be_written_still_answers(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """R41: vectors are derived; without room for them the search finds what it finds otherwise."""

    def full(*_: object) -> None:
        raise StoreError("no room")

    monkeypatch.setattr(store, "put_vectors", full)
    assert names(store, Topics(), "grammar page")[0] == "ParserNotes"
    assert rows(store) == 0


def test_a_memory_that_changed_while_the_model_read_it_keeps_no_old_vector(store: SqliteStore) -> None:
    """R45: what a vector was made of is compared when it is kept."""
    store.put_vectors(SOURCE.key, "topics-1", {"ParserNotes": ("another definition", b"x"), "Nobody": ("", b"x")})
    assert rows(store) == 0


def test_a_model_that_fails_is_an_error(store: SqliteStore) -> None:
    """R41, CASE-L14: what was asked for and cannot be done is never an answer without it."""

    class Broken(Topics):
        def vectors(self, texts: Sequence[str]) -> Sequence[bytes]:
            raise StoreError(f"the model is gone before {len(texts)} texts")

    with pytest.raises(StoreError, match="the model is gone"):
        names(store, Broken(), "ship")


def test_a_session_without_memories_has_nothing_that_comes_near(tmp_path: Path) -> None:
    """R35: an empty answer, and the model is asked about the query alone."""
    opened = SqliteStore(tmp_path / "empty", Clock())
    opened.put_session(SOURCE)
    model = Topics()
    assert list(Meaning(opened, model).asked(SOURCE.key, "ship").nearest(5)) == []
    assert model.read == ["ship"]
    opened.close()


def test_very_many_memories_get_their_vectors_in_several_rounds(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R35: no more than a bounded number at a time is held, and in the end none is without."""
    monkeypatch.setattr("ferrule.memory.meaning._AT_ONCE", 2)
    model = Topics()
    Meaning(store, model).catch_up(SOURCE.key)
    assert len(model.read) == rows(store) == 3
    assert tuple(store.without_vector(SOURCE.key, model.digest, 9)) == ()
    learn(store, 2, Entity("DockNotes", "/work/kestrel/dock.md"))
    Meaning(store, model).catch_up(SOURCE.key)
    assert len(model.read) == rows(store) == 4


def test_an_answer_of_meaning_is_dropped_where_it_is_not_near_enough(store: SqliteStore) -> None:
    """R35: what has little to do with the query is no answer, however few there are."""
    meant = Meaning(store, Topics()).asked(SOURCE.key, "ship")
    assert [name for name, _ in meant.nearest(3)] == ["HarbourSurvey"]
