"""The readable file made of kept entries is the file made anew, whatever changed in between."""

import os
import tempfile
from contextlib import closing
from pathlib import Path

from door_cases import SOURCE
from hypothesis import given
from hypothesis import strategies as st
from store_cases import Clock

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.values import Modality
from ferrule.memory.merge import canonical
from ferrule.memory.ports import StagedWrite
from ferrule.memory.projection import is_ours, projected, projection
from ferrule.ontology.values import LayerName, Property, Prototype, Ref, Value

KEY = SOURCE.key
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK | os.X_OK) else None  # noqa: S108 - a private folder is made in it
VALUES = st.one_of(
    st.sampled_from(["x", 'say "hi"', "", '{"ref":"A"}', "back\\slash", "späte ☂"]),
    st.integers(-9, 9),
    st.booleans(),
    st.sampled_from("ABCDE").map(Ref),
    st.lists(st.sampled_from("ABCDE").map(Ref), max_size=2).map(tuple),
)
MEMORIES = st.lists(
    st.tuples(
        st.sampled_from("ABCDE"),
        st.sampled_from(["Document", "A", "B"]),
        st.dictionaries(
            st.sampled_from(["Notes", "Source", "Supersedes"]), st.tuples(VALUES, st.booleans()), max_size=3
        ),
    ),
    unique_by=lambda one: one[0],
    max_size=5,
)


def a_staged(name: str, base: str, values: dict[str, tuple[Value, bool]]) -> StagedWrite:
    """A write of whatever links and quotes, as admission would stage it."""
    own = tuple(
        Property(prop, "String", value, declares=typed, assigned=True) for prop, (value, typed) in values.items()
    )
    held = Prototype(name, (base,), own, LayerName.SESSION)
    text = canonical(held)
    return StagedWrite(held, "created", text, text, (), (), (), Modality.EXISTING, (), ())


@given(MEMORIES, MEMORIES)
def test_the_file_of_kept_entries_is_the_file_made_anew(
    first: list[tuple[str, str, dict[str, tuple[Value, bool]]]],
    second: list[tuple[str, str, dict[str, tuple[Value, bool]]]],
) -> None:
    """DEC-D12: byte for byte, from one state to any other, whatever refers to whatever."""
    with (
        tempfile.TemporaryDirectory(dir=MEMORY) as folder,
        closing(SqliteStore(Path(folder) / "home", Clock())) as store,
    ):
        store.put_session(SOURCE)
        for memories in (first, second):
            store.forget(KEY, store.layer(KEY).names()[:2])
            known = store.layer(KEY).names()
            for one in memories:
                if one[0] not in known:
                    store.commit_person(KEY, a_staged(*one))
            kept = projected(store.entries(KEY))
            assert kept == projection(store.prototypes(KEY))
            assert is_ours(kept)
