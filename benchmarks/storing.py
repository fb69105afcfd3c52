"""What the store costs: an accepted durable write, search, restore, enqueue, at several sizes."""

import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from benchmarks.figures import Figure, cpu_ms, percentile, wall_ms
from ferrule.companion.importing import companion_of
from ferrule.memory.nlmemory import NLMemory
from ferrule.memory.reader import MemoryReader
from ferrule.memory.restore import read_projection
from ferrule.ontology.resolve import Ontology
from ferrule.session.source import SOURCE_PROFILE, Origin, SourceSession
from ferrule.session.turn import Turn
from ferrule.wiring.critic import memory_of
from ferrule.wiring.home import Home, open_home

__all__ = ["definition", "storing"]

SESSION = "bench:store"
SMALL, LARGE = 2_000, 10_000
RESTORED = 1_000
WORDS = ("harbour", "invoice", "ledger", "nightly", "export", "gateway", "replica", "mirror", "survey", "beacon")


def storing() -> Iterator[Figure]:
    """One home that grows: what is measured is measured at each size."""
    with _home() as home:
        memory = memory_of(home)
        home.store.put_session(SourceSession(SESSION, SOURCE_PROFILE))
        first = _grow(memory, 0, 300)
        yield from _enqueue(home)
        _grow(memory, 300, SMALL)
        at_small = _search(home)
        last = _grow(memory, SMALL, LARGE)[-300:]
        yield Figure(
            "accepted durable write, p50",
            f"{percentile(first, 0.5):.1f} ms among 0-300, {percentile(last, 0.5):.1f} ms among 9,700-10,000",
            "< 10 ms, flat",
            "wall, with its commit; a person's write: rules 1-7",
        )
        at_large = _search(home)
        yield Figure(
            "search, p95 at 2,000 memories", f"{percentile(at_small, 0.95):.2f} ms", "< 5 ms", "wall, 200 searches"
        )
        yield Figure(
            "search, p50 at 10,000 memories", f"{percentile(at_large, 0.5):.2f} ms", "< 5 ms", "wall, 200 searches"
        )
        layer = home.store.layer(SESSION)
        finding = [wall_ms(partial(layer.matching, words.split(), 10))[0] for words in _asked()]
        yield Figure(
            "search, finding ten names alone at 10,000",
            f"p50 {percentile(finding, 0.5):.2f} ms",
            "< 5 ms",
            "wall, all words",
        )
        exact = wall_ms(lambda: layer.holding(f"path:/srv/work/item{random.randrange(LARGE)}/main.py"), times=500)  # noqa: S311
        yield Figure("search, exact key at 10,000", f"{percentile(exact, 0.5):.3f} ms", "< 1 ms", "p50, wall")
        yield from _restore(home)


@contextmanager
def _home() -> Iterator[Home]:
    folder = Path(tempfile.mkdtemp(prefix="ferrule-bench-"))
    try:
        with open_home(folder / "home") as home:
            yield home
    finally:
        shutil.rmtree(folder)


def definition(number: int) -> str:
    """A small memory of its own, the same for the same number."""
    word, other = WORDS[number % 10], WORDS[number // 10 % 10]
    return (
        f"prototype {word.title()}{other.title()}Item{number} : SourceFile\n{{\n"
        f'\tEntityName = @"{word} {other} item {number}";\n\tAliases = @"the {word} {number}";\n'
        f'\tFilePath = @"/srv/work/item{number}/main.py";\n}}\n'
    )


def _grow(memory: NLMemory, start: int, end: int) -> list[float]:
    return [wall_ms(partial(memory.write, SESSION, definition(number)))[0] for number in range(start, end)]


def _search(home: Home) -> list[float]:
    reader = MemoryReader(home.store, home.permanent, SESSION)
    return [wall_ms(partial(reader.search, words))[0] for words in _asked()]


def _asked() -> list[str]:
    chance = random.Random(7)  # noqa: S311 - reproducible, not secret
    return [f"{chance.choice(WORDS)} {chance.choice(WORDS)}" for _ in range(200)]


def _enqueue(home: Home) -> Iterator[Figure]:
    source = SourceSession("bench:queue", SOURCE_PROFILE)
    home.store.put_session(source)
    turns = [Turn(f"t{number}", source.key, number, "please", "done") for number in range(1, 201)]
    home.store.put_turns(turns)
    child = companion_of(source)
    spent = [
        wall_ms(partial(home.store.enqueue, source, child, [(turn.ordinal, turn.key)], Origin.IMPORT))[0]
        for turn in turns
    ]
    yield Figure(
        "enqueue, p50", f"{percentile(spent, 0.5):.1f} ms", "< 5 ms, one commit", "wall, 200 turns of one source"
    )


def _restore(home: Home) -> Iterator[Figure]:
    layer = home.store.layer(SESSION)

    def everything() -> int:
        return sum(layer.get(name) is not None for name in layer.names())

    def reopened() -> None:
        with open_home(home.path) as again:
            again.store.layer(SESSION).called("the ledger 12")

    yield Figure(
        "restore: open the home of 10,000 and answer a first search",
        f"{percentile(cpu_ms(reopened, times=5), 0.5):.0f} ms CPU",
        "< 1 s",
        f"reading every memory back takes {min(cpu_ms(everything, times=2)):.0f} ms CPU",
    )
    text = memory_of(home).export(SESSION)
    read = min(cpu_ms(lambda: read_projection(text, Ontology(home.permanent)), times=2))
    some = "\n\n".join(text.split("\n\n")[: RESTORED + 1])
    with _home() as other:
        other.store.put_session(SourceSession(SESSION, SOURCE_PROFILE))
        spent = wall_ms(lambda: memory_of(other).restore(SESSION, some))[0]
        same = len(other.store.layer(SESSION))
    yield Figure(
        "restore: from `.pts` alone",
        f"{read / 1000:.1f} s CPU to read 10,000; {spent / same:.1f} ms each to write them through the rules",
        "10,000 in < 10 s",
        f"missed when they are written too: measured on {same}, each a durable write of its own",
    )
