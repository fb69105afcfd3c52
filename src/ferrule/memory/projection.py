"""A session's memory as one readable ProtoScript file that the platform of the seed restores (D12, protoscript.md 11).

Owns the order and the forms: complete definitions, referring ones before referred-to ones where a typed link asks for
it, newest first where nothing decides; a string with quotes and a link that would close a cycle as typed fields. The
database row is the truth; this text is derived and can be made again. A memory without links is one entry whose text
stays the same while the memory does, so that whoever keeps entries pays for what has changed. Knows nothing of files.
"""

import hashlib
import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ferrule.memory.merge import canonical
from ferrule.memory.ports import Entry
from ferrule.ontology.fitting import refs_of
from ferrule.ontology.values import Property, Prototype

__all__ = ["entry_of", "is_ours", "projected", "projection"]

_SEAL = "// sealed: "
_HEAD = (
    "// What this session remembers, one definition per memory.",
    "// Ferrule makes this file anew from its database. A file edited by hand is kept beside and can be imported.",
)


def entry_of(prototype: Prototype, merged: str = "") -> Entry:
    """The entry of a memory; `merged` is its canonical definition where that is at hand."""
    quoted = any(isinstance(prop.value, str) and '"' in prop.value for prop in prototype.properties)
    links = any(refs_of(prop.value) for prop in prototype.properties)
    text = canonical(_shaped(prototype, ())) if quoted or not merged else merged
    return Entry(prototype.name, prototype.bases, text, prototype if links else None)


def projection(prototypes: Sequence[Prototype]) -> str:
    """The text of the file for a session's memories, given oldest first."""
    return projected([entry_of(prototype) for prototype in prototypes])


def projected(entries: Sequence[Entry]) -> str:
    """The text of the file for the entries of a session's memories, given oldest first.

    The first line seals the rest with its SHA-256: a file whose seal does not fit was edited by hand.
    """
    known = {entry.name: entry for entry in entries}
    closing = _closing_links(known)
    parts = ["\n".join(_HEAD) + "\n"]
    for name in _order(known, closing):
        entry, closes = known[name], closing.get(name, ())
        notes = [
            f"// {prop} is a typed field because {name} and what it links to refer to each other.\n" for prop in closes
        ]
        text = canonical(_shaped(entry.linked, closes)) if closes and entry.linked is not None else entry.text
        parts.append("".join(notes) + text)
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


def _links(prototype: Prototype, known: Mapping[str, Entry]) -> Iterator[tuple[Property, str]]:
    """Links of a prototype to other memories of the file."""
    for prop in prototype.properties:
        for name in refs_of(prop.value):
            if name in known and name != prototype.name:
                yield prop, name


def _closing_links(known: Mapping[str, Entry]) -> dict[str, tuple[str, ...]]:
    """The assigned links that close a cycle of bases and assigned links, by prototype; found depth first."""
    edges = {name: found for name, entry in known.items() if (found := _edges(entry, known))}
    closing: dict[str, list[str]] = {}
    done: set[str] = set()
    for start, found in edges.items():
        path = dict.fromkeys([start])
        waiting = [iter(found)] if start not in done else []
        while waiting:
            prop, target = next(waiting[-1], ("", ""))
            if not target:
                done.add(path.popitem()[0])
                waiting.pop()
            elif target in path and prop:
                closing.setdefault(next(reversed(path)), []).append(prop)
            elif target not in done and target not in path:
                path[target] = None
                waiting.append(iter(edges.get(target, ())))
    return {name: tuple(dict.fromkeys(props)) for name, props in closing.items()}


def _edges(entry: Entry, known: Mapping[str, Entry]) -> list[tuple[str, str]]:
    bases = [("", base) for base in entry.bases if base in known and base != entry.name]
    if entry.linked is None:
        return bases
    return bases + [(prop.name, name) for prop, name in _links(entry.linked, known) if not prop.declares]


def _order(known: Mapping[str, Entry], closing: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Newest first, but a definition with a typed link before the one it links to; a cycle of those is cut anywhere."""
    after: dict[str, dict[str, None]] = {}
    before = dict.fromkeys(known, 0)
    for name, entry in known.items():
        for prop, target in _links(entry.linked, known) if entry.linked is not None else ():
            declared = prop.declares or prop.name in closing.get(name, ())
            if declared and target not in after.setdefault(name, {}):
                after[name][target] = None
                before[target] += 1
    newest = {name: place for place, name in enumerate(reversed(list(known)))}
    if not after:
        yield from newest
        return
    ready = [(place, name) for name, place in newest.items() if not before[name]]
    heapq.heapify(ready)
    left = dict.fromkeys(newest)
    while left:
        _, name = heapq.heappop(ready) if ready else (0, next(iter(reversed(left))))
        del left[name]
        yield name
        for target in after.get(name, ()):
            before[target] -= 1
            if before[target] == 0 and target in left:
                heapq.heappush(ready, (newest[target], target))
