"""How the ranker is fitted and tried: drawn to what is believed, and never judged by its own repository."""

from collections.abc import Sequence

import pytest
from scripts.fit_ranker import fit, fit_group, priors
from scripts.ranker_examples import Example
from scripts.ranker_trial import Trial, best_thresholds, calibration, counts, figures, ranked

from ferrule.evaluation.scoring import Forbidden, Label, Labelled, WrittenMemory
from ferrule.review.embedded.judging import Weighed
from ferrule.review.embedded.ranker import GroupWeights

EVEN = {"file": GroupWeights(0.0, 1.0, {"strong": 2.0, "weak": -1.0})}


def labelled(repository: str, *grades: str, refused: bool = False) -> Example:
    """A turn with one file per grade: required ones are strong, accepted and false ones weak."""
    known = [(n, grade) for n, grade in enumerate(grades) if grade != "false"]
    entities = tuple(
        Labelled(f"f{n}", "SourceFile", grade, (("filesystem-path", f"f{n}.py"),), "changed") for n, grade in known
    )
    at = {n: place for place, (n, _) in enumerate(known)}
    weighed = tuple(
        Weighed(n, "SourceFile", "file", {"strong" if grade == "required" else "weak": 1.0}, "")
        for n, grade in enumerate(grades)
    )
    forbidden = (Forbidden("f0.py", "a guess"),) if refused else ()
    return Example(
        Label(f"{repository}-{grades}", entities, forbidden, file=f"{repository}/1"),
        repository,
        weighed,
        (),
        {n: (at[n],) if n in at else () for n in range(len(grades))},
        frozenset({0}) if refused else frozenset(),
        {n: WrittenMemory(f"f{n}", (("filesystem-path", f"f{n}.py"),), "changed") for n in range(len(grades))},
    )


def test_without_examples_the_weights_are_what_is_believed() -> None:
    """R4: the fit starts at the expert's priors and goes only as far as labelled turns show."""
    bias, weights = fit_group([], {"bias": -2.0, "named": 1.5}, 50.0)
    assert (bias, weights) == (-2.0, {"named": 1.5})


def test_examples_draw_a_weight_away_from_its_prior_and_a_ridge_holds_it_back() -> None:
    """R4: many turns that agree move a weight; the heavier the ridge, the less."""
    rows = [({"named": 1.0}, 1, 1.0), ({}, 0, 1.0)] * 40
    _, near = fit_group(rows, {"bias": -1.0}, 100.0)
    _, far = fit_group(rows, {"bias": -1.0}, 1.0)
    assert 0 < near["named"] < far["named"]


def test_every_group_has_its_beliefs() -> None:
    """R4: no group is fitted from nothing."""
    assert {group: row["bias"] < 0 for group, row in priors().items()} == dict.fromkeys(fit([]), True)


def test_no_turn_is_judged_by_weights_of_its_own_repository() -> None:
    """R4: weights and thresholds of a held-out repository come from the others alone."""
    seen: list[frozenset[str]] = []

    def spy(examples: Sequence[Example]) -> dict[str, GroupWeights]:
        seen.append(frozenset(example.repository for example in examples))
        return EVEN

    trial = Trial([labelled(name, "required", "false") for name in "abc"], spy)
    nested = trial.nested()
    assert len(nested) == 3
    assert all(len(names) < 3 for names in seen)
    assert {frozenset("ab"), frozenset("bc"), frozenset("ac")} <= set(seen)


def test_the_threshold_is_where_writes_are_worth_most() -> None:
    """R71: it rises above what only costs attention, and stays below what is required."""
    turns = ranked([labelled("a", "required", "false", "acceptable")], EVEN)
    chosen = best_thresholds(turns)["files"]
    assert EVEN["file"].score({"weak": 1.0}) < chosen <= EVEN["file"].score({"strong": 1.0})


@pytest.mark.parametrize(("refused", "forbidden"), [(False, 0), (True, 1)])
def test_a_turn_is_accounted_by_part(*, refused: bool, forbidden: int) -> None:
    """R71: hits, false writes, accepted and forbidden ones, each counted once."""
    (turn,) = ranked([labelled("a", "required", "false", "acceptable", refused=refused)], EVEN)
    found = figures(counts(turn, {"files": 0.0, "other": 0.0}))
    assert (found["precision"], found["recall"], found["files_forbidden"]) == (0.5, 1.0, forbidden)
    assert found["acceptable_share"] == pytest.approx(1 / 3, abs=1e-3)


def test_calibration_tells_what_became_of_each_tenth() -> None:
    """R71: predicted beside observed."""
    rows = calibration(ranked([labelled("a", "required", "false")], EVEN))
    assert [(row["from"], row["required"], row["neither"]) for row in rows] == [(0.2, 0.0, 1.0), (0.8, 1.0, 0.0)]
