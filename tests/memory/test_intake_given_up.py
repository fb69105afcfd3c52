"""When a file cannot be taken in, that is said with its reason, and what stands is whole batches."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from door_cases import SOURCE, permanent
from store_cases import Clock

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.errors import Code, StoreError
from ferrule.memory.nlmemory import NLMemory

KEY = SOURCE.key
FILE = "".join(
    f'prototype Page{number} : Document {{ EntityName = @"Page {number}"; DocumentPath = @"page{number}.md"; }}\n'
    for number in range(5)
)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[NLMemory]:
    """The memory of a session that remembers nothing yet."""
    store = SqliteStore(tmp_path / "home", Clock())
    store.put_session(SOURCE)
    yield NLMemory(store, permanent(), tmp_path / "home")
    store.close()


@pytest.mark.parametrize(
    ("code", "says", "attempts"),
    [
        (Code.STALE_REVISION, "others write to the same memory all the time", 8),
        (Code.IO_FAILED, "the disk is gone", 1),
    ],
)
def test_a_batch_that_cannot_be_committed_is_an_error_with_its_reason(
    memory: NLMemory, monkeypatch: pytest.MonkeyPatch, *, code: Code, says: str, attempts: int
) -> None:
    """INV-I1, CASE-M01: judged anew a bounded number of times where somebody was quicker; any other error at once."""
    commit, asked = SqliteStore.commit_people, list[int]()

    def refusing(store: SqliteStore, *arguments: object) -> object:
        asked.append(len(asked))
        if len(asked) == 1:
            return commit(store, *arguments)  # type: ignore[arg-type]
        raise StoreError("the disk is gone", code=code)

    monkeypatch.setattr("ferrule.memory.intake.BATCH", 2)
    monkeypatch.setattr(SqliteStore, "commit_people", refusing)
    with pytest.raises(StoreError, match=says) as told:
        memory.restore(KEY, FILE)
    assert told.value.code is code
    assert len(asked) == 1 + attempts
    assert memory.store.layer(KEY).names() == ("Page0", "Page1")
    monkeypatch.setattr(SqliteStore, "commit_people", commit)
    memory.restore(KEY, FILE)
    assert memory.store.layer(KEY).names() == tuple(f"Page{number}" for number in range(5))
