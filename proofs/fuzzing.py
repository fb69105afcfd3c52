"""Texts are changed at random, and those that show something new are changed further: what is wrong comes out short.

Owns the campaign `fuzz`: the corpus that grows with every new feature of a reading (a finding next to a kind of token,
a node below a node, three kinds of tokens in a row, and the lines of our own code where this Python can count them
cheaply), the judging of every input, and making a finding as short as it can be. Needs no other package, and ends by
its time or its number. Knows nothing of how a text is changed or what must hold.
"""

import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import CodeType
from typing import Any, TypeAlias

from ferrule.protoscript.lexer import lex
from ferrule.protoscript.reading import Parsed
from ferrule.protoscript.walking import children, walk
from proofs.mutations import SEEDS, changed
from proofs.reading import costly, judged, wrong
from proofs.tables import Row

__all__ = ["Fuzzed", "features", "fuzz", "fuzzed", "shortened"]

Feature: TypeAlias = tuple[str, ...]

_COUNTED = 64
"""Every so many inputs the calls are counted too, which takes ten times as long."""
_FRESH = 400
_MOST = 20_000
_TRIES = 5_000
_FEW = 60
_TOLD = 60.0


@dataclass(slots=True)
class Fuzzed:
    """What a campaign has seen: how many inputs, how many of them were ProtoScript, features, and what was wrong."""

    inputs: int = 0
    valid: int = 0
    characters: int = 0
    seconds: float = 0.0
    corpus: list[str] = field(default_factory=list)
    whole: list[str] = field(default_factory=list)
    seen: set[Feature] = field(default_factory=set)
    found: dict[str, str] = field(default_factory=dict)


def fuzz(seconds: float, seed: int, *, inputs: int | None = None) -> Iterator[Row]:
    """Run for so long (or for so many inputs) and tell what was seen. A finding is printed, shortened, at once."""
    told = fuzzed(seed, seconds=seconds, inputs=inputs, say=lambda line: print(line, flush=True))
    rate = told.inputs / max(told.seconds, 0.001)
    kinds = Counter(feature[0] for feature in told.seen)
    figures = ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items()))
    runs = f"{told.inputs:,} inputs ({told.valid:,} of them ProtoScript)"
    note = f"{rate:.0f} inputs/s, {told.characters:,} characters; kept {len(told.corpus):,} for {figures}"
    yield Row("whatever the text: read, given back, printed, formatted", runs, len(told.found), f"{seed}", note)


def fuzzed(
    seed: int, *, seconds: float = 3_600.0, inputs: int | None = None, say: Callable[[str], None] = lambda _: None
) -> Fuzzed:
    """Change and judge texts until the time is over or the number is reached; both are bounds."""
    chance = random.Random(seed)
    told = Fuzzed()
    began = last = time.monotonic()
    watch = _watch()
    waiting = list(SEEDS)
    while (inputs is None or told.inputs < inputs) and (inputs is not None or time.monotonic() - began < seconds):
        text = waiting.pop() if waiting else changed(chance, _picked(chance, told), chance.choice(told.corpus))
        parsed = _judge(text, told, say)
        new = watch() if parsed is None else features(parsed) | watch()
        if new - told.seen and len(told.corpus) < _MOST:
            told.seen |= new
            told.corpus.append(text)
            if parsed is not None and parsed.ok:
                told.whole.append(text)
        if time.monotonic() - last > _TOLD:
            last = time.monotonic()
            say(f"{told.inputs:,} inputs, {len(told.seen):,} features, kept {len(told.corpus):,}")
    told.seconds = time.monotonic() - began
    return told


def _picked(chance: random.Random, told: Fuzzed) -> str:
    """Half of the time one that is ProtoScript, or one of the newest; of two the shorter, or inputs grow and grow."""
    corpus = told.whole if told.whole and chance.randrange(2) else told.corpus
    corpus = corpus[-_FRESH:] if chance.randrange(2) else corpus
    return min(chance.choice(corpus), chance.choice(corpus), key=len)


def _judge(text: str, told: Fuzzed, say: Callable[[str], None]) -> Parsed | None:
    told.inputs += 1
    told.characters += len(text)
    judge: Callable[[str], str] = wrong
    found, parsed = judged(text)
    if not found and told.inputs % _COUNTED == 0:
        judge, found = costly, costly(text)
    told.valid += parsed is not None and parsed.ok
    if found and found not in told.found:
        told.found[found] = shortened(text, lambda one: judge(one) == found)
        say(f"FOUND {found}: {told.found[found]!r}")
    return parsed


def features(parsed: Parsed) -> set[Feature]:
    """What a reading shows: findings at kinds of tokens, nodes below nodes, three kinds of tokens in a row."""
    kinds = parsed.tokens.kinds
    found: set[Feature] = {("token runs", *three) for three in zip(kinds, kinds[1:], kinds[2:], strict=False)}
    places = dict(zip(parsed.tokens.starts, kinds, strict=True))
    for one in parsed.diagnostics:
        found.add(("findings", one.code, places.get(one.span.start, "gap")))
    for node in walk(parsed.tree):
        name = type(node).__name__
        found.update(("node pairs", name, type(child).__name__) for child in children(node))
    return found


def shortened(text: str, still: Callable[[str], bool]) -> str:
    """As little of the text as still does it: tokens go first, then characters. A bounded number of tries."""
    tries = _TRIES
    for cut in (_tokens, list):
        parts: list[str] = cut(text)
        while tries > 0:
            for less in _fewer(parts):
                tries -= 1
                if still("".join(less)):
                    parts = less
                    break
                if tries <= 0:
                    break
            else:
                break
        text = "".join(parts)
    return text


def _fewer(parts: list[str]) -> Iterator[list[str]]:
    """The parts without one run of them, long runs first; then, of few parts, without two that stand apart."""
    size = len(parts)
    while size:
        for at in range(0, len(parts) - size + 1, size):
            yield parts[:at] + parts[at + size :]
        size //= 2
    if len(parts) <= _FEW:
        for one in range(len(parts)):
            for two in range(one + 2, len(parts) + 1):
                yield parts[:one] + parts[two:]
                yield parts[:one] + parts[one + 1 : two - 1] + parts[two:]


def _tokens(text: str) -> list[str]:
    return [part for token in lex(text) for part in (token.trivia, token.text) if part]


def _watch() -> Callable[[], set[Feature]]:
    """A function that tells which lines of the parser were run for the first time; none before Python 3.12."""
    monitoring: Any = getattr(sys, "monitoring", None)
    if monitoring is None:
        return set
    lines: set[Feature] = set()

    def see(code: CodeType, line: int) -> object:
        if "ferrule/protoscript" in code.co_filename:
            lines.add(("lines", code.co_filename.rpartition("/")[2], str(line)))
        return monitoring.DISABLE

    monitoring.use_tool_id(monitoring.COVERAGE_ID, "ferrule fuzz")
    monitoring.register_callback(monitoring.COVERAGE_ID, monitoring.events.LINE, see)
    monitoring.set_events(monitoring.COVERAGE_ID, monitoring.events.LINE)

    def new() -> set[Feature]:
        told, lines_now = set(lines), lines
        lines_now.clear()
        return told

    return new
