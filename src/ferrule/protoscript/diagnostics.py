"""Everything wrong with a text is a value: a stable code, a sentence, a place, and what would make it right.

Owns the codes and how a diagnostic is shown. A diagnostic never echoes more than one line of the text, cut around the
caret. `error` means that the text could not be read as ProtoScript; `warning` means that it could, but that it says
something which a definition may not say (an unknown escape, an annotation that hangs over). Knows nothing of grammar.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from ferrule.errors import Code
from ferrule.protoscript.source import Source
from ferrule.protoscript.syntax import Span

__all__ = ["Diagnostic", "DiagnosticCode", "Severity", "diagnose", "refusal_code"]

Severity = Literal["error", "warning"]


class DiagnosticCode(StrEnum):
    """Stable names of what can be wrong with a text. Never renamed."""

    ANNOTATION_DETACHED = "annotation-detached"
    ANNOTATION_NOT_A_CALL = "annotation-not-a-call"
    BAD_CHARACTER = "bad-character"
    BAD_ESCAPE = "bad-escape"
    BAD_IDENTIFIER = "bad-identifier"
    BAD_IMPORT = "bad-import"
    BAD_INCLUDE = "bad-include"
    BAD_NUMBER = "bad-number"
    DANGLING_ANNOTATION = "dangling-annotation"
    EMPTY_STATEMENT = "empty-statement"
    EXPECTED_NAME = "expected-name"
    EXPECTED_VALUE = "expected-value"
    FENCED_TEXT = "fenced-text"
    JSON_TEXT = "json-text"
    MISSING_COMMA = "missing-comma"
    MISSING_SEMICOLON = "missing-semicolon"
    NOT_A_MEMBER = "not-a-member"
    RESERVED_WORD = "reserved-word"
    SHORT_FORM_WITH_BODY = "short-form-with-body"
    STRAY_COMMA = "stray-comma"
    TOO_DEEP = "too-deep"
    TOO_MANY_PROBLEMS = "too-many-problems"
    TOO_MUCH_SKIPPED = "too-much-skipped"
    UNCLOSED = "unclosed"
    UNEXPECTED_TOKEN = "unexpected-token"  # noqa: S105 - a diagnostic code, not a secret
    UNTERMINATED_COMMENT = "unterminated-comment"
    UNTERMINATED_STRING = "unterminated-string"


_REFUSALS = {
    DiagnosticCode.BAD_IDENTIFIER: Code.BAD_IDENTIFIER,
    DiagnosticCode.RESERVED_WORD: Code.RESERVED_NAME,
    DiagnosticCode.TOO_DEEP: Code.TOO_DEEP,
    DiagnosticCode.ANNOTATION_DETACHED: Code.FORBIDDEN_CONSTRUCT,
    DiagnosticCode.ANNOTATION_NOT_A_CALL: Code.FORBIDDEN_CONSTRUCT,
    DiagnosticCode.DANGLING_ANNOTATION: Code.FORBIDDEN_CONSTRUCT,
}


# What makes it right where nothing more precise is known.
_HINTS = {
    DiagnosticCode.ANNOTATION_NOT_A_CALL: 'write `[Name("text")]`',
    DiagnosticCode.BAD_CHARACTER: "take the character out, or put the text into quotes",
    DiagnosticCode.BAD_ESCAPE: "write a backslash as `\\\\`",
    DiagnosticCode.BAD_IDENTIFIER: "names consist of letters, digits and underscores",
    DiagnosticCode.BAD_IMPORT: "write `import Assembly Namespace.Type Alias;`",
    DiagnosticCode.BAD_INCLUDE: 'write `include "folder/file.pts";`',
    DiagnosticCode.BAD_NUMBER: "write plain digits, with one `.` for a fraction, and not more than 300 of them",
    DiagnosticCode.EXPECTED_NAME: "write a name here",
    DiagnosticCode.EXPECTED_VALUE: "write a value here: a text in quotes, a number, a name, or a list `[a, b]`",
    DiagnosticCode.NOT_A_MEMBER: "a body holds `Type Name = value;` and `Name = value;`",
    DiagnosticCode.RESERVED_WORD: "choose another name",
    DiagnosticCode.TOO_DEEP: "move the inner parts into definitions or functions of their own",
    DiagnosticCode.TOO_MANY_PROBLEMS: "mend the first ones and check again",
    DiagnosticCode.TOO_MUCH_SKIPPED: "check whether this is ProtoScript at all",
    DiagnosticCode.UNEXPECTED_TOKEN: "take it out, or write what should stand before it",
}


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. `line` and `column` count from 1, `span` from 0, in code points of the text without its BOM."""

    code: DiagnosticCode
    message: str
    span: Span
    line: int
    column: int
    hint: str = ""
    severity: Severity = "error"
    excerpt: str = ""
    caret: int = 0

    def render(self) -> str:
        """The finding for people: position, code and sentence, one cut line with a caret below, and the hint."""
        lines = [f"{self.line}:{self.column}: {self.code}: {self.message}"]
        if self.excerpt.strip():
            lines += [f"    {self.excerpt}", f"    {' ' * self.caret}^"]
        if self.hint:
            lines.append(f"hint: {self.hint}")
        return "\n".join(lines)


def diagnose(
    source: Source,
    code: DiagnosticCode,
    message: str,
    span: Span,
    *,
    hint: str = "",
    severity: Severity = "error",
) -> Diagnostic:
    """A diagnostic at the start of `span`, with its position and excerpt worked out."""
    line, column = source.position(span.start)
    hint = hint or _HINTS.get(code, "")
    shown = source.excerpt(span.start)
    return Diagnostic(code, message, span, line, column, hint, severity, shown.text, shown.caret)


def refusal_code(code: DiagnosticCode) -> Code:
    """The refusal code that admission gives for this diagnostic (design.md section 4, rules 2 and 3)."""
    return _REFUSALS.get(code, Code.PARSE)
