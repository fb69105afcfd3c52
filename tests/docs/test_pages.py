"""What the pages show is what the commands print."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ferrule.interfaces.cli.table import COMMANDS

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "AGENTS.md", *(ROOT / "docs").glob("*.md")])
WORDS = re.compile(r"`(?:\$ )?ferrule ((?:memory |sessions )?[a-z][a-z-]*)")
TARGET = re.compile(r"`make ([a-z-]+)")


def test_every_console_block_shows_its_real_output() -> None:
    """The commands of README and docs are run in a throw-away home and print what the page says."""
    ran = subprocess.run(
        [sys.executable, "scripts/pages.py"], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_and_target_that_a_page_names_exists(page: Path) -> None:
    """A page names no command and no make target that is not there."""
    text = page.read_text(encoding="utf-8")
    names = {command.name for command in COMMANDS}
    heads = names | {name.split()[0] for name in names}
    assert {word for word in WORDS.findall(text) if word not in heads} == set()
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert {word for word in TARGET.findall(text) if not re.search(rf"^{word}:", makefile, re.MULTILINE)} == set()


def test_the_scripts_of_the_docs_load() -> None:
    """The page runner is itself importable, so that a broken one cannot pass for a skipped check."""
    spec = importlib.util.spec_from_file_location("pages", ROOT / "scripts" / "pages.py")
    assert spec is not None
    assert spec.loader is not None
    pages = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pages)
    assert all((ROOT / page).is_file() for page in pages.PAGES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_page_names_exists(page: Path) -> None:
    """A promise that points at a test, a script or a module points at something that is there."""
    named = re.findall(r"`((?:tests|src/ferrule|scripts|benchmarks|docs)/[\w./-]+)`", page.read_text(encoding="utf-8"))
    assert [name for name in named if not (ROOT / name.rstrip("/")).exists()] == []


def test_the_python_of_the_readme_runs(tmp_path: Path) -> None:
    """What the README tells a host to write works as it stands, in a home of its own."""
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    environment = {**os.environ, "FERRULE_HOME": str(tmp_path), "FERRULE_WORKER": "off"}
    words = [sys.executable, "-W", "error", "-c", code]
    ran = subprocess.run(  # noqa: S603 - the README's own code
        words, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    told = subprocess.run(
        [sys.executable, "-m", "ferrule", "status", "--json"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert json.loads(told.stdout.splitlines()[0])["waiting"] == 2
