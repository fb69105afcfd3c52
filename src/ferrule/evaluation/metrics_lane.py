"""Every figure of one lane: the published ones with intervals, breakdowns, thresholds, cost, latency, what is missed.

Owns the lane's section of `metrics.json` (its shape stands in `evaluation/runs.py`). Knows nothing of other lanes, of
files or of how turns were reviewed.
"""

import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ferrule.evaluation.bench import LaneRows
from ferrule.evaluation.bootstrap import Draws, drawn, interval, intervals
from ferrule.evaluation.metrics import group_of
from ferrule.evaluation.metrics_turns import Account, account_form, account_of, score_of
from ferrule.evaluation.records_turns import TurnFacts
from ferrule.evaluation.rows import Row, RowOutcome
from ferrule.evaluation.scoring import Label, Labelled
from ferrule.evaluation.thresholds import ScoredTurn, thresholds_of

__all__ = ["RATIOS", "Judged", "LaneMetrics", "figures_of", "lane_metrics"]

RATIOS = (
    "precision",
    "recall",
    "f1",
    "lenient_precision",
    "abstention",
    "handle_completeness",
    "handle_support",
    "modality_accuracy",
    "writes_per_100_turns",
    "acceptable_share",
)
_MOST = 40
_PARTS = ("turns", "required", "hit", "false", "written", "precision", "recall", "abstention", "writes_per_100_turns")
_REFERENTS: tuple[tuple[str, Callable[[Labelled], Iterable[str]]], ...] = (
    ("groups", lambda entity: (group_of(entity),)),
    ("types", lambda entity: (entity.type,)),
    ("kinds", lambda entity: sorted({kind for kind, _ in entity.handles})),
)
_ORIGINS: tuple[tuple[str, Callable[[TurnFacts], str]], ...] = (
    ("formats", lambda facts: facts.format),
    ("repositories", lambda facts: facts.repository),
    ("languages", lambda facts: facts.language),
)


@dataclass(frozen=True, slots=True)
class Judged:
    """The labelled turns of a run, in order, each with where it comes from."""

    labels: Sequence[Label]
    facts: Sequence[TurnFacts]


@dataclass(frozen=True, slots=True)
class LaneMetrics:
    """One lane's section, its accounts, and its figures per draw: lanes of one run are drawn alike."""

    section: dict[str, object]
    accounts: tuple[Account, ...]
    drawn: tuple[Mapping[str, float | int | None], ...]


def figures_of(counts: Mapping[str, int]) -> dict[str, float | int | None]:
    """All figures of the published scorer from its counts."""
    return score_of(counts).figures()


def lane_metrics(judged_turns: Judged, lane: LaneRows, draws: Draws) -> LaneMetrics:
    """All of one lane. A turn without a row counts as "wrote nothing"."""
    rows = {row.id: row for row in lane.rows}
    accounts = tuple(
        account_of(label, rows.get(label.id) or Row(label.id, RowOutcome.SKIPPED)) for label in judged_turns.labels
    )
    keyed = [_counted(account) for account in accounts]
    samples = drawn([(fact.session, counts) for fact, counts in zip(judged_turns.facts, keyed, strict=True)], draws)
    total = _summed(keyed)
    figures = [figures_of(sample) for sample in samples]
    section: dict[str, object] = {
        "lane": lane.lane.json_form(),
        "figures": figures_of(total),
        "intervals": {name: interval([row[name] for row in figures]) for name in RATIOS},
        "bootstrap": {
            "draws": len(samples),
            "seed": draws.seed,
            "sessions": len({fact.session for fact in judged_turns.facts}),
        },
        **_referents(total, samples),
        **{name: _origins(judged_turns.facts, accounts, key) for name, key in _ORIGINS},
        "most_missed": _most_missed(accounts),
        "thresholds": thresholds_of(
            [
                ScoredTurn(account.label, account.row, fact.repository, fact.session)
                for account, fact in zip(accounts, judged_turns.facts, strict=True)
            ],
            draws,
        ),
        **_ends(accounts),
        "cost": _cost(accounts),
        "latency": _latency(accounts),
        "turns": [account_form(account) for account in accounts],
    }
    return LaneMetrics(section, accounts, tuple(figures))


def _counted(account: Account) -> Counter[str]:
    """The counts of a turn, and per group, type and kind how many were required and found: `types/File/hit`."""
    counts = Counter(account.counts)
    for place, entity in enumerate(account.label.entities):
        if entity.required:
            for name, keys in _REFERENTS:
                for key in keys(entity):
                    counts[f"{name}/{key}/required"] += 1
                    counts[f"{name}/{key}/hit"] += place not in account.turn.missed
    return counts


def _summed(parts: Iterable[Mapping[str, int]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for counts in parts:
        for name, count in counts.items():
            total[name] += count
    return total


def _referents(total: Mapping[str, int], samples: Sequence[Mapping[str, int]]) -> dict[str, object]:
    """`groups`, `types` and `kinds`: recall of the required ones, the most frequent first."""
    found: dict[str, dict[str, object]] = {name: {} for name, _ in _REFERENTS}
    keys = [name.removesuffix("/required") for name in total if name.endswith("/required")]
    ends = intervals(samples, lambda sample: {key: _share(sample, key) for key in keys})
    for key in sorted(keys, key=lambda key: (-total[f"{key}/required"], key)):
        part, _, name = key.partition("/")
        required, hit = total[f"{key}/required"], total.get(f"{key}/hit", 0)
        found[part][name] = {
            "required": required,
            "hit": hit,
            "recall": round(hit / required, 4),
            "interval": ends.get(key),
        }
    return dict(found)


def _share(counts: Mapping[str, int], key: str) -> float | None:
    required = counts[f"{key}/required"]
    return counts.get(f"{key}/hit", 0) / required if required else None


def _origins(
    facts: Sequence[TurnFacts], accounts: Sequence[Account], key: Callable[[TurnFacts], str]
) -> dict[str, object]:
    parts: dict[str, list[Mapping[str, int]]] = {}
    for fact, account in zip(facts, accounts, strict=True):
        parts.setdefault(key(fact), []).append(account.counts)
    found: dict[str, object] = {}
    for name, members in sorted(parts.items(), key=lambda part: (-len(part[1]), part[0])):
        figures = figures_of(_summed(members)) | {"hit": sum(counts["hit_required"] for counts in members)}
        found[name] = {part: figures[part] for part in _PARTS}
    return found


def _most_missed(accounts: Sequence[Account]) -> list[dict[str, object]]:
    counted = Counter(
        (account.label.entities[index].type, account.label.entities[index].modality)
        for account in accounts
        for index in account.turn.missed
    )
    return [{"type": type_, "modality": m, "missed": n} for (type_, m), n in counted.most_common(_MOST)]


def _ends(accounts: Sequence[Account]) -> dict[str, object]:
    """How the rows ended, and the skipped and failed ones by name."""
    ends = Counter(account.row.outcome for account in accounts)
    rows = [account.row for account in accounts]
    return {
        "outcomes": {outcome.value: ends[outcome] for outcome in RowOutcome},
        "skipped": [{"id": row.id, "reason": row.reason} for row in rows if row.outcome is RowOutcome.SKIPPED],
        "failed": [
            {"id": row.id, "reason": row.reason, "code": row.code} for row in rows if row.outcome is RowOutcome.FAILED
        ],
    }


def _cost(accounts: Sequence[Account]) -> dict[str, object]:
    usages = [account.row.usage for account in accounts]
    prices = [usage.price for usage in usages]
    known = [price for price in prices if price is not None]
    return {
        "requests": sum(usage.requests for usage in usages),
        "input_tokens": sum(usage.input_tokens for usage in usages),
        "output_tokens": sum(usage.output_tokens for usage in usages),
        "price": round(sum(known), 6) if len(known) == len(prices) else None,
        "turns": len(usages),
    }


def _latency(accounts: Sequence[Account]) -> dict[str, object]:
    """Of turns that were reviewed; empty where the lane was not timed (a stored prediction file)."""
    done = [a.row for a in accounts if a.row.outcome in {RowOutcome.WRITTEN, RowOutcome.NOTHING}]
    timed = [row for row in done if row.wall_ms > 0]
    seconds = sum(row.cpu_ms for row in timed) / 1000
    return {
        "cpu_ms": spread([row.cpu_ms for row in timed]),
        "wall_ms": spread([row.wall_ms for row in timed]),
        "turns": len(timed),
        "turns_per_cpu_minute": round(60 * len(timed) / seconds) if seconds else None,
    }


def spread(values: Sequence[float]) -> dict[str, float]:
    """Median, 95th percentile, most and mean; empty for nothing."""
    if not values:
        return {}
    ordered = sorted(values)
    last = len(ordered) - 1
    return {
        "p50": round(statistics.median(ordered), 3),
        "p95": round(ordered[round(0.95 * last)], 3),
        "max": round(ordered[last], 3),
        "mean": round(statistics.fmean(ordered), 3),
    }
