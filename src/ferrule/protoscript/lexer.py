"""One regular expression cuts a text into tokens, in linear time, and never fails.

What is no token of the language becomes a token of its own kind (`junk`, `stray`, `unterminated`, `open-comment`), so
that the parser meets it where it stands and can say what is wrong. Every repeat is possessive: nothing is tried twice.
Cutting, naming and placing the tokens are three passes that run inside of Python's own C code.
Deviations from the reference (reference/protoscript.md section 10): `@` alone is no string, a block comment must end,
identifiers are Unicode words plus `#`. Knows nothing of grammar.
"""

import re
from itertools import accumulate, chain

from ferrule.protoscript.tokens import END, Tokens

__all__ = ["LOOK_AHEAD", "lex"]

LOOK_AHEAD = 4
"""How many end-of-input sentinels close the columns."""


_SYMBOL_CHARACTERS = r""".!=%&()*+,\-/<>?:^|~"'@${}\[\];"""

# `#` starts a comment only where no letter follows: `# x` and `#!` are comments, `#x` is a (bad) word.
_TRIVIA = r"\s*+(?:(?://[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/|\#(?![^\W\d])[^\n]*+)\s*+)*+"

# `>` is never joined with `>`: `List<List<Int>>` closes twice. The operator rule joins what stands together.
_TOKEN = rf"""
      (?P<name> [^\W\d]\w*+ (?:\#\w*+)*+ )
    | (?P<symbol> [;,{{}}\[\]()] | [=.+\-*/%!<>&|^?:](?![=>+\-.:?&|<*/]) )
    | (?P<string> "(?:[^"\\]|\\.)*+" )
    | (?P<verbatim> @"(?:[^"]|"")*+" )
    | (?P<number> \d[\w\#]*+ (?:\.\w++)?+ )
    | (?P<char> '(?:[^'\\]|\\.)' )
    | (?P<interpolated> \$"(?:[^"\\]|\\.)*+" )
    | (?P<protostring> \$\$\s*+"(?:[^"\\]|\\.)*+" )
    | (?P<unterminated> (?:@|\$\$?+)?+"(?s:.*+) )
    | (?P<opencomment> /\*(?s:.*+) )
    | (?P<operator> !== | <<= | != | %= | && | &= | \+= | \+\+ | -- | -= | -> | /= | << | <= | >= | :: | \^=
                  | == | => | \|= | \|\| | \?\? | \?\. | [.!%&()*+,\-/<>?:^=|~{{}}\[\];] )
    | (?P<junk> [^\s{_SYMBOL_CHARACTERS}]++ )
    | (?P<stray> . )
    | (?P<end> \Z )
"""
_FLAGS = re.VERBOSE | re.DOTALL
_NAMED = re.compile(_TOKEN, _FLAGS)
_NAMELESS = re.sub(r"\(\?P<\w+>", "(?:", _TOKEN)
_CUT = re.compile(f"({_TRIVIA})({_NAMELESS})", _FLAGS)
# A text whose quotes do not pair: a string ends with its line, or with the `;` that ends the line, closed or not; only
# verbatim ones go on.
_CUT_BY_LINE = re.compile(
    f"({_TRIVIA})({_NAMELESS})".replace(r"""[^"\\]|\\.""", r"""[^"\\\n]|\\[^\n]""").replace(
        r"""\$\$?+)?+"(?s:.*+)""", r"""\$\$?+)?+"(?:[^\n;]|;(?![ \t\r})]*+(?:\n|\Z)))*+"""
    ),
    _FLAGS,
)

_WORDS = frozenset({"name", "number"})
_ODD = {"opencomment": "open-comment"}


class _Kinds(dict[str, str]):
    """What kind of token each text is, worked out once for each different text."""

    def __missing__(self, text: str) -> str:
        if text[:1].isalpha() and text.isascii():
            self[text] = "name"
            return "name"
        match = _NAMED.match(text)
        kind = (match and match.lastgroup) or END
        if kind in {"symbol", "operator"}:
            kind = text
        self[text] = kind = _ODD.get(kind, kind)
        return kind


def lex(text: str, *, by_line: bool = False) -> Tokens:
    """Cut a text into tokens. Total: every text has a token stream. `by_line` ends plain strings with their line."""
    pairs = (_CUT_BY_LINE if by_line else _CUT).findall(text)
    texts = [token for _, token in pairs]
    memo = _Kinds()
    kinds = list(map(memo.__getitem__, texts))
    edges = list(accumulate(map(len, chain.from_iterable(pairs))))
    starts, ends = edges[0::2], edges[1::2]
    if "junk" in memo.values():
        kinds, texts, starts, ends = _joined(kinds, texts, starts, ends)
    size = len(text)
    kinds.extend([END] * LOOK_AHEAD)
    texts.extend([""] * LOOK_AHEAD)
    starts.extend([size] * LOOK_AHEAD)
    ends.extend([size] * LOOK_AHEAD)
    return Tokens(text, kinds, texts, starts, ends)


def _joined(
    kinds: list[str], texts: list[str], starts: list[int], ends: list[int]
) -> tuple[list[str], list[str], list[int], list[int]]:
    """What the quick rule leaves of a word belongs to what it took: a name with a backslash in it is one bad word."""
    columns: tuple[list[str], list[str], list[int], list[int]] = ([], [], [], [])
    out_kinds, out_texts, out_starts, out_ends = columns
    for kind, token, start, end in zip(kinds, texts, starts, ends, strict=True):
        if kind == "junk":
            if out_kinds and out_ends[-1] == start and out_kinds[-1] in _WORDS:
                token, start = out_texts.pop() + token, out_starts.pop()  # noqa: PLW2901 - the joined word goes on
                del out_kinds[-1], out_ends[-1]
            kind = "name" if _is_word(token) else kind  # noqa: PLW2901
        out_kinds.append(kind)
        out_texts.append(token)
        out_starts.append(start)
        out_ends.append(end)
    return columns


def _is_word(token: str) -> bool:
    """Whether a run that the quick rule refused is a Unicode identifier after all (combining marks)."""
    head, *tags = token.split("#")
    return head.isidentifier() and all(("_" + tag).isidentifier() for tag in tags)
