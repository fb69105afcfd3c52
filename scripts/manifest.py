"""Keep `tests/requirements.toml` true: which tests show which requirement, and why a row waits.

`python scripts/manifest.py --write` renews the lists of tests from the docstrings of the tests and keeps every `waits`
sentence; without `--write` it prints what is wrong and exits 1. A test names the ids it shows in its docstring:
`R24`, `DEC-D4`, `INV-I3`, `CASE-B12`, `PEER-D01`. The cases that must have a test are listed in `tests/cases.toml`.
"""

import argparse
import ast
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
MANIFEST = ROOT / "tests" / "requirements.toml"
CASES = ROOT / "tests" / "cases.toml"
ID = re.compile(r"\b(R[1-9]\d{0,2}|DEC-D\d{1,2}|INV-I\d|CASE-[A-O]\d{2}|PEER-D\d{2})\b")
ROWS = (
    *(f"R{number}" for number in range(1, 101)),
    *(f"DEC-D{number}" for number in range(1, 15)),
    *(f"INV-I{number}" for number in range(1, 9)),
)


def listed_cases() -> dict[str, tuple[str, ...]]:
    """Group letter → the ids of its cases, for the groups that are held both ways."""
    listed = tomllib.loads(CASES.read_text(encoding="utf-8"))
    return {group: tuple(f"CASE-{group}{number}" for number in row["ids"].split()) for group, row in listed.items()}


def rows() -> tuple[str, ...]:
    """Every id that must have a test, or a reason why it has none."""
    return (*ROWS, *(name for names in listed_cases().values() for name in names))


def tests_by_id() -> dict[str, list[str]]:
    """Every id that a test names, with the tests that name it."""
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for name in sorted(set(ID.findall(ast.get_docstring(node) or ""))):
                    found.setdefault(name, []).append(f"{path.relative_to(ROOT)}::{node.name}")
    return {name: sorted(set(tests)) for name, tests in found.items()}


def order(name: str) -> tuple[str, str, int]:
    """Families together, numbers in order."""
    head, digits = re.fullmatch(r"([A-Z-]+?)(\d+)", name).groups()  # type: ignore[union-attr]
    return ("0" if name in ROWS else "1", head, int(digits))


def render(found: dict[str, list[str]], waits: dict[str, str]) -> str:
    """The manifest as text."""
    lines = [
        "# Which tests show which requirement (ids: ../shared/requirements.md, reliability.md, peers.md).",
        "# Renewed by `python scripts/manifest.py --write`; `waits` is written by hand: why a row has no test yet,",
        "# or, beginning with `in part`, what of it the tests do not show yet.",
        "",
    ]
    for name in sorted({*rows(), *found}, key=order):
        lines.append(f"[{name}]")
        if name in waits:
            lines.append(f'waits = "{waits[name]}"')
        if name in found:
            lines += ["tests = [", *(f'    "{test}",' for test in found[name]), "]"]
        lines.append("")
    return "\n".join(lines)


def problems() -> list[str]:
    """What the manifest says and the tests do not, or the other way round."""
    stored = tomllib.loads(MANIFEST.read_text(encoding="utf-8"))
    found = tests_by_id()
    out = [f"{name}: unknown id, named by {tests[0]}" for name, tests in found.items() if known(name) is False]
    for name in rows():
        row = stored.get(name, {})
        if not row.get("tests") and not row.get("waits"):
            out.append(f"{name}: no test, and nothing says why it waits")
    out += [
        f"{name}: the manifest and the tests differ; run scripts/manifest.py --write"
        for name in {*stored, *found}
        if sorted(stored.get(name, {}).get("tests", [])) != found.get(name, [])
    ]
    return sorted(out)


def known(name: str) -> bool:
    """Whether the id can exist at all: of a group of cases that is listed, whether it is one of them."""
    if name in ROWS or name.startswith("PEER-"):
        return True
    cases = listed_cases().get(name.removeprefix("CASE-")[:1])
    return cases is None or name in cases


def main() -> int:
    """Renew or check the manifest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    if parser.parse_args().write:
        stored = tomllib.loads(MANIFEST.read_text(encoding="utf-8")) if MANIFEST.exists() else {}
        waits = {name: row["waits"] for name, row in stored.items() if row.get("waits")}
        MANIFEST.write_text(render(tests_by_id(), waits), encoding="utf-8")
    found = problems()
    print("\n".join(found) or "every row has a test or says why it waits")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
