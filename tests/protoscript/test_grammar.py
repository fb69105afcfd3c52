"""The grammar stands above the functions that read it, one rule each, and is printed from there."""

import re
from pathlib import Path
from pkgutil import iter_modules

import pytest

from ferrule.protoscript import parser
from ferrule.protoscript.diagnostics import DiagnosticCode
from ferrule.protoscript.examples import MISTAKES, NEVER_RUN, TOKENS, Mistake, TokenKind
from ferrule.protoscript.grammar import FAMILIES, rules, show
from ferrule.protoscript.lexer import _NAMED, lex
from ferrule.protoscript.opaque import opaque_parts
from ferrule.protoscript.quirks import QUIRKS
from ferrule.protoscript.reading import parse

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
    page = PAGE.read_text(encoding="utf-8")
    assert page == show()
    assert max(map(len, page.splitlines())) <= 120
    assert all(f"### {code}\n" in page for code in DiagnosticCode)
    assert all(f"**{row.tag}** (" in page for row in QUIRKS)


def test_every_kind_of_token_has_a_row() -> None:
    """What the lexer calls a token, apart from symbols, which are kinds of their own."""
    named = {name.replace("opencomment", "open-comment") for name in _NAMED.groupindex} - {"symbol", "operator"}
    assert {row.kind for row in TOKENS} == named | {";", ">"}


@pytest.mark.parametrize("row", TOKENS, ids=lambda row: row.kind)
def test_an_example_of_a_token_is_one_token_of_that_kind(row: TokenKind) -> None:
    """R57: and where the rules of the grammar name it, they do so in the same way."""
    tokens = lex(row.example)
    assert tokens.kinds[: 1 + (row.kind != "end")] == [row.kind, "end"][: 1 + (row.kind != "end")]
    assert tokens.texts[0] == row.example
    assert row.rule in {"", "ident"} | LEXICAL


@pytest.mark.parametrize("row", MISTAKES, ids=lambda row: row.code)
def test_an_example_of_a_mistake_shows_it_first_with_a_hint(row: Mistake) -> None:
    """R57, R94: nothing else is found before it; where the text is shown in words, the limit is what is met."""
    found = parse(row.example).diagnostics
    assert row.shown or [one.code for one in found] == [row.code]
    assert row.code in {one.code for one in found}
    assert all(one.hint for one in found if one.code is row.code)
    assert row.what.endswith(".")


def test_every_code_has_one_row() -> None:
    """In their order."""
    assert [row.code for row in MISTAKES] == list(DiagnosticCode)


@pytest.mark.parametrize(("what", "text"), NEVER_RUN, ids=[what for what, _ in NEVER_RUN])
def test_what_is_never_run_is_named(what: str, text: str) -> None:
    """INV-I5: one part, and the text is read."""
    assert parse(text).clean, what
    assert len(opaque_parts(parse(text).tree)) == 1, what
