"""An expression that waits for its first use is the expression that it stands for."""

import re

import pytest

from ferrule.referents.expressions import expression


def test_it_answers_as_a_compiled_one_does() -> None:
    """R28, CASE-I09: every member that the project uses, before and after the first use."""
    waiting, compiled = (
        expression(r"(?P<word>[a-z]+)-\d", re.IGNORECASE),
        re.compile(r"(?P<word>[a-z]+)-\d", re.IGNORECASE),
    )
    text = "Ab-1 cd-2"
    assert waiting.pattern == compiled.pattern
    assert waiting.flags == compiled.flags
    assert waiting.groupindex == compiled.groupindex
    for _ in range(2):
        found = waiting.match(text)
        assert found is not None
        assert found["word"] == "Ab"
        assert waiting.fullmatch(text) is None
        assert [match.span() for match in waiting.finditer(text)] == [match.span() for match in compiled.finditer(text)]
        assert waiting.sub("x", text) == compiled.sub("x", text)
        assert waiting.findall(text) == compiled.findall(text)
        assert waiting.split(text) == compiled.split(text)


def test_nothing_is_compiled_before_it_is_used() -> None:
    """R28, CASE-I09: a start pays for the expressions that it needs; a wrong one is told at its first use."""
    broken = expression("(")
    assert broken.pattern == "("
    with pytest.raises(re.error):
        broken.search("a")
