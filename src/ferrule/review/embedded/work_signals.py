"""Whether the turn is about a pull request, an issue or a task, though nobody may name its number.

Owns the signals of work items. Knows nothing of forges, trackers or weights.
"""

import re

from ferrule.review.embedded.scenes import MAKING, Scene, group_of

__all__ = ["work_signals"]

_WORK_WORDS = re.compile(
    r"\b(?:prs?|pull requests?|merge requests?|comments?|reviews?|feedback|issues?|tickets?|threads?)\b", re.IGNORECASE
)


def work_signals(scene: Scene, index: int) -> dict[str, float]:
    """Whether the turn is about a pull request, issue or task, though nobody may name its number."""
    thing, type_ = scene.things[index], scene.types[index]
    verbs = {action.verb for action in thing.actions if action.ok is not False}
    handled = [i for i, other in enumerate(scene.things) if group_of(scene.types[i]) == "work" and other.actions]
    spoken = index in scene.outcome_order or index in scene.intent_order
    same = [i for i in handled if scene.types[i] == type_]
    return {
        "made_named": float(bool(verbs & MAKING) and spoken),
        "asked_work": float(bool(verbs) and same == [index] and bool(_WORK_WORDS.search(scene.reading.intent))),
        "handled_named": float(bool(verbs) and spoken),
        "task": float(type_ == "Task"),
        "task_idle": float(type_ == "Task" and not scene.reading.any_change),
        "is_pull_request": float(type_ == "PullRequest"),
    }
