"""Command lines of issue trackers that no other family knows: a verb and a ticket's id are enough to tell.

Owns that shape. Names no tracker, and knows nothing of forges, which have a family of their own.
"""

import re

from ferrule.referents.kinds import HandleKind
from ferrule.session.ledger.commands import Command
from ferrule.session.ledger.packages import is_packager
from ferrule.session.ledger.steps import Scene, Step
from ferrule.session.turn import Verb

__all__ = ["tracker_steps"]

_VERBS = {
    "show": Verb.VIEWED,
    "view": Verb.VIEWED,
    "update": Verb.EDITED,
    "edit": Verb.EDITED,
    "assign": Verb.EDITED,
    "claim": Verb.EDITED,
    "close": Verb.CLOSED,
    "reopen": Verb.OPENED,
    "comment": Verb.COMMENTED,
}
_OBJECTS = frozenset({"issue", "issues", "ticket", "task"})
_TICKET = re.compile(r"[A-Z][A-Z0-9]{1,9}-\d{1,6}|[a-z]{2,6}-[a-z0-9]{2,8}(?:\.\d{1,3})?")
_TRACKED = re.compile(r"\b(?:status|assignee|priority|owner|milestone)\b", re.IGNORECASE)
_LOOK_AT = 2000


def tracker_steps(command: Command, scene: Scene) -> list[Step]:
    """The ticket that a command names right after a verb such as `show` or `close`; empty when it names none.

    A lower-case id looks like many other names: there the command or its output must speak of status or assignee.
    """
    words = [word for word in command.words[1:4] if word not in _OBJECTS]
    if len(words) < 2 or words[0] not in _VERBS or is_packager(command.program):  # noqa: PLR2004 - a verb and an id
        return []
    name = words[1]
    if _TICKET.fullmatch(name) is None:
        return []
    seen = name in scene.output
    known = name.isupper() or _TRACKED.search(command.text) or (seen and _TRACKED.search(scene.output[:_LOOK_AT]))
    return [Step(_VERBS[words[0]], name, HandleKind.ISSUE, exists=seen)] if known else []
