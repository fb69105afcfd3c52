"""Which prototype declares a property, and with which type: itself, or the first of its ancestors that does (R43).

Owns that question and its answers: most prototypes of a large ontology share their bases, and what these declare is
worked out once. A typed field is a declaration wherever it stands; an assignment never is (OBS-M13). Knows nothing of
values.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ferrule.ontology.values import Prototype

__all__ = ["Declaration", "Declarations"]


@dataclass(frozen=True, slots=True)
class Declaration:
    """The type that a property is declared with, and the prototype that declares it."""

    type: str
    by: str


class Declarations:
    """The declarations of one ontology.

    Args:
        get: the prototype of a name.
        ancestors: the ancestors of a name in their order, which is that of the reference: depth first, each once.
    """

    def __init__(self, get: Callable[[str], Prototype | None], ancestors: Callable[[str], tuple[str, ...]]) -> None:
        self._get = get
        self._ancestors = ancestors
        self._inherited: dict[tuple[str, ...], Mapping[str, Declaration]] = {}
        self._assigned: dict[tuple[str, ...], frozenset[str]] = {}

    def of(self, name: str) -> Mapping[str, Declaration]:
        """What holds for each property of a prototype, its own declarations first."""
        prototype = self._get(name)
        if prototype is None:
            return {}
        own = {prop.name: Declaration(prop.type, name) for prop in prototype.properties if prop.declares}
        inherited = self.inherited(prototype.bases)
        return {**own, **{prop: held for prop, held in inherited.items() if prop not in own}} if own else inherited

    def inherited(self, bases: tuple[str, ...]) -> Mapping[str, Declaration]:
        """What whoever has these bases inherits."""
        found = self._inherited.get(bases)
        if found is None:
            declared: dict[str, Declaration] = {}
            for holder in dict.fromkeys(above for base in bases for above in (base, *self._ancestors(base))):
                prototype = self._get(holder)
                for prop in prototype.properties if prototype else ():
                    if prop.declares and prop.name not in declared:
                        declared[prop.name] = Declaration(prop.type, holder)
            found = self._inherited[bases] = declared
        return found

    def assigned_by(self, names: tuple[str, ...]) -> frozenset[str]:
        """The properties that any of these prototypes assigns: worked out once for all whose ancestors they are."""
        found = self._assigned.get(names)
        if found is None:
            known = [prototype for name in names if (prototype := self._get(name)) is not None]
            found = frozenset(prop.name for prototype in known for prop in prototype.properties if prop.assigned)
            self._assigned[names] = found
        return found
