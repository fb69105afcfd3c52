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
    shown = source.excerpt(span.start)
    return Diagnostic(code, message, span, line, column, hint, severity, shown.text, shown.caret)


def refusal_code(code: DiagnosticCode) -> Code:
    """The refusal code that admission gives for this diagnostic (design.md section 4, rules 2 and 3)."""
    return _REFUSALS.get(code, Code.PARSE)
