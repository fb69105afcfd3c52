"""The measure pairs by shared handle, serves required entities first, and agrees with the published scorer."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from ferrule.evaluation.records import prediction_line, read_labels, read_predictions
from ferrule.evaluation.scoring import (
    Forbidden,
    Label,
    Labelled,
    Prediction,
    WrittenMemory,
    pair,
    same_handle,
    score,
    score_turn,
)

GOLD = Path(__file__).resolve().parents[3] / "shared" / "gold"

SAME = [
    ("src/app.py", "/home/ada/shop/src/app.py"),
    ("./docs/plan.md", "docs/plan.md"),
    (r"C:\shop\src\App.py", "c:/shop/src/app.py"),
    ("https://www.example.org/a/", "https://example.org/a"),
    ("git@example.org:team/shop.git", "https://example.org/team/shop"),
    ("4be1c09", "4be1c09d2f00112233445566778899aabbccddee"),
    ("make   nightly", "make nightly"),
    ("`make nightly`", "make nightly"),
    ("file:///srv/shop", "/srv/shop"),
]
DIFFERENT = [
    ("app.py", "/home/ada/shop/src/myapp.py"),
    ("nightly", "/srv/nightly"),
    ("shop/pull/3", "https://example.org/shop/pull/3"),
    ("4be1c09", "4be1c08d2f00112233445566778899aabbccddee"),
    ("make nightly", "/srv/make nightly"),
]


def entity(*values: str, grade: str = "required", modality: str = "existing") -> Labelled:
    """A labelled file."""
    return Labelled("thing", "SourceFile", grade, tuple(("filesystem-path", v) for v in values), modality)


def memory(*values: str, modality: str = "existing") -> WrittenMemory:
    """A written file."""
    return WrittenMemory("Thing", tuple(("filesystem-path", v) for v in values), modality)


@pytest.mark.parametrize(("one", "other"), SAME)
def test_two_spellings_of_one_handle_are_the_same(one: str, other: str) -> None:
    """DEC-D9: the normal forms that the measure knows."""
    assert same_handle(one, other)
    assert same_handle(other, one)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_two_handles_are_not_the_same_by_looking_alike(one: str, other: str) -> None:
    """R33: a tail counts only on a component boundary."""
    assert not same_handle(one, other)


def test_required_entities_are_served_before_acceptable_ones() -> None:
    """R71: one memory answers one entity."""
    entities = (entity("a/x.py", grade="acceptable"), entity("a/x.py"))
    assert pair((memory("a/x.py"),), entities) == {0: 1}
    assert pair((memory("a/x.py"), memory("x.py")), entities) == {0: 1, 1: 0}


def test_an_acceptable_write_is_neutral_and_a_foreign_one_is_false() -> None:
    """R71: quietness is measured by what was not asked for."""
    label = Label("t", (entity("a.py"), entity("b.py", grade="acceptable")))
    total, (account,) = score([label], {"t": Prediction("t", (memory("a.py"), memory("b.py"), memory("c.py")))})
    assert (total.hit_required, total.hit_acceptable, total.false) == (1, 1, 1)
    assert account.false == (2,)
    assert total.figures()["precision"] == 0.5


def test_a_forbidden_handle_and_a_secret_in_any_property_are_counted() -> None:
    """R28, R71."""
    forbidden = (Forbidden("tmp/out.log", "log"), Forbidden("hunter2", "secret value"))
    written = WrittenMemory("X", (("filesystem-path", "/srv/tmp/out.log"),), "existing", {"Notes": "is hunter2"})
    assert score_turn(Label("t", (), forbidden), (written,)).forbidden == ("hunter2", "tmp/out.log")


def test_a_turn_without_prediction_counts_as_wrote_nothing() -> None:
    """R14."""
    total, _ = score([Label("t", ()), Label("u", (entity("a.py"),))], {})
    assert (total.nothing_clean, total.nothing_turns, total.required, total.hit_required) == (1, 1, 1, 0)


def test_predictions_survive_being_written_and_read(tmp_path: Path) -> None:
    """R90: the file form is the one that other tools read."""
    prediction = Prediction("t", (WrittenMemory("A", (("url", "https://example.org/ü"),), "created", {"P": "v"}),))
    path = tmp_path / "p.jsonl"
    path.write_text(prediction_line(prediction) + "\n", encoding="utf-8")
    assert read_predictions(path) == {"t": prediction}


def _noisy(labels: tuple[Label, ...], seed: int) -> dict[str, Prediction]:
    chance = random.Random(seed)  # noqa: S311 - test data
    found = {}
    for label in labels:
        written = [
            WrittenMemory(e.label, tuple(chance.sample(e.handles, k=chance.randint(1, len(e.handles)))), e.modality)
            for e in label.entities
            if e.handles and chance.random() < 0.5
        ]
        written += [
            WrittenMemory("Wrong", (("other-id", f.value),), "planned", {"Value": f.value})
            for f in label.forbidden
            if chance.random() < 0.2
        ]
        chance.shuffle(written)
        found[label.id] = Prediction(label.id, tuple(written))
    return found


@pytest.mark.shared
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_our_figures_equal_those_of_the_published_scorer(seed: int, tmp_path: Path) -> None:
    """R71: the same predictions, scored by both."""
    labels = read_labels(GOLD / "labels.jsonl")
    predictions = _noisy(labels, seed)
    path = tmp_path / "predictions.jsonl"
    path.write_text("".join(prediction_line(p) + "\n" for p in predictions.values()), encoding="utf-8")
    command = [sys.executable, str(GOLD / "score.py"), str(GOLD / "labels.jsonl"), str(path)]
    theirs = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)  # noqa: S603
    ours = score(labels, read_predictions(path))[0].figures()
    assert {name: ours[name] for name in theirs} == theirs
