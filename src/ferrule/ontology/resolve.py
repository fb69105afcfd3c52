"""What is known is one graph over all layers: a session adds to it and never changes what lies below (D2, D7).

Owns resolution: merged prototypes, ancestors, effective values, the schema. Layers are asked by index only, so an
`Ontology` is cheap to make for every question. Knows nothing of who asks or why.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from ferrule.ontology.declaring import Declarations
from ferrule.ontology.layer import PrototypeLayer
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.values import Property, Prototype, SchemaEntry, Value, is_permanent_type
from ferrule.referents.kinds import HandleKind

__all__ = ["Effective", "Ontology", "merged"]


@dataclass(frozen=True, slots=True)
class Effective:
    """A property as read through inheritance: its value, whether it is valued (D2), and by whom.

    `by` is the prototype that assigns the value, or the one that declares its default; empty when there is neither.
    """

    value: Value
    valued: bool
    by: str


def merged(lower: Prototype, upper: Prototype) -> Prototype:
    """Two parts of one prototype as one: bases of the lower part, properties of both, no assigned value replaced."""
    properties = {prop.name: prop for prop in lower.properties}
    for prop in upper.properties:
        known = properties.get(prop.name)
        properties[prop.name] = prop if known is None else _joined(known, prop)
    return replace(
        upper,
        bases=lower.bases or upper.bases,
        properties=tuple(properties.values()),
        partial=lower.partial,
        annotations=(*lower.annotations, *upper.annotations),
    )


def _joined(lower: Property, upper: Property) -> Property:
    value = lower if lower.assigned else upper
    return Property(
        lower.name,
        lower.type or upper.type,
        value.value,
        declares=lower.declares or upper.declares,
        assigned=value.assigned,
    )


class Ontology:
    """The source's whole ontology: staged writes, session, lineage, permanent, seen as one.

    `suffixes` is the table of handle names that the permanent layer's folders extend, None for the shipped one;
    `layers` are all of them, the session's own first, the permanent one last;
    `kinds_said` keeps what it says of a property's name: whether it may carry a handle, and of which kind.
    """

    def __init__(
        self,
        permanent: PrototypeLayer,
        session: PrototypeLayer | None = None,
        lineage: Sequence[PrototypeLayer] = (),
        staged: PrototypeLayer | None = None,
    ) -> None:
        self._permanent = permanent
        self.suffixes = permanent.suffixes
        self.kinds_said: dict[str, tuple[bool, HandleKind | None]] = {}
        self._own: tuple[PrototypeLayer, ...] = tuple(layer for layer in (staged, session) if layer is not None)
        self._lineage = tuple(lineage)
        self.layers = (*self._own, *self._lineage, permanent)
        self._merged: dict[str, Prototype | None] = {}
        self._ancestors: dict[str, tuple[str, ...]] = {}
        self.declared = Declarations(self.get, self.ancestors)

    def get(self, name: str) -> Prototype | None:
        """The prototype of that name merged over all layers, or None. Its `layer` is the topmost that knows it."""
        if name not in self._merged:
            self._merged[name] = self._merge(name)
        return self._merged[name]

    def own_part(self, name: str) -> Prototype | None:
        """The session's own part of a prototype, staged form first, or None when the session adds nothing to it."""
        return next((part for layer in self._own if (part := layer.get(name)) is not None), None)

    def known_below(self, name: str) -> bool:
        """Whether the lineage or the permanent layer knows the prototype, so that the session only adds to it (D7)."""
        return any(layer.get(name) is not None for layer in (*self._lineage, self._permanent))

    def _merge(self, name: str) -> Prototype | None:
        own, lineage = self.own_part(name), [layer.get(name) for layer in self._lineage]
        known = [part for part in (self._permanent.get(name), own, *lineage) if part is not None]
        if not known:
            return None
        top = own or next((part for part in lineage if part is not None), known[0])
        whole = reduce(merged, known)
        return whole if whole.layer is top.layer else replace(whole, layer=top.layer)

    def ancestors(self, name: str) -> tuple[str, ...]:
        """All ancestors, pre-order depth-first over direct bases, each once, without the prototype itself."""
        if name not in self._ancestors:
            found: dict[str, None] = {}
            prototype = self.get(name)
            waiting = list(reversed(prototype.bases if prototype else ()))
            while waiting:
                base = waiting.pop()
                if base in found or base == name:
                    continue
                found[base] = None
                known = self.get(base)
                waiting.extend(reversed(known.bases if known else ()))
            self._ancestors[name] = tuple(found)
        return self._ancestors[name]

    def is_a(self, name: str, kind: str) -> bool:
        """Whether `name` is `kind` or descends from it; everything is a `Prototype`."""
        return kind in ("Prototype", name) or kind in self.ancestors(name)

    def is_type(self, name: str) -> bool:
        """Whether this is a permanent type: no entity assigns nothing inherited and has no `#` in its name (D7)."""
        prototype = self._permanent.get(name)
        return prototype is not None and is_permanent_type(prototype)

    def effective(self, name: str, prop: str) -> Effective:
        """The property read through inheritance: assigned here, else by an ancestor, else a declared default (D2)."""
        default = Effective(None, valued=False, by="")
        for holder in (name, *self.ancestors(name)):
            prototype = self.get(holder)
            held = prototype.own(prop) if prototype else None
            if held is not None and held.assigned:
                return Effective(held.value, valued=True, by=holder)
            if held is not None and not default.by:
                default = Effective(held.value, valued=False, by=holder)
        return default

    def schema(self, name: str) -> tuple[SchemaEntry, ...]:
        """Every declaration that holds for a prototype, inherited and unassigned ones included, nearest first (R43)."""
        prototype = self.get(name)
        own = {prop.name for prop in prototype.properties if prop.assigned} if prototype else set()
        above = self.declared.assigned_by(self.ancestors(name))
        return tuple(
            SchemaEntry(prop, held.type, held.by, assigned=prop in own or prop in above)
            for prop, held in self.declared.of(name).items()
        )

    def names(self, ask: Callable[[PrototypeLayer], Iterable[str]]) -> tuple[str, ...]:
        """The names that layers answer to one question, own session first, each once.

        For instance `names(lambda layer: layer.holding(key))`: who carries this handle, in any layer.
        """
        return tuple(dict.fromkeys(name for layer in self.layers for name in ask(layer)))

    def staged_with(self, prototype: Prototype, keys: Sequence[str] = ()) -> "Ontology":
        """The ontology as it would be with this prototype as the session's part."""
        own = self.own_part(prototype.name)
        part = prototype if own is None else merged(own, prototype)
        top = InMemoryLayer((part,), {prototype.name: keys})
        session = self._own[-1] if self._own else None
        result = Ontology(self._permanent, session, self._lineage)
        result._own = (top, *self._own)
        result.layers = (top, *self.layers)
        return result
