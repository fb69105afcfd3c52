"""The judge of the simulation finds what is broken on purpose: a guard that is taken away is missed in a few seeds."""

import pytest
from proofs.plants import PLANTS, planted
from proofs.simulation import simulate

BOUND = 60
# Where the search begins; whatever a seed comes to mean, the bound is what counts.
NEAR = {"fencing": 10, "lease": 15, "again": 18, "overdone": 7, "overwriting": 1, "clockbound": 17}


@pytest.mark.parametrize("name", PLANTS)
def test_a_guard_that_is_taken_away_is_missed(name: str) -> None:
    """CASE-M10, INV-I1, INV-I3, INV-I4, INV-I7, R2, R81, R92, R96: fencing, lease, order, key, epoch and more."""
    first = NEAR.get(name, 0)
    with planted(name):
        assert any(simulate(seed).wrong for seed in range(first, first + BOUND))


def test_every_guard_stands_again_after_a_plant() -> None:
    """CASE-M10: a plant lasts for its block only."""
    for name in PLANTS:
        with planted(name):
            pass
    assert simulate(0).wrong == ()
