"""A search is an executed look-up in the whole ontology of the source, forgotten things included (R35, R48, DEC-D14).

Owns which keys a query stands for, and the critic's answers. Knows nothing of recording.
"""

from collections.abc import Sequence

from ferrule.bridge.matches import why_of
from ferrule.bridge.values import HandleView, Hit, MatchKind, SearchKind, TurnView
from ferrule.memory.ports import Tombstone
from ferrule.memory.ranking import Asked, Lead, leads
from ferrule.memory.showing import Sight, hit_of
from ferrule.ontology.handles import lookup_keys
from ferrule.ontology.words import fold_phrase
from ferrule.referents.kinds import HandleKind, Place
from ferrule.referents.recognise import accepts

__all__ = ["CALLED_SO", "MAX_HITS", "find", "handle_keys"]

CALLED_SO = "is called so"
MAX_HITS = 10
MAX_QUERY = 2000


def find(sight: Sight, query: str, kind: SearchKind, keys: Sequence[str] = ()) -> tuple[Hit, ...]:
    """Best hits first, in the order of `ranking`; then what is forgotten.

    For a search by handle, `keys` are the identity keys that the query stands for, and nothing else counts. What only
    matches words says so in `why`: it is a lead, not an identity. No model of meanings is asked: a likeness of meaning
    proves nothing.
    """
    by_handle = kind is SearchKind.HANDLE
    asked = Asked("" if by_handle else query, tuple(keys) if by_handle else (), MAX_HITS)
    found = leads(sight, asked)
    sight.store.prepare(sight.session, [lead.name for lead in found])
    hits = [hit for lead in found if (hit := hit_of(sight, lead.name, _why(lead), lead.matches)) is not None]
    marks = tuple(keys) if by_handle else (fold_phrase(query),)
    return (*hits, *(_forgotten(stone) for stone in sight.store.tombstones(sight.session, marks)))


def _why(lead: Lead) -> str:
    if any(match.by in (MatchKind.NAME, MatchKind.ALIAS) for match in lead.matches):
        return CALLED_SO
    return why_of(lead.matches)


def handle_keys(query: str, place: Place, view: TurnView | None = None) -> tuple[str, ...]:
    """The identity keys that a handle may stand for: itself, for it may be a key, and those that the turn gives it.

    Where no turn speaks of it, each kind that accepts it is asked for: a bare word may be a branch, a package, a host.
    """
    text = query.strip()[:MAX_QUERY]
    said = view.spoken_as(text) if view else ()
    keys = [key for mention in said for key in lookup_keys(mention.kind, mention.value, place, mention.key)]
    if not said:
        kinds = (kind for kind in HandleKind if kind is not HandleKind.TYPED_REFERENCE and accepts(kind, text))
        keys = [key for kind in kinds for key in lookup_keys(kind, text, place)]
    return tuple(dict.fromkeys(key for key in (text, *keys) if key))


def _forgotten(stone: Tombstone) -> Hit:
    return Hit(
        name=stone.name,
        bases=(),
        layer="forgotten",
        entity_name="",
        handles=(HandleView(HandleKind.OTHER_ID, stone.key, "", stone.key),),
        why="a person has told Ferrule to forget it",
        forgotten=True,
    )
