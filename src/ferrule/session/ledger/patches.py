"""A patch text says which files it adds, updates, deletes and moves, in more than one dialect.

Owns the `*** Add File:` dialect, the lists that exports make of it, unified diffs, and the summary a patch tool prints.
Knows nothing of tools.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from ferrule.referents.expressions import expression
from ferrule.session.ledger.steps import Scene, Step, path_step
from ferrule.session.turn import Verb

__all__ = ["patch_steps"]

_MAX_FILES = 100
_MAX_PATCH = 4 * 1024 * 1024
_HEAD = expression(r"^\*\*\* (Add|Update|Delete) File: (.{1,600}?)\s*$|^\*\*\* Move to: (.{1,600}?)\s*$", re.MULTILINE)
_LISTED = expression(
    r"^\s{0,8}(?:[-*] )?\*\*(Add|Update|Delete|Move|Rename)(?: File)?:?\*{0,2}:? `([^`\n]{1,600})`", re.MULTILINE
)
_DIFF = expression(r"^--- (?:a/)?(\S{1,600}).{0,80}\n\+\+\+ (?:b/)?(\S{1,600})", re.MULTILINE)
_SUMMARY = expression(r"^([AMD]) (.{1,600}?)\s*$", re.MULTILINE)
_VERBS = {
    "Add": Verb.CREATED,
    "Update": Verb.EDITED,
    "Delete": Verb.DELETED,
    "Move": Verb.MOVED,
    "Rename": Verb.MOVED,
    "A": Verb.CREATED,
    "M": Verb.EDITED,
    "D": Verb.DELETED,
}


def patch_steps(patch: str, scene: Scene) -> list[Step]:
    """The steps of a patch; where its text names no file, those of the summary that the tool printed."""
    text = patch[:_MAX_PATCH]
    shown = "Success. Updated the following files" in scene.output
    rows = list(_headed(text, scene)) or list(_named(text, scene))
    if not rows and shown:
        rows = [path_step(_VERBS[m[1]], m[2], scene, ok=scene.ok) for m in _SUMMARY.finditer(scene.output)]
    done = scene.ok is True
    return [replace(row, exists=done and row.verb is not Verb.DELETED) for row in rows[:_MAX_FILES] if row is not None]


def _headed(text: str, scene: Scene) -> Iterator[Step | None]:
    """`*** Update File: a` followed by `*** Move to: b` is one move."""
    pending: tuple[Verb, str] | None = None
    for head in _HEAD.finditer(text):
        if head[3] is not None:
            if pending is not None:
                yield path_step(Verb.MOVED, head[3], scene, was=pending[1], ok=scene.ok)
            pending = None
            continue
        if pending is not None:
            yield path_step(pending[0], pending[1], scene, ok=scene.ok)
        pending = (_VERBS[head[1]], head[2])
    if pending is not None:
        yield path_step(pending[0], pending[1], scene, ok=scene.ok)


def _named(text: str, scene: Scene) -> Iterator[Step | None]:
    for row in _LISTED.finditer(text):
        old, arrow, new = row[2].partition(" -> ")
        yield path_step(_VERBS[row[1]], new if arrow else old, scene, was=old if arrow else "", ok=scene.ok)
    for diff in _DIFF.finditer(text):
        if diff[1] == "/dev/null":
            yield path_step(Verb.CREATED, diff[2], scene, ok=scene.ok)
        elif diff[2] == "/dev/null":
            yield path_step(Verb.DELETED, diff[1], scene, ok=scene.ok)
        else:
            yield path_step(Verb.EDITED, diff[2], scene, ok=scene.ok)
