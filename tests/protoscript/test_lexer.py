"""The token stream gives every text back, and cuts it where the language does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ferrule.protoscript.lexer import LOOK_AHEAD, lex
from ferrule.protoscript.tokens import END, Token

CUTS = [
    ("prototype Quay#1", ["name:prototype", "name:Quay#1"]),
    ("A#B#C A# _a1 日本 ½", ["name:A#B#C", "name:A#", "name:_a1", "name:日本", "name:½"]),
    ("न\u092eस\u094dत\u0947", ["name:न\u092eस\u094dत\u0947"]),
    ("e\u0301te\u0301", ["name:e\u0301te\u0301"]),
    ("A\\B a\u200bb #x 😀", ["junk:A\\B", "junk:a\u200bb", "junk:#x", "junk:😀"]),
    ("1 1.5 1L 1.5F", ["number:1", "number:1.5", "number:1L", "number:1.5F"]),
    ("007 0x1F 1_000 1e5", ["number:007", "number:0x1F", "number:1_000", "number:1e5"]),
    ("1.x 1..2", ["number:1.x", "number:1", ".", ".", "number:2"]),
    ('"a\\"b" "a\nb"', ['string:"a\\"b"', 'string:"a\nb"']),
    ('@"a""b" @"C:\\"', ['verbatim:@"a""b"', 'verbatim:@"C:\\"']),
    ('$"{a}" $$"N[x]" $$ "x"', ['interpolated:$"{a}"', 'protostring:$$"N[x]"', 'protostring:$$ "x"']),
    ("'a' '\\n' '\"'", ["char:'a'", "char:'\\n'", "char:'\"'"]),
    ("'' ''", ["stray:'", "char:' '", "stray:'"]),
    ("'ab", ["stray:'", "name:ab"]),
    ("@ @a $a `x`", ["stray:@", "stray:@", "name:a", "stray:$", "name:a", "junk:`x`"]),
    ('x = "open', ["name:x", "=", 'unterminated:"open']),
    ('@"open""', ['unterminated:@"open""']),
    ("a /* open", ["name:a", "open-comment:/* open"]),
    ("/*/", ["open-comment:/*/"]),
    ("// a\n/* b\n */ # c\n#! d\nx // e", ["name:x"]),
    ("x#y z # c", ["name:x#y", "name:z"]),
    (
        "a!==b !=c <<=d ??e ?.f ->g =>h ::i",
        ["a", "!==", "b", "!=", "c", "<<=", "d", "??", "e", "?.", "f", "->", "g", "=>", "h", "::", "i"],
    ),
    ("a>>b>>=c", ["name:a", ">", ">", "name:b", ">", ">=", "name:c"]),
    ("a*=b a/b", ["name:a", "*", "=", "name:b", "name:a", "/", "name:b"]),
    ("", []),
]


def _cut(text: str) -> list[str]:
    return [t.kind if t.kind == t.text else f"{t.kind}:{t.text}" for t in lex(text) if t.kind != END]


@pytest.mark.parametrize(("text", "expected"), CUTS)
def test_a_text_is_cut_into_its_tokens(text: str, expected: list[str]) -> None:
    """Longest match, words whole, comments as trivia, what is no token as a kind of its own."""
    assert _cut(text) == [part if ":" in part or not part.isalnum() else f"name:{part}" for part in expected]


def test_trivia_stands_before_its_token_and_the_last_before_the_end() -> None:
    """Comments and white space are kept, so that a preserving printer can give them back."""
    tokens = list(lex("  // head\nA /* mid */ ; # tail"))
    assert [(t.trivia, t.text) for t in tokens] == [("  // head\n", "A"), (" /* mid */ ", ";"), (" # tail", "")]
    assert tokens[0] == Token("name", "A", 10, 11, "  // head\n")


def test_a_parser_may_look_ahead_over_the_end() -> None:
    """The columns close with sentinels of kind `end`."""
    tokens = lex("A")
    assert tokens.kinds == ["name"] + [END] * (LOOK_AHEAD + 1)
    assert tokens.starts[1:] == [1] * (LOOK_AHEAD + 1)


@given(st.text() | st.text(alphabet="aA1_#\"'@$/*\\ \n\r\t{}[]()<>!=&|+-.,:;?^~%`é"))
def test_every_text_comes_back_from_its_tokens(text: str) -> None:
    """Byte for byte, whatever the text is."""
    tokens = list(lex(text))
    assert "".join(t.trivia + t.text for t in tokens) == text
    assert all(text[t.start : t.end] == t.text for t in tokens)
