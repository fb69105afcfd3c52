"""What referents say of texts at an edge, row by row; `edge_rows` says where they are from and how to renew them."""

import json
from itertools import groupby

import pytest
from edge_rows import ASPECTS, answer, arguments, rows

_MANY = 25
ROWS = [(aspect, asked, told) for aspect, said, told in rows() if (asked := arguments(json.loads(said))) is not None]
PARTS = [
    pytest.param(part, id=f"{aspect}-{start}")
    for aspect, found in ((aspect, list(group)) for aspect, group in groupby(sorted(ROWS), key=lambda row: row[0]))
    for start in range(0, len(found), _MANY)
    if (part := found[start : start + _MANY])
]


@pytest.mark.parametrize("part", PARTS)
def test_a_text_at_an_edge_gives_the_same_as_ever(part: list[tuple[str, tuple[str, ...], str]]) -> None:
    """R26, R28, R30, DEC-D3, DEC-D9, DEC-D13: handles, keys, older keys, spellings, names, tokens and secrets."""
    for aspect, asked, told in part:
        assert answer(aspect, asked) == told, (aspect, asked)


def test_every_aspect_has_rows_and_most_drawn_texts_are_still_there() -> None:
    """R28: when many drawn texts are gone, the rows are to be found and written anew."""
    every = list(rows())
    assert {aspect for aspect, _, _ in every} == set(ASPECTS)
    assert len(ROWS) >= 0.9 * len(every)
