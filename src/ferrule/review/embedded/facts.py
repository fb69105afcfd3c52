"""A judged thing with all that writing it takes: names, handles, each with the mention that proves it (D9, R46).

Owns the choice of which mention stands for a handle. Knows nothing of definitions or of what is known.
"""

from collections.abc import Sequence

from ferrule.bridge.evidence import cited_text
from ferrule.bridge.modality import admissible, provable
from ferrule.bridge.values import Candidate, Confidence, Evidence, Mention, MentionRef, Modality, Proves, Role, TurnView
from ferrule.bridge.wording import proposes
from ferrule.referents.kinds import HandleKind
from ferrule.review.embedded.endings import state_of
from ferrule.review.embedded.entity_types import lifecycle_of
from ferrule.review.embedded.judging import Judgement
from ferrule.review.embedded.merging import path_parts
from ferrule.review.embedded.naming import aliases_of, forms_of, given_name, name_of
from ferrule.review.embedded.scenes import Scene
from ferrule.review.embedded.things import PATHS, Thing
from ferrule.review.prospect import HandleFact, Prospect, TextFact
from ferrule.session.turn import Verb

__all__ = ["prospect_of"]

_ROLES = {Role.INTENT: 0, Role.OUTCOME: 1, Role.ACTION: 2, Role.OBSERVATION: 3}
_MAX_HANDLES = 3
_FOLDERS = frozenset({"Directory", "Repository", "Worktree"})
_NUMBERS = frozenset({HandleKind.PULL_REQUEST, HandleKind.ISSUE})


def prospect_of(found: Scene, judgement: Judgement) -> Prospect:
    """The prospect of one judgement."""
    thing, view = found.things[judgement.index], found.view
    handles = _handles(thing, judgement.type, view)
    modality = _modality(thing, judgement.type, view)
    if handles and handles[0].modality.rung < modality.rung:  # the written spelling proves less than another one
        modality = handles[0].modality
    name = name_of(thing, judgement.type, view)
    aliases = aliases_of(thing, name, view) if judgement.worth else ()
    strong = bool(handles) and not judgement.veto
    candidate = Candidate(
        label=name.value,
        aliases=tuple(alias.value for alias in aliases),
        lifecycle=lifecycle_of(thing, judgement.type),
        strong=strong,
        confidence=Confidence.HIGH if strong and judgement.worth else Confidence.LOW,
        mentions=tuple(mention.id for mention in thing.mentions[:12]),
        evidence=_evidence(thing, (name, *aliases), handles, view),
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
        forms=forms_of(thing, judgement.type, name) if judgement.worth else (),
        former=thing.former[:1],
        given=given_name(thing, view) if judgement.worth else None,
        state=state_of(thing, judgement.type, view),
        again=thing.did(Verb.STARTED, Verb.OPENED),
    )


def _evidence(
    thing: Thing, texts: Sequence[TextFact], handles: Sequence[HandleFact], view: TurnView
) -> tuple[Evidence, ...]:
    """Where name, aliases and handles stand, and where user and outcome first name it: each role tells (R32)."""
    found = [
        *(evidence for text in texts for evidence in text.evidence),
        *(evidence for handle in handles for evidence in handle.evidence),
    ]
    told = {said[1] for evidence in found if (said := cited_text(view, evidence.cites)) is not None}
    for role in (Role.INTENT, Role.OUTCOME):
        spoken = thing.within(role)
        if role not in told and spoken:
            found.append(Evidence(MentionRef(spoken[0].id), Proves.NAME))
    return tuple(found)


def _modality(thing: Thing, type_: str, view: TurnView) -> Modality:
    """What the turn proves; what nobody touched or saw and the answer only offers is planned, however it is named."""
    proved = provable(view, thing.keys)
    offered = thing.within(Role.OUTCOME)
    if (
        type_ == "Host"
        and proved is Modality.CREATED
        and not thing.actions
        and admissible(view, thing.keys, Modality.EXISTING)
    ):
        return Modality.EXISTING  # "created on host-2": what is deployed is new, the machine is not
    if proved not in (Modality.EXISTING, Modality.REPORTED) or thing.actions or not offered:
        return proved
    seen = any(mention.ok is not False for mention in thing.within(Role.ACTION, Role.OBSERVATION))
    if type_ in _FOLDERS and proved is Modality.EXISTING and thing.within(Role.INTENT):
        return proved  # a file that the user names may only be drafted; a folder is named because it is there
    texts = [(view.text(mention.text), mention) for mention in offered]
    only_offered = all(text is not None and proposes(text.text, m.start, m.end) for text, m in texts)
    return Modality.PLANNED if only_offered and not seen and thing.kind in PATHS else proved


def _handles(thing: Thing, type_: str, view: TurnView) -> tuple[HandleFact, ...]:
    """One handle per kind of spelling: paths are one; a number stands beside its address only as somebody wrote it."""
    families: dict[str, list[Mention]] = {}
    for mention in thing.mentions:
        twin = mention.kind in PATHS and thing.kind not in PATHS and not _absolute(mention.value)
        shown = mention.kind is HandleKind.URL and mention.role is Role.OBSERVATION
        pinned = shown and (thing.kind in PATHS or ("#" in mention.value and not _addressed(thing)))
        if (
            not twin and not pinned
        ):  # a branch's name read as a path; a file's or a comment's address that only a tool shows
            families.setdefault(_family(mention), []).append(mention)
    addressed = HandleKind.URL.value in families
    proving = frozenset(thing.keys)
    if len(thing.keys) > 1:
        whole = provable(view, thing.keys)
        proving = frozenset(key for key in thing.keys if provable(view, (key,)) is whole)
    named = frozenset(m.key for m in thing.mentions if m.role is not Role.OBSERVATION and m.ok is not False)
    chosen = []
    for family, mentions in families.items():
        best = (
            _number(mentions, type_, alone=not addressed) if family == "number" else _telling(mentions, proving, named)
        )
        if best is not None:
            chosen.append(best)
    chosen = chosen[:_MAX_HANDLES]
    keys = tuple(dict.fromkeys(mention.key for mention in chosen))
    modality = provable(view, keys)
    return tuple(
        HandleFact(m.kind, m.value, m.key, (Evidence(MentionRef(m.id), Proves.HANDLE),), modality) for m in chosen
    )


def _addressed(thing: Thing) -> bool:
    """Whether it has no handle but addresses, or one that leads to the whole of it."""
    kinds = {mention.kind for mention in thing.mentions if mention.role is not Role.OBSERVATION}
    return not kinds & _NUMBERS


def _family(mention: Mention) -> str:
    if mention.kind in PATHS:
        return "path"
    return "number" if mention.kind in _NUMBERS else mention.kind.value


def _number(mentions: Sequence[Mention], type_: str, *, alone: bool) -> Mention | None:
    """The number as spoken, of the kind that the type says; one that only repeats the address is left out."""
    kind = HandleKind.PULL_REQUEST if type_ == "PullRequest" else HandleKind.ISSUE
    fitting = [m for m in mentions if m.kind is kind] or list(mentions)
    if not alone:
        fitting = [m for m in fitting if "/" not in m.value and m.role in (Role.INTENT, Role.OUTCOME)]
    return min(fitting, key=lambda m: (_ROLES[m.role], "/" in m.value, "#" not in m.value), default=None)


def _telling(mentions: Sequence[Mention], proving: frozenset[str], named: frozenset[str]) -> Mention:
    """The mention that serves a later turn best: of a path the absolute spelling, else the first spoken.

    A spelling whose own identity key somebody named (not only a tool's output, D9), and that proves what the turn
    proves of the whole thing (D10), comes first.
    """
    if mentions[0].kind in PATHS:
        return max(
            mentions,
            key=lambda m: (
                m.key in named,
                m.key in proving and len(path_parts(m.value)) > 1,
                _absolute(m.value),
                len(path_parts(m.value)),
                -_ROLES[m.role],
            ),
        )
    if mentions[0].kind is HandleKind.URL:
        return min(mentions, key=lambda m: (_ROLES[m.role], "#" in m.value, len(m.value)))
    return min(mentions, key=lambda m: (m.value.isdigit(), _ROLES[m.role]))  # `task#8` tells more than `8`


def _absolute(value: str) -> bool:
    return value.startswith(("/", "~", "\\\\")) or value[1:3] in (":\\", ":/")
