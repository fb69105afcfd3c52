"""What the door's record must show before a write: each call taken away, failed, asked otherwise, or overtaken."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from rule_cases import FILE, Critic, code, refusals

from ferrule.bridge.values import Call, SearchKind, Stage

TEXT = f"""prototype TideGauge : SourceFile
{{ EntityName = @"Tide gauge"; Aliases = @"water clock"; FilePath = @"{FILE}"; }}"""
KEY = "path:git.example/harbor/quay:tide/gauge.py"
NAME, ALIAS, HANDLE = "its name", "a name or alias", "a handle"


def asked(query: str, kind: SearchKind, **more: object) -> Call:
    """One search that succeeded."""
    call = Call("s1", Stage.IDENTITY, "search", "candidate", (("query", query), ("kind", kind.value)), ok=True)
    return replace(call, **more)  # type: ignore[arg-type]


def inspected(tool: str, name: str) -> Call:
    """A look at a prototype."""
    return Call(f"{tool}-{name}", Stage.PROPERTIES, tool, "candidate", (("name", name),), ok=True)


LOOKS = (inspected("details", "SourceFile"), inspected("schema", "SourceFile"))
BY_NAME = asked("TideGauge", SearchKind.NAME)
BY_ALIAS = asked("water clock", SearchKind.NAME)
BY_HANDLE = asked(FILE, SearchKind.HANDLE)
ALL = (BY_NAME, BY_ALIAS, BY_HANDLE, *LOOKS)

# The record, and what is missing in it as (property, what nobody asked for).
RECORDS: dict[str, tuple[Sequence[Call], list[tuple[str, str]]]] = {
    "everything": (ALL, []),
    "the entity's name is as good": ((asked("Tide gauge", SearchKind.NAME), BY_ALIAS, BY_HANDLE, *LOOKS), []),
    "in another spelling": ((asked("tide-GAUGE", SearchKind.NAME), BY_ALIAS, BY_HANDLE, *LOOKS), []),
    "in any way": ((asked("TideGauge", SearchKind.ALIAS), BY_ALIAS, BY_HANDLE, *LOOKS), []),
    "the handle in blanks": ((BY_NAME, BY_ALIAS, asked(f" {FILE} ", SearchKind.HANDLE), *LOOKS), []),
    "the handle by its key": ((BY_NAME, BY_ALIAS, asked(KEY, SearchKind.HANDLE), *LOOKS), []),
    "the handle by the key that it was looked up under": (
        (
            BY_NAME,
            BY_ALIAS,
            asked("tide/gauge.py", SearchKind.HANDLE, arguments=(("query", "x"), ("kind", "handle"), ("key", KEY))),
            *LOOKS,
        ),
        [],
    ),
    "no name": ((BY_ALIAS, BY_HANDLE, *LOOKS), [("", NAME)]),
    "no alias": ((BY_NAME, BY_HANDLE, *LOOKS), [("Aliases", ALIAS)]),
    "no handle": ((BY_NAME, BY_ALIAS, *LOOKS), [("FilePath", HANDLE)]),
    "nothing": (LOOKS, [("", NAME), ("Aliases", ALIAS), ("FilePath", HANDLE)]),
    "a search that failed": ((replace(BY_NAME, ok=False), BY_ALIAS, BY_HANDLE, *LOOKS), [("", NAME)]),
    "another tool": ((replace(BY_NAME, tool="list"), BY_ALIAS, BY_HANDLE, *LOOKS), [("", NAME)]),
    "the name as a handle": ((asked("TideGauge", SearchKind.HANDLE), BY_ALIAS, BY_HANDLE, *LOOKS), [("", NAME)]),
    "the handle as a name": ((BY_NAME, BY_ALIAS, asked(FILE, SearchKind.NAME), *LOOKS), [("FilePath", HANDLE)]),
    "a part of the name": ((asked("Tide", SearchKind.NAME), BY_ALIAS, BY_HANDLE, *LOOKS), [("", NAME)]),
    "a part of the handle": (
        (BY_NAME, BY_ALIAS, asked("tide/gauge.py", SearchKind.HANDLE), *LOOKS),
        [("FilePath", HANDLE)],
    ),
}


@pytest.mark.parametrize(("record", "missing"), RECORDS.values(), ids=RECORDS)
def test_each_name_and_handle_is_searched(record: Sequence[Call], missing: list[tuple[str, str]]) -> None:
    """R35, R42, CASE-L10, CASE-L14: what was not asked for is told at its property."""
    found = refusals(Critic(record=tuple(record)).judge(TEXT))
    assert [(one.code.value, one.property, one.message) for one in found] == [
        ("NO_SEARCH_PROOF", prop, f"No search of this review asked for {what}.") for prop, what in missing
    ]
    assert all(one.remedy == "Search it through the door first." for one in found)


@pytest.mark.parametrize("tool", ["details", "schema"])
def test_bases_are_looked_at(tool: str) -> None:
    """R43, R48: values and schema of what it derives from, by name and with success."""
    what = {"details": "values", "schema": "schema"}[tool]
    others = [call for call in ALL if call.tool != tool]
    wrong = [inspected(tool, "Document"), replace(inspected(tool, "SourceFile"), ok=False)]
    for record in (others, [*others, *wrong]):
        (found,) = refusals(Critic(record=tuple(record)).judge(TEXT))
        assert (found.code.value, found.property) == ("NOT_INSPECTED", "")
        assert found.message == f"The {what} of SourceFile were not looked at in this review."
        assert found.remedy == f"Ask the door for {tool} of SourceFile first."


@pytest.mark.parametrize(
    ("touched", "stale"),
    [
        ("tidegauge", [("", NAME)]),
        ("waterclock", [("Aliases", ALIAS)]),
        (KEY, [("FilePath", HANDLE)]),
        ("other", []),
    ],
)
def test_a_search_is_stale_when_a_later_commit_touched_what_it_asked_for(
    touched: str, stale: list[tuple[str, str]]
) -> None:
    """R49, CASE-M01: and one after that commit mends it."""
    for revision in (3, 4):

        def after(at: int, marks: Sequence[str]) -> bool:
            return at < 4 and touched in marks

        record = tuple(replace(call, revision=revision) for call in ALL)
        found = refusals(Critic(record=record, extra={"touched_after": after}).judge(TEXT))
        told = [(one.code.value, one.property, one.message) for one in found]
        expected = [
            ("STALE_REVISION", prop, f"A later write touched {what} after it was searched.") for prop, what in stale
        ]
        assert told == (expected if revision == 3 else [])
        assert all(one.remedy == "Search it again." for one in found)
    twice = (*(replace(call, revision=3) for call in ALL), *(replace(call, revision=4) for call in ALL))
    extra = {"touched_after": lambda at, marks: at < 4 and touched in marks}
    assert code(Critic(record=twice, extra=extra).judge(TEXT)) == "accepted"


MORE = 'partial prototype TideGauge { String HomeUrl = @"https://docs.example/tide"; }'
HOME = asked("https://docs.example/tide", SearchKind.HANDLE)
OWN = (inspected("details", "TideGauge"), inspected("schema", "TideGauge"))
ADDED: dict[str, tuple[Sequence[Call], list[tuple[str, str]]]] = {
    "found by a search": ((asked("gauge", SearchKind.NAME, values=("TideGauge",)), HOME, *OWN), []),
    "asked by its name": ((BY_NAME, HOME, *OWN), []),
    "asked by its alias": ((BY_ALIAS, HOME, *OWN), []),
    "not asked": ((HOME, *OWN), [("NO_SEARCH_PROOF", "No search of this review asked for the thing that it adds to.")]),
    "found by a search that failed": (
        (asked("gauge", SearchKind.NAME, values=("TideGauge",), ok=False), HOME, *OWN),
        [("NO_SEARCH_PROOF", "No search of this review asked for the thing that it adds to.")],
    ),
    "found by a look": (
        (asked("gauge", SearchKind.NAME, values=("TideGauge",), tool="details"), HOME, *OWN),
        [("NO_SEARCH_PROOF", "No search of this review asked for the thing that it adds to.")],
    ),
    "only its type was looked at": (
        (BY_NAME, HOME, *LOOKS),
        [
            ("NOT_INSPECTED", "The values of TideGauge were not looked at in this review."),
            ("NOT_INSPECTED", "The schema of TideGauge were not looked at in this review."),
        ],
    ),
}


@pytest.mark.parametrize(("record", "missing"), ADDED.values(), ids=ADDED)
def test_what_is_added_to_was_searched_and_looked_at(record: Sequence[Call], missing: list[tuple[str, str]]) -> None:
    """R35, R43, R48: the thing itself, by whatever search answered with it."""
    critic = Critic()
    critic.write(TEXT)
    critic.record = tuple(record)
    found = refusals(critic.judge(MORE, "TideGauge"))
    assert [(one.code.value, one.message) for one in found] == missing


def test_what_this_review_staged_needs_no_search() -> None:
    """R48: it knows what it has just written."""
    first = Critic()
    staged = first.write(TEXT).write.prototype
    critic = Critic(extra={"staged": (staged,)}, record=(HOME, *OWN))
    assert code(critic.judge(MORE, "TideGauge")) == "accepted"
