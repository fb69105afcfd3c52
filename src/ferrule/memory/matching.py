"""By what a memory was found is read from the memory itself, so that no answer claims what is not there (R35).

Owns that reading: which words stand in which property, which only in part or nearly. Knows nothing of ranking.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ferrule.bridge.matches import Match, MatchKind
from ferrule.ontology.current import family
from ferrule.ontology.fragments import names_of, phrases_said, texts_of
from ferrule.ontology.likeness import nearest
from ferrule.ontology.values import Property, Prototype
from ferrule.ontology.words import fold_phrase, subwords

__all__ = ["Worded", "called", "resembled", "worded"]

_NAMING = ("EntityName", "Aliases", "Alias")


@dataclass(frozen=True, slots=True)
class Worded:
    """How many of the asked words stand whole in a memory, whether all do, whether any does in a name, and where."""

    held: int
    whole: bool
    named: bool
    matches: tuple[Match, ...]


def called(prototype: Prototype, phrase: str) -> Match:
    """Under which of its names a memory is called so."""
    folded = fold_phrase(phrase)
    if prototype.name == phrase or fold_phrase(prototype.name) == folded:
        return Match(MatchKind.NAME, prototype.name)
    for prop in prototype.properties:
        for name in names_of(Prototype(prototype.name, (), (prop,), prototype.layer)):
            if fold_phrase(name) == folded:
                by = MatchKind.NAME if family(prop.name) == _NAMING[0] else MatchKind.ALIAS
                return Match(by, name, prop.name)
    return Match(MatchKind.NAME, phrase)


def worded(prototype: Prototype, words: Sequence[str]) -> Worded:
    """Where the asked words stand: each in the first place that holds it, names before values."""
    left = dict.fromkeys(words)
    found: list[Match] = []
    for place, texts in _places(prototype):
        if not left:
            break
        own = {word for text in texts for word in subwords(text)}
        held = [word for word in left if word in own]
        if held:
            found.append(Match(MatchKind.WORDS, " ".join(held), place))
            for word in held:
                del left[word]
    named = any(family(match.property) in ("", *_NAMING) for match in found)
    return Worded(len(words) - len(left), not left and bool(words), named, tuple(found))


def resembled(prototype: Prototype, words: Sequence[str]) -> tuple[Match, ...]:
    """To which of its words those led that do not stand in it whole."""
    found: list[Match] = []
    for word in words:
        best = Match(MatchKind.FRAGMENT)
        for place, texts in _places(prototype):
            score, said = nearest(word, texts)
            if score > best.score:
                best = Match(MatchKind.FRAGMENT, word, place, said, score)
        if best.said and best.score < 1:
            found.append(Match(best.by, best.text, best.property, best.said))
    return tuple(found)


def _places(prototype: Prototype) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The name and the phrases of annotations, then the naming properties, then the others, each with its texts."""
    yield "", (prototype.name, *phrases_said(prototype))
    naming = [prop for prop in prototype.properties if family(prop.name) in _NAMING]
    others = [prop for prop in prototype.properties if family(prop.name) not in _NAMING]
    for prop in (*naming, *others):
        if texts := _texts(prop):
            yield prop.name, texts


def _texts(prop: Property) -> tuple[str, ...]:
    return texts_of(prop.value)
