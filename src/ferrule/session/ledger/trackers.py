"""Command lines of issue trackers that no other family knows: a verb and a ticket's id are enough to tell.

Owns that shape, and the two ways in which such a program says what it made. Names no tracker but the one whose tasks
are bare numbers. Knows nothing of forges, which have a family of their own.
"""

import re

from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind
from ferrule.session.ledger.commands import Command
from ferrule.session.ledger.packages import is_packager
from ferrule.session.ledger.steps import Scene, Step
from ferrule.session.turn import Verb

__all__ = ["tracker_steps"]

_VERBS = {
    **dict.fromkeys(("show", "view", "info", "open"), Verb.VIEWED),
    **dict.fromkeys(("update", "edit", "assign", "claim", "modify", "label", "set", "move", "transition"), Verb.EDITED),
    **dict.fromkeys(("start", "begin", "take", "ready", "estimate", "link", "reopen"), Verb.EDITED),
    **dict.fromkeys(("close", "done", "finish", "complete", "resolve", "cancel"), Verb.CLOSED),
    **dict.fromkeys(("comment", "note", "annotate"), Verb.COMMENTED),
    **dict.fromkeys(("delete", "rm"), Verb.DELETED),
}
_MAKING = frozenset({"create", "new", "add", "q", "capture"})
_OBJECTS = frozenset({"issue", "issues", "ticket", "tickets", "task", "tasks", "story", "bug", "item", "todo"})
_TICKET = expression(r"[A-Z][A-Z0-9]{1,9}-\d{1,6}|[a-z]{2,6}-[a-z0-9]{2,8}(?:\.\d{1,3}){0,3}")
_TRACKED = expression(r"\b(?:status|assignee|priority|owner|milestone|sprint|due)\b", re.IGNORECASE)
_MADE = expression(
    r"\b(?i:created|added|opened|new)\b[^\n]{0,40}?(?<![\w/-])"
    r"([A-Z][A-Z0-9]{1,9}-\d{1,6}|[a-z]{2,6}-(?=[a-z0-9.]{0,8}\d)[a-z0-9]{2,8}(?:\.\d{1,3}){0,3})(?![\w-])"
)
_NAMED = expression(
    r"\b(?i:created|added|opened) (?i:issue|task|ticket|bead|story|bug|epic)[: ]{1,3}"
    r"([A-Za-z]{2,9}-[A-Za-z0-9]{2,8}(?:\.\d{1,3}){0,3})(?![\w-])"
)
_BROWSED = expression(r"https?://[\w.-]{3,120}/(?:browse|issue|[\w-]{1,60}/issue)/([A-Z][A-Z0-9]{1,9}-\d{1,6})\b")
_LOOK_AT = 2000
# Programs whose `create` and `add` make other things, whatever they print.
_OTHERS = frozenset(
    {"git", "make", "go", "cargo", "docker", "kubectl", "helm", "rails", "django-admin", "nx", "ng", "npx"}
)


def tracker_steps(command: Command, scene: Scene) -> list[Step]:
    """The ticket that a command names right after a verb such as `show` or `close`, or that it made; else nothing.

    A lower-case id looks like many other names: there the command or its output must speak of status or assignee.
    """
    if command.program == "task":
        return _numbered(command, scene)
    words = [word for word in command.words[1:5] if word not in _OBJECTS]
    if is_packager(command.program) or command.program in _OTHERS or not words:
        return []
    if words[0] in _MAKING:
        return _made(scene)
    if len(words) > 1 and words[0] not in _VERBS and words[1] in _VERBS:
        words[:2] = words[1::-1]  # `tracker ATL-7 close`
    if len(words) < 2 or words[0] not in _VERBS:  # noqa: PLR2004 - a verb and an id
        return []
    name = words[1]
    if _TICKET.fullmatch(name) is None:
        return []
    seen = name in scene.output
    known = name.isupper() or _TRACKED.search(command.text) or (seen and _TRACKED.search(scene.output[:_LOOK_AT]))
    return [Step(_VERBS[words[0]], name, HandleKind.ISSUE, exists=seen)] if known else []


def _made(scene: Scene) -> list[Step]:
    """The one ticket that the output calls created."""
    head = scene.output[:_LOOK_AT]
    made = [found[1] for pattern in (_NAMED, _MADE, _BROWSED) for found in pattern.finditer(head)]
    if len(set(made)) != 1 or scene.ok is False:
        return []
    return [Step(Verb.OPENED, made[0], HandleKind.ISSUE, ok=True, exists=True)]


def _numbered(command: Command, scene: Scene) -> list[Step]:
    """Tasks of the program `task`, which are bare numbers: `task 12 done`, `task add Say it`."""
    words = command.words[1:]
    if words[:1] == ("add",):
        made = re.search(r"^Created (task \d{1,6})\b", scene.output[:_LOOK_AT], re.MULTILINE)
        return [Step(Verb.OPENED, made[1], HandleKind.TASK_ID, ok=True, exists=True)] if made else []
    if len(words) > 1 and words[0].isdigit() and words[1] in _VERBS:
        return [Step(_VERBS[words[1]], words[0], HandleKind.TASK_ID, exists=f" {words[0]} " in scene.output)]
    return []
