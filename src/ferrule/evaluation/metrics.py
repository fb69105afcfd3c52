"""Figures that a person can act on: overall, by type, by handle kind, by format, and what is missed most.

Owns the breakdown of a score. Knows nothing of files or of how turns were reviewed.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from ferrule.evaluation.scoring import Label, Labelled, Prediction, TurnScore, score

__all__ = ["group_of", "metrics_of"]

_FILE_TYPES = frozenset({"SourceFile", "ConfigFile", "Document", "PromptFile", "Script", "Directory", "File"})
_MOST = 40


def metrics_of(labels: Sequence[Label], predictions: Mapping[str, Prediction]) -> dict[str, object]:
    """The figures of the published scorer under `figures`, and breakdowns beside them."""
    total, accounts = score(labels, predictions)
    return {
        "figures": total.figures(),
        "groups": _recall(labels, accounts, lambda entity: (group_of(entity),)),
        "types": _recall(labels, accounts, lambda entity: (entity.type,)),
        "kinds": _recall(labels, accounts, lambda entity: sorted({kind for kind, _ in entity.handles})),
        "formats": _formats(labels, predictions),
        "most_missed": _most_missed(labels, accounts),
        "missed": _missed(labels, accounts),
        "false": _false(accounts, predictions),
        "forbidden": [{"id": a.id, "values": len(a.forbidden)} for a in accounts if a.forbidden],
    }


def group_of(entity: Labelled) -> str:
    """`files` or `other referents`."""
    return "files" if entity.type in _FILE_TYPES else "other referents"


def _recall(
    labels: Sequence[Label], accounts: Sequence[TurnScore], keys: Callable[[Labelled], Iterable[str]]
) -> dict[str, dict[str, object]]:
    seen: Counter[str] = Counter()
    hit: Counter[str] = Counter()
    for label, account in zip(labels, accounts, strict=True):
        for index, entity in enumerate(label.entities):
            if entity.required:
                for key in keys(entity):
                    seen[key] += 1
                    hit[key] += index not in account.missed
    return {
        key: {"required": count, "hit": hit[key], "recall": round(hit[key] / count, 4)}
        for key, count in seen.most_common()
    }


def _formats(labels: Sequence[Label], predictions: Mapping[str, Prediction]) -> dict[str, dict[str, object]]:
    parts: dict[str, list[Label]] = defaultdict(list)
    for label in labels:
        parts[label.file.split("/", maxsplit=1)[0]].append(label)
    shown = ("turns", "precision", "recall", "abstention", "writes_per_100_turns")
    found: dict[str, dict[str, object]] = {}
    for name, members in sorted(parts.items()):
        figures = score(members, predictions)[0].figures()
        found[name] = {key: figures[key] for key in shown}
    return found


def _most_missed(labels: Sequence[Label], accounts: Sequence[TurnScore]) -> list[dict[str, object]]:
    counted = Counter(
        (label.entities[index].type, label.entities[index].modality)
        for label, account in zip(labels, accounts, strict=True)
        for index in account.missed
    )
    return [{"type": type_, "modality": m, "missed": n} for (type_, m), n in counted.most_common(_MOST)]


def _missed(labels: Sequence[Label], accounts: Sequence[TurnScore]) -> list[dict[str, object]]:
    return [
        {"id": label.id, "missed": [f"{label.entities[i].type}: {label.entities[i].label}" for i in account.missed]}
        for label, account in zip(labels, accounts, strict=True)
        if account.missed
    ]


def _false(accounts: Sequence[TurnScore], predictions: Mapping[str, Prediction]) -> list[dict[str, object]]:
    return [
        {"id": account.id, "false": [predictions[account.id].written[i].prototype for i in account.false]}
        for account in accounts
        if account.false
    ]
