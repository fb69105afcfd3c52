"""A process that has loaded everything and run nothing: one fork of it per mutant, with one function's code changed.

Owns the fast road: most changes lie inside of functions that nobody called while modules were imported, so that it is
enough to give the function its changed code, forget every cache, and run the tests. Whatever cannot be changed so is
said to be unchanged, and goes the long road of `mutant_trial`.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import TextIO

import pytest
from scripts.mutant_fork import in_fork
from scripts.mutant_reach import module_of

__all__ = ["UNCHANGED", "Station", "changed"]

UNCHANGED = "unchanged"


class Station:
    """A pytest plugin: instead of running what was collected, it answers one line per mutant."""

    def __init__(self, asked: TextIO, said: TextIO, log: Path) -> None:
        self._asked, self._said, self._log = asked, said, log
        self._failed = ""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Serve until nobody asks any more."""
        items = {item.nodeid: item for item in session.items}
        for line in self._asked:
            asked = json.loads(line)
            chosen = [items[name] for name in asked["tests"] if name in items]
            said = in_fork(self._trial(asked, chosen), self._log, asked["timeout"])
            self._said.write(json.dumps(said) + "\n")
            self._said.flush()
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the first test that fails."""
        if report.failed and not self._failed:
            self._failed = report.nodeid

    def _trial(self, asked: dict[str, str], chosen: Sequence[pytest.Item]) -> Callable[[], str]:
        def work() -> str:
            if not changed(sys.modules.get(module_of(asked["file"])), asked["source"]):
                return UNCHANGED
            _forget()
            for item, after in zip(chosen, [*chosen[1:], None], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
                if self._failed:
                    break
            return json.dumps([int(bool(self._failed)), self._failed])

        return work


def changed(module: ModuleType | None, source: str) -> bool:
    """Give the module's functions the code that they have in this text; False when none of them has another."""
    if module is None:
        return False
    codes = {code.co_qualname: code for code in _codes(compile_of(source, str(module.__file__)))}
    found = False
    for function in _functions(module):
        code = codes.get(function.__code__.co_qualname)
        if code is not None and code != function.__code__ and code.co_freevars == function.__code__.co_freevars:
            function.__code__ = code
            found = True
    return found


def compile_of(source: str, path: str) -> CodeType:
    """A module's code from its text."""
    return compile(source, path, "exec", dont_inherit=True)


def _codes(code: CodeType) -> Iterator[CodeType]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield inner
            yield from _codes(inner)


def _functions(module: ModuleType) -> Iterator[FunctionType]:
    for held in [*vars(module).values()]:
        if getattr(held, "__module__", None) != module.__name__:
            continue
        yield from _unwrapped(held)
        if isinstance(held, type):
            for inner in [*vars(held).values()]:
                yield from _unwrapped(inner)


def _unwrapped(held: object) -> Iterator[FunctionType]:
    """The function behind a cache, a property, a class method."""
    if isinstance(held, property):
        held = held.fget
    elif isinstance(held, cached_property):
        held = held.func
    held = getattr(held, "__func__", held)
    held = getattr(held, "__wrapped__", held)
    if isinstance(held, FunctionType):
        yield held


def _forget() -> None:
    """No cache may answer for code that has been changed."""
    for name, module in [*sys.modules.items()]:
        if name.partition(".")[0] == "ferrule":
            for held in [*vars(module).values()]:
                clear = getattr(held, "cache_clear", None)
                if clear is not None:
                    clear()
