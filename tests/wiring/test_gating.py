"""The gate of a home, as whoever opens it gets it."""

import gc
import os
import threading
from pathlib import Path

import pytest
from gate_cases import PATIENT, forked

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.errors import GateBusy, InternalError
from ferrule.session.gate import TRESPASSES
from ferrule.wiring.gating import evaluating, gate_at
from ferrule.wiring.home import open_home

KEY = "desk:alpha"


def test_every_opening_of_a_home_has_the_same_gate(tmp_path: Path) -> None:
    """R78: by whatever spelling; another home has another."""
    home = tmp_path / "home"
    link = tmp_path / "link"
    home.mkdir()
    link.symlink_to(home)
    gate = gate_at(home)
    assert gate_at(link) is gate
    assert gate_at(tmp_path / "link" / ".." / "home") is gate
    assert gate_at(tmp_path / "other") is not gate
    with open_home(home) as opened, open_home(link) as again:
        assert opened.gate is again.gate is gate


def test_a_gate_that_nobody_has_is_forgotten(tmp_path: Path) -> None:
    """CASE-I12: gates do not pile up with homes."""
    from ferrule.wiring import gating

    place = os.path.realpath(tmp_path)
    gate = gate_at(tmp_path)
    assert place in gating._GATES
    del gate
    gc.collect()
    assert place not in gating._GATES


def test_a_host_may_evaluate_before_there_is_a_home(tmp_path: Path) -> None:
    """R78, CASE-E11: the home is made, private, so that a worker that comes meanwhile finds the gate closed."""
    home = tmp_path / "new" / "home"
    with evaluating(home, KEY) as evaluation:
        assert evaluation.without == ""
        assert home.stat().st_mode & 0o777 == 0o700

        def work(_pipe: object) -> None:
            with open_home(home) as opened, pytest.raises(GateBusy), opened.gate.of(KEY, seconds=0.01):
                pass

        with forked(work) as worker:
            assert worker.ended() == 0


@pytest.mark.parametrize("broken", ["a file in its place", "a link in the gates' place", "writable by anybody"])
def test_what_is_wrong_with_a_home_never_holds_the_source_up(tmp_path: Path, broken: str) -> None:
    """INV-I8, CASE-E05, CASE-E12: the evaluation begins and says what is wrong; nothing is made behind a link."""
    home = tmp_path / "home"
    outside = tmp_path / "outside"
    outside.mkdir()
    if broken == "a file in its place":
        home.write_text("no folder", encoding="utf-8")
    else:
        home.mkdir(mode=0o700)
        if broken == "writable by anybody":
            home.chmod(0o777)
        else:
            (home / "gates").symlink_to(outside)
    with evaluating(home, KEY) as evaluation:
        assert evaluation.without != ""
    assert list(outside.iterdir()) == []


def test_one_evaluation_at_a_time_also_without_a_usable_home(tmp_path: Path) -> None:
    """R78: inside this process at least, threads are kept apart."""
    home = tmp_path / "home"
    home.write_text("no folder", encoding="utf-8")
    answers: list[str] = []

    def other() -> None:
        try:
            with evaluating(home, KEY, seconds=0.01):
                answers.append("let in")
        except GateBusy:
            answers.append("kept out")

    with evaluating(home, KEY):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join(PATIENT)
    assert answers == ["kept out"]


def test_an_open_home_tells_its_gate_when_a_thread_is_in_the_middle_of_its_work(tmp_path: Path) -> None:
    """CASE-M07: every store of the home that is open in the process is asked, and no longer once it is closed."""
    with open_home(tmp_path / "home") as home:
        with open_home(home.path) as other, other.store.unit(), pytest.raises(InternalError), home.gate.of(KEY):
            pass
        with home.store._database._using(), pytest.raises(InternalError), home.gate.of(KEY):
            pass  # as a signal handler would, in the middle of a statement: others wait for this thread
        assert len(TRESPASSES) == 2
        TRESPASSES.clear()
        with home.gate.of(KEY):
            pass
        gate = home.gate
    with gate.of(KEY):
        pass


def test_a_store_of_its_own_is_not_asked(tmp_path: Path) -> None:
    """CASE-M07: a store that is opened apart from a home is whoever opened it to keep in order."""
    store = SqliteStore(tmp_path / "home", lambda: 0.0)
    with store.unit(), gate_at(tmp_path / "home").of(KEY):
        assert store.is_inside()
    store.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_gets_a_gate_that_works(tmp_path: Path) -> None:
    """CASE-J12: also when another thread was just asking for one."""
    home = tmp_path / "home"
    home.mkdir()
    gate = gate_at(home)

    def work(_pipe: object) -> None:
        with gate.of(KEY, seconds=0), gate_at(home).of(KEY, seconds=0):
            pass

    with forked(work) as child:
        assert child.ended() == 0
