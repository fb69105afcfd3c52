"""`python -m benchmarks [PART…]`: measure and write the table of docs/benchmarks.md; a named part is only printed."""

import os
import platform
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.admitting import admitting
from benchmarks.clients import clients
from benchmarks.corpus import corpus
from benchmarks.figures import Figure
from benchmarks.forgetting import forgetting, forgetting_tables
from benchmarks.gating import gating
from benchmarks.hooking import hooking
from benchmarks.judgement import judgement, judgement_tables
from benchmarks.keeping import keeping
from benchmarks.ontology import ontology
from benchmarks.queueing import queueing
from benchmarks.reading import reading
from benchmarks.recalling import recalling
from benchmarks.searching import searching
from benchmarks.secrets import secrets
from benchmarks.starting import starting
from benchmarks.storing import storing
from benchmarks.turning import turning
from benchmarks.working import working

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
PARTS: dict[str, Callable[[], Iterator[Figure]]] = {
    "starting": starting,
    "reading": reading,
    "turning": turning,
    "storing": storing,
    "admitting": admitting,
    "keeping": keeping,
    "ontology": ontology,
    "searching": searching,
    "queueing": queueing,
    "gating": gating,
    "working": working,
    "hooking": hooking,
    "clients": clients,
    "recalling": recalling,
    "secrets": secrets,
    "corpus": corpus,
    "forgetting": forgetting,
    "judgement": judgement,
}


def main(asked: list[str]) -> int:
    """Run the asked parts, or all of them and write the page."""
    unknown = [name for name in asked if name not in PARTS]
    if unknown:
        print(f"no such part: {', '.join(unknown)}; there are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    rows = []
    for name in asked or PARTS:
        for figure in PARTS[name]():
            rows.append(figure)
            print(f"{figure.what}: {figure.measured}  (goal {figure.goal})  {figure.note}", flush=True)
    if not asked:
        _put("figures", _table(rows))
        _put("judgement", judgement_tables())
        _put("forgetting", forgetting_tables())
    return 0


def _put(block: str, text: str) -> None:
    begin, end = f"<!-- {block}: begin -->", f"<!-- {block}: end -->"
    before, rest = PAGE.read_text(encoding="utf-8").split(begin)
    PAGE.write_text(f"{before}{begin}\n{text}\n{end}{rest.split(end)[1]}", encoding="utf-8")


def _table(rows: list[Figure]) -> str:
    where = (
        f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores, {platform.system()}"
    )
    lines = [
        f"Measured {datetime.now(UTC):%Y-%m-%d} with `make bench` on {where}.",
        "",
        "| what | measured | goal | how |",
        "|---|---|---|---|",
    ]
    lines += [f"| {row.what} | {row.measured} | {row.goal} | {row.note} |" for row in rows]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
