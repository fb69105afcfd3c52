"""A memory becomes a definition for everybody who works in its repository, or is refused with the reason (DEC-D8).

Owns the permanent form: current values only, paths from the repository's root, links that stand alone, an entity in the
sense of D7 that carries the phrase it is found by; and what may not leave a session or a machine. Decides nothing about
files and writes none.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ferrule.memory.merge import canonical
from ferrule.memory.rules.characters import forbidden_in_value
from ferrule.memory.rules.disguises import hidden_kind
from ferrule.memory.rules.states import LIFECYCLE
from ferrule.ontology.build import empty, same_value
from ferrule.ontology.current import CurrentValue, Origin, current_view
from ferrule.ontology.fitting import refs_of
from ferrule.ontology.handles import declared_type, handles_of
from ferrule.ontology.layers import texts_of
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.values import LayerName, Property, Prototype, Value
from ferrule.ontology.words import subwords
from ferrule.referents.kinds import HandleKind, Place
from ferrule.referents.locations import path_key
from ferrule.referents.recognise import recognise
from ferrule.referents.secrets.detect import looks_secret
from ferrule.referents.secrets.mark import has_placeholder

__all__ = ["Objection", "Permanent", "Terms", "addition_text", "definition_text", "form_of", "missing_in"]

_NAME = "EntityName"
_HERE = "here"
_PATHS = frozenset({HandleKind.FILESYSTEM_PATH, HandleKind.PROMPT_PATH, HandleKind.REPOSITORY_ROOT})
_UNREAL = frozenset({"planned", "reported", "deleted"})
_WORKTREE = "Worktree"
# What no other machine has: home folders, system folders, drives and shares, wherever they stand in a text.
_OF_A_MACHINE = re.compile(
    r"(?<![\w.~:/\\-])(?:~(?:[\w.-]{0,64})?(?=[/\\\s]|\Z)|/(?:home|Users|root|tmp|var|private|mnt|Volumes|opt|srv)(?=/|\b)"
    r"|[A-Za-z]:[\\/]|\\\\[\w.-]{1,64})"
)
_LOOPBACK = re.compile(r"(?i)(?:\A|//|@)(?:localhost|127(?:\.[0-9]{1,3}){3}|\[?::1\]?|0\.0\.0\.0)(?=[:/]|\Z)")
_MOST_QUOTED = 60


@dataclass(frozen=True, slots=True)
class Objection:
    """Why a memory cannot leave its session; `property` is empty where it is about the whole."""

    property: str
    reason: str


@dataclass(frozen=True, slots=True)
class Terms:
    """Where a session stood: its folder, its checkouts in every spelling, and its repository where it is known.

    `keys` are the identity keys of the memory's handles by (property, value), as they were admitted; `stays` tells
    whether a path from the root stays in the repository when links are followed.
    """

    cwd: str
    roots: tuple[str, ...]
    repository: str = ""
    keys: Mapping[tuple[str, str], str] | None = None
    stays: Callable[[str], bool] = lambda _path: True


@dataclass(frozen=True, slots=True)
class Permanent:
    """The permanent form of one memory, the phrase it is found by, and what of the memory stays with the session."""

    prototype: Prototype
    phrase: str
    left_out: tuple[str, ...]


def form_of(
    memory: Prototype,
    known: Ontology,
    terms: Terms,
    *,
    modality: str = "",
    origins: Mapping[str, Origin] | None = None,
    held: bool = False,
) -> tuple[Permanent, tuple[Objection, ...]]:
    """The permanent form of a memory and everything that stands against it; nothing does when that is empty.

    Args:
        memory: the merged memory.
        known: the session's whole ontology, for types.
        terms: where the session stood.
        modality: how real its last write made it.
        origins: provenance by property, for the current view.
        held: whether something permanent has that name already, so that this only adds to it.
    """
    view = [value for value in current_view(memory.properties, origins) if value.name != LIFECYCLE]
    objections = list(_whole(memory, known, modality, _state(memory, origins)))
    kinds = {(handle.property, handle.value): handle.kind for handle in handles_of(memory, known)}
    properties: list[Property] = []
    for value in view:
        kept, against = _carried(value, kinds, terms)
        objections += (Objection(value.name, reason) for reason in against)
        properties.append(_property(memory, value, kept, known))
    properties = properties if held else _as_entity(memory, properties, known)
    if not held and all(prop.declares for prop in properties):
        objections.append(Objection("", "it assigns nothing that its type declares, so it would be read as a type"))
    form = Prototype(memory.name, memory.bases, tuple(properties), LayerName.PERMANENT)
    told = {value.carried_by for value in view}
    left = tuple(prop.name for prop in memory.properties if prop.name not in told and not empty(prop.value))
    return Permanent(form, _phrase(form), left), tuple(objections)


def _state(memory: Prototype, origins: Mapping[str, Origin] | None) -> str:
    now = next((one.value for one in current_view(memory.properties, origins) if one.name == LIFECYCLE), "")
    return str(now).casefold()


def _whole(memory: Prototype, known: Ontology, modality: str, state: str) -> Iterator[Objection]:
    unreal = next((word for word in (state, modality if not state else "") if word in _UNREAL), "")
    if unreal:
        yield Objection("", f"it is only {unreal} in this session; what a project keeps has to be there")
    if any(known.is_a(base, _WORKTREE) for base in memory.bases):
        yield Objection("", "a worktree is a checkout on this machine; nobody else has it")


def _property(memory: Prototype, value: CurrentValue, kept: Value, known: Ontology) -> Property:
    """The property under its family's name: an assignment where the type declares it, else a typed field."""
    above = (known.get(holder) for base in memory.bases for holder in (base, *known.ancestors(base)))
    inherited = any(held.declares for one in above if one and (held := one.own(value.name)) is not None)
    if inherited:
        return Property(value.name, "", kept, declares=False, assigned=True)
    own = memory.own(value.name) or memory.own(value.carried_by)
    kind = (own.type if own else "") or (declared_type(known, memory, own) if own else "") or "String"
    return Property(value.name, kind, kept, declares=True, assigned=True)


def _as_entity(memory: Prototype, properties: list[Property], known: Ontology) -> list[Property]:
    """With its name said, where nothing else would make it an entity: one assigned inherited property (D7)."""
    if any(not prop.declares for prop in properties):
        return properties
    if not any(entry.property == _NAME for base in memory.bases for entry in known.schema(base)):
        return properties
    return [*properties, Property(_NAME, "", " ".join(subwords(memory.name)), declares=False, assigned=True)]


def _phrase(form: Prototype) -> str:
    held = form.own(_NAME)
    words = held.value if held is not None and isinstance(held.value, str) else " ".join(subwords(form.name))
    plain = "".join(char if char.isprintable() and char not in '"\\' else " " for char in words)
    return " ".join(plain.split())[:200] or form.name


# -- values


def _carried(
    value: CurrentValue, kinds: Mapping[tuple[str, str], HandleKind], terms: Terms
) -> tuple[Value, tuple[str, ...]]:
    """The value as the project keeps it, and what stands against it."""
    reasons: list[str] = []

    def one(text: str) -> str:
        kind = kinds.get((value.carried_by, text))
        reasons.extend(_unfit(text, kind))
        if kind not in _PATHS:
            return text
        relative = _relative(text, (terms.keys or {}).get((value.carried_by, text), ""), terms)
        if relative is None:
            reasons.append(f"{_quoted(text)} is not in the repository")
            return text
        return relative

    def whole(held: Value) -> Value:
        if isinstance(held, tuple):
            return tuple(whole(element) for element in held)
        return one(held) if isinstance(held, str) else held

    return whole(value.value), tuple(dict.fromkeys(reasons))


def _unfit(text: str, kind: HandleKind | None) -> Iterator[str]:
    secret = has_placeholder(text) or looks_secret(text) or hidden_kind(text)
    if secret:
        yield "it holds what looks like a secret"
        return
    hidden = next(forbidden_in_value(text), None)
    if hidden:
        yield f"it holds {hidden[1]}"
    if kind is HandleKind.SESSION_KEY:
        yield "a session belongs to this machine"
    if kind in {HandleKind.URL, HandleKind.HOST} and (_LOOPBACK.search(text) or text.lower().startswith("file:")):
        yield f"{_quoted(text)} is another machine for everybody else"
    if kind not in _PATHS:
        place = _place_in(text)
        if place:
            yield f"it names a place of this machine: {_quoted(place)}"


def _place_in(text: str) -> str:
    """A path in a longer text that leads to one machine only; empty when there is none."""
    found = _OF_A_MACHINE.search(text)
    if found:
        return text[found.start() :].split(maxsplit=1)[0]
    paths = recognise(text[:4000], kinds={HandleKind.FILESYSTEM_PATH})
    return next((path.value for path in paths if path.value.startswith(("/", "~", "../"))), "")


def _relative(text: str, key: str, terms: Terms) -> str | None:
    """The path from the repository's root; None when it leads elsewhere."""
    own = f"path:{terms.repository.lower()}:"
    if terms.repository and key.startswith(own):
        return _inside(key.removeprefix(own), terms)
    spelled = (text, key.removeprefix("path:")) if key.startswith("path:/") else (text,)
    for path in spelled:
        for root in terms.roots:
            found = path_key(path, Place(terms.cwd, root, _HERE))[0]
            if found.startswith(f"path:{_HERE}:"):
                return _inside(found.removeprefix(f"path:{_HERE}:"), terms)
            if found == path_key(root, Place(root, root))[0]:
                return "."
    return None


def _inside(rest: str, terms: Terms) -> str | None:
    elsewhere = rest.startswith(("../", "~", "/")) or rest in {"", ".."}
    return None if elsewhere or not terms.stays(rest) else rest


def _quoted(text: str) -> str:
    return text if len(text) <= _MOST_QUOTED else f"{text[: _MOST_QUOTED - 1]}…"


# -- the text and what is there already


def missing_in(form: Prototype, permanent: Ontology, with_them: Sequence[str]) -> tuple[str, ...]:
    """Names that the form builds on or links to and that are neither permanent nor promoted with it."""
    named = [*form.bases]
    for prop in form.properties:
        named += refs_of(prop.value)
        named += (prop.type,) if prop.declares else ()
    builtin = {"String", "Int", "Integer", "Bool", "Boolean", "Double", "Collection", "Prototype", form.name}
    unknown = (name for name in named if name not in builtin and name not in with_them)
    return tuple(dict.fromkeys(name for name in unknown if permanent.get(name) is None))


def definition_text(form: Permanent) -> str:
    """The complete definition, with the phrase that makes a permanent prototype found (platform.md 1.6)."""
    return f'[SemanticEntity("{form.phrase}")]\n{canonical(form.prototype, partial=False)}'


def addition_text(form: Permanent, held: Prototype) -> tuple[str, tuple[Objection, ...]]:
    """What the form adds to what is there, as a `partial`: empty for nothing. Nothing there is ever overwritten."""
    added: list[Property] = []
    objections: list[Objection] = []
    if held.bases and form.prototype.bases and held.bases != form.prototype.bases:
        objections.append(Objection("", f"the project has a {held.bases[0]} of that name; name this one differently"))
    for prop in form.prototype.properties:
        there = held.own(prop.name)
        if there is None or empty(there.value):
            added.append(prop)
        elif not same_value(there.value, prop.value):
            said = _quoted(", ".join(texts_of(there.value)) or str(there.value))
            objections.append(Objection(prop.name, f"the project says {said} already, and that is not overwritten"))
    if objections or not added:
        return "", tuple(objections)
    partial = replace(form.prototype, properties=tuple(added), partial=True)
    return canonical(partial, bases=False), ()
