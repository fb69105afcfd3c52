"""What is found in texts that are put together by their parts; `drawn_shapes` says how to renew the rows."""

import pytest
from drawn_shapes import FAMILIES, digest_of, rows, texts, told

_MANY = 50
ROWS = {(family, digest): found for family, digest, found in rows()}
PARTS = [(family, start) for family in FAMILIES for start in range(0, len(texts(family)), _MANY)]


@pytest.mark.parametrize(("family", "start"), PARTS)
def test_a_text_of_these_parts_holds_this_and_nothing_else(family: str, start: int) -> None:
    """R26, R28, R30, DEC-D13: kind and place of each handle and of each secret."""
    for text in texts(family)[start : start + _MANY]:
        assert told(text) == ROWS[family, digest_of(text)], text


def test_every_row_is_of_a_text_that_is_drawn() -> None:
    """R26, R28."""
    assert set(ROWS) == {(family, digest_of(text)) for family in FAMILIES for text in texts(family)}
