"""How a file stands among the files of its turn, as numbers between 0 and 1.

Each composite here is a rule that a careful colleague would sign, as a number the ranker may weigh. Owns the rules for
files. Knows nothing of weights.
"""

import re
from functools import lru_cache

from ferrule.bridge.values import Role
from ferrule.bridge.wording import claims_done, proposes
from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind
from ferrule.review.embedded import cues
from ferrule.review.embedded.merging import path_parts
from ferrule.review.embedded.pathclass import is_support, is_test
from ferrule.review.embedded.scenes import Scene
from ferrule.review.embedded.things import PATHS, Thing
from ferrule.review.embedded.words import generic_nouns, words_name
from ferrule.session.turn import Verb

__all__ = ["file_signals"]

_DEEP = 2  # `/workspace` is where things are, not a thing
_CENTRAL = 3  # the two or three files that carry a change
_DIFF_REACH = 200
_DIFF = "```diff"
_NEAR_END = 3  # parts of a path that tell what a document is: its name and two folders
_PLANS = expression(
    r"(?<![a-z])(?:plans?|specs?|tasks?|designs?|brief|prds?|adrs?|rfcs?|playbooks?|roadmap|proposals?|handoff|todo)"
    r"(?![a-z])"
)
_CHANGES_TO = expression(
    r"\b(?:changes|edits|änderungen|cambios|modifications) (?:made )?(?:to|in|an|en|à)\W{0,6}$", re.IGNORECASE
)
_ASKS_WHERE = expression(
    r"\b(?:where|which (?!is|was|are|were|has|have|had|means?|can|could|will|would|should|fails?|makes?|do|does|did)\w+"
    r"|whereabouts|what(?:'s| is) the (?:path|file|name)|find (?:me )?the|wo|welche[rs]?|où|quel(?:le)?s?|dónde|cuál"
    r"|onde|qual|dove|quale|waar|welke)\b|(?:哪|どこ|どの|어디|어느|где|какой)",
    re.IGNORECASE,
)
_ANSWER = 160  # code points: an answer to "where" begins with the place
_SAVED = expression(
    r"\b(?:saved|wrote|written|exported|dumped|generated|gespeichert|geschrieben|enregistré\w{0,2}|guardad[oa]"
    r"|salv[oa]d?[oa]?)\b[^.!?\n]{0,60}$|(?:保存|出力)[^。\n]{0,20}$",
    re.IGNORECASE,
)
_SAVED_REACH = 80
_MAX_INTENT = 4_000
_ORDERED = expression(
    r"\b(?:updat(?:e|ing)|edit(?:ing)?|add(?:ing)?|writ(?:e|ing)|document(?:ing)?|chang(?:e|es|ing)|fix(?:ing)?"
    r"|remov(?:e|ing)|adjust(?:ing)?|improv(?:e|ing)|rewrit(?:e|ing)|extend(?:ing)?|revis(?:e|ing)|refactor(?:ing)?"
    r"|aktualisier\w{0,2}|änder\w{0,2}|ergänz\w{0,2}|actualiza\w{0,1}|añad\w{0,2}|modifi\w{0,4}|ajout\w{0,2})\b"
    r"|(?:更新|修改|添加)",
    re.IGNORECASE,
)


def file_signals(scene: Scene, index: int) -> dict[str, float]:
    """How a file stands among the files of the turn, and whether the turn calls it by other words."""
    return _what(scene, index) | (_changed if index in scene.reading.changed else _unchanged)(scene, index)


def _what(scene: Scene, index: int) -> dict[str, float]:
    """What holds of a file whether it was changed or not."""
    thing, reading = scene.things[index], scene.reading
    spoken = index in scene.intent_order or index in scene.outcome_order
    made, address = spoken and thing.did(Verb.CREATED), thing.kind is HandleKind.URL
    support = any(is_support(value) for value in thing.values)
    return {
        "support": float(support and bool(reading.production) and index not in reading.production),
        "made_named": float(made and (address or index in reading.changed)),
        "made_address": float(made and address),
        "removed_first": float(thing.did(Verb.DELETED) and index in _told_files(scene)[:2]),
        "user_path": float(index in scene.intent_order and _written_whole(thing)),
        "unlocated": float(_unlocated(thing)),
        "plan_first": float(
            index not in scene.intent_order and index in _told_files(scene)[:1] and _plans(scene, index)
        ),
        "document": float(scene.types[index] == "Document"),
        "config": float(scene.types[index] == "ConfigFile"),
        "prompt": float(scene.types[index] == "PromptFile"),
        "address": float(address),
    }


def _changed(scene: Scene, index: int) -> dict[str, float]:
    """How a changed file stands among the changed ones."""
    thing, reading = scene.things[index], scene.reading
    user, outcome = index in scene.intent_order, index in scene.outcome_order
    central = len(reading.production) <= _CENTRAL
    asked = not user and _generic(scene, index, reading.intent)
    told = not outcome and not asked and _generic(scene, index, reading.outcome)
    support = any(is_support(value) for value in thing.values)
    return {
        "sole": float(reading.changed == (index,)),
        "sole_production": float(reading.production == (index,)),
        "asked_test": float(_asked_test(scene, index)),
        "worded": float(asked),
        "worded_outcome": float(told),
        "few": float(central),
        "sweep": min(1.0, max(0, len(reading.changed) - 4) / 6),
        "changed_named": float(outcome),
        "changed_user": float(user),
        "changed_few_named": float((user or outcome) and central and not support),
        "changed_first": float(index in _told_files(scene)[:2]),
        "edit_share": len(thing.changes) / reading.edits if reading.edits else 0.0,
        "committed": float(reading.committed),
        "lead": float(len(reading.changed) > _CENTRAL + 1 and _told_files(scene)[:1] == [index]),
    }


def _unchanged(scene: Scene, index: int) -> dict[str, float]:
    """Why a file that no record shows changed may be what the turn is about."""
    thing, reading = scene.things[index], scene.reading
    user, outcome = index in scene.intent_order, index in scene.outcome_order
    claimed = not thing.actions and not reading.changed and index in _told_files(scene)[:2] and _claimed(scene, thing)
    return {
        "claimed": float(claimed),
        "user_file": float(user and not reading.any_change),
        "user_read": float(user and reading.any_change),
        "drafted": float(user and outcome and not reading.any_change and _drafted(scene, thing)),
        "plan_user": float(user and _plans(scene, index)),
        "answers_where": float(not user and not reading.changed and _answers_where(scene, index)),
        "saved": float(outcome and _ran(scene) and _saved(scene, thing)),
        "shown_diff": float(outcome and not thing.changes and _shown_diff(scene, thing)),
        "ordered": float(not user and not reading.changed and _ordered(scene, index)),
    }


def _told_files(scene: Scene) -> list[int]:
    """The files that the outcome names, in its order."""
    return scene.peers("file", scene.outcome_order)


_PROSE = (".md", ".mdx", ".mdc", ".rst", ".adoc", ".org", ".txt")
_WRITINGS = frozenset({"Document", "PromptFile"})


def _plans(scene: Scene, index: int) -> bool:
    """Whether its path calls it a plan, a specification, a task: what work is steered by."""
    thing = scene.things[index]
    if scene.types[index] not in _WRITINGS or not any(value.lower().endswith(_PROSE) for value in thing.values):
        return False
    return bool(_PLANS.search(" ".join(path_parts(max(thing.values, key=len))[-_NEAR_END:])))


def _answers_where(scene: Scene, index: int) -> bool:
    """The user asks where or which, and the outcome begins with this path."""
    if scene.outcome_order.get(index, _ANSWER) >= _ANSWER or scene.peers("file", scene.outcome_order)[:1] != [index]:
        return False
    return not _unlocated(scene.things[index]) and _asks_where(scene.reading.intent)


def _ran(scene: Scene) -> bool:
    return any(action.verb in _RUNNING and action.ok is not False for action in scene.view.actions)


_RUNNING = frozenset({Verb.RAN, Verb.BUILT, Verb.CREATED, Verb.DEPLOYED})


def _saved(scene: Scene, thing: Thing) -> bool:
    """Whether the outcome says that what was asked for is saved there: a command wrote it, no editor did."""
    for mention in thing.within(Role.OUTCOME):
        text = scene.view.text(mention.text)
        if text is not None and _SAVED.search(text.text[max(0, mention.start - _SAVED_REACH) : mention.start]):
            return True
    return False


def _shown_diff(scene: Scene, thing: Thing) -> bool:
    """Whether the outcome shows a difference right behind its name: the edit of an editor without tool records."""
    for mention in thing.within(Role.OUTCOME):
        text = scene.view.text(mention.text)
        if text is not None and _DIFF in text.text[mention.end : mention.end + _DIFF_REACH]:
            return True
    return False


def _ordered(scene: Scene, index: int) -> bool:
    """The user orders a change of it by its words, it was looked at or named, and nothing is written yet."""
    thing, intent = scene.things[index], scene.reading.intent
    if not (thing.actions or index in scene.outcome_order) or not _orders(intent):
        return False
    if thing.kind not in PATHS:
        return False
    if words_name(thing, intent) and generic_nouns(thing, "", intent):  # "the readme", "the changelog"
        return True
    alone = scene.peers("file", scene.outcome_order) == [index]
    return alone and bool(generic_nouns(thing, scene.types[index], intent))


@lru_cache(maxsize=8)
def _orders(intent: str) -> bool:
    """Whether the user wants something changed; looked up once a turn, for its files ask in a row."""
    return bool(_ORDERED.search(intent[:_MAX_INTENT]))


@lru_cache(maxsize=8)
def _asks_where(intent: str) -> bool:
    return bool(_ASKS_WHERE.search(intent[:_MAX_INTENT]))


def _asked_test(scene: Scene, index: int) -> bool:
    """The turn asks for tests, or speaks of one, and this is the one test file that was edited."""
    changed = [i for i in scene.reading.changed if any(is_test(value) for value in scene.things[i].values)]
    spoken = scene.reading.about_tests or bool(cues.ABOUT_TESTS.search(scene.reading.outcome[:600]))
    return changed == [index] and spoken


def _generic(scene: Scene, index: int, text: str) -> bool:
    """A plain word resolves to this file: its own stem, or a noun that fits no other changed file."""
    if words_name(scene.things[index], text):
        return True
    mine = generic_nouns(scene.things[index], scene.types[index], text)
    others = [generic_nouns(scene.things[i], scene.types[i], text) for i in scene.reading.changed if i != index]
    return bool(mine.difference(*others)) if others else bool(mine)


def _drafted(scene: Scene, thing: Thing) -> bool:
    """Ordered by the user, only planned by the outcome: nobody has touched or seen it yet."""
    if thing.actions or thing.within(Role.ACTION, Role.OBSERVATION):
        return False
    texts = [(scene.view.text(mention.text), mention) for mention in thing.within(Role.OUTCOME)]
    return all(text is not None and proposes(text.text, m.start, m.end) for text, m in texts)


def _written_whole(thing: Thing) -> bool:
    """Whether the user writes more of its path than the bare name."""
    return any(len(path_parts(mention.value)) >= _DEEP for mention in thing.within(Role.INTENT))


def _unlocated(thing: Thing) -> bool:
    """A bare name that nobody opened or saw: where it lies is unknown, and it may be a name in passing."""
    touched = thing.actions or thing.within(Role.ACTION, Role.OBSERVATION)
    return thing.kind in PATHS and not touched and all(len(path_parts(value)) < _DEEP for value in thing.values)


def _claimed(scene: Scene, thing: Thing) -> bool:
    for mention in thing.within(Role.OUTCOME):
        text = scene.view.text(mention.text)
        if text is None:
            continue
        if claims_done(text.text, mention.start, mention.end) or _CHANGES_TO.search(text.text[: mention.start][-40:]):
            return True
    return False
