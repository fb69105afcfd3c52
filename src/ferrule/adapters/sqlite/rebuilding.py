"""A damaged row of a memory becomes what was written, as far as something sound proves it; never a likely value.

Owns what counts as proof (CASE-N01): the row's own seal over columns of which each is taken as it stands or as the
writes give it, else the writes themselves, every one of them attested by a receipt. Knows nothing of how a store is
changed.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product
from typing import Any, Protocol

from ferrule.adapters.sqlite.coding import (
    compact,
    handles_json,
    properties_json,
    prototype_from,
    read_handles,
)
from ferrule.adapters.sqlite.sealing import seal
from ferrule.bridge.values import HandleView, Receipt
from ferrule.memory.merge import canonical
from ferrule.ontology.build import declarations, prototype_of
from ferrule.ontology.resolve import merged
from ferrule.ontology.values import LayerName, Prototype
from ferrule.protoscript.reading import parse

__all__ = ["Completed", "Stored", "digest_of", "rebuilt_definition", "rebuilt_row", "standing_receipts"]

_LAST = ("turn", "ordinal", "modality", "revision")
_ADDED, _TAKEN = frozenset({"accepted", "reconciled"}), frozenset({"undone", "lost"})


class Completed(Protocol):
    """What the ontology tells of a prototype of a session: its properties' types, and its handles, for no place."""

    def __call__(self, session: str, prototype: Prototype, /) -> tuple[Prototype, tuple[HandleView, ...]]:
        """The prototype with types, and its handles."""
        ...


@dataclass(frozen=True, slots=True)
class Stored:
    """What is stored of one memory: its row, its writes, oldest first, and the keys that are indexed for it."""

    source: str
    row: dict[str, Any]
    writes: tuple[Mapping[str, Any], ...]
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Again:
    """A memory as its writes give it."""

    prototype: Prototype
    handles: tuple[HandleView, ...]
    whole: bool


def digest_of(text: str) -> str:
    """As receipts attest a definition."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def standing_receipts(receipts: Iterable[Receipt]) -> dict[str, list[str]]:
    """The digests of the writes that a session's receipts say stand, by name."""
    found: dict[str, list[str]] = {}
    for one in receipts:
        held = found.setdefault(one.prototype, [])
        if one.verdict in _ADDED:
            held.append(one.payload_sha256)
        elif one.verdict in {"forgotten", "set-aside"}:
            held.clear()
        elif one.verdict in _TAKEN and one.payload_sha256 in held:
            held.remove(one.payload_sha256)
    return {name: digests for name, digests in found.items() if digests}


def rebuilt_row(
    stored: Stored, attested: Mapping[str, Sequence[str]], complete: Completed
) -> tuple[dict[str, Any], str] | None:
    """The row as it was written, and by what that is proven; None when nothing proves it.

    Args:
        stored: a memory whose row's seal does not fit.
        attested: what receipts say stands in the session, by name.
        complete: types and handles of a prototype.
    """
    row, digests = stored.row, sorted(digest_of(str(write["definition"])) for write in stored.writes)
    names = [name for name, held in attested.items() if digests and digests == sorted(held)]
    for name in dict.fromkeys((str(row["name"]), *names)):
        again = _from_writes(name, stored, complete)
        if again is None:
            continue
        fresh = _columns(again, stored)
        found = _proven(dict(row) | {"name": name}, fresh)
        if found is not None:
            return found, "its seal" if found["seal"] == row["seal"] else "its writes, which say the same"
        if name in names and again.whole:
            facts = dict(row) | {"name": name} | fresh
            return facts | {"seal": seal(facts)}, "its writes, each of which has its receipt"
    return None


def rebuilt_definition(
    memory: Prototype, write: Mapping[str, Any], valued: Sequence[str], missing: Sequence[str]
) -> str | None:
    """The text of a damaged write, of what it valued in a sound memory; None unless a receipt attests it."""
    created = write["action"] == "created"
    own = tuple(prop for prop in memory.properties if prop.name in valued)
    text = canonical(replace(memory, properties=own), partial=not created, bases=created)
    return text if digest_of(text) in missing else None


def _from_writes(name: str, stored: Stored, complete: Completed) -> _Again | None:
    """The memory merged from its writes once more, with types from the ontology, else from the row where it says."""
    parts = [_part(str(write["definition"])) for write in stored.writes]
    if not parts or any(part is None or part.name != name for part in parts):
        return None
    whole = reduce(merged, [part for part in parts if part is not None])
    created = stored.writes[0]["action"] == "created"
    bases = whole.bases if created else _stored_bases(stored.row)
    shaped = replace(whole, bases=bases, layer=LayerName.SESSION, partial=not created)
    typed, handles = complete(stored.source, shaped)
    return _Again(_typed_as_stored(typed, stored.row), handles, whole=created)


def _typed_as_stored(prototype: Prototype, row: Mapping[str, Any]) -> Prototype:
    """A type that only another memory declares is taken from the row: alone the seal can prove it."""
    try:
        stored = prototype_from(prototype.name, "[]", str(row["properties"]), partial=False)
    except (ValueError, TypeError, KeyError):
        return prototype
    types = {str(prop.name): str(prop.type) for prop in stored.properties}
    typed = (replace(prop, type=prop.type or types.get(prop.name, "")) for prop in prototype.properties)
    return replace(prototype, properties=tuple(typed))


def _part(definition: str) -> Prototype | None:
    parsed = parse(definition)
    trees = list(declarations(parsed.tree))
    if parsed.diagnostics or len(trees) != 1:
        return None
    return prototype_of(trees[0][1], LayerName.SESSION, name=trees[0][0], fields_assign=True)


def _stored_bases(row: Mapping[str, Any]) -> tuple[str, ...]:
    try:
        found = json.loads(str(row["bases"]))
    except ValueError:
        return ()
    return tuple(one for one in found if isinstance(one, str)) if isinstance(found, list) else ()


def _columns(again: _Again, stored: Stored) -> dict[str, Any]:
    """The columns as the writes give them; handles keep the keys that they were admitted under."""
    prototype, last = again.prototype, stored.writes[-1]
    return {
        "partial": int(prototype.partial),
        "bases": compact(list(prototype.bases)),
        "properties": properties_json(prototype.properties),
        "handles": handles_json(_keyed(again.handles, stored.row, stored.keys)),
        "merged": canonical(prototype),
        **{column: last[column] for column in _LAST},
    }


def _keyed(handles: Sequence[HandleView], row: Mapping[str, Any], keys: Sequence[str]) -> tuple[HandleView, ...]:
    """Each handle with the key of the row where that one is indexed, else with its own, else with the only one left."""
    try:
        stored = {(one.property, one.value): one.key for one in read_handles(str(row["handles"]))}
    except (ValueError, TypeError):
        stored = {}
    given: list[HandleView] = []
    for handle in handles:
        held = stored.get((handle.property, handle.value), "")
        family = handle.key.partition(":")[0]
        fitting = [key for key in keys if key.partition(":")[0] == family]
        known = held in keys or handle.key in keys or len(fitting) != 1
        given.append(replace(handle, key=(held if held in keys else handle.key) if known else fitting[0]))
    return tuple(given)


def _proven(row: dict[str, Any], fresh: Mapping[str, Any]) -> dict[str, Any] | None:
    """The one mixture of what stands and what the writes give that the seal fits, or None."""
    choices = [[(name, value) for value in dict.fromkeys((row[name], fresh[name]))] for name in fresh]
    for chosen in product(*choices):
        facts = row | dict(chosen)
        if seal(facts) == row["seal"]:
            return facts
    return row | {"seal": seal(row)} if row == row | dict(fresh) else None
