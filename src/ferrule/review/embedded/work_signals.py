"""Whether the turn is about a pull request, an issue or a task, though nobody may name its number.

Owns the signals of work items. Knows nothing of forges, trackers or weights.
"""

import re

from ferrule.bridge.values import Role
from ferrule.bridge.wording import claims_done
from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind
from ferrule.review.embedded import cues
from ferrule.review.embedded.reading import position
from ferrule.review.embedded.scenes import MAKING, Scene, group_of
from ferrule.review.embedded.surroundings import around
from ferrule.review.embedded.things import Thing

__all__ = ["work_signals"]

_WORK_WORDS = expression(
    r"\b(?:prs?|pull requests?|merge requests?|comments?|reviews?|feedback|issues?|tickets?|threads?|bugs?|tasks?"
    r"|aufgaben?|vorgänge|tâches?|tareas?|tarefas?|задач\w{1,3}|zadania?)\b|工单|问题|任务|課題|タスク",
    re.IGNORECASE,
)
_STEP = expression(r"tasks?:? ?[1-9]\d{0,2}|[1-9]\d{0,2}", re.IGNORECASE)  # "Task 3" may be the third step of a plan
_MANY = 3
_SHORT_ORDER = 200
_NUMBER = expression(r"(?:[#!/-]|^)(\d{2,7})$")
_BARE = expression(r"(?<![\w.,:/#!-])\d{2,7}(?![\w:/%-]|[.,]\d)")
_BULLET = expression(r"(?:^|\n)[ \t]{0,6}(?:[-*•]|\d{1,2}[.)])[ \t]{1,3}[*`\[]{0,4}$")
_END = 0.6  # what stands beyond is the answer's conclusion


def work_signals(scene: Scene, index: int) -> dict[str, float]:
    """Whether the turn is about a pull request, issue or task, though nobody may name its number."""
    thing, type_ = scene.things[index], scene.types[index]
    verbs = {action.verb for action in thing.actions if action.ok is not False}
    handled = [i for i, other in enumerate(scene.things) if group_of(scene.types[i]) == "work" and other.actions]
    spoken = index in scene.outcome_order or index in scene.intent_order
    same = [i for i in handled if scene.types[i] == type_]
    step = type_ == "Task" and all(_STEP.fullmatch(value) for value in thing.values)
    return {
        "made_named": float(bool(verbs & MAKING) and spoken),
        "asked_work": float(bool(verbs) and same == [index] and bool(_WORK_WORDS.search(scene.reading.intent))),
        "handled_named": float(bool(verbs) and spoken),
        "task": float(step),
        "task_idle": float(step and not scene.reading.any_change),
        "is_pull_request": float(type_ == "PullRequest"),
        "ordered": float(index in scene.intent_order and _ordered(scene, thing)),
        "tracked": float(index in scene.intent_order and type_ != "PullRequest" and _tracked(scene, index)),
        "claimed": float(not verbs & MAKING and index in scene.outcome_order and _claimed(scene, index)),
        "numbered": float(index not in scene.intent_order and _numbered(scene, thing)),
        "triaged": float(index not in scene.intent_order and _triaged(scene, thing)),
        "asked_kind": float(index not in scene.intent_order and _asked_kind(scene, index)),
        "parent": float(index in scene.outcome_order and _parent(scene, index)),
        "singled_out": float(_singled_out(scene, index)),
    }


_KIND = {
    "PullRequest": expression(r"\b(?:prs?|pull requests?|mrs?|merge requests?)\b|プルリク|合并请求", re.IGNORECASE),
    "Issue": expression(
        r"\b(?:issues?|tickets?|bugs?|vorgang|incidencia|задач\w{1,2})\b|工单|课题|課題|问题", re.IGNORECASE
    ),
    "Task": expression(
        r"\b(?:tasks?|tickets?|stor(?:y|ies)|issues?|beads?|cards?|todos?|aufgaben?|tâches?|tareas?|tarefas?|задач\w{1,3}|zadani\w{1,2})\b"
        r"|任务|タスク|工单",
        re.IGNORECASE,
    ),
}


def _asked_kind(scene: Scene, index: int) -> bool:
    """The user speaks of "the pull request", names none, and this is the only one that the outcome names."""
    type_ = scene.types[index]
    kind = _KIND.get(type_)
    if kind is None or any(scene.types[i] == type_ for i in scene.intent_order):
        return False
    same = [i for i in scene.outcome_order if scene.types[i] == type_]
    return same == [index] and bool(kind.search(scene.reading.intent[:2000]))


def _parent(scene: Scene, index: int) -> bool:
    """Whether other items of the turn are numbered below it, or it is called the parent of others."""
    below = tuple(f"{value}." for value in scene.things[index].values)
    if (
        sum(
            any(v.startswith(below) for v in other.values)
            for other in scene.things
            if other.kind is scene.things[index].kind
        )
        > 1
    ):
        return True
    return any(_PARENT.search(before) for before, _ in around(scene, scene.things[index].within(Role.OUTCOME), 30))


_PARENT = expression(r"\b(?:parent|epic|umbrella|tracking issue|tracker)[\s:`'\"(\[*-]{1,6}$", re.IGNORECASE)


def _ordered(scene: Scene, thing: Thing) -> bool:
    """Whether the user orders work on it: "continue with task 12", "review !9"."""
    return any(
        cues.WORK_ON.search(before) or cues.WORK_ON_AFTER.search(after)
        for before, after in around(scene, thing.within(Role.INTENT), 60)
    )


_KEY = expression(r"[A-Z][A-Z0-9]{1,9}-[1-9]\d{0,5}|#\d{1,7}")
_TRACKED = expression(
    r"(?<![^\W\d_])(?:issues?|tickets?|bugs?|story|stories|epic|case|cards?|jira|linear|vorgang|vorgänge|aufgabe|meldung|störung"
    r"|fiches?|tâche|anomalie|incident|incidencia|tarea|tarefa|chamado|segnalazione|attività|задач\w{1,3}|заявк\w{1,3}"
    r"|zgłoszeni\w{1,2}|zadani\w{1,2}|melding|taak|sak|ärende)"
    r"(?: (?:number|no\.?|nr\.?|n°|номер|№))?[\s:(`'\"*#№-]{0,4}$"
    r"|(?:課題|チケット|案件|工单|任务|问题|이슈|티켓)[\s:：は「『（(`]{0,3}$",  # noqa: RUF001 - full-width marks
    re.IGNORECASE,
)
_TRACKED_AFTER = expression(r"^[`'\"*)\]」』]{0,3}\s?(?:の(?:件|課題|チケット|バグ)|(?:번 )?이슈|号(?:工单|任务|问题))")
_LEAST_KEY = 4  # letters: a shorter one is found in many names


def _tracked(scene: Scene, index: int) -> bool:
    """Whether the user calls the key what a tracker holds, or another thing of the turn is named after it."""
    thing = scene.things[index]
    keys = [value.casefold() for value in thing.values if _KEY.fullmatch(value)]
    if not keys:
        return False
    beside = around(scene, thing.within(Role.INTENT), 30)
    if any(_TRACKED.search(before) or _TRACKED_AFTER.search(after) for before, after in beside):
        return True
    named = [key for key in keys if "-" in key and len(key) > _LEAST_KEY]
    return any(
        re.search(rf"(?<![a-z0-9]){re.escape(key)}(?![a-z0-9])", value.casefold())
        for key in named
        for other, rival in enumerate(scene.things)
        if other != index and rival.kind in _NAMED_AFTER and rival.actions
        for value in rival.values
    )


_NAMED_AFTER = frozenset({HandleKind.BRANCH, HandleKind.PULL_REQUEST, HandleKind.URL})


def _claimed(scene: Scene, index: int) -> bool:
    """Whether the outcome says that it was made, closed or changed; not where it lists many."""
    if len(scene.peers("work", scene.outcome_order)) > _MANY:
        return False
    for mention in scene.things[index].within(Role.OUTCOME):
        text = scene.view.text(mention.text)
        if text is not None and claims_done(text.text, mention.start, mention.end):
            return True
    return False


def _numbered(scene: Scene, thing: Thing) -> bool:
    """Whether a short order has its bare number: "take 902"."""
    text = scene.reading.intent
    if len(text) > _SHORT_ORDER or not (thing.actions or thing.within(Role.OUTCOME)):
        return False
    numbers = {number for value in thing.values for number in _NUMBER.findall(value)}
    return any(number in numbers for number in _BARE.findall(text))


def _triaged(scene: Scene, thing: Thing) -> bool:
    """Whether the user asks which ones, and the outcome lists it on a line of its own."""
    bullets = (before for before, _ in around(scene, thing.within(Role.OUTCOME), 24))
    return any(_BULLET.search(before) for before in bullets) and bool(
        cues.ASKS_WHICH.search(scene.reading.intent[:600]) and _WORK_WORDS.search(scene.reading.intent[:600])
    )


def _singled_out(scene: Scene, index: int) -> bool:
    """Of many items in the outcome, one of the few that its conclusion comes back to."""
    peers = scene.peers("work", scene.outcome_order)
    if len(peers) < _MANY or index not in peers:
        return False
    again = [i for i in peers if _comes_back(scene, i)]
    return index in again and 2 * len(again) <= len(peers)


def _comes_back(scene: Scene, index: int) -> bool:
    spots = [position(scene.view.text(m.text), m) for m in scene.things[index].within(Role.OUTCOME)]
    end = _END * len(scene.reading.outcome)
    return bool(spots) and min(spots) < end < max(spots)
