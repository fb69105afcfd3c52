"""Many ways of finding make one list, and nothing stands above the thing itself (R35, R65).

Owns the order, the same for people, agents and critics:

1. what carries the identity key, then what is called exactly so, by its name or an alias;
2. leads, by reciprocal ranks: each way gives each layer's answers a rank, and an answer gets weight / (10 + rank) of
   every way that found it. All words in whole weigh 3, a whole name among the words 3, words cut short or spelled
   nearly so 1.5, some of the words 1;
3. what is only similar in meaning, by its score.

Where something is certain (1), only what has all the words stands below it, and nothing where the query is written as
a handle (it has a mark in it that words have not). Where something has all words and some in
its name, nobody looks for slips. Equal ones: the session before its lineage before what is permanent, then the older.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ferrule.bridge.matches import Match, MatchKind
from ferrule.memory.matching import Worded, called, resembled, worded
from ferrule.memory.meaning import Meant
from ferrule.memory.showing import Sight
from ferrule.ontology.layer import PrototypeLayer
from ferrule.ontology.likeness import asked_words
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.words import subwords

__all__ = ["Asked", "Lead", "leads"]

_WHOLE, _ALIKE, _PARTLY = 3.0, 1.5, 1.0
_SMOOTH = 10
_SAID = 8
_MARKS = frozenset("/\\:.@#")
_SPARE = 6  # a few more than shown: ranks of several lists are brought together


@dataclass(frozen=True, slots=True)
class Asked:
    """One question.

    Attributes:
        query: as asked, without blanks around it; empty where only keys count.
        keys: the identity keys that it may stand for.
        limit: how many answers at most.
        accept: whether a name may be an answer.
        meaning: what the query means to a model, to fill up with what is similar; None without a model.
    """

    query: str
    keys: tuple[str, ...]
    limit: int
    accept: Callable[[str], bool] = lambda _name: True
    meaning: Meant | None = None


@dataclass(frozen=True, slots=True)
class Lead:
    """One answer, and everything by which it was found."""

    name: str
    matches: tuple[Match, ...]


@dataclass(slots=True)
class _Board:
    """What each name has won so far, in the order in which names were found first."""

    score: dict[str, float] = field(default_factory=dict)

    def add(self, names: Iterable[str], weight: Callable[[str], float]) -> None:
        for rank, name in enumerate(names, start=1):
            self.score[name] = self.score.get(name, 0.0) + weight(name) / (_SMOOTH + rank)

    def ranked(self) -> list[str]:
        return sorted(self.score, key=lambda name: -self.score[name])


def leads(sight: Sight, asked: Asked) -> tuple[Lead, ...]:
    """The answers to a question, best first. Deterministic: the same store and question give the same list."""
    exact = _exact(sight, asked)
    settled = any(exact.values()) and not _MARKS.isdisjoint(asked.query)
    words = () if settled else asked_words((asked.query,))
    lists = _lists(sight, asked, lambda layer: layer.matching(words, asked.limit + _SPARE)) if words else []
    sight.store.prepare(sight.session, [*exact, *(name for names in lists for name in names)])
    places = _Places(sight.ontology, words)
    board = _Board()
    for names in lists:
        whole = [name for name in names if places.of(name).whole] if exact else names
        board.add(whole, lambda name: _WHOLE if places.of(name).whole else _PARTLY)
    if words and not exact and not any(places.of(name).whole and places.of(name).named for name in board.score):
        board.add(_said_inside(sight, asked), lambda _: _WHOLE)
        alike = _lists(sight, asked, lambda layer: layer.resembling(words, asked.limit + _SPARE))
        sight.store.prepare(sight.session, [name for names in alike for name in names])
        for names in alike:
            board.add(names, lambda _: _ALIKE)
    found = [Lead(name, _certain(sight, name, match, asked)) for name, match in exact.items()]
    found += [Lead(name, places.matches(name)) for name in board.ranked()[: asked.limit] if name not in exact]
    return (*found[: asked.limit], *_meant(asked, [lead.name for lead in found]))[: asked.limit]


class _Places:
    """Where the words stand in each memory, worked out once."""

    def __init__(self, ontology: Ontology, words: Sequence[str]) -> None:
        self._ontology = ontology
        self._words = words
        self._found: dict[str, Worded] = {}

    def of(self, name: str) -> Worded:
        if name not in self._found:
            known = self._ontology.get(name)
            self._found[name] = (
                Worded(0, whole=False, named=False, matches=()) if known is None else worded(known, self._words)
            )
        return self._found[name]

    def matches(self, name: str) -> tuple[Match, ...]:
        """The words that stand in it, and to what the others led."""
        own = self.of(name)
        known = self._ontology.get(name)
        held = {word for match in own.matches for word in match.text.split()}
        rest = [word for word in self._words if word not in held]
        return own.matches if own.whole or known is None else (*own.matches, *resembled(known, rest))


def _said_inside(sight: Sight, asked: Asked) -> list[str]:
    """What has a name or alias of two to four words that the query says among other words; longer ones first."""
    said = subwords(asked.query)[:_SAID]
    spans = [" ".join(said[at : at + size]) for size in (4, 3, 2) for at in range(len(said) - size + 1)]
    found: dict[str, None] = {}
    for span in spans:
        found.update(dict.fromkeys(sight.ontology.names(lambda layer, span=span: layer.called(span))))  # type: ignore[misc]
    return [name for name in found if asked.accept(name)]


def _lists(sight: Sight, asked: Asked, ask: Callable[[PrototypeLayer], tuple[str, ...]]) -> list[list[str]]:
    """What each layer answers that may be an answer, the session's first."""
    lists: list[list[str]] = []

    def one(layer: PrototypeLayer) -> tuple[str, ...]:
        if found := [name for name in ask(layer) if asked.accept(name)]:
            lists.append(found)
        return ()

    sight.ontology.names(one)
    return [lists[0][: asked.limit]] if len(lists) == 1 else lists  # nothing behind can come before


def _exact(sight: Sight, asked: Asked) -> dict[str, str]:
    """What is certain, in order: by name, the key that it carries, or empty for what is called so."""
    found: dict[str, str] = {}
    for key in asked.keys:
        for name in sight.ontology.names(lambda layer, key=key: layer.holding(key)):  # type: ignore[misc]
            found.setdefault(name, key)
    if asked.query:
        own = (asked.query,) if sight.ontology.get(asked.query) is not None else ()
        for name in (*own, *sight.ontology.names(lambda layer: layer.called(asked.query))):
            found.setdefault(name, "")
    return {name: key for name, key in found.items() if asked.accept(name)}


def _certain(sight: Sight, name: str, key: str, asked: Asked) -> tuple[Match, ...]:
    if key:
        held = (view.property for view in sight.store.handles(sight.session, name) if view.key == key)
        return (Match(MatchKind.HANDLE, key, next(held, "")),)
    known = sight.ontology.get(name)
    return () if known is None else (called(known, asked.query),)


def _meant(asked: Asked, found: Sequence[str]) -> list[Lead]:
    """What is only similar in meaning: fills up what is left, and is never above what was found otherwise."""
    if asked.meaning is None or len(found) >= asked.limit:
        return []
    near = asked.meaning.nearest(asked.limit + len(found))
    return [
        Lead(name, (Match(MatchKind.MEANING, score=round(score, 4)),))
        for name, score in near
        if name not in found and asked.accept(name)
    ]
