"""What two or more sessions of one repository used is worth keeping for good; this says so and does nothing.

Owns the count: a thing is the same by its identity key, a path by its place in the repository; it was used where a
session remembers it, and in every turn whose review came upon it. Knows nothing of how it is printed.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from ferrule.adapters.projects.places import git_root
from ferrule.bridge.values import HandleView
from ferrule.errors import FerruleError
from ferrule.referents.kinds import HandleKind
from ferrule.session.repository import neighbours
from ferrule.session.source import SourceSession
from ferrule.wiring.home import Home
from ferrule.wiring.neighbourhood import checkout_of
from ferrule.wiring.promoting import promotions

__all__ = ["Suggestion", "suggestions"]

MOST_SESSIONS = 200
MOST = 20
_USED = frozenset({"existing-sufficient", "existing-augment", "new-create"})


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One thing that was used again: by which sessions, in how many turns, and how to promote it.

    `refused` says why it cannot be promoted; the command is of the newest session that remembers it.
    """

    name: str
    session: str
    sessions: tuple[str, ...]
    turns: int
    handles: tuple[str, ...]
    command: str
    refused: str = ""


@dataclass(slots=True)
class _Use:
    """Where things of one identity were met; `named` is (session, memory, handles), newest session first."""

    sessions: dict[str, None] = field(default_factory=dict)
    turns: set[tuple[str, str]] = field(default_factory=set)
    named: list[tuple[str, str, tuple[HandleView, ...]]] = field(default_factory=list)


def suggestions(home: Home, session: SourceSession) -> tuple[Suggestion, ...]:
    """What was used in two or more sessions of the session's repository, most used first; at most twenty.

    Raises:
        StoreError: the home cannot be read.
    """
    others = neighbours(session, home.store.sessions(), cache(checkout_of))
    uses: dict[str, _Use] = {}
    for one in (session, *others)[:MOST_SESSIONS]:
        _count(home, one, uses)
    found = [use for use in _distinct(uses) if len(use.sessions) > 1 and use.named]
    found.sort(key=lambda use: (-len(use.sessions), -len(use.turns), use.named[0][1]))
    told = (_told(home, use) for use in found)
    return tuple(one for one in told if one is not None)[:MOST]


def _distinct(uses: dict[str, _Use]) -> Iterator[_Use]:
    """Each use once: a thing of several handles was counted under each of them."""
    seen: set[tuple[str, str]] = set()
    for use in sorted(uses.values(), key=lambda use: -len(use.sessions)):
        names = {(session, name) for session, name, _ in use.named}
        if not names & seen:
            yield use
        seen |= names


def _count(home: Home, session: SourceSession, uses: dict[str, _Use]) -> None:
    keys: dict[str, tuple[str, ...]] = {}
    for name in home.store.recent(session.key, 1000):
        handles = home.store.handles(session.key, name)
        keys[name] = tuple(dict.fromkeys(_key(handle, session) for handle in handles if _identifies(handle)))
        for key in keys[name]:
            use = uses.setdefault(key, _Use())
            use.sessions[session.key] = None
            use.named.append((session.key, name, handles))
    for kin in home.store.kin(session.key):
        for name in home.store.layer(kin.key).names():
            handles = home.store.handles(kin.key, name)
            keys.setdefault(name, tuple(_key(handle, kin) for handle in handles if _identifies(handle)))
    for _, turn in home.store.turn_keys(session.key):
        for name in _met(home.store.review(session.key, turn)):
            for key in keys.get(name, ()):
                use = uses.setdefault(key, _Use())
                use.sessions[session.key] = None
                use.turns.add((session.key, turn))


def _met(review: dict[str, object] | None) -> Iterator[str]:
    """The memories that a review decided about or wrote."""
    for member, name, wanted in (("candidates", "target", _USED), ("written", "prototype", None)):
        rows = (review or {}).get(member)
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, dict) and row.get(name) and (wanted is None or row.get("disposition") in wanted):
                yield str(row[name])


def _identifies(handle: HandleView) -> bool:
    return handle.kind not in {HandleKind.TYPED_REFERENCE, HandleKind.SESSION_KEY} and bool(handle.key)


def _key(handle: HandleView, session: SourceSession) -> str:
    """The identity key; a path below the session's own checkout by its place in the repository."""
    repository = (session.repository or "").lower()
    if repository and handle.key.startswith(f"path:{repository}:"):
        return f"path::{handle.key.removeprefix(f'path:{repository}:')}"
    root = git_root(session.cwd)
    for base in (str(root), checkout_of(session.cwd)) if root is not None else ():
        if handle.key.startswith(f"path:{base}/"):
            return f"path::{handle.key.removeprefix(f'path:{base}/')}"
    return handle.key


def _told(home: Home, use: _Use) -> Suggestion | None:
    """The suggestion; None when the project says it already."""
    key, name, handles = use.named[0]
    session = home.store.session(key)
    if session is None:
        return None
    refused = ""
    try:
        item = next(iter(promotions(home, session, [name]).items))
    except FerruleError as problem:
        refused = str(problem)
    else:
        if item.verdict == "unchanged" or item.known_as:
            return None
        refused = next((f"{one.property}: {one.reason}".removeprefix(": ") for one in item.objections), "")
    return Suggestion(
        name=name,
        session=key,
        sessions=tuple(use.sessions),
        turns=len(use.turns),
        handles=tuple(dict.fromkeys(handle.value for handle in handles if _identifies(handle))),
        command=f"ferrule memory promote {name} --session {key}",
        refused=refused,
    )
