"""Two spellings of one turn become one identity: path tails, bare numbers, short SHAs (design.md section 3, R33).

Owns the resolution inside one turn. It only ever joins a partial spelling to the one full spelling it can mean; where
two fit, nothing is joined. Knows nothing of where mentions come from.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ferrule.bridge.values import Mention, Role
from ferrule.referents.forms import same_commit
from ferrule.referents.kinds import HandleKind
from ferrule.referents.locations import fold_path, is_absolute

__all__ = ["resolved"]

_PATHS = frozenset([HandleKind.FILESYSTEM_PATH, HandleKind.REPOSITORY_ROOT, HandleKind.PROMPT_PATH])
_NUMBERS = frozenset([HandleKind.PULL_REQUEST, HandleKind.ISSUE, HandleKind.TASK_ID])
_SPOKEN = frozenset([Role.INTENT, Role.OUTCOME])
_SHORTEST_TAIL = 3
_AMBIGUOUS = 2


@dataclass(frozen=True, slots=True)
class _Tails:
    """Known full paths by their last component."""

    by_name: Mapping[str, frozenset[tuple[str, str]]]

    @classmethod
    def of(cls, paths: Iterable[tuple[str, str]]) -> "_Tails":
        """An index of folded paths with their keys."""
        index: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for path, key in paths:
            index[path.rsplit("/", 1)[-1].casefold()].add((path, key))
        return cls({name: frozenset(paths) for name, paths in index.items()})

    def one(self, tail: str) -> str | None:
        """The key of the only known path that ends in `tail`; None when there is none or more than one."""
        folded = tail.casefold()
        fits = self.by_name.get(folded.rsplit("/", 1)[-1], frozenset())
        keys = {key for path, key in fits if path.casefold() == folded or path.casefold().endswith("/" + folded)}
        return keys.pop() if len(keys) == 1 else None


def _path_keys(mentions: Sequence[Mention]) -> dict[str, str]:
    """New keys by mention id for partial paths in spoken text."""
    paths = [mention for mention in mentions if mention.kind in _PATHS]
    folded = {value: fold_path(value) for value in {mention.value for mention in paths}}
    acted = _Tails.of({(folded[m.value], m.key) for m in paths if m.role is Role.ACTION})
    seen = _Tails.of({(folded[m.value], m.key) for m in paths if m.role is Role.OBSERVATION})
    known = {mention.key for mention in paths if mention.role is Role.ACTION}
    keys: dict[str, str] = {}
    for mention in paths:
        tail = folded[mention.value].lstrip("./")
        if mention.role not in _SPOKEN or mention.key in known or len(tail) < _SHORTEST_TAIL:
            continue
        if is_absolute(folded[mention.value]) or mention.value.startswith("~"):
            continue
        key = acted.one(tail) or seen.one(tail)
        if key is not None and key != mention.key:
            keys[mention.id] = key
    return keys


def _number_of(mention: Mention) -> str:
    digits = mention.value.rsplit("#", 1)[-1].rsplit("/", 1)[-1].rsplit(" ", 1)[-1]
    return digits if digits.isdigit() else ""


def _is_bare(mention: Mention) -> bool:
    return "/" not in mention.value


def _number_keys(mentions: Sequence[Mention]) -> dict[str, str]:
    """New keys for bare numbers whose URL, or full form, stands in the same turn."""
    full: dict[str, set[str]] = defaultdict(set)
    for mention in mentions:
        if not _is_bare(mention) and mention.key.startswith(("pr:", "issue:", "mr:")):
            full[mention.key.rsplit(":", 1)[-1]].add(mention.key)
    keys: dict[str, str] = {}
    for mention in mentions:
        if mention.kind in _NUMBERS and _is_bare(mention):
            fits = full.get(_number_of(mention), set())
            if len(fits) == 1 and mention.key not in fits:
                keys[mention.id] = next(iter(fits))
    return keys


def _commit_keys(mentions: Sequence[Mention]) -> dict[str, str]:
    """New keys for short SHAs: the one longest spelling that begins with it."""
    shas = sorted({mention.key for mention in mentions if mention.key.startswith("sha:")})
    longest: dict[str, str] = {}
    # In sorted order every longer spelling directly follows its beginnings; from the end, so that chains end in one.
    for place in range(len(shas) - 1, -1, -1):
        follower = place + 1
        ends: set[str] = set()
        while follower < len(shas) and shas[follower].startswith(shas[place]) and len(ends) < _AMBIGUOUS:
            ends.add(longest.get(shas[follower], shas[follower]))
            follower += 1
        if len(ends) == 1 and same_commit(shas[place], *ends):
            longest[shas[place]] = ends.pop()
    return {mention.id: longest[mention.key] for mention in mentions if mention.key in longest}


def resolved(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """The mentions with partial spellings joined to their full ones; a joined path is marked derived (D9)."""
    paths = _path_keys(mentions)
    keys = paths | _number_keys(mentions) | _commit_keys(mentions)
    return tuple(
        replace(mention, key=keys[mention.id], derived=mention.derived or mention.id in paths)
        if mention.id in keys
        else mention
        for mention in mentions
    )
