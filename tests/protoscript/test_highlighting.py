"""Colours come from the tree, and the text comes back whole."""

import random

import pytest
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename

from ferrule.protoscript.highlighting import Look, stretches

TEXT = """// bread
[Oven.Heat("high")]
partial prototype Loaf : Food.Bread
{
	private String Label = @"rye"; # said
	Weight = 500;
	Sliced = true;
	function Bake(Int hours) : Loaf { return hours is Int; }
}
"""


def looks(text: str) -> dict[str, Look]:
    """What each word of a text is; the last place counts."""
    return {stretch.text: stretch.look for stretch in stretches(text)}


def test_words_look_like_what_they_are() -> None:
    """By the tree where it tells, else by the word."""
    told = looks(TEXT)
    assert told["// bread"] is told["# said"] is Look.COMMENT
    assert told["Oven"] is told["Heat"] is Look.ANNOTATION
    assert told["partial"] is told["prototype"] is told["private"] is told["function"] is told["return"] is Look.KEYWORD
    assert told["Food"] is told["Bread"] is told["String"] is Look.TYPE
    assert told["Label"] is told["Weight"] is told["Sliced"] is Look.PROPERTY
    assert told['"high"'] is told['@"rye"'] is Look.TEXT
    assert told["500"] is Look.NUMBER
    assert told["true"] is Look.CONSTANT
    assert told["Bake"] is Look.FUNCTION
    assert told["is"] is Look.OPERATOR_WORD
    assert told["hours"] is Look.NAME
    assert told["{"] is Look.MARK
    assert told["="] is Look.OPERATOR
    assert next(one.look for one in stretches(TEXT) if one.text == "Loaf") is Look.DEFINED
    assert looks('x = "open')['"open'] is looks("x = \\;")["\\"] is Look.WRONG


@pytest.mark.parametrize("seed", range(40))
def test_every_text_comes_back(seed: int) -> None:
    """Cut anywhere, with junk in the middle, with marks and odd line ends: offsets and characters are the text's."""
    chance = random.Random(seed)  # noqa: S311 - chance under a seed is the point
    text = "\ufeff" * (seed % 2) + TEXT.replace("\n", chance.choice(["\n", "\r\n", "\r"]))
    for _ in range(5):
        at = chance.randrange(len(text) + 1)
        text = text[:at] + chance.choice(['"', "/*", "}", "\x00", "é", "\\", "", "'", "$$"]) + text[at:]
    for whole in (text, text[: chance.randrange(len(text))]):
        found = list(stretches(whole))
        assert "".join(one.text for one in found) == whole
        assert all(whole[one.start : one.start + len(one.text)] == one.text for one in found)


def test_pygments_knows_it_by_name() -> None:
    """The entry point is registered, and gives the text back."""
    lexer = get_lexer_by_name("protoscript", stripnl=False, ensurenl=False)
    assert type(lexer) is type(get_lexer_for_filename("memory.pts"))
    assert "".join(text for _, text in lexer.get_tokens(TEXT)) == TEXT
    kinds = {str(kind) for kind, _ in lexer.get_tokens(TEXT)}
    assert {"Token.Name.Class", "Token.Keyword", "Token.Literal.String", "Token.Comment"} <= kinds
