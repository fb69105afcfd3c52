"""In plain text a secret is told by its own letters, by its shape, or by what announces it.

Owns the scan: anchors are found by substring search, patterns are bounded and matched there, so the work is linear.
Knows nothing of encodings, of pieces, or of where a text came from. Standard library only.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ferrule.referents.expressions import expression
from ferrule.referents.secrets.contexts import KEYED, STEMS, WIDE_WORDS, WORDED, judge
from ferrule.referents.secrets.gates import GATES, Gate, is_foldable
from ferrule.referents.secrets.innocent import begins_word, is_documented, is_innocent
from ferrule.referents.secrets.issued import ISSUED, SHAPED, Issued

__all__ = ["Secret", "Words", "plain_secrets"]


@dataclass(frozen=True, slots=True)
class Secret:
    """Where a secret stands, and of what kind it is. Never its value."""

    kind: str
    start: int
    end: int


_ASCII_LOWER = {code: code + 32 for code in range(65, 91)}
_EDGE = expression(r"[\s\"'`<>,;(){}\x00]")
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_")
_APART = bytes(code if chr(code) in _LETTERS else 32 for code in range(256))
_TOKEN = expression(r"[a-z0-9_]+")
_SHAPES = bytes(code if chr(code).lower() in _LETTERS or chr(code) in ".:/\\-" else 32 for code in range(256))
_BEGUN = frozenset(WORDED)
_ESCAPES = ("\\n", "\\r", "\\t")
_DENSE = 32
_VAST = 2 * _DENSE  # letters of a word that could hold the shortest anchor so often
_BACK = 60
_SHORTEST = 15
_SHORTEST_SHAPED = 44
_NOISY = expression(r"[0-9]|[a-z][A-Z]")
_DISTINCT = 5
_FIRST = 3
_SMALL = 2000


@dataclass(frozen=True, slots=True)
class Words:
    """The different words of a text, to tell cheaply what need not be looked for.

    `low` is the text in lower case with a question mark for every letter beyond ASCII, `long` are the words that could
    hold an issued form or an encoded run, `seen` all of them like `low`, `tokens` the runs of letters, digits and
    underscores in them, `wide` those of other scripts. `folds` says whether caseless expressions see in the text what
    is in `low`.
    """

    low: str
    long: list[str]
    seen: str
    tokens: frozenset[str]
    wide: str
    folds: bool

    @classmethod
    def of(cls, text: str) -> "Words":
        """The words of a text, each once."""
        words, low = text.split(), _plain(text)
        seen = low
        if len(text) > _SMALL:
            words = list(dict.fromkeys(words))
            seen = _plain("\n".join(words))
        wide = "" if text.isascii() else "\n".join([word for word in words if not word.isascii()])
        long = [word for word in words if len(word) > _SHORTEST]
        return cls(low, long, seen, frozenset(_tokens(seen)), wide, is_foldable(wide))


def _tokens(low: str) -> list[str]:
    """The runs of letters, digits and underscores; a written escape for a line stands between two."""
    for escape in _ESCAPES if "\\" in low else ():
        low = low.replace(escape, " ")
    return low.encode("ascii").translate(_APART).decode("ascii").split()


def plain_secrets(text: str, words: Words) -> Iterator[Secret]:
    """Issued, shaped and announced secrets as they stand, in no order; `words` are those of the text."""
    low = words.low
    yield from _issued(text, low, words.long)
    gates = GATES if words.folds else {}
    vast = [_lower(word) for word in words.long if len(word) > _VAST]
    for anchor in dict.fromkeys(_anchors(words)):
        if vast and any(word.count(anchor) > _DENSE for word in vast):
            yield from _crowded(text, low, anchor)
        else:
            yield from _announced(text, low, anchor, gates.get(anchor))
    if words.wide:
        yield from _in_other_scripts(text, words.wide.lower())


def _in_other_scripts(text: str, wide: str) -> Iterator[Secret]:
    anchors = [anchor for anchor in WIDE_WORDS if anchor.split()[0] in wide]
    low = _lower(text) if anchors else ""
    for anchor in anchors:
        yield from _crowded(text, low, anchor)


def _anchors(words: Words) -> Iterator[str]:
    """The anchors that the text could hold."""
    for stem, anchors in STEMS.items():
        if stem in words.seen:
            for anchor, parts in anchors:
                if parts[0] in words.seen and (len(parts) == 1 or parts[1] in words.seen):
                    yield anchor
    if "key" in words.seen:
        keyed = "\n".join([token for token in words.tokens if "key" in token])
        yield from (anchor for anchor in KEYED if anchor in keyed)
    for token in words.tokens & _BEGUN:
        yield from WORDED[token]


def _lower(text: str) -> str:
    low = text.lower()
    return low if len(low) == len(text) else text.translate(_ASCII_LOWER)


def _plain(text: str) -> str:
    """A text in lower case and in ASCII, letter by letter: the anchors of the floor are looked for many times in it."""
    low = _lower(text)
    return low if low.isascii() else low.encode("ascii", "replace").decode("ascii")


def _issued(text: str, low: str, long: list[str]) -> Iterator[Secret]:
    """Issued forms stand in long words of mixed letters; only where one holds an anchor is the text searched."""
    noisy = list(filter(_NOISY.search, long))
    if not noisy:
        return
    dense = "\n".join(noisy)
    yield from _shaped(text, dense)
    dense = _plain(dense)
    firsts = {token[:_FIRST] for token in _tokens(dense)}
    for row, anchor in _BY_FIRST.get("", ()):
        if anchor in dense:
            yield from _tried(row, anchor, text, low)
    for first in firsts & _BY_FIRST.keys():
        for row, anchor in _BY_FIRST[first]:
            if anchor in dense:
                yield from _tried(row, anchor, text, low)


def _by_first() -> dict[str, list[tuple[Issued, str]]]:
    """Issued forms by the first letters of the token that they begin; under "" those that begin none or a short one."""
    table: dict[str, list[tuple[Issued, str]]] = {}
    for row in ISSUED:
        for anchor in row.anchors:
            token = _TOKEN.match(anchor)
            whole = token is not None and (len(token[0]) >= _FIRST or token[0] != anchor)
            table.setdefault(token[0][:_FIRST] if token and whole and row.back is None else "", []).append(
                (row, anchor)
            )
    return table


_BY_FIRST = _by_first()


def _shaped(text: str, dense: str) -> Iterator[Secret]:
    """Forms told by a whole word: only a word of about that size, with the marks inside, has the text searched."""
    apart = dense.encode("ascii", "replace").translate(_SHAPES).decode("ascii").split()
    odd = "\n".join([word for word in apart if len(word) > _SHORTEST_SHAPED and ("." in word or ":" in word)])
    for kind, core, shape in SHAPED:
        if odd and core.search(odd) and shape.search(odd):
            yield from (Secret(kind, *match.span()) for match in shape.finditer(text))


def _tried(row: Issued, anchor: str, text: str, low: str) -> Iterator[Secret]:
    at = low.find(anchor)
    while at >= 0:
        after = at + len(anchor)
        start = _start(row, anchor, text, at)
        if start >= 0 and (match := row.pattern.match(text, at)):
            after = match.end()
            if _is_issued(text[start:after], anchor if row.back is None else ""):
                yield Secret(row.kind, start, after)
        at = low.find(anchor, after)


def _start(row: Issued, anchor: str, text: str, at: int) -> int:
    """Where the issued form begins whose anchor stands here; -1 when the anchor is a part of something else."""
    if row.back is not None:
        before = row.back.search(text, max(0, at - _BACK), at)
        return before.start() if before else -1
    return at if _stands_alone(text, at, anchor) else -1


def _announced(text: str, low: str, anchor: str, gate: Gate | None) -> Iterator[Secret]:
    """What an anchor announces, wherever it stands and passes its gate."""
    at = low.find(anchor)
    while at >= 0:
        after = at + len(anchor)
        if gate is None or gate(low, at, after):
            for kind, start, end in judge(text, low, at, anchor):
                after = max(after, end)
                yield Secret(kind, start, end)
        at = low.find(anchor, after)


def _crowded(text: str, low: str, anchor: str) -> Iterator[Secret]:
    """The same in a text that holds the anchor dozens of times in one word.

    No one writes the same anchor dozens of times into one word but to make us read that word again and again; from
    there on it is taken as a secret as a whole, so that the work stays linear and nothing gets by (D13).
    """
    at, ends, times = low.find(anchor), -1, 0
    while at >= 0:
        after = at + len(anchor)
        if at >= ends:
            ends, times = _word_end(text, after), 0
        times += 1
        if times > _DENSE:
            yield Secret("dense", at, ends)
            after = ends
        else:
            for kind, start, end in judge(text, low, at, anchor):
                after = max(after, end)
                yield Secret(kind, start, end)
        at = low.find(anchor, after)


def _word_end(text: str, at: int) -> int:
    edge = _EDGE.search(text, at)
    return edge.start() if edge else len(text)


def _stands_alone(text: str, at: int, anchor: str) -> bool:
    """An issued form starts a word, unless its anchor starts with a mark of its own or stands inside by design."""
    return not anchor[0].isalpha() or begins_word(text, at)


def _is_issued(value: str, anchor: str) -> bool:
    """A documentation value or a word that only begins like an issued form is none."""
    body = value[len(anchor) :]
    if is_documented(value):
        return False
    if is_innocent(value.lstrip(":.")) and not value.startswith(
        ("eyJ", "hooks", "/api", "SG.", "hv", "dp.", "ya29", ".atlas")
    ):
        return False
    if anchor in {"sk-", "key-", "secret_", "npm_", "pypi-", "pul-"} and not any(letter.isdigit() for letter in body):
        return False
    return len(set(body)) > _DISTINCT
