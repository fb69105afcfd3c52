"""What changed since a stored run: figures over the turns that both have, and the turns that were gained or lost.

Owns the comparison with a baseline, read back from its `metrics.json` without trust. A figure outside the baseline's
interval moved by more than another draw of sessions would. Knows nothing of files or lanes' workings.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ferrule.evaluation.bootstrap import Draws, drawn, intervals
from ferrule.evaluation.metrics_lane import RATIOS, figures_of
from ferrule.evaluation.scoring import Score

__all__ = ["drift_of"]

WATCHED = (*RATIOS, "forbidden", "handleless")
_SMALLER_IS_BETTER = frozenset({"writes_per_100_turns", "acceptable_share", "forbidden", "handleless"})
_COUNTS = tuple(Score.__dataclass_fields__)

Json = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class _Turn:
    """One turn of one lane as `metrics.json` tells it."""

    session: str
    label: tuple[object, ...]
    names: tuple[str, ...]
    counts: Mapping[str, int]
    verdicts: tuple[str, ...]
    false: tuple[str, ...]
    forbidden: int


def drift_of(now: Json, then: Json, draws: Draws) -> dict[str, object]:
    """The lanes that both runs have by the same name; with one lane each, these whatever their names."""
    mine, theirs = _lanes(now), _lanes(then)
    pairs = {name: name for name in mine if name in theirs}
    if not pairs and len(mine) == len(theirs) == 1:
        pairs = dict(zip(mine, theirs, strict=True))
    return {
        "ferrule": str(then.get("ferrule", "")),
        "lanes": {
            name: {"baseline_lane": other, **_compared(_turns(now, name), _turns(then, other), draws)}
            for name, other in pairs.items()
        },
    }


def _lanes(metrics: Json) -> Json:
    return _object(metrics.get("lanes"))


def _compared(now: Mapping[str, _Turn], then: Mapping[str, _Turn], draws: Draws) -> dict[str, object]:
    common = [name for name in now if name in then]
    same_labels = all(now[name].label == then[name].label for name in common)
    return {
        "turns": len(common),
        "only_now": len(now) - len(common),
        "only_then": len(then) - len(common),
        "same_labels": same_labels,
        "figures": _figures([now[name] for name in common], [then[name] for name in common], draws),
        "changed": [found for name in common if (found := _changed(name, now[name], then[name]))],
    }


def _figures(now: Sequence[_Turn], then: Sequence[_Turn], draws: Draws) -> dict[str, object]:
    is_now, was = (figures_of(_summed(turns)) for turns in (now, then))
    ends = intervals(drawn([(turn.session, turn.counts) for turn in then], draws), figures_of)
    return {name: _moved(name, was[name], is_now[name], ends.get(name)) for name in WATCHED}


def _moved(name: str, was: float | None, now: float | None, interval: tuple[float, float] | None) -> dict[str, object]:
    delta = None if was is None or now is None else round(now - was, 4)
    outside = now is not None and interval is not None and not interval[0] <= now <= interval[1]
    sign = -1 if name in _SMALLER_IS_BETTER else 1
    return {
        "was": was,
        "now": now,
        "delta": delta,
        "interval": interval,
        "outside": outside,
        "worse": delta is not None and sign * delta < 0,
    }


def _summed(turns: Sequence[_Turn]) -> dict[str, int]:
    return {name: sum(turn.counts.get(name, 0) for turn in turns) for name in _COUNTS}


def _changed(name: str, now: _Turn, then: _Turn) -> dict[str, object] | None:
    """What one turn gained or lost; None when nothing did. Entities are compared only where the label is the same."""
    gained: list[str] = []
    lost: list[str] = []
    if now.label == then.label:
        for label, is_now, was in zip(now.names, now.verdicts, then.verdicts, strict=True):
            if (is_now == "hit") != (was == "hit") and {is_now, was} == {"hit", "missed"}:
                (gained if is_now == "hit" else lost).append(label)
    new_false = _more(now.false, then.false)
    gone_false = _more(then.false, now.false)
    forbidden = max(now.forbidden - then.forbidden, 0)
    if not (gained or lost or new_false or gone_false or forbidden):
        return None
    return {
        "id": name,
        "gained": gained,
        "lost": lost,
        "new_false": new_false,
        "gone_false": gone_false,
        "new_forbidden": forbidden,
    }


def _more(mine: Sequence[str], theirs: Sequence[str]) -> list[str]:
    left = list(theirs)
    found = []
    for name in mine:
        if name in left:
            left.remove(name)
        else:
            found.append(name)
    return found


def _turns(metrics: Json, lane: str) -> dict[str, _Turn]:
    labelled = {str(row.get("id")): row for row in _objects(metrics.get("turns"))}
    rows = _objects(_object(_lanes(metrics).get(lane)).get("turns"))
    return {
        str(row.get("id")): _turn(labelled[str(row.get("id"))], row) for row in rows if str(row.get("id")) in labelled
    }


def _turn(labelled: Json, row: Json) -> _Turn:
    entities = _objects(labelled.get("entities"))
    verdicts = tuple(str(entity.get("verdict")) for entity in _objects(row.get("entities")))
    counts = {name: value for name, value in _object(row.get("counts")).items() if isinstance(value, int)}
    forbidden = row.get("forbidden")
    return _Turn(
        session=str(labelled.get("session", "")),
        label=tuple((str(e.get("label")), str(e.get("grade")), str(e.get("handles"))) for e in entities),
        names=tuple(f"{entity.get('type')}: {entity.get('label')}" for entity in entities),
        counts=counts,
        verdicts=(*verdicts, *[""] * (len(entities) - len(verdicts)))[: len(entities)],
        false=tuple(_named(memory) for memory in _objects(row.get("written")) if memory.get("verdict") == "false"),
        forbidden=len(forbidden) if isinstance(forbidden, list) else 0,
    )


def _named(memory: Json) -> str:
    handles = _objects(memory.get("handles"))
    return str(handles[0].get("value")) if handles else str(memory.get("prototype"))


def _object(value: object) -> Json:
    return value if isinstance(value, Mapping) else {}


def _objects(value: object) -> list[Json]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []
