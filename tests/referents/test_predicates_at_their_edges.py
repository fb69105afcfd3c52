"""Single questions of referents, each asked about hundreds of words; `predicate_rows` says how to renew the answers."""

import pytest
from predicate_rows import GROUPS, answers, asked, rows

ROWS = rows()
ASKED = [(group, name) for group, found in GROUPS.items() for name in found]


@pytest.mark.parametrize(("group", "name"), ASKED)
def test_a_question_is_answered_as_ever(group: str, name: str) -> None:
    """R26, R28, R30, DEC-D13."""
    told = answers(group, name)
    changed = [word for word, now, then in zip(asked(group), told, ROWS[group, name], strict=True) if now != then]
    assert changed == []


@pytest.mark.parametrize(("group", "name"), ASKED)
def test_a_question_is_answered_both_ways(group: str, name: str) -> None:
    """R30: one that always answers alike would hold nothing."""
    assert set(ROWS[group, name]) == {"y", "n"}


def test_the_rows_are_those_of_the_questions() -> None:
    """R26."""
    assert set(ROWS) == set(ASKED)
