"""Every regular expression of a package with texts that are made to slow it down, derived from the expression itself.

Owns the finding of expressions (module values, containers, table rows, literals inside functions) and the making of
hostile texts from their parse trees: a prefix that leads into a repeat, the repeat's body many times, and a letter that
breaks the match. So an expression that is new has its hostile cases from the day it is written.
"""

import ast
import importlib
import pkgutil
import re
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from re import _constants as sre
from re import _parser
from types import ModuleType
from typing import cast

from ferrule.referents.expressions import Expression
from ferrule.referents.tables.reader import table

LETTERS = "a0A-_/.:@= \"'`#(){}[]<>\\$%&+*,;!?\n\t\u00e9\u4e2d"
_REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
_DEEP = 12
_WIDE = 16
_LINE_CALLS = {"match", "search", "fullmatch", "findall", "finditer", "sub", "split", "compile"}


def modules(package: ModuleType) -> Iterator[ModuleType]:
    """The modules of a package, itself left out."""
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        yield importlib.import_module(found.name)


def expressions(package: ModuleType) -> dict[str, re.Pattern[str]]:
    """Every expression of a package by where it stands."""
    found: dict[str, re.Pattern[str]] = {}
    for module in modules(package):
        for name, value in vars(module).items():
            if not name.startswith("__"):
                for at, pattern in enumerate(_patterns(value)):
                    found[f"{module.__name__}.{name}[{at}]"] = pattern
        for line, text in _literals(module):
            found[f"{module.__name__}:{line}"] = re.compile(text)
    rows = table("recognisers")["recogniser"]
    assert isinstance(rows, list)
    for row in rows:
        if "pattern" in row:
            found[f"recognisers.toml: {row['name']}"] = re.compile(row["pattern"])
    unique = {(pattern.pattern, pattern.flags): name for name, pattern in reversed(found.items())}
    return {name: re.compile(*key) for key, name in unique.items()}


def _patterns(value: object, depth: int = 0) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern | Expression) and isinstance(value.pattern, str):
        yield cast("re.Pattern[str]", value)
    elif depth < 4 and isinstance(value, dict):
        yield from (pattern for item in value.values() for pattern in _patterns(item, depth + 1))
    elif depth < 4 and isinstance(value, (list, tuple, set, frozenset)):
        yield from (pattern for item in value for pattern in _patterns(item, depth + 1))
    elif hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
        fields = (getattr(value, name) for name in value.__dataclass_fields__)
        yield from (pattern for item in fields for pattern in _patterns(item, depth + 1))


def _literals(module: ModuleType) -> Iterator[tuple[int, str]]:
    """Expressions written where they are used, inside a function."""
    assert module.__file__ is not None
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.Lambda):
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and _of_re(node) and isinstance(node.args[0], ast.Constant):
                    yield node.lineno, str(node.args[0].value)


def _of_re(node: ast.Call) -> bool:
    call = node.func
    return (isinstance(call, ast.Name) and call.id == "expression" and bool(node.args)) or (
        isinstance(call, ast.Attribute)
        and isinstance(call.value, ast.Name)
        and call.value.id == "re"
        and call.attr in _LINE_CALLS
        and bool(node.args)
    )


def hidden(package: ModuleType) -> list[str]:
    """Calls that build an expression inside a function from parts: what no test here would see.

    What compiles the module's expressions when they are first used is left out: `expressions` sees each of them.
    """
    found = []
    for module in modules(package):
        assert module.__file__ is not None
        if module.__name__ == Expression.__module__:
            continue
        tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef):
                found += [
                    f"{module.__name__}.{function.name}"
                    for node in ast.walk(function)
                    if isinstance(node, ast.Call) and _of_re(node) and not isinstance(node.args[0], ast.Constant)
                ]
    return sorted(set(found))


def anchored(package: ModuleType) -> frozenset[str]:
    """Names `module.NAME` of expressions that their module only ever tries at one place: by `match` or `fullmatch`."""
    tried: dict[str, set[str]] = {}
    for module in modules(package):
        assert module.__file__ is not None
        tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                tried.setdefault(f"{module.__name__}.{node.value.id}", set()).add(node.attr)
            elif isinstance(node, ast.Call):
                for passed in node.args:
                    if isinstance(passed, ast.Name):
                        tried.setdefault(f"{module.__name__}.{passed.id}", set()).add("passed on")
    at_one_place = {"match", "fullmatch"}
    return frozenset(name for name, ways in tried.items() if ways and ways <= at_one_place | {"groupindex", "pattern"})


@dataclass(frozen=True, slots=True)
class Attack:
    """A hostile text of any size: a beginning, a unit many times, and an end that breaks the match."""

    prefix: str
    unit: str
    tail: str = ""

    def text(self, size: int) -> str:
        """About this many letters of it."""
        return (self.prefix + self.unit * (size // len(self.unit) + 1))[:size] + self.tail


def attacks(pattern: re.Pattern[str]) -> tuple[Attack, ...]:
    """Hostile texts for one expression: two for each of its repeats, and its parts one after the other."""
    tree = _parser.parse(pattern.pattern, pattern.flags & ~re.TEMPLATE if hasattr(re, "TEMPLATE") else pattern.flags)
    whole = _sample(tree) or "a"
    units = {whole, whole[:-1] or whole}
    found = []
    for prefix, body in _repeats(tree, ""):
        units |= {body, prefix[-40:] + body}
        found += [Attack(prefix, body), Attack(prefix, body, "\x00")]
    found += [attack for unit in sorted(units) for attack in (Attack("", unit), Attack("", unit + "\x00"))]
    return tuple(dict.fromkeys(found))


def _repeats(tree: Iterable[tuple[object, object]], prefix: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Each repeat that may run on: what leads into it, and its body once."""
    for op, arg in tree:
        if op in _REPEATS:
            least, most, inner = cast("tuple[int, int, Iterable[tuple[object, object]]]", arg)
            body = _sample(inner)
            if most > _WIDE and body:
                yield prefix, body
            if depth < _DEEP:
                yield from _repeats(inner, prefix, depth + 1)
            prefix += body * max(1, min(least, 8))
        elif op is sre.SUBPATTERN:
            yield from _repeats(arg[3], prefix, depth + 1)  # type: ignore[index]
            prefix += _sample(arg[3])  # type: ignore[index]
        elif op is sre.ATOMIC_GROUP:
            yield from _repeats(arg, prefix, depth + 1)  # type: ignore[arg-type]
            prefix += _sample(arg)  # type: ignore[arg-type]
        elif op is sre.BRANCH:
            for branch in arg[1][:40]:  # type: ignore[index]
                yield from _repeats(branch, prefix, depth + 1)
            prefix += _sample(arg[1][0])  # type: ignore[index]
        else:
            prefix += _one(op, arg)


def _sample(tree: Iterable[tuple[object, object]]) -> str:
    """A text that the tree may match, lookarounds left out."""
    said = ""
    for op, arg in tree:
        if op in _REPEATS:
            said += _sample(arg[2]) * max(1, min(arg[0], 8))  # type: ignore[index]
        elif op is sre.SUBPATTERN:
            said += _sample(arg[3])  # type: ignore[index]
        elif op is sre.ATOMIC_GROUP:
            said += _sample(arg)  # type: ignore[arg-type]
        elif op is sre.BRANCH:
            said += _sample(arg[1][0])  # type: ignore[index]
        else:
            said += _one(op, arg)
    return said


def _one(op: object, arg: object) -> str:
    """One letter that a single step matches."""
    if op is sre.LITERAL:
        return chr(arg)  # type: ignore[arg-type]
    if op is sre.ANY:
        return "a"
    if op in (sre.IN, sre.NOT_LITERAL):
        single = re.compile(_class(op, arg), re.DOTALL)
        return next((letter for letter in LETTERS if single.fullmatch(letter)), _first(arg) if op is sre.IN else "a")
    return ""


def _first(items: object) -> str:
    for op, arg in items:  # type: ignore[attr-defined]
        if op is sre.LITERAL:
            return chr(arg)
        if op is sre.RANGE:
            return chr(arg[0])
    return "a"


def _class(op: object, arg: object) -> str:
    if op is sre.NOT_LITERAL:
        return f"[^{re.escape(chr(arg))}]"  # type: ignore[arg-type]
    parts = []
    for kind, value in arg:  # type: ignore[attr-defined]
        if kind is sre.NEGATE:
            parts.append("^")
        elif kind is sre.LITERAL:
            parts.append(re.escape(chr(value)))
        elif kind is sre.RANGE:
            parts.append(f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}")
        else:
            parts.append(_CATEGORIES[value])
    return f"[{''.join(parts)}]"


_CATEGORIES = {
    sre.CATEGORY_DIGIT: r"\d", sre.CATEGORY_NOT_DIGIT: r"\D", sre.CATEGORY_SPACE: r"\s", sre.CATEGORY_NOT_SPACE: r"\S",
    sre.CATEGORY_WORD: r"\w", sre.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip


def growth(work: Callable[[str], object], attack: Attack, small: int, factor: int) -> float:
    """How many times longer a text takes that is `factor` times as long, in CPU time; 0 where it takes no time at all.

    A text of `small` letters that is read in less than a microsecond a letter hides no quadratic work, which would take
    many times that: such a text is not measured twice. Nothing here fails for a slow machine: the answer is a ratio.
    """
    spent = _spent(work, attack.text(small))
    if spent < small * 1e-6:
        return 0.0
    return _spent(work, attack.text(small * factor)) / max(spent, _spent(work, attack.text(small)))


def _spent(work: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    work(text)
    return time.process_time() - start
