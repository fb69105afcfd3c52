"""The readable file: order, forms, reading back, and what becomes of a file that somebody edited."""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from door_cases import NOTES, SOURCE, permanent
from hypothesis import given
from hypothesis import strategies as st
from store_cases import Clock, a_property, a_session

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.values import Accepted, Refused, Unchanged
from ferrule.errors import Code, StoreError
from ferrule.memory.artifact import artifact_path, edited_files, put_artifact
from ferrule.memory.nlmemory import NLMemory
from ferrule.memory.projection import is_ours, projection
from ferrule.memory.restore import differences, read_projection
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.values import LayerName, Property, Prototype, Ref, Value
from ferrule.protoscript.reading import parse

KEY = SOURCE.key


def a_document(name: str, *properties: Property) -> Prototype:
    """A document of the session."""
    return Prototype(name, ("Document",), (assigned("EntityName", name, "String"), *properties), LayerName.SESSION)


def assigned(name: str, value: Value, kind: str = "Document") -> Property:
    """A declared property that is assigned."""
    return Property(name, kind, value, declares=False, assigned=True)


def names_of(text: str) -> list[str]:
    """The definitions of a text, in order."""
    parsed = parse(text)
    assert parsed.clean, parsed.diagnostics
    return [prototype.name for prototype in parsed.tree.prototypes]


def below() -> Ontology:
    """What lies below a session."""
    return Ontology(permanent())


# -- order and forms


def test_the_newest_stands_first() -> None:
    """DEC-D12: newest first where nothing decides."""
    assert names_of(projection([a_document("First"), a_document("Second"), a_document("Third")])) == [
        "Third",
        "Second",
        "First",
    ]


def test_a_typed_link_stands_before_what_it_links_to() -> None:
    """DEC-D12: otherwise the platform drops the link without a word."""
    old = a_document("Old", Property("Source", "Document", Ref("Newer"), declares=True, assigned=True))
    middle = a_document("Newer", Property("Source", "Document", Ref("Newest"), declares=True, assigned=True))
    assert names_of(projection([old, middle, a_document("Newest")])) == ["Old", "Newer", "Newest"]


def test_assigned_links_decide_no_order() -> None:
    """DEC-D12: the platform takes them in any order."""
    assert names_of(projection([a_document("A", assigned("Supersedes", Ref("B"))), a_document("B")])) == ["B", "A"]


def test_a_link_that_would_close_a_cycle_is_a_typed_field_and_says_so() -> None:
    """DEC-D12, OBS-M5: mutual links as assignments would restore nothing of the whole file there."""
    one, two = a_document("A", assigned("Supersedes", Ref("B"))), a_document("B", assigned("Supersedes", Ref("A")))
    text = projection([one, two])
    assert text.count("Document Supersedes = ") == 1
    assert text.count("\tSupersedes = ") == 1
    assert "// Supersedes is a typed field because B" in text
    assert names_of(text) == ["B", "A"]


def test_a_link_to_itself_is_no_cycle() -> None:
    """OBS-M5: the platform takes a self reference."""
    assert "Document Supersedes" not in projection([a_document("A", assigned("Supersedes", Ref("A")))])


def test_a_string_with_quotes_is_a_typed_field() -> None:
    """DEC-D12, OBS-M2: in an assignment the platform leaves the quotes doubled."""
    text = projection(
        [a_document("A", assigned("Notes", 'say "hi"', "String"), assigned("Description", "x", "String"))]
    )
    assert 'String Notes = @"say ""hi""";' in text
    assert '\tDescription = @"x";' in text


def test_a_cycle_of_typed_links_is_cut_somewhere_and_still_written() -> None:
    """OBS-M5: every memory is in the file, whatever refers to whatever."""
    ring = [
        a_document(name, Property("Source", "Document", Ref(target), declares=True, assigned=True))
        for name, target in (("A", "B"), ("B", "C"), ("C", "A"))
    ]
    assert sorted(names_of(projection(ring))) == ["A", "B", "C"]


def test_an_empty_memory_is_a_file_without_definitions() -> None:
    """R97: after forgetting all, nothing stands there."""
    assert names_of(projection([])) == []


def test_the_seal_tells_a_hand_edited_file() -> None:
    """CASE-N08: any change below the first line breaks it."""
    text = projection([a_document("A")])
    assert is_ours(text)
    assert not is_ours(text.replace("Document", "Repository"))
    assert not is_ours(text + "\n")
    assert not is_ours("")


LINKS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.booleans()), max_size=12)


@given(LINKS)
def test_any_web_of_links_reads_back_equal(links: Sequence[tuple[int, int, bool]]) -> None:
    """DEC-D12, OBS-M4, OBS-M5: what we write we restore, cycles and all, every memory exactly once."""
    prototypes = [a_document(f"D{n}") for n in range(6)]
    for place, (source, target, typed) in enumerate(links):
        link = Property(f"Link{place}", "Document", Ref(f"D{target}"), declares=typed, assigned=True)
        prototypes[source] = replace(prototypes[source], properties=(*prototypes[source].properties, link))
    restored = read_projection(projection(prototypes), below())
    assert restored.aside == ()
    assert differences(prototypes, restored.prototypes) == ()
    assert len(restored.prototypes) == 6


TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Cn", "Cf")), max_size=40)


@given(TEXTS, st.integers(-(2**31), 2**31 - 1), st.booleans())
def test_any_value_reads_back_equal(text: str, number: int, truth: bool) -> None:  # noqa: FBT001 - a drawn value
    """CASE-B31: quotes, backslashes, any script; numbers; truth values; lists of them."""
    values: list[tuple[str, Value, str]] = [
        ("N", number, "Int"),
        ("T", truth, "Bool"),
        ("L", (text, number), "Collection"),
    ]
    document = a_document("A", *(a_property(name, value, kind) for name, value, kind in values))
    if text:
        document = replace(document, properties=(*document.properties, assigned("Notes", text, "String")))
    restored = read_projection(projection([document]), below())
    assert differences([document], restored.prototypes) == ()


# -- reading back


def test_a_bad_definition_takes_no_other_with_it() -> None:
    """OBS-M4: set aside with name, line and reason; the others are restored."""
    text = (
        "prototype Good : Document\n{\n}\n\n"
        "prototype Bad : Document\n{\n\tNotes = ;\n}\n\n"
        "prototype Lost : Nowhere\n{\n}\n\n"
        "prototype Linked : Document\n{\n\tSupersedes = Lost;\n}\n\n"
        "prototype Fine : Document\n{\n\tSupersedes = Good;\n}\n"
    )
    restored = read_projection(text, below())
    assert [prototype.name for prototype in restored.prototypes] == ["Good", "Fine"]
    assert {(aside.name, aside.line) for aside in restored.aside} == {("Bad", 5), ("Lost", 10), ("Linked", 14)}


def test_a_file_that_is_no_protoscript_says_so() -> None:
    """CASE-N08: nothing restored, one reason."""
    restored = read_projection("remember the milk", below())
    assert restored.prototypes == ()
    assert len(restored.aside) == 1


# -- the file


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder."""
    (tmp_path / "home").mkdir(mode=0o700)
    return tmp_path / "home"


def test_the_file_is_private_and_named_by_a_hash(home: Path) -> None:
    """CASE-E01, E03, E11: no key leads out of the home, whatever the umask."""
    old = os.umask(0)
    try:
        put_artifact(home, "../../CON", "text\n", is_ours)
    finally:
        os.umask(old)
    path = artifact_path(home, "../../CON")
    assert path.read_text(encoding="utf-8") == "text\n"
    assert path.is_relative_to(home / "sessions")
    modes = [stat.S_IMODE(step.stat().st_mode) for step in (path, *path.parents[:4])]
    assert modes == [0o600, 0o700, 0o700, 0o700, 0o700]


def test_an_unchanged_file_is_not_written_again(home: Path) -> None:
    """DEC-D12: rebuilt only when it differs."""
    text = projection([a_document("A")])
    put_artifact(home, KEY, text, is_ours)
    before = artifact_path(home, KEY).stat().st_ino
    assert put_artifact(home, KEY, text, is_ours) is None
    assert artifact_path(home, KEY).stat().st_ino == before


def test_a_hand_edited_file_is_kept_beside(home: Path) -> None:
    """CASE-N08, DEC-D12: never silently lost, reported by its path, twice if it happens twice."""
    first, second = projection([a_document("A")]), projection([a_document("B")])
    put_artifact(home, KEY, first, is_ours)
    path = artifact_path(home, KEY)
    for n in (1, 2):
        path.write_text(f"// mine {n}\n", encoding="utf-8")
        kept = put_artifact(home, KEY, second, is_ours)
        assert kept == path.with_name(f"SessionMemory.edited-{n}.pts")
        assert kept.read_text(encoding="utf-8") == f"// mine {n}\n"
    assert path.read_text(encoding="utf-8") == second
    assert [found.name for found in edited_files(home, KEY)] == [
        "SessionMemory.edited-1.pts",
        "SessionMemory.edited-2.pts",
    ]


def test_nothing_is_left_beside_the_file(home: Path) -> None:
    """CASE-J07: a temporary file of a killed process is replaced, none of ours stays."""
    path = artifact_path(home, KEY)
    put_artifact(home, KEY, "one\n", is_ours)
    (path.parent / f".SessionMemory.pts.{os.getpid()}").write_text("half", encoding="utf-8")
    put_artifact(home, KEY, projection([]), is_ours)
    assert sorted(found.name for found in path.parent.iterdir()) == ["SessionMemory.edited-1.pts", "SessionMemory.pts"]


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_a_link_in_place_of_a_folder_is_not_followed(home: Path, tmp_path: Path, depth: int) -> None:
    """CASE-E05: the target is untouched."""
    outside = tmp_path / "outside"
    outside.mkdir()
    step = (artifact_path(home, KEY), *artifact_path(home, KEY).parents)[4 - depth]
    step.parent.mkdir(parents=True, exist_ok=True)
    step.symlink_to(outside)
    with pytest.raises(StoreError) as caught:
        put_artifact(home, KEY, "text\n", is_ours)
    assert caught.value.code is Code.UNSAFE_PATH
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("trap", ["link", "dangling", "hard", "pipe", "folder"])
def test_a_trap_in_place_of_the_file_is_not_followed(home: Path, tmp_path: Path, trap: str) -> None:
    """CASE-E07: and a pipe does not block."""
    path = artifact_path(home, KEY)
    path.parent.mkdir(parents=True)
    outside = tmp_path / "outside"
    if trap != "dangling":
        outside.write_text("theirs", encoding="utf-8")
    match trap:
        case "hard":
            os.link(outside, path)
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case _:
            path.symlink_to(outside)
    with pytest.raises(StoreError) as caught:
        put_artifact(home, KEY, "text\n", is_ours)
    assert caught.value.code is Code.UNSAFE_PATH
    assert not outside.exists() or outside.read_text(encoding="utf-8") == "theirs"


# -- NLMemory


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[NLMemory]:
    """The memory of a fresh home with one session."""
    store = SqliteStore(tmp_path / "nl", Clock())
    store.put_session(SOURCE)
    yield NLMemory(store, permanent(), tmp_path / "nl")
    store.close()


NOTES_TEXT = (
    f'prototype ParserNotes : Document\n{{\n\tEntityName = @"Parser Notes";\n\tDocumentPath = @"{NOTES}";\n}}\n'
)


def test_a_person_writes_and_finds_it_in_the_file(memory: NLMemory) -> None:
    """DEC-D5, DEC-D12, R55, R56: one rule set, one database row, one readable file."""
    assert isinstance(memory.check(KEY, NOTES_TEXT), Accepted)
    assert memory.store.definitions(KEY) == ()
    assert isinstance(memory.write(KEY, NOTES_TEXT), Accepted)
    assert memory.project(KEY) is None
    text = artifact_path(memory.home, KEY).read_text(encoding="utf-8")
    assert text == memory.export(KEY)
    assert names_of(text) == ["ParserNotes"]
    assert memory.verify(KEY).ok


def test_a_person_is_bound_by_the_first_seven_rules_and_warned_by_the_others(memory: NLMemory) -> None:
    """DEC-D5: no handle is a warning, an unknown base a refusal, the same again unchanged."""
    bare = memory.write(KEY, 'prototype Habit : Document\n{\n\tEntityName = @"Habit";\n}\n')
    assert isinstance(bare, Accepted)
    assert [warning.code for warning in bare.warnings] == [Code.NO_HANDLE]
    refused = memory.write(KEY, "prototype X : Nowhere\n{\n}\n")
    assert isinstance(refused, Refused)
    memory.write(KEY, NOTES_TEXT)
    assert isinstance(memory.write(KEY, NOTES_TEXT), Unchanged)
    assert memory.store.layer(KEY).names() == ("Habit", "ParserNotes")


@pytest.mark.parametrize("what", ["ParserNotes", "parser notes", NOTES])
def test_a_memory_is_forgotten_by_name_phrase_or_handle(memory: NLMemory, what: str) -> None:
    """R97, DEC-D8: shown first, then gone from database and file at once; unforgetting lifts the tombstone."""
    memory.write(KEY, NOTES_TEXT)
    memory.project(KEY)
    assert memory.meant(KEY, [what]) == ("ParserNotes",)
    assert len(memory.forget(KEY, ["ParserNotes"])) == 1
    assert NOTES not in artifact_path(memory.home, KEY).read_text(encoding="utf-8")
    assert memory.store.layer(KEY).names() == ()
    assert memory.unforget(KEY, "ParserNotes") == 1


def test_forgetting_is_never_a_guess(memory: NLMemory) -> None:
    """R97: a word of a name, a foreign or a permanent memory is not meant."""
    memory.write(KEY, NOTES_TEXT)
    assert memory.meant(KEY, ["parser", "HandBook", "/srv/handbook/index.md", ""]) == ()


def test_a_difference_between_file_and_database_is_found_and_mended(memory: NLMemory) -> None:
    """CASE-N08, N09, DEC-D12: verify names it, the next projection mends it and keeps the edited file."""
    memory.write(KEY, NOTES_TEXT)
    assert memory.verify(KEY).missing
    memory.project(KEY)
    path = artifact_path(memory.home, KEY)
    path.write_text(path.read_text(encoding="utf-8").replace(NOTES, "/elsewhere"), encoding="utf-8")
    found = memory.verify(KEY)
    assert (found.ok, found.unsealed, found.differing) == (False, True, ("ParserNotes",))
    kept = memory.project(KEY)
    assert kept is not None
    assert "/elsewhere" in kept.read_text(encoding="utf-8")
    assert memory.verify(KEY).ok
    assert memory.verify(KEY).edited == (kept,)


def test_a_file_is_imported_with_links_in_any_direction(memory: NLMemory) -> None:
    """OBS-M5, DEC-D12: two phases; a second import changes nothing; what would overwrite is refused."""
    one = f'prototype A : Document\n{{\n\tDocumentPath = @"{NOTES}";\n\tSupersedes = B;\n}}\n'
    two = 'prototype B : Document\n{\n\tDocumentPath = @"/work/b.md";\n\tSupersedes = A;\n}\n'
    done = memory.restore(KEY, one + two)
    assert [(name, type(answer)) for name, answer in done.answers] == [
        ("A", Accepted),
        ("B", Accepted),
        ("A", Accepted),
        ("B", Accepted),
    ]
    assert memory.store.layer(KEY).names() == ("A", "B")
    again = memory.restore(KEY, memory.export(KEY))
    assert {type(answer) for _, answer in again.answers} == {Unchanged}
    other = memory.restore(KEY, one.replace(NOTES, "/elsewhere"))
    assert [type(answer) for _, answer in other.answers][:1] == [Refused]


def test_an_export_of_one_session_restores_in_another_home(memory: NLMemory, tmp_path: Path) -> None:
    """R56, R100: the file alone is enough to have the memory again."""
    memory.write(KEY, NOTES_TEXT)
    memory.write(KEY, 'prototype Guide : Document\n{\n\tDocumentPath = @"/g.md";\n\tSupersedes = ParserNotes;\n}\n')
    store = SqliteStore(tmp_path / "second", Clock())
    store.put_session(a_session(KEY))
    second = NLMemory(store, permanent(), tmp_path / "second")
    second.restore(KEY, memory.export(KEY))
    here = [memory.store.layer(KEY).get(name) for name in memory.store.layer(KEY).names()]
    there = [store.layer(KEY).get(name) for name in store.layer(KEY).names()]
    assert differences([p for p in here if p], [p for p in there if p]) == ()
    store.close()


def test_a_session_without_memory_gets_no_file(memory: NLMemory) -> None:
    """R14, R53: nothing is made for nothing."""
    assert memory.project(KEY) is None
    assert not (memory.home / "sessions").exists()
    assert memory.verify(KEY).ok
