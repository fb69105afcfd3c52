"""One completed turn becomes what a critic may see: texts with roles, the action ledger, numbered mentions (R15, R18).

Owns the assembly. The same turn always gives the same view, so that source and critic speak of the same numbers.
Knows nothing of prototypes, and never looks beyond the turn.
"""

from dataclasses import replace
from operator import attrgetter

from ferrule.bridge.mentions import Keys, acted, numbered, place_mentions, places_of, recognised, seen
from ferrule.bridge.resolution import resolved
from ferrule.bridge.texts import texts_of
from ferrule.bridge.values import Mention, Role, TurnView
from ferrule.session.turn import Turn

__all__ = ["view_of"]

_FIRST = {Role.INTENT: 0, Role.OUTCOME: 0, Role.ACTION: 1, Role.OBSERVATION: 2}
_START = attrgetter("start")


def view_of(turn: Turn) -> TurnView:
    """The view of a turn: pure and deterministic (D9).

    Texts are scrubbed already (D13); a handle that holds a placeholder gets no mention. Mentions are numbered in the
    order spoken, done, seen; those of the ledger carry the outcome of their own row. `action_keys` gives the identity
    key of each action, resolved like the mentions.
    """
    texts = texts_of(turn)
    places = places_of(turn)
    rows, ledger, action_keys = acted(turn.actions, texts, places, turn.place)
    texts = (*texts, *rows)
    found: list[Mention] = []
    keys = Keys()
    observed = [text for text in texts if text.role is Role.OBSERVATION]
    for text in sorted((text for text in texts if text.role is not Role.OBSERVATION), key=lambda t: _FIRST[t.role]):
        own = ledger.get(text.id, [])
        if text.role is not Role.ACTION or text.id.endswith(".arguments"):
            own = own + recognised(text, places.get(text.call_id or "", turn.place), keys)
        found += sorted(own, key=_START)
    # What was done counts before what was seen, though its words may stand in a result.
    for text in observed:
        found += sorted(ledger.get(text.id, []), key=_START)
    found += seen(observed, found, places, keys)
    spelled = numbered(found)
    mentions = resolved(spelled)
    joined = {old.key: new.key for old, new in zip(spelled, mentions, strict=True) if old.role is Role.ACTION}
    setting, around = place_mentions(turn)
    if setting is not None:
        texts = (*texts, setting)
        mentions = (*mentions, *numbered(around, len(mentions) + 1))
    return TurnView(
        source=turn.session,
        turn=turn.key,
        ordinal=turn.ordinal,
        texts=texts,
        actions=turn.actions,
        mentions=mentions,
        place=replace(turn.place),
        branch=turn.branch,
        completed_at=turn.completed_at,
        action_keys=tuple(joined.get(key, key) for key in action_keys),
    )
