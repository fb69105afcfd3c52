"""Put the tables of `docs/rules.md` there from the code and the data that the tests hold.

`python scripts/rules_tables.py --write` renews them; without `--write` it says whether they are as they should be and
exits 1 when not. Text outside of the marked tables is the page's own.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "rules.md"
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "src")]

from deviations import DEVIATIONS  # noqa: E402 - the data of the tests
from identity_decisions import DECISIONS  # noqa: E402 - the data of the tests

from ferrule.memory.door import DoorLimits  # noqa: E402 - found beside the data
from ferrule.memory.submission import Limits  # noqa: E402 - found beside the data

_MARKED = re.compile(r"(<!-- table: ([a-z]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; a bar inside a cell is written as its entity."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(cell.replace("|", "&#124;") for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def deviations() -> str:
    """One row a decision, with the number of the oracle's lines and steps that fall under it."""
    rows = [
        (row.id, str(row.rule), f"`{row.code}`", row.what, str(len(row.lines.split()) + len(row.steps)))
        for row in DEVIATIONS
    ]
    return table(("id", "rule", "our code", "what the reference does, and why we do not", "lines"), rows)


def identity() -> str:
    """One row a decision about sameness."""
    return table(("id", "about", "decided"), [(row.id, row.about, row.decided) for row in DECISIONS])


def limits() -> str:
    """Every limit with its value in the code."""
    text, door = Limits(), DoorLimits()
    rows = (
        ("bytes of a definition", f"{text.definition_bytes:,}", "`TOO_LARGE`"),
        ("characters of a value", f"{text.value_characters:,}", "`TOO_LARGE`"),
        ("members of a definition", str(text.properties), "`TOO_LARGE`"),
        ("levels of nested lists", str(text.nesting), "`TOO_DEEP`"),
        ("reads of one review", str(door.calls), "the call is not ok and answers nothing"),
        ("identical reads of one review", str(door.identical_calls), "the call is not ok and answers nothing"),
        ("memories written by one review", str(door.writes), "`BUDGET`"),
        ("definitions checked or written by one review", str(door.verdicts), "`BUDGET`"),
    )
    return table(("limit", "value", "beyond it"), rows)


TABLES: Mapping[str, Callable[[], str]] = {"deviations": deviations, "identity": identity, "limits": limits}


def written(page: str) -> str:
    """The page with its tables as code and data say."""
    return _MARKED.sub(lambda found: found[1] + TABLES[found[2]]() + found[3], page)


def main() -> int:
    """Renew or check the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    page = PAGE.read_text(encoding="utf-8")
    if parser.parse_args().write:
        PAGE.write_text(written(page), encoding="utf-8")
        return 0
    same = written(page) == page
    print("the tables are as code and data say" if same else "the tables differ; run scripts/rules_tables.py --write")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
