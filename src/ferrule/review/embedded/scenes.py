"""One turn as the signals see it: its things, their types and groups, and the order in which they are named.

Owns the scene and the groups whose weights judge a type. Knows nothing of signals or weights.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from ferrule.bridge.values import Role, TurnView
from ferrule.referents.kinds import HandleKind
from ferrule.review.embedded.entity_types import FILE_TYPES
from ferrule.review.embedded.pathclass import is_passing
from ferrule.review.embedded.reading import Reading, position
from ferrule.review.embedded.things import PATHS, Thing
from ferrule.session.turn import Verb

__all__ = ["GROUPS", "MAKING", "Scene", "group_of", "making_verbs", "passes", "scene_of"]

MAKING = frozenset(
    {
        Verb.CREATED,
        Verb.OPENED,
        Verb.BRANCHED,
        Verb.COMMITTED,
        Verb.TAGGED,
        Verb.RELEASED,
        Verb.CLONED,
        Verb.STARTED,
        Verb.DEPLOYED,
    }
)
_FOLDERS = frozenset({"Directory", "Repository", "Worktree"})
_WORK = frozenset({"PullRequest", "Issue", "Task"})
GROUPS = ("file", "folder", "work", "commit", "branch", "command", "session", "other")


@dataclass(frozen=True, slots=True)
class Scene:
    """One turn as the signals see it: its view, its facts, all its things with their types, and orders of mention.

    `frames` are spoken commands and addresses as (text, start, end, thing): what stands inside one belongs to it.
    """

    view: TurnView
    reading: Reading
    things: tuple[Thing, ...]
    types: tuple[str, ...]
    outcome_order: Mapping[int, int]
    intent_order: Mapping[int, int]
    frames: tuple[tuple[str, int, int, int], ...] = ()

    def peers(self, group: str, order: Mapping[int, int]) -> list[int]:
        """Things of a group in order of mention."""
        members = [i for i in order if group_of(self.types[i]) == group]
        return sorted(members, key=lambda i: order[i])


def scene_of(view: TurnView, reading: Reading, things: Sequence[Thing], types: Sequence[str]) -> Scene:
    """The scene of a turn."""
    return Scene(
        view,
        reading,
        tuple(things),
        tuple(types),
        _order(view, things, Role.OUTCOME),
        _order(view, things, Role.INTENT),
        _frames(things),
    )


def _frames(things: Sequence[Thing]) -> tuple[tuple[str, int, int, int], ...]:
    return tuple(
        (mention.text, mention.start, mention.end, index)
        for index, thing in enumerate(things)
        for mention in thing.within(Role.INTENT, Role.OUTCOME)
        if mention.kind in (HandleKind.COMMAND, HandleKind.URL)
    )


def making_verbs(type_: str) -> frozenset[Verb]:
    """The verbs that bring a thing of that type into being: a commit goes to a branch, it does not make it."""
    return _BRANCHING if type_ == "Branch" else MAKING


_BRANCHING = frozenset({Verb.BRANCHED, Verb.CREATED, Verb.OPENED})


def passes(thing: Thing) -> bool:
    """Temporary, generated or a log; a folder like `build` may hold work if the user or an editor was there."""
    if thing.kind not in PATHS:
        return False
    lasting = bool(thing.within(Role.INTENT)) or thing.did(Verb.EDITED)
    return any(is_passing(value, lenient=lasting) for value in thing.values)


def _order(view: TurnView, things: Sequence[Thing], role: Role) -> dict[int, int]:
    found = {}
    for index, thing in enumerate(things):
        if passes(thing):
            continue
        spots = [position(view.text(m.text), m) for m in thing.within(role)]
        if spots:
            found[index] = min(spots)
    return found


@cache
def group_of(type_: str) -> str:
    """The group whose weights judge a type."""
    if type_ in FILE_TYPES or type_ in ("Dataset", "Model"):
        return "file"
    if type_ in _FOLDERS:
        return "folder"
    if type_ in _WORK:
        return "work"
    lone = {"Commit": "commit", "Branch": "branch", "Command": "command", "Session": "session"}
    return lone.get(type_, "other")
