"""Random histories of writes, forgetting, undoing, restarts and restores against a plain dictionary (INV-I1, INV-I3).

Owns the campaign `histories` (CASE-G12): the steps, the model, and the comparison after each. Each history has a
session of its own, so that a home serves hundreds of them. Knows nothing of faults: `simulation` has those.
"""

import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.values import Accepted, Unchanged
from ferrule.memory.nlmemory import NLMemory
from ferrule.memory.receipts import broken_at
from ferrule.session.source import SOURCE_PROFILE, SourceSession
from proofs.minds import permanent
from proofs.scenes import workshop
from proofs.tables import Row

__all__ = ["History", "histories", "played"]

_NAMES = ("Alpha", "Beta", "Gamma")
_PROPERTIES = ("Description", "Aliases", "DocumentPath", "EntityName")
_VALUES = ("/quay/a.md", "/quay/b.md", "the first", "")
_LONGEST = 14
_PER_HOME = 250
_SHOWN = 5
_VERBS = ("define", "add", "add", "add", "forget", "unforget", "undo", "restart", "project", "restore")


@dataclass
class History:
    """One session's history and what it should hold."""

    memory: NLMemory
    key: str
    rng: random.Random
    model: dict[str, dict[str, object]] = field(default_factory=dict)
    written: list[tuple[int, str, dict[str, object]]] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)

    def step(self, verb: str) -> Iterator[str]:
        """Do one step; what is wrong with the answer."""
        name = self.rng.choice(_NAMES)
        self.steps.append(f"{verb} {name}")
        match verb:
            case "define" | "add":
                yield from self._write(verb, name)
            case "forget":
                gone = bool(self.memory.forget(self.key, [name]))
                if gone != (name in self.model):
                    yield f"forgetting {name} was answered {gone}"
                self.model.pop(name, None)
                self.written = [one for one in self.written if one[1] != name]
            case "unforget":
                self.memory.unforget(self.key, name)
            case "undo":
                self._undo()
            case "project":
                self.memory.project(self.key)
            case "restore":
                yield from self._restore()
            case _:  # a restart
                return

    def _write(self, verb: str, name: str) -> Iterator[str]:
        chosen = self.rng.sample(_PROPERTIES, self.rng.randint(0, 3))
        values: dict[str, object] = {prop: self.rng.choice(_VALUES) for prop in chosen}
        members = "".join(f' {prop} = @"{value}";' for prop, value in values.items())
        head = f"prototype {name} : Document" if verb == "define" else f"partial prototype {name}"
        text = f"{head} {{{members} }}"
        checked = self.memory.check(self.key, text)
        answer = self.memory.write(self.key, text)
        self.steps[-1] = f"{text} -> {type(answer).__name__}"
        if type(answer) is not type(checked):
            yield f"check said {type(checked).__name__}, write {type(answer).__name__}"
        if not isinstance(answer, Accepted):
            return
        known = self.model.setdefault(name, {})
        added = {prop: value for prop, value in values.items() if value}
        if known.keys() & added.keys():
            yield f"an accepted write names a valued property: {sorted(known.keys() & added.keys())}"
        known.update(added)
        self.written.append((self.memory.store.receipts(self.key)[-1].seq, name, added))

    def _undo(self) -> None:
        """Undo the newest write; it must take away what it gave and nothing else."""
        if not self.written:
            return
        number, name, added = self.written.pop()
        self.memory.undo(self.key, number)
        self.steps[-1] = f"undo {name}"
        if not any(one[1] == name for one in self.written):
            del self.model[name]
            return
        for prop in added:
            del self.model[name][prop]

    def _restore(self) -> Iterator[str]:
        """Read its own file back: everything is there already."""
        answers = self.memory.restore(self.key, self.memory.export(self.key)).answers
        if any(not isinstance(answer, Unchanged) for _, answer in answers):
            yield f"its own file was not taken as it is: {answers}"

    def differences(self) -> Iterator[str]:
        """Where the store does not hold what the model says."""
        held = {
            prototype.name: {prop.name: prop.value for prop in prototype.properties if prop.assigned}
            for prototype in self.memory.store.prototypes(self.key)
        }
        if held != self.model:
            yield f"the store holds {held}, the model {self.model}"


def _opened(home: Path) -> NLMemory:
    store = SqliteStore(home, time.time)
    store._database.rows("PRAGMA synchronous = OFF")  # noqa: SLF001 - no power is cut here
    return NLMemory(store, permanent(), home)


def _a_home(first: int, count: int) -> Counter[str]:
    """So many histories on one home, one after the other."""
    found: Counter[str] = Counter()
    with workshop("histories") as folder:
        memory = _opened(folder / "home")
        for seed in range(first, first + count):
            memory = _one(memory, seed, found)
        if broken_at(memory.store.receipts()) is not None:
            found["wrong"] += 1
        memory.store.close()  # type: ignore[attr-defined]
    return found


def _one(memory: NLMemory, seed: int, found: Counter[str]) -> NLMemory:
    rng = random.Random(seed)
    history = History(memory, f"desk:h{seed}", rng)
    memory.store.put_session(SourceSession(key=history.key, profile=SOURCE_PROFILE, client="desk"))  # type: ignore[attr-defined]
    wrong: list[str] = []
    for _ in range(rng.randint(1, _LONGEST)):
        verb = rng.choice(_VERBS)
        if verb == "restart":
            memory.store.close()  # type: ignore[attr-defined]
            history.memory = memory = _opened(memory.home)
        wrong += [*history.step(verb), *history.differences()]
        found["steps"] += 1
        found[verb] += 1
        if wrong:
            break
    memory.project(history.key)
    if not wrong and not memory.verify(history.key).ok:
        wrong.append(f"file and store do not agree: {memory.verify(history.key)}")
    found["histories"] += 1
    found["wrong"] += bool(wrong)
    if wrong and found["wrong"] <= _SHOWN:
        print(f"history {seed}: {wrong} after {history.steps}", flush=True)
    return memory


def played(count: int, first: int) -> Counter[str]:
    """Play so many histories, from this seed on."""
    found: Counter[str] = Counter()
    for at in range(first, first + count, _PER_HOME):
        found += _a_home(at, min(_PER_HOME, first + count - at))
    return found


def histories(count: int, seed: int) -> Iterator[Row]:
    """All of them."""
    found = played(count, seed)
    note = ", ".join(f"{found[verb]} {verb}" for verb in dict.fromkeys(_VERBS))
    what = "the store equals the model after each step"
    yield Row(what, f"{found['histories']} histories, {found['steps']} steps", found["wrong"], f"{seed}..", note)
