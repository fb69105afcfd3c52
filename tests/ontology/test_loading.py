"""The permanent ontology from files: merged, checked, located."""

from pathlib import Path

import pytest

from ferrule.ontology import sources
from ferrule.ontology.handles import handles_of
from ferrule.ontology.loading import Loaded, base_folder, load_permanent, load_shipped
from ferrule.ontology.resolve import Effective, Ontology
from ferrule.ontology.values import Annotated, Opaque, Ref
from ferrule.referents.properties import kind_of_property


def load(folder: Path, **files: str) -> Loaded:
    """A folder with these files, loaded."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.pts").write_text(text, encoding="utf-8")
    return load_permanent([folder])


def test_parts_of_one_prototype_merge_across_files_and_folders(tmp_path: Path) -> None:
    """DEC-D7: bases and properties of all parts; of two values the earlier stands."""
    first, second = tmp_path / "first", tmp_path / "second"
    load(first, a='prototype Thing { String EntityName; } prototype Pier : Thing { EntityName = @"Pier"; }')
    load(second, b='prototype Wet; partial prototype Pier : Wet { EntityName = @"Other"; String Depth = @"4 m"; }')
    loaded = load_permanent([first, second])
    known = Ontology(loaded.layer)
    pier = loaded.layer.get("Pier")
    assert pier is not None
    assert pier.bases == ("Thing", "Wet")
    assert known.effective("Pier", "EntityName").value == "Pier"
    assert known.effective("Pier", "Depth").valued


def test_a_typed_field_is_a_default_on_a_type_and_a_value_on_an_entity(tmp_path: Path) -> None:
    """DEC-D2, DEC-D7: what the body assigns, or a # in the name, makes the difference."""
    text = """
    prototype Gadget { String Colour = "grey"; }
    prototype Lamp : Gadget { Colour = "red"; Int Watt = 5; }
    prototype Gauge#Default : Gadget { String Reading = "idle"; }
    """
    known = Ontology(load(tmp_path / "o", a=text).layer)
    assert not known.effective("Gadget", "Colour").valued
    assert known.effective("Lamp", "Watt").valued
    assert known.effective("Gauge#Default", "Reading").valued
    assert known.is_type("Gadget")
    assert not known.is_type("Lamp")


PROBLEMS = {
    "prototype A;\nprototype A;": ("ALREADY_EXISTS", 2, 11),
    "prototype A : Nope { }": ("UNKNOWN_TYPE", 1, 15),
    "prototype A : A;": ("TYPE_MISMATCH", 1, 15),
    "prototype A { Nope X; }": ("UNKNOWN_TYPE", 1, 15),
    "prototype A { X = 1; }": ("UNKNOWN_PROPERTY", 1, 15),
    "prototype A { A X; }\nprototype B : A {\n\tX = C;\n}": ("UNKNOWN_REFERENCE", 3, 6),
    'prototype A { Int X; }\nprototype B : A { X = @"5"; }': ("TYPE_MISMATCH", 2, 23),
    "prototype A { String X = ; }": ("PARSE", 1, 26),
    "namespace N { prototype A; prototype B : A, C; }": ("UNKNOWN_TYPE", 1, 45),
    "namespace N { prototype A { A X; C Y; } }": ("UNKNOWN_TYPE", 1, 34),
}


@pytest.mark.parametrize(("text", "expected"), PROBLEMS.items(), ids=PROBLEMS)
def test_what_is_wrong_in_a_file_is_told_with_its_place(
    tmp_path: Path, text: str, expected: tuple[str, int, int]
) -> None:
    """R89, CASE-C11: file, line and column, and everything else is still served."""
    loaded = load(tmp_path / "o", a=text, z="prototype Sound { String X; }")
    (problem,) = loaded.problems
    assert (problem.code.value, problem.line, problem.column) == expected
    assert problem.file.endswith("a.pts")
    assert loaded.layer.get("Sound") is not None


def test_what_cannot_be_resolved_is_left_out(tmp_path: Path) -> None:
    """CASE-G06: nothing is created implicitly, nothing dangles."""
    text = 'prototype A { A X; String Y; }\nprototype B : A, Nope { X = C; Y = @"y"; Z = 1; }'
    loaded = load(tmp_path / "o", a=text)
    found = loaded.layer.get("B")
    assert found is not None
    assert found.bases == ("A",)
    assert [prop.name for prop in found.properties] == ["Y"]
    assert len(loaded.problems) == 3


def test_an_unreadable_file_is_a_problem_and_not_an_exception(tmp_path: Path) -> None:
    """CASE-C11: invalid bytes and missing files; the others are served."""
    folder = tmp_path / "o"
    load(folder, good="prototype A;")
    (folder / "bad.pts").write_bytes(b"prototype \xff\xfe;")
    loaded = load_permanent([folder, tmp_path / "missing.pts"])
    assert [problem.code.value for problem in loaded.problems] == ["IO_FAILED", "IO_FAILED"]
    assert loaded.layer.names() == ("A",)


def test_no_include_is_followed(tmp_path: Path) -> None:
    """CASE-B04, INV-I5: what is loaded is what the folders hold."""
    secret = tmp_path / "secret.pts"
    secret.write_text("prototype Secret;", encoding="utf-8")
    loaded = load(tmp_path / "o", a=f'include "{secret}"; prototype A;')
    assert loaded.layer.names() == ("A",)


def test_a_permanent_entity_is_found_by_its_handle(tmp_path: Path) -> None:
    """R65: identity keys of the permanent layer are indexed."""
    text = "prototype Thing { String RemoteUrl; }"
    text += 'prototype Quay : Thing { RemoteUrl = @"https://git.example/a/quay.git"; }'
    layer = load(tmp_path / "o", a=text).layer
    assert any(layer.holding(key) == ("Quay",) for key in ("repo:git.example/a/quay", "url:https://git.example/a/quay"))


def test_a_folder_extends_the_table_of_handle_names(tmp_path: Path) -> None:
    """R26: `handles.toml` beside the files; a wrong one is a problem and changes nothing."""
    text = "prototype Thing { String Notes; String BerthMark; }"
    text += 'prototype Pier : Thing { Notes = @"n"; BerthMark = @"B7"; }'
    folder = tmp_path / "o"
    plain = load(folder, a=text).layer
    assert handles_of(plain.get("Pier") or pytest.fail("unknown"), Ontology(plain)) == ()
    (folder / "handles.toml").write_text('[suffixes]\nother-id = ["Mark"]\n', encoding="utf-8")
    extended = load_permanent([folder]).layer
    pier = extended.get("Pier") or pytest.fail("unknown")
    assert [(handle.kind.value, handle.value) for handle in handles_of(pier, Ontology(extended))] == [
        ("other-id", "B7")
    ]
    assert extended.holding("id:B7") == ("Pier",)
    (folder / "handles.toml").write_text('[suffixes]\nno-such-kind = ["Mark"]\n', encoding="utf-8")
    wrong = load_permanent([folder])
    assert len(wrong.problems) == 1
    assert wrong.layer.holding("id:B7") == ()


def test_shipped_types_are_types_with_handles_of_their_own() -> None:
    """R26, R86: every shipped entity type carries at least one property whose name tells its kind of handle."""
    shipped = load_shipped()
    known = Ontology(shipped.layer)
    assert shipped.problems == ()
    assert base_folder().is_dir()
    for name in shipped.layer.names():
        assert known.is_type(name)
        if name != "SemanticEntityBase":
            texts = [entry.property for entry in known.schema(name) if entry.type == "String"]
            assert any(kind_of_property(prop) for prop in texts), name
            assert known.is_a(name, "SemanticEntityBase")


def test_a_computed_value_is_known_to_be_there_and_nothing_is_run(tmp_path: Path) -> None:
    """INV-I5, R89: it is no problem and no empty value; what it is stays open, also inside of a list."""
    text = 'prototype Gadget { String Url; Collection Parts; String Colour = "a" + "b"; }\n'
    text += "prototype Lamp : Gadget { Url = Root(1); Parts = [Bulb, Make(1)]; function Make(Int n) : Gadget { } }\n"
    text += "prototype Bulb : Gadget { Colour = null; }"
    loaded = load(tmp_path / "o", a=text)
    known = Ontology(loaded.layer)
    assert loaded.problems == ()
    assert known.effective("Lamp", "Url") == Effective(Opaque("call"), valued=True, by="Lamp")
    assert known.effective("Lamp", "Parts").value == (Ref("Bulb"), Opaque("call"))
    assert known.effective("Gadget", "Colour") == Effective(Opaque("operator `+`"), valued=False, by="Gadget")
    assert str(Opaque("call")) == "(computed: call, not run)"


def test_annotations_are_data_and_a_phrase_is_a_name(tmp_path: Path) -> None:
    """R65, INV-I5: all parts' annotations stand; whichever gives a phrase of natural language, it leads there."""
    text = '[Harbour.SemanticEntity("the north quay")] [Marked(3, [Pier])] prototype Quay; prototype Pier;\n'
    text += '[SemanticProgram.InfinitivePhrase("to moor a boat")] partial prototype Quay; [Named("x")] prototype X;'
    layer = load(tmp_path / "o", a=text).layer
    quay = layer.get("Quay")
    assert quay is not None
    assert quay.annotations == (
        Annotated("Harbour.SemanticEntity", ("the north quay",)),
        Annotated("Marked", (3, (Ref("Pier"),))),
        Annotated("SemanticProgram.InfinitivePhrase", ("to moor a boat",)),
    )
    assert layer.called("The north quay") == layer.called("to moor a boat") == ("Quay",)
    assert layer.called("x") == ("X",)
    assert layer.matching(["moor"], 5) == ("Quay",)


def test_a_short_name_means_what_stands_nearest(tmp_path: Path) -> None:
    """R89: in namespaces and in prototypes, for bases, types and values; outside the full name is needed."""
    text = """
    prototype Part { String Colour; } prototype Quay;
    namespace Town.North {
        prototype Quay { Part Best; }
        prototype Pier : Quay { Best = Low; prototype Low : Part { Colour = "red"; } }
    }
    namespace Town.North.Deep { prototype Low : Part; prototype Well : Pier { Best = Quay; } }
    prototype Bridge : Town.North.Pier;
    prototype Boat : Quay; prototype Town.Hall : Part;
    """
    loaded = load(tmp_path / "o", a=text.replace("Best = Quay", "Best = Low"))
    known = Ontology(loaded.layer)
    assert loaded.problems == ()
    assert known.ancestors("Town.North.Deep.Well") == ("Town.North.Pier", "Town.North.Quay")
    assert known.effective("Bridge", "Best").value == Ref("Town.North.Pier.Low")
    assert known.effective("Town.North.Deep.Well", "Best").value == Ref("Town.North.Deep.Low")
    assert known.ancestors("Boat") == ("Quay",)
    assert [problem.code.value for problem in load(tmp_path / "o", a=text).problems] == ["TYPE_MISMATCH"]


def test_a_part_in_a_namespace_has_a_base_of_its_own_name(tmp_path: Path) -> None:
    """R89: nobody is its own base."""
    loaded = load(tmp_path / "o", a="prototype Quay; namespace Town { prototype Quay : Quay; }")
    assert loaded.problems == ()
    assert Ontology(loaded.layer).ancestors("Town.Quay") == ("Quay",)


def test_a_projects_namespace_is_not_looked_into(tmp_path: Path) -> None:
    """CASE-C11: whoever trusted the project was told so."""
    loaded = load_permanent([tmp_path], [("own.pts", "namespace N { prototype A; } prototype B;")])
    assert loaded.layer.names() == ("B",)
    assert [problem.code.value for problem in loaded.problems] == ["FORBIDDEN_CONSTRUCT"]


def test_a_file_that_is_too_large_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CASE-I04: what a file may cost is bounded before it is read."""
    monkeypatch.setattr(sources, "MOST_BYTES", 20)
    loaded = load(tmp_path / "o", a="prototype Quay;", b="prototype Pier; prototype Ferry;")
    assert loaded.layer.names() == ("Quay",)
    assert "larger than 20 bytes" in loaded.problems[0].message


def test_a_name_with_dots_is_a_reference_where_it_is_declared(tmp_path: Path) -> None:
    """R89: else it is a member of something, which only running would tell."""
    text = """
    prototype Part { Part Best; Collection All; prototype Small : Part; }
    namespace Town { prototype Lamp : Part { prototype Bulb : Part; } prototype Post : Part { Best = Lamp.Bulb; } }
    prototype Desk : Part { Best = Town.Lamp.Bulb; All = [Part.Small, Desk.B, Desk.B(), Desk[0].B, Desk?.B]; }
    """
    loaded = load(tmp_path / "o", a=text)
    known = Ontology(loaded.layer)
    assert loaded.problems == ()
    for name in ("Desk", "Town.Post"):
        assert known.effective(name, "Best").value == Ref("Town.Lamp.Bulb")
    others = (Opaque("member access"), Opaque("member access"), Opaque("index"), Opaque("member access"))
    assert known.effective("Desk", "All").value == (Ref("Part.Small"), *others)
