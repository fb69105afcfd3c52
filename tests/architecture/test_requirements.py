"""The requirements manifest and the tests name each other, both ways."""

import importlib.util
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts" / "manifest.py"


def test_every_requirement_has_a_test_or_says_why_it_waits() -> None:
    """A row without a test or reason fails, and so does a test with an unknown id or a stale list."""
    spec = importlib.util.spec_from_file_location("manifest", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    manifest = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(manifest)
    assert manifest.problems() == []
