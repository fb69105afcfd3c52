"""What a search finds and what it costs: hand-written questions, then curves up to a hundred thousand memories."""

import random
from collections.abc import Iterator, Sequence
from functools import partial

from benchmarks.figures import Figure, cpu_ms, percentile
from benchmarks.search_cases import CASES, EXACT, Case, crowd, meant
from benchmarks.storing import SESSION, WORDS
from ferrule.bridge.values import Found, HandleView, Modality
from ferrule.memory.merge import canonical
from ferrule.memory.ports import StagedWrite
from ferrule.memory.reader import MemoryReader
from ferrule.ontology.values import LayerName, Property, Prototype
from ferrule.referents.kinds import HandleKind
from ferrule.session.source import SOURCE_PROFILE, SourceSession
from ferrule.wiring.critic import memory_of
from ferrule.wiring.home import Home, throw_away_home

__all__ = ["searching"]

CROWD = 3_000
SIZES = (1_000, 10_000, 100_000)
AT_ONCE = 2_000
ASKED = 100


def searching() -> Iterator[Figure]:
    """Quality first, then the curves."""
    yield from _quality()
    yield from _curves()


def _quality() -> Iterator[Figure]:
    with throw_away_home() as home:
        home.store.put_session(SourceSession(SESSION, SOURCE_PROFILE))
        memory = memory_of(home)
        others = list(crowd(CROWD))
        for text in (*others[: CROWD // 2], *meant(), *others[CROWD // 2 :]):
            memory.write(SESSION, text)
        ranks = {case: _rank(home, case) for case in CASES}
    for kind in dict.fromkeys(case.kind for case in CASES):
        own = [rank for case, rank in ranks.items() if case.kind == kind]
        yield Figure(
            f"search quality, {kind}", _scores(own), "1.00" if kind in EXACT else "reported", f"{len(own)} questions"
        )
    total = len(CASES)
    note = f"{total} hand-written questions among {CROWD + len(list(meant())):,} memories that share their words"
    yield Figure("search quality, all", _scores(list(ranks.values())), "never worse", note)


def _rank(home: Home, case: Case) -> int:
    """The place of what is meant among ten answers, 0 when it is none of them."""
    found = [memory.name for memory in _reader(home).search(case.query)]
    return found.index(case.wanted) + 1 if case.wanted in found else 0


def _scores(ranks: Sequence[int]) -> str:
    first, five = sum(rank == 1 for rank in ranks), sum(0 < rank <= 5 for rank in ranks)  # noqa: PLR2004 - hit@5
    reciprocal = sum(1 / rank for rank in ranks if rank) / len(ranks)
    return f"hit@1 {first / len(ranks):.2f}, hit@5 {five / len(ranks):.2f}, MRR {reciprocal:.3f}"


def _reader(home: Home) -> MemoryReader:
    return MemoryReader(home.store, home.permanent, SESSION)


def _curves() -> Iterator[Figure]:
    rows: dict[str, list[str]] = {}
    with throw_away_home() as home:
        home.store.put_session(SourceSession(SESSION, SOURCE_PROFILE))
        size, filled = 0, 0.0
        for wanted in SIZES:
            filled += cpu_ms(partial(_fill, home, size, wanted))[0]
            size = wanted
            for what, spent in _costs(home, size):
                row = f"{size:,}: p50 {percentile(spent, 0.5):.2f}, p95 {percentile(spent, 0.95):.2f}"
                rows.setdefault(what, []).append(row)
    goals = {"search, exact key with its answer": "< 1 ms"}
    note = f"CPU, {ASKED} searches each, home in memory"
    for what, told in rows.items():
        yield Figure(what, f"{'; '.join(told)} ms", goals.get(what, "reported"), note)
    yield Figure(
        "search, a store of 100,000 filled in bulk",
        f"{filled / 1000:.0f} s CPU",
        "reported",
        "a million would take ten times that, so none is built",
    )


def _costs(home: Home, size: int) -> Iterator[tuple[str, list[float]]]:
    chance = random.Random(7)  # noqa: S311 - reproducible, not secret
    layer, reader = home.store.layer(SESSION), _reader(home)
    pairs = [f"{chance.choice(WORDS)} {chance.choice(WORDS)}" for _ in range(ASKED)]
    numbers = [chance.randrange(size) for _ in range(ASKED)]
    slips = [f"{_slip(chance.choice(WORDS))} {chance.choice(WORDS)} item {number}" for number in numbers]
    asked = {
        "search, two words, ten answers": pairs,
        "search, exact key with its answer": [_path(number) for number in numbers],
        "search, a slip among four words, ten answers": slips,
        "search, a word cut to five letters, ten answers": [
            word[:5] for word in WORDS for _ in range(ASKED // len(WORDS))
        ],
    }
    for what, queries in asked.items():
        yield what, [cpu_ms(partial(_found, reader, query))[0] for query in queries]
    yield (
        "search, finding ten names by two words alone",
        [cpu_ms(partial(layer.matching, words.split(), 10))[0] for words in pairs],
    )


def _found(reader: MemoryReader, query: str) -> Found:
    return reader.find(query)


def _slip(word: str) -> str:
    return word[:2] + word[3] + word[2] + word[4:]


def _path(number: int) -> str:
    return f"/srv/work/item{number}/main.py"


def _fill(home: Home, start: int, end: int) -> None:
    """Commit memories as a person's own, many at once: what the rules would admit one by one (benchmarks.storing)."""
    for first in range(start, end, AT_ONCE):
        writes = [_write(number) for number in range(first, min(first + AT_ONCE, end))]
        home.store.commit_people(SESSION, writes, home.store.revision(SESSION))


def _write(number: int) -> StagedWrite:
    word, other = WORDS[number % 10], WORDS[number // 10 % 10]
    values = {
        "EntityName": f"{word} {other} item {number}",
        "Aliases": f"the {word} {number}",
        "FilePath": _path(number),
    }
    properties = tuple(Property(name, "", value, declares=False, assigned=True) for name, value in values.items())
    name = f"{word.title()}{other.title()}Item{number}"
    prototype = Prototype(name, ("SourceFile",), properties, LayerName.SESSION)
    key = f"path:{_path(number)}"
    text = canonical(prototype)
    return StagedWrite(
        prototype=prototype,
        action="created",
        definition=text,
        merged=text,
        handles=(HandleView(HandleKind.FILESYSTEM_PATH, _path(number), "FilePath", key),),
        keys=(key,),
        phrases=(),
        modality=Modality.EXISTING,
        claims=(),
        excerpts=(),
        person=True,
    )
