"""How much is tried and how long it takes is said beforehand; several campaigns run beside each other."""

import argparse
import subprocess

import pytest
from proofs.__main__ import main
from proofs.sizes import SIZES, add_options, estimate, sizes_of


def asked(*words: str) -> dict[str, int]:
    """The sizes that a command asks for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    add_options(parser)
    return sizes_of(parser.parse_args(words))


def test_sizes_are_those_of_a_proof_unless_something_else_is_asked() -> None:
    """CASE-J03, CASE-J04, CASE-M10, CASE-G12: 5,000 kills, 500 cuts, 10,000 seeds, 100,000 histories."""
    full, quick = asked(), asked("--quick", "--cuts", "3")
    assert [full[name] for name in ("together", "power", "simulation", "histories")] == [5_000, 500, 10_000, 100_000]
    assert quick["power"] == 3
    assert all(quick[name] < full[name] for name in SIZES)


def test_how_long_it_takes_is_told_beforehand() -> None:
    """CASE-M10: the longest campaign, or all of them shared out."""
    assert estimate(tuple(SIZES), asked("--quick"), 2) == "a minute or two"
    assert estimate(["damage"], asked(), 2) == estimate(["damage"], asked(), 1)
    whole = int(estimate(tuple(SIZES), asked(), 2).split()[1])
    assert 45 <= whole <= 75


def test_campaigns_run_beside_each_other_and_one_violation_is_enough(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """CASE-M10: each in a process of its own, its table whole; the exit code is the worst one."""
    seen = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        name = command[3] if command[0] != "git" else ""
        seen.append(command)
        return subprocess.CompletedProcess(command, int(name == "backlog"), f"table of {name}\n")

    monkeypatch.setattr(subprocess, "run", run)
    assert main(["backlog", "disk", "--quick", "--jobs", "2"]) == 1
    assert main(["disk", "calls", "--quick", "--jobs", "2"]) == 0
    told = capsys.readouterr().out
    assert "this takes a minute or two" in told
    assert told.index("table of backlog") < told.index("table of disk")
    assert [command[4:] for command in seen if command[0] != "git"] == [["--quick", "--jobs", "2"]] * 4
