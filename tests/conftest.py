"""Where the judge's data is, and how many examples a property test takes."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# What queues a turn starts a worker; in tests only those that are about that let it.
os.environ["FERRULE_WORKER"] = "off"

SHARED = Path(__file__).parents[2] / "shared"

# Timing on shared two-core machines says nothing, so no deadline; `make prove` runs the long campaign.
settings.register_profile("quick", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("prove", max_examples=5000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("quick")


def pytest_runtest_teardown(item: pytest.Item) -> None:
    """CASE-M07: no test may end with a lock held, or asked for, where that could deadlock, whoever swallowed the error.

    A test that breaks the rule on purpose clears what it left.
    """
    gate = sys.modules.get("ferrule.session.gate")
    broken = list(gate.TRESPASSES) if gate is not None else []
    if gate is not None:
        gate.TRESPASSES.clear()
    assert broken == [], item.nodeid


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs `../shared` where it is absent, with the reason."""
    if SHARED.is_dir():
        return
    skip = pytest.mark.skip(reason=f"needs the judge's data in {SHARED}, absent here")
    for item in items:
        if item.get_closest_marker("shared"):
            item.add_marker(skip)
