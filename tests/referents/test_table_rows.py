"""Every row of the recogniser table is a test: its positives are found, its near-misses are not."""

import pytest

from ferrule.referents.kinds import HandleKind
from ferrule.referents.recognise import recognise, recognisers

ROWS = recognisers()
POSITIVES = [(row.name, row.kind, text, value) for row in ROWS for text, value in row.positives]
MISSES = [(row.name, row.kind, text) for row in ROWS for text in row.near_misses]


@pytest.mark.parametrize(
    ("name", "kind", "text", "value"), POSITIVES, ids=[f"{p[0]}: {p[2][:40]!r}" for p in POSITIVES]
)
def test_a_positive_of_a_row_is_found_as_its_kind(name: str, kind: HandleKind, text: str, value: str) -> None:
    """R26, DEC-D9."""
    assert value in [found.value for found in recognise(text) if found.kind is kind], name


@pytest.mark.parametrize(("name", "kind", "text"), MISSES, ids=[f"{m[0]}: {m[2][:40]!r}" for m in MISSES])
def test_a_near_miss_of_a_row_is_not_found_as_its_kind(name: str, kind: HandleKind, text: str) -> None:
    """R30, R71, CASE-D16."""
    assert [found for found in recognise(text) if found.kind is kind] == [], name


def test_every_row_has_positives_and_near_misses() -> None:
    """R26."""
    assert all(row.positives and row.near_misses for row in ROWS)


def test_every_kind_that_a_text_can_show_has_a_row() -> None:
    """R26: repository roots and site ids are told by their property, typed references by their type."""
    by_property = {HandleKind.REPOSITORY_ROOT, HandleKind.SITE_ID, HandleKind.TYPED_REFERENCE, HandleKind.PULL_REQUEST}
    assert {row.kind for row in ROWS} | by_property == set(HandleKind)
