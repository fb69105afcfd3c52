"""A file whose folder is known to have moved is the file that was known in the old folder (R33, R45).

Owns that one proof: the same tail of two paths, and one known memory that holds what stands before it in both, now and
earlier. Knows nothing of files; a rename that nothing remembers proves nothing here.
"""

import re

from ferrule.bridge.values import Hit, SearchKind
from ferrule.referents.kinds import HandleKind
from ferrule.review.budget import CallBudget
from ferrule.review.prospect import Prospect

__all__ = ["moved_with_its_folder"]

_PATHS = frozenset({HandleKind.FILESYSTEM_PATH, HandleKind.REPOSITORY_ROOT, HandleKind.PROMPT_PATH})
_CALLS = 2


def moved_with_its_folder(prospect: Prospect, hit: Hit, budget: CallBudget, *, spare: int) -> bool:
    """Whether the door knows of a folder that was where the hit's path begins and is where the prospect's begins.

    Asks at most two things of the door, and nothing when fewer than `spare` calls would be left for the write.
    """
    new = next((handle.value for handle in prospect.handles if handle.kind in _PATHS), "")
    old = next((view.value for view in hit.handles if view.kind in _PATHS), "")
    folders = _folders(old, new)
    if folders is None or budget.left < _CALLS + spare:
        return False
    was, now = folders
    found = budget.search(now, SearchKind.HANDLE, candidate=prospect.label)
    holders = [known for known in found.hits if not known.forgotten] if found is not None and found.complete else []
    if len(holders) != 1 or holders[0].name == hit.name:
        return False
    known = budget.details(holders[0].name, candidate=prospect.label)
    return known is not None and any(
        was in map(_trimmed, prop.was) and _trimmed(prop.value) == now for prop in known.properties
    )


def _folders(old: str, new: str) -> tuple[str, str] | None:
    """What stands before the tail that two different absolute paths share; None where they share no whole part."""
    before, after = _trimmed(old).split("/"), _trimmed(new).split("/")
    shared = 0
    while shared < min(len(before), len(after)) and before[-1 - shared] == after[-1 - shared]:
        shared += 1
    if shared == 0 or not old or not new or before == after:
        return None
    was, now = "/".join(before[:-shared]), "/".join(after[:-shared])
    return (was, now) if was and now else None


def _trimmed(path: str) -> str:
    return re.sub(r"[/\\]{1,4}", "/", path).rstrip("/")
