"""The permanent ontology is read from folders of `.pts` files; what is wrong with one is reported, never guessed away.

Owns reading, merging of parts across files, and the checks that a file's author wants to hear: unknown bases,
properties and references, types that do not fit. Executes nothing and follows no include. Knows nothing of sessions.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TypeAlias

from ferrule.errors import Code, UnreadableInput
from ferrule.ontology.build import declarations, opaque, prototype_of
from ferrule.ontology.fitting import BUILTIN, fits, is_type_name, refs_of
from ferrule.ontology.handles import handles_of, keys_of
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.values import LayerName, Property, Prototype
from ferrule.protoscript import syntax
from ferrule.protoscript.diagnostics import refusal_code
from ferrule.protoscript.reading import Parsed, parse
from ferrule.protoscript.source import Source
from ferrule.referents.kinds import Place
from ferrule.referents.properties import Suffixes, load_suffixes, shipped_suffixes

__all__ = ["Loaded", "LocatedProblem", "NamedText", "base_folder", "load_permanent", "load_shipped"]

_SUFFIX = ".pts"
_HANDLES = "handles.toml"

NamedText: TypeAlias = tuple[str, str]
"""What a file is called, for messages, and its text."""


@dataclass(frozen=True, slots=True)
class LocatedProblem:
    """Something wrong in a permanent file: where (line and column from 1), a stable code, a sentence, a hint."""

    file: str
    code: Code
    message: str
    line: int = 1
    column: int = 1
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Loaded:
    """The permanent layer as far as it could be read, and every problem met on the way."""

    layer: InMemoryLayer
    problems: tuple[LocatedProblem, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """One declaration and where it stands."""

    name: str
    tree: syntax.Prototype
    file: str
    source: Source

    def problem(self, code: Code, message: str, span: syntax.Span, hint: str = "") -> LocatedProblem:
        """A problem at a place of this declaration."""
        line, column = self.source.position(span.start)
        return LocatedProblem(self.file, code, message, line, column, hint)


def base_folder() -> Path:
    """The folder of the ontology that ships with Ferrule."""
    return Path(__file__).parent / "base"


@cache
def load_shipped() -> Loaded:
    """The shipped ontology, read once in a process."""
    return load_permanent((base_folder(),))


def load_permanent(folders: Sequence[Path], texts: Sequence[NamedText] = (), places: Sequence[Place] = ()) -> Loaded:
    """Read every `.pts` file of these folders (or single files), folders in order, files by name, then these texts.

    A text was read by whoever asks: what was looked at is what is loaded. `places` are where its relative paths stand,
    so that a path is known by the key that a session there gives it. A plain redeclaration is an error and the first
    declaration stands; `partial` parts merge. What cannot be resolved is left out and reported. Raises nothing: an
    unreadable file is a problem like any other.
    """
    parts, problems = _read(folders, texts)
    prototypes, merging = _merged(parts)
    raw = Ontology(InMemoryLayer(prototypes.values()))
    checked = [problem for part in parts for problem in _check(part, raw)]
    sound = [_resolvable(prototype, raw) for prototype in prototypes.values()]
    suffixes, tables = _suffixes(folders)
    known = Ontology(InMemoryLayer(sound, suffixes=suffixes))
    keys = {prototype.name: keys_of(handles_of(prototype, known)) for prototype in sound}
    named = {file for file, _ in texts}
    for name in {part.name for part in parts if part.file in named} & keys.keys():
        own = prototypes[name]
        keys[name] = (*keys[name], *(key for place in places for key in keys_of(handles_of(own, known, place))))
    return Loaded(InMemoryLayer(sound, keys, suffixes), (*problems, *tables, *merging, *checked))


def _suffixes(folders: Sequence[Path]) -> tuple[Suffixes | None, list[LocatedProblem]]:
    """The suffix table that the folders' `handles.toml` extend, in order; None when there is none."""
    suffixes: Suffixes | None = None
    problems: list[LocatedProblem] = []
    for path in (folder / _HANDLES for folder in folders if (folder / _HANDLES).is_file()):
        try:
            own = load_suffixes(path)
        except UnreadableInput as problem:
            problems.append(LocatedProblem(str(path), problem.code, str(problem)))
            continue
        before = suffixes or shipped_suffixes()
        rows = {name: kind for name, kind in own.kinds.items() if shipped_suffixes().kinds.get(name) != kind}
        suffixes = Suffixes({**before.kinds, **rows}, before.free_text | own.free_text)
    return suffixes, problems


def _read(folders: Sequence[Path], more: Sequence[NamedText]) -> tuple[list[_Part], list[LocatedProblem]]:
    parts: list[_Part] = []
    problems: list[LocatedProblem] = []
    texts: list[NamedText] = []
    for path in _files(folders):
        try:
            texts.append((str(path), path.read_text(encoding="utf-8")))
        except (OSError, UnicodeDecodeError) as problem:
            problems.append(LocatedProblem(str(path), Code.IO_FAILED, f"The file cannot be read: {problem}."))
    for file, text in (*texts, *more):
        parsed = parse(text)
        problems += [
            LocatedProblem(file, refusal_code(found.code), found.message, found.line, found.column, found.hint)
            for found in parsed.diagnostics
        ]
        parts += [_Part(name, tree, file, parsed.source) for name, tree in declarations(parsed.tree)]
        problems += _unread(file, parsed)
    return parts, problems


def _unread(file: str, parsed: Parsed) -> Iterator[LocatedProblem]:
    """What declares something and is not read: said, not dropped."""
    for item in parsed.tree.items:
        if isinstance(item, syntax.Namespace):
            line, column = parsed.source.position(item.span.start)
            message = f"What is declared inside of the namespace {item.name} is not read."
            yield LocatedProblem(file, Code.FORBIDDEN_CONSTRUCT, message, line, column, "Declare it outside.")


def _files(folders: Sequence[Path]) -> Iterator[Path]:
    for folder in folders:
        if folder.is_dir():
            yield from sorted(path for path in folder.rglob(f"*{_SUFFIX}") if path.is_file())
        else:
            yield folder


def _merged(parts: Sequence[_Part]) -> tuple[dict[str, Prototype], list[LocatedProblem]]:
    prototypes: dict[str, Prototype] = {}
    plain: set[str] = set()
    problems: list[LocatedProblem] = []
    for part in parts:
        if not part.tree.partial and part.name in plain:
            message = f"{part.name} is declared a second time."
            hint = "Write partial prototype to add to it."
            problems.append(part.problem(Code.ALREADY_EXISTS, message, part.tree.name_span, hint))
            continue
        if not part.tree.partial:
            plain.add(part.name)
        built = prototype_of(part.tree, LayerName.PERMANENT, name=part.name)
        built = replace(built, partial=False)
        known = prototypes.get(part.name)
        prototypes[part.name] = built if known is None else _joined(known, built)
    return {name: _as_entity(prototype) for name, prototype in prototypes.items()}, problems


def _joined(known: Prototype, part: Prototype) -> Prototype:
    """Two parts of one permanent prototype: bases of both, of two values the earlier stands."""
    properties = {prop.name: prop for prop in known.properties}
    for prop in part.properties:
        held = properties.get(prop.name)
        if held is None:
            properties[prop.name] = prop
        else:
            value = held if held.assigned or not prop.assigned else prop
            kind = held.type or prop.type
            declares = held.declares or prop.declares
            properties[prop.name] = Property(prop.name, kind, value.value, declares, value.assigned)
    bases = tuple(dict.fromkeys((*known.bases, *part.bases)))
    return replace(known, bases=bases, properties=tuple(properties.values()))


def _as_entity(prototype: Prototype) -> Prototype:
    """On an entity a typed field with a value assigns it; on a type it is a default (D2, D7)."""
    if "#" not in prototype.name and all(prop.declares for prop in prototype.properties):
        return prototype
    properties = (
        replace(prop, assigned=prop.assigned or prop.value not in (None, "", ())) for prop in prototype.properties
    )
    return replace(prototype, properties=tuple(properties))


def _check(part: _Part, ontology: Ontology) -> Iterator[LocatedProblem]:
    for base, span in zip(part.tree.bases, part.tree.base_spans, strict=False):
        if base in BUILTIN or ontology.get(base) is None:
            yield part.problem(Code.UNKNOWN_TYPE, f"The base {base} is not known.", span)
        elif base == part.name or part.name in ontology.ancestors(base):
            yield part.problem(Code.TYPE_MISMATCH, f"{part.name} would become its own ancestor.", span)
    schema = {entry.property: entry.type for entry in ontology.schema(part.name)}
    for member in part.tree.members:
        if isinstance(member, syntax.Field) and not is_type_name(member.type, ontology):
            yield part.problem(Code.UNKNOWN_TYPE, f"The type {member.type} is not known.", member.span)
        elif isinstance(member, syntax.Assignment) and member.name not in schema:
            yield part.problem(Code.UNKNOWN_PROPERTY, f"{member.name} is not declared.", member.name_span)
        elif isinstance(member, syntax.Field | syntax.Assignment):
            yield from _check_value(part, member, schema, ontology)


def _check_value(
    part: _Part, member: syntax.Field | syntax.Assignment, schema: dict[str, str], ontology: Ontology
) -> Iterator[LocatedProblem]:
    prototype = ontology.get(part.name)
    held = prototype.own(member.name) if prototype else None
    if held is None or member.value is None:
        return
    if opaque(member.value):
        message = f"The value of {member.name} would need running, and nothing is run."
        yield part.problem(Code.FORBIDDEN_CONSTRUCT, message, member.value.span, "Write the value itself.")
        return
    missing = [name for name in refs_of(held.value) if ontology.get(name) is None]
    if missing:
        yield part.problem(Code.UNKNOWN_REFERENCE, f"{missing[0]} is not a known prototype.", member.value.span)
    elif not fits(held.value, schema.get(member.name, ""), ontology):
        message = f"The value does not fit {member.name}, which is of type {schema.get(member.name, '')}."
        yield part.problem(Code.TYPE_MISMATCH, message, member.value.span)


def _resolvable(prototype: Prototype, raw: Ontology) -> Prototype:
    """What can be resolved: unknown bases and undeclared or dangling values are left out."""
    declared = {entry.property for entry in raw.schema(prototype.name)}
    bases = tuple(base for base in prototype.bases if raw.get(base) is not None)
    properties = tuple(
        prop
        for prop in prototype.properties
        if prop.name in declared and all(raw.get(name) is not None for name in refs_of(prop.value))
    )
    return replace(prototype, bases=bases, properties=properties)
