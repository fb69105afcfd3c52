"""Cuts one message into segments of one role each: what is not the speaker's own word is observation (R16, CASE-A03).

Owns the cut. Roles come from where a text stands in the turn (CASE-A05): a fence, a quote or a line that reads `user:`
can only take a span away from intent or outcome, never lift one into it. Segments are exact slices in order; their
`origin` is the offset in the whole message. Linear in the length of the text; a message beyond 256 K code points was
not typed, its rest is observation. Knows nothing of handles.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from ferrule.bridge.marks import (
    BOOT_LINE,
    FOREIGN_MESSAGE,
    FOREIGN_TAG_WORDS,
    FOREIGN_TAGS,
    REFERENCED_END,
    REFERENCED_START,
    USERS_TAGS,
    attributions,
)
from ferrule.bridge.pasted import is_users_block, machine_runs
from ferrule.bridge.values import Role, TurnText
from ferrule.referents.expressions import expression

__all__ = ["Segment", "cut_outcome", "cut_user", "segment_texts"]

_MAX_TYPED = 262_144
_MAX_SEGMENTS = 200
_MAX_LOOKED_RESULTS = 1_000_000  # code points of tool results in which a quote is looked for
_QUOTE_LEAST = 12
_QUOTE_LINES = 12  # so many lines of a block tell whether it is quoted
_SAYING = 6  # a line of so many words says something, it does not just name
_TAG = expression(r"<([A-Za-z][\w:.-]{1,60})(?:\s[^<>\n]{0,300})?>")
_FENCE = expression(r" {0,3}(`{3,20}|~{3,20})[ \t]{0,4}([\w+#.-]{0,30})")
_QUOTE = expression(r" {0,3}>(?!=|>=)")
_INLINE_QUOTE = expression(r"[\"“«„「『]([^\"“”«»„「」『』\n]{12,2000})[\"”»“」』]")
_SENTENCE_END = expression(r"[.!?。！？](?:\s|$)|\n")  # noqa: RUF001 - sentences of other scripts end too
_COMMAND_BLOCKS = frozenset(("sh", "bash", "zsh", "shell", "console", "powershell"))
_OPENERS = "\"“«„「『'`‘"  # noqa: RUF001 - typographic quotes
_CLOSERS = {'"': '"', "“": "”", "«": "»", "„": "“", "「": "」", "『": "』", "'": "'", "`": "`", "‘": "’"}  # noqa: RUF001 - their other ends


@dataclass(frozen=True, slots=True)
class Segment:
    """A half-open slice of a message and the role in which it speaks."""

    role: Role
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Lines:
    """A text as lines: where each begins, and its content without the line end."""

    starts: tuple[int, ...]
    texts: tuple[str, ...]

    def at(self, offset: int) -> int:
        """The index of the line that holds the offset."""
        return bisect_right(self.starts, offset) - 1

    def end(self, index: int) -> int:
        """The offset behind the content of that line."""
        return self.starts[index] + len(self.texts[index])


Range = tuple[int, int]


def _lines(text: str) -> _Lines:
    texts = text.split("\n")
    starts, offset = [], 0
    for line in texts:
        starts.append(offset)
        offset += len(line) + 1
    return _Lines(tuple(starts), tuple(texts))


def _merged(ranges: Sequence[Range]) -> list[Range]:
    merged: list[Range] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif end > start:
            merged.append((start, end))
    return merged


def _is_foreign_tag(name: str, *, own_line: bool) -> bool:
    low = name.lower()
    if low in FOREIGN_TAGS:
        return True
    if not own_line or low in USERS_TAGS:
        return False
    return any(word in FOREIGN_TAG_WORDS for word in re.split(r"[-_:.]", low))


def _tag_blocks(text: str) -> list[Range]:
    """Spans between a client's tags.

    A block ends at the last closing tag before the next opening one of that name, so that a forged closing tag inside
    the material frees nothing. A known tag that is never closed runs to the end when it opens a line.
    """
    blocks: list[Range] = []
    openings = [match for match in _TAG.finditer(text) if text[match.start() - 1 : match.start()] != "`"]
    after: dict[str, int] = {}
    plan: list[tuple[re.Match[str], int]] = []
    for match in reversed(openings):
        plan.append((match, after.get(match.group(1), len(text))))
        after[match.group(1)] = match.start()
    taken = 0
    for match, limit in reversed(plan):
        if match.start() < taken:
            continue
        name = match.group(1)
        own_line = not text[text.rfind("\n", 0, match.start()) + 1 : match.start()].strip()
        if not _is_foreign_tag(name, own_line=own_line):
            continue
        closing = f"</{name}>"
        close = text.rfind(closing, match.end(), limit)
        if close >= 0:
            taken = close + len(closing)
        elif own_line and name.lower() in FOREIGN_TAGS:
            taken = limit
        else:
            continue
        blocks.append((match.start(), taken))
    return blocks


def _marked_blocks(text: str, lines: _Lines) -> list[Range]:
    """Spans that a marker line opens: expanded file references, injected state, boot files."""
    blocks: list[Range] = []
    start = text.find(REFERENCED_START)
    if start >= 0:
        end = text.rfind(REFERENCED_END, start)
        blocks.append((start, len(text) if end < 0 else end + len(REFERENCED_END)))
    for index, line in enumerate(lines.texts):
        head = line[:300].lstrip()
        if FOREIGN_MESSAGE.match(head):
            blocks.append((lines.starts[index], len(text)))
            break
        if BOOT_LINE.match(head):
            blocks.append((lines.starts[index], _boot_end(lines)))
            break
    return blocks


def _boot_end(lines: _Lines) -> int:
    """A pasted boot file runs to the end, but for a last short question that stands by itself."""
    filled = [index for index, line in enumerate(lines.texts) if line.strip()]
    last = filled[-1]
    line = lines.texts[last].strip()
    alone = last > 0 and not lines.texts[last - 1].strip()
    if alone and len(line) <= 200 and line[-1] in "?？" and line[0] not in "#-*>`|":  # noqa: PLR2004, RUF001 - a question
        return lines.starts[last]
    return lines.end(len(lines.texts) - 1)


def _fences(lines: _Lines, taken: Sequence[bool]) -> list[tuple[int, int, str]]:
    """Fenced blocks as (first line, last line, language); one that is never closed runs to the end."""
    found: list[tuple[int, int, str]] = []
    index, count = 0, len(lines.texts)
    while index < count:
        match = None if taken[index] else _FENCE.match(lines.texts[index])
        if match is None or "`" in lines.texts[index][match.end() :]:
            index += 1
            continue
        mark = match.group(1)
        last = index + 1
        while last < count and not _closes(lines.texts[last], mark):
            last += 1
        found.append((index, min(last, count - 1), match.group(2)))
        index = last + 1
    return found


def _closes(line: str, mark: str) -> bool:
    stripped = line.strip()
    return len(stripped) >= len(mark) and not stripped.strip(mark[0])


def _taken_lines(lines: _Lines, blocks: Sequence[Range]) -> list[bool]:
    taken = [False] * len(lines.texts)
    for start, end in blocks:
        for index in range(lines.at(start), lines.at(max(start, end - 1)) + 1):
            taken[index] = True
    return taken


def _line_range(lines: _Lines, first: int, last: int) -> Range:
    return lines.starts[first], lines.end(last)


def _foreign_in_user(text: str) -> list[Range]:
    lines = _lines(text)
    blocks = _tag_blocks(text) + _marked_blocks(text, lines)
    taken = _taken_lines(lines, blocks)
    for first, last, language in _fences(lines, taken):
        for index in range(first, last + 1):
            taken[index] = True
        if not is_users_block(lines.texts[first + 1 : last], language):
            blocks.append(_line_range(lines, first, last))
    whole = all(_QUOTE.match(line) for line in lines.texts if line.strip())  # nobody answers: it is the message itself
    for index, line in enumerate(lines.texts):
        if not taken[index] and not whole and _QUOTE.match(line):
            taken[index] = True
            blocks.append(_line_range(lines, index, index))
    rest = [None if taken[index] else line for index, line in enumerate(lines.texts)]
    blocks += [_line_range(lines, first, last) for first, last in machine_runs(rest)]
    return blocks


def _shown(span: str, results: Sequence[str]) -> bool:
    """Whether a quoted span stands in a tool result: verbatim, or most of its lines do."""
    lines = [line.strip() for line in span.split("\n")]
    lines = [line for line in lines if len(line) >= _QUOTE_LEAST][:_QUOTE_LINES]
    if not lines:
        return False
    hits = sum(any(line in result for result in results) for line in lines)
    return hits * 5 >= len(lines) * 3


def _attributed(text: str, says: Sequence[Range]) -> list[Range]:
    """What the outcome puts into another mouth: the quotation that follows, else the words to the sentence's end."""
    blocks: list[Range] = []
    for _, end in says:
        begin = end
        while begin < len(text) and text[begin] in ":： ,\n":  # noqa: RUF001 - full-width colon
            begin += 1
        if begin >= len(text):
            break
        opener = text[begin]
        if opener in _OPENERS and not text.startswith("```", begin):
            close = text.find(_CLOSERS[opener], begin + 1, begin + 2_000)
            if close > 0:
                blocks.append((begin, close + 1))
                continue
        colon = text[end : end + 1] in (":", "：")  # noqa: RUF001 - full-width colon
        fenced = text.startswith(("```", "~~~", ">"), begin)
        if colon and not fenced:
            stop = _SENTENCE_END.search(text, begin)
            blocks.append((begin, stop.start() if stop else len(text)))
    return blocks


def _foreign_in_outcome(text: str, results: Sequence[str]) -> list[Range]:
    lines = _lines(text)
    blocks = _tag_blocks(text)
    spans = attributions(text)
    says = [lines.at(end) for _, end in spans]
    taken = _taken_lines(lines, blocks)
    commands: set[int] = set()
    for first, last, language in _fences(lines, taken):
        for index in range(first, last + 1):
            taken[index] = True
        if language in _COMMAND_BLOCKS:
            commands.update(range(first, last))
        body = lines.texts[first + 1 : last]
        attributed = any(first - 2 <= line < first for line in says)
        own = is_users_block(body, language) and all(len(line.split()) < _SAYING for line in body)
        if attributed or (not own and _shown("\n".join(body), results)):
            blocks.append(_line_range(lines, first, last))
    quoted = [index for index, line in enumerate(lines.texts) if not taken[index] and _QUOTE.match(line)]
    for index in quoted:
        words = lines.texts[index].strip().lstrip("> ")
        attributed = any(index - 2 <= line <= index for line in says) or (index - 1) in _attributed_lines(blocks, lines)
        if attributed or _shown(words, results):
            blocks.append(_line_range(lines, index, index))
    for match in _INLINE_QUOTE.finditer(text):
        if lines.at(match.start()) in commands:
            continue  # an argument of a command that the answer gives
        if " " in match.group(1).strip() and _shown(match.group(1), results):
            blocks.append(match.span())
    return blocks + _attributed(text, spans)


def _attributed_lines(blocks: Sequence[Range], lines: _Lines) -> set[int]:
    """The lines of the last block: a quote goes on where one was taken directly above."""
    return {lines.at(blocks[-1][1] - 1)} if blocks else set()


def _segments(text: str, own: Role, foreign: Sequence[Range]) -> tuple[Segment, ...]:
    segments: list[Segment] = []
    cursor = 0

    def add(role: Role, start: int, end: int) -> None:
        if text[start:end].strip():
            segments.append(Segment(role, start, end))

    for start, end in _merged(foreign):
        add(own, cursor, start)
        add(Role.OBSERVATION, start, end)
        cursor = end
    add(own, cursor, len(text))
    if len(segments) <= _MAX_SEGMENTS:
        return tuple(segments)
    kept = segments[: _MAX_SEGMENTS - 1]
    return (*kept, Segment(Role.OBSERVATION, kept[-1].end, len(text)))


def cut_user(text: str) -> tuple[Segment, ...]:
    """Cut a user message (or a steering message) into intent and observation (R16, PEER-D01, PEER-D02).

    Not intent: client tags, Ferrule's own context, expanded files, injected state, boot files, pasted fenced material,
    `>` quotes, pasted terminal output, logs, stack traces and JSON. A fenced command or path that the user gives is.
    """
    head = text[:_MAX_TYPED]
    foreign = _foreign_in_user(head)
    if len(text) > _MAX_TYPED:
        foreign.append((_MAX_TYPED, len(text)))
    return _segments(text, Role.INTENT, foreign)


def cut_outcome(text: str, results: Sequence[str]) -> tuple[Segment, ...]:
    """Cut the final answer into outcome and observation (CASE-A03).

    Observation: fenced, `>`-quoted or quoted spans that stand verbatim in one of the tool `results`, and what the
    answer attributes to somebody else ("the page says: …").
    """
    looked: list[str] = []
    room = _MAX_LOOKED_RESULTS
    for result in results:
        if room <= 0:
            break
        looked.append(result if len(result) <= room else result[:room])
        room -= len(looked[-1])
    head = text[:_MAX_TYPED]
    foreign = _foreign_in_outcome(head, looked)
    if len(text) > _MAX_TYPED:
        foreign.append((_MAX_TYPED, len(text)))
    return _segments(text, Role.OUTCOME, foreign)


def segment_texts(base: str, text: str, segments: Sequence[Segment]) -> tuple[TurnText, ...]:
    """Turn texts of the segments: `base`, `base.1`, `base.2` … with their origin in the whole message."""
    return tuple(
        TurnText(
            id=base if number == 0 else f"{base}.{number}",
            role=segment.role,
            text=text[segment.start : segment.end],
            origin=segment.start,
        )
        for number, segment in enumerate(segments)
    )
