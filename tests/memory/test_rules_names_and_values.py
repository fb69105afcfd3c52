"""Rules 3 to 6: names, bases, properties, and nothing valued assigned again."""

import pytest
from rule_cases import FILE, Critic, Person, code, refusals

from ferrule.memory.submission import Unaltered
from ferrule.ontology.build import prototype_of
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.values import LayerName
from ferrule.protoscript.reading import parse

GAUGE = f'prototype TideGauge : SourceFile {{ EntityName = @"Tide gauge"; FilePath = @"{FILE}"; }}'

PERMANENT = """
prototype SemanticEntityBase
{
	String EntityName; String Aliases; String Description; String Notes; String LifecycleState;
}
prototype Host : SemanticEntityBase
{
	String HostName; Int Port = 80; Bool Public = false; Double Load; Collection Roles;
}
prototype Service : SemanticEntityBase { String ServiceUrl; Host RunsOn; Service Fallback; }
prototype Tower : Host { EntityName = @"Tower"; HostName = @"tower.example"; Port = 8443; }
prototype ProtoScriptAction { String Phrase; }
prototype ToMoor : ProtoScriptAction;
prototype Daemon : SemanticEntityBase { String DaemonId; Bool AutoInitialize = true; }
"""


def permanent() -> InMemoryLayer:
    """Types and one entity, with actions and a self-starting service beside them."""
    layer = InMemoryLayer()
    for tree in parse(PERMANENT).tree.prototypes:
        layer.add(prototype_of(tree, LayerName.PERMANENT, fields_assign=tree.name == "Tower"))
    return layer


def person() -> Person:
    """A person before that ontology."""
    return Person(permanent=permanent())


BAD_NAMES = {
    "prototype partial : Host { }": "RESERVED_NAME",
    "prototype null : Host { }": "RESERVED_NAME",
    "prototype Collection : Host { }": "RESERVED_NAME",
    "prototype Prototype : Host { }": "RESERVED_NAME",
    "prototype System.String : Host { }": "RESERVED_NAME",
    "prototype Service : SemanticEntityBase { }": "RESERVED_NAME",
    "partial prototype Host { String Extra; }": "RESERVED_NAME",
    'prototype Buoy : Host { String PrototypeName = @"x"; }': "RESERVED_NAME",
    "prototype Ns.Buoy : Host { }": "BAD_IDENTIFIER",
    "prototype 1Buoy : Host { }": "BAD_IDENTIFIER",
    "prototype #Buoy : Host { }": "BAD_IDENTIFIER",
    "prototype Bu\u043ey : Host { }": "BAD_IDENTIFIER",
    "prototype 浮标 : Host { }": "BAD_IDENTIFIER",
    "prototype Buoy## : Host { }": "BAD_IDENTIFIER",
    f"prototype {'B' * 129} : Host {{ }}": "BAD_IDENTIFIER",
    'prototype Buoy : Host { String Gr\u00f6sse = @"x"; }': "BAD_IDENTIFIER",
    "prototype tower : Host { }": "ALREADY_EXISTS",
    "prototype HOST : SemanticEntityBase { }": "ALREADY_EXISTS",
}


@pytest.mark.parametrize(("text", "expected"), BAD_NAMES.items(), ids=BAD_NAMES)
def test_a_name_must_be_plain_and_free(text: str, expected: str) -> None:
    """CASE-B24, CASE-B25, CASE-C04, DEC-D7: reserved, odd, and confusable names are refused."""
    assert code(person().judge(text)) == expected


@pytest.mark.parametrize("base", ["ProtoScriptAction", "ToMoor", "Daemon", "OpsAction"])
def test_nothing_that_runs_is_a_base(base: str) -> None:
    """R5: no action and no self-starting service is learned, known to the ontology or not."""
    verdict = person().judge(f'prototype Buoy : {base} {{ String HostName = @"b"; }}')
    assert code(verdict) == "RESERVED_NAME"


def test_the_entity_type_service_is_an_ordinary_base() -> None:
    """R5: a service as a thing is not behaviour."""
    text = 'prototype Harbor : Service { ServiceUrl = @"https://harbor.example"; }'
    assert code(person().judge(text)) == "accepted"


BASES = {
    "prototype Buoy { }": "UNKNOWN_TYPE",
    "partial prototype Buoy { }": "UNKNOWN_TYPE",
    "prototype Buoy : Nope { }": "UNKNOWN_TYPE",
    "prototype Buoy : Host, Nope { }": "UNKNOWN_TYPE",
    "prototype Buoy : String { }": "UNKNOWN_TYPE",
    "prototype Buoy : Collection { }": "UNKNOWN_TYPE",
    "prototype Buoy : Prototype { }": "UNKNOWN_TYPE",
    "prototype Buoy : List<String> { }": "UNKNOWN_TYPE",
    "prototype Tower { }": "UNKNOWN_TYPE",
    "prototype Buoy : Buoy { }": "TYPE_MISMATCH",
    "prototype Tower : Service { }": "TYPE_MISMATCH",
    "prototype Tower : Host, Service { }": "TYPE_MISMATCH",
    "partial prototype Tower : SemanticEntityBase { }": "TYPE_MISMATCH",
}


@pytest.mark.parametrize(("text", "expected"), BASES.items(), ids=BASES)
def test_bases_exist_and_stay(text: str, expected: str) -> None:
    """R86, CASE-G06, CASE-G08: unknown, missing, cyclic and changed bases are refused, none is made up."""
    assert code(person().judge(text)) == expected


def test_a_longer_cycle_of_bases_is_refused() -> None:
    """CASE-G08: through two memories."""
    hand = person()
    hand.write('prototype One : Host { HostName = @"one"; }')
    hand.write("prototype Two : One { }")
    assert code(hand.judge("prototype One : Two { }")) == "TYPE_MISMATCH"


@pytest.mark.parametrize(
    "text",
    ["partial prototype Tower { {} }", "partial prototype Tower : Host { {} }", "prototype Tower : Host { {} }"],
)
def test_an_existing_name_is_augmented_in_three_forms(text: str) -> None:
    """R38, DEC-D7: all three add to the permanent entity in the session, the permanent layer stays as it was."""
    hand = person()
    written = hand.write(text.replace("{}", 'Notes = @"stands on the mole";')).write
    assert written.action == "augmented"
    assert written.prototype.partial
    assert [prop.name for prop in written.prototype.properties] == ["Notes"]
    assert written.merged.startswith("partial prototype Tower : Host")
    below = hand.permanent.get("Tower")
    assert below is not None
    assert below.own("Notes") is None


def member(text: str) -> str:
    """A new host with one member more."""
    return f'prototype Buoy : Host {{ HostName = @"b"; {text} }}'


PROPERTIES = {
    'Berth = @"4";': "UNKNOWN_PROPERTY",
    'hostname = @"x";': "UNKNOWN_PROPERTY",
    "String Berth = Missing;": "UNKNOWN_REFERENCE",
    "Notes = Notes;": "UNKNOWN_REFERENCE",
    "Notes = True;": "UNKNOWN_REFERENCE",
    "Service Feeds = Missing;": "UNKNOWN_REFERENCE",
    "Collection Marks = [Tower, Missing];": "UNKNOWN_REFERENCE",
    'string Berth = @"4";': "UNKNOWN_TYPE",
    "Nope Berth;": "UNKNOWN_TYPE",
    "String[] Berths;": "UNKNOWN_TYPE",
    "String? Berth;": "UNKNOWN_TYPE",
    'Port = @"5";': "TYPE_MISMATCH",
    "Port = 1.5;": "TYPE_MISMATCH",
    "Port = true;": "TYPE_MISMATCH",
    "Port = 2147483648;": "TYPE_MISMATCH",
    "Port = -2147483649;": "TYPE_MISMATCH",
    f"Port = {'9' * 5_000};": "TYPE_MISMATCH",
    "Port = 1L;": "TYPE_MISMATCH",
    "Load = NaN;": "TYPE_MISMATCH",
    "Load = 1e400;": "TYPE_MISMATCH",
    "Load = 1.5f;": "TYPE_MISMATCH",
    'Load = @"1.5";': "TYPE_MISMATCH",
    "Public = 1;": "TYPE_MISMATCH",
    'Public = @"true";': "TYPE_MISMATCH",
    "Notes = 5;": "TYPE_MISMATCH",
    'Notes = [@"a"];': "TYPE_MISMATCH",
    "Notes = Tower;": "TYPE_MISMATCH",
    "Roles = Tower;": "TYPE_MISMATCH",
    'Roles = @"a";': "TYPE_MISMATCH",
    "Service Feeds = Tower;": "TYPE_MISMATCH",
    'Service Feeds = @"Tower";': "TYPE_MISMATCH",
    "Service Feeds = Buoy;": "TYPE_MISMATCH",
    "Int Port = 9;": "TYPE_MISMATCH",
    'String Notes = @"x";': "TYPE_MISMATCH",
    'String Berth = @"a"; Berth = @"b";': "TYPE_MISMATCH",
    'String Berth = @"a"; Int Berth = 3;': "TYPE_MISMATCH",
    'Notes = @"a"; Notes = @"a";': "TYPE_MISMATCH",
    "Bool HostNameAtTurn4 = true;": "TYPE_MISMATCH",
}


@pytest.mark.parametrize(("text", "expected"), PROPERTIES.items(), ids=[key[:40] for key in PROPERTIES])
def test_undeclared_dangling_and_misfitting_members_are_refused(text: str, expected: str) -> None:
    """R43, CASE-G06, CASE-G09: nothing is converted, nothing is dropped, nothing is created implicitly."""
    assert code(person().judge(member(text))) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Port = 2147483647;",
        "Port = -5;",
        "Load = 1;",
        "Load = -0.25;",
        "Public = true;",
        'Roles = [Tower, @"light", 3, 1.5, false, null, [1]];',
        "Roles = new Collection();",
        "Notes = null;",
        "String Berth;",
        'Berth = @"4"; String Berth;',
        "Host Twin = Buoy;",
        "Prototype Anything = Tower;",
        "Host Kind = Host;",
        "Integer Depth = 3; Boolean Lit = true;",
        'HostNameAtTurn4 = @"c";',
        'String HostNameAtTurn4 = @"c";',
    ],
)
def test_fitting_members_are_accepted(text: str) -> None:
    """R43: declared by the schema, or with their type in the definition."""
    assert code(person().judge(member(text))) == "accepted"


def test_a_misspelt_property_is_answered_with_the_declared_ones() -> None:
    """R89: the remedy names what is near, and a lower-case type names the right one."""
    (refusal,) = refusals(person().judge(member('hostname = @"x";')))
    assert "HostName" in refusal.remedy
    (refusal,) = refusals(person().judge(member("boolean Lit = true;")))
    assert "Bool" in refusal.remedy


def test_two_memories_may_refer_to_each_other() -> None:
    """CASE-G06: declared first, linked later, in any order."""
    hand = person()
    hand.write('prototype One : Service { ServiceUrl = @"https://one.example"; }')
    hand.write('prototype Two : Service { ServiceUrl = @"https://two.example"; Fallback = One; }')
    assert hand.write("partial prototype One { Fallback = Two; }").write.action == "augmented"


VALUED = [
    'HostName = @"other.example";',
    "Port = 1;",
    'Port = 8443; Notes = @"also";',
    "Port = null;",
    'EntityName = @"";',
    'Notes = @"new"; EntityName = @"Tower two";',
]


@pytest.mark.parametrize("text", VALUED)
def test_nothing_valued_is_assigned_again(text: str) -> None:
    """R44, R58, R59, CASE-B16, CASE-G01, CASE-G02, INV-I3, DEC-D1: the whole write is refused, null is no exception."""
    hand = person()
    assert code(hand.judge(f"partial prototype Tower {{ {text} }}")) == "ALREADY_VALUED"
    assert len(hand.session) == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('prototype Twin : Tower { HostName = @"twin"; }', "ALREADY_VALUED"),
        ("prototype Twin : Tower { Port = 1; }", "ALREADY_VALUED"),
        ('prototype Twin : Tower { Notes = @"leans"; }', "accepted"),
        ('prototype Buoy : Host { HostName = @"b"; Port = 1; }', "accepted"),
    ],
)
def test_an_inherited_assignment_is_a_value_and_a_default_is_none(text: str, expected: str) -> None:
    """DEC-D2, CASE-G03: a new prototype may specialise a default, not an ancestor's value."""
    assert code(person().judge(text)) == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("Notes = null;", 'Notes = @"x";', "accepted"),
        ('Notes = @"";', 'Notes = @"x";', "accepted"),
        ("Roles = [];", "Roles = [1];", "accepted"),
        ("Roles = [1];", "Roles = [];", "ALREADY_VALUED"),
        ("Roles = [1];", "Roles = [1, 2];", "ALREADY_VALUED"),
        ("String Berth;", 'Berth = @"4";', "accepted"),
        ('String Berth = @"4";', 'Berth = @"5";', "ALREADY_VALUED"),
        ('String Berth = @"4";', "String Berth = null;", "ALREADY_VALUED"),
        ("Public = false;", "Public = true;", "ALREADY_VALUED"),
        ("Port = 0;", "Port = 1;", "ALREADY_VALUED"),
    ],
)
def test_what_counts_as_valued_decides_whether_it_may_be_filled(first: str, second: str, expected: str) -> None:
    """DEC-D2, CASE-G03, R44: empty is unvalued, false and zero are values, a list is a value like another."""
    hand = person()
    hand.write(member(first))
    assert code(hand.judge(f"partial prototype Buoy {{ {second} }}")) == expected


UNCHANGED = [
    "prototype Buoy : Host { }",
    "partial prototype Buoy { }",
    'prototype Buoy : Host { HostName = "b"; }',
    'partial prototype Buoy { HostName = @"b"; Port = 4; }',
    'partial prototype Buoy { Port = 4; String Berth = @"4"; Roles = [Tower, @"x"]; }',
    "partial prototype Buoy { Notes = null; }",
    'partial prototype Tower { HostName = @"tower.example"; }',
]


@pytest.mark.parametrize("text", UNCHANGED)
def test_a_definition_that_changes_nothing_is_unchanged(text: str) -> None:
    """DEC-D1, R66, CASE-G01: redelivery is idempotent, in any literal form."""
    hand = person()
    hand.write(member('Port = 4; String Berth = @"4"; Roles = [Tower, @"x"];'))
    assert isinstance(hand.judge(text), Unaltered)


def test_a_number_is_not_the_truth_value_that_equals_it() -> None:
    """CASE-G09: `1` over `true` is neither the same nor of the right type."""
    hand = person()
    hand.write(member("Public = true;"))
    assert code(hand.judge("partial prototype Buoy { Public = 1; }")) == "TYPE_MISMATCH"


def test_a_later_state_is_a_new_property_beside_the_old_one() -> None:
    """R45, CASE-G05: the old value stays, the new one stands alone in the canonical text."""
    hand = person()
    hand.write(member('LifecycleState = @"planned";'))
    written = hand.write('partial prototype Buoy { LifecycleStateAtTurn9 = @"created"; }').write
    assert 'LifecycleState = @"planned";' in written.merged
    assert 'String LifecycleStateAtTurn9 = @"created";' in written.merged


def test_a_critic_names_the_reviewed_turn_and_no_other() -> None:
    """R45: the ordinal in the name is the evidence's scope."""
    critic = Critic()
    critic.write(GAUGE)
    late = critic.judge('partial prototype TideGauge { String FilePathAtTurn3 = @"x"; }', "TideGauge")
    assert code(late) == "UNKNOWN_PROPERTY"
    assert "FilePathAtTurn4" in refusals(late)[0].remedy
