"""Measure whether the tests would notice: change the admission rules and the referents, one small change at a time.

    scripts/mutate.py [--target rules|referents|both] [--sample N | --all] [--seed S] [--only TEXT] [--again]

Prints for each target how many changes were noticed (killed), with a 95 % interval, once of all changes and once
without those that were judged to change nothing (`scripts/mutants_judged.toml`, each with its reason), then every
survivor with its lines. Results stand in a JSON-lines file outside of the repository and are taken up again: a killed
one while its module has the same text, any other while the tests are the same too. `--again` tries the stored survivors
again.

Why not mutmut or cosmic-ray: mutmut 3 changes only what stands in undecorated functions (two fifths of the constants
here stand in tables and patterns of modules, and what is cached is decorated), runs a changed function in a process
whose caches are warm from other tests, and writes into the repository; cosmic-ray starts a test process per change and
edits files in place, where others work. This one changes code in forks of one process.
"""

import argparse
import json
import math
import os
import random
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from sys import path as import_path
from typing import Any

import_path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.mutant_reach import digest_of, snapshot, tests_of
from scripts.mutant_trial import Trials
from scripts.mutants import Mutant, mutants_of

_ROOT = Path(__file__).resolve().parents[1]
_JUDGED = Path(__file__).with_name("mutants_judged.toml")
_CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "ferrule-mutants"
TARGETS: Mapping[str, tuple[str, ...]] = {
    "rules": ("src/ferrule/memory/rules/*.py", "src/ferrule/memory/admission.py"),
    "referents": ("src/ferrule/referents/**/*.py",),
}
_Z = 1.96
_Key = tuple[str, str, str, str, int]
_Row = dict[str, Any]


def _mutants(copy: Path, target: str) -> list[Mutant]:
    files = sorted({path for pattern in TARGETS[target] for path in copy.glob(pattern)})
    return [mutant for path in files for mutant in mutants_of(str(path.relative_to(copy)), path.read_text("utf-8"))]


def _judged() -> dict[tuple[str, str, str, str], str]:
    if not _JUDGED.exists():
        return {}
    rows = tomllib.loads(_JUDGED.read_text(encoding="utf-8")).get("equivalent", [])
    return {(row["file"], row["function"], row["before"], row["after"]): row["reason"] for row in rows}


def _stored(path: Path) -> dict[_Key, _Row]:
    found: dict[_Key, _Row] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        row = json.loads(line)
        found[row["file"], row["function"], row["before"], row["after"], row["nth"]] = row
    return found


def _holds(row: _Row | None, module: str, tests: str) -> bool:
    """Whether a stored result still says something."""
    return (
        row is not None
        and row["module"] == module
        and (row["result"] in ("killed", "timeout") or row["tests"] == tests)
    )


def _run(copy: Path, home: Path, chosen: Sequence[Mutant], *, again: bool) -> Iterator[tuple[Mutant, _Row]]:
    stored = _stored(home / "results.jsonl")
    tests_digest = digest_of(copy, "tests/**/*")
    trials: Trials | None = None
    for mutant in chosen:
        module = digest_of(copy, mutant.file)
        row = stored.get(mutant.key)
        if row is None or again or not _holds(row, module, tests_digest):
            trials = trials or Trials(copy, home, tests_of(copy, home))
            row = {**asdict(mutant), "module": module, "tests": tests_digest, **asdict(trials.of(mutant))}
            with (home / "results.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
        yield mutant, row


def interval(killed: int, of: int) -> tuple[float, float, float]:
    """Share and Wilson's 95 % interval."""
    if not of:
        return 0.0, 0.0, 1.0
    share = killed / of
    middle = (share + _Z**2 / (2 * of)) / (1 + _Z**2 / of)
    half = _Z * math.sqrt(share * (1 - share) / of + _Z**2 / (4 * of**2)) / (1 + _Z**2 / of)
    return share, middle - half, middle + half


def _said(what: str, killed: int, of: int) -> str:
    share, low, high = interval(killed, of)
    return f"  {what}: {killed} of {of} noticed, {share:.3f} (95 %: {low:.3f} to {high:.3f})"


def _report(target: str, every: int, results: Sequence[tuple[Mutant, _Row]]) -> None:
    judged = _judged()
    counts = Counter(row["result"] for _, row in results)
    sound = [(mutant, row) for mutant, row in results if row["result"] != "broken"]
    alive = [mutant for mutant, row in sound if row["result"] not in ("killed", "timeout")]
    equivalent = [mutant for mutant in alive if mutant.key[:4] in judged]
    killed = len(sound) - len(alive)
    print(f"\n{target}: {len(results)} of {every} changes tried; {dict(sorted(counts.items()))}")
    print(_said("of all that import", killed, len(sound)))
    print(_said(f"without {len(equivalent)} judged to change nothing", killed, len(sound) - len(equivalent)))
    kinds = Counter(mutant.operator for mutant, _ in sound)
    lost = Counter(mutant.operator for mutant in alive if mutant not in equivalent)
    print("  survivors by operator: " + ", ".join(f"{kind} {lost[kind]}/{kinds[kind]}" for kind in sorted(kinds)))
    for mutant, row in results:
        if mutant in alive and mutant not in equivalent:
            note = " (no test runs it)" if row["result"] == "unreached" else ""
            print(f"\n  {mutant.file}:{mutant.line} {mutant.function} [{mutant.operator}]{note}")
            print(f"    - {mutant.before}\n    + {mutant.after}")


def _chosen(mutants: Sequence[Mutant], options: argparse.Namespace) -> list[Mutant]:
    if options.only:
        mutants = [mutant for mutant in mutants if options.only in f"{mutant.file} {mutant.function}"]
    if options.all or len(mutants) <= options.sample:
        return list(mutants)
    chance = random.Random(options.seed)  # noqa: S311 - a sample that can be drawn again
    return chance.sample(list(mutants), options.sample)


def main() -> None:
    """Draw, try, tell."""
    parser = argparse.ArgumentParser(description="Change rules and referents, and see whether a test notices.")
    parser.add_argument("--target", choices=[*TARGETS, "both"], default="both")
    parser.add_argument("--sample", type=int, default=100, help="changes per target (100)")
    parser.add_argument("--all", action="store_true", help="every change: hours")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="only changes whose file or function holds this text")
    parser.add_argument("--again", action="store_true", help="try every stored survivor again instead of a sample")
    parser.add_argument("--home", type=Path, default=_CACHE, help="where results are kept")
    parser.add_argument("--head", action="store_true", help="on what is committed, not on the working tree")
    parser.add_argument("--same-tree", action="store_true", help="on the tree as it was copied last time")
    options = parser.parse_args()
    options.home.mkdir(parents=True, exist_ok=True)
    copy = options.home / "tree" if options.same_tree else snapshot(_ROOT, options.home, head=options.head)
    for target in TARGETS if options.target == "both" else (options.target,):
        mutants = _mutants(copy, target)
        chosen = _chosen(mutants, options)
        if options.again:
            lost = {key for key, row in _stored(options.home / "results.jsonl").items() if row["result"] == "survived"}
            chosen = [mutant for mutant in mutants if mutant.key in lost]
        _report(target, len(mutants), list(_run(copy, options.home, chosen, again=options.again)))


if __name__ == "__main__":
    main()
