"""One regular expression cuts a text into tokens, in linear time, and never fails.

What is no token of the language becomes a token of its own kind (`junk`, `unterminated`, `open-comment`), so that the
parser meets it where it stands and can say what is wrong. Every repeat is possessive: nothing is ever tried twice.
Deviations from the reference (reference/protoscript.md section 10): `@` alone is no string, a block comment must end,
identifiers are Unicode words plus `#`. Knows nothing of grammar.
"""

import re

from ferrule.protoscript.tokens import END, Tokens

__all__ = ["LITERALS", "LOOK_AHEAD", "lex"]

LOOK_AHEAD = 4
"""How many end-of-input sentinels close the columns."""

LITERALS = frozenset({"string", "verbatim", "interpolated", "protostring", "char", "number"})

_SYMBOL_CHARACTERS = r""".!=%&()*+,\-/<>?:^|~"'@${}\[\];"""

# `#` starts a comment only where no letter follows: `# x` and `#!` are comments, `#x` is a (bad) word.
# `>` is never joined with `>`: `List<List<Int>>` closes twice. The operator rule joins what stands together.
_MASTER = re.compile(
    rf"""
    (?: \s++ | //[^\n]*+ | /\*(?:[^*]|\*(?!/))*+\*/ | \#(?![^\W\d])[^\n]*+ )*+
    (?:
      (?P<name> [^\W\d]\w*+ (?:\#\w*+)*+ )
    | (?P<symbol> [;=,{{}}\[\]()](?![=>]) )
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
    | (?P<junk> [^\s{_SYMBOL_CHARACTERS}]++ | . )
    | (?P<end> \Z )
    )
    """,
    re.VERBOSE | re.DOTALL,
)


def lex(text: str) -> Tokens:
    """Cut a text into tokens. Total: every text has a token stream."""
    kinds: list[str] = []
    texts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for match in _MASTER.finditer(text):
        kind = match.lastgroup or END
        token = match[kind]
        end = match.end()
        start = end - len(token)
        if kind in _SYMBOLIC:
            kind = token
        elif kind == "opencomment":
            kind = "open-comment"
        elif kind == "junk" and kinds and ends[-1] == start and kinds[-1] in _WORDS:
            token, start, kind = texts[-1] + token, starts[-1], "junk"
            kinds.pop(), texts.pop(), starts.pop(), ends.pop()
        if kind == "junk" and _is_word(token):
            kind = "name"
        kinds.append(kind)
        texts.append(token)
        starts.append(start)
        ends.append(end)
    size = len(text)
    kinds.extend([END] * LOOK_AHEAD)
    texts.extend([""] * LOOK_AHEAD)
    starts.extend([size] * LOOK_AHEAD)
    ends.extend([size] * LOOK_AHEAD)
    return Tokens(text, kinds, texts, starts, ends)


_SYMBOLIC = frozenset({"symbol", "operator"})
_WORDS = frozenset({"name", "number", "junk"})


def _is_word(token: str) -> bool:
    """Whether a run that the quick rule refused is a Unicode identifier after all (combining marks)."""
    head, *tags = token.split("#")
    return head.isidentifier() and all(("_" + tag).isidentifier() for tag in tags)
