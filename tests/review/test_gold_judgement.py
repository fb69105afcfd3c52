"""The shipped reviewer on the labelled turns: a floor under the figures, so that no change loses them unnoticed."""

import json
from pathlib import Path

import pytest
from fake_door import FakeDoor

from ferrule.adapters.transcripts.reader import read_text
from ferrule.bridge.values import Proves
from ferrule.bridge.view import view_of
from ferrule.evaluation.records import read_labels
from ferrule.evaluation.scoring import Prediction, WrittenMemory, score
from ferrule.review.embedded.reviewer import EmbeddedReviewer
from ferrule.review.port import Limits

GOLD = Path(__file__).resolve().parents[3] / "shared" / "gold"


@pytest.mark.shared
def test_the_figures_stay_where_they_were_fitted() -> None:
    """R4, R71: every figure of judgement and quietness holds, most with a margin (design.md section 9)."""
    reviewer = EmbeddedReviewer()
    predictions = {}
    with (GOLD / "turns.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            (session,) = read_text(line, scrub=lambda text: text, name="gold")
            door = FakeDoor(view_of(session.turns[0]))
            reviewer.review(door, Limits())
            written = tuple(
                WrittenMemory(
                    proposal.candidate,
                    tuple(
                        (claim.property, claim.value)
                        for claim in proposal.claims
                        if any(evidence.proves is Proves.HANDLE for evidence in claim.evidence)
                    ),
                    proposal.modality.value,
                )
                for proposal in door.written
            )
            predictions[row["id"]] = Prediction(row["id"], written)
    figures = score(read_labels(GOLD / "labels.jsonl"), predictions)[0].figures()
    floors = {
        "precision": 0.96,
        "recall": 0.84,
        "abstention": 0.95,
        "handle_support": 0.97,
        "handle_completeness": 0.85,
        "modality_accuracy": 0.9,
    }
    assert {name: figures[name] for name in floors if (figures[name] or 0) < floors[name]} == {}
    assert (figures["writes_per_100_turns"] or 0) <= 150  # these turns ask for 119; ordinary sessions need far fewer
    assert (figures["acceptable_share"] or 0) <= 0.28
    assert (figures["forbidden"], figures["handleless"]) == (0, 0)
