"""Of what was only seen, so much is read as can confirm what was said or done (D9, design.md section 9).

Owns the choice. A short text is read whole; of a longer one the head, the tail and the lines on which something said or
done stands again; all within a budget for the turn, which the short texts take first, for they tell most. An
observation never creates an entity, so what is left out loses nobody a memory: its words can be cited, and its exact
values are found where a modality is asked for. Knows nothing of kinds of handle beyond what names them shortly.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ferrule.bridge.texts import is_content
from ferrule.bridge.values import Mention, TurnText
from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind

__all__ = ["BUDGET", "LINES", "Glimpse", "Glimpses", "glimpses", "sought_words"]

BUDGET = 12 * 1024  # code points a turn, of texts read whole and of heads and tails
LINES = 10 * 1024  # code points a turn, of lines on which something said or done stands again
_WHOLE, _HEAD, _TAIL = 2_048, 768, 1_024
_CARRIED = 512  # of what a call carried into a file: it proves nothing, a little of it may be cited
_LINE = 160
_PER_TEXT, _PER_TURN = 2, 4  # places of one word: a view keeps no more repeats of a handle in an observation
_MAX_WORDS = 96
_LEAST, _LONGEST = 3, 80
_LOOKED_IN = 32 * 1024  # of each end of a text, for the words
_GAP = "\n\x00\n"  # no recogniser reads across it
_NUMBER = expression(r"[0-9]{1,12}\Z")
_PATHS = frozenset([HandleKind.FILESYSTEM_PATH, HandleKind.REPOSITORY_ROOT, HandleKind.PROMPT_PATH, HandleKind.URL])
_NUMBERS = frozenset([HandleKind.PULL_REQUEST, HandleKind.ISSUE])
_PARTIAL = _NUMBERS | {HandleKind.COMMIT_SHA}
_SHORT_SHA = 7


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A half-open slice of an observation that is read for mentions."""

    text: TurnText
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Glimpses:
    """All glimpses of a turn as one text, so that the recognisers run once; `shown` may hold several of one text."""

    shown: tuple[Glimpse, ...]
    starts: tuple[int, ...]
    text: str

    @classmethod
    def of(cls, shown: Sequence[Glimpse]) -> "Glimpses":
        """Glimpses in the order given."""
        starts, parts, at = [], [], 0
        for glimpse in shown:
            starts.append(at)
            parts.append(glimpse.text.text[glimpse.start : glimpse.end])
            at += len(parts[-1]) + len(_GAP)
        return cls(tuple(shown), tuple(starts), _GAP.join(parts))

    def at(self, start: int, end: int) -> tuple[Glimpse, int] | None:
        """The glimpse that holds the span of the joined text, and the shift into its text; None across a gap."""
        index = bisect_right(self.starts, start) - 1
        glimpse, begin = self.shown[index], self.starts[index]
        inside = end <= begin + glimpse.end - glimpse.start
        return (glimpse, glimpse.start - begin) if inside else None


def glimpses(texts: Sequence[TurnText], words: Sequence[str]) -> Glimpses:
    """The parts of the observations to read, in the order of the texts; `words` are what to look for (D9)."""
    room = BUDGET
    parts: dict[str, list[tuple[int, int]]] = {}
    for text in sorted(texts, key=lambda text: (is_content(text.id), len(text.text))):
        taken = [] if room <= 0 else list(_ends(text, room))
        room -= sum(end - start for start, end in taken)
        parts[text.id] = taken
    room = LINES
    left = dict.fromkeys(words, _PER_TURN)
    for text in texts:
        known = parts[text.id]
        if room > 0 and known != [(0, len(text.text))] and not is_content(text.id):
            for line in _lines(text.text, left):
                if room > 0 and not _inside(line, known):
                    room -= line[1] - line[0]
                    known.append(line)
    shown = [Glimpse(text, start, end) for text in texts for start, end in _merged(parts[text.id])]
    return Glimpses.of(shown)


def _ends(text: TurnText, room: int) -> Iterator[tuple[int, int]]:
    size = len(text.text)
    whole, head, tail = (_CARRIED, _CARRIED, 0) if is_content(text.id) else (_WHOLE, _HEAD, _TAIL)
    if size <= min(whole, room):
        yield 0, size
        return
    yield 0, _at_blank(text.text, min(head, room))
    if tail and room > head:
        yield _behind_blank(text.text, max(size - min(tail, room - head), 0)), size


def _at_blank(text: str, end: int) -> int:
    """The end moved back to a blank, if one is near, so that it cuts no handle in two."""
    near = max(0, end - _LINE)
    blank = max(text.rfind(" ", near, end), text.rfind("\n", near, end))
    return blank if blank > 0 and end < len(text) else end


def _behind_blank(text: str, start: int) -> int:
    blanks = [at for at in (text.find(" ", start, start + _LINE), text.find("\n", start, start + _LINE)) if at >= 0]
    return min(blanks, default=start) if start else 0


def _lines(text: str, left: dict[str, int]) -> Iterator[tuple[int, int]]:
    """The lines, clipped, on which a word stands in either end of the text: two of each word, four in a turn."""
    ends = [(0, min(len(text), _LOOKED_IN)), (max(_LOOKED_IN, len(text) - _LOOKED_IN), len(text))]
    for word in [word for word, more in left.items() if more]:
        seen = 0
        for begin, stop in ends:
            at = text.find(word, begin, stop)
            while at >= 0 and seen < min(_PER_TEXT, left[word]):
                seen += 1
                first, last = _line(text, at, at + len(word))
                yield first, last
                at = text.find(word, last, stop)
        left[word] -= seen


def _line(text: str, start: int, end: int) -> tuple[int, int]:
    """The line around a span, clipped at a blank."""
    first = text.rfind("\n", max(0, start - _LINE), start) + 1 or _behind_blank(text, max(0, start - _LINE))
    last = text.find("\n", end, end + _LINE)
    last = last if last >= 0 else _at_blank(text, min(len(text), end + _LINE))
    return min(first, start), max(last, end)


def _inside(span: tuple[int, int], known: Sequence[tuple[int, int]]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in known)


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif end > start:
            merged.append((start, end))
    return merged


def sought_words(mentions: Iterable[Mention]) -> tuple[str, ...]:
    """What to look for in observations: the telling end of each handle said or done, once each, at most 96.

    Numbers and commits first: only an observation may tell their full form.
    """
    words: dict[str, None] = {}
    for mention in sorted(mentions, key=lambda mention: mention.kind not in _PARTIAL):
        words.update(dict.fromkeys(word for word in _words_of(mention) if _LEAST <= len(word) <= _LONGEST))
        if len(words) >= _MAX_WORDS:
            break
    return tuple(words)[:_MAX_WORDS]


def _words_of(mention: Mention) -> tuple[str, ...]:
    value = mention.value
    if mention.kind in _PATHS:
        return (value.rstrip("/\\").replace("\\", "/").rsplit("/", 1)[-1],)
    if mention.kind in _NUMBERS:
        number = _NUMBER.search(value)
        return (f"#{number.group()}", f"/{number.group()}") if number else (value,)
    if mention.kind is HandleKind.COMMIT_SHA:
        return (value[:_SHORT_SHA],)
    return () if mention.kind is HandleKind.COMMAND else (value,)
