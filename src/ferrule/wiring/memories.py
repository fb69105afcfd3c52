"""A person's own hand on a session's memory: judge, write, forget, lift (DEC-D5, DEC-D8, DEC-D14).

Owns which door a person's draft takes: NLMemory's own, or the critic's rules when asked. Knows nothing of how a verdict
is shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ferrule.bridge.values import Accepted, Answer, Refusal, Refused, Unchanged
from ferrule.errors import Code, StoreCorrupt, UsageError
from ferrule.memory.artifact import edited_files
from ferrule.memory.nlmemory import NLMemory
from ferrule.memory.submission import Verdict as Ruling
from ferrule.memory.submission import answer_of
from ferrule.protoscript.reading import parse
from ferrule.session.source import SourceSession
from ferrule.wiring.critic import memory_of
from ferrule.wiring.drafts import Draft
from ferrule.wiring.explaining import chosen_turns
from ferrule.wiring.home import NO_SESSION, Home
from ferrule.wiring.homework import critic_ruling

__all__ = ["Verdict", "exported", "forgettable", "forgotten", "handles_shown", "judge", "lifted"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rules said of one file. `prototype` is empty when the text names none."""

    file: str
    ok: bool
    prototype: str
    unchanged: bool = False
    refusals: tuple[Refusal, ...] = ()
    warnings: tuple[Refusal, ...] = ()


def judge(home: Home, session: SourceSession | None, draft: Draft, *, as_critic: str | None, write: bool) -> Verdict:
    """Judge one definition; write it when asked and admitted.

    Raises:
        UsageError: `as_critic` names no completed turn whose text is kept.
        StoreError: the home cannot be used.
    """
    key = session.key if session else NO_SESSION
    memory = memory_of(home, key)
    if as_critic is not None:
        answer = _as_critic(home, key, draft, as_critic, memory=memory if write else None)
    elif write:
        answer = memory.write(key, draft.text)
    else:
        answer = memory.check(key, draft.text)
    if write and isinstance(answer, Accepted):
        memory.project(key)
    return _verdict(draft, answer)


def _as_critic(home: Home, key: str, draft: Draft, name: str, *, memory: NLMemory | None) -> Answer:
    """Judge it as a critic's write on that turn; with a memory, keep it as that turn's too."""
    (turn,) = chosen_turns(home.store.turn_keys(key), name, key or "no session")
    stored = home.store.turn(key, turn)
    if stored is None:
        raise UsageError(f"the text of turn {turn} is no longer kept", code=Code.TURN_NOT_COMPLETED)

    def judge() -> Ruling:
        return critic_ruling(draft.text, stored, home.store, home.permanent_of(key))

    return answer_of(judge()) if memory is None else memory.settle(key, judge, turn=(stored.ordinal, stored.key))


def _verdict(draft: Draft, answer: Answer) -> Verdict:
    match answer:
        case Accepted(prototype=name, warnings=warnings):
            return Verdict(draft.file, ok=True, prototype=name, warnings=warnings)
        case Unchanged(prototype=name):
            return Verdict(draft.file, ok=True, prototype=name, unchanged=True)
        case Refused(refusals=refusals):
            return Verdict(draft.file, ok=False, prototype=_named(draft.text, refusals), refusals=refusals)


def _named(text: str, refusals: Sequence[Refusal]) -> str:
    """The name that a refused text declares; not looked for in one that was refused for its size or characters."""
    if any(refusal.rule == 1 for refusal in refusals):
        return ""
    names = [prototype.name for prototype in parse(text).tree.prototypes]
    return names[0] if len(names) == 1 else ""


def exported(home: Home, key: str) -> str:
    """A session's memory as ProtoScript text, as its projection shows it."""
    return memory_of(home, key).export(key)


def forgettable(home: Home, key: str, what: Sequence[str]) -> tuple[str, ...]:
    """The memories that would be forgotten: those of that name or handle, or all when nothing is named.

    Raises:
        UsageError: something that is not remembered in that session.
    """
    memory, aside = memory_of(home, key), home.store.set_aside(key)
    unknown = next((words for words in what if words not in aside and not memory.meant(key, [words])), None)
    if unknown is not None:
        hint = "ferrule memory list shows the names"
        raise UsageError(f"{key} has no memory named {unknown}; {hint}", code=Code.UNKNOWN_REFERENCE)
    if not what:
        return tuple(dict.fromkeys((*home.store.layer(key).names(), *aside)))
    return tuple(dict.fromkeys((*memory.meant(key, what), *(words for words in what if words in aside))))


def handles_shown(home: Home, key: str, name: str) -> str:
    """What a memory points at, for whoever is asked whether it should go; a damaged one can go as well."""
    try:
        handles = home.store.handles(key, name)
    except StoreCorrupt:
        return "(damaged)"
    return ", ".join(dict.fromkeys(handle.value for handle in handles))


def forgotten(home: Home, key: str, names: Sequence[str]) -> tuple[Path, ...]:
    """Forget memories; their identity keys keep a tombstone, so that no later turn learns them again.

    Gives the hand-edited files in the home that still say one of them: those are a person's own, and stay.
    """
    marks = {mark.encode() for name in names for mark in (name, *_handles(home, key, name))}
    memory_of(home, key).forget(key, names)
    return tuple(path for path in edited_files(home.path, key) if any(mark in _content(path) for mark in marks))


def _handles(home: Home, key: str, name: str) -> tuple[str, ...]:
    try:
        return tuple(handle.value for handle in home.store.handles(key, name))
    except StoreCorrupt:
        return ()


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def lifted(home: Home, key: str, name: str, *, do: bool) -> tuple[str, ...]:
    """The marks that forgetting left under that name or identity key, lifted when `do` is set."""
    marks = tuple(stone.key for stone in home.store.all_tombstones(key) if name in {stone.name, stone.key})
    if do and marks:
        memory_of(home, key).unforget(key, name)
    return marks
