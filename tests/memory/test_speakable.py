"""What a critic says beside a definition, cleaned: together at first, text by text where something is found."""

import pytest

from ferrule.memory.speakable import MAX_SAID, said, speakable

PASSWORD = "password: " + "Tr0ub4dor" + "&3x"


def test_what_holds_nothing_is_left_as_it_is() -> None:
    """INV-I6: an ordinary review is not rebuilt."""
    review = {"label": "pull request 57", "calls": [{"id": "c1", "ok": True}], "reason": "the turn is about it"}
    assert speakable(review) is review


@pytest.mark.parametrize("secret", [PASSWORD, "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD3fG6"], ids=["prose", "token"])
def test_a_secret_is_left_out_wherever_it_stands(secret: str) -> None:
    """INV-I6, CASE-D13: deep in a list, beside other texts, and alone; the rest stays."""
    value = secret.rpartition(" ")[2]
    for review in (secret, {"reason": f"see {secret} there"}, {"a": "x", "calls": [{"label": ["fine", secret]}]}):
        assert value not in str(speakable(review))
    assert speakable({"a": "kept", "b": secret})["a"] == "kept"


def test_half_a_surrogate_pair_becomes_readable() -> None:
    """PEER-D23: what cannot be stored is replaced, in one text among many too."""
    assert speakable({"a": "fine", "b": "bad \ud800 end"}) == {"a": "fine", "b": "bad ? end"}
    assert said("x" * 5000 + "\ud800") == "x" * MAX_SAID
