"""The simulation holds for a slice of its seeds, plays a seed the same way twice, and keeps those that ever failed."""

import tomllib
from pathlib import Path

import pytest
from proofs.simulation import simulate

SEEDS = Path(__file__).parents[2] / "proofs" / "seeds.toml"
SLICE = range(50_000, 50_500)
FAILED = tomllib.loads(SEEDS.read_text(encoding="utf-8"))["failed"]


@pytest.mark.parametrize("first", range(SLICE.start, SLICE.stop, 50))
def test_no_seed_loses_repeats_reorders_or_mixes_anything_up(first: int) -> None:
    """CASE-M10, CASE-H04, CASE-H06, CASE-H08, INV-I1, INV-I3, INV-I4, INV-I7, R2, R84, R92: a slice of `make prove`."""
    broken = {seed: verdict.wrong[0] for seed in range(first, first + 50) if (verdict := simulate(seed)).wrong}
    assert broken == {}


@pytest.mark.parametrize("row", FAILED, ids=lambda row: str(row["seed"]))
def test_a_seed_that_failed_once_holds_now(row: dict[str, object]) -> None:
    """CASE-M10: each keeps the test that shows its fault without the simulation, since a seed's history changes."""
    assert isinstance(row["seed"], int)
    assert simulate(row["seed"]).wrong == ()
    path, _, name = str(row["test"]).partition("::")
    assert f"def {name}(" in (SEEDS.parents[1] / path).read_text(encoding="utf-8")
    assert row["fault"]
    assert row["mended"]


def test_a_seed_is_the_same_history_every_time() -> None:
    """CASE-M10: whoever is told a seed sees the very same run."""
    first, second = simulate(SLICE.start), simulate(SLICE.start)
    assert first == second
    assert first.figures["steps"] > 20
    assert simulate(SLICE.start + 1) != first
