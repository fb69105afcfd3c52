"""The permanent ontology is read from folders of `.pts` files; what is wrong with one is reported, never guessed away.

Owns the way from files to prototypes with their identity keys, in two steps: every file is read and its tree dropped
again, then what was read is checked, and only a text with something wrong in it is looked at once more to say where.
Executes nothing, and follows an include only inside of what was named. Knows nothing of sessions.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from ferrule.errors import Code, UnreadableInput
from ferrule.ontology.build import declarations
from ferrule.ontology.checking import Place, is_sound, problems_of, resolvable
from ferrule.ontology.following import Following
from ferrule.ontology.handles import handles_of, keys_of
from ferrule.ontology.including import Include, Roots
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.parts import Part, merged_parts, parts_of
from ferrule.ontology.pausing import collector_paused
from ferrule.ontology.reading import LocatedProblem, NamedText, Progress, ReadOntology
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.scoping import Scopes, declarations_within
from ferrule.ontology.sources import SourceFile, sources_of
from ferrule.ontology.sources import shipped_folder as base_folder
from ferrule.ontology.values import Prototype
from ferrule.protoscript import syntax
from ferrule.protoscript.diagnostics import refusal_code
from ferrule.protoscript.reading import Parsed, parse
from ferrule.referents import kinds
from ferrule.referents.properties import Suffixes, load_suffixes, shipped_suffixes

__all__ = [
    "Loaded",
    "LocatedProblem",
    "NamedText",
    "Progress",
    "ReadOntology",
    "base_folder",
    "load_permanent",
    "load_shipped",
    "read_permanent",
]


@dataclass(frozen=True, slots=True)
class Loaded:
    """The permanent layer as far as it could be read, and every problem met on the way."""

    layer: InMemoryLayer
    problems: tuple[LocatedProblem, ...]


@cache
def load_shipped() -> Loaded:
    """The shipped ontology, read once in a process."""
    return load_permanent((base_folder(),))


def load_permanent(
    folders: Sequence[Path], texts: Sequence[NamedText] = (), places: Sequence[kinds.Place] = ()
) -> Loaded:
    """Read these folders (or single files) and texts into memory. Raises nothing; as `read_permanent` otherwise."""
    read = read_permanent(sources_of(folders), texts, places, roots=folders)
    return Loaded(InMemoryLayer(read.prototypes, read.keys, read.suffixes), read.problems)


def read_permanent(
    sources: Sequence[SourceFile],
    texts: Sequence[NamedText] = (),
    places: Sequence[kinds.Place] = (),
    progress: Progress = lambda _what, _done, _all: None,
    *,
    roots: Sequence[Path] = (),
) -> ReadOntology:
    """Read these files in order, those that they include inside of `roots`, then these texts.

    A text was read by whoever asks: what was looked at is what is loaded. `places` are where its relative paths stand,
    so that a path is known by the key that a session there gives it. A plain redeclaration is an error and the first
    declaration stands; `partial` parts merge. What cannot be resolved is left out and reported. Raises nothing: an
    unreadable file is a problem like any other.
    """
    with collector_paused():
        return _Reading(progress, Following(Roots(roots), sources)).read(sources, texts, places)


class _Reading:
    """One reading of an ontology, from its files to its prototypes."""

    def __init__(self, progress: Progress, following: Following) -> None:
        self._progress = progress
        self._following = following
        self._digests: dict[str, bytes] = {}
        self._texts: list[NamedText] = []
        self._project: set[int] = set()
        self._unread: list[LocatedProblem] = []
        self._mistaken: list[LocatedProblem] = []
        self._parts: list[Part] = []

    def read(
        self, sources: Sequence[SourceFile], texts: Sequence[NamedText], places: Sequence[kinds.Place]
    ) -> ReadOntology:
        """Everything, in order."""
        files = [source for source in sources if not source.is_table]
        for number, source in enumerate(files):
            self._progress("reading the ontology: files", number, len(files))
            self._take_file(source)
        for number, source in enumerate(self._following.files):  # it grows while it is read
            self._progress("reading the ontology: files", number, len(self._following.files))
            self._take_file(source)
        named = range(len(self._texts), len(self._texts) + len(texts))
        for text in texts:
            self._take(text, project=True)
        scopes = Scopes(part.prototype.name for part in self._parts)
        self._parts = [replace(part, prototype=scopes.resolved(part.prototype)) for part in self._parts]
        prototypes, again = merged_parts(self._parts)
        raw = Ontology(InMemoryLayer(prototypes.values()))
        suspect = {text for text, _ in again}
        for number, part in enumerate(self._parts):
            self._progress("checking the ontology: declarations", number, len(self._parts))
            if part.text not in suspect and not is_sound(part, raw):
                suspect.add(part.text)
        checked = self._looked_at_closely(suspect, again, raw, scopes)
        for name in {part.prototype.name for part in self._parts if part.text in suspect}:
            prototypes[name] = resolvable(prototypes[name], raw)
        suffixes, tables = self._tables([source for source in sources if source.is_table])
        own = {part.prototype.name for part in self._parts if part.text in named}
        keys = self._keys(prototypes, suffixes, own, places)
        problems = (*self._unread, *self._mistaken, *tables, *checked)
        followed, meant = tuple(self._following.files), tuple(self._following.meant)
        return ReadOntology(tuple(prototypes.values()), keys, suffixes, problems, self._digests, followed, meant)

    def _take_file(self, source: SourceFile) -> None:
        try:
            content = source.read()
            self._digests[source.path] = hashlib.sha256(content).digest()
            text = content.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
        except (OSError, UnicodeDecodeError) as problem:
            message = f"The file cannot be read: {problem}."
            self._unread.append(LocatedProblem(source.path, Code.IO_FAILED, message))
            return
        parsed = self._take((source.path, text))
        self._mistaken += self._follow(source.path, parsed)

    def _follow(self, file: str, parsed: Parsed) -> Iterator[LocatedProblem]:
        """What a file includes is read too; a statement that cannot be followed is a problem at its place."""
        for item in parsed.tree.items:
            if isinstance(item, syntax.Directive) and item.kind == "include":
                targets = self._following.follow(Include(file, item.words[0], "recursive" in item.flags))
                if targets.problem:
                    place = Place(file, parsed.source)
                    yield place.problem(Code.IO_FAILED, targets.problem, item.span, targets.hint)

    def _take(self, named: NamedText, *, project: bool = False) -> Parsed:
        """Read one text; its tree is kept by nobody here. What a project's text includes is not followed."""
        file, text = named
        parsed = parse(text)
        self._mistaken += [
            LocatedProblem(file, refusal_code(found.code), found.message, found.line, found.column, found.hint)
            for found in parsed.diagnostics
        ]
        if project:
            self._mistaken += _unread(file, parsed)
            self._project.add(len(self._texts))
        self._parts += parts_of(self._declared(parsed, len(self._texts)), len(self._texts))
        self._texts.append(named)
        return parsed

    def _declared(self, parsed: Parsed, text: int) -> Iterator[tuple[str, syntax.Prototype]]:
        """What a text declares. A project's namespaces are not looked into, as whoever trusts it was told."""
        return (declarations if text in self._project else declarations_within)(parsed.tree)

    def _looked_at_closely(
        self, suspect: set[int], again: set[tuple[int, int]], raw: Ontology, scopes: Scopes
    ) -> list[LocatedProblem]:
        """What is wrong in these texts; what is declared a second time comes first."""
        repeated: list[LocatedProblem] = []
        checked: list[LocatedProblem] = []
        for number in sorted(suspect):
            file, text = self._texts[number]
            parsed = parse(text)
            place = Place(file, parsed.source, scopes)
            for at, (name, tree) in enumerate(self._declared(parsed, number)):
                if (number, at) in again:
                    message, hint = f"{name} is declared a second time.", "Write partial prototype to add to it."
                    repeated.append(place.problem(Code.ALREADY_EXISTS, message, tree.name_span, hint))
                checked += problems_of(name, tree, place, raw)
        return repeated + checked

    def _tables(self, tables: Sequence[SourceFile]) -> tuple[Suffixes | None, list[LocatedProblem]]:
        """The suffix table that the folders' `handles.toml` extend, in order; None when there is none."""
        suffixes: Suffixes | None = None
        problems: list[LocatedProblem] = []
        for source in tables:
            try:
                self._digests[source.path] = hashlib.sha256(source.read()).digest()
                own = load_suffixes(Path(source.path))
            except (OSError, UnreadableInput) as problem:
                code = problem.code if isinstance(problem, UnreadableInput) else Code.IO_FAILED
                problems.append(LocatedProblem(source.path, code, str(problem)))
                continue
            before = suffixes or shipped_suffixes()
            rows = {name: kind for name, kind in own.kinds.items() if shipped_suffixes().kinds.get(name) != kind}
            suffixes = Suffixes({**before.kinds, **rows}, before.free_text | own.free_text)
        return suffixes, problems

    def _keys(
        self,
        prototypes: Mapping[str, Prototype],
        suffixes: Suffixes | None,
        own: set[str],
        places: Sequence[kinds.Place],
    ) -> dict[str, tuple[str, ...]]:
        """The identity keys of all; of what the texts themselves say also those that a session in a place gives."""
        known = Ontology(InMemoryLayer(prototypes.values(), suffixes=suffixes))
        keys: dict[str, tuple[str, ...]] = {}
        for number, (name, prototype) in enumerate(prototypes.items()):
            self._progress("reading handles: prototypes", number, len(prototypes))
            keys[name] = keys_of(handles_of(prototype, known))
            for place in places if name in own else ():
                keys[name] += keys_of(handles_of(prototype, known, place))
        return keys


def _unread(file: str, parsed: Parsed) -> Iterator[LocatedProblem]:
    """What declares something and is not read: said, not dropped."""
    for item in parsed.tree.items:
        if isinstance(item, syntax.Namespace):
            line, column = parsed.source.position(item.span.start)
            message = f"What is declared inside of the namespace {item.name} is not read."
            yield LocatedProblem(file, Code.FORBIDDEN_CONSTRUCT, message, line, column, "Declare it outside.")
