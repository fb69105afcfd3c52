"""Two names of one thing become one thing; two things of one name stay two (R33, R34, PEER-D16).

Owns the rules that say when identities are one: a path's tail, a number and its URL, a short SHA, a remote's branch, a
repository and its checkout, words and their CamelCase. Knows nothing of worth.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from ferrule.bridge.values import Role, TurnView
from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind, Place
from ferrule.review.embedded.things import PATHS, Thing, united
from ferrule.session.turn import Verb

__all__ = ["merge_aliases", "path_parts"]

Pair: TypeAlias = tuple[int, int, str]
_Rule: TypeAlias = Callable[[Sequence[Thing], Place], Iterator[Pair]]

_NUMBERED = expression(r"/(?:pull|pulls|merge_requests|issues|pull-requests|work_items)/(\d{1,9})(?![\w-])")
_BLOB = expression(r"/(?:blob|raw|edit|blame)/[^/\s]{1,200}/([^?#\s]{1,400})")
_LONG_KEY = 15
_FORGE = expression(r"(?:https?://|git@|ssh://git@)?[\w.-]{1,80}[:/]([\w.-]{1,80}/[\w.-]{1,100}?)(?:\.git)?/?")
_DIGITS = expression(r"(\d{1,9})\b(?!.*\d)")
_NUMBERS = frozenset({HandleKind.PULL_REQUEST, HandleKind.ISSUE})
_TWINNED = frozenset({HandleKind.BRANCH, HandleKind.REPOSITORY_ID, HandleKind.PACKAGE_ID, HandleKind.SESSION_KEY})
_NAMED = frozenset({HandleKind.PACKAGE_ID, HandleKind.SITE_ID, HandleKind.OTHER_ID, HandleKind.DOCUMENT_ID})


def merge_aliases(things: Sequence[Thing], view: TurnView) -> tuple[Thing, ...]:
    """The same things with aliases made one, in order of first mention."""
    merged = tuple(things)
    for rule in _RULES:
        pairs = tuple(rule(merged, view.place))
        merged = united(merged, pairs) if pairs else merged
    return merged


@lru_cache(maxsize=4096)
def path_parts(value: str) -> tuple[str, ...]:
    """The components of a path, separators of either kind, without drive, `.` and empty ones; case folded."""
    cleaned = value.replace("\\", "/").casefold()
    return tuple(part for part in cleaned.split("/") if part not in ("", ".", "~"))


def _tails(things: Sequence[Thing], place: Place) -> Iterator[Pair]:
    """A bare or shortened path next to exactly one longer path that ends in it, changed ones first.

    A changed relative path is settled by its own action where the working directory is known.
    """
    paths = [(i, _longest(thing)) for i, thing in enumerate(things) if thing.kind in PATHS]
    ends: dict[str, list[tuple[int, tuple[str, ...]]]] = defaultdict(list)
    for index, parts in paths:
        if parts:
            ends[parts[-1]].append((index, parts))
    for index, parts in paths:
        if not parts or _absolute(things[index]):
            continue
        if parts[0] == ".." and not place.cwd:  # beside a place that nobody names
            parts = tuple(part for part in parts if part != "..")  # noqa: PLW2901 - what is left is the tail
        home = any(value.startswith("~") for value in things[index].values)
        longer = [i for i, other in ends[parts[-1]] if i != index and _ends_in(other, parts, home=home)]
        keeper = _the_one(things, longer)
        if keeper is not None and not (place.cwd and things[index].changes):
            yield keeper, index, "a shortened path beside the whole one"


def _ends_in(whole: tuple[str, ...], tail: tuple[str, ...], *, home: bool) -> bool:
    """Whether a path ends in the other; one that begins at home must begin right below a home folder."""
    if len(whole) <= len(tail) or whole[-len(tail) :] != tail:
        return False
    return not home or (len(whole) == len(tail) + 2 and whole[0] in ("users", "home"))


def _longest(thing: Thing) -> tuple[str, ...]:
    return max((path_parts(value) for value in thing.values), key=len, default=())


def _absolute(thing: Thing) -> bool:
    return any(value.startswith(("/", "\\")) or value[1:3] in (":\\", ":/") for value in thing.values)


def _the_one(things: Sequence[Thing], indexes: Sequence[int]) -> int | None:
    changed = [i for i in indexes if things[i].changes]
    acted = [i for i in indexes if things[i].actions]
    for group in (changed, acted, indexes):
        distinct = {_longest(things[i]) for i in group}
        if group:
            return max(group, key=lambda i: len(_longest(things[i]))) if _nested(distinct) else None
    return None


def _nested(paths: set[tuple[str, ...]]) -> bool:
    """Whether the paths are spellings of one file: each is a tail of the longest."""
    longest = max(paths, key=len)
    return all(longest[-len(parts) :] == parts for parts in paths)


def _numbers(things: Sequence[Thing], _place: Place) -> Iterator[Pair]:
    """A pull request's or issue's number and the one URL that carries it."""
    by_number: dict[str, list[int]] = defaultdict(list)
    for index, thing in enumerate(things):
        for value in thing.values if thing.kind is HandleKind.URL else ():
            found = _NUMBERED.search(value)
            if found:
                by_number[found.group(1)].append(index)
    for indexes in by_number.values():
        where = {_before_number(things[i]) for i in indexes}
        if len(where) == 1:
            yield from ((indexes[0], other, "the same number in two addresses") for other in indexes[1:])
    for index, thing in enumerate(things):
        number = _number_of(thing)
        owners = by_number.get(number, []) if number else []
        if owners and len({_before_number(things[i]) for i in owners}) == 1:
            yield owners[0], index, "a number and its address"


def _before_number(thing: Thing) -> str:
    for value in thing.values:
        found = _NUMBERED.search(value)
        if found:
            return value[: found.start()].casefold()
    return ""


def _number_of(thing: Thing) -> str:
    if thing.kind not in _NUMBERS:
        return ""
    found = _DIGITS.search(thing.values[0])
    return found.group(1) if found else ""


def _shas(things: Sequence[Thing], _place: Place) -> Iterator[Pair]:
    """A short SHA beside the one long SHA that begins with it."""
    shas = [(i, thing.values[0].casefold()) for i, thing in enumerate(things) if thing.kind is HandleKind.COMMIT_SHA]
    for index, sha in shas:
        longer = [i for i, other in shas if len(other) > len(sha) and other.startswith(sha)]
        if len(longer) == 1:
            yield index, longer[0], "a short and a long SHA"
    for index, thing in enumerate(things):
        for value in thing.values if thing.kind is HandleKind.URL else ():
            tail = value.rstrip("/").rsplit("/", 2)
            owners = [i for i, sha in shas if len(tail) > 2 and tail[-2] == "commit" and _begins(sha, tail[-1])]  # noqa: PLR2004 - owner/name/commit
            if owners:
                yield owners[0], index, "a SHA and its address"


def _begins(one: str, other: str) -> bool:
    return one.startswith(other.casefold()) or other.casefold().startswith(one)


def _branches(things: Sequence[Thing], _place: Place) -> Iterator[Pair]:
    """A branch and the same branch on its remote."""
    local = {thing.values[0]: i for i, thing in enumerate(things) if thing.kind is HandleKind.BRANCH}
    for value, index in local.items():
        short = value.removeprefix("refs/heads/").removeprefix("refs/remotes/").removeprefix("origin/")
        if short != value and short in local:
            yield local[short], index, "a branch and its remote"


def _twins(things: Sequence[Thing], _place: Place) -> Iterator[Pair]:
    """One spelling read as two kinds: a branch, session or package name with a slash is no folder."""
    named: dict[str, int] = {}
    for index, thing in enumerate(things):
        for mention in thing.mentions:
            if mention.kind in _TWINNED:
                named.setdefault(mention.value.rstrip("/"), index)
    for index, thing in enumerate(things):
        if thing.kind in PATHS and not thing.changes and not _absolute(thing):
            owner = next((named[value.rstrip("/")] for value in thing.values if value.rstrip("/") in named), None)
            if owner is not None and owner != index:
                yield owner, index, "one spelling read as two kinds"


def _blobs(things: Sequence[Thing], place: Place) -> Iterator[Pair]:
    """A file's address at a forge and the one changed file whose path it ends in, unless it is another repository's."""
    changed = [(i, _longest(thing)) for i, thing in enumerate(things) if thing.kind in PATHS and thing.changes]
    for index, thing in enumerate(things):
        for value in thing.values if thing.kind is HandleKind.URL else ():
            found = _BLOB.search(value)
            parts = path_parts(found.group(1)) if found and _may_be_own(value[: found.start()], place) else ()
            owners = [i for i, path in changed if parts and (_tail_of(parts, path) or _tail_of(path, parts))]
            if len(owners) == 1:
                yield owners[0], index, "a file and its address"


def _may_be_own(address: str, place: Place) -> bool:
    if place.repository:
        return _slug(address) == _slug(place.repository)
    where = place.root or place.cwd
    return not where or path_parts(address)[-1:] == path_parts(where)[-1:]


def _tail_of(tail: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    return len(tail) > 1 and whole[-len(tail) :] == tail


def _carried(things: Sequence[Thing], _place: Place) -> Iterator[Pair]:
    """A command that resumes a session belongs to the session."""
    sessions = [
        (i, t.values[0])
        for i, t in enumerate(things)
        if t.kind is HandleKind.SESSION_KEY and len(t.values[0]) > _LONG_KEY
    ]
    for index, thing in enumerate(things):
        if thing.kind is HandleKind.COMMAND:
            owners = [i for i, key in sessions if any(key in value.split() for value in thing.values)]
            if len(owners) == 1:
                yield owners[0], index, "a session and the command that resumes it"


def _fetches(things: Sequence[Thing], _place: Place) -> Iterator[Pair]:
    """A command that does nothing but call one address belongs to the address."""
    addresses = {value: i for i, t in enumerate(things) if t.kind is HandleKind.URL for value in t.values}
    for index, thing in enumerate(things) if addresses else ():
        if thing.kind is HandleKind.COMMAND and _FETCHER.match(thing.values[0]):
            called = [word.strip("'\"") for word in thing.values[0].split() if "://" in word]
            if len(called) == 1 and called[0] in addresses and "|" not in thing.values[0]:
                yield addresses[called[0]], index, "an address and the command that calls it"


_FETCHER = expression(r"(?:curl|wget|https?|xh|iwr|Invoke-WebRequest)\s")


def _clones(things: Sequence[Thing], _place: Place) -> Iterator[Pair]:
    """A repository's address and the checkout that one call made of it."""
    made: dict[str, list[int]] = defaultdict(list)
    for index, thing in enumerate(things):
        for action in thing.actions:
            if action.verb is Verb.CLONED and action.ok is not False:
                made[action.call_id].append(index)
    for indexes in made.values():
        remotes = [i for i in indexes if things[i].kind not in PATHS]
        roots = [i for i in indexes if things[i].kind in PATHS]
        if remotes and len(set(roots)) == 1:
            yield remotes[0], roots[0], "a clone and what it is cloned from"


def _repositories(things: Sequence[Thing], place: Place) -> Iterator[Pair]:
    """A repository's short id and its address; its checkout only where the turn's place proves that they are one."""
    ids: dict[str, int] = {}
    for index, thing in enumerate(things):
        if thing.kind is HandleKind.REPOSITORY_ID:
            ids.setdefault(_slug(thing.values[0]), index)
    for index, thing in enumerate(things):
        if thing.kind is HandleKind.URL:
            found = _FORGE.fullmatch(thing.values[0])
            owner = ids.get(found.group(1).casefold()) if found else None
            if owner is not None:
                yield owner, index, "a repository and its address"
    root = _checkout(place)
    if root and place.repository and not any(_repointed(thing) for thing in things):
        owner = ids.get(_slug(place.repository))
        roots = [i for i, t in enumerate(things) if t.kind in PATHS and path_parts(root) in map(path_parts, t.values)]
        if owner is not None and roots:
            yield owner, roots[0], "a repository and the checkout the turn worked in"


def _repointed(thing: Thing) -> bool:
    """Whether the turn made it the checkout's origin: what the place tells is the former one."""
    return any(a.verb is Verb.CONFIGURED and a.detail == "origin" and a.ok is not False for a in thing.actions)


def _checkout(place: Place) -> str | None:
    """Where the turn's repository is checked out: its root, or a working directory that bears its name."""
    if place.root or not place.cwd or not place.repository:
        return place.root
    return place.cwd if path_parts(place.cwd)[-1:] == (_slug(place.repository).rpartition("/")[2],) else None


def _slug(value: str) -> str:
    return "/".join(value.removesuffix(".git").casefold().replace(":", "/").split("/")[-2:])


def _words(things: Sequence[Thing], _place: Place) -> Iterator[Pair]:
    """Named ids of one kind that fold to the same words: `shop-web-module` and `ShopWebModule`."""
    seen: dict[tuple[HandleKind, str], int] = {}
    for index, thing in enumerate(things):
        if thing.kind in _NAMED and thing.within(Role.INTENT, Role.OUTCOME):
            folded = re.sub(r"[\W_]+", "", thing.values[0].casefold())
            owner = seen.setdefault((thing.kind, folded), index)
            if owner != index:
                yield owner, index, "the same words"


_RULES: tuple[_Rule, ...] = (
    _twins,
    _tails,
    _blobs,
    _carried,
    _fetches,
    _clones,
    _numbers,
    _shas,
    _branches,
    _repositories,
    _words,
)
