"""What speaks for and against remembering a thing, as named numbers between 0 and 1.

Owns the signals; the ranker weighs them, the explanation names them. Every signal can be read off the turn by a person.
Knows nothing of weights.
"""

from collections.abc import Callable, Mapping

from ferrule.bridge.values import Role
from ferrule.referents.kinds import HandleKind
from ferrule.review.embedded import cues
from ferrule.review.embedded.command_signals import command_signals
from ferrule.review.embedded.file_signals import file_signals
from ferrule.review.embedded.folder_signals import folder_signals
from ferrule.review.embedded.naming import given_name
from ferrule.review.embedded.other_signals import other_signals
from ferrule.review.embedded.place_signals import place_signals
from ferrule.review.embedded.scenes import Scene, group_of, making_verbs, passes
from ferrule.review.embedded.surroundings import around, said_in, share_of
from ferrule.review.embedded.things import PATHS, Thing
from ferrule.review.embedded.work_signals import work_signals
from ferrule.session.turn import Verb

__all__ = ["signals_of"]

_HEAD = 280
_LEAST_SAID = 6
_NEAR = 200


def signals_of(scene: Scene, index: int) -> dict[str, float]:
    """The signals of one thing that are not zero."""
    found: dict[str, float] = {}
    for part in (_named, _done, _standing, _against, _by_group):
        found.update(part(scene, index))
    return {name: value for name, value in found.items() if value}


def _named(scene: Scene, index: int) -> dict[str, float]:
    thing, group = scene.things[index], group_of(scene.types[index])
    outcome, intent = scene.peers(group, scene.outcome_order), scene.peers(group, scene.intent_order)
    mentions = thing.within(Role.OUTCOME)
    return {
        "user": float(index in scene.intent_order),
        "user_said": float(index not in scene.intent_order and _said(scene, thing)),
        "user_url": float(any(m.kind is HandleKind.URL for m in thing.within(Role.INTENT))),
        "user_first": float(bool(intent) and intent[0] == index),
        "user_only": float(intent == [index]),
        "given": float(given_name(thing, scene.view) is not None),
        "outcome": float(bool(mentions)),
        "outcome_head": float(index in scene.outcome_order and scene.outcome_order[index] < _HEAD),
        "outcome_first": float(bool(outcome) and outcome[0] == index),
        "outcome_only": float(outcome == [index]),
        "outcome_again": float(len(mentions) > 1),
        "both": float(index in scene.intent_order and bool(mentions)),
        "subject": float(intent == [index] and index in scene.outcome_order and scene.outcome_order[index] < _HEAD),
        "outcome_said": float(not mentions and bool(thing.actions) and _told(scene, thing)),
        "crowd": min(1.0, max(0, len(outcome) - 3) / 6) if mentions else 0.0,
        "user_crowd": min(1.0, max(0, len(intent) - 2) / 4) if index in scene.intent_order else 0.0,
    }


def _said(scene: Scene, thing: Thing) -> bool:
    """Whether the user writes the handle in a way that no recogniser takes for one: a command in quotes, a bare id."""
    if thing.kind in PATHS:
        return False
    return any(len(value) >= _LEAST_SAID and value in scene.reading.intent for value in thing.values[:4])


def _told(scene: Scene, thing: Thing) -> bool:
    """Whether the outcome has the handle of what a call worked on, in a way that no recogniser takes for one."""
    return thing.kind not in PATHS and thing.kind is not HandleKind.COMMAND and said_in(thing, scene.reading.outcome)


def _done(scene: Scene, index: int) -> dict[str, float]:
    thing = scene.things[index]
    verbs = {action.verb for action in thing.actions if action.ok is not False}
    failed = bool(thing.actions) and all(action.ok is False for action in thing.actions)
    return {
        "changed": float(Verb.EDITED in verbs or Verb.MOVED in verbs or Verb.CONFIGURED in verbs),
        "made": float(bool(verbs & making_verbs(scene.types[index]))),
        "removed": float(Verb.DELETED in verbs),
        "handled": float(bool(verbs & _HANDLING)),
        "ran": float(bool(verbs & _RUNNING)),
        "read": float(bool(verbs & _READING) and not verbs - _READING),
        "failed": float(failed),
        "made_and_removed": float(Verb.CREATED in verbs and Verb.DELETED in verbs),
    }


_HANDLING = frozenset(
    {
        Verb.PUSHED,
        Verb.MERGED,
        Verb.COMMENTED,
        Verb.CLOSED,
        Verb.DELEGATED,
        Verb.PLANNED,
        Verb.STOPPED,
        Verb.FETCHED,
        Verb.VIEWED,
    }
)
_RUNNING = frozenset({Verb.RAN, Verb.TESTED, Verb.BUILT, Verb.INSTALLED})
_READING = frozenset({Verb.READ, Verb.LISTED, Verb.SEARCHED})


def _standing(scene: Scene, index: int) -> dict[str, float]:
    thing, reading = scene.things[index], scene.reading
    spoken = index in scene.intent_order or index in scene.outcome_order
    silent = not spoken and not _said(scene, thing) and not (thing.actions and _told(scene, thing))
    return {
        "seen": float(bool(thing.within(Role.OBSERVATION))),
        "silent": float(silent),
        "observed_only": float(silent and not thing.within(Role.ACTION)),
        "place": float(_is_place(scene, thing) and not thing.did(Verb.BRANCHED, Verb.CREATED, Verb.CLONED)),
        "place_user": float(index in scene.intent_order and _is_place(scene, thing)),
        "proposal": float(reading.proposes and index not in scene.intent_order),
        "answer": float(not reading.any_change and reading.asks),
        "idle": float(not reading.any_change),
        "keep": _kept(scene, thing) if reading.keep else 0.0,
        "plan": float(reading.plan and index in scene.intent_order),
    }


def _kept(scene: Scene, thing: Thing) -> float:
    """Whether the user asks, close to the thing, to keep it in mind."""
    for mention in thing.within(Role.INTENT):
        text = scene.view.text(mention.text)
        if text is not None and cues.KEEP.search(text.text, max(0, mention.start - _NEAR), mention.end + _NEAR):
            return 1.0
    return 0.0


def _is_place(scene: Scene, thing: Thing) -> bool:
    view = scene.view
    own = {value.rstrip("/\\").casefold() for value in (view.place.cwd, view.place.root) if value}
    if thing.kind is HandleKind.BRANCH:
        return view.branch is not None and view.branch in thing.values
    return any(value.rstrip("/\\").casefold() in own for value in thing.values)


def _against(scene: Scene, index: int) -> dict[str, float]:
    thing = scene.things[index]
    spoken = thing.within(Role.INTENT, Role.OUTCOME)
    near = around(scene, spoken)
    told = near[len(thing.within(Role.INTENT)) :]
    return {
        "passing": float(passes(thing)),
        "nested": _nested(scene, index),
        "transcript": float(thing.kind is HandleKind.SESSION_KEY) * share_of(near, _in_transcript),
        "example": share_of(near, lambda before, _: bool(cues.EXAMPLE.search(before))),
        "similar": share_of(near, lambda before, _: bool(cues.SIMILAR.search(before))),
        "guess": share_of(near, lambda before, _: bool(cues.GUESS.search(before))),
        "line_reference": share_of(near, lambda _, after: bool(cues.LINE_REFERENCE.match(after))),
        "unrelated": share_of(told, lambda before, after: bool(cues.UNRELATED.search(before + after))),
    }


def _nested(scene: Scene, index: int) -> float:
    """The share of spoken mentions that only stand inside a command or an address of another thing."""
    thing = scene.things[index]
    spoken = thing.within(Role.INTENT, Role.OUTCOME)
    if not spoken:
        return 0.0
    inside = [
        any(
            text == mention.text
            and start <= mention.start
            and mention.end <= end
            and end - start > mention.end - mention.start
            for text, start, end, owner in scene.frames
            if owner != index
        )
        for mention in spoken
    ]
    return sum(inside) / len(spoken)


def _in_transcript(before: str, after: str) -> bool:
    """Whether a session id is part of the path of a transcript, or is shown as one's name."""
    return before.endswith(("/", "\\")) or after.startswith((".json", "/")) or "transcript" in before.casefold()


def _by_group(scene: Scene, index: int) -> dict[str, float]:
    parts = _SPECIAL.get(group_of(scene.types[index]), (other_signals,))
    return {name: value for part in parts for name, value in part(scene, index).items()}


_SPECIAL: Mapping[str, tuple[Callable[[Scene, int], dict[str, float]], ...]] = {
    "file": (file_signals,),
    "command": (command_signals,),
    "folder": (folder_signals, place_signals),
    "work": (work_signals,),
}
