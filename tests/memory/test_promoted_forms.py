"""The permanent form of a memory: what is kept, in which spelling, and what stands against it."""

from dataclasses import dataclass

import pytest

from ferrule.memory.promoting import Objection, Permanent, Terms, addition_text, definition_text, form_of, missing_in
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.loading import load_shipped
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.values import LayerName, Property, Prototype, Ref, Value

SHIPPED = load_shipped().layer
KNOWN = Ontology(SHIPPED)
TERMS = Terms(cwd="/srv/quay", roots=("/srv/quay",), repository="git.example/harbor/quay")
TOKEN = "ghp_" + "Zk3vQ8mT1xR7bN5cW2yL9dF4hJ6gS0aPqE1u"


def given(name: str, value: Value, kind: str = "", *, declares: bool = False) -> Property:
    """A property with a value."""
    return Property(name, kind, value, declares=declares, assigned=True)


def memory(*properties: Property, name: str = "Buoy", bases: tuple[str, ...] = ("Host",)) -> Prototype:
    """A memory of the session."""
    return Prototype(name, bases, properties, LayerName.SESSION)


def formed(
    prototype: Prototype, *, held: bool = False, terms: Terms = TERMS
) -> tuple[Permanent, list[tuple[str, str]]]:
    """Its form, and the objections as pairs."""
    form, against = form_of(prototype, KNOWN, terms, held=held)
    return form, [(one.property, one.reason) for one in against]


HOST = given("HostName", "buoy.example.org")
ELSEWHERE = "it names a place of this machine: "
UNFIT = [
    ("HostName", "buoy.example.org", []),
    ("HostName", "localhost", ["localhost is another machine for everybody else"]),
    ("HostName", "127.0.0.1:80", ["another machine"]),
    ("Notes", "http://localhost:80/x is up", []),
    ("HelperSessionKey", "codex:0198c0de", ["a session belongs to this machine"]),
    ("Notes", f"the token is {TOKEN}", ["it holds what looks like a secret"]),
    ("Notes", "[secret:token:0a1b2c3d]", ["it holds what looks like a secret"]),
    ("Notes", "a\u200bb", ["it holds an invisible character"]),
    ("Notes", "see /home/mira/x.md there", [ELSEWHERE + "/home/mira/x.md"]),
    ("Notes", "see C:\\work\\x", [ELSEWHERE + "C:\\work\\x"]),
    ("Notes", "see /data/x/y.md there", [ELSEWHERE + "/data/x/y.md"]),
    ("Notes", "see ../x/y.md there", [ELSEWHERE + "../x/y.md"]),
    ("Notes", "see docs/y.md there", []),
    ("Notes", "/home/" + "a" * 80, [ELSEWHERE + "/home/" + "a" * 53 + "…"]),
    ("Notes", "/home/" + "a" * 54, [ELSEWHERE + "/home/" + "a" * 54]),
]


@pytest.mark.parametrize(("prop", "value", "reasons"), UNFIT)
def test_what_a_machine_has_alone_stays_there(prop: str, value: str, reasons: list[str]) -> None:
    """DEC-D8, INV-I6: each value by itself, and in a list each element; the reason names the property."""
    for held in (value, (value, 3, (value,))):
        _, against = formed(memory(HOST, given(prop, held)) if prop != "HostName" else memory(given(prop, held)))
        told = [(name, reason) for name, reason in against if name == prop]
        assert len(told) == len(reasons), against
        assert all(part in reason for (_, reason), part in zip(told, reasons, strict=True))
        if prop == "HostName":
            break


PATHS = [
    ("/srv/quay/tide/x.py", "tide/x.py"),
    ("tide/x.py", "tide/x.py"),
    ("./tide/../tide/x.py", "tide/x.py"),
    ("/srv/quay", "."),
    ("/srv/else/x.py", None),
    ("../x.py", None),
    ("~/x.py", None),
]


@pytest.mark.parametrize(("path", "kept"), PATHS)
def test_a_path_is_kept_from_the_repositorys_root(path: str, kept: str | None) -> None:
    """DEC-D8: and one that leads elsewhere is not promoted."""
    for terms in (TERMS, Terms(cwd="/srv/quay", roots=("/old/quay", "/srv/quay"))):
        form, against = formed(memory(given("FilePath", path), bases=("SourceFile",)), terms=terms)
        held = form.prototype.own("FilePath")
        assert held is not None
        assert held.value == (path if kept is None else kept)
        assert against == ([] if kept is not None else [("FilePath", f"{path} is not in the repository")])


def test_a_path_that_a_link_leads_away_from_is_elsewhere() -> None:
    """DEC-D8: whoever follows links on the disk says so; a key of the turn is believed before the spelling."""
    linked = Terms("/srv/quay", ("/srv/quay",), stays=lambda path: path != "tide/x.py")
    _, against = formed(memory(given("FilePath", "tide/x.py"), bases=("SourceFile",)), terms=linked)
    assert against == [("FilePath", "tide/x.py is not in the repository")]
    keyed = Terms("/x", (), "Git.Example/harbor/quay", {("FilePath", "x.py"): "path:git.example/harbor/quay:deep/x.py"})
    form, against = formed(memory(given("FilePath", "x.py"), bases=("SourceFile",)), terms=keyed)
    assert against == []
    assert [prop.value for prop in form.prototype.properties] == ["deep/x.py"]
    moved = Terms("/x", ("/srv/quay",), "", {("FilePath", "y.py"): "path:/srv/quay/deep/y.py"})
    form, _ = formed(memory(given("FilePath", "y.py"), bases=("SourceFile",)), terms=moved)
    assert [prop.value for prop in form.prototype.properties] == ["deep/y.py"]


@pytest.mark.parametrize(
    ("state", "modality", "unreal"),
    [
        ("", "", ""),
        ("", "created", ""),
        ("", "planned", "planned"),
        ("", "reported", "reported"),
        ("", "deleted", "deleted"),
        ("Planned", "created", "planned"),
        ("existing", "planned", ""),
    ],
)
def test_what_is_not_there_is_not_kept(state: str, modality: str, unreal: str) -> None:
    """DEC-D8, DEC-D10: the stated state counts before the last write's modality, and is itself not kept."""
    states = (given("LifecycleState", state),) if state else ()
    form, against = form_of(memory(HOST, *states), KNOWN, TERMS, modality=modality)
    expected = [Objection("", f"it is only {unreal} in this session; what a project keeps has to be there")]
    assert list(against) == (expected if unreal else [])
    assert [prop.name for prop in form.prototype.properties] == ["HostName"]


def test_a_worktree_stays_on_its_machine() -> None:
    """DEC-D8: it is a checkout that nobody else has."""
    _, against = formed(memory(given("WorktreeRoot", "/srv/quay"), bases=("Worktree",)))
    assert ("", "a worktree is a checkout on this machine; nobody else has it") in against


def test_only_the_current_value_is_kept_under_its_familys_name() -> None:
    """DEC-D8, R45: earlier values stay with the session and are told."""
    form, against = formed(
        memory(
            HOST,
            given("Colour", "red", "String"),
            given("ColourAtTurn3", "blue", "String"),
            given("Shade", "", "String"),
        )
    )
    assert against == []
    assert [(prop.name, prop.value, prop.declares, prop.type) for prop in form.prototype.properties] == [
        ("HostName", "buoy.example.org", False, ""),
        ("Colour", "blue", True, "String"),
    ]
    assert form.left_out == ("Colour",)


def test_a_memory_of_new_properties_alone_says_its_name() -> None:
    """DEC-D7: or it would be read as a type; where nothing declares a name it cannot be kept."""
    new = given("Colour", "red", "String", declares=True)
    form, against = formed(memory(new))
    assert against == []
    assert form.prototype.own("EntityName") == Property("EntityName", "", "buoy", declares=False, assigned=True)
    assert form.phrase == "buoy"
    kept, against = formed(memory(new), held=True)
    assert against == []
    assert kept.prototype.own("EntityName") is None
    _, against = formed(memory(new, bases=("Nowhere",)))
    assert against == [("", "it assigns nothing that its type declares, so it would be read as a type")]


@pytest.mark.parametrize(
    ("name", "said", "phrase"),
    [
        ("TideGauge", "Tide gauge", "Tide gauge"),
        ("TideGauge", 'the "old"\\gauge\n', "the old gauge"),
        ("TideGauge", "", "tide gauge"),
        ("TideGauge", 7, "tide gauge"),
        ("TideGauge", "a" * 300, "a" * 200),
        ("TideGauge", '""', "TideGauge"),
    ],
)
def test_the_phrase_is_its_name_in_plain_characters(name: str, said: Value, phrase: str) -> None:
    """DEC-D7: what finds it; a quote or a line's end would end the annotation."""
    form, _ = formed(memory(HOST, given("EntityName", said), name=name))
    assert form.phrase == phrase
    assert definition_text(form).startswith(f'[SemanticEntity("{phrase}")]\nprototype {name} : Host\n')


def test_what_it_builds_on_has_to_be_kept_too() -> None:
    """DEC-D8: bases, links and types that are neither permanent nor promoted with it are named, each once."""
    form = Prototype(
        "Buoy",
        ("Host", "Float"),
        (
            given("Beside", (Ref("Lamp"), Ref("Lamp"), Ref("Buoy")), "Lantern", declares=True),
            given("Held", Ref("Rope"), "Hidden"),
            given("Words", "x", "String", declares=True),
        ),
        LayerName.PERMANENT,
    )
    assert missing_in(form, KNOWN, ()) == ("Float", "Lamp", "Lantern", "Rope")
    assert missing_in(form, KNOWN, ("Lamp", "Float")) == ("Lantern", "Rope")


@dataclass(frozen=True)
class Case:
    """What is there, what is added, and what becomes of it."""

    there: tuple[Property, ...]
    added: str
    against: tuple[tuple[str, str], ...] = ()
    bases: tuple[str, ...] = ("Host",)


ADDED = {
    "nothing new": Case((HOST, given("Colour", "red", "String")), ""),
    "a property": Case((HOST,), 'partial prototype Buoy\n{\n\tString Colour = @"red";\n}\n'),
    "an empty property": Case(
        (HOST, given("Colour", "", "String")), 'partial prototype Buoy\n{\n\tString Colour = @"red";\n}\n'
    ),
    "another value": Case(
        (HOST, given("Colour", "blue", "String")),
        "",
        (("Colour", "the project says blue already, and that is not overwritten"),),
    ),
    "another number": Case(
        (HOST, given("Colour", 7, "Int")), "", (("Colour", "the project says 7 already, and that is not overwritten"),)
    ),
    "another type of thing": Case(
        (HOST,), "", (("", "the project has a Service of that name; name this one differently"),), ("Service",)
    ),
    "without bases": Case((HOST,), 'partial prototype Buoy\n{\n\tString Colour = @"red";\n}\n', (), ()),
}


@pytest.mark.parametrize("case", ADDED.values(), ids=ADDED)
def test_what_is_there_is_added_to_and_never_overwritten(case: Case) -> None:
    """INV-I3, DEC-D8."""
    form, _ = formed(memory(HOST, given("Colour", "red", "String", declares=True)))
    held = Prototype("Buoy", case.bases, case.there, LayerName.PERMANENT)
    text, against = addition_text(form, held)
    assert text == case.added
    assert tuple((one.property, one.reason) for one in against) == case.against


def test_types_of_the_session_are_known_while_it_is_formed() -> None:
    """DEC-D8: what a type of the session declares is assigned, and what it declares nowhere is declared."""
    session = InMemoryLayer()
    session.add(
        Prototype(
            "Lamp", ("Host",), (Property("Watts", "Int", None, declares=True, assigned=False),), LayerName.SESSION
        )
    )
    known = Ontology(SHIPPED, session)
    form, against = form_of(memory(HOST, given("Watts", 40), bases=("Lamp",)), known, TERMS)
    assert list(against) == []
    assert form.prototype.own("Watts") == Property("Watts", "", 40, declares=False, assigned=True)
