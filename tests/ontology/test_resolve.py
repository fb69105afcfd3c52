"""Resolution over layers: inheritance, what counts as valued, types and entities."""

import pytest

from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.values import LayerName, Property, Prototype, Ref, Value


def declared(name: str, kind: str, value: Value = None) -> Property:
    """A declaration with an optional default."""
    return Property(name, kind, value, declares=True, assigned=False)


def assigned(name: str, value: Value) -> Property:
    """An assignment."""
    return Property(name, "", value, declares=False, assigned=value not in (None, "", ()))


def prototype(
    name: str, bases: tuple[str, ...], *properties: Property, layer: LayerName = LayerName.PERMANENT
) -> Prototype:
    """A prototype of one layer."""
    return Prototype(name, bases, properties, layer)


PERMANENT = InMemoryLayer(
    [
        prototype("Entity", (), declared("EntityName", "String"), declared("Notes", "String")),
        prototype("Placed", (), declared("Port", "Int", 80), declared("Zone", "String")),
        prototype("Server", ("Entity", "Placed"), declared("Port", "Int", 8080), declared("Mirrors", "Collection", ())),
        prototype("Quay", ("Server",), assigned("EntityName", "Quay"), assigned("Port", 9000)),
        prototype("Gauge#Default", ("Entity",), declared("Reading", "String")),
        prototype("Knot", ("Knot",)),
        prototype("Loop", ("Pool",)),
        prototype("Pool", ("Loop",)),
    ]
)


def ontology(*session: Prototype, lineage: tuple[InMemoryLayer, ...] = ()) -> Ontology:
    """The permanent layer below a session."""
    return Ontology(PERMANENT, InMemoryLayer(session), lineage)


def test_ancestors_are_listed_in_pre_order_and_cycles_end() -> None:
    """OBS-M11: the order of bases decides, a cycle ends the walk instead of the process."""
    known = ontology()
    assert known.ancestors("Quay") == ("Server", "Entity", "Placed")
    assert known.ancestors("Knot") == ()
    assert known.ancestors("Loop") == ("Pool",)
    assert known.ancestors("Nowhere") == ()


def test_is_a_follows_bases_and_everything_is_a_prototype() -> None:
    """R86: a type check asks the source's ontology."""
    known = ontology()
    assert known.is_a("Quay", "Placed")
    assert known.is_a("Quay", "Quay")
    assert known.is_a("Quay", "Prototype")
    assert not known.is_a("Server", "Quay")


@pytest.mark.parametrize(
    ("name", "is_type"),
    [("Server", True), ("Entity", True), ("Quay", False), ("Gauge#Default", False), ("Unheard", False)],
)
def test_a_permanent_prototype_is_a_type_until_it_assigns_something_inherited(name: str, is_type: bool) -> None:  # noqa: FBT001
    """DEC-D7: types are never written to, entities are."""
    assert ontology().is_type(name) is is_type


@pytest.mark.parametrize(
    ("name", "prop", "value", "valued"),
    [
        ("Quay", "EntityName", "Quay", True),
        ("Quay", "Port", 9000, True),
        ("Server", "Port", 8080, False),
        ("Quay", "Zone", None, False),
        ("Quay", "Mirrors", (), False),
        ("Pier", "EntityName", "Quay", True),
        ("Pier", "Port", 9000, True),
        ("Buoy", "Port", 8080, False),
        ("Buoy", "Notes", None, False),
    ],
)
def test_assigned_values_are_inherited_and_defaults_are_not_values(
    name: str,
    prop: str,
    value: Value,
    valued: bool,  # noqa: FBT001
) -> None:
    """DEC-D2, CASE-G03, OBS-M12: an ancestor's assignment is a value; a type's default and a null are none."""
    known = ontology(
        prototype("Pier", ("Quay",), layer=LayerName.SESSION),
        prototype("Buoy", ("Server",), assigned("Notes", None), layer=LayerName.SESSION),
    )
    effective = known.effective(name, prop)
    assert (effective.value, effective.valued) == (value, valued)


def test_schema_names_the_declaring_prototype_and_lists_unassigned_properties() -> None:
    """R43, OBS-M13: the nearest declaration holds, and assigning is not declaring."""
    rows = {row.property: (row.type, row.declared_by, row.assigned) for row in ontology().schema("Quay")}
    assert rows == {
        "Port": ("Int", "Server", True),
        "Mirrors": ("Collection", "Server", False),
        "EntityName": ("String", "Entity", True),
        "Notes": ("String", "Entity", False),
        "Zone": ("String", "Placed", False),
    }


def test_a_session_part_adds_to_a_permanent_entity_without_touching_it() -> None:
    """DEC-D7, R45: the merged view has both, the permanent layer is as before."""
    part = Prototype("Quay", (), (assigned("Notes", "busy"),), LayerName.SESSION, partial=True)
    known = ontology(part)
    both = known.get("Quay")
    assert both is not None
    assert both.layer is LayerName.SESSION
    assert both.bases == ("Server",)
    assert known.effective("Quay", "Notes").value == "busy"
    assert known.effective("Quay", "EntityName").value == "Quay"
    below = PERMANENT.get("Quay")
    assert below is not None
    assert below.own("Notes") is None


def test_no_upper_layer_replaces_a_valued_property() -> None:
    """INV-I3: even a part that should not exist cannot change what was known below it."""
    part = Prototype("Quay", (), (assigned("Port", 1),), LayerName.SESSION, partial=True)
    assert ontology(part).effective("Quay", "Port").value == 9000


def test_the_own_session_is_read_before_its_lineage() -> None:
    """R87: the lineage fills in what the session itself does not say."""
    elsewhere = InMemoryLayer(
        [prototype("Tug", ("Server",), assigned("Port", 1), assigned("Notes", "old"), layer=LayerName.LINEAGE)]
    )
    known = ontology(prototype("Tug", ("Server",), assigned("Port", 2), layer=LayerName.SESSION), lineage=(elsewhere,))
    assert known.effective("Tug", "Port").value == 2
    assert known.effective("Tug", "Notes").value == "old"
    found = known.get("Tug")
    assert found is not None
    assert found.layer is LayerName.SESSION


def test_a_prototype_on_trial_is_seen_with_everything_else() -> None:
    """DEC-D5: a check looks at the definition as if it stood, without staging it."""
    known = ontology()
    trial = known.staged_with(
        prototype("Raft", ("Quay",), assigned("Notes", "x"), layer=LayerName.STAGED), ("id:raft",)
    )
    assert trial.is_a("Raft", "Server")
    assert trial.names(lambda layer: layer.holding("id:raft")) == ("Raft",)
    assert known.get("Raft") is None
    assert Ref("Raft") == Ref("Raft")
