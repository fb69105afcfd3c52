"""Two trees are the same when every part of them is: kind, content and place."""

import pytest

from ferrule.protoscript.reading import parse

TREE = "prototype A : B { C = [1, D]; }"


@pytest.mark.parametrize(
    "other",
    [
        "prototype A : X { C = [1, D]; }",
        "prototype A : B { C = [2, D]; }",
        "prototype A : B { C = [1, 5]; }",
        "prototype A : B { C = [D, 1]; }",
        "prototype A : B { C = [1,DD]; }",
        "prototype A : B { C = [1];    }",
        "prototype A : B { C = [1, D]; } ",
        "prototype A : B { C = [1, D]; } x;",
        " prototype A : B { C = [1, D]; }",
    ],
)
def test_one_other_part_makes_another_tree(other: str) -> None:
    """A name, a value, a kind, an order, a number of parts, or the place alone."""
    one, two = parse(TREE).tree, parse(other).tree
    assert one != two
    assert two != one
    assert not one == two  # noqa: SIM201 - the two operators are asked apart


def test_a_tree_is_no_text_and_equal_ones_count_once() -> None:
    """What is equal has the same hash, and anything else is unequal without an error."""
    one, two = parse(TREE).tree, parse(TREE).tree
    assert one == two
    assert len({one, two}) == 1
    assert one != TREE
    assert one != one.items[0]
    assert one != None  # noqa: E711 - the comparison is what is tested
