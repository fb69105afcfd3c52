"""Whether a text is ProtoScript by the second grammar: a lexer of its own and an Earley parser, for tests only.

Written from reference/protoscript.md section 1; shares nothing with our lexer and parser. Knows nothing of trees.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token
from lark.common import LexerConf
from lark.exceptions import LarkError
from lark.lexer import Lexer, PatternStr

__all__ = ["is_program"]

_BLANK = re.compile(r"(?:\s|//[^\n]*|/\*(?:(?!\*/).)*\*/|#(?![^\W\d])[^\n]*)*", re.DOTALL)
_PATH = re.compile(r"(?:[\w.\\:*?#-]|/(?![/*]))+")
_LITERALS = (
    ("VERBATIM", re.compile(r'@"(?:[^"]|"")*"')),
    ("PROTOSTRING", re.compile(r'\$\$\s*"(?:[^"\\]|\\.)*"', re.DOTALL)),
    ("INTERPOLATED", re.compile(r'\$"(?:[^"\\]|\\.)*"', re.DOTALL)),
    ("STRING", re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)),
    ("CHAR", re.compile(r"'(?:[^'\\]|\\.)'", re.DOTALL)),
    ("NUMBER", re.compile(r"(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[mM]|[uU]?[lL]|[fF])?(?![\w#]|\.\w)")),
    ("NAME", re.compile(r"[^\W\d]\w*(?:#\w*)*")),
)
_SYMBOL = re.compile(
    r"!==|<<=|!=|%=|&&|&=|\+=|\+\+|--|-=|->|/=|<<|<=|>=|::|\^=|==|=>|\|=|\|\||\?\?|\?\.|[-.!%&()*+,/<>?:^=|~{}\[\];]"
)


_DIRECTIVES = frozenset({"include", "reference", "import", "using"})
_ENDS = frozenset({";", "}", "]"})
_OPENING = frozenset("{[(")
_CLOSING = frozenset("}])")
_HOLE = re.compile(r"\{([^}]*)(\}?)")


class NoToken(LarkError):
    """Here begins no token of the language."""


class SecondLexer(Lexer):
    """Cuts a text by the table of section 1, and names the tokens as the grammar does."""

    def __init__(self, conf: LexerConf) -> None:
        self._named = {one.pattern.value: one.name for one in conf.terminals if isinstance(one.pattern, PatternStr)}

    def lex(self, lexer_state: Any, parser_state: Any = None) -> Iterator[Token]:  # noqa: ANN401, ARG002 - as lark asks
        """The tokens of the text, which Earley hands over as it is."""
        text = str(lexer_state)
        at = len(_match(_BLANK, text, 0))
        path = False
        depth, before = 0, ";"
        while at < len(text):
            kind, found = self._next(text, at, path=path, flag=before == "include")
            if found in _DIRECTIVES and not (depth == 0 and before in _ENDS):
                kind = "SOFT"
            depth += (found in _OPENING) - (found in _CLOSING)
            before = found
            yield Token(kind, found)
            path = kind == "INCLUDE" or (path and kind in {"RECURSIVE", "LAZY"})
            at += len(found)
            at += len(_match(_BLANK, text, at))

    def _next(self, text: str, at: int, *, path: bool, flag: bool) -> tuple[str, str]:
        if path and (found := _match(_PATH, text, at)):
            return (found.upper() if flag and found in {"recursive", "lazy"} else "BAREPATH"), found
        for kind, pattern in _LITERALS:
            if found := _match(pattern, text, at):
                if kind == "INTERPOLATED" and not all(_holds(hole, end) for hole, end in _HOLE.findall(found)):
                    raise NoToken(found)
                return self._named.get(found, kind) if kind == "NAME" else kind, found
        found = _match(_SYMBOL, text, at)
        if not found:
            raise NoToken(text[at : at + 10])
        if found == ">" and text[at + 1 : at + 2] == ">":
            return "JOINED", found
        if found not in self._named:
            raise NoToken(found)
        return self._named[found], found


def _match(pattern: re.Pattern[str], text: str, at: int) -> str:
    found = pattern.match(text, at)
    return found[0] if found else ""


def _holds(hole: str, end: str) -> bool:
    """Whether a hole of an interpolated text is closed and holds one expression."""
    return bool(end) and is_program(f"x = ({hole}\n);")


@cache
def _grammar() -> Lark:
    path = Path(__file__).parent / "second_grammar.lark"
    return Lark(path.read_text(encoding="utf-8"), parser="earley", lexer=SecondLexer, ambiguity="resolve")


def is_program(text: str) -> bool:
    """Whether the text is a program, a mark at its head aside."""
    grammar = _grammar()
    try:
        grammar.parse(text.removeprefix("\ufeff"))
    except LarkError:
        return False
    return True
