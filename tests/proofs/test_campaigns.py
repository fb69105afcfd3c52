"""Slices of the campaigns with real processes: kills, deliveries from several processes, a backlog with a restart."""

from collections import Counter

import pytest
from proofs.__main__ import main
from proofs.backlog import MOST_RESIDENT, worked_off
from proofs.delivering import a_round as a_round_of_deliveries
from proofs.killing import Round, a_round
from proofs.tables import Row, table

KINDS = ("lost", "duplicate effects", "order errors", "unsound")


def broken(found: Counter[str], *names: str) -> dict[str, int]:
    """What was found of these kinds."""
    return {name: found[name] for name in names if found[name]}


@pytest.mark.parametrize(
    "terms",
    [
        Round(1, kills=12, stops=1, sources=12, turns=5, think=0.25),
        Round(2, kills=1, stops=0, restart=False, sources=8, turns=5),
    ],
    ids=["restarted", "left to the other"],
)
def test_killed_and_stopped_workers_lose_and_repeat_nothing(terms: Round) -> None:
    """CASE-J03, CASE-M08, INV-I1, INV-I4, R2, R84, R100: two processes, killed or stopped in their reviews."""
    found, delays = a_round(terms)
    assert broken(found, *KINDS, "late take-overs") == {}
    assert found["kills"] >= min(terms.kills, 2)
    assert len(delays) == found["killed in a review"]
    assert delays or not terms.restart


def test_whatever_is_delivered_however_often_counts_once() -> None:
    """CASE-H01, CASE-H12, CASE-F11, INV-I4, R74, R92, R99: four ways, several processes."""
    found = a_round_of_deliveries(3, processes=2)
    broken = (
        "lost",
        "duplicate effects",
        "unsound",
        "children too many",
        "subscriptions too many",
        "processes that failed",
    )
    assert {name: found[name] for name in broken} == dict.fromkeys(broken, 0)
    assert found["deliveries"] > 20 * found["turns"]


def test_a_long_backlog_survives_a_restart_in_bounded_memory() -> None:
    """CASE-H10, INV-I4, R84: each queued turn is reviewed once, though the worker is killed on the way."""
    found = worked_off(400)
    assert broken(found, *KINDS) == {}
    assert found["turns"] == 400
    assert 0 < found["resident MiB"] < MOST_RESIDENT


def test_the_command_prints_a_table_and_says_by_its_exit_code_whether_a_promise_broke(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """CASE-M10: what a document quotes, with its command; 1 when anything was violated."""
    found = [Row("a promise", "3 seeds", 0, "0..2")]
    monkeypatch.setattr("proofs.__main__.simulation", lambda count, first: [Row("a promise", f"{count}", first)])
    assert main(["simulation", "--seeds", "3"]) == 0
    assert "| a promise | 3 | 0 |" in capsys.readouterr().out
    assert main(["simulation", "--seeds", "3", "--seed", "1"]) == 1
    assert "`python -m proofs simulation --seeds 3 --seed 1`" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["nothing"])
    assert table("T", "c", found).splitlines()[0] == "**T** (`c`)"
