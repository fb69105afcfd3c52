"""The default reviewer: needs no network, no key and no download, and says why (design.md section 6).

Owns the order of the two passes. It is rules and a small ranker, not a language model, and does not claim to be one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ferrule.bridge.door import Door
from ferrule.bridge.values import Disposition, Stage, Usage
from ferrule.review.budget import CallBudget
from ferrule.review.embedded.facts import prospect_of
from ferrule.review.embedded.judging import judge, scene
from ferrule.review.embedded.ranker import GroupWeights, shipped_weights
from ferrule.review.identity import Settled, settle
from ferrule.review.port import Limits, ReviewDraft
from ferrule.review.properties import write_all
from ferrule.review.prospect import Prospect

__all__ = ["EmbeddedReviewer"]

_WRITING = frozenset({Disposition.NEW_CREATE, Disposition.EXISTING_AUGMENT})


def _no_clock() -> float:
    return 0.0


class EmbeddedReviewer:
    """Deterministic: the same turn and the same memory give the same review.

    `threshold` replaces the shipped one, between 0 and 1: lower remembers more, and more that is not needed.
    `clock` gives CPU seconds and serves the cost figure only; without one the cost is reported as zero.
    """

    def __init__(
        self,
        weights: Mapping[str, GroupWeights] | None = None,
        *,
        threshold: float | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self._weights = weights
        self._threshold = threshold
        self._clock = clock or _no_clock

    @property
    def name(self) -> str:
        """`embedded-1`."""
        return "embedded-1"

    def _chosen(self) -> Mapping[str, GroupWeights]:
        weights = shipped_weights() if self._weights is None else self._weights
        if self._threshold is None:
            return weights
        return {group: replace(row, threshold=self._threshold) for group, row in weights.items()}

    def review(self, door: Door, limits: Limits) -> ReviewDraft:
        """Identity, then properties for what is to be written; nothing is written when nothing qualifies (R14)."""
        began = self._clock()
        view = door.read_turn()
        door.enter(Stage.IDENTITY)
        found = scene(view)
        prospects = _told_apart([prospect_of(found, item) for item in judge(found, self._chosen())])
        budget = CallBudget(door, limits)
        settled = settle(prospects, budget, writes=limits.writes)
        decisions = tuple(item.decision for item in settled)
        if any(decision.disposition in _WRITING for decision in decisions):
            decisions = write_all(settled, door, budget, ordinal=view.ordinal, repairs=limits.repairs)
        return ReviewDraft(
            candidates=tuple(item.prospect.candidate for item in settled),
            decisions=decisions,
            reason=_reason(settled, [d.disposition for d in decisions]),
            usage=Usage(cpu_ms=round(1000 * (self._clock() - began), 3)),
        )


def _told_apart(prospects: Sequence[Prospect]) -> list[Prospect]:
    """Labels are unique within a review, because they tie calls and decisions together."""
    seen: dict[str, int] = {}
    result = []
    for prospect in prospects:
        label = prospect.label
        if label in seen:
            value = prospect.handles[0].value if prospect.handles else prospect.type
            label = (
                f"{label} ({value})" if f"{label} ({value})" not in seen else f"{label} ({prospect.type} {len(seen)})"
            )
            prospect = replace(prospect, candidate=replace(prospect.candidate, label=label))  # noqa: PLW2901 - the relabelled one is the one
        seen[label] = 1
        result.append(prospect)
    return result


def _reason(settled: Sequence[Settled], dispositions: Sequence[Disposition]) -> str:
    if not settled:
        return "the turn names nothing that carries a handle"
    written = [item for item, disposition in zip(settled, dispositions, strict=True) if disposition in _WRITING]
    if written:
        return "; ".join(f"{item.prospect.label}: {item.decision.reason}" for item in written)
    return f"nothing to write: {settled[0].prospect.label}: {settled[0].decision.reason}"
