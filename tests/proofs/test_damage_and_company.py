"""Slices of the campaigns damage, together, trace and histories, and plants that they must find."""

from pathlib import Path

import pytest
from proofs.beside import copies, distinct_writes, forked, leftovers, missing_from, rivals, stopped_holder
from proofs.damaging import cut_short, flipped, stale_logs
from proofs.deeds import Bench

from proofs import damaging, histories, leaving, striking, watching


def test_a_flipped_bit_is_told_or_harmless(tmp_path: Path) -> None:
    """CASE-N01: at bytes all over a small store file; `python -m proofs damage` takes every one."""
    found = flipped(tmp_path, 60)
    assert (found["wrong"], found["changed by reading"]) == (0, 0)
    assert found["told"] + found["harmless"] >= 50


def test_a_store_that_is_cut_off_or_has_another_log_is_told_or_as_it_once_was(tmp_path: Path) -> None:
    """CASE-N01, CASE-N03: at pages of the file, at places of its log; logs and maps of other stores."""
    for name, found in cut_short(tmp_path, 12):
        assert (name, found["wrong"]) == (name, 0)
        assert found.total() >= 10
    assert stale_logs(tmp_path / "stale")["wrong"] == 0


def test_a_wrong_value_that_is_served_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CASE-N01: the judge of the damage can fail: rows that are served without a look at their seals."""
    monkeypatch.setattr("ferrule.adapters.sqlite.stored.seal", lambda row: row["seal"])
    monkeypatch.setattr("ferrule.adapters.sqlite.layer.seal", lambda row: row["seal"], raising=False)
    assert damaging.values_changed(tmp_path)["wrong"]


@pytest.mark.parametrize("processes", [2, 8])
def test_every_write_of_many_processes_is_kept(processes: int) -> None:
    """CASE-M02, CASE-M12: with threads and a timer's signal in each of them."""
    assert distinct_writes(processes, 80) == []


def test_of_two_that_fill_a_property_one_is_first() -> None:
    """CASE-M01, INV-I3: the other one is told."""
    assert rivals(25) == []


def test_a_stopped_holder_keeps_nobody_for_ever() -> None:
    """CASE-M08: the others end with a refusal within their bound, and all is well when it goes on."""
    assert stopped_holder(3) == []


def test_a_forked_child_writes_nothing_and_leftovers_are_not_read() -> None:
    """CASE-J12, CASE-J07."""
    assert (forked(), leftovers()) == ([], [])


def test_a_copy_that_is_taken_while_others_write_is_true_or_says_that_it_is_damaged() -> None:
    """CASE-J13: file by file, as a person would copy the folder."""
    assert copies(5) == []


def test_a_process_that_is_told_to_end_does_so_soon_and_leaves_whole_writes() -> None:
    """CASE-J09: SIGTERM, SIGINT and SIGHUP in `ferrule memory write` with many files."""
    slowest, wrong = leaving.told_to_end(3, seed=1)
    assert wrong == []
    assert slowest < 5


def test_an_interpreter_that_just_ends_tears_nothing() -> None:
    """CASE-J14, INV-I2: daemon threads are at work on the store."""
    assert leaving.abrupt_ends(2) == []


def test_four_critics_that_are_killed_all_the_time_lose_nothing() -> None:
    """CASE-J03, INV-I1, INV-I2, INV-I4: each acknowledged review stands, once, in order."""
    found = striking.random_kills(60, seed=7)
    assert (found["wrong"], found["kills"] >= 60) == (0, True)
    assert found["acknowledged"]


def test_an_acknowledged_write_that_is_missing_is_found(tmp_path: Path) -> None:
    """CASE-M02: the judge of the processes can fail."""
    bench = Bench(tmp_path / "home")
    _ = bench.store
    bench.close()
    assert list(missing_from(bench.home, {"Thing"}))


def test_hostile_definitions_are_handled_and_nothing_runs() -> None:
    """INV-I5, CASE-B04, CASE-B06, CASE-A13: hundreds of texts, watched by a hook of the interpreter."""
    found = watching.watched(120, seed=3)
    assert found.wrong == []
    assert found.texts > 120
    assert found.answers["Refused"] > 100
    assert found.remembered > 10


def test_a_parser_that_opens_what_a_definition_names_is_found() -> None:
    """INV-I5: the watch can fail."""
    assert any("canary" in one for one in watching.watched(60, seed=3, planted=True).wrong)


def test_random_histories_equal_their_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """CASE-G12, INV-I1, INV-I3: writes, forgetting, undoing, restarts and restores; a lost value is found."""
    found = histories.played(40, 0)
    assert (found["histories"], found["wrong"]) == (40, 0)
    whole = histories.History._write

    def forgetful(self: histories.History, verb: str, name: str):  # type: ignore[no-untyped-def] # noqa: ANN202
        yield from whole(self, verb, name)
        self.model.setdefault(name, {})["Description"] = "what nobody wrote"

    monkeypatch.setattr(histories.History, "_write", forgetful)
    assert histories.played(3, 0)["wrong"]
