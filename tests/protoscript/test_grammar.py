"""The grammar stands above the functions that read it, one rule each, and is printed from there."""

import re
from pathlib import Path
from pkgutil import iter_modules

from ferrule.protoscript import parser
from ferrule.protoscript.grammar import FAMILIES, rules, show

PAGE = Path(__file__).parents[2] / "docs" / "grammar.md"

# Files of the parser that hold no construct of their own.
WITHOUT_RULES = {"cursor", "mistaken", "recovery"}

# Names that a rule may use without being one: they are cut by the lexer, or are words of explanation.
LEXICAL = {
    "STRING",
    "VERBATIM",
    "INTERPOLATED",
    "PROTOSTRING",
    "CHAR",
    "DIGITS",
    "LETTER",
    "DIGIT",
    "OP",
    "WORDOP",
    "ASSIGN",
}


def test_every_construct_family_has_its_rules() -> None:
    """The page is complete: no file of the parser is left out, no rule is written twice."""
    assert {info.name for info in iter_modules(parser.__path__)} == set(FAMILIES) | WITHOUT_RULES
    found = rules()
    assert all(found[family] for family in FAMILIES)
    names = [name for lines in found.values() for name, _, _ in lines]
    assert len(names) == len(set(names)) > 50


def test_every_rule_is_well_formed() -> None:
    """Brackets are balanced outside of quotes, and terminals in capitals are known."""
    for lines in rules().values():
        for name, right, _ in lines:
            bare = re.sub(r'"[^"]*"', "", right)
            for opening, closing in ("[]", "()", "{}"):
                assert bare.count(opening) == bare.count(closing), name
            assert set(re.findall(r"\b[A-Z]{2,}\b", bare)) <= LEXICAL, name


def test_the_page_is_what_the_code_says() -> None:
    """Run `python -m ferrule.protoscript.grammar > docs/grammar.md` after a change of a rule."""
    assert PAGE.read_text(encoding="utf-8") == show()
