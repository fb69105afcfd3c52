"""A projection can be read back into what it was made from, one definition at a time (D12, OBS-M4, OBS-M5).

Owns reading a `.pts` text in two phases, all declared, then all linked, so that definitions may refer to each other in
any way; a bad one is set aside with its reason and takes no other with it. Knows nothing of files or stores.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ferrule.ontology.build import declarations, prototype_of
from ferrule.ontology.fitting import refs_of
from ferrule.ontology.resolve import Ontology, merged
from ferrule.ontology.values import LayerName, Prototype, Value
from ferrule.protoscript.reading import Parsed, parse
from ferrule.protoscript.syntax import Prototype as Tree

__all__ = ["Restored", "SetAside", "differences", "linked_later", "read_projection"]


@dataclass(frozen=True, slots=True)
class SetAside:
    """A definition that could not be restored, and why."""

    name: str
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Restored:
    """What a text gave: prototypes in the order of the text, and what was set aside."""

    prototypes: tuple[Prototype, ...]
    aside: tuple[SetAside, ...]


def read_projection(text: str, below: Ontology) -> Restored:
    """Read a projection, or any file of entity definitions, on top of what is known below it."""
    parsed = parse(text)
    read: dict[str, Prototype] = {}
    aside: list[SetAside] = []
    broken = _broken(parsed)
    for name, tree in declarations(parsed.tree):
        line = parsed.source.position(tree.span.start)[0]
        if name in broken:
            aside.append(SetAside(name, line, broken[name]))
            continue
        prototype = prototype_of(tree, LayerName.SESSION, name=name, fields_assign=True)
        read[name] = merged(read[name], prototype) if name in read else prototype
    lines = {name: parsed.source.position(tree.span.start)[0] for name, tree in declarations(parsed.tree)}
    kept, unlinked = _linked(read, below)
    aside += [SetAside(name, lines.get(name, 1), reason) for name, reason in unlinked.items()]
    if not read and not aside and broken:
        aside.append(SetAside("", 1, next(iter(broken.values()))))
    return Restored(tuple(kept.values()), tuple(aside))


def differences(stored: Iterable[Prototype], restored: Iterable[Prototype]) -> tuple[str, ...]:
    """Names of the prototypes that are not equal in both: bases and assigned values count, order and form do not."""
    one, other = _facts(stored), _facts(restored)
    return tuple(sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name)))


def linked_later(prototypes: Iterable[Prototype]) -> tuple[tuple[Prototype, ...], tuple[Prototype, ...]]:
    """Two phases for writing prototypes one by one: first each without links to the others, then the links alone."""
    known = {prototype.name: prototype for prototype in prototypes}
    first, links = [], []
    for prototype in known.values():
        later = tuple(prop for prop in prototype.properties if any(name in known for name in refs_of(prop.value)))
        first.append(replace(prototype, properties=tuple(p for p in prototype.properties if p not in later)))
        if later:
            links.append(replace(prototype, properties=later, partial=True))
    return tuple(first), tuple(links)


def _facts(prototypes: Iterable[Prototype]) -> dict[str, tuple[tuple[str, ...], dict[str, Value]]]:
    return {
        prototype.name: (prototype.bases, {prop.name: prop.value for prop in prototype.properties if prop.assigned})
        for prototype in prototypes
    }


def _broken(parsed: Parsed) -> dict[str, str]:
    """The definitions in which something is wrong, with the first finding; "" for what lies outside of all."""
    trees: list[tuple[str, Tree]] = list(declarations(parsed.tree))
    broken: dict[str, str] = {}
    for finding in parsed.diagnostics:
        at = finding.span.start
        inside = [name for name, tree in trees if tree.span.start <= at <= tree.span.end]
        broken.setdefault(inside[-1] if inside else "", finding.message)
    return broken


def _linked(read: Mapping[str, Prototype], below: Ontology) -> tuple[dict[str, Prototype], dict[str, str]]:
    """The second phase: whoever refers to nothing that exists is set aside, and so is, in turn, who refers to it."""
    kept = dict(read)
    aside: dict[str, str] = {}
    while True:
        missing = {
            name: f"{wanted} is not known"
            for name, prototype in kept.items()
            for wanted in _wanted(prototype)
            if wanted not in kept and wanted != "Prototype" and below.get(wanted) is None
        }
        if not missing:
            return kept, aside
        aside |= missing
        kept = {name: prototype for name, prototype in kept.items() if name not in missing}


def _wanted(prototype: Prototype) -> tuple[str, ...]:
    links = (name for prop in prototype.properties for name in refs_of(prop.value))
    return (*prototype.bases, *links)
