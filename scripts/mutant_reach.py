"""Which tests run which lines, on a copy of the tree that nobody edits meanwhile.

Owns the copy, the measure of what every test reaches, and the choice of tests for a line. Changes nothing.
"""

import hashlib
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from coverage import Coverage, CoverageData
from hypothesis import Phase, settings
from scripts.mutant_fork import in_fork

__all__ = ["PLAIN", "Tests", "digest_of", "module_of", "prepared", "snapshot", "tests_of"]

_FOLDERS = ("src", "tests", "proofs", "benchmarks", "pyproject.toml")
_SOURCES = ("src/ferrule/memory", "src/ferrule/referents")
_TESTS = ("tests/referents", "tests/memory")
_BUDGET = 4.0  # seconds of processor per mutant, the most particular tests first
_SLOW = 0.4  # a test that takes longer comes last
_TELLING = 30  # a word that more of the reaching tests are named with is no hint
# Before all others: the tables of whole answers, which take two seconds together, then what is named for the module.
_FIRST = ("whole_answers", "found_rows", "edge_rows", "at_their_edges")
_EARLY = "ignore::pytest.PytestAssertRewriteWarning"  # hypothesis is loaded before the fork, to save time
PLAIN = (
    *("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not real and not shared", "-W", _EARLY),
    *("--hypothesis-profile=mutate", "--continue-on-collection-errors"),
)


@dataclass(frozen=True, slots=True)
class Tests:
    """Which tests reach which line of which file, how long each takes, how many lines it reaches.

    `readers` tells who imports from a file, `imported` which lines run while modules are imported.
    """

    reached: Mapping[str, Mapping[int, Sequence[str]]]
    seconds: Mapping[str, float]
    breadth: Mapping[str, int]
    readers: Mapping[str, Sequence[str]]
    imported: Mapping[str, frozenset[int]]

    def of(self, file: str, first: int, last: int, *, at_import: bool, hints: Collection[str] = ()) -> list[str]:
        """Tests that run one of the lines, or for what runs at import any line of the file; particular ones first.

        `hints` are words that the change takes away: whoever is named for one of them comes before all others.
        """
        names = self._within(file, 1, 1 << 30) if at_import else self._within(file, first, last)
        if at_import and not names:  # a module of data alone: whoever reads it
            names = {name for reader in self.readers.get(file, ()) for name in self._within(reader, 1, 1 << 30)}
        chosen: list[str] = []
        spent = 0.0
        stem = Path(file).stem

        # A word that half of the tests are named with, such as "value", points at none of them.
        telling = [hint for hint in hints if sum(hint in name for name in names) <= _TELLING]

        def rank(name: str) -> tuple[bool, bool, bool, bool, int, str]:
            test = name.partition("::")[0]
            named, whole = stem in test, any(word in test for word in _FIRST)
            slow, hinted = self.seconds[name] > _SLOW, any(hint in name for hint in telling)
            return slow, not hinted, not whole, not named, self.breadth[name], name

        for name in sorted(names & self.seconds.keys(), key=rank):
            spent += self.seconds[name]
            if chosen and spent > _BUDGET:
                break
            chosen.append(name)
        return chosen

    def runs_at_import(self, file: str, first: int, last: int) -> bool:
        """Whether one of the lines runs while modules are imported."""
        return any(first <= line <= last for line in self.imported.get(file, ()))

    def _within(self, file: str, first: int, last: int) -> set[str]:
        return {name for line, found in self.reached.get(file, {}).items() if first <= line <= last for name in found}


def digest_of(root: Path, *patterns: str) -> str:
    """One digest of the names and texts of all files that fit."""
    paths = {path for pattern in patterns for path in root.glob(pattern) if path.is_file()}
    found = hashlib.sha256()
    for path in sorted(paths):
        found.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()[:16]


def snapshot(root: Path, home: Path, *, head: bool = False) -> Path:
    """Copy what tests need, as it is or as it was committed, so that nobody who edits meanwhile disturbs a trial."""
    copy = home / "tree"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir(parents=True)
    if head:
        archive = home / "head.tar"
        _git(root, "archive", "--output", str(archive), "HEAD", *_FOLDERS)
        with tarfile.open(archive) as tar:
            tar.extractall(copy, filter="data")
        return copy
    for name in _git(root, "ls-files", "-co", "--exclude-standard", "--", *_FOLDERS).splitlines():
        if (root / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, copy / name)
    return copy


def _git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603 - fixed commands


class _Recorder:
    """What each test takes of the processor, and which fail."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Time a test with all of its phases."""
        began = time.process_time()
        result = yield
        self.seconds[item.nodeid] = time.process_time() - began
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what fails."""
        if report.failed:
            self.failed.add(report.nodeid)


def module_of(file: str) -> str:
    """The module's name of a file below `src`."""
    return file.removeprefix("src/").removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def prepared(copy: Path) -> None:
    """The same tests each time: no examples remembered from another mutant, none shrunk, one seed."""
    os.chdir(copy)
    sys.path.insert(0, str(copy / "src"))
    os.environ["PYTHONPATH"] = str(copy / "src")
    phases = (Phase.explicit, Phase.generate)
    settings.register_profile("mutate", max_examples=30, deadline=None, database=None, derandomize=True, phases=phases)


def tests_of(copy: Path, home: Path) -> Tests:
    """Run every test once under coverage, unless that was done for the same tree; failing ones are left out."""
    kept = home / f"reached-{digest_of(copy, 'src/**/*.py', 'tests/**/*.py')}.json"
    if not kept.exists():
        print("Looking which test runs which line: some minutes.", flush=True)
        said = [in_fork(partial(work, copy, home), home / "reached.log", 3600) for work in (_recorded, _imported)]
        if not all(said):
            raise SystemExit(f"The tests could not be run: see {home / 'reached.log'}.")
        kept.write_text(f"[{said[0]},{said[1]}]", encoding="utf-8")
    found, imported = json.loads(kept.read_text(encoding="utf-8"))
    if found["failed"]:
        print(f"Left out, since they fail without any change: {', '.join(sorted(found['failed']))}")
    names = found["names"]
    reached = {
        file: {int(line): [names[at] for at in ran] for line, ran in lines.items()}
        for file, lines in found["reached"].items()
    }
    breadth: dict[str, int] = {}
    for lines in reached.values():
        for ran in lines.values():
            for name in ran:
                breadth[name] = breadth.get(name, 0) + 1
    at_import = {file: frozenset(lines) for file, lines in imported.items()}
    return Tests(reached, found["seconds"], breadth, _readers(copy), at_import)


def _readers(copy: Path) -> dict[str, list[str]]:
    """Which files import from which, by their texts."""
    found: dict[str, list[str]] = {}
    for path in sorted(copy.glob("src/**/*.py")):
        for name in re.findall(r"^from (ferrule[\w.]*) import", path.read_text(encoding="utf-8"), re.MULTILINE):
            found.setdefault(f"src/{name.replace('.', '/')}.py", []).append(str(path.relative_to(copy)))
    return found


def _recorded(copy: Path, home: Path) -> str:
    prepared(copy)
    recorder = _Recorder()
    data, config = home / "reached.coverage", home / "reached.toml"
    data.unlink(missing_ok=True)
    config.write_text(f'[tool.coverage.run]\nsource = {json.dumps(_SOURCES)}\ndata_file = "{data}"\n', encoding="utf-8")
    measure = ("--cov", f"--cov-config={config}", "--cov-context=test", "--cov-report=")
    pytest.main([*PLAIN, *measure, *_TESTS], plugins=[recorder])
    measured = CoverageData(str(data))
    measured.read()
    sure = {name: spent for name, spent in recorder.seconds.items() if name not in recorder.failed}
    numbers = {name: number for number, name in enumerate(sure)}
    reached = {
        os.path.relpath(file): {
            line: sorted({numbers[name] for one in ran if (name := one.rpartition("|")[0]) in numbers})
            for line, ran in measured.contexts_by_lineno(file).items()
        }
        for file in measured.measured_files()
    }
    return json.dumps({"names": list(sure), "reached": reached, "seconds": sure, "failed": sorted(recorder.failed)})


def _imported(copy: Path, home: Path) -> str:
    """The lines that run while modules are imported: what they leave behind is not made anew by changing a function."""
    del home
    prepared(copy)
    coverage = Coverage(data_file=None, source=[*_SOURCES], config_file=False)
    coverage.start()
    for folder in _SOURCES:
        for path in sorted(copy.glob(f"{folder}/**/*.py")):
            importlib.import_module(module_of(str(path.relative_to(copy))))
    coverage.stop()
    data = coverage.get_data()
    return json.dumps({os.path.relpath(file): data.lines(file) for file in data.measured_files()})
