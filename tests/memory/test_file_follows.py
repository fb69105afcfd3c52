"""What is taken out of memory is taken out of the readable file too, even where that fails half-way."""

import os
from pathlib import Path

import pytest
from door_cases import SOURCE, permanent
from store_cases import Clock

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.errors import StoreError
from ferrule.memory.artifact import artifact_path
from ferrule.memory.nlmemory import NLMemory

KEY = SOURCE.key


def remembered(home: Path) -> NLMemory:
    """A session that remembers two documents, as its file shows."""
    store = SqliteStore(home, Clock())
    store.put_session(SOURCE)
    memory = NLMemory(store, permanent(), home)
    for name in ("Atlas", "Ledger"):
        memory.write(KEY, f'prototype {name} : Document {{ EntityName = @"the {name}"; DocumentPath = @"/d/{name}"; }}')
    memory.project(KEY)
    return memory


def full(*_: object, **__: object) -> None:
    """The disk takes no new file."""
    raise OSError(28, os.strerror(28))


@pytest.mark.parametrize("verb", ["forget", "undo"])
def test_a_file_that_cannot_be_made_anew_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str) -> None:
    """CASE-K01, R97: on a full disk the file does not go on showing what was forgotten; then it is made anew."""
    memory = remembered(tmp_path / "home")
    path = artifact_path(memory.home, KEY)
    assert "Atlas" in path.read_text(encoding="utf-8")
    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", full)
        with pytest.raises(StoreError, match="ENOSPC"):
            memory.forget(KEY, ["Atlas"]) if verb == "forget" else memory.undo(KEY, 1)
    assert memory.store.layer(KEY).names() == ("Ledger",)
    assert not path.exists()
    memory.forget(KEY, ["Atlas"])
    assert "Ledger" in path.read_text(encoding="utf-8")
    memory.store.close()  # type: ignore[attr-defined]


def test_a_file_that_somebody_edited_is_never_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CASE-N08, CASE-K01: whatever fails, a person's own text stays."""
    memory = remembered(tmp_path / "home")
    path = artifact_path(memory.home, KEY)
    path.write_text("// mine\n", encoding="utf-8")
    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", full)
        with pytest.raises(StoreError):
            memory.forget(KEY, ["Atlas"])
    assert path.read_text(encoding="utf-8") == "// mine\n"
    memory.store.close()  # type: ignore[attr-defined]


def test_a_forgetting_that_fails_after_its_commit_still_reaches_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CASE-K01, R97: the log could not be emptied after the commit; the file shows what the database holds."""
    memory = remembered(tmp_path / "home")
    forget = memory.store.forget

    def failing(session: str, names: list[str]) -> None:
        forget(session, names)
        raise StoreError("the log could not be emptied (EIO)")

    monkeypatch.setattr(memory.store, "forget", failing)
    with pytest.raises(StoreError, match="EIO"):
        memory.forget(KEY, ["Atlas"])
    assert "Atlas" not in artifact_path(memory.home, KEY).read_text(encoding="utf-8")
    memory.store.close()  # type: ignore[attr-defined]
