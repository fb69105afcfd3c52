"""A permanent ontology of 100,000 prototypes: read once, answered from its index ever after; and a small one."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.figures import Figure, percentile
from benchmarks.ontologies import Made, make_ontology
from ferrule.adapters.ontologies.layer import IndexedLayer
from ferrule.adapters.ontologies.shelf import FOLDER
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.ontology.layer import PrototypeLayer
from ferrule.ontology.words import subwords
from ferrule.session.source import SOURCE_PROFILE, SourceSession
from ferrule.wiring.permanent import permanent_layer

__all__ = ["ontology"]

PROTOTYPES, FILES = 100_000, 1_000
SMALL, SMALL_FILES = 1_000, 20
RUNS = 11
ASKED = 150
SESSION = "desk:bench"


def ontology() -> Iterator[Figure]:
    """Cold and warm from the start of a process to its first answer; then what one question costs."""
    with tempfile.TemporaryDirectory(prefix="ferrule-bench-") as folder:
        place = Path(folder)
        home = place / "home"
        _session(home)
        large = make_ontology(place / "large", PROTOTYPES, FILES)
        yield from _started(home, large)
        yield from _asked(home, large)
        small = make_ontology(place / "small", SMALL, SMALL_FILES)
        yield from _small(home, small)


def _session(home: Path) -> None:
    store = SqliteStore(home, time.time)
    store.put_session(SourceSession(SESSION, SOURCE_PROFILE, client="desk"))
    store.close()


def _started(home: Path, made: Made) -> Iterator[Figure]:
    words = _search(home, made, made.samples[0][2])
    cold, shown = _run(words), f"{made.prototypes:,} prototypes in {FILES:,} files"
    yield Figure(
        f"ontology of {shown}, cold",
        f"{cold.wall:.1f} s wall, {cold.cpu / 1000:.1f} s CPU, {cold.peak} MB at most",
        "< 20 s",
        "`ferrule memory search … --ontology DIR` from the start of its process to the answer; the index is made",
    )
    size = sum(path.stat().st_size for path in (home / FOLDER).iterdir()) // 1024**2
    warm = [_run(words) for _ in range(RUNS)]
    bare = percentile([_run(["-c", "pass"]).cpu for _ in range(RUNS)], 0.5)
    yield Figure(
        f"ontology of {shown}, warm",
        f"{percentile([one.cpu for one in warm], 0.5):.0f} ms CPU, {warm[-1].peak} MB at most",
        "< 300 ms CPU",
        f"the same from its index of {size} MB; bare interpreter {bare:.0f} ms in the same run; median of {RUNS}",
    )


def _search(home: Path, made: Made, phrase: str) -> list[str]:
    base = str(Path(permanent_layer.__code__.co_filename).parents[1] / "ontology" / "base")
    asked = ["memory", "search", phrase, "--session", SESSION, "--home", str(home)]
    return ["-P", "-m", "ferrule", *asked, "--ontology", base, "--ontology", str(made.folder)]


def _asked(home: Path, made: Made) -> Iterator[Figure]:
    layer = permanent_layer([], [made.folder], home=home)
    assert isinstance(layer, IndexedLayer), "the ontology is not answered from an index"  # noqa: S101 - or the figure lies
    samples = made.samples[:ASKED]
    ways: dict[str, Callable[[PrototypeLayer, tuple[str, str, str]], tuple[str, ...]]] = {
        "name": lambda asked, sample: (found.name,) if (found := asked.get(sample[0])) else (),
        "alias": lambda asked, sample: asked.called(sample[2]),
        "words": lambda asked, sample: asked.matching(subwords(sample[2]), 10),
        "a word of thousands": lambda asked, sample: asked.matching(subwords(sample[2])[1:2], 10),
        "type": lambda asked, _: asked.under(("SemanticEntityBase",), 10, ""),
    }
    for way, ask in ways.items():
        cost = [_milliseconds(ask, layer, sample) for sample in samples]
        yield Figure(
            f"question by {way}, {made.prototypes:,} permanent prototypes",
            f"p50 {percentile(cost, 0.5):.2f} ms, p95 {percentile(cost, 0.95):.2f} ms",
            "p95 < 20 ms",
            f"the layer alone, {len(samples)} different things",
        )


def _milliseconds(
    ask: Callable[[PrototypeLayer, tuple[str, str, str]], tuple[str, ...]],
    layer: PrototypeLayer,
    sample: tuple[str, str, str],
) -> float:
    began = time.perf_counter()
    found = ask(layer, sample)
    spent = 1000 * (time.perf_counter() - began)
    assert found, sample  # noqa: S101 - an answer that is none costs nothing
    return spent


def _small(home: Path, made: Made) -> Iterator[Figure]:
    code = "import sys, time; from pathlib import Path; from ferrule.wiring.permanent import permanent_layer as load\n"
    code += "began = time.process_time(); load([], [sys.argv[1]], home=Path(sys.argv[2]) if sys.argv[2] else None)\n"
    code += "print(1000 * (time.process_time() - began))"
    for what, kept in (("read into memory", ""), ("from its index", str(home))):
        words = [sys.executable, "-P", "-c", code, str(made.folder), kept]
        outs = [subprocess.run(words, check=True, capture_output=True).stdout for _ in range(RUNS + 1)]  # noqa: S603 - ours
        yield Figure(
            f"ontology of {made.prototypes:,} prototypes, {what}",
            f"{percentile([float(out) for out in outs[1:]], 0.5):.0f} ms CPU",
            "< 1,000 ms CPU",
            f"the layer alone, without the start of the process; median of {RUNS}",
        )


class _Run:
    """One process: CPU and wall milliseconds, and the most memory that it had, in MB."""

    def __init__(self, cpu: float, wall: float, peak: int) -> None:
        self.cpu = cpu
        self.wall = wall / 1000
        self.peak = peak


def _run(words: list[str]) -> _Run:
    code = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
    code += "used = resource.getrusage(resource.RUSAGE_CHILDREN); print(used.ru_utime + used.ru_stime, used.ru_maxrss)"
    began = time.perf_counter()
    outer = [sys.executable, "-c", code, sys.executable, *words]
    environment = {**os.environ, "FERRULE_WORKER": "off"}
    out = subprocess.run(outer, check=True, capture_output=True, text=True, env=environment).stdout  # noqa: S603 - ours
    cpu, peak = out.split()
    unit = 1024**2 if sys.platform == "darwin" else 1024
    return _Run(1000 * float(cpu), 1000 * (time.perf_counter() - began), int(peak) // unit)
