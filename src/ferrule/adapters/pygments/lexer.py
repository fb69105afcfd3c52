"""ProtoScript for Pygments, and so for everything that highlights with it: rich, Sphinx, MkDocs, notebooks.

A thin name on `protoscript.highlighting`: the tokens are those of Ferrule's own parser. Registered as `protoscript`.
Knows nothing of colours.
"""

from collections.abc import Iterator
from typing import ClassVar

from pygments import token
from pygments.lexer import Lexer

from ferrule.protoscript.highlighting import Look, stretches

__all__ = ["ProtoScriptLexer"]

_TYPES = {
    Look.BLANK: token.Text.Whitespace,
    Look.COMMENT: token.Comment,
    Look.KEYWORD: token.Keyword,
    Look.CONSTANT: token.Keyword.Constant,
    Look.OPERATOR_WORD: token.Operator.Word,
    Look.TYPE: token.Keyword.Type,
    Look.DEFINED: token.Name.Class,
    Look.PROPERTY: token.Name.Attribute,
    Look.FUNCTION: token.Name.Function,
    Look.ANNOTATION: token.Name.Decorator,
    Look.NAME: token.Name,
    Look.TEXT: token.String,
    Look.NUMBER: token.Number,
    Look.OPERATOR: token.Operator,
    Look.MARK: token.Punctuation,
    Look.WRONG: token.Error,
}


class ProtoScriptLexer(Lexer):
    """The lexer; `get_tokens_unprocessed` gives every text back byte for byte, whatever is wrong with it."""

    name = "ProtoScript"
    aliases: ClassVar[list[str]] = ["protoscript", "pts"]
    filenames: ClassVar[list[str]] = ["*.pts"]
    mimetypes: ClassVar[list[str]] = ["text/x-protoscript"]

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, "token._TokenType", str]]:
        """Offset, token type and characters of every stretch, in order."""
        for start, look, characters in stretches(text):
            yield start, _TYPES[look], characters
