"""Whole sessions are counted from what they hold after every turn, whatever a critic says of itself."""

from collections.abc import Mapping
from typing import Any

import pytest

from ferrule.bridge.details import Details, HandleView, PropertyDetail
from ferrule.evaluation.sequence import Holding, Moment, SessionRun, sequence_figures
from ferrule.referents.kinds import HandleKind


def holding(values: Mapping[str, str], *keys: str, shown: Mapping[str, str] | None = None) -> Holding:
    """A prototype with these values and identity keys, shown to readers as it stands unless `shown` says otherwise."""
    handles = tuple(HandleView(HandleKind.FILESYSTEM_PATH, key, "FilePath", key) for key in keys)
    view = values if shown is None else shown
    properties = tuple(
        PropertyDetail(name, "String", value, assigned=True, declared_by="X") for name, value in view.items()
    )
    return Holding(dict(values), Details("", "X", known=True, handles=handles, properties=properties))


def moment(number: int, held: Mapping[str, Holding], *written: str, outcome: str = "wrote") -> Moment:
    """What a session holds after one turn."""
    return Moment(f"t{number}", number, outcome, written, (), held, 0.01)


def figures(*moments: Moment) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Figures and faults of one session."""
    found = sequence_figures([SessionRun("s", "neutral", moments)])
    counted, faults = found["figures"], found["faults"]
    assert isinstance(counted, dict)
    assert isinstance(faults, list)
    return counted, [(fault["fault"], fault["what"]) for fault in faults]


A = holding({"FilePath": "a.py"}, "path:a.py")


def test_a_clean_session_has_no_fault() -> None:
    """INV-I3, INV-I6: one memory, augmented once; the second value stands beside the first."""
    grown = holding(
        {"FilePath": "a.py", "FilePathAtTurn2": "b.py"}, "path:a.py", "path:b.py", shown={"FilePath": "b.py"}
    )
    counted, faults = figures(moment(1, {"A": A}, "A"), moment(2, {"A": grown}, "A"))
    assert faults == []
    assert (counted["writes"], counted["memories"], counted["augmentations"]) == (2, 1, 1)
    assert (counted["writes_per_100_turns"], counted["cpu_ms_per_turn"]) == (100.0, 10.0)
    assert counted["current_view"] == {"values": 2, "current": 2, "was": 0, "hidden": 0}


@pytest.mark.parametrize(
    ("after", "fault"),
    [
        ({"A": holding({"FilePath": "z.py"}, "path:a.py")}, ("overwrite", "A.FilePath")),
        ({}, ("overwrite", "A.FilePath")),
        ({"A": A, "B": holding({"FilePath": "a.py"}, "path:a.py")}, ("duplicate", "B beside A")),
        ({"A": A, "B": holding({"Note": "hello"})}, ("handleless", "B")),
        (
            {"A": A, "B": holding({"FilePath": "b.py", "Note": "password = Xk29-vTq81-Lm0p"}, "path:b.py")},
            ("secret", "B.Note"),
        ),
    ],
)
def test_each_fault_is_found_where_it_happens(after: Mapping[str, Holding], fault: tuple[str, str]) -> None:
    """INV-I3, INV-I6, R24: changed or vanished values, two prototypes of one identity, no handle, a secret."""
    counted, faults = figures(moment(1, {"A": A}, "A"), moment(2, after, "B"))
    assert faults == [fault]
    name = {"overwrite": "overwrites", "duplicate": "duplicates", "secret": "secrets"}.get(fault[0], fault[0])
    assert counted[name] == 1


def test_a_failed_review_and_a_hidden_value_are_counted() -> None:
    """R45: what was written and is shown to no reader is hidden; a claim below an action is what was."""
    details = Details(
        "",
        "A",
        known=True,
        handles=A.details.handles,
        properties=(PropertyDetail("FilePath", "String", "b.py", assigned=True, declared_by="A", was=("a.py",)),),
    )
    counted, faults = figures(
        moment(1, {"A": Holding({"FilePath": "a.py", "Title": "unseen"}, details)}, "A"),
        moment(2, {}, outcome="failed"),
    )
    assert counted["current_view"] == {"values": 2, "current": 0, "was": 1, "hidden": 1}
    assert ("failed", "") in faults


def test_figures_are_told_by_format() -> None:
    """R94: writes per 100 turns by format."""
    runs = [
        SessionRun("a", "codex", (moment(1, {"A": A}, "A"), moment(2, {"A": A}))),
        SessionRun("b", "aider", (moment(1, {}),)),
    ]
    formats = sequence_figures(runs)["formats"]
    assert isinstance(formats, dict)
    assert {name: row["writes_per_100_turns"] for name, row in formats.items()} == {"codex": 50.0, "aider": 0.0}
