"""A folder that is called by its bare name, that commands are to be run in, or that a command will make.

Owns those signals of folders, worktrees and repositories. Knows nothing of weights.
"""

import re

from ferrule.bridge.evidence import spans_of
from ferrule.bridge.values import Role
from ferrule.referents.expressions import expression
from ferrule.review.embedded import cues
from ferrule.review.embedded.merging import path_parts
from ferrule.review.embedded.scenes import Scene, group_of
from ferrule.review.embedded.surroundings import around
from ferrule.review.embedded.things import Thing

__all__ = ["place_signals"]

_MOST = 12  # places of a name that are looked at
_SHORTEST = 3
_LONG = 6
_REACH = 45
_TELLING = expression(r"[a-z0-9][-_.][a-z0-9]|\d", re.IGNORECASE)


def place_signals(scene: Scene, index: int) -> dict[str, float]:
    """How the turn speaks of a folder beside its path, and what the outcome's commands do with it."""
    thing = scene.things[index]
    user, outcome = index in scene.intent_order, index in scene.outcome_order
    name, spoken = _name(thing), thing.within(Role.INTENT)
    called = not user and len(name) >= _SHORTEST
    by_noun, by_name = _called(scene, name) if called and _foremost(scene, index, name) else (False, False)
    told = around(scene, thing.within(Role.OUTCOME), 160) if outcome and not thing.actions else []
    entered = any(cues.ENTERED.search(before) for before, _ in told)
    return {
        "called_kind": float(by_noun),
        "called_name": float(by_name and not by_noun and len(name) >= _LONG and bool(_TELLING.search(name))),
        "entered": float(entered),
        "entered_asked": float(entered and bool(cues.ASKS_FOR_COMMANDS.search(scene.reading.intent[:2000]))),
        "called_inside": float(by_name and _told_inside(scene, thing)),
        "told_name": float(_told_name(scene, index, name)),
        "to_be_made": float(any(cues.TO_BE_MADE.search(before) for before, _ in told)),
        "placed": float(user and any(cues.PLACED.search(before) for before, _ in around(scene, spoken, 60))),
        "about_place": float(_is_own(scene, thing) and bool(cues.ABOUT_PLACE.search(scene.reading.intent[:600]))),
    }


def _name(thing: Thing) -> str:
    """The last component of its longest spelling, case folded."""
    parts = path_parts(max(thing.values, key=len).removesuffix(".git"))
    return parts[-1] if parts else ""


def _foremost(scene: Scene, index: int, name: str) -> bool:
    """Whether no other folder of that name is deeper or was more worked with: a clone may lie in one of its name."""
    mine = _weight(scene.things[index])
    return not any(
        i != index and group_of(scene.types[i]) == "folder" and _weight(other) > mine and _name(other) == name
        for i, other in enumerate(scene.things)
    )


def _weight(thing: Thing) -> tuple[int, int]:
    return max(len(path_parts(value)) for value in thing.values), len(thing.actions)


def _told_inside(scene: Scene, thing: Thing) -> bool:
    """Whether the outcome names two or more things that lie in it."""
    below = tuple(value.rstrip("/\\") + "/" for value in thing.values)
    inside = (
        i for i in scene.outcome_order if any(v.replace("\\", "/").startswith(below) for v in scene.things[i].values)
    )
    return sum(1 for _ in inside) > 1


def _told_name(scene: Scene, index: int, name: str) -> bool:
    """Whether the outcome calls a worktree by its name, and does not write where it is."""
    if scene.types[index] != "Worktree" or index in scene.outcome_order or not _TELLING.search(name):
        return False
    return name in scene.reading.outcome and any(True for _ in spans_of(scene.reading.outcome, name))


def _called(scene: Scene, name: str) -> tuple[bool, bool]:
    """Whether the user writes the bare name right beside a word for a folder or repository, and whether at all."""
    text, found = scene.reading.intent.casefold(), False
    if name not in text:
        return False, False
    for place, (start, end) in enumerate(spans_of(text, name)):
        if place >= _MOST:
            break
        before, after = text[max(0, start - _REACH) : start], text[end : end + _REACH]
        if before.endswith(("/", "\\", ".")):
            continue
        found = True
        if cues.FOLDER_BEFORE.search(before) or cues.FOLDER_AFTER.search(after):
            return True, True
    return False, found


def _is_own(scene: Scene, thing: Thing) -> bool:
    """Whether it is the very folder or repository that the turn works in."""
    place = scene.view.place
    own = {path_parts(value) for value in (place.root or place.cwd,) if value}
    return any(path_parts(value) in own for value in thing.values)
