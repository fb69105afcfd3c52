"""Words among the things of one type: where few of very many matches are of the type, the type's things are looked at.

Owns that second way of finding; the first is the search that everybody has, which looks at the best matches only. Knows
nothing of handles or names.
"""

from collections.abc import Iterator, Sequence

from ferrule.memory.matching import Worded, worded
from ferrule.memory.ranking import Lead
from ferrule.ontology.categories import under
from ferrule.ontology.resolve import Ontology

__all__ = ["MOST_LOOKED_AT", "leads_of_kind"]

MOST_LOOKED_AT = 500
_PAGE = 100


def leads_of_kind(ontology: Ontology, kind: str, words: Sequence[str], known: Sequence[Lead]) -> tuple[Lead, ...]:
    """What was found already, then what of the first five hundred things of the kind has all the words, by name."""
    told = {lead.name for lead in known}
    more = [
        Lead(name, found.matches)
        for name, found in _looked_at(ontology, kind, words)
        if found.whole and name not in told
    ]
    return (*known, *more)


def _looked_at(ontology: Ontology, kind: str, words: Sequence[str]) -> Iterator[tuple[str, Worded]]:
    after = ""
    for _ in range(MOST_LOOKED_AT // _PAGE):
        names = under(ontology, kind, _PAGE, after)
        known = ((name, ontology.get(name)) for name in names)
        yield from ((name, worded(prototype, words)) for name, prototype in known if prototype is not None)
        if len(names) < _PAGE:
            return
        after = names[-1]
