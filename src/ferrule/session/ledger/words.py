"""Shell text falls apart into words and operators the way a shell would cut it, and never raises.

Owns quotes, escapes, substitutions, redirections, comments and heredocs. Expands nothing and executes nothing; input is
bounded, the scan is linear. Knows nothing of what a command means.
"""

from dataclasses import dataclass

__all__ = ["MAX_SCRIPT", "Token", "tokens"]

MAX_SCRIPT = 64 * 1024
_MAX_TOKENS = 4000
_MAX_NESTING = 24

_BLANK = " \t\r"
_META = frozenset(" \t\r\n;&|()<>")
_OPERATORS = ("&&", "||", ";;", "|&", ";", "|", "&", "(", ")", "\n")
_REDIRECTS = ("&>>", "&>", "<<<", "<<-", "<<", ">>", ">|", ">&", "<&", "<>", ">", "<")
_DOUBLE_ESCAPES = frozenset('"\\$`\n')


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of shell text: `kind` is `word`, `op` or `redirect`; `value` is dequoted; `text[start:end]` verbatim."""

    kind: str
    value: str
    start: int
    end: int


def tokens(text: str, *, backslash: bool = True) -> list[Token]:
    """Cut shell text into tokens.

    Args:
        text: shell text; what is beyond 64 KB is not looked at.
        backslash: whether a backslash escapes, which it does not in PowerShell.
    """
    return _Scanner(text[:MAX_SCRIPT], backslash=backslash).scan()


class _Scanner:
    """A cursor over shell text; every method moves it forward."""

    def __init__(self, text: str, *, backslash: bool) -> None:
        self.text = text
        self.at = 0
        self.word = 0
        self.backslash = backslash
        self.found: list[Token] = []
        self.heredocs: list[tuple[str, bool]] = []

    def scan(self) -> list[Token]:
        while self.at < len(self.text) and len(self.found) < _MAX_TOKENS:
            if self._skip():
                continue
            if self._redirect() or self._operator():
                continue
            self._word()
        return self.found

    def _skip(self) -> bool:
        """Skip a blank, a continued line, or a comment."""
        text, at = self.text, self.at
        if text[at] in _BLANK:
            self.at += 1
            return True
        if text.startswith("\\\n", at) and self.backslash:
            self.at += 2
            return True
        if text[at] == "#" and (at == 0 or text[at - 1] in " \t\n;"):
            end = text.find("\n", at)
            self.at = len(text) if end < 0 else end
            return True
        return False

    def _redirect(self) -> bool:
        start = at = self.at
        while at < len(self.text) and self.text[at].isdigit() and at - start < 3:  # noqa: PLR2004 - a descriptor's digits
            at += 1
        sign = next((sign for sign in _REDIRECTS if self.text.startswith(sign, at)), None)
        if sign is None or (sign.startswith("&") and at > start):
            return False
        if sign in {"<", ">"} and self.text.startswith("(", at + 1):
            return False
        self.at = at + len(sign)
        self.found.append(Token("redirect", self.text[start : self.at], start, self.at))
        if sign in {"<<", "<<-"}:
            self._heredoc_word(strip=sign == "<<-")
        return True

    def _heredoc_word(self, *, strip: bool) -> None:
        while self.at < len(self.text) and self.text[self.at] in _BLANK:
            self.at += 1
        if self.at < len(self.text) and self.text[self.at] not in _META:
            self._word()
            self.heredocs.append((self.found[-1].value, strip))

    def _operator(self) -> bool:
        sign = next((sign for sign in _OPERATORS if self.text.startswith(sign, self.at)), None)
        if sign is None:
            return False
        start = self.at
        self.at += len(sign)
        self.found.append(Token("op", sign, start, self.at))
        if sign == "\n" and self.heredocs:
            for word, strip in self.heredocs:
                self.at = _after_heredoc(self.text, self.at, word, strip=strip)
            self.heredocs = []
        return True

    def _word(self) -> None:
        start, parts = self.at, []
        self.word = start
        while self.at < len(self.text) and (self.text[self.at] not in _META or self._is_substitution()):
            parts.append(self._piece())
        if self.at == start:
            parts.append(self.text[self.at])
            self.at += 1
        self.found.append(Token("word", "".join(parts), start, self.at))

    def _is_substitution(self) -> bool:
        return self.text[self.at] in "<>" and self.text.startswith("(", self.at + 1)

    def _after_drive(self) -> bool:
        """Whether the word at hand begins with a Windows drive, so that its backslashes separate."""
        return self.text.startswith(":\\", self.word + 1) and self.text[self.word].isalpha()

    def _piece(self) -> str:
        """One quoted part, one substitution, or one plain character of a word."""
        text, at = self.text, self.at
        char = text[at]
        if char == "'":
            return self._single()
        if char == '"':
            return self._double()
        if char in "$<>" and text.startswith("(", at + 1):
            self.at = _after_substitution(text, at + 2, 0)
            return text[at : self.at]
        if char == "`" and self.backslash:
            end = text.find("`", at + 1)
            self.at = len(text) if end < 0 else end + 1
            return text[at : self.at]
        if char == "\\" and self.backslash and at + 1 < len(text) and not self._after_drive():
            self.at += 2
            return "" if text[at + 1] == "\n" else text[at + 1]
        self.at += 1
        return char

    def _single(self) -> str:
        end = self.text.find("'", self.at + 1)
        end = len(self.text) if end < 0 else end
        inner = self.text[self.at + 1 : end]
        self.at = min(end + 1, len(self.text))
        return inner

    def _double(self) -> str:
        text, parts = self.text, []
        self.at += 1
        while self.at < len(text) and text[self.at] != '"':
            char, start = text[self.at], self.at
            if char == "\\" and self.backslash and text[start + 1 : start + 2] in _DOUBLE_ESCAPES:
                parts.append(text[start + 1 : start + 2].replace("\n", ""))
                self.at += 2
            elif text.startswith("$(", start):
                self.at = _after_substitution(text, start + 2, 0)
                parts.append(text[start : self.at])
            else:
                parts.append(char)
                self.at += 1
        self.at = min(self.at + 1, len(text))
        return "".join(parts)


def _after_heredoc(text: str, at: int, word: str, *, strip: bool) -> int:
    """Where the text goes on after a heredoc whose body begins at `at`."""
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[at:end]
        at = min(end + 1, len(text))
        if (line.lstrip("\t") if strip else line).rstrip("\r") == word:
            break
    return at


def _after_substitution(text: str, at: int, depth: int) -> int:
    """Where the text goes on after `$(` … `)`; quotes, nested substitutions and heredocs inside are respected."""
    while at < len(text):
        char = text[at]
        if char == ")":
            return at + 1
        if char == "\\":
            at += 2
        elif char == "'":
            end = text.find("'", at + 1)
            at = len(text) if end < 0 else end + 1
        elif char == '"':
            at = _after_double(text, at + 1, depth)
        elif char == "(":
            at = _after_substitution(text, at + 1, depth + 1) if depth < _MAX_NESTING else len(text)
        elif text.startswith("<<", at) and not text.startswith("<<<", at):
            at = _after_inner_heredoc(text, at + 2)
        else:
            at += 1
    return len(text)


def _after_double(text: str, at: int, depth: int) -> int:
    while at < len(text) and text[at] != '"':
        if text[at] == "\\":
            at += 2
        elif text.startswith("$(", at) and depth < _MAX_NESTING:
            at = _after_substitution(text, at + 2, depth + 1)
        else:
            at += 1
    return min(at + 1, len(text))


def _after_inner_heredoc(text: str, at: int) -> int:
    """Skip the body of a heredoc inside a substitution; a bare `<<` without a word is skipped alone."""
    strip = text.startswith("-", at)
    start = at = at + strip
    while at < len(text) and text[at] not in " \t\n;&|<>":
        at += 1
    word = text[start:at].strip("'\"").rstrip(")")
    line = text.find("\n", at)
    if not word or line < 0:
        return at
    return _after_heredoc(text, line + 1, word, strip=strip)
