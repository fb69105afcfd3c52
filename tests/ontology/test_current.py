"""The current view folds a property family into one value and keeps what it was."""

from dataclasses import dataclass

import pytest

from ferrule.ontology.current import current_view, family, turn_of
from ferrule.ontology.values import Property


@dataclass(frozen=True)
class Told:
    name: str
    ordinal: int
    by_user: bool = False
    by_action: bool = False


def prop(name: str, value: str) -> Property:
    """A typed field."""
    return Property(name, "String", value, declares=True, assigned=bool(value))


BASE, AT_5, AT_9 = prop("RemoteUrl", "a"), prop("RemoteUrlAtTurn5", "b"), prop("RemoteUrlAtTurn9", "c")

CASES = {
    "the latest claim": ([BASE, AT_5], [], "b", ("a",)),
    "commit order does not count": ([AT_9, BASE, AT_5], [], "c", ("b", "a")),
    "an action beats a later claim": (
        [BASE, AT_5, AT_9],
        [Told("RemoteUrlAtTurn5", 5, by_action=True)],
        "b",
        ("c", "a"),
    ),
    "a correction beats a later action": (
        [BASE, AT_5, AT_9],
        [Told("RemoteUrlAtTurn5", 5, by_user=True), Told("RemoteUrlAtTurn9", 9, by_action=True)],
        "b",
        ("c", "a"),
    ),
    "the first statement is no correction": (
        [BASE, AT_5],
        [Told("RemoteUrl", 1, by_user=True), Told("RemoteUrlAtTurn5", 5, by_action=True)],
        "b",
        ("a",),
    ),
    "a late review of an early turn is early": (
        [BASE, AT_5],
        [Told("RemoteUrl", 7), Told("RemoteUrlAtTurn5", 5)],
        "a",
        ("b",),
    ),
    "the same value again is not history": ([BASE, prop("RemoteUrlAtTurn5", "a")], [], "a", ()),
}


@pytest.mark.parametrize(("properties", "origins", "value", "was"), CASES.values(), ids=CASES)
def test_the_current_value_is_decided_by_turn_and_by_who_says_it(
    properties: list[Property], origins: list[Told], value: str, was: tuple[str, ...]
) -> None:
    """R45, R60, CASE-H04: latest user correction, else latest successful action, else latest claim, by ordinal."""
    (current,) = current_view(properties, {told.name: told for told in origins})
    assert (current.name, current.value, current.was) == ("RemoteUrl", value, was)


def test_unvalued_properties_are_not_shown() -> None:
    """DEC-D2: a bare declaration is no value."""
    assert current_view([prop("Notes", "")]) == ()


def test_a_family_is_the_name_without_its_turn() -> None:
    """CASE-G05: `…AtTurn<n>` belongs to the property that it follows."""
    assert (family("LifecycleStateAtTurn12"), turn_of("LifecycleStateAtTurn12")) == ("LifecycleState", 12)
    assert (family("AtTurn12"), turn_of("AtTurn12")) == ("AtTurn12", None)
    assert (family("Notes"), turn_of("Notes")) == ("Notes", None)
