"""A judged thing with all that writing it takes: names, handles, each with the mention that proves it (D9, R46).

Owns the choice of which mention stands for a handle. Knows nothing of definitions or of what is known.
"""

from collections.abc import Sequence

from ferrule.bridge.modality import provable
from ferrule.bridge.values import Candidate, Confidence, Evidence, Mention, MentionRef, Modality, Proves, Role, TurnView
from ferrule.referents.kinds import HandleKind
from ferrule.review.embedded.entity_types import lifecycle_of
from ferrule.review.embedded.judging import Judgement
from ferrule.review.embedded.merging import path_parts
from ferrule.review.embedded.naming import aliases_of, forms_of, name_of
from ferrule.review.embedded.signals import Scene
from ferrule.review.embedded.things import PATHS, Thing
from ferrule.review.prospect import HandleFact, Prospect

__all__ = ["prospect_of"]

_ROLES = {Role.INTENT: 0, Role.OUTCOME: 1, Role.ACTION: 2, Role.OBSERVATION: 3}
_MAX_HANDLES = 4


def prospect_of(found: Scene, judgement: Judgement) -> Prospect:
    """The prospect of one judgement."""
    thing, view = found.things[judgement.index], found.view
    modality = provable(view, thing.keys)
    handles = _handles(thing, view, modality)
    name = name_of(thing, judgement.type, view)
    aliases = aliases_of(thing, name, view)
    strong = bool(handles) and not judgement.veto
    candidate = Candidate(
        label=name.value,
        aliases=tuple(alias.value for alias in aliases),
        lifecycle=lifecycle_of(thing, judgement.type),
        strong=strong,
        confidence=Confidence.HIGH if strong and judgement.worth else Confidence.LOW,
        mentions=tuple(mention.id for mention in thing.mentions[:12]),
        evidence=(*name.evidence, *(evidence for handle in handles for evidence in handle.evidence)),
        keys=thing.keys,
        modality=modality,
        score=round(judgement.score, 4),
    )
    return Prospect(
        candidate=candidate,
        type=judgement.type,
        name=name,
        aliases=aliases,
        handles=handles,
        worth=judgement.worth and bool(handles),
        reason=judgement.reason,
        forms=forms_of(thing, judgement.type, name),
    )


def _handles(thing: Thing, view: TurnView, modality: Modality) -> tuple[HandleFact, ...]:
    """One handle per kind of spelling: paths are one, a number and its address are two."""
    families: dict[object, list[Mention]] = {}
    for mention in thing.mentions:
        family = "path" if mention.kind in PATHS else mention.kind
        families.setdefault(family, []).append(mention)
    chosen = [_telling(mentions) for mentions in families.values()]
    return tuple(
        HandleFact(m.kind, m.value, m.key, (Evidence(MentionRef(m.id), Proves.HANDLE),), modality)
        for m in chosen[:_MAX_HANDLES]
    )


def _telling(mentions: Sequence[Mention]) -> Mention:
    """The mention that serves a later turn best: an absolute path, a whole SHA as spoken, else the first spoken."""
    if mentions[0].kind in PATHS:
        return max(mentions, key=lambda m: (_absolute(m.value), len(path_parts(m.value)), -_ROLES[m.role]))
    if mentions[0].kind is HandleKind.URL:
        return min(mentions, key=lambda m: (_ROLES[m.role], "#" in m.value, len(m.value)))
    return min(mentions, key=lambda m: _ROLES[m.role])


def _absolute(value: str) -> bool:
    return value.startswith(("/", "~", "\\\\")) or value[1:3] in (":\\", ":/")
