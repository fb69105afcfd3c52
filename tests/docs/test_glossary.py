"""The glossary of docs/domain.md names things that exist."""

import importlib
import re
from pathlib import Path

import pytest

DOMAIN = Path(__file__).parents[2] / "docs" / "domain.md"
ROW = re.compile(r"^\| (?P<seed>[^|`]+) \| `(?P<code>ferrule\.[\w.]+)` \|$", re.MULTILINE)
ROWS = [(match["seed"].strip(), match["code"]) for match in ROW.finditer(DOMAIN.read_text(encoding="utf-8"))]


def test_the_glossary_has_rows() -> None:
    """An empty table would make the next test pass for nothing."""
    assert len(ROWS) > 20


@pytest.mark.parametrize(("seed", "code"), ROWS, ids=[seed for seed, _ in ROWS])
def test_the_seeds_word_is_in_the_code(seed: str, code: str) -> None:
    """Each word of the seed names something that exists under that name."""
    module, _, name = code.rpartition(".")
    assert hasattr(importlib.import_module(module), name), seed
