"""A short name means what stands nearest: inside of a namespace or of another prototype, then further out.

Owns the full names of what is declared in namespaces, and the meaning of a short name at a place. Values, types and
bases are told by their full names from here on. Knows nothing of files or of what a name declares.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ferrule.ontology.build import declarations
from ferrule.ontology.values import Opaque, Prototype, Ref, Value
from ferrule.protoscript import syntax

__all__ = ["Scopes", "declarations_within"]


def declarations_within(file: syntax.File) -> Iterator[tuple[str, syntax.Prototype]]:
    """Every prototype of a file with its full name, those in namespaces as `Space.Name`, in source order."""
    waiting: list[tuple[str, syntax.Item]] = [("", item) for item in reversed(file.items)]
    while waiting:
        space, item = waiting.pop()
        if isinstance(item, syntax.Namespace):
            waiting += [(f"{space}{item.name}.", inner) for inner in reversed(item.items)]
        elif isinstance(item, syntax.Prototype):
            for name, tree in declarations(syntax.File((item,), item.span)):
                yield space + name, tree


class Scopes:
    """The names of an ontology, by what they stand inside of.

    Args:
        names: the full names of everything declared.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)
        self._holding = frozenset(name.rpartition(".")[0] for name in self._names) - {""}

    def meaning(self, name: str, within: str, *, other: bool = False) -> str:
        """The full name that is meant by a name inside of `within`; the name itself where nothing nearer has it.

        `other`: what it stands in is not meant, as a base never is the prototype itself.
        """
        scope = within
        while scope:
            if scope in self._holding:
                full = f"{scope}.{name}"
                if full in self._names and not (other and full == within):
                    return full
            scope = scope.rpartition(".")[0]
        return name

    def resolved(self, prototype: Prototype) -> Prototype:
        """The prototype with full names for all that it names."""
        within = prototype.name
        if not self._holding or not (
            self._nests(within) or any(_is_dotted(prop.value) for prop in prototype.properties)
        ):
            return prototype
        return replace(
            prototype,
            bases=tuple(self.meaning(base, within, other=True) for base in prototype.bases),
            properties=tuple(
                replace(prop, type=self.meaning(prop.type, within), value=self._value(prop.value, within))
                for prop in prototype.properties
            ),
        )

    def _nests(self, name: str) -> bool:
        return name in self._holding or "." in name

    def _value(self, value: Value, within: str) -> Value:
        if isinstance(value, Ref):
            return Ref(self.meaning(value.name, within))
        if isinstance(value, Opaque):
            full = self.meaning(value.path, within) if value.path else ""
            return Ref(full) if full in self._names else value
        return tuple(self._value(element, within) for element in value) if isinstance(value, tuple) else value


def _is_dotted(value: Value) -> bool:
    if isinstance(value, Opaque):
        return bool(value.path)
    return isinstance(value, tuple) and any(map(_is_dotted, value))
