"""The ladder measured on the judge's labels, where they are at hand."""

import json
from pathlib import Path

import pytest

from ferrule.adapters.transcripts.reader import read_transcript
from ferrule.bridge.modality import provable
from ferrule.bridge.view import view_of

GOLD = Path(__file__).parents[3] / "shared" / "gold"
EVERY = 4  # a quarter of the turns keeps this quick; `ferrule bench` reports them all


def same(one: str, other: str) -> bool:
    """Whether two spellings may name one handle: equal, a path's tail, or the start of a SHA."""
    short, long = sorted((text.replace("\\", "/").strip("/").casefold() for text in (one, other)), key=len)
    if short == long or (len(short) >= 7 and set(short) <= set("0123456789abcdef") and long.startswith(short)):
        return True
    return ("/" in short or "." in short) and " " not in short and "://" not in long and long.endswith("/" + short)


@pytest.mark.shared
def test_what_is_provable_agrees_with_nine_labels_in_ten() -> None:
    """DEC-D10, R47: goal 0.90 of the required entities whose handle is a mention; 0.87 is the alarm."""
    labels = {row["id"]: row for row in map(json.loads, (GOLD / "labels.jsonl").read_text("utf-8").splitlines())}
    sessions = read_transcript(GOLD / "turns.jsonl", scrub=lambda text: text)
    turns = sorted((turn for session in sessions for turn in session.turns), key=lambda turn: turn.key)
    right = seen = 0
    for turn in turns[::EVERY]:
        view = view_of(turn)
        for entity in labels[turn.key]["entities"]:
            handles = [handle["value"] for handle in entity["handles"]]
            keys = {mention.key for mention in view.mentions if any(same(mention.value, h) for h in handles)}
            if entity["grade"] == "required" and keys:
                seen += 1
                right += provable(view, sorted(keys)).value == entity["modality"]
    assert seen > 50
    assert right / seen >= 0.87
