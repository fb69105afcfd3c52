"""Two real workers are killed and stopped at random moments, hundreds of times: nothing is lost, doubled or reordered.

Owns the campaign of kills (CASE-J03, R100, stack.md 1d): who is killed when, and what the logs and the file tell of it.
Knows nothing of what a worker does inside.
"""

import random
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from ferrule.adapters.sqlite.store import SqliteStore
from proofs.chance import happens
from proofs.children import Brood, Child, brood
from proofs.homes import a_source, faults_of, filled, open_count, put_in_lanes, throw_away
from proofs.looking import Look
from proofs.stub_worker import LOGS, OVER, Terms, run
from proofs.tables import Row

__all__ = ["Round", "a_round", "kills"]

SOURCES = 40
TURNS = 10
LEASE = 2.0
HANDS = 2
THINK = 0.12
PATIENCE = 240.0
BROKEN = ("lost", "duplicate effects", "order errors", "unsound", "late take-overs")


@dataclass(frozen=True, slots=True)
class Round:
    """The terms of one round.

    Attributes:
        kills: how often a worker is killed before the rest is left in peace.
        stops: how often one is stopped for longer than its lease.
        restart: whether a killed worker comes back; if not, the other one has to finish.
        sources: how many lanes.
        turns: how many turns in each.
    """

    seed: int
    kills: int
    stops: int = 2
    restart: bool = True
    sources: int = SOURCES
    turns: int = TURNS
    think: float = THINK


@dataclass
class Course:
    """What happened in a round."""

    terms: Round
    home: Path
    family: Brood
    rng: random.Random
    workers: list[Child] = field(default_factory=list)
    died: dict[str, float] = field(default_factory=dict)
    started: int = 0
    kills: int = 0
    stops: int = 0

    def start(self) -> None:
        """Start one more worker."""
        self.started += 1
        name = f"w{self.started}"
        child = self.family.start(run, self.home, name, Terms(LEASE, self.terms.think, HANDS))
        child.name = name
        self.workers.append(child)

    def strike(self, *, restart: bool) -> None:
        """Kill one worker that is at work; one that comes back does so at once."""
        victim = self.rng.choice(self._at_work() or self.workers)
        self.workers.remove(victim)
        self.family.kill(victim)
        self.died[victim.name] = time.time()
        self.kills += 1
        if restart:
            self.start()

    def stop(self) -> None:
        """Stop one worker for longer than its lease, then let it go on: its lease is gone."""
        victim = self.rng.choice(self._at_work() or self.workers)
        self.family.stop(victim)
        time.sleep(LEASE * 1.3)
        self.family.go_on(victim)
        self.stops += 1

    def _at_work(self) -> list[Child]:
        """Those that have begun a turn and not ended it, as far as their logs tell."""
        return [worker for worker in self.workers if _is_at_work(self.home / LOGS / worker.name)]


def _is_at_work(log: Path) -> bool:
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    begun = sum(line.startswith("claimed") for line in lines)
    return 2 * begun > len(lines)


def a_round(terms: Round) -> tuple[Counter[str], list[float]]:
    """Play one round; what was found, by kind, and how long after a kill each lane was taken over, in seconds."""
    with throw_away("kills") as home, brood() as family:
        store = SqliteStore(home, time.time)
        filled(store, terms.sources, terms.turns)
        put_in_lanes(store, terms.sources, terms.turns)
        store.close()
        course = Course(terms, home, family, random.Random(terms.seed))
        look = Look(home)
        try:
            _play(course, look)
        finally:
            look.close()
        (home / OVER).touch()
        for child in course.workers:
            family.finish(child, PATIENCE)
        keys = [(a_source(n).key, f"t{o}") for n in range(terms.sources) for o in range(1, terms.turns + 1)]
        found = faults_of(home, keys)
        lines = _log_lines(home)
        late, delays = _take_overs(course, lines)
        found.update({"late take-overs": late, "kills": course.kills, "stops": course.stops})
        found["turns"] = len(keys)
        found["refused commits"] = sum(line.what == "refused" for line in lines)
        found["killed in a review"] = len(delays)
        return found, delays


def _play(course: Course, look: Look) -> None:
    terms = course.terms
    for _ in range(2):
        course.start()
    ends = time.monotonic() + PATIENCE
    while open_count(look) and time.monotonic() < ends:
        time.sleep(0.03 + 0.3 * course.rng.random())
        if not open_count(look):
            return
        if course.stops < terms.stops and happens(course.rng, 0.15):
            course.stop()
        elif course.kills < terms.kills:
            last = len(course.workers) == 1
            if terms.restart or not last:
                course.strike(restart=terms.restart or last)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a worker's log."""

    worker: str
    what: str
    at: float
    epoch: int
    source: str


def _log_lines(home: Path) -> list[Line]:
    found = []
    for path in (home / LOGS).iterdir():
        if path.suffix == ".rss":
            continue
        for text in path.read_text(encoding="utf-8").splitlines():
            what, at, epoch, _, source = text.split("\t", 4)
            found.append(Line(path.name, what, float(at), int(epoch), source))
    return sorted(found, key=lambda line: line.at)


def _take_overs(course: Course, lines: list[Line]) -> tuple[int, list[float]]:
    """For each claim that a kill cut off: how long until its lane was claimed again, in seconds of the store's clock.

    A lane is due when the dead worker's lease ends and is served in its turn: late is one that saw others served more
    often since than there are lanes. How long a turn takes is the machine's affair, so no time is judged.
    """
    claims = {(line.source, line.epoch): line for line in lines if line.what == "claimed"}
    ended = {(line.source, line.epoch) for line in lines if line.what != "claimed"}
    late, delays = 0, []
    for (source, epoch), line in claims.items():
        died, taken = course.died.get(line.worker), claims.get((source, epoch + 1))
        if died is None or (source, epoch) in ended or taken is None:
            continue  # killed between its commit and its log: nothing was left to take over, as the file shows
        delays.append(taken.at - died)
        between = sum(died + LEASE < other.at < taken.at for other in claims.values())
        late += between > course.terms.sources
    return late, delays


def kills(total: int, seed: int) -> list[Row]:
    """Rounds until so many kills were dealt, every fourth without a restart; a broken round is the last one."""
    found: Counter[str] = Counter()
    delays: list[float] = []
    broken = ""
    for number in range(1, total + 1):
        terms = Round(seed + number, kills=min(total - found["kills"], 40), restart=number % 4 != 0)
        counted, waited = a_round(terms)
        counted["rounds"] = 1
        found += counted
        delays += waited
        if any(counted[name] for name in BROKEN) or not counted["kills"]:
            broken = str(terms.seed)
            print(f"round {terms.seed}: {dict(counted)}", flush=True)
        if broken or found["kills"] >= total:
            break
    return rows_of(found, delays, broken or f"{seed + 1}..{seed + found['rounds']}")


def rows_of(found: Counter[str], delays: list[float], seeds: str) -> list[Row]:
    """The campaign's table."""
    runs = f"{found['kills']} kills, {found['stops']} stops, {found['turns']} turns, {found['rounds']} rounds"
    told = sorted(delays)
    spread = f"half within {told[len(told) // 2]:.1f} s, all within {told[-1]:.1f} s" if told else "none was cut off"
    waits = f"lease {LEASE} s, then its turn among {SOURCES} lanes: {spread}"
    refused = str(found["refused commits"])
    return [
        *(Row(name, runs, found[name], seeds) for name in BROKEN[:-1]),
        Row(BROKEN[-1], f"{len(told)} cut off", found[BROKEN[-1]], seeds, waits),
        Row("commits refused to a worker that lost its lease", runs, None, seeds, refused),
    ]
