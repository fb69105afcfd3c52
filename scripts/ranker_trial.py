"""What fitted weights are worth on repositories that they have not seen: weights and threshold chosen on others.

Owns holding out, the choice of the threshold, calibration and the learning curve. Knows nothing of how weights are
fitted: that is handed in.
"""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from scripts.ranker_examples import Example

from ferrule.evaluation.bootstrap import Draws, drawn, intervals
from ferrule.evaluation.scoring import Prediction
from ferrule.review.embedded.judging import MOST_WRITES, kept
from ferrule.review.embedded.ranker import GroupWeights

__all__ = ["GRID", "Ranked", "Trial", "best_thresholds", "calibration", "figures", "predicted", "ranked"]

GRID = tuple(step / 100 for step in range(20, 61, 2))
WORTH = {"won": 1.0, "false": -1.0, "acceptable": -0.35, "forbidden": -5.0}  # what one write is worth to a reader
FILES = frozenset({"SourceFile", "ConfigFile", "Document", "PromptFile", "Script", "Directory", "File"})
PARTS = ("files", "other")
_FILE_GROUPS = ("file", "folder")
_BINS = 10
_DRAWS = 3

Weights = Mapping[str, GroupWeights]
Thresholds = Mapping[str, float]
Fit = Callable[[Sequence[Example]], Weights]


@dataclass(frozen=True)
class Ranked:
    """One turn's candidates in order of score: (score, index, group)."""

    example: Example
    candidates: tuple[tuple[float, int, str], ...]

    def chosen(self, thresholds: Thresholds) -> tuple[int, ...]:
        """What is written at a threshold per part, by the caps that the reviewer itself applies."""
        worthy = [(index, group) for score, index, group in self.candidates if score >= thresholds[part_of(group)]]
        return kept(self.example.changed, worthy)[:MOST_WRITES]


def part_of(group: str) -> str:
    """Files, or other referents."""
    return "files" if group in _FILE_GROUPS else "other"


def ranked(examples: Sequence[Example], weights: Weights) -> list[Ranked]:
    """Every turn's candidates under the weights."""
    found = []
    for item in examples:
        scored = [
            (weights[w.group].score(w.signals), w.index, w.group)
            for w in item.weighed
            if not w.veto and w.group in weights
        ]
        found.append(Ranked(item, tuple(sorted(scored, key=lambda row: (-row[0], row[1])))))
    return found


def counts(turn: Ranked, thresholds: Thresholds) -> dict[str, int]:
    """The account of one turn at thresholds, files and other referents apart."""
    item, chosen = turn.example, turn.chosen(thresholds)
    entities = item.label.entities
    pairs: dict[int, int] = {}
    for required in (True, False):
        for number, entity in enumerate(entities):
            if entity.required is required:
                free = (index for index in chosen if index not in pairs and number in item.hits[index])
                index = next(free, None)
                if index is not None:
                    pairs[index] = number
    matched, found = set(pairs.values()), Counter[str]()
    groups = {index: group for _, index, group in turn.candidates}
    for number, entity in enumerate(entities):
        if entity.required:
            part = "files" if entity.type in FILES else "other"
            found[f"required_{part}"] += 1
            found[f"hit_{part}"] += number in matched
    for index in chosen:
        part = part_of(groups[index])
        found[f"false_{part}"] += index not in pairs
        found[f"forbidden_{part}"] += index in item.forbidden
        found[f"won_{part}"] += index in pairs and entities[pairs[index]].required
        found[f"acceptable_{part}"] += index in pairs and not entities[pairs[index]].required
    found["written"], found["turns"] = len(chosen), 1
    found["nothing"] = int(not any(entity.required for entity in entities))
    found["nothing_clean"] = int(found["nothing"] and len(pairs) == len(chosen))
    return dict(found)


def figures(total: Mapping[str, int]) -> dict[str, float | int | None]:
    """The ratios of summed counts."""
    hit, false = _both(total, "hit"), _both(total, "false")
    return {
        "precision": _ratio(hit, hit + false),
        "recall": _ratio(hit, _both(total, "required")),
        "files_recall": _ratio(_of(total, "hit_files"), _of(total, "required_files")),
        "files_precision": _ratio(_of(total, "hit_files"), _of(total, "hit_files") + _of(total, "false_files")),
        "other_recall": _ratio(_of(total, "hit_other"), _of(total, "required_other")),
        "other_precision": _ratio(_of(total, "hit_other"), _of(total, "hit_other") + _of(total, "false_other")),
        "acceptable_share": _ratio(_both(total, "acceptable"), _of(total, "written")),
        "abstention": _ratio(_of(total, "nothing_clean"), _of(total, "nothing")),
        "writes_per_100_turns": _ratio(100 * _of(total, "written"), _of(total, "turns")),
        "files_forbidden": _of(total, "forbidden_files"),
        "other_forbidden": _of(total, "forbidden_other"),
    }


def _of(total: Mapping[str, int], name: str) -> int:
    return total.get(name, 0)


def _both(total: Mapping[str, int], name: str) -> int:
    return _of(total, f"{name}_files") + _of(total, f"{name}_other")


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def best_thresholds(turns: Sequence[Ranked]) -> dict[str, float]:
    """Per part the threshold whose writes are worth most: precision alone would choose by three or four false ones."""
    worth: dict[str, dict[float, float]] = {part: {} for part in PARTS}
    for threshold in GRID:
        total = Counter[str]()
        for turn in turns:
            total.update(counts(turn, dict.fromkeys(PARTS, threshold)))
        for part, found in worth.items():
            found[threshold] = sum(value * _of(total, f"{name}_{part}") for name, value in WORTH.items())
    return {part: max(found, key=lambda threshold: (found[threshold], threshold)) for part, found in worth.items()}


@dataclass
class Trial:
    """Examples by repository, and weights that were fitted without some of them, each fitted once."""

    examples: Sequence[Example]
    fit: Fit
    _fitted: dict[frozenset[str], Weights] = field(default_factory=dict)

    @property
    def repositories(self) -> list[str]:
        """The names that are held out in turn."""
        return sorted({item.repository for item in self.examples})

    def without(self, *held_out: str) -> Weights:
        """Weights fitted on all other repositories."""
        names = frozenset(held_out)
        if names not in self._fitted:
            self._fitted[names] = self.fit([e for e in self.examples if e.repository not in names])
        return self._fitted[names]

    def unseen(self, *also: str) -> list[Ranked]:
        """Every turn of the repositories not named in `also`, judged by weights of neither its own nor those."""
        found = []
        for name in self.repositories:
            if name not in also:
                own = [e for e in self.examples if e.repository == name]
                found += ranked(own, self.without(name, *also))
        return found

    def nested(self) -> list[tuple[Ranked, Thresholds]]:
        """Every turn judged by weights and by thresholds that were chosen on other repositories."""
        found: list[tuple[Ranked, Thresholds]] = []
        for name in self.repositories:
            thresholds = best_thresholds(self.unseen(name))
            own = [e for e in self.examples if e.repository == name]
            found += [(turn, thresholds) for turn in ranked(own, self.without(name))]
        return found

    def curve(self, thresholds: Thresholds) -> dict[int, dict[str, float | int | None]]:
        """Figures on unseen repositories by the number of repositories fitted on, over drawn choices of them."""
        chance = random.Random(1)  # noqa: S311 - chance under a seed is the point
        found = {}
        for size in range(len(self.repositories)):
            total = Counter[str]()
            for name in self.repositories:
                others = [other for other in self.repositories if other != name]
                choices = list(combinations(others, size))
                for train in chance.sample(choices, min(_DRAWS, len(choices))):
                    weights = self.without(name, *(other for other in others if other not in train))
                    for turn in ranked([e for e in self.examples if e.repository == name], weights):
                        total.update(counts(turn, thresholds))
            found[size] = figures(total)
        return found


def predicted(turns: Sequence[tuple[Ranked, Thresholds]]) -> dict[str, Prediction]:
    """What would be written, without a door."""
    found = {}
    for turn, thresholds in turns:
        item = turn.example
        written = tuple(item.memories[index] for index in turn.chosen(thresholds))
        found[item.label.id] = Prediction(item.label.id, written)
    return found


def with_intervals(turns: Sequence[tuple[Ranked, Thresholds]]) -> dict[str, tuple[object, object]]:
    """Each figure with the middle 95 % of its values over drawn sessions."""
    units = [(turn.example.label.file, counts(turn, thresholds)) for turn, thresholds in turns]
    total = Counter[str]()
    for _, part in units:
        total.update(part)
    spread = intervals(drawn(units, Draws()), figures)
    return {name: (value, spread.get(name)) for name, value in figures(total).items()}


def calibration(turns: Sequence[Ranked]) -> list[dict[str, float | int]]:
    """Per tenth of the score on unseen repositories: candidates, mean score, share required, accepted and neither."""
    rows = []
    for place in range(_BINS):
        scored = [
            (score, turn.example.grade(index))
            for turn in turns
            for score, index, _ in turn.candidates
            if min(int(score * _BINS), _BINS - 1) == place
        ]
        if scored:
            size = len(scored)
            shares = {name: round(sum(g == at for _, g in scored) / size, 3) for name, at in _GRADES}
            rows.append(
                {
                    "from": place / _BINS,
                    "candidates": size,
                    "predicted": round(sum(s for s, _ in scored) / size, 3),
                    **shares,
                }
            )
    return rows


_GRADES = (("required", 1), ("acceptable", 0), ("neither", -1))
