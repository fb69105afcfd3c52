"""One regular expression cuts a text into tokens, in linear time, and never fails.

What is no token of the language becomes a token of its own kind (`junk`, `stray`, `unterminated`, `open-comment`), so
that the parser meets it where it stands and can say what is wrong. Every repeat is possessive: nothing is tried twice.
Deviations from the reference (reference/protoscript.md section 10): `@` alone is no string, a block comment must end,
identifiers are Unicode words plus `#`. Knows nothing of grammar.
"""

import re

from ferrule.protoscript.tokens import END, Tokens

__all__ = ["LOOK_AHEAD", "lex"]

LOOK_AHEAD = 4
"""How many end-of-input sentinels close the columns."""


_SYMBOL_CHARACTERS = r""".!=%&()*+,\-/<>?:^|~"'@${}\[\];"""

# `#` starts a comment only where no letter follows: `# x` and `#!` are comments, `#x` is a (bad) word.
# `>` is never joined with `>`: `List<List<Int>>` closes twice. The operator rule joins what stands together.
_MASTER = re.compile(
    rf"""
    \s*+ (?: (?: //[^\n]*+ | /\*(?:[^*]|\*(?!/))*+\*/ | \#(?![^\W\d])[^\n]*+ ) \s*+ )*+
    (?:
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
    )
    """,
    re.VERBOSE | re.DOTALL,
)

_SYMBOLIC = frozenset({"symbol", "operator"})
_WORDS = frozenset({"name", "number"})
_ODD = {"junk": "junk", "opencomment": "open-comment"}


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
        elif kind in _ODD:
            # What the quick rule leaves of a word belongs to what it took: `A\B` is one bad word.
            if kind == "junk" and kinds and ends[-1] == start and kinds[-1] in _WORDS:
                token, start = texts.pop() + token, starts.pop()
                del kinds[-1], ends[-1]
            kind = "name" if _is_word(token) else _ODD[kind]
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


def _is_word(token: str) -> bool:
    """Whether a run that the quick rule refused is a Unicode identifier after all (combining marks)."""
    head, *tags = token.split("#")
    return head.isidentifier() and all(("_" + tag).isidentifier() for tag in tags)
