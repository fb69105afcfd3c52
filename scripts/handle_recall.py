"""How many labelled handles the recognisers find: by kind, over the texts in which a critic may look.

Reads ../shared/gold (never copied). Usage: python scripts/handle_recall.py [--misses] [--grade acceptable] [--results]
An entity is reachable when one of its handles is found in the user text, the outcome or an action.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ferrule.referents.forms import same_commit
from ferrule.referents.locations import fold_path
from ferrule.referents.recognise import recognise

GOLD = Path(__file__).resolve().parents[1].parent / "shared" / "gold"
_SHA = frozenset("0123456789abcdef")
_RESULT = 65536


def texts(turn: dict[str, Any], *, results: bool) -> list[str]:
    """User, outcome and the arguments of the calls; optionally their results."""
    found = [turn["user"]["text"], turn["outcome"]["text"], *turn.get("steering", [])]
    for call in turn["tool_results"]:
        arguments = call.get("arguments") or ""
        found.append(arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False))
        if isinstance(arguments, dict):
            found.extend(str(value) for value in arguments.values() if isinstance(value, str))
        if results:
            found.append(str(call.get("result") or "")[:_RESULT])
    return found


def norm(value: str) -> str:
    """The folding of the judge's scorer, in our own words."""
    text = " ".join(value.replace("\\\n", " ").split()).strip("`'\"")
    text = text.removesuffix(".git").removeprefix("./")
    if text.startswith("git@"):
        text = "https://" + text[4:].replace(":", "/", 1)
    return fold_path(text) if "://" not in text else text.rstrip("/")


def same(one: str, other: str) -> bool:
    """Equal, a commit's prefix, or a path's tail."""
    short, long = sorted((one, other), key=len)
    hexes = set(one) <= _SHA and set(other) <= _SHA
    return one == other or (hexes and same_commit(one, other)) or (" " not in short and long.endswith("/" + short))


class Figures:
    """Counts by kind of handle, and of entities by type."""

    def __init__(self) -> None:
        """Start at zero."""
        self.total: Counter[str] = Counter()
        self.hit: Counter[str] = Counter()
        self.same_kind: Counter[str] = Counter()
        self.entities: Counter[str] = Counter()
        self.reached: Counter[str] = Counter()
        self.missed: list[tuple[str, ...]] = []

    def add(self, turn: str, entity: dict[str, Any], found: list[tuple[str, str]]) -> None:
        """Count one labelled entity."""
        any_hit = False
        for handle in entity["handles"]:
            wanted = norm(handle["value"])
            kinds = {kind for kind, value in found if same(value, wanted)}
            self.total[handle["kind"]] += 1
            self.hit[handle["kind"]] += bool(kinds)
            self.same_kind[handle["kind"]] += handle["kind"] in kinds
            any_hit = any_hit or bool(kinds)
            if not kinds:
                self.missed.append((turn, entity["type"], handle["kind"], handle["value"], handle["role"]))
        self.entities[entity["type"]] += 1
        self.reached[entity["type"]] += any_hit
        if not any_hit:
            self.missed.append((turn, entity["type"], "ENTITY", entity["label"], ""))

    def lines(self) -> Iterator[str]:
        """The report."""
        yield f"{'kind':18} handles  found  same kind"
        for kind in sorted(self.total, key=self.total.__getitem__, reverse=True):
            yield f"{kind:18} {self.total[kind]:7} {self.hit[kind]:6} {self.same_kind[kind]:6}"
        found, wanted = self.hit.total(), self.total.total()
        yield f"{'all':18} {wanted:7} {found:6} {self.same_kind.total():6}   {found / wanted:.3f}"
        reached, entities = self.reached.total(), self.entities.total()
        yield f"entities reachable: {reached}/{entities} = {reached / entities:.3f}"
        yield f"unreached by type: {dict(self.entities - self.reached)}"


def main() -> int:
    """Print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--misses", action="store_true")
    options.add_argument("--grade", default="required")
    options.add_argument("--results", action="store_true", help="look into tool results too")
    chosen = options.parse_args()
    turns = [json.loads(line) for line in (GOLD / "turns.jsonl").open(encoding="utf-8")]
    read = {turn["id"]: texts(turn, results=chosen.results) for turn in turns}
    started = time.process_time()
    mentions = {key: [found for text in parts for found in recognise(text)] for key, parts in read.items()}
    spent, size = time.process_time() - started, sum(len(text) for parts in read.values() for text in parts)
    figures = Figures()
    for label in map(json.loads, (GOLD / "labels.jsonl").open(encoding="utf-8")):
        found = [(mention.kind.value, norm(mention.value)) for mention in mentions[label["id"]]]
        for entity in label["entities"]:
            if entity["grade"] == chosen.grade:
                figures.add(label["id"], entity, found)
    print("\n".join(figures.lines()))
    kinds = Counter(mention.kind.value for found in mentions.values() for mention in found)
    print(f"{size / 1024:.0f} KiB in {spent:.2f} s: {spent / size * _RESULT * 1000:.1f} ms per 64 KiB; {dict(kinds)}")
    if chosen.misses:
        print("\n".join(map(repr, figures.missed)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
