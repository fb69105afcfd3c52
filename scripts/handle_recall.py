"""How many labelled handles the recognisers find: by kind, over the texts in which a critic may look.

Reads ../shared/gold (never copied). Usage: python scripts/handle_recall.py [--misses] [--grade required|acceptable]
An entity is reachable when one of its handles is found in the user text, the outcome or an action; a handle when itself is.
"""

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

from ferrule.referents.forms import same_commit
from ferrule.referents.kinds import Found
from ferrule.referents.locations import fold_path
from ferrule.referents.recognise import recognise

GOLD = Path(__file__).resolve().parents[1].parent / "shared" / "gold"


def texts(turn: dict, *, results: bool) -> list[str]:
    """User, outcome and the arguments of the calls; optionally their results."""
    found = [turn["user"]["text"], turn["outcome"]["text"], *turn.get("steering", [])]
    for call in turn["tool_results"]:
        arguments = call.get("arguments") or ""
        found.append(arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False))
        if isinstance(arguments, dict):
            found.extend(str(value) for value in arguments.values() if isinstance(value, str))
        if results:
            found.append(str(call.get("result") or "")[:65536])
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
    if one == other:
        return True
    hexes = all(len(text) >= 7 and all(letter in "0123456789abcdef" for letter in text) for text in (one, other))
    short, long = sorted((one, other), key=len)
    return (hexes and same_commit(one, other)) or (" " not in short and "/" in long and long.endswith("/" + short))


def main() -> int:
    """Print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--misses", action="store_true")
    options.add_argument("--grade", default="required")
    options.add_argument("--results", action="store_true", help="look into tool results too")
    chosen = options.parse_args()
    turns = {turn["id"]: turn for turn in map(json.loads, (GOLD / "turns.jsonl").open(encoding="utf-8"))}
    labels = [json.loads(line) for line in (GOLD / "labels.jsonl").open(encoding="utf-8")]
    total, hit, same_kind = Counter(), Counter(), Counter()
    entities, reached, missed = Counter(), Counter(), []
    by_kind: dict[str, int] = defaultdict(int)
    size, started = 0, time.process_time()
    mentions: dict[str, list[Found]] = {}
    for key, turn in turns.items():
        mentions[key] = [found for text in texts(turn, results=chosen.results) for found in recognise(text)]
        size += sum(len(text) for text in texts(turn, results=chosen.results))
    spent = time.process_time() - started
    for label in labels:
        found = [(mention.kind.value, norm(mention.value)) for mention in mentions[label["id"]]]
        for kind, _ in found:
            by_kind[kind] += 1
        for entity in label["entities"]:
            if entity["grade"] != chosen.grade:
                continue
            entities[entity["type"]] += 1
            any_hit = False
            for handle in entity["handles"]:
                wanted = norm(handle["value"])
                kinds = {kind for kind, value in found if same(value, wanted)}
                total[handle["kind"]] += 1
                hit[handle["kind"]] += bool(kinds)
                same_kind[handle["kind"]] += handle["kind"] in kinds
                any_hit = any_hit or bool(kinds)
                if not kinds:
                    missed.append(
                        (label["id"], entity["type"], handle["kind"], handle["value"], handle["role"], any_hit)
                    )
            reached[entity["type"]] += any_hit
            if not any_hit:
                missed.append((label["id"], entity["type"], "ENTITY", entity["label"], "", False))
    print(f"{'kind':18} handles  found  same kind")
    for kind in sorted(total, key=total.__getitem__, reverse=True):
        print(f"{kind:18} {total[kind]:7} {hit[kind]:6} {same_kind[kind]:6}")
    print(f"{'all':18} {total.total():7} {hit.total():6} {same_kind.total():6}   {hit.total() / total.total():.3f}")
    print(f"entities reachable: {reached.total()}/{entities.total()} = {reached.total() / entities.total():.3f}")
    print(
        "unreached by type:", {key: entities[key] - reached[key] for key in entities if entities[key] != reached[key]}
    )
    print(
        f"{size / 1024:.0f} KiB in {spent:.2f} s: {spent / size * 65536 * 1000:.1f} ms per 64 KiB; mentions {dict(by_kind)}"
    )
    if chosen.misses:
        for row in missed:
            print(row)
    return 0


if __name__ == "__main__":
    sys.exit(main())
