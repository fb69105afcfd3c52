"""A person's own hand on a session's memory: judge, write, forget, lift (DEC-D5, DEC-D8, DEC-D14).

Owns putting a draft before the admission rules in a person's scope, or a critic's when asked. The rules themselves, and
the store, are others'. Knows nothing of how a verdict is shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from ferrule.bridge.values import Refusal
from ferrule.errors import Code, UsageError
from ferrule.memory.admission import admit
from ferrule.memory.submission import AdmissionView, Refusals, Scope, Submission, Unaltered, Written
from ferrule.memory.submission import Verdict as Ruling
from ferrule.protoscript.reading import parse
from ferrule.session.source import SourceSession
from ferrule.wiring.drafts import Draft
from ferrule.wiring.explaining import chosen_turns
from ferrule.wiring.home import Home
from ferrule.wiring.homework import critic_ruling

__all__ = ["Verdict", "forgettable", "forgotten", "judge", "lifted"]

_NO_SESSION = ""


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
    key = session.key if session else _NO_SESSION
    view = _view(home, key)
    if as_critic is None:
        ruling = admit(Submission(draft.text, Scope.PERSON), view)
    else:
        (turn,) = chosen_turns(home.store.turn_keys(key), as_critic, key or "no session")
        stored = home.store.turn(key, turn)
        if stored is None:
            raise UsageError(f"the text of turn {turn} is no longer kept", code=Code.TURN_NOT_COMPLETED)
        ruling = critic_ruling(draft.text, stored, view, home.store)
    if write and isinstance(ruling, Written):
        home.store.commit_person(key, ruling.write)
    return _verdict(draft, ruling)


def _view(home: Home, key: str) -> AdmissionView:
    store = home.store
    ordinals = [ordinal for ordinal, _ in store.turn_keys(key)]

    def forgotten_marks(marks: Sequence[str]) -> tuple[str, ...]:
        return tuple(tombstone.key for tombstone in store.tombstones(key, marks))

    return AdmissionView(
        permanent=home.permanent,
        session=store.layer(key),
        lineage=store.lineage(key),
        ordinal=max(ordinals, default=0),
        forgotten=forgotten_marks,
        touched_after=partial(store.touched_after, key),
    )


def _verdict(draft: Draft, ruling: Ruling) -> Verdict:
    match ruling:
        case Written(write=write, warnings=warnings):
            return Verdict(draft.file, ok=True, prototype=write.prototype.name, warnings=warnings)
        case Unaltered(name=name):
            return Verdict(draft.file, ok=True, prototype=name, unchanged=True)
        case Refusals(refusals=refusals):
            return Verdict(draft.file, ok=False, prototype=_named(draft.text, refusals), refusals=refusals)


def _named(text: str, refusals: Sequence[Refusal]) -> str:
    """The name that a refused text declares; not looked for in one that was refused for its size or characters."""
    if any(refusal.rule == 1 for refusal in refusals):
        return ""
    names = [prototype.name for prototype in parse(text).tree.prototypes]
    return names[0] if len(names) == 1 else ""


def forgettable(home: Home, key: str, names: Sequence[str]) -> tuple[str, ...]:
    """The names of memories that would be forgotten: those given, or all of them.

    Raises:
        UsageError: a name that is not remembered in that session.
    """
    known = home.store.layer(key).names()
    unknown = next((name for name in names if name not in known), None)
    if unknown is not None:
        hint = "ferrule memory list shows the names"
        raise UsageError(f"{key} has no memory named {unknown}; {hint}", code=Code.UNKNOWN_REFERENCE)
    return tuple(dict.fromkeys(names)) or known


def forgotten(home: Home, key: str, names: Sequence[str]) -> None:
    """Forget memories; their identity keys keep a tombstone, so that no later turn learns them again."""
    home.store.forget(key, names)
    home.projected(key)


def lifted(home: Home, key: str, name: str, *, do: bool) -> tuple[str, ...]:
    """The marks that forgetting left under that name or identity key, lifted when `do` is set."""
    marks = tuple(
        tombstone.key for tombstone in home.store.all_tombstones(key) if name in {tombstone.name, tombstone.key}
    )
    if do and marks:
        home.store.unforget(key, name)
    return marks
