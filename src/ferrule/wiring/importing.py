"""A file of definitions comes into a session's memory through the rules, as a person's own writes (DEC-D12, CASE-N08).

Owns that each definition comes in whole or not at all: everything is tried on a copy of the store first, and what is
refused there, or refers to it, is left out. Nothing that is valued is ever changed (R44). Knows nothing of how a
verdict is shown.
"""

import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ferrule.adapters.sqlite.backing_up import copy_store
from ferrule.adapters.sqlite.failures import from_os
from ferrule.adapters.sqlite.home import REHEARSING
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.values import Accepted, Answer, Refusal, Refused
from ferrule.memory.nlmemory import NLMemory
from ferrule.memory.projection import projection
from ferrule.memory.restore import read_projection
from ferrule.ontology.fitting import refs_of
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.values import Prototype
from ferrule.wiring.critic import memory_of
from ferrule.wiring.drafts import Draft
from ferrule.wiring.home import Home

__all__ = ["Import", "Imported", "imported", "rehearsed"]


@dataclass(frozen=True, slots=True)
class Imported:
    """What becomes of one definition: `verdict` is `new`, `added`, `unchanged`, `refused` or `unreadable`."""

    name: str
    verdict: str
    refusals: tuple[Refusal, ...] = ()
    reason: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Import:
    """A file, judged and not yet taken in; `text` holds what the rules admit."""

    session: str
    file: str
    items: tuple[Imported, ...]
    text: str

    @property
    def changes(self) -> int:
        """How many definitions would change something."""
        return sum(item.verdict in {"new", "added"} for item in self.items)

    @property
    def refused(self) -> int:
        """How many stay out."""
        return sum(item.verdict in {"refused", "unreadable"} for item in self.items)


def rehearsed(home: Home, key: str, draft: Draft) -> Import:
    """Judge every definition of a file on a copy of the store; nothing is written.

    Raises:
        StoreError: the store cannot be copied.
    """
    layer = home.store.layer(key)
    restored = read_projection(draft.text, Ontology(home.permanent_of(key), layer, home.store.lineage(key)))
    answers = _tried(home, key, restored.prototypes)
    refusals = {
        name: tuple(one for answer in given if isinstance(answer, Refused) for one in answer.refusals)
        for name, given in answers.items()
    }
    out = _left_out(restored.prototypes, {name for name, found in refusals.items() if found})
    known = {prototype.name for prototype in restored.prototypes if layer.get(prototype.name) is not None}
    items = [
        Imported(name, _verdict(answers[name], known=name in known), refusals[name], out.get(name, ""))
        if name not in out or refusals[name]
        else Imported(name, "refused", reason=out[name])
        for name in answers
    ]
    kept = [prototype for prototype in restored.prototypes if prototype.name not in out]
    aside = [Imported(one.name, "unreadable", reason=one.reason, line=one.line) for one in restored.aside]
    return Import(key, draft.file, (*items, *aside), projection(kept) if kept else "")


def imported(home: Home, change: Import) -> tuple[tuple[str, Answer], ...]:
    """Take in what was admitted, with a receipt for each write; returns what was refused since it was judged.

    Raises:
        StoreError: the home cannot be written; what was taken in before stands.
    """
    if not change.text:
        return ()
    memory = memory_of(home, change.session)
    done = memory.restore(change.session, change.text)
    memory.project(change.session)
    return tuple((name, answer) for name, answer in done.answers if isinstance(answer, Refused))


def _tried(home: Home, key: str, prototypes: Sequence[Prototype]) -> Mapping[str, list[Answer]]:
    answers: dict[str, list[Answer]] = {prototype.name: [] for prototype in prototypes}
    if not prototypes:
        return answers
    try:
        with tempfile.TemporaryDirectory(prefix=REHEARSING, dir=home.path, ignore_cleanup_errors=True) as folder:
            copy_store(home.path, Path(folder))
            store = SqliteStore(Path(folder), time.time)
            try:
                rehearsal = NLMemory(store, home.permanent_of(key), Path(folder))
                for name, answer in rehearsal.restore(key, projection(prototypes)).answers:
                    answers.setdefault(name, []).append(answer)
            finally:
                store.close()
    except OSError as error:
        raise from_os(error, home.path, "try the import on a copy of the store") from error
    return answers


def _left_out(prototypes: Sequence[Prototype], refused: set[str]) -> dict[str, str]:
    """Who stays out, and why: the refused, and in turn who refers to them and would not be whole without."""
    out = dict.fromkeys(sorted(refused), "")
    while True:
        more = {
            prototype.name: f"it refers to {missing}, which is refused"
            for prototype in prototypes
            if prototype.name not in out and (missing := next((one for one in _referred(prototype) if one in out), ""))
        }
        if not more:
            return out
        out |= more


def _referred(prototype: Prototype) -> tuple[str, ...]:
    return (*prototype.bases, *(name for prop in prototype.properties for name in refs_of(prop.value)))


def _verdict(answers: Sequence[Answer], *, known: bool) -> str:
    if any(isinstance(answer, Refused) for answer in answers):
        return "refused"
    if any(isinstance(answer, Accepted) for answer in answers):
        return "added" if known else "new"
    return "unchanged"
