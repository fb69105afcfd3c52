"""A value stands in a text only as a whole token: `/a/b` is neither in `/a/bc` nor in `x/a/b`.

Owns whole-token matching (rule 9, D9), the only one there is. Linear in the text. Knows nothing of kinds.
"""

from collections.abc import Iterator

from ferrule.referents.expressions import expression

__all__ = ["token_spans"]

MAX_TRIES = 20_000  # parts of longer tokens that are passed over: bounded on a hostile log
_JOINTS = "/\\.-~$#@"
_OPENERS = "\"'`([{<=:,"
_SEPARATOR = expression(r"[/\\]")
_GAP = expression(r"[^\w]|[\u2e80-\ud7ff]")


def token_spans(text: str, value: str) -> Iterator[tuple[int, int]]:
    """Whole-token occurrences of `value` in `text`, left to right; none for an empty value.

    Whole means that the token does not go on: `src/a.py` does not stand in `src/a.pyc`, `old-src/a.py`, `/x/src/a.py`
    or `src/a.py.bak`, `9` not in `1.9`. A value without a separator may be one component of a path or URL; `./` before
    a path, `=` or `@` behind a name end nothing that the value says.
    """
    at = text.find(value) if value else -1
    for _ in range(MAX_TRIES):
        if at < 0:
            return
        end = at + len(value)
        if not _starts(text, at, value):
            at = _next(text, at, value)
            continue
        if _ends(text, end, value):
            yield at, end
        at = text.find(value, at + 1)


def _next(text: str, at: int, value: str) -> int:
    """The next place to look at: a value that begins with a letter begins nowhere else in the same word."""
    if not _word(value[0]):
        return text.find(value, at + 1)
    gap = _GAP.search(text, at)
    return text.find(value, max(gap.start(), at + 1)) if gap else -1


def _word(char: str) -> bool:
    """Whether the character holds a token together. Scripts that write without spaces never do."""
    return char == "_" or (char.isalnum() and not "\u2e80" <= char <= "\ud7ff")


def _starts(text: str, at: int, value: str) -> bool:
    """Whether a token begins at `at`."""
    if at == 0 or not (_word(value[0]) or value[0] in _JOINTS):
        return True
    before, further = text[at - 1], text[at - 2 : at - 1] if at > 1 else ""
    if _word(before):
        return value[0] in "$#@~"
    if before == "-":
        return not (further and _word(further))
    if before in "/\\":
        here = further == "." and (at == 2 or text[at - 3].isspace() or text[at - 3] in _OPENERS)  # noqa: PLR2004 - `./x`
        return here or not _SEPARATOR.search(value)
    return not (before == "." and further and (_word(further) or further in "./\\"))


def _ends(text: str, end: int, value: str) -> bool:
    """Whether a token ends before `end`."""
    if end >= len(text) or not (_word(value[-1]) or value[-1] in _JOINTS):
        return True
    after, further = text[end], text[end + 1 : end + 2]
    if _word(after):
        return False
    if after in "/\\":
        return not _SEPARATOR.search(value) or not (further and _word(further))
    return not (after in ".-" and further and _word(further))
