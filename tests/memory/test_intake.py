"""A file is taken in by batches: the rules' verdicts are those of single writes, and each batch is one thing."""

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from counted import connect, failing_at, killed_at
from door_cases import SOURCE, permanent
from store_cases import Clock

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.values import Accepted, Answer, Refused, Unchanged
from ferrule.errors import Code, StoreError
from ferrule.memory.nlmemory import NLMemory
from ferrule.memory.receipts import broken_at, unmatched

KEY = SOURCE.key


def one(name: str, path: str = "", more: str = "") -> str:
    """A definition."""
    return f'prototype {name} : Document {{ EntityName = @"{name}"; DocumentPath = @"{path or name}.md"; {more} }}\n'


FILE = "".join(one(f"Page{number}") for number in range(5))
MIXED = (
    one("Alpha")
    + one("Beta", more="Document Source = Alpha;")
    + 'prototype Odd : NoSuchType { EntityName = @"odd"; }\n'
    + one("ALPHA")
    + one("Gamma", more="Document Source = Delta;")
    + one("Delta", more="Document Source = Gamma;")
    + one("Key", more='Description = @"ghp_0123456789abcdefghijABCDEFGHIJ012345";')
)  # fmt: skip


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with the source."""
    store = SqliteStore(tmp_path / "home", Clock())
    store.put_session(SOURCE)
    store.close()
    return tmp_path / "home"


@pytest.fixture
def memory(home: Path) -> Iterator[NLMemory]:
    """Its memory."""
    store = SqliteStore(home, Clock())
    yield NLMemory(store, permanent(), home)
    store.close()


def told(answers: tuple[tuple[str, Answer], ...]) -> list[tuple[str, str]]:
    """Names with what became of them."""
    return [(name, type(answer).__name__) for name, answer in answers]


def test_a_definition_with_other_bases_or_another_kind_of_value_is_not_called_unchanged(memory: NLMemory) -> None:
    """R44, R86, DEC-D12: `unchanged` says that all of it stands as the file says; `1` is not `true`."""
    stands = one("Page", more="Integer Copies = 1; Boolean Signed = true;")
    assert told(memory.restore(KEY, stands).answers) == [("Page", "Accepted")]
    assert told(memory.restore(KEY, stands).answers) == [("Page", "Unchanged")]
    before = memory.store.definitions(KEY)
    for other, code in (
        (stands.replace(": Document", ": SemanticEntityBase"), Code.TYPE_MISMATCH),
        (stands.replace(": Document", ": Document, SemanticEntityBase"), Code.TYPE_MISMATCH),
        (stands.replace("Integer Copies = 1", "Boolean Copies = true"), Code.ALREADY_VALUED),
        (stands.replace("Boolean Signed = true", "Integer Signed = 1"), Code.ALREADY_VALUED),
    ):
        ((name, answer),) = memory.restore(KEY, other).answers
        assert isinstance(answer, Refused), other
        assert (name, code in {refusal.code for refusal in answer.refusals}) == ("Page", True), other
    assert memory.store.definitions(KEY) == before


def test_the_verdicts_are_those_of_single_writes(memory: NLMemory) -> None:
    """R44, R54, DEC-D12: one batch or one by one, the same is admitted and refused, and the same stands."""
    answers = memory.restore(KEY, MIXED)
    by_name = {name: answer for name, answer in answers.answers if isinstance(answer, Refused)}
    assert {name: one.refusals[0].code for name, one in by_name.items()} == {
        "ALPHA": Code.ALREADY_EXISTS,
        "Key": Code.SECRET_VALUE,
    }
    assert [aside.name for aside in answers.aside] == ["Odd"]
    assert memory.store.layer(KEY).names() == ("Alpha", "Beta", "Gamma", "Delta")
    assert broken_at(memory.store.receipts()) is None
    assert unmatched(memory.store.receipts(KEY), memory.store.writes(KEY)) == ()
    assert told(memory.restore(KEY, FILE).answers) == [(f"Page{number}", "Accepted") for number in range(5)]
    assert all(isinstance(answer, Unchanged) for _, answer in memory.restore(KEY, FILE).answers)
    for name, answer in memory.restore(KEY, one("Page1", "elsewhere")).answers:
        assert (name, type(answer)) == ("Page1", Refused)
    assert isinstance(memory.write(KEY, one("Page9")), Accepted)


def test_batches_are_committed_one_after_the_other(memory: NLMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    """DEC-D5: one revision each; a definition may build on one of an earlier batch."""
    monkeypatch.setattr("ferrule.memory.intake.BATCH", 2)
    memory.restore(KEY, FILE + one("Last", more="Document Source = Page0;"))
    assert memory.store.revision(KEY) == 4
    assert len(memory.store.receipts(KEY)) == 7
    held = memory.store.layer(KEY).get("Last")
    assert held is not None
    assert held.own("Source") is not None


def test_what_somebody_else_writes_meanwhile_is_seen(
    memory: NLMemory, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """INV-I3, CASE-M01: a batch that was judged before is judged anew, and its overwriting refused."""
    other = SqliteStore(home, Clock())
    theirs = NLMemory(other, permanent(), home)
    commit, once = SqliteStore.commit_people, iter([True])

    def slow(store: SqliteStore, *arguments: object) -> object:
        if next(once, False):
            theirs.write(KEY, one("Page3", "theirs"))
        return commit(store, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(SqliteStore, "commit_people", slow)
    answers = dict(memory.restore(KEY, FILE).answers)
    assert isinstance(answers["Page3"], Refused)
    assert [type(answers[f"Page{number}"]) for number in (0, 1, 2, 4)] == [Accepted] * 4
    other.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills a forked child")
def test_a_kill_leaves_whole_batches_and_the_same_file_takes_in_the_rest(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """INV-I1, INV-I2, CASE-J01: killed and failed before every third statement; then the file is taken in once more."""
    monkeypatch.setattr("ferrule.memory.intake.BATCH", 2)
    seen = set()
    for number in range(20, 400, 3):
        place = home.with_name(f"home-{number}")
        shutil.copytree(home, place)

        def take(place: Path = place) -> None:
            store = SqliteStore(place, Clock(), connect=connect)
            NLMemory(store, permanent(), place).restore(KEY, FILE)
            store.close()

        died = killed_at(number, take)
        store = SqliteStore(place, Clock())
        there = len(store.layer(KEY))
        assert there in {0, 2, 4, 5}, number
        seen.add(there)
        assert unmatched(store.receipts(KEY), store.writes(KEY)) == ()
        store.close()
        if died and number % 2:
            with suppress(StoreError):
                failing_at(number // 2, take)
        store = SqliteStore(place, Clock())
        NLMemory(store, permanent(), place).restore(KEY, FILE)
        assert store.layer(KEY).names() == tuple(f"Page{number}" for number in range(5))
        assert [one.verdict for one in store.receipts(KEY)] == ["accepted"] * 5
        store.close()
        shutil.rmtree(place)
        if not died:
            break
    assert {0, 2, 4} <= seen
