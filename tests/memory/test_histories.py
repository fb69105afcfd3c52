"""Whatever is asked in whatever order: a value once written is never changed, and nothing is half done."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from door_cases import SOURCE, permanent
from hypothesis import given
from hypothesis import strategies as st
from store_cases import Clock

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.values import Accepted
from ferrule.memory.nlmemory import NLMemory
from ferrule.memory.receipts import broken_at
from ferrule.ontology.values import Value

KEY = SOURCE.key


@dataclass(frozen=True)
class Step:
    """One thing that somebody asks for."""

    verb: str
    name: str
    values: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """The definition that is submitted."""
        members = "".join(f'\t{name} = @"{value}";\n' for name, value in self.values)
        head = f"prototype {self.name} : Document" if self.verb == "define" else f"partial prototype {self.name}"
        return f"{head}\n{{\n{members}}}\n"


NAMES = st.sampled_from(["Alpha", "Beta"])
VALUES = st.dictionaries(
    st.sampled_from(["Notes", "Description", "DocumentPath"]), st.sampled_from(["/a", "/b", ""]), max_size=2
)
WRITES = st.builds(
    lambda verb, name, values: Step(verb, name, tuple(values.items())),
    st.sampled_from(["define", "add"]),
    NAMES,
    VALUES,
)
STEPS = st.one_of(
    WRITES, WRITES, WRITES, st.builds(Step, st.sampled_from(["forget", "unforget", "restart", "project"]), NAMES)
)


def opened(home: Path) -> NLMemory:
    """The memory of a home; without syncs, for no power is cut here."""
    store = SqliteStore(home, Clock())
    store._database.rows("PRAGMA synchronous = OFF")
    store.put_session(SOURCE)
    return NLMemory(store, permanent(), home)


def holds(memory: NLMemory) -> dict[str, dict[str, Value]]:
    """Every valued property as the store has it."""
    return {
        prototype.name: {prop.name: prop.value for prop in prototype.properties if prop.assigned}
        for prototype in memory.store.prototypes(KEY)
    }


def taken(memory: NLMemory, step: Step, model: dict[str, dict[str, Value]]) -> NLMemory:
    """Do one step and keep the model in step with the answer."""
    match step.verb:
        case "forget":
            if memory.forget(KEY, [step.name]):
                del model[step.name]
        case "unforget":
            memory.unforget(KEY, step.name)
        case "project":
            memory.project(KEY)
        case "restart":
            home = memory.home
            memory.store.close()  # type: ignore[attr-defined]
            return opened(home)
        case _:
            checked = memory.check(KEY, step.text)
            answer = memory.write(KEY, step.text)
            assert type(answer) is type(checked)
            if isinstance(answer, Accepted):
                known = model.setdefault(step.name, {})
                added = {name: value for name, value in step.values if value}
                assert not known.keys() & added.keys(), "an accepted write never names a valued property"
                known.update(added)
    return memory


@given(st.lists(STEPS, max_size=14))
def test_any_history_keeps_every_value(steps: Sequence[Step]) -> None:
    """INV-I1, INV-I3, R44, R58, R60, CASE-G01, CASE-G02: check and write agree; the store equals the model."""
    with tempfile.TemporaryDirectory() as folder:
        memory = opened(Path(folder) / "home")
        model: dict[str, dict[str, Value]] = {}
        for step in steps:
            memory = taken(memory, step, model)
            assert holds(memory) == model
        assert broken_at(memory.store.receipts()) is None
        memory.project(KEY)
        assert memory.verify(KEY).ok
        memory.store.close()  # type: ignore[attr-defined]
