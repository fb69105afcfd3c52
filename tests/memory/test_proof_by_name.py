"""Rule 11 by itself: which of a thing's names were asked for, how much is told, and in which order."""

from dataclasses import replace

import pytest
from rule_cases import FILE, Critic

from ferrule.bridge.values import Call, SearchKind, Stage
from ferrule.memory.case import Case
from ferrule.memory.rules.proof import proof_rule
from ferrule.memory.submission import Scope, Submission


def asked(query: str, kind: str = SearchKind.NAME.value) -> Call:
    """One search that succeeded."""
    return Call("s1", Stage.IDENTITY, "search", "c", (("query", query), ("kind", kind)), ok=True)


def told(text: str, *record: Call, base: str = "SourceFile") -> list[tuple[str, str, str]]:
    """Code, property and message; details and schema of the base were looked at."""
    looks = [
        Call(tool, Stage.PROPERTIES, tool, "c", (("name", base),), ok=True) for tool in ("details", "schema") if base
    ]
    critic = Critic(record=(*record, *looks))
    case = Case(Submission(text, Scope.CRITIC, critic.proposal(text)), critic.admission_view(text))
    return [(one.code.value, one.property, one.message) for one in proof_rule(case)]


def missing(prop: str, what: str) -> tuple[str, str, str]:
    """What nobody asked for."""
    return ("NO_SEARCH_PROOF", prop, f"No search of this review asked for {what}.")


NAMED = 'prototype TideGauge : SourceFile { EntityName = @"Water level"; Aliases = @"sea rod; TIDE gauge"; }'
NAME, ALIAS = missing("", "its name"), missing("Aliases", "a name or alias")


@pytest.mark.parametrize(
    ("queries", "expected"),
    [
        (["TideGauge", "sea rod"], []),
        (["water-level", "sea rod"], []),
        (["sea rod"], [NAME]),
        (["Water level"], [ALIAS]),
        ([], [NAME, ALIAS]),
        (["Water", "sea"], [NAME, ALIAS]),
    ],
)
def test_one_search_for_either_name_is_enough(queries: list[str], expected: list[tuple[str, str, str]]) -> None:
    """R35: its own name and its EntityName are one name, an alias that is spelt as the name too; others are not."""
    assert told(NAMED, *map(asked, queries)) == expected


def test_a_search_of_no_kind_is_one_by_name() -> None:
    """R35: only what says that it looks for a handle is a search by handle."""
    bare = replace(asked("TideGauge"), arguments=(("query", "TideGauge"),))
    assert told("prototype TideGauge : SourceFile;", bare) == []
    assert told("prototype TideGauge : SourceFile;", replace(bare, arguments=())) == [NAME]


def test_what_has_no_key_needs_no_search_by_handle() -> None:
    """DEC-D9: a bare number and a link are no handles that somebody else could have."""
    path = f'prototype TideGauge : SourceFile {{ FilePath = @"{FILE}"; String NodeId = @"77"; }}'
    assert told(path, asked("TideGauge")) == [missing("FilePath", "a handle")]
    assert told(path, asked("TideGauge"), asked(FILE, "handle")) == []
    assert told("prototype TideGauge : SourceFile { SourceFile Next = TideGauge; }", asked("TideGauge")) == []


def test_five_searches_and_five_bases_are_told_of() -> None:
    """R59: an answer has an end; what was not looked at is told beside what was not searched."""
    names = "; ".join(f"rod {letter}" for letter in "abcdef")
    text = f'prototype TideGauge : SourceFile {{ Aliases = @"{names}"; }}'
    assert told(text, asked("TideGauge")) == [ALIAS] * 5
    bases = ("SourceFile", "ConfigFile", "Document", "Script", "Dataset", "Model")
    found = told(f"prototype TideGauge : Nowhere, {', '.join(bases)};", asked("TideGauge"), base="")
    assert found == [
        ("NOT_INSPECTED", "", f"The {what} of {base} were not looked at in this review.")
        for base in bases[:5]
        for what in ("values", "schema")
    ]
