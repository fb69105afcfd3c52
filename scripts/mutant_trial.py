"""Try one mutant: change one module or one function in a forked process, and run the tests that reach the line.

Owns the two roads. The long one imports everything anew with one module's text changed; the short one changes a
function in a process that has everything loaded and has run nothing (`mutant_station`). Nothing is written into the
repository, and no cache of another test is warm.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType

import pytest
from scripts.mutant_fork import in_fork
from scripts.mutant_reach import PLAIN, Tests, module_of, prepared
from scripts.mutant_station import UNCHANGED, Station
from scripts.mutants import Mutant, applied

__all__ = ["Outcome", "Trials"]

_LEAST, _SLOWER = 20.0, 30  # a trial may take so many seconds, and so many times what its tests took of the processor
_FAILED, _PASSED = 1, 0
_WORD = re.compile(r"\w{3,}")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a mutant: killed, timeout, survived, unreached (no test runs it), broken (does not import)."""

    result: str
    by: str = ""
    ran: int = 0
    seconds: float = 0.0


class _Chosen:
    """Keep the chosen tests, in their order."""

    def __init__(self, names: Sequence[str]) -> None:
        self._rank = {name: at for at, name in enumerate(names)}
        self.failed = ""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Drop the others."""
        items[:] = sorted((one for one in items if one.nodeid in self._rank), key=lambda one: self._rank[one.nodeid])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the first that fails."""
        if report.failed and not self.failed:
            self.failed = report.nodeid


class _Mutated(importlib.abc.MetaPathFinder):
    """Give one module another text."""

    def __init__(self, name: str, path: Path, source: str) -> None:
        self._name, self._path, self._source = name, path, source

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The changed module's place, for its name alone."""
        del path, target
        if fullname != self._name:
            return None
        return importlib.util.spec_from_file_location(
            fullname, self._path, loader=_Loader(fullname, self._path, self._source)
        )


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, name: str, path: Path, source: str) -> None:
        super().__init__(name, str(path))
        self._source = source

    def get_code(self, fullname: str) -> CodeType:
        """The changed text, compiled; the compiled file of the unchanged one is left alone."""
        del fullname
        return self.source_to_code(self._source.encode(), self.path)


class Trials:
    """Trials on one copy of the tree; the short road's process starts with the first that takes it."""

    def __init__(self, copy: Path, home: Path, tests: Tests) -> None:
        self._copy, self._home, self._tests = copy, home, tests
        self._asked = self._said = -1

    def of(self, mutant: Mutant) -> Outcome:
        """Run the tests that reach the changed lines, until one fails."""
        at_import = mutant.function == "<module>"
        hints = set(_WORD.findall(mutant.before)) - set(_WORD.findall(mutant.after))
        names = self._tests.of(mutant.file, mutant.line, mutant.last, at_import=at_import, hints=hints)
        if not names and self._tests.runs_at_import(mutant.file, mutant.line, mutant.last):
            names = self._tests.of(mutant.file, mutant.line, mutant.last, at_import=True, hints=hints)
        if not names:
            return Outcome("unreached")
        source = applied((self._copy / mutant.file).read_text(encoding="utf-8"), mutant)
        began = time.monotonic()
        said: str | None = UNCHANGED
        if not at_import and not self._tests.runs_at_import(mutant.file, mutant.line, mutant.last):
            said = self._at_station(mutant.file, source, names)
        if said == UNCHANGED:
            said = in_fork(
                lambda: self._imported(mutant.file, source, names), self._home / "trial.log", self._room(names)
            )
        spent = round(time.monotonic() - began, 2)
        if said is None:
            return Outcome("timeout", "", len(names), spent)
        ended, by = json.loads(said) if said else (_FAILED, "the process died")
        if by:
            return Outcome("killed", by, len(names), spent)
        return Outcome("survived" if ended == _PASSED else "broken", "", len(names), spent)

    def _room(self, names: Sequence[str]) -> float:
        return _LEAST + _SLOWER * sum(self._tests.seconds[name] for name in names)

    def _imported(self, file: str, source: str, names: Sequence[str]) -> str:
        """The long road."""
        prepared(self._copy)
        sys.meta_path.insert(0, _Mutated(module_of(file), self._copy / file, source))
        chosen = _Chosen(names)
        files = sorted({name.split("::")[0] for name in names})
        ended = pytest.main([*PLAIN, "-x", f"--basetemp={self._home / 'tmp'}", *files], plugins=[chosen])
        return json.dumps([int(ended), chosen.failed])

    def _at_station(self, file: str, source: str, names: Sequence[str]) -> str | None:
        """The short road."""
        if self._asked < 0:
            self._open()
        asked = {"file": file, "source": source, "tests": names, "timeout": self._room(names)}
        os.write(self._asked, json.dumps(asked).encode() + b"\n")
        line = self._line()
        if not line:
            raise SystemExit(f"The process of the short road died: see {self._home / 'station.log'}.")
        answer: str | None = json.loads(line)
        return answer

    def _open(self) -> None:
        (read_asked, self._asked), (self._said, write_said) = os.pipe(), os.pipe()
        if os.fork() == 0:
            try:
                os.close(self._asked)
                os.close(self._said)
                log = os.open(self._home / "station.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
                os.dup2(log, 1)
                os.dup2(log, 2)
                prepared(self._copy)
                with os.fdopen(read_asked) as asked, os.fdopen(write_said, "w") as said:
                    station = Station(asked, said, self._home / "trial.log")
                    files = sorted({name.split("::")[0] for name in self._tests.seconds})
                    pytest.main([*PLAIN, f"--basetemp={self._home / 'tmp'}", *files], plugins=[station])
            finally:
                os._exit(0)
        os.close(read_asked)
        os.close(write_said)

    def _line(self) -> bytes:
        found = b""
        while not found.endswith(b"\n"):
            part = os.read(self._said, 65_536)
            if not part:
                return b""
            found += part
        return found
