"""A person corrects what is remembered: a later value beside the old one, or a write taken back (DEC-D8, DEC-D14).

Owns what those mean for a name, a property and a receipt. Nothing is ever overwritten: a superseded value stays visible
as what it was, and an undone write leaves a receipt. Knows nothing of how a change is shown or asked about.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ferrule.bridge.values import Accepted, Answer
from ferrule.errors import Code, UsageError
from ferrule.memory.merge import canonical
from ferrule.memory.ports import StandingWrite
from ferrule.ontology.current import current_view, family
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.values import LayerName, Property, Prototype, Ref, Value
from ferrule.wiring.critic import memory_of
from ferrule.wiring.home import Home

__all__ = ["StandingWrite", "Superseding", "superseded", "superseding", "undoable", "undone", "writes_of"]

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}(#[A-Za-z0-9_]{1,128}){0,8}")
_WHOLE = re.compile(r"-?[0-9]{1,18}")
_POINT = re.compile(r"-?[0-9]{1,15}\.[0-9]{1,15}")
_TRUTHS = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class Superseding:
    """A later value, before it is written: `was` stays visible; `answer` is what the rules say of `text`."""

    session: str
    name: str
    prop: str
    was: str
    value: str
    text: str
    answer: Answer

    @property
    def accepted(self) -> bool:
        """Whether the rules admit it."""
        return isinstance(self.answer, Accepted)


def superseding(home: Home, key: str, name: str, prop: str, *, value: str) -> Superseding:
    """What superseding a value would write: the property of the newest turn beside the old one.

    Raises:
        UsageError: no such memory, no such value, or the words are no value of its kind.
    """
    layer = home.store.layer(key)
    known = Ontology(home.permanent_of(key), layer, home.store.lineage(key)).get(name)
    if known is None:
        hint = "ferrule memory list shows the names"
        raise UsageError(f"{key} knows nothing named {name}; {hint}", code=Code.UNKNOWN_REFERENCE)
    wanted = family(prop)
    origins = {origin.property: origin for origin in home.store.provenance(key, name)}
    stands = next((one for one in current_view(known.properties, origins) if one.name == wanted), None)
    if stands is None:
        hint = "ferrule memory write gives it a first one"
        raise UsageError(f"{name} has no value of {wanted}; {hint}", code=Code.UNKNOWN_PROPERTY)
    dated = f"{wanted}AtTurn{home.store.last_ordinal(key)}"
    property_ = Property(dated, "", _value_like(stands.value, value, f"{name}.{wanted}"), declares=False, assigned=True)
    text = canonical(Prototype(name, (), (property_,), LayerName.SESSION), partial=True, bases=False)
    answer = memory_of(home, key).check(key, text)
    return Superseding(key, name, wanted, _shown(stands.value), value, text, answer)


def superseded(home: Home, change: Superseding) -> Answer:
    """Write it, as a person's own write: the rules judge it once more."""
    memory = memory_of(home, change.session)
    answer = memory.write(change.session, change.text)
    memory.project(change.session)
    return answer


def _value_like(old: Value, words: str, what: str) -> Value:
    if isinstance(old, bool):
        if words not in _TRUTHS:
            raise UsageError(f"{what} is true or false, not {words!r:.40}", code=Code.TYPE_MISMATCH)
        return _TRUTHS[words]
    if isinstance(old, int) and _WHOLE.fullmatch(words):
        return int(words)
    if isinstance(old, float) and (_POINT.fullmatch(words) or _WHOLE.fullmatch(words)):
        return float(words)
    if isinstance(old, Ref) and _NAME.fullmatch(words):
        return Ref(words)
    if isinstance(old, str):
        return words
    kind = {int: "a whole number", float: "a number", Ref: "the name of a memory"}.get(type(old), "a list")
    hint = "; ferrule memory write takes one" if isinstance(old, tuple) else ""
    raise UsageError(f"{what} is {kind}, not {words!r:.40}{hint}", code=Code.TYPE_MISMATCH)


def _shown(value: Value) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case Ref(name=name):
            return name
        case tuple():
            return ", ".join(_shown(element) for element in value)
        case _:
            return str(value)


def writes_of(home: Home, key: str) -> tuple[StandingWrite, ...]:
    """The writes of a session that still stand, the newest first."""
    return tuple(reversed(home.store.standing_writes(key)))


def undoable(home: Home, key: str, what: str) -> StandingWrite:
    """The write that a person means: by the number of its receipt, else the newest one of a memory.

    Raises:
        UsageError: no such write stands, or later ones of its memory stand on it.
    """
    writes = writes_of(home, key)
    found = next((one for one in writes if what in {str(one.number), one.name}), None)
    if found is None:
        hint = "ferrule memory undo lists them"
        raise UsageError(f"no write {what} stands in {key}; {hint}", code=Code.UNKNOWN_REFERENCE)
    if found.held:
        later = _listed([one.number for one in writes if one.name == found.name and one.number != found.number])
        told = f"it made {found.name}, and later writes stand on it: undo {later} first, or forget {found.name}"
        raise UsageError(f"{what} cannot be undone: {told}", code=Code.STALE_REVISION)
    return found


def undone(home: Home, key: str, write: StandingWrite) -> int:
    """Undo it; returns the number of the receipt that says so.

    Raises:
        GateBusy: the source is being evaluated and did not leave its gate in time; nothing was undone.
        StoreError: the home cannot be written, or the write no longer stands.
    """
    return memory_of(home, key).undo(key, write.number).seq


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers[:8])) + ("…" if len(numbers) > 8 else "")  # noqa: PLR2004 - enough to begin with
