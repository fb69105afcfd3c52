"""The suite leaves no method of a port out: a store that passes it answers everything that is asked of one."""

import ast
from pathlib import Path

import pytest

from ferrule.companion.ports import CompanionStore
from ferrule.memory.ports import MemoryStore
from ferrule.ontology.layer import PrototypeLayer

HERE = Path(__file__).parent
STEPS = HERE.parent / "support" / "lane_cases.py"
METHODS = sorted(
    f"{port.__name__}.{name}"
    for port in (MemoryStore, CompanionStore, PrototypeLayer)
    for name in dir(port)
    if callable(getattr(port, name)) and not name.startswith("_")
)


def called() -> frozenset[str]:
    """Every name that a test of the suite, or a step that it takes, calls on something."""
    files = [*HERE.glob("test_*.py"), STEPS]
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in files if file.name != Path(__file__).name]
    calls = (node.func for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call))
    return frozenset(call.attr for call in calls if isinstance(call, ast.Attribute))


@pytest.mark.parametrize("method", METHODS)
def test_every_method_of_a_port_is_in_the_suite(method: str) -> None:
    """R56, DEC-D8: a method that no contract test calls would be promised by nobody."""
    assert method.partition(".")[2] in called()
