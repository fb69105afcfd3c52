"""One small example for each kind of token, each code of a finding and each part that is never run.

Owns the rows: what they stand for in words, and a text that shows it. The page (`docs/grammar.md`) is made by reading
these texts, and the tests read them too. Knows nothing of how any of it is done.
"""

from dataclasses import dataclass

from ferrule.protoscript.diagnostics import DiagnosticCode as Of

__all__ = ["MISTAKES", "NEVER_RUN", "TOKENS", "Mistake", "TokenKind"]


@dataclass(frozen=True, slots=True)
class TokenKind:
    """A kind of token: how the rules of the grammar call it ("" when they do not), what it is, one of its kind."""

    kind: str
    rule: str
    what: str
    example: str


TOKENS: tuple[TokenKind, ...] = (
    TokenKind("name", "ident", "a letter or `_`, then letters, digits, `_`; then parts that begin with `#`", "Quay#1"),
    TokenKind("number", "DIGITS", "a run of digits and letters that starts with a digit, once with `.` in it", "4.5"),
    TokenKind("string", "STRING", 'from `"` to the next `"` without a backslash before it', r'"a\tb"'),
    TokenKind("verbatim", "VERBATIM", '`@` and a text in quotes; `""` is one quote, a backslash itself', '@"a ""b"""'),
    TokenKind("interpolated", "INTERPOLATED", "`$` and a text in quotes; expressions stand in braces", '$"at {x}"'),
    TokenKind("protostring", "PROTOSTRING", "`$$` and a text in quotes: the prototype of that name", '$$"Quay 1"'),
    TokenKind("char", "CHAR", "one character or one escape between `'` and `'`", r"'\n'"),
    TokenKind(";", "", "every symbol and operator is a kind of its own; the longest one counts", ";"),
    TokenKind(">", "", "never joined: `List<List<Int>>` closes twice; `>` `>` side by side is an operator", ">"),
    TokenKind("unterminated", "", "a text whose closing quote is missing", '"a'),
    TokenKind("open-comment", "", "a block comment whose end is missing", "/* a"),
    TokenKind("junk", "", "a run of other characters, of which no name is made", "§"),
    TokenKind("stray", "", "a character that begins nothing", "'"),
    TokenKind("end", "", "the end of the text, once", ""),
)  # fmt: skip
"""Everything that the lexer makes; every text is a row of these, with trivia between."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A code, what it means, and a text in which it is the first finding; `shown` where the text itself is too long."""

    code: Of
    what: str
    example: str
    shown: str = ""


MISTAKES: tuple[Mistake, ...] = (
    Mistake(Of.ANNOTATION_DETACHED, "An annotation stands before something that cannot carry one; a warning.",
            "prototype Quay { [Marked] Depth = 4; String Name; }"),
    Mistake(Of.ANNOTATION_NOT_A_CALL, "What stands in the brackets is neither a name nor a call.",
            '["x"] prototype Quay;'),
    Mistake(Of.BAD_CHARACTER, "A character begins nothing here.", "prototype Quay { Name = @north; }"),
    Mistake(Of.BAD_ESCAPE, "A text holds `\\` before a character that it does not escape; it is kept; a warning.",
            r'prototype Quay { Path = "C:\work"; }'),
    Mistake(Of.BAD_IDENTIFIER, "A name holds what no name may hold.", "prototype 1Quay;"),
    Mistake(Of.BAD_IMPORT, "An import names no assembly and type.", "import town/quay.pts;"),
    Mistake(Of.BAD_INCLUDE, "An include has no path, or one that must stand in quotes.", "include recursive;"),
    Mistake(Of.BAD_NUMBER, "A number has a shape that would be read as another one elsewhere.",
            "prototype Quay { Depth = 007; }"),
    Mistake(Of.DANGLING_ANNOTATION, "Nothing follows that an annotation could belong to.", "prototype Quay; [Marked]"),
    Mistake(Of.EMPTY_STATEMENT, "A `;` ends nothing.", "prototype Quay { } ;"),
    Mistake(Of.EXPECTED_NAME, "A name is missing.", "prototype : Place { }"),
    Mistake(Of.EXPECTED_VALUE, "A value is missing, or something else stands in its place.",
            "prototype Quay { Berths = { 1, 2 }; }"),
    Mistake(Of.FENCED_TEXT, "The text stands in a Markdown fence.", "```\nprototype Quay;\n```"),
    Mistake(Of.JSON_TEXT, "The text is JSON.", '{"name": "Quay"}'),
    Mistake(Of.MISSING_COMMA, "Two elements stand side by side.", "prototype Quay { Berths = [1 2]; }"),
    Mistake(Of.MISSING_SEMICOLON, "Something is not ended.", 'prototype Quay { Name = "north" Depth = 4; }'),
    Mistake(Of.NOT_A_MEMBER, "A part of a body neither declares nor assigns.", 'prototype Quay { Name: "north"; }'),
    Mistake(Of.RESERVED_WORD, "A word of the language stands where a definition gets its name, base or type.",
            "prototype foreach;"),
    Mistake(Of.SHORT_FORM_WITH_BODY, "A definition is ended and goes on with a body.",
            "prototype Quay; { Depth = 4; }"),
    Mistake(Of.STRAY_COMMA, "A comma separates nothing.", "prototype Quay { Berths = [1,, 2]; }"),
    Mistake(Of.TOO_DEEP, "Brackets, bodies and blocks stand in each other more deeply than the limit.",
            "x = " + "[" * 300, "x = [[[…, 300 brackets"),
    Mistake(Of.TOO_MANY_PROBLEMS, "There are more findings than the limit; the rest of the text is not read.",
            "x y z; " * 300, "x y z; x y z; …, 300 times"),
    Mistake(Of.TOO_MUCH_SKIPPED, "More tokens than the limit could not be read; the rest of the text is not read.",
            "prototype Quay { } " + "; " + ") " * 300_100, "prototype Quay { } ; ) ) ) …, 300,100 times"),
    Mistake(Of.UNCLOSED, "A bracket or a brace is not closed.", "prototype Quay { Berths = [1, 2"),
    Mistake(Of.UNEXPECTED_TOKEN, "Something stands where nothing of its kind can.", "Quay is Place"),
    Mistake(Of.UNTERMINATED_COMMENT, "A block comment is not closed.", "prototype Quay; /* north"),
    Mistake(Of.UNTERMINATED_STRING, "A text is not closed.", 'prototype Quay { Name = "north; }'),
)  # fmt: skip
"""One row for each code, in the order of the codes."""

NEVER_RUN: tuple[tuple[str, str], ...] = (
    ("a function or method, at file level too", "prototype Quay { function Dig(Int depth) : String; }"),
    ("an `init` block", "prototype Quay { init { Depth = 4; } }"),
    ("a statement of a file or a namespace", "greet();"),
    ("a value that is computed", 'prototype Quay { Name = "a" + "b"; }'),
    ("a list with an element that is computed", "prototype Quay { Berths = [1, two()]; }"),
)
"""What would have to be run to be known, each with a text that holds it once."""
