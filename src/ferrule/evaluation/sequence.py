"""Whole sessions in order show what single turns cannot: duplicates, overwrites, augmentations, the current view.

Owns these counts. They are made from what the session holds after every turn, not from what a critic says of itself.
Needs no labels. Knows nothing of stores or reviewers.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ferrule.bridge.details import Details
from ferrule.referents.secrets.detect import looks_secret

__all__ = ["Holding", "Moment", "SessionRun", "sequence_figures"]

_EXAMPLES = 100


@dataclass(frozen=True, slots=True)
class Holding:
    """What a session holds of one prototype: its raw values by property, and how readers are shown it.

    `values` are the stored ones, each under the full name of its property; `details` is the current view.
    """

    values: Mapping[str, str]
    details: Details


@dataclass(frozen=True, slots=True)
class Moment:
    """One reviewed turn, and everything that the session holds after it, by the name of the prototype.

    `written` are the names whose write was accepted, `refused` the codes of refusals, `seconds` CPU of the review.
    """

    turn: str
    ordinal: int
    outcome: str
    written: tuple[str, ...]
    refused: tuple[str, ...]
    held: Mapping[str, Holding]
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class SessionRun:
    """One session reviewed from its first completed turn to its last."""

    session: str
    format: str
    moments: tuple[Moment, ...]


def sequence_figures(runs: Sequence[SessionRun]) -> dict[str, object]:
    """Counts and shares over all sessions, by format, and every fault with where it stands."""
    faults = [fault for run in runs for fault in _faults(run)]
    return {
        "format": 1,
        "figures": _figures(runs, faults),
        "formats": {
            name: _figures(members, [fault for fault in faults if fault["format"] == name])
            for name, members in sorted(_by_format(runs).items())
        },
        "refused": dict(Counter(code for run in runs for moment in run.moments for code in moment.refused)),
        "faults": faults[:_EXAMPLES],
    }


def _by_format(runs: Sequence[SessionRun]) -> Mapping[str, list[SessionRun]]:
    found: dict[str, list[SessionRun]] = defaultdict(list)
    for run in runs:
        found[run.format].append(run)
    return found


def _figures(runs: Sequence[SessionRun], faults: Sequence[Mapping[str, object]]) -> dict[str, object]:
    moments = [moment for run in runs for moment in run.moments]
    ends = [run.moments[-1].held for run in runs if run.moments]
    memories = sum(map(len, ends))
    writes = sum(len(moment.written) for moment in moments)
    counted = Counter(str(fault["fault"]) for fault in faults)
    shown = sum((_shown(run) for run in runs), Counter())
    return {
        "sessions": len(runs),
        "turns": len(moments),
        "turns_that_wrote": sum(bool(moment.written) for moment in moments),
        "writes": writes,
        "writes_per_100_turns": _share(100 * writes, len(moments)),
        "augmentations": writes - memories,
        "memories": memories,
        "duplicates": counted["duplicate"],
        "duplicate_share": _share(counted["duplicate"], memories),
        "overwrites": counted["overwrite"],
        "secrets": counted["secret"],
        "handleless": counted["handleless"],
        "failed": counted["failed"],
        "current_view": {name: shown[name] for name in ("values", "current", "was", "hidden")},
        "cpu_ms_per_turn": _share(1000 * sum(moment.seconds for moment in moments), len(moments)),
    }


def _share(part: float, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _faults(run: SessionRun) -> Iterable[dict[str, object]]:
    where = {"session": run.session, "format": run.format}
    before: Mapping[str, Holding] = {}
    for moment in run.moments:
        at = {**where, "turn": moment.turn, "ordinal": moment.ordinal}
        if moment.outcome == "failed":
            yield {"fault": "failed", **at, "what": ""}
        yield from ({"fault": "overwrite", **at, "what": what} for what in _overwritten(before, moment.held))
        for name in sorted(moment.held.keys() - before.keys()):
            holding = moment.held[name]
            if not holding.details.handles:
                yield {"fault": "handleless", **at, "what": name}
            twin = _twin(name, holding, moment.held)
            if twin:
                yield {"fault": "duplicate", **at, "what": f"{name} beside {twin}"}
        yield from ({"fault": "secret", **at, "what": what} for what in _secret(before, moment.held))
        before = moment.held


def _overwritten(before: Mapping[str, Holding], after: Mapping[str, Holding]) -> Iterable[str]:
    """Values that stood after the turn before and stand no longer, or otherwise."""
    for name, holding in before.items():
        now = after[name].values if name in after else {}
        for prop, value in holding.values.items():
            if now.get(prop) != value:
                yield f"{name}.{prop}"


def _twin(name: str, holding: Holding, held: Mapping[str, Holding]) -> str:
    """An older prototype of the session that carries one of its identity keys; the order of `held` is that of age."""
    keys = _keys(holding)
    for other, there in held.items():
        if other == name:
            return ""
        if keys & _keys(there):
            return other
    return ""


def _keys(holding: Holding) -> frozenset[str]:
    return frozenset(handle.key for handle in holding.details.handles if handle.key)


def _secret(before: Mapping[str, Holding], after: Mapping[str, Holding]) -> Iterable[str]:
    for name, holding in after.items():
        old = before[name].values if name in before else {}
        for prop, value in holding.values.items():
            if prop not in old and looks_secret(value):
                yield f"{name}.{prop}"


def _shown(run: SessionRun) -> Counter[str]:
    """How readers are shown every value right after the turn that wrote it.

    `current`, or `was` where something stronger stands (R45: a user's correction or an action goes before a claim);
    `hidden` must never be.
    """
    found: Counter[str] = Counter()
    before: Mapping[str, Holding] = {}
    for moment in run.moments:
        for name in moment.written:
            holding = moment.held.get(name)
            old = before[name].values if name in before else {}
            values = holding.values if holding is not None else {"": ""}
            for prop, value in values.items():
                if prop not in old:
                    found["values"] += 1
                    found[_standing(value, holding.details) if holding is not None else "hidden"] += 1
        before = moment.held
    return found


def _standing(value: str, details: Details) -> str:
    if any(value == prop.value for prop in details.properties):
        return "current"
    return "was" if any(value in prop.was for prop in details.properties) else "hidden"
