"""A search is an executed look-up in the whole ontology of the source, forgotten things included (R35, R48, DEC-D14).

Owns how a query becomes names: by identity key, by folded phrase, by words, by fragment. Knows nothing of recording.
"""

from collections.abc import Sequence

from ferrule.bridge.values import HandleView, Hit, SearchKind, TurnView
from ferrule.memory.ports import Tombstone
from ferrule.memory.showing import Sight, hit_of
from ferrule.ontology.handles import lookup_keys
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.words import fold_phrase, subwords
from ferrule.referents.kinds import HandleKind, Place
from ferrule.referents.recognise import accepts

__all__ = ["MAX_HITS", "find", "handle_keys", "holders"]

MAX_HITS = 10
MAX_QUERY = 2000


def find(sight: Sight, query: str, kind: SearchKind, keys: Sequence[str] = ()) -> tuple[Hit, ...]:
    """Best hits first: what carries the handle or bears the name, then what matches its words; then what is forgotten.

    For a search by handle, `keys` are the identity keys that the query stands for. What only matches words says so in
    `why`: it is a lead, not an identity.
    """
    found: dict[str, str] = {}
    if kind is SearchKind.HANDLE:
        for key in keys:
            for name in holders(sight.ontology, key):
                found.setdefault(name, f"carries {key}")
        marks: tuple[str, ...] = tuple(keys)
    else:
        for name in sight.ontology.names(lambda layer: (*((query,) if layer.get(query) else ()), *layer.called(query))):
            found.setdefault(name, "is called so")
        words = subwords(query)
        for name in sight.ontology.names(lambda layer: layer.matching(words, MAX_HITS)):
            found.setdefault(name, "matches words")
        marks = (fold_phrase(query),)
    hits = [hit for name, why in found.items() if (hit := hit_of(sight, name, why)) is not None]
    forgotten = [_forgotten(stone) for stone in sight.store.tombstones(sight.session, marks)]
    return (*hits[:MAX_HITS], *forgotten)


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


def holders(ontology: Ontology, key: str) -> tuple[str, ...]:
    """Names, in any layer, that carry a handle with this identity key."""
    return ontology.names(lambda layer: layer.holding(key))


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
