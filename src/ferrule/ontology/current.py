"""Readers see the current value of each property family; what it was before stays visible (R45, R60).

Owns the fold of `<Property>` and `<Property>AtTurn<n>` into one: the latest user correction, else the latest successful
action, else the latest claim. "Latest" is the turn's ordinal, never the order of commits (CASE-H04). Knows nothing of
where an origin is stored.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ferrule.ontology.values import Property, Value, empty

__all__ = ["CurrentValue", "Origin", "current_view", "family", "turn_of"]

_AT_TURN = re.compile(r"([A-Za-z_][A-Za-z0-9_]*?)AtTurn([0-9]{1,9})")
_BEFORE_ALL = -1


class Origin(Protocol):
    """Where one property's value came from, as provenance tells it."""

    @property
    def ordinal(self) -> int:
        """The ordinal of the turn that wrote it."""
        ...

    @property
    def by_user(self) -> bool:
        """Whether the user's words are its evidence."""
        ...

    @property
    def by_action(self) -> bool:
        """Whether a successful action is its evidence."""
        ...


@dataclass(frozen=True, slots=True)
class CurrentValue:
    """One property family as it stands: the value, which property carries it, and earlier values, newest first."""

    name: str
    value: Value
    carried_by: str
    was: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class _Standing:
    prop: Property
    ordinal: int
    by_user: bool
    by_action: bool


def family(name: str) -> str:
    """The property's name without `AtTurn<n>`."""
    found = _AT_TURN.fullmatch(name)
    return found[1] if found else name


def turn_of(name: str) -> int | None:
    """The ordinal in `<Property>AtTurn<n>`, or None."""
    found = _AT_TURN.fullmatch(name)
    return int(found[2]) if found else None


def current_view(
    properties: Sequence[Property], origins: Mapping[str, Origin] | None = None
) -> tuple[CurrentValue, ...]:
    """The current value of every valued family, in the order in which families first appear.

    `origins` is keyed by full property name. A property without one counts as written before all turns, one named
    `…AtTurn<n>` as written in turn n.
    """
    known = origins or {}
    families: dict[str, list[_Standing]] = {}
    for prop in properties:
        if not empty(prop.value):
            families.setdefault(family(prop.name), []).append(_standing(prop, known.get(prop.name)))
    return tuple(_fold(name, standings) for name, standings in families.items())


def _standing(prop: Property, origin: Origin | None) -> _Standing:
    named = turn_of(prop.name)
    ordinal = named if named is not None else (origin.ordinal if origin else _BEFORE_ALL)
    return _Standing(prop, ordinal, bool(origin and origin.by_user), bool(origin and origin.by_action))


def _fold(name: str, standings: Sequence[_Standing]) -> CurrentValue:
    ordered = sorted(standings, key=lambda standing: standing.ordinal)
    # The first value of a family is a statement, not a correction, whoever made it.
    corrections = [standing for standing in ordered[1:] if standing.by_user]
    acted = [standing for standing in ordered if standing.by_action]
    stands = (corrections or acted or ordered)[-1]
    was: list[Value] = []
    for standing in reversed(ordered):
        value = standing.prop.value
        if value != stands.prop.value and value not in was:
            was.append(value)
    return CurrentValue(name, stands.prop.value, stands.prop.name, tuple(was))
