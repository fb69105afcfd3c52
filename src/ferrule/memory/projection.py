"""A session's memory as one readable ProtoScript file that the platform of the seed restores (D12, protoscript.md 11).

Owns the order and the forms: complete definitions, referring ones before referred-to ones where a typed link asks for
it, newest first where nothing decides; a string with quotes and a link that would close a cycle as typed fields. The
database row is the truth; this text is derived and can be made again. Knows nothing of files.
"""

import hashlib
import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ferrule.memory.merge import canonical
from ferrule.ontology.fitting import refs_of
from ferrule.ontology.values import Property, Prototype

__all__ = ["is_ours", "projection"]

_SEAL = "// sealed: "
_HEAD = (
    "// What this session remembers, one definition per memory.",
    "// Ferrule makes this file anew from its database. A file edited by hand is kept beside and can be imported.",
)


def projection(prototypes: Sequence[Prototype]) -> str:
    """The text of the file for a session's memories, given oldest first.

    The first line seals the rest with its SHA-256: a file whose seal does not fit was edited by hand.
    """
    known = {prototype.name: prototype for prototype in prototypes}
    closing = _closing_links(known)
    shaped = {name: _shaped(prototype, closing.get(name, ())) for name, prototype in known.items()}
    parts = ["\n".join(_HEAD) + "\n"]
    for name in _order(shaped):
        notes = [
            f"// {prop} is a typed field because {name} and what it links to refer to each other.\n"
            for prop in closing.get(name, ())
        ]
        parts.append("".join(notes) + canonical(shaped[name]))
    body = "\n".join(parts)
    return f"{_SEAL}{_digest(body)}\n{body}"


def is_ours(text: str) -> bool:
    """Whether a file is as a projection left it."""
    first, _, body = text.partition("\n")
    return first == f"{_SEAL}{_digest(body)}"


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()


def _shaped(prototype: Prototype, closing: Sequence[str]) -> Prototype:
    return replace(prototype, properties=tuple(_form(prop, prop.name in closing) for prop in prototype.properties))


def _form(prop: Property, closes: bool) -> Property:  # noqa: FBT001 - two forms of one member
    quoted = isinstance(prop.value, str) and '"' in prop.value
    return replace(prop, declares=True, type=prop.type or "String") if quoted or closes else prop


def _links(prototype: Prototype, known: Mapping[str, Prototype]) -> Iterator[tuple[Property, str]]:
    """Links of a prototype to other memories of the file."""
    for prop in prototype.properties:
        for name in refs_of(prop.value):
            if name in known and name != prototype.name:
                yield prop, name


def _closing_links(known: Mapping[str, Prototype]) -> dict[str, tuple[str, ...]]:
    """The assigned links that close a cycle of bases and assigned links, by prototype; found depth first."""
    edges = {name: _edges(prototype, known) for name, prototype in known.items()}
    closing: dict[str, list[str]] = {}
    done: set[str] = set()
    for start in known:
        path = dict.fromkeys([start])
        waiting = [iter(edges[start])] if start not in done else []
        while waiting:
            prop, target = next(waiting[-1], ("", ""))
            if not target:
                done.add(path.popitem()[0])
                waiting.pop()
            elif target in path and prop:
                closing.setdefault(next(reversed(path)), []).append(prop)
            elif target not in done and target not in path:
                path[target] = None
                waiting.append(iter(edges[target]))
    return {name: tuple(dict.fromkeys(props)) for name, props in closing.items()}


def _edges(prototype: Prototype, known: Mapping[str, Prototype]) -> list[tuple[str, str]]:
    bases = [("", base) for base in prototype.bases if base in known and base != prototype.name]
    return bases + [(prop.name, name) for prop, name in _links(prototype, known) if not prop.declares]


def _order(shaped: Mapping[str, Prototype]) -> Iterator[str]:
    """Newest first, but a definition with a typed link before the one it links to; a cycle of those is cut anywhere."""
    newest = {name: place for place, name in enumerate(reversed(list(shaped)))}
    after: dict[str, set[str]] = {name: set() for name in shaped}
    before = dict.fromkeys(shaped, 0)
    for name, prototype in shaped.items():
        for prop, target in _links(prototype, shaped):
            if prop.declares and target not in after[name]:
                after[name].add(target)
                before[target] += 1
    ready = [(place, name) for name, place in newest.items() if not before[name]]
    heapq.heapify(ready)
    left = dict.fromkeys(newest)
    while left:
        _, name = heapq.heappop(ready) if ready else (0, next(iter(reversed(left))))
        if name not in left:
            continue
        del left[name]
        yield name
        for target in after[name]:
            before[target] -= 1
            if before[target] == 0 and target in left:
                heapq.heappush(ready, (newest[target], target))
