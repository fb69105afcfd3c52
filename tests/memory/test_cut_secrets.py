"""An issued secret that is cut in two is seen wherever the cut is: inside the issuer's letters, and in either order."""

import pytest
from rule_cases import Person, code, refusals

ISSUED = {
    "github": "ghp_" + "a8Fk2LmQ9xZ7rT4vB1nC6yW3sD5gH0jKpEuR",
    "cloud": "AKIA" + "Q3ZD7XN5TW2KHV6M",
    "chat": "xoxb-" + "8271940365-K7dPq2LmWx9RtB4v",
    "payment": "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
}


def definition(*values: str) -> str:
    """A host whose values follow each other, with a harmless one between every two."""
    lines = [f'String Part{at} = @"{value}"; String Calm{at} = @"pier";' for at, value in enumerate(values)]
    return f'prototype Quay : Host {{ HostName = @"quay.example"; {" ".join(lines)} }}'


@pytest.mark.parametrize("secret", ISSUED.values(), ids=ISSUED)
def test_a_secret_cut_in_two_is_seen_at_any_cut_and_in_any_order(secret: str) -> None:
    """INV-I6, R28, CASE-D08: also where the letters by which it is told are cut themselves."""
    person = Person()
    for cut in range(1, len(secret)):
        for parts in ((secret[:cut], secret[cut:]), (secret[cut:], secret[:cut])):
            verdict = person.judge(definition(*parts))
            assert code(verdict) == "SECRET_VALUE", cut
            assert not [one for one in refusals(verdict) if secret[:cut] in one.message and cut > 4]


@pytest.mark.parametrize("secret", ISSUED.values(), ids=ISSUED)
def test_a_secret_with_spaces_in_it_or_backwards_is_seen(secret: str) -> None:
    """INV-I6, CASE-D08: no spelling by which a reader would still have it."""
    for text in (" ".join(secret), secret[::-1], f"{secret[:7]} {secret[7:]}"):
        assert code(Person().judge(definition(text))) == "SECRET_VALUE"


def test_what_only_begins_like_one_is_none() -> None:
    """The same cuts in harmless values pass: a beginning alone is no secret."""
    assert code(Person().judge(definition("gh", "p_ is a prefix", "AK", "IA", "it's the pier's"))) == "accepted"
