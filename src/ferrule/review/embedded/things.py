"""Mentions and actions of one turn, gathered into the things they are about (R32).

Owns `Thing`, the working value of the embedded reviewer: everything the turn says and does about one identity. Knows
nothing of whether a thing deserves memory.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from ferrule.bridge.values import Mention, Role, TurnView
from ferrule.referents.kinds import HandleKind
from ferrule.session.turn import Action, Verb

__all__ = ["CHANGING", "PATHS", "Thing", "gather", "is_stale", "united", "with_former"]

PATHS = frozenset({HandleKind.FILESYSTEM_PATH, HandleKind.PROMPT_PATH, HandleKind.REPOSITORY_ROOT})
CHANGING = frozenset({Verb.EDITED, Verb.CREATED, Verb.DELETED, Verb.MOVED, Verb.COPIED, Verb.CONFIGURED})
_ORDER = {Role.INTENT: 0, Role.OUTCOME: 1, Role.ACTION: 2, Role.OBSERVATION: 3}


@dataclass(frozen=True, slots=True)
class Thing:
    """Everything a turn says and does about one identity.

    `mentions` are ordered intent, outcome, action, observation; `actions` hold the ledger rows whose target it is.
    `former` are spellings that the turn made stale by moving or renaming it: they find it, they are not written.
    """

    keys: tuple[str, ...]
    kind: HandleKind
    mentions: tuple[Mention, ...]
    actions: tuple[Action, ...] = ()
    merged: tuple[str, ...] = field(default=())
    former: tuple[str, ...] = field(default=())
    values: tuple[str, ...] = field(init=False, repr=False, compare=False)
    _roles: Mapping[Role, tuple[Mention, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Signals ask for values and roles again and again: distinct values in order of mention, mentions by role."""
        object.__setattr__(self, "values", tuple(dict.fromkeys(mention.value for mention in self.mentions)))
        roles: dict[Role, list[Mention]] = {}
        for mention in self.mentions:
            roles.setdefault(mention.role, []).append(mention)
        object.__setattr__(self, "_roles", {role: tuple(found) for role, found in roles.items()})

    def within(self, *roles: Role) -> tuple[Mention, ...]:
        """The mentions that speak in one of the roles, in their order."""
        if len(roles) == 1:
            return self._roles.get(roles[0], ())
        return tuple([mention for mention in self.mentions if mention.role in roles])

    @property
    def changes(self) -> tuple[Action, ...]:
        """The actions that changed it and did not fail."""
        return tuple(action for action in self.actions if action.verb in CHANGING and action.ok is not False)

    def did(self, *verbs: Verb) -> bool:
        """Whether an action with one of the verbs hit it and did not fail."""
        return any(action.verb in verbs and action.ok is not False for action in self.actions)


def gather(view: TurnView) -> tuple[Thing, ...]:
    """One thing per identity key, in order of first mention, with the actions that targeted it."""
    by_key: dict[str, list[Mention]] = defaultdict(list)
    for mention in sorted(view.mentions, key=lambda m: _ORDER[m.role]):
        by_key[mention.key].append(mention)
    acted = _targets(view)
    return tuple(
        Thing((key,), _kind(mentions), tuple(mentions), tuple(acted.get(key, ()))) for key, mentions in by_key.items()
    )


def _kind(mentions: Sequence[Mention]) -> HandleKind:
    return mentions[0].kind


def _targets(view: TurnView) -> Mapping[str, list[Action]]:
    """Identity key → actions: the view resolved each target like its mentions; a former name counts as well."""
    known = {mention.key for mention in view.mentions}
    by_value = {mention.value: mention.key for mention in reversed(view.mentions)}
    found: dict[str, list[Action]] = defaultdict(list)
    for action, key in zip_longest(view.actions, view.action_keys, fillvalue=""):
        if not isinstance(action, Action):
            break
        own = key if key in known else by_value.get(action.target, "")
        for hit in dict.fromkeys((own, by_value.get(action.was, "") if action.was else "")):
            if hit:
                found[hit].append(action)
    return found


def united(things: Sequence[Thing], pairs: Iterable[tuple[int, int, str]]) -> tuple[Thing, ...]:
    """Things with the pairs (keeper, joined, reason in words) made one; the keeper's kind and place stay."""
    parent = list(range(len(things)))
    reasons: dict[int, list[str]] = defaultdict(list)

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    for keeper, joined, reason in pairs:
        first, second = root(keeper), root(joined)
        if first != second:
            parent[second] = first
            reasons[first] += [*reasons.pop(second, []), reason]
    members: dict[int, list[int]] = defaultdict(list)
    for index in range(len(things)):
        members[root(index)].append(index)
    merged = {
        min(group): _join([things[top], *_others(things, group, top)], reasons[top]) for top, group in members.items()
    }
    return tuple(merged[index] for index in sorted(merged))


def _others(things: Sequence[Thing], group: Sequence[int], top: int) -> list[Thing]:
    return [things[index] for index in group if index != top]


def _join(group: Sequence[Thing], reasons: Sequence[str]) -> Thing:
    if len(group) == 1:
        return group[0]
    mentions = sorted((m for thing in group for m in thing.mentions), key=lambda m: _ORDER[m.role])
    actions = sorted({a for thing in group for a in thing.actions}, key=lambda a: a.index)
    keys = tuple(dict.fromkeys(key for thing in group for key in thing.keys))
    return Thing(keys, group[0].kind, tuple(mentions), tuple(actions), tuple(dict.fromkeys(reasons)))


def with_former(things: Sequence[Thing], view: TurnView) -> tuple[Thing, ...]:
    """The same things; a moved one knows its former spellings, and so does what lies in a moved folder."""
    moves = [(a.was, a.target) for a in view.actions if a.verb is Verb.MOVED and a.was and a.ok is not False]
    return tuple(replace(thing, former=_former(thing, moves)) for thing in things) if moves else tuple(things)


def _former(thing: Thing, moves: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    found = []
    for value in thing.values if thing.kind in PATHS else ():
        for was, now in moves:
            if value == now or value.startswith(now.rstrip("/") + "/"):
                found.append(was + value[len(now) :])
    return tuple(dict.fromkeys(found))


def is_stale(thing: Thing, view: TurnView) -> bool:
    """Whether a successful move left this spelling behind."""
    return any(
        action.verb is Verb.MOVED
        and action.ok is not False
        and action.was in thing.values
        and action.target not in thing.values
        for action in view.actions
        if action.was
    )
