"""Tells by its shape whether a line was written by a machine: logs, terminals, stack traces, dumps (R16, CASE-A19).

Owns the shapes and the runs they make. Every pattern is linear and looks at the first 400 characters of a line. Knows
nothing of roles or of tags.
"""

import re
from collections.abc import Sequence
from enum import IntEnum

from ferrule.referents.expressions import expression

__all__ = ["Shape", "is_users_block", "machine_runs", "shape_of"]

_LOOK = 400
_GAP = 6  # foreign lines of no telling shape that a run may bridge
_SHELLS = frozenset(
    ["sh", "bash", "shell", "zsh", "fish", "console", "terminal", "powershell", "pwsh", "ps1", "cmd", "bat"]
)
_OWN_LINES, _OWN_CHARS, _OWN_SHELL_LINES = 3, 240, 12
_ENOUGH, _ENOUGH_WEAK, _HEAVY = 2, 3, 4
_HEAD = 3

_STRONG = expression(
    r"""
      \[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d | \[?\d\d:\d\d:\d\d[\].,: ] | (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),?\s\w{3}\s{1,2}\d
    | \w{3}\s{1,2}\d{1,2}\s\d\d:\d\d:\d\d\s
    | \s*(?:\[\s?)?(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL|NOTICE)(?:\s?\]|:|\s+\[)\s
    | Traceback\s\(most\srecent | \s+File\s"[^"]{1,300}",\sline\s\d | \s+at\s[\w$.<>\[\] ]{1,200}\(
    | \s+at\s\S{1,200}:\d+:\d+ | Caused\sby:\s | goroutine\s\d | panic:\s | thread\s'[^']{1,80}'\spanicked
    | [A-Za-z_.]{0,80}(?:Error|Exception)(?:\s\[\w{1,60}\])?:\s
    | diff\s--git\s | index\s[0-9a-f]{7,40}\.\. | @@\s-\d | \+\+\+\s[ab]/ | ---\s[ab]/
    | \s?create\smode\s\d{6} | \s?\d{1,6}\sfiles?\schanged | remote:\s | fatal:\s | hint:\s | npm\sERR!
    | make(?:\[\d+\])?:\s
    | [-dl][rwx-]{9}[.+@]?\s+\d | \s?ERR_\w{3,60}\s | \#\#\[(?:error|group|warning)\] | ::(?:error|warning|group)
    | .{0,200}\bexit(?:ed\swith)?\s(?:code|status)\s[1-9]
    """,
    re.VERBOSE,
)
_WEAK = expression(
    r"""
      \s*[\[\]{}],?\s*$ | \s*["“][\w .$@/-]{1,80}["”]\s?:\s | \s*[{\[]\s?["“{\[\d] | \s*[}\]]{1,8},?;?\s*$
    | \s{0,12}[│┃║├└┌╭╰─━═█■⎿⏺●\u2a2f✗✘✔✓•▸▶]\s?
    | (?:error|warning|note|help|info|debug):\s | error(?:\[\w{1,12}\]):\s
    | \s+\|\s | \s*\d{1,6}\s?\|\s | (?:PASS|FAIL|FAILED|PASSED|SKIPPED|ok|not\sok)\b[ :] | [=*_-]{8,} | [.+-]{3,}\s?\[
    | \w[\w.+-]{0,60}=\S{1,300}(?:\s\w[\w.+-]{0,60}=\S{1,300}){2}
    | Run\s[\w.-]{1,80}/[\w.-]{1,80}@ | Downloading\shttps?:// | (?:/usr)?/bin/\S{1,80}\s | \s*<\?xml\s
    | \s*</?\w{1,40}>\s*$
    """,
    re.VERBOSE,
)
_PROMPT = expression(
    r"(?:\([\w.-]{1,40}\) )?(?:[$%] \S|[\w.-]{1,60}@[\w.-]{1,80}[: ~][^\n$%#]{0,120}[$%#] \S|[➜\u276f➤»] {1,3}\S"
    r"|PS [A-Za-z]:\\[^>]{0,200}> ?\S|[A-Za-z]:\\[^>\n]{0,200}>\S|\[[^\]\n]{3,80}\] ~?/?[\w~./-]{1,200} \S)"
)
_JSON_LINE = expression(r"\s*[{\[].{78,}[}\]],?\s*$")
_REQUEST = expression(
    r"\b(?:please|pls|can you|could you|i|i'm|i've|we|let's|why|how|what|should|fix|make sure|bitte|por favor|merci)\b",
    re.IGNORECASE,
)
_WORD = expression(r"[^\W\d_]{2,30}")


class Shape(IntEnum):
    """What a line looks like. The value of a machine shape is its weight in a run."""

    OTHER = -1
    BLANK = 0
    WEAK = 1
    STRONG = 2
    PROMPT = 3


def shape_of(line: str) -> Shape:
    """The shape of one line, without its line end."""
    head = line[:_LOOK]
    if not head.strip():
        return Shape.BLANK
    if _STRONG.match(head) or _JSON_LINE.match(head):
        return Shape.STRONG
    if _PROMPT.match(head):
        return Shape.PROMPT
    return Shape.WEAK if _WEAK.match(head) else Shape.OTHER


def _is_prose(line: str) -> bool:
    """Whether a person seems to speak: several words, and a sentence's end or a request."""
    head = line[:_LOOK].strip()
    words = len(_WORD.findall(head))
    cjk = any("\u3040" <= char <= "\u9fff" for char in head[:40])
    if cjk:
        return True
    return words >= 4 and (head[-1] in ".?!:" or _REQUEST.search(head) is not None)  # noqa: PLR2004 - a short sentence


def is_users_block(lines: Sequence[str], language: str) -> bool:
    """Whether a fenced block is the user's own word (a command, a path, a short script) and not pasted material.

    By shape and size: no line of a machine's shape, none of a program's, and at most three lines or 240 characters; a
    block marked as shell may have twelve lines.
    """
    filled = [line for line in lines if line.strip()]
    if sum(map(len, filled)) > _OWN_CHARS * 3:
        return False
    shapes = [shape_of(line) for line in filled]
    if Shape.STRONG in shapes or shapes.count(Shape.WEAK) > 1:
        return False
    if Shape.PROMPT in shapes and Shape.OTHER in shapes:
        return False  # a command with its output
    if language.lower() in _SHELLS:
        return len(filled) <= _OWN_SHELL_LINES
    if any(_is_code(line.rstrip()) for line in filled):
        return False
    return len(filled) <= _OWN_LINES and sum(map(len, filled)) <= _OWN_CHARS


def _is_code(line: str) -> bool:
    """Whether a line ends as lines of programs and definitions do, and as neither a command nor a path does."""
    return line.endswith(("{", ";")) or (line.endswith("}") and "${" not in line)


class _Run:
    """One run of machine lines while it grows."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.last = start - 1
        self.gap = 0
        self.weight = 0
        self.strong = False
        self.terminal = False

    def takes(self, index: int, line: str, shape: Shape) -> bool:
        """Let the run grow over one line; False when it ends before it."""
        if shape is Shape.BLANK:
            self.terminal = False
            return True
        if shape is Shape.OTHER:
            return self._takes_other(index, line)
        self.last, self.gap = index, 0
        self.weight += 1 if shape in (Shape.WEAK, Shape.PROMPT) else 2
        self.strong |= shape is Shape.STRONG
        self.terminal |= shape is Shape.PROMPT
        return True

    def _takes_other(self, index: int, line: str) -> bool:
        if self.terminal:  # what stands directly below a shell prompt is its output
            self.last = index
            self.weight += 1
            self.strong = True
            return True
        self.gap += 1
        return self.gap <= _GAP and not _is_prose(line)

    @property
    def counts(self) -> bool:
        """Whether the run is long or telling enough to be a paste."""
        return self.weight >= (_ENOUGH if self.strong else _ENOUGH_WEAK)


def _head(lines: Sequence[str | None], run: _Run) -> int:
    """Where a heavy run begins: lines directly above it that are no sentence belong to it, never the first of all."""
    first = run.start
    while run.weight >= _HEAVY and run.start - first < _HEAD and first > 1:
        line = lines[first - 1]
        if line is None or shape_of(line) is not Shape.OTHER or line.rstrip().endswith(":") or _is_prose(line):
            break
        first -= 1
    return first


def machine_runs(lines: Sequence[str | None]) -> list[tuple[int, int]]:
    """Runs of lines `[first, last]` that a machine wrote. A None line is taken already and ends a run."""
    runs: list[tuple[int, int]] = []
    index = 0
    while index < len(lines):
        run = _Run(index)
        while index < len(lines):
            line = lines[index]
            if line is None:
                break
            shape = shape_of(line)
            if run.last < run.start and shape in (Shape.BLANK, Shape.OTHER):
                break
            if not run.takes(index, line, shape):
                break
            index += 1
        if run.counts:
            runs.append((_head(lines, run), run.last))
        index = max(index, run.start + 1) if run.last < run.start else max(run.last + 1, run.start + 1)
    return runs
