"""A text that is refused as a whole says whose rule refused it, and of a secret beside that only what may be kept."""

import pytest
from rule_cases import Person, refusals

# Made for these tests; never issued.
TOKEN = "ghp_" + "Zk3vQ8mT1xR7bN5cW2yL9dF4hJ6gS0aPqE1u"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"prototype Q\u200bR : Host; // {TOKEN}", [("BAD_IDENTIFIER", 3), ("SECRET_VALUE", 7)]),
        (f"prototype Q : Host; \u202e // {TOKEN}", [("BAD_TEXT", 1)]),
        (f"prototype 1Q : Host; // {TOKEN}", [("BAD_IDENTIFIER", 3), ("SECRET_VALUE", 7)]),
        (f"prototype if : Host; // {TOKEN}", [("RESERVED_NAME", 3), ("SECRET_VALUE", 7)]),
        (f"prototype Q : // {TOKEN}", [("PARSE", 2), ("SECRET_VALUE", 7)]),
        (f"// {TOKEN}" + "x" * 17_000, [("TOO_LARGE", 1)]),
        (f"prototype this : Host; // {TOKEN}", [("RESERVED_NAME", 3), ("SECRET_VALUE", 7)]),
        ("prototype Q : ", [("PARSE", 2)]),
    ],
)
def test_a_refused_text_tells_its_rule_and_its_secret(text: str, expected: list[tuple[str, int]]) -> None:
    """INV-I6, R59: what is never kept needs no second look; a name is rule 3, whoever finds it."""
    assert [(one.code.value, one.rule) for one in refusals(Person().judge(text))] == expected
