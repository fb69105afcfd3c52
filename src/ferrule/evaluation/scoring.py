"""How good a critic's writes are against labelled turns: the published measure, in our own words.

A written memory counts for a labelled entity when they share a handle value in normal form; pairs are one to one and
required entities are served first. Acceptable entities are neutral: they neither earn nor cost. Owns the measure and
its breakdowns. Knows nothing of how turns are reviewed.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

__all__ = [
    "Forbidden",
    "Label",
    "Labelled",
    "Prediction",
    "Score",
    "TurnScore",
    "WrittenMemory",
    "pair",
    "same_handle",
    "score",
    "score_turn",
]

_SHA = re.compile(r"[0-9a-f]{7,40}")
_MIN_FORBIDDEN = 4


@dataclass(frozen=True, slots=True)
class Labelled:
    """One entity of a label: what an ideal critic would (`required`) or may (`acceptable`) remember."""

    label: str
    type: str
    grade: str
    handles: tuple[tuple[str, str], ...]
    modality: str

    @property
    def required(self) -> bool:
        """Whether missing it costs recall."""
        return self.grade == "required"


@dataclass(frozen=True, slots=True)
class Forbidden:
    """A value that must never be written, and why."""

    value: str
    why: str


@dataclass(frozen=True, slots=True)
class Label:
    """The judgement of one turn."""

    id: str
    entities: tuple[Labelled, ...]
    forbidden: tuple[Forbidden, ...] = ()
    file: str = ""


@dataclass(frozen=True, slots=True)
class WrittenMemory:
    """One memory as a critic wrote it. `handles` are (kind, value) pairs."""

    prototype: str
    handles: tuple[tuple[str, str], ...]
    modality: str
    properties: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a critic wrote for one turn."""

    id: str
    written: tuple[WrittenMemory, ...]


@dataclass(frozen=True, slots=True)
class TurnScore:
    """The account of one turn; indexes point into the label's entities and the prediction's memories."""

    id: str
    pairs: tuple[tuple[int, int], ...]
    missed: tuple[int, ...]
    false: tuple[int, ...]
    forbidden: tuple[str, ...]


@dataclass(slots=True)
class Score:
    """Counts over all turns; the ratios are derived, None where nothing was counted."""

    turns: int = 0
    nothing_turns: int = 0
    nothing_clean: int = 0
    written: int = 0
    hit_required: int = 0
    hit_acceptable: int = 0
    false: int = 0
    required: int = 0
    forbidden: int = 0
    handleless: int = 0
    modality_ok: int = 0
    modality_seen: int = 0
    handle_found: int = 0
    handle_total: int = 0
    handles_written: int = 0
    handles_supported: int = 0

    def figures(self) -> dict[str, float | int | None]:
        """Counts and ratios under the names of the published scorer, and the quietness figures beside them."""
        precision = _ratio(self.hit_required, self.hit_required + self.false)
        recall = _ratio(self.hit_required, self.required)
        f1 = round(2 * precision * recall / (precision + recall), 4) if precision and recall else 0.0
        counts: dict[str, float | int | None] = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return counts | {
            "precision": precision,
            "recall": recall,
            "f1": f1,
            "lenient_precision": _ratio(self.hit_required + self.hit_acceptable, self.written),
            "abstention": _ratio(self.nothing_clean, self.nothing_turns),
            "handle_completeness": _ratio(self.handle_found, self.handle_total),
            "handle_support": _ratio(self.handles_supported, self.handles_written),
            "modality_accuracy": _ratio(self.modality_ok, self.modality_seen),
            "writes_per_100_turns": _ratio(100 * self.written, self.turns),
            "acceptable_share": _ratio(self.hit_acceptable, self.written),
        }


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


@lru_cache(maxsize=16_384)
def _normal(value: str) -> str:
    text = re.sub(r"\s+", " ", value.strip().strip("`'\""))
    text = text.removeprefix("file://")
    if "\\" in text:
        text = text.replace("\\", "/").lower()
    text = re.sub(r"^(https?://)www\.", r"\1", text)
    text = re.sub(r"^git@([^:]+):", r"https://\1/", text)
    text = text.removesuffix(".git").removeprefix("./")
    return text.rstrip("/") or text


def same_handle(one: str, other: str) -> bool:
    """Whether two handle values name the same thing: equal in normal form, a SHA's prefix, or a path's tail."""
    left, right = _normal(one), _normal(other)
    if left == right:
        return True
    if _SHA.fullmatch(left) and _SHA.fullmatch(right):
        return left.startswith(right) or right.startswith(left)
    short, long = sorted((left, right), key=len)
    if " " in short or "://" in long or not ("/" in short or "." in short):
        return False
    return "/" in long and long.endswith("/" + short)


def _share(memory: WrittenMemory, entity: Labelled) -> bool:
    return any(same_handle(mine, theirs) for _, mine in memory.handles for _, theirs in entity.handles)


def pair(written: Sequence[WrittenMemory], entities: Sequence[Labelled]) -> dict[int, int]:
    """Index of written memory → index of entity, one to one, required entities first, both in order."""
    pairs: dict[int, int] = {}
    for grade in ("required", "acceptable"):
        for index, entity in enumerate(entities):
            if entity.grade != grade:
                continue
            free = (w for w, memory in enumerate(written) if w not in pairs and _share(memory, entity))
            chosen = next(free, None)
            if chosen is not None:
                pairs[chosen] = index
    return pairs


def _broken_rules(written: Sequence[WrittenMemory], forbidden: Iterable[Forbidden]) -> tuple[str, ...]:
    text = json.dumps([dict(memory.properties) for memory in written], ensure_ascii=False)
    values = [value for memory in written for _, value in memory.handles]
    broken = set()
    for item in forbidden:
        as_handle = len(item.value) >= _MIN_FORBIDDEN and any(same_handle(item.value, value) for value in values)
        as_secret = item.why.startswith("secret") and item.value in text
        if as_handle or as_secret:
            broken.add(item.value)
    return tuple(sorted(broken))


def score_turn(label: Label, written: Sequence[WrittenMemory]) -> TurnScore:
    """Pairs, misses, false writes and forbidden values of one turn."""
    pairs = pair(written, label.entities)
    matched = set(pairs.values())
    missed = tuple(i for i, entity in enumerate(label.entities) if entity.required and i not in matched)
    false = tuple(i for i in range(len(written)) if i not in pairs)
    return TurnScore(label.id, tuple(sorted(pairs.items())), missed, false, _broken_rules(written, label.forbidden))


def _count_pair(total: Score, memory: WrittenMemory, entity: Labelled) -> None:
    mine = [value for _, value in memory.handles]
    theirs = [value for _, value in entity.handles]
    total.handle_total += len(theirs)
    total.handle_found += sum(any(same_handle(value, other) for other in mine) for value in theirs)
    total.modality_seen += 1
    total.modality_ok += memory.modality == entity.modality
    total.handles_written += len(mine)
    total.handles_supported += sum(any(same_handle(value, other) for other in theirs) for value in mine)


def score(labels: Sequence[Label], predictions: Mapping[str, Prediction]) -> tuple[Score, tuple[TurnScore, ...]]:
    """The published figures over all labelled turns; a turn without a prediction counts as "wrote nothing"."""
    total = Score()
    accounts = []
    for label in labels:
        written = predictions[label.id].written if label.id in predictions else ()
        account = score_turn(label, written)
        accounts.append(account)
        required = sum(entity.required for entity in label.entities)
        total.turns += 1
        total.written += len(written)
        total.required += required
        total.false += len(account.false)
        total.handleless += sum(not memory.handles for memory in written)
        total.forbidden += len(account.forbidden)
        if not required:
            total.nothing_turns += 1
            total.nothing_clean += not account.false
        for mine, theirs in account.pairs:
            if label.entities[theirs].required:
                total.hit_required += 1
                _count_pair(total, written[mine], label.entities[theirs])
            else:
                total.hit_acceptable += 1
    return total, tuple(accounts)
