"""What a client saw change while a call ran is in the ledger too, where neither the call nor another one names it.

Owns the reading of `files_changed`, which importers put into a call's details. Knows nothing of clients.
"""

from collections.abc import Sequence

from ferrule.session.ledger.steps import Scene, Step, path_step
from ferrule.session.turn import ToolCall, Verb

__all__ = ["changed_steps"]

_MAX_FILES = 20
_VERBS = {"added": Verb.CREATED, "deleted": Verb.DELETED}


def changed_steps(call: ToolCall, known: Sequence[Step], scene: Scene) -> list[Step]:
    """The files that changed during a call beside those that its own steps name; a fact, however the call ended.

    `details["files_changed"]` is a list of objects with `path` and, where the client tells it, `status`: `added`,
    `deleted` or anything else for a change.
    """
    rows = call.details.get("files_changed")
    if not isinstance(rows, list):
        return []
    named = {step.target for step in known}
    found: list[Step] = []
    for row in rows[:_MAX_FILES]:
        path = row.get("path") if isinstance(row, dict) else None
        if not isinstance(path, str):
            continue
        verb = _VERBS.get(str(row.get("status")), Verb.EDITED)
        step = path_step(verb, path, scene, ok=True, exists=verb is not Verb.DELETED)
        if step is not None and step.target not in named:
            named.add(step.target)
            found.append(step)
    return found
