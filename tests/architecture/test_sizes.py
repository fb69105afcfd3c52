"""A room has one purpose: files, functions and classes stay small enough to read in one sitting."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "ferrule"
FILES = sorted(SOURCE.rglob("*.py"))
FILE_LINES = 400
FUNCTION_LINES = 40
CLASS_METHODS = 12
# A port is as wide as what it stands for; a wider class with behaviour is two classes.
WIDE_PORTS = {"MemoryStore", "CompanionStore", "Door", "PrototypeLayer"}


def body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function from its first statement after the docstring to its last."""
    body = node.body
    if ast.get_docstring(node) and len(body) > 1:
        body = body[1:]
    return (node.end_lineno or node.lineno) - body[0].lineno + 1


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function of a module, nested ones too."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_file_is_small_and_says_what_it_owns(path: Path) -> None:
    """A file has at most 400 lines, its functions at most 40, and its docstring opens with a claim."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert ast.get_docstring(tree), "a module says what it owns"
    assert text.count("\n") <= FILE_LINES
    long = {node.name: body_lines(node) for node in functions(tree) if body_lines(node) > FUNCTION_LINES}
    assert not long


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_class_has_few_methods(path: Path) -> None:
    """A class has at most twelve methods of its own, ports apart."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    wide = {
        node.name: count
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and not is_port(node)
        if (count := sum(isinstance(item, ast.FunctionDef) for item in node.body)) > CLASS_METHODS
    }
    assert not wide


def is_port(node: ast.ClassDef) -> bool:
    """Whether the class is a protocol, or implements one of the wide ports and says so."""
    names = {base.id for base in node.bases if isinstance(base, ast.Name)}
    return bool(names & ({"Protocol"} | WIDE_PORTS))


def test_no_other_file_of_the_project_is_longer_either() -> None:
    """Tests, benchmarks, proofs and scripts are read like the rest."""
    root = SOURCE.parents[1]
    others = [path for folder in ("tests", "benchmarks", "proofs", "scripts") for path in (root / folder).rglob("*.py")]
    lines = {str(path.relative_to(root)): path.read_text(encoding="utf-8").count("\n") for path in others}
    assert {name: count for name, count in lines.items() if count > FILE_LINES} == {}
