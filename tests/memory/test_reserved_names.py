"""Names that no memory may take, one by one."""

import pytest
from rule_cases import Person, refusals

WORDS = ("this", "that", "global", "ref", "out", "await", "lazy")
BUILTIN = (
    *("bool", "string", "int", "double", "float", "object", "var", "void", "stringref", "StringRef"),
    *("Function", "System", "Ontology", "Lexeme", "SemanticEntity", "SemanticProgram", "Object", "Type"),
    *("String", "Int", "Bool", "Double", "Collection"),
)


def told(text: str) -> list[tuple[str, str]]:
    """Code and property of each refusal."""
    return [(one.code.value, one.property) for one in refusals(Person().judge(text))]


@pytest.mark.parametrize("name", [*WORDS, *BUILTIN])
def test_a_reserved_word_names_nothing(name: str) -> None:
    """CASE-B25: words of the language and types of the runtime."""
    refused = told(f'prototype {name} : Host {{ HostName = @"b.example.org"; }}')
    assert refused in ([("RESERVED_NAME", "")], [("PARSE", "")])  # some are words that the parser itself stumbles over
    assert told(f'prototype {name}Buoy : Host {{ HostName = @"b.example.org"; }}') == []


@pytest.mark.parametrize(
    "name", ["PrototypeName", "Value", "Children", "Properties", "PrototypeID", "TypeOfs", "Descendants"]
)
def test_a_member_of_every_prototype_is_declared_by_none(name: str) -> None:
    """CASE-B25: in the reference runtime such a property would be lost or would change the node."""
    text = 'prototype Buoy : Host {{ HostName = @"b.example.org"; String {} = @"x"; }}'
    assert told(text.format(name)) == [("RESERVED_NAME", name)]
    assert told(text.format(f"{name}s")) == []


@pytest.mark.parametrize("root", ["ProtoScriptAction", "OpsAction", "PromptAction", "CoreAction"])
def test_no_action_is_learned(root: str) -> None:
    """R5: what executes is no memory."""
    assert ("RESERVED_NAME", "") in told(f'prototype Buoy : {root} {{ HostName = @"b.example.org"; }}')


def test_what_starts_itself_is_no_base() -> None:
    """R5: by a property that the base declares, whatever it is called."""
    person = Person()
    person.write('prototype Starter : Host { HostName = @"a.example.org"; Bool AutoInitialize = true; }')
    verdict = person.judge('prototype Buoy : Starter { HostName = @"b.example.org"; }')
    assert [one.code.value for one in refusals(verdict)] == ["RESERVED_NAME"]


def test_nothing_is_named_below_a_built_in_type() -> None:
    """CASE-B25: `System.Text` is the runtime's."""
    assert told('prototype System.Text : Host { HostName = @"b.example.org"; }') == [("RESERVED_NAME", "")]
