"""What no file of Ferrule may contain, whoever wrote it."""

import ast
import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "ferrule"
FILES = sorted(SOURCE.rglob("*.py"))
VAGUE = re.compile(r"(^|_)(utils?|helpers?|manager|base|common|misc|stuff)(_|$)")
EXECUTES = {"eval", "exec", "compile", "__import__"}


def trees() -> list[tuple[str, ast.Module]]:
    """Every module of the package with its path."""
    return [(str(path.relative_to(SOURCE)), ast.parse(path.read_text(encoding="utf-8"))) for path in FILES]


def test_no_file_or_class_has_a_vague_name() -> None:
    """`utils`, `helpers`, `manager`, `base`, `common` name no purpose."""
    names = {str(file.relative_to(SOURCE).with_suffix("")) for file in FILES}
    vague = {name for name in names if any(VAGUE.search(part) for part in name.split("/"))}
    vague |= {
        f"{path}:{node.name}"
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and re.search(r"(Utils?|Helper|Manager|Misc)$", node.name)
    }
    assert not vague


def test_nothing_is_ever_executed() -> None:
    """INV-I5: no eval, exec, compile or dynamic import of text anywhere in the package."""
    found = {
        f"{path}:{node.lineno}"
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in EXECUTES
    }
    assert not found


# The outermost edge of a process, that of a worker's threads, and that of a benchmark's row may catch everything once:
# one clear line follows instead of a traceback.
EDGES = {"interfaces/cli/entry.py", "interfaces/cli/context.py", "companion/mishaps.py", "evaluation/bench.py"}


def test_no_broad_except_off_the_edge() -> None:
    """R59: a broad `except` on a write path would turn a broken invariant into silence."""
    found = {
        f"{path}:{node.lineno}"
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler) and path not in EDGES
        if node.type is None or (isinstance(node.type, ast.Name) and node.type.id in {"Exception", "BaseException"})
    }
    assert not found


def test_async_lives_only_at_the_edges() -> None:
    """The core is synchronous; async lives only where the design says."""
    found = {
        path
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.AsyncFunctionDef | ast.Await)
        if not path.startswith(("interfaces/http", "interfaces/mcp", "adapters/temporal", "adapters/models"))
    }
    assert not found


@pytest.mark.parametrize("package", ["referents", "protoscript", "session", "ontology", "bridge", "memory", "review"])
def test_domain_code_never_reads_clock_or_chance(package: str) -> None:
    """Time, ids and randomness are injected: one seed reproduces a run."""
    banned = {"time", "random", "uuid", "secrets", "datetime"}
    found = {
        f"{path}:{node.lineno}"
        for path, tree in trees()
        if path.startswith(package + "/")
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""])
        if name.split(".")[0] in banned
    }
    assert not found
