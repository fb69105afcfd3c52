"""Each thing of a turn is weighed by itself, then against the others: few are remembered, with reasons (R4, R71).

Owns the vetoes that no weight can outvote, the choice under caps, and the words for both. Knows nothing of the door.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from ferrule.bridge.values import Role, TurnView
from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind
from ferrule.review.embedded import cues
from ferrule.review.embedded.entity_types import FALLBACK, entity_type
from ferrule.review.embedded.merging import merge_aliases
from ferrule.review.embedded.ranker import GroupWeights, explain
from ferrule.review.embedded.reading import read
from ferrule.review.embedded.scenes import Scene, group_of, scene_of
from ferrule.review.embedded.signals import signals_of
from ferrule.review.embedded.things import Thing, gather, is_stale, with_former

__all__ = ["MOST_WRITES", "Judgement", "Weighed", "choose", "judge", "kept", "scene", "weigh"]

_MOST_CHANGED_FILES = 3
_CREATING = (Role.INTENT, Role.OUTCOME, Role.ACTION)
MOST_WRITES = 5
_CROWDED_OUT = "others of the changed files carry the change"
_MOST_LISTED = 16
_GIT_LISTS = frozenset({"file", "commit", "branch"})
_UNWEIGHED = GroupWeights(bias=-3.0, threshold=0.5, weights={})
_MECHANICS = expression(
    r"-online-(?:memory|action)-critic\b|\bONLINE_MEMORY_CRITIC_RESULT\b|\bferrule:context\b", re.IGNORECASE
)
_PLACEHOLDER = expression(
    r"[<>{}]|\$\{|\bexample\.(?:com|org|net)\b|\byour[-_]|\bfoo\b|\bx{4,}|/:\w|\.\.\.|…|\[id\]|\babc123", re.IGNORECASE
)
_PLACEHOLDER_KINDS = frozenset(
    {
        HandleKind.URL,
        HandleKind.HOST,
        HandleKind.BRANCH,
        HandleKind.SESSION_KEY,
        HandleKind.OTHER_ID,
        HandleKind.COMMAND,
        HandleKind.TASK_ID,
    }
)


@dataclass(frozen=True, slots=True)
class Weighed:
    """One candidate before weights: its signals, and a `veto`, a rule in words that keeps it out, or empty."""

    index: int
    type: str
    group: str
    signals: Mapping[str, float]
    veto: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was made of one candidate, and why."""

    index: int
    type: str
    score: float
    veto: str
    worth: bool
    reason: str


def scene(view: TurnView) -> Scene:
    """The turn's things with aliases made one, their types, and the turn-wide facts."""
    things = with_former(merge_aliases(gather(view), view), view)
    types = [entity_type(thing, view) if thing.within(*_CREATING) or thing.actions else FALLBACK for thing in things]
    return scene_of(view, read(view, things), things, types)


def judge(found: Scene, weights: Mapping[str, GroupWeights]) -> tuple[Judgement, ...]:
    """All candidates of a turn, the worthiest first, at most sixteen."""
    return choose(found, weigh(found), weights)


def weigh(found: Scene) -> tuple[Weighed, ...]:
    """The candidates of a turn with what speaks for and against each."""
    weighed = []
    for index in _candidates(found):
        signals = signals_of(found, index)
        type_ = found.types[index]
        weighed.append(Weighed(index, type_, group_of(type_), signals, _veto(found, index, signals)))
    return tuple(weighed)


def choose(found: Scene, weighed: Sequence[Weighed], weights: Mapping[str, GroupWeights]) -> tuple[Judgement, ...]:
    """Score against the weights, then against each other: what is kept comes first, the rest by score."""
    judged = [_judged(item, weights.get(item.group, _UNWEIGHED)) for item in weighed]
    judged.sort(key=lambda item: (bool(item.veto), -item.score, item.index))
    order = kept(found.reading.changed, [(item.index, group_of(item.type)) for item in judged if item.worth])
    place = {index: number for number, index in enumerate(order)}
    first = sorted((item for item in judged if item.index in place), key=lambda item: place[item.index])
    rest = [replace(item, worth=False, reason=_CROWDED_OUT) if item.worth else item for item in judged]
    return (*first, *(item for item in rest if item.index not in place))[:_MOST_LISTED]


def kept(changed: Collection[int], worthy: Sequence[tuple[int, str]]) -> tuple[int, ...]:
    """Of worthy (index, group), the worthiest first: at most three changed files; of many, first what git cannot list.

    More than `MOST_WRITES` may come back: who writes stops there.
    """
    files = [index for index, _ in worthy if index in changed][_MOST_CHANGED_FILES:]
    left = [(index, group) for index, group in worthy if index not in files]
    if len(left) > MOST_WRITES:  # what git cannot list comes before what it can (design.md section 7)
        left.sort(key=lambda item: item[1] in _GIT_LISTS)
    return tuple(index for index, _ in left)


def _judged(item: Weighed, weights: GroupWeights) -> Judgement:
    score = 0.0 if item.veto else weights.score(item.signals)
    worth = not item.veto and score >= weights.threshold
    return Judgement(
        item.index, item.type, score, item.veto, worth, item.veto or explain(weights, item.signals, worth=worth)
    )


def _candidates(found: Scene) -> list[int]:
    """Things that intent, outcome or an action that did not fail names (D9): observations create nothing."""
    return [
        index
        for index, thing in enumerate(found.things)
        if thing.within(Role.INTENT, Role.OUTCOME)
        or any(mention.ok is not False for mention in thing.within(Role.ACTION))
        or any(action.exists for action in thing.actions)
    ]


def _veto(found: Scene, index: int, signals: Mapping[str, float]) -> str:
    """The first rule that keeps a thing out, in words; empty when none does."""
    if is_stale(found.things[index], found.view):
        return "it moved: this is where it was"
    return next((words for rule, words in _VETOES if rule(found.things[index], signals)), "")


def _unspoken(signals: Mapping[str, float]) -> bool:
    return not (signals.get("user") or signals.get("outcome"))


_VETOES: tuple[tuple[Callable[[Thing, Mapping[str, float]], object], str], ...] = (
    (lambda t, _: any(_MECHANICS.search(value) for value in t.values), "it belongs to the memory critic itself"),
    (lambda _, s: s.get("passing"), "it is temporary, generated, a log or a placeholder"),
    (
        lambda t, _: t.kind in _PLACEHOLDER_KINDS and any(_PLACEHOLDER.search(value) for value in t.values),
        "it is a placeholder",
    ),
    (lambda _, s: s.get("transcript", 0.0) == 1.0, "it is part of a transcript's path"),
    (lambda _, s: s.get("made_and_removed") and not s.get("user"), "it was made and removed within the turn"),
    (lambda _, s: s.get("failed") and _unspoken(s), "what was done to it failed"),
    (lambda _, s: s.get("example", 0.0) == 1.0, "it is only an example"),
    (lambda t, s: s.get("guess", 0.0) == 1.0 and not t.actions, "it is only a guess"),
    (
        lambda t, _: t.kind is HandleKind.COMMAND and any(cues.INSPECTION.search(value) for value in t.values),
        "it is a command that only looks at things",
    ),
    (
        lambda t, _: t.kind is HandleKind.COMMAND and all(cues.BARE.fullmatch(value) for value in t.values),
        "it is no whole command",
    ),
)
