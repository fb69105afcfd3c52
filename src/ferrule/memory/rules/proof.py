"""Rule 11: a critic has looked before it writes, and the door's own record shows it (R35, R42, R43, R48, R49).

Owns the proof of searches and of inspection. A failed search proves nothing (CASE-L14), a search is stale only when a
later commit touched what it asked for. Knows nothing of what the searches found: rule 3 has seen to that.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from ferrule.bridge.values import Call, SearchKind
from ferrule.errors import Code
from ferrule.memory.case import Case, Finding
from ferrule.memory.rules.bases import odd_bases
from ferrule.memory.rules.members import span_of
from ferrule.ontology.handles import keys_of
from ferrule.ontology.layers import names_of, phrases_of
from ferrule.ontology.words import fold_phrase

__all__ = ["proof_rule"]

_MOST = 5


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Something that must have been searched: its words or values, and the marks by which a commit may touch it."""

    said: str
    property: str
    phrases: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()


def proof_rule(case: Case) -> list[Finding]:
    """NO_SEARCH_PROOF, STALE_REVISION and NOT_INSPECTED, all by the door's record of this critic turn (CASE-L10)."""
    searches = [call for call in case.view.record if call.tool == "search" and call.ok]
    asked = _Asked.of(searches)
    found = [finding for wanted in _wanted(case) if (finding := _missing(case, asked, wanted)) is not None]
    return [*found[:_MOST], *_uninspected(case)]


def _wanted(case: Case) -> Iterator[_Wanted]:
    written = case.written
    called: tuple[str, ...] = ()
    if case.existing is None:
        # One search for the thing under either of its names is a search for its name.
        called = _phrases((written.name, *_entity_names(case)))
        yield _Wanted("its name", "", phrases=called, marks=called)
    elif not _found(case):
        yield _Wanted("the thing that it adds to", "", phrases=phrases_of(case.existing))
    for name in names_of(written):
        phrase = _phrases((name,))
        if phrase[0] not in called:
            yield _Wanted("a name or alias", "Aliases", phrases=phrase, marks=phrase)
    for handle in case.carried.written:
        keys = keys_of((handle,))
        if keys:
            yield _Wanted("a handle", handle.property, values=(handle.value, *keys), marks=keys)


def _found(case: Case) -> bool:
    """Whether this review staged the target itself, or a search of it returned the target."""
    name = case.tree.name
    return any(prototype.name == name for prototype in case.view.staged) or any(
        call.tool == "search" and call.ok and name in call.values for call in case.view.record
    )


def _entity_names(case: Case) -> tuple[str, ...]:
    prop = case.written.own("EntityName")
    return (prop.value,) if prop is not None and isinstance(prop.value, str) and prop.value else ()


def _phrases(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(fold_phrase(name) for name in names if name))


@dataclass(frozen=True, slots=True)
class _Asked:
    """What was searched: calls by the folded words of a query, and by the value or key of a handle."""

    phrases: dict[str, list[Call]]
    values: dict[str, list[Call]]

    @classmethod
    def of(cls, searches: Sequence[Call]) -> "_Asked":
        """Every search under all that it asked for, each read once."""
        phrases: dict[str, list[Call]] = {}
        values: dict[str, list[Call]] = {}
        for call in searches:
            asked = dict(call.arguments)
            query = asked.get("query", "")
            if asked.get("kind", "") != SearchKind.HANDLE:
                phrases.setdefault(fold_phrase(query), []).append(call)
            else:
                for mark in {query.strip(), *(value for name, value in call.arguments if name == "key")}:
                    values.setdefault(mark, []).append(call)
        return cls(phrases, values)

    def covering(self, wanted: _Wanted) -> list[Call]:
        """The searches that asked for it."""
        if wanted.phrases:
            return [call for phrase in wanted.phrases for call in self.phrases.get(phrase, ())]
        return [call for value in dict.fromkeys(wanted.values) for call in self.values.get(value, ())]


def _missing(case: Case, asked: _Asked, wanted: _Wanted) -> Finding | None:
    covering = asked.covering(wanted)
    span = span_of(case.tree, wanted.property)
    if not covering:
        message = f"No search of this review asked for {wanted.said}."
        remedy = "Search it through the door first."
        return Finding(Code.NO_SEARCH_PROOF, message, remedy, wanted.property, span)
    if all(case.view.touched_after(revision, wanted.marks) for revision in {call.revision for call in covering}):
        message = f"A later write touched {wanted.said} after it was searched."
        return Finding(Code.STALE_REVISION, message, "Search it again.", wanted.property, span)
    return None


def _uninspected(case: Case) -> Iterator[Finding]:
    """Of what it adds to, else of its bases: those that there are, rule 4 tells of the others."""
    bases = (base for base in case.tree.bases if base not in odd_bases(case))
    for name in (case.tree.name,) if case.existing is not None else islice(bases, _MOST):
        for tool, what in (("details", "values"), ("schema", "schema")):
            if not _asked(case.view.record, tool, name):
                message = f"The {what} of {name} were not looked at in this review."
                remedy = f"Ask the door for {tool} of {name} first."
                yield Finding(Code.NOT_INSPECTED, message, remedy, span=case.tree.name_span)


def _asked(record: Sequence[Call], tool: str, name: str) -> bool:
    return any(call.ok and call.tool == tool and ("name", name) in call.arguments for call in record)
