"""A folder that is called by its bare name, that commands are to be run in, or that a command will make.

Owns those signals of folders, worktrees and repositories. Knows nothing of weights.
"""

import re

from ferrule.bridge.evidence import spans_of
from ferrule.bridge.values import Role
from ferrule.review.embedded import cues
from ferrule.review.embedded.merging import path_parts
from ferrule.review.embedded.scenes import Scene
from ferrule.review.embedded.surroundings import around
from ferrule.review.embedded.things import Thing

__all__ = ["place_signals"]

_MOST = 12  # places of a name that are looked at
_SHORTEST = 3
_LONG = 6
_REACH = 45
_TELLING = re.compile(r"[a-z0-9][-_.][a-z0-9]|\d", re.IGNORECASE)


def place_signals(scene: Scene, index: int) -> dict[str, float]:
    """How the turn speaks of a folder beside its path, and what the outcome's commands do with it."""
    thing = scene.things[index]
    user, outcome = index in scene.intent_order, index in scene.outcome_order
    name, spoken = _name(thing), thing.within(Role.INTENT)
    called = not user and len(name) >= _SHORTEST
    by_noun, by_name = _called(scene, name) if called else (False, False)
    told = around(scene, thing.within(Role.OUTCOME), 160) if outcome and not thing.actions else []
    return {
        "called_kind": float(by_noun),
        "called_name": float(by_name and not by_noun and len(name) >= _LONG and bool(_TELLING.search(name))),
        "entered": float(any(cues.ENTERED.search(before) for before, _ in told)),
        "to_be_made": float(any(cues.TO_BE_MADE.search(before) for before, _ in told)),
        "placed": float(user and any(cues.PLACED.search(before) for before, _ in around(scene, spoken, 60))),
        "about_place": float(_is_own(scene, thing) and bool(cues.ABOUT_PLACE.search(scene.reading.intent[:600]))),
    }


def _name(thing: Thing) -> str:
    """The last component of its longest spelling, case folded."""
    parts = path_parts(max(thing.values, key=len).removesuffix(".git"))
    return parts[-1] if parts else ""


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
