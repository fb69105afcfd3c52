"""What speaks for and against remembering a thing, as named numbers between 0 and 1.

Owns the signals; the ranker weighs them, the explanation names them. Every signal can be read off the turn by a person.
Knows nothing of weights.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ferrule.bridge.values import Mention, Role, TurnView
from ferrule.referents.kinds import HandleKind
from ferrule.review.embedded import cues
from ferrule.review.embedded.entity_types import FILE_TYPES
from ferrule.review.embedded.pathclass import is_passing, is_support
from ferrule.review.embedded.reading import Reading, position
from ferrule.review.embedded.things import PATHS, Thing
from ferrule.review.embedded.words import words_name
from ferrule.session.turn import Verb

__all__ = ["GROUPS", "Scene", "group_of", "signals_of"]

_HEAD = 280
_BEFORE = 90
_FOLDERS = frozenset({"Directory", "Repository", "Worktree"})
_WORK = frozenset({"PullRequest", "Issue", "Task"})
GROUPS = ("file", "folder", "work", "commit", "branch", "command", "session", "other")


@dataclass(frozen=True, slots=True)
class Scene:
    """One turn as the signals see it: its view, its facts, all its things with their types, and orders of mention."""

    view: TurnView
    reading: Reading
    things: tuple[Thing, ...]
    types: tuple[str, ...]
    outcome_order: Mapping[int, int]
    intent_order: Mapping[int, int]

    def peers(self, group: str, order: Mapping[int, int]) -> list[int]:
        """Things of a group in order of mention."""
        members = [i for i in order if group_of(self.types[i]) == group]
        return sorted(members, key=lambda i: order[i])


def scene_of(view: TurnView, reading: Reading, things: Sequence[Thing], types: Sequence[str]) -> Scene:
    """The scene of a turn."""
    return Scene(
        view,
        reading,
        tuple(things),
        tuple(types),
        _order(view, things, Role.OUTCOME),
        _order(view, things, Role.INTENT),
    )


def _order(view: TurnView, things: Sequence[Thing], role: Role) -> dict[int, int]:
    found = {}
    for index, thing in enumerate(things):
        spots = [position(view.text(m.text), m) for m in thing.within(role)]
        if spots:
            found[index] = min(spots)
    return found


def group_of(type_: str) -> str:
    """The group whose weights judge a type."""
    if type_ in FILE_TYPES or type_ in ("Dataset", "Model"):
        return "file"
    if type_ in _FOLDERS:
        return "folder"
    if type_ in _WORK:
        return "work"
    lone = {"Commit": "commit", "Branch": "branch", "Command": "command", "Session": "session"}
    return lone.get(type_, "other")


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
        "user_url": float(any(m.kind is HandleKind.URL for m in thing.within(Role.INTENT))),
        "user_first": float(bool(intent) and intent[0] == index),
        "user_only": float(intent == [index]),
        "outcome": float(bool(mentions)),
        "outcome_head": float(index in scene.outcome_order and scene.outcome_order[index] < _HEAD),
        "outcome_first": float(bool(outcome) and outcome[0] == index),
        "outcome_only": float(outcome == [index]),
        "outcome_again": float(len(mentions) > 1),
        "both": float(index in scene.intent_order and bool(mentions)),
        "crowd": min(1.0, max(0, len(outcome) - 3) / 6) if mentions else 0.0,
        "user_crowd": min(1.0, max(0, len(intent) - 2) / 4) if index in scene.intent_order else 0.0,
    }


def _done(scene: Scene, index: int) -> dict[str, float]:
    thing = scene.things[index]
    verbs = {action.verb for action in thing.actions if action.ok is not False}
    failed = bool(thing.actions) and all(action.ok is False for action in thing.actions)
    return {
        "changed": float(Verb.EDITED in verbs or Verb.MOVED in verbs or Verb.CONFIGURED in verbs),
        "made": float(bool(verbs & _MAKING)),
        "removed": float(Verb.DELETED in verbs),
        "handled": float(bool(verbs & _HANDLING)),
        "ran": float(bool(verbs & _RUNNING)),
        "read": float(bool(verbs & _READING) and not verbs - _READING),
        "failed": float(failed),
        "made_and_removed": float(Verb.CREATED in verbs and Verb.DELETED in verbs),
    }


_MAKING = frozenset(
    {
        Verb.CREATED,
        Verb.OPENED,
        Verb.BRANCHED,
        Verb.COMMITTED,
        Verb.TAGGED,
        Verb.RELEASED,
        Verb.CLONED,
        Verb.STARTED,
        Verb.DEPLOYED,
    }
)
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
    silent = index not in scene.intent_order and index not in scene.outcome_order
    return {
        "seen": float(bool(thing.within(Role.OBSERVATION))),
        "silent": float(silent),
        "observed_only": float(silent and not thing.within(Role.ACTION)),
        "place": float(_is_place(scene, thing)),
        "proposal": float(reading.proposes and index not in scene.intent_order),
        "answer": float(not reading.any_change and reading.asks),
        "idle": float(not reading.any_change),
        "keep": float(reading.keep and index in scene.intent_order),
        "plan": float(reading.plan and index in scene.intent_order),
    }


def _is_place(scene: Scene, thing: Thing) -> bool:
    view = scene.view
    own = {value.rstrip("/\\").casefold() for value in (view.place.cwd, view.place.root) if value}
    if thing.kind is HandleKind.BRANCH:
        return view.branch is not None and view.branch in thing.values
    return any(value.rstrip("/\\").casefold() in own for value in thing.values)


def _against(scene: Scene, index: int) -> dict[str, float]:
    thing = scene.things[index]
    spoken = thing.within(Role.INTENT, Role.OUTCOME)
    return {
        "passing": float(thing.kind in PATHS and any(is_passing(value) for value in thing.values)),
        "example": _share(scene, spoken, lambda before, _: bool(cues.EXAMPLE.search(before))),
        "similar": _share(scene, spoken, lambda before, _: bool(cues.SIMILAR.search(before))),
        "guess": _share(scene, spoken, lambda before, _: bool(cues.GUESS.search(before))),
        "line_reference": _share(scene, spoken, lambda _, after: bool(cues.LINE_REFERENCE.match(after))),
        "unrelated": _share(
            scene,
            thing.within(Role.OUTCOME),
            lambda b, a: bool(cues.UNRELATED.search(b + a) or cues.UNTOUCHED.search(b + a)),
        ),
    }


def _share(scene: Scene, mentions: Sequence[Mention], test: Callable[[str, str], bool]) -> float:
    """The share of mentions whose surroundings (same line: 90 code points before, 90 after) pass the test."""
    if not mentions:
        return 0.0
    hits = 0
    for mention in mentions:
        text = scene.view.text(mention.text)
        if text is not None:
            before = text.text[max(0, mention.start - _BEFORE) : mention.start]
            after = text.text[mention.end : mention.end + _BEFORE].split("\n", 1)[0]
            hits += test(before, after)
    return hits / len(mentions)


def _by_group(scene: Scene, index: int) -> dict[str, float]:
    special = {"file": _file, "command": _command, "folder": _folder}.get(group_of(scene.types[index]))
    return special(scene, index) if special else {}


def _file(scene: Scene, index: int) -> dict[str, float]:
    thing, reading = scene.things[index], scene.reading
    mine = index in reading.changed
    support = any(is_support(value) for value in thing.values)
    spoken = index in scene.intent_order or index in scene.outcome_order
    worded = not spoken and words_name(thing, reading.intent + "\n" + reading.outcome)
    production = len(reading.production)
    return {
        "sole": float(reading.changed == (index,)),
        "sole_production": float(reading.production == (index,)),
        "support": float(support and production > 0),
        "support_asked": float(support and mine and reading.about_tests),
        "worded": float(worded),
        "few": float(mine and production <= 3),  # noqa: PLR2004 - GUIDE: two or three central files
        "sweep": min(1.0, max(0, len(reading.changed) - 4) / 6) if mine else 0.0,
        "changed_named": float(mine and spoken),
        "changed_user": float(mine and index in scene.intent_order),
        "changed_few_named": float(mine and spoken and production <= 3 and not support),  # noqa: PLR2004
        "changed_first": float(mine and bool(scene.peers("file", scene.outcome_order)[:2].count(index))),
        "edit_share": len(thing.changes) / reading.edits if mine and reading.edits else 0.0,
        "committed": float(mine and reading.committed),
        "claimed": float(
            not thing.actions and not reading.any_change and not reading.asks and index in scene.outcome_order
        ),
        "document": float(scene.types[index] == "Document"),
        "config": float(scene.types[index] == "ConfigFile"),
    }


def _command(scene: Scene, index: int) -> dict[str, float]:
    thing = scene.things[index]
    outcome = thing.within(Role.OUTCOME)
    value = thing.values[0]
    spots = [position(scene.view.text(m.text), m) for m in outcome]
    late = bool(spots) and max(spots) > 0.6 * len(scene.reading.outcome)  # noqa: PLR2004 - the last part of the answer
    return {
        "announced": float(any(_announced(scene, mention) for mention in outcome)),
        "announced_late": float(late and any(_announced(scene, mention) for mention in outcome)),
        "routine": float(bool(cues.ROUTINE.search(value))),
        "inspection": float(bool(cues.INSPECTION.search(value))),
        "long": min(1.0, len(value) / 80),
    }


def _announced(scene: Scene, mention: Mention) -> bool:
    text = scene.view.text(mention.text)
    if text is None:
        return False
    return bool(cues.ANNOUNCES.search(text.text[max(0, mention.start - 120) : mention.start]))


def _folder(scene: Scene, index: int) -> dict[str, float]:
    thing = scene.things[index]
    prefixes = tuple(value.rstrip("/\\").casefold() for value in thing.values)
    inside = [
        i
        for i in scene.reading.changed
        if any(v.casefold().startswith(p + s) for v in scene.things[i].values for p in prefixes for s in "/\\")
    ]
    made = [i for i in inside if scene.things[i].did(Verb.CREATED)]
    return {
        "repository": float(scene.types[index] == "Repository"),
        "worktree": float(scene.types[index] == "Worktree"),
        "many_inside": float(len(made) > 3),  # noqa: PLR2004 - GUIDE: many documents created
        "absolute": float(any(value.startswith(("/", "~")) or value[1:2] == ":" for value in thing.values)),
        "remote": float(thing.kind in (HandleKind.REPOSITORY_ID, HandleKind.URL)),
    }
