"""Docs are run: every `console` block of the pages is executed and holds the real output.

`python scripts/pages.py --write` renews the outputs; without it the script exits 1 and shows the first difference. The
commands of one page run in order in one throw-away home, at the root of the project; `$ ferrule …` only. A line `…`
ends the shown part of a long output.
"""

import argparse
import difflib
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "docs/how-a-turn-flows.md")
BLOCK = re.compile(r"```console\n(?P<body>.*?)```", re.DOTALL)


def renewed(page: str) -> str:
    """The page's text with every block's output as it is now."""
    text = (ROOT / page).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="ferrule-pages-") as home:
        environment = {**os.environ, "FERRULE_HOME": home, "HOME": home, "COLUMNS": "110", "PYTHONUTF8": "1"}
        environment["FERRULE_WORKER"] = "off"  # a page shows what its own commands do, nobody else's
        return BLOCK.sub(lambda block: _run(block["body"], environment), text)


def _run(body: str, environment: dict[str, str]) -> str:
    shown = body.rstrip("\n").split("\n")
    parts: list[list[str]] = []
    for line in shown:
        if line.startswith("$ "):
            parts.append([line])
        else:
            parts[-1].append(line)
    return "```console\n" + "\n".join(_output(part, environment) for part in parts) + "\n```"


def _output(part: list[str], environment: dict[str, str]) -> str:
    program, *words = shlex.split(part[0].removeprefix("$ "))
    if program != "ferrule":
        raise SystemExit(f"a console block may only run ferrule: {part[0]}")
    ran = subprocess.run(  # noqa: S603 - our own command line
        [sys.executable, "-m", "ferrule", *words],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    lines = (ran.stdout + ("" if ran.returncode == 0 else ran.stderr)).rstrip("\n").split("\n")
    if part[-1] == "…" and len(part) > 2:  # noqa: PLR2004 - the command, at least one line, the mark
        lines = [*lines[: len(part) - 2], "…"]
    shown = [] if lines == [""] else [line.rstrip() for line in lines]
    return "\n".join([part[0], *shown])


def main() -> int:
    """Renew or check the pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    write = parser.parse_args().write
    stale = 0
    for page in PAGES:
        path = ROOT / page
        old, new = path.read_text(encoding="utf-8"), renewed(page)
        if old == new:
            continue
        if write:
            path.write_text(new, encoding="utf-8")
            print(f"{page}: renewed")
            continue
        stale = 1
        print("\n".join(list(difflib.unified_diff(old.split("\n"), new.split("\n"), page, "now", lineterm=""))[:40]))
    return stale


if __name__ == "__main__":
    sys.exit(main())
