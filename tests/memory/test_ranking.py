"""Many ways of finding make one list, and each answer says by what it was found."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from door_cases import SOURCE, permanent
from store_cases import Clock, Entity, a_child, a_commit, a_property, a_session, a_turn, a_write, claimed

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.matches import why_of
from ferrule.bridge.values import Found, Match, MatchKind, SearchKind
from ferrule.errors import Code, StoreError
from ferrule.memory.finding import find
from ferrule.memory.reader import MemoryReader
from ferrule.memory.showing import Sight
from ferrule.ontology.resolve import Ontology
from ferrule.referents.kinds import Place
from ferrule.session.source import Origin, SourceSession

PARSER = Entity("ParserNotes", "/work/kestrel/docs/parser.md", aliases="the grammar page; railroad page")
STYLE = Entity("StyleGuide", "/work/kestrel/docs/style.md", aliases="notes on style")
LEDGER = Entity("LedgerExport", "/work/kestrel/export/ledger.py", aliases="nightly export")
READER = Entity("ExportReader", "/work/kestrel/export/reader.py", aliases="reads the ledger, grammar and parser notes")
JAPAN = Entity("TowerSettings", "/work/kestrel/東京タワー設定.toml", aliases="東京タワー設定")
ARABIC = Entity("ArabicPage", "/work/kestrel/docs/ar.md", aliases="صفحة القواعد")
ACCENT = Entity("CafeList", "/work/kestrel/docs/cafe.md", aliases="liste des cafe\u0301s")
ALL = (PARSER, STYLE, LEDGER, READER, JAPAN, ARABIC, ACCENT)
PLACE = Place(cwd="/work/kestrel")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store in which one session remembers all of them."""
    opened = SqliteStore(tmp_path / "home", Clock())
    learn(opened, 1, *ALL)
    yield opened
    opened.close()


def learn(store: SqliteStore, ordinal: int, *entities: Entity, session: SourceSession = SOURCE) -> None:
    """Review one turn that writes these entities."""
    turn = a_turn(ordinal, session.key)
    store.put_session(session)
    store.put_turns([turn])
    store.enqueue(session, a_child(session), [(ordinal, turn.key)], Origin.IMPORT)
    claim = claimed(store.claim(session.key, lease_seconds=30.0))
    store.commit(a_commit(turn, *(a_write(entity) for entity in entities)), claim)


def found(store: SqliteStore, query: str, limit: int = 10, session: str = SOURCE.key) -> Found:
    """What a reader finds."""
    return MemoryReader(store, permanent(), session, place=PLACE).find(query, limit=limit)


def names(store: SqliteStore, query: str) -> list[str]:
    """The names, best first."""
    return [memory.name for memory in found(store, query).answers]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("/work/kestrel/docs/parser.md", "ParserNotes"),
        ("docs/parser.md", "ParserNotes"),
        ("parser.md", "ParserNotes"),
        ("ParserNotes", "ParserNotes"),
        ("railroad page", "ParserNotes"),
        ("railrod", "ParserNotes"),
        ("parsernot", "ParserNotes"),
        ("parser nots", "ParserNotes"),
        ("grammar pge", "ParserNotes"),
        ("nightly exprot", "LedgerExport"),
        ("ledgr export", "LedgerExport"),
        ("exportread", "ExportReader"),
        ("東京", "TowerSettings"),
        ("タワー設定", "TowerSettings"),
        ("القواعد", "ArabicPage"),
        ("cafés", "CafeList"),
        ("cafe\u0301s", "CafeList"),
        ("liste cafes", "CafeList"),
    ],
)
def test_what_was_meant_is_first(store: SqliteStore, query: str, first: str) -> None:
    """R35, R55: by handle, path tail, base name, name, alias, CamelCase, cut short, with a slip, in any script."""
    assert names(store, query)[0] == first


def test_nothing_stands_above_the_thing_itself(store: SqliteStore) -> None:
    """R35, R65: not even what says all the words of the query in its name; and no lead follows what a handle names."""
    taken = Entity("Trap", "/work/kestrel/trap.md", aliases="work kestrel docs parser md")
    learn(store, 2, taken)
    # the trap is called so, letter by letter
    assert names(store, "/work/kestrel/docs/parser.md") == ["ParserNotes", "Trap"]
    called_so = Entity("GrammarPageOfOthers", "/work/kestrel/other.md", aliases="the grammar page, once more")
    learn(store, 3, called_so)
    assert names(store, "the grammar page")[:2] == ["ParserNotes", "GrammarPageOfOthers"]


def test_all_words_stand_above_some_and_nearly(store: SqliteStore) -> None:
    """R35: where something has them all and some in its name, nobody looks for slips."""
    near = Entity("LedgerExprot", "/work/kestrel/slip.py")
    learn(store, 2, near)
    assert names(store, "ledger export") == ["LedgerExport", "ExportReader"]
    assert names(store, "ledger exprot") == ["LedgerExprot"]
    assert names(store, "ledger exprt")[0] == "LedgerExport"
    assert "LedgerExprot" in names(store, "ledger exprt")


def test_layers_make_one_list(store: SqliteStore) -> None:
    """R65, R87: session, lineage and permanent layer; equal ones in that order."""
    kin = a_session("desk:kin", lineage="family")
    learn(store, 1, Entity("KinHandBook", "/work/kestrel/kin.md"), session=kin)
    own = replace(SOURCE, lineage="family")
    learn(store, 2, Entity("OwnHandBook", "/work/kestrel/own.md"), session=own)
    answers = found(store, "hand book").answers
    assert [(memory.name, memory.layer) for memory in answers] == [
        ("HandBook", "permanent"),  # called exactly so
        ("OwnHandBook", "session"),
        ("KinHandBook", "lineage"),
    ]
    assert names(store, "kin handbok")[0] == "KinHandBook"


@pytest.mark.parametrize(
    ("query", "match", "told"),
    [
        (
            "docs/parser.md",
            Match(MatchKind.HANDLE, "path:/work/kestrel/docs/parser.md", "DocumentPath"),
            "carries path:/work/kestrel/docs/parser.md as DocumentPath",
        ),
        ("parsernotes", Match(MatchKind.NAME, "ParserNotes"), 'is called "ParserNotes"'),
        ("Railroad-Page", Match(MatchKind.ALIAS, "railroad page", "Aliases"), 'has the alias "railroad page"'),
        (
            "grammar railroad",
            Match(MatchKind.WORDS, "grammar railroad", "Aliases"),
            '"grammar railroad" in its aliases',
        ),
        ("nots", Match(MatchKind.FRAGMENT, "nots", "", "notes"), '"nots" is nearly "notes" in its name'),
        (
            "railro",
            Match(MatchKind.FRAGMENT, "railro", "Aliases", "railroad"),
            '"railro" is part of "railroad" in its aliases',
        ),
        ("tower toml", Match(MatchKind.WORDS, "toml", "DocumentPath"), '"tower" in its name; "toml" in DocumentPath'),
    ],
)
def test_each_answer_says_why(store: SqliteStore, query: str, match: Match, told: str) -> None:
    """R35, R95: as data and in words, with its layer, at the session's revision."""
    first = found(store, query).answers[0]
    assert match in first.matches
    assert told == why_of(first.matches)
    assert (first.layer, first.revision) == ("session", store.revision(SOURCE.key))


def test_that_nothing_was_found_is_a_fact_at_a_revision(store: SqliteStore) -> None:
    """R49: for readers too."""
    told = found(store, "zzqqxx")
    assert (told.source, told.query, told.answers) == (SOURCE.key, "zzqqxx", ())
    assert told.revision == store.revision(SOURCE.key) > 0


def test_a_search_of_a_damaged_memory_fails_and_says_so(store: SqliteStore) -> None:
    """R41, CASE-L14, CASE-N01: never an answer without it, and others can still be found."""
    with store._database.transaction():
        store._database.run("UPDATE memories SET merged = 'else' WHERE name = 'ParserNotes'")
    with pytest.raises(StoreError) as told:
        found(store, "railroad page")
    assert told.value.code is Code.STORE_CORRUPT
    assert names(store, "nightly export") == ["LedgerExport"]


def test_the_critic_gets_the_same_order_and_words_of_identity(store: SqliteStore) -> None:
    """R35, R48: `why` of what is called so is what it always was; a handle finds its holder and nothing else."""
    sight = Sight(store, SOURCE.key, Ontology(permanent(), store.layer(SOURCE.key)), PLACE)
    (called,) = find(sight, "railroad page", SearchKind.NAME)
    assert (called.name, called.why) == ("ParserNotes", "is called so")
    assert called.matches == (Match(MatchKind.ALIAS, "railroad page", "Aliases"),)
    near = find(sight, "railrod page", SearchKind.ALIAS)[0]
    assert (near.name, near.why) == (
        "ParserNotes",
        '"page" in its aliases; "railrod" is nearly "railroad" in its aliases',
    )
    keys = ("path:/work/kestrel/docs/parser.md",)
    assert [hit.name for hit in find(sight, "parser notes", SearchKind.HANDLE, keys)] == ["ParserNotes"]
    assert find(sight, "parser notes", SearchKind.HANDLE, ("path:/nowhere",)) == ()


@pytest.mark.parametrize(
    "query",
    [
        *(
            '"',
            '""',
            '"parser',
            "*",
            "pars*",
            "^parser",
            "-parser",
            "(parser",
            "parser)",
            "AND",
            "OR",
            "NOT",
            "{named}",
        ),
        *("NEAR(parser notes)", "NEAR(", "named : parser", "scope:1", "words MATCH 'x'", "'; DROP TABLE memories; --"),
        *("\x00", "parser\x00notes", "\ud800", "🦉", "🦉🦉🦉", "a" * 10_240, "word " * 2_048, "!?…—·", "%_%", "~1~"),
        *("東", "的", "\u202eparser", "\u0301", "é" * 3_000, "x" * 40 + "y", "+", "++++", "\t\n", "1" * 300),
        " ".join(f"w{number}" for number in range(2_000)),
    ],
)
def test_a_query_is_data_whatever_it_says(store: SqliteStore, query: str) -> None:
    """CASE-I03, R35: query syntax, NUL, emoji, length: an answer, never an error, never another session's."""
    told = found(store, query)
    assert all(memory.matches for memory in told.answers)
    assert len(told.query) <= 2_000
    elsewhere = found(store, query, session="desk:beta")
    assert {memory.layer for memory in elsewhere.answers} <= {"permanent"}
    sight = Sight(store, SOURCE.key, Ontology(permanent(), store.layer(SOURCE.key)), PLACE)
    if query.isprintable():
        assert all(hit.why for hit in find(sight, query, SearchKind.NAME))


def test_the_same_question_has_the_same_answer(store: SqliteStore) -> None:
    """R35: prepared or not, asked once or twice, by one reader or another."""
    for query in ("parser nots", "docs", "export", "kestrel work", "the grammar page"):
        first, again = found(store, query), found(store, query)
        assert first == again
        reader = MemoryReader(store, permanent(), SOURCE.key, place=PLACE)
        for memory in first.answers:
            assert reader.details(memory.name) == replace(memory, matches=(), revision=None)


def test_another_name_of_a_later_turn_says_which_one(store: SqliteStore) -> None:
    """R45: found by a name that it got later."""
    fuller = replace(PARSER, more=(a_property("AliasesAtTurn2", "syntax chart"),))
    learn(store, 2, fuller)
    assert found(store, "syntax chart").answers[0].matches == (
        Match(MatchKind.ALIAS, "syntax chart", "AliasesAtTurn2"),
    )
