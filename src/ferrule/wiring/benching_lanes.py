"""Which kinds of lanes there are, what each may be told, and how it is opened.

Owns the registry. Another kind (a model reviewer) is one row of `KINDS`: a function that checks a lane before anything
is created and says what its rows depend on, and one that opens it. Knows nothing of how a run is kept.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from ferrule.errors import Code, UnreadableInput, UsageError
from ferrule.evaluation.bench import BenchLane, BenchTurn, LaneAtWork, Unread
from ferrule.evaluation.lanes import DEFAULT_LANE, Lane, parse_lane, told_apart
from ferrule.evaluation.records import read_predictions, read_rows
from ferrule.evaluation.rows import Row, RowCandidate, RowOutcome
from ferrule.evaluation.scoring import Prediction
from ferrule.wiring.benching_embedded import LanePlace, embedded_about, embedded_lane, threshold_of
from ferrule.wiring.benching_turns import digest_of

__all__ = ["KINDS", "LaneKind", "LanePlace", "lanes_of"]


@dataclass(frozen=True, slots=True)
class LaneKind:
    """One kind of lane.

    Attributes:
        words: what it is, for people.
        argument: what stands behind the colon, as `FILE`; empty when nothing does.
        settings: the settings it takes, each with a function that refuses a wrong value.
        about: what its rows depend on, besides the turns; refuses what cannot be opened.
        open: opens it, in the thread that works on it.
    """

    words: str
    argument: str
    settings: Mapping[str, Callable[[str], object]]
    about: Callable[[Lane, LanePlace], Mapping[str, str]]
    open: Callable[[Lane, LanePlace], AbstractContextManager[LaneAtWork]]


def lanes_of(words: Sequence[str], place: LanePlace) -> tuple[BenchLane, ...]:
    """The lanes of a run, each checked; the embedded reviewer as shipped when none is named.

    Raises:
        UsageError: a lane, its kind, its argument or a setting is wrong, or two have one name.
        UnreadableInput: a stored prediction file cannot be read.
    """
    lanes = told_apart([parse_lane(text) for text in words] or [parse_lane(DEFAULT_LANE)])
    kinds = [_kind_of(lane) for lane in lanes]
    return tuple(_bench_lane(lane, kind, place) for lane, kind in zip(lanes, kinds, strict=True))


def _kind_of(lane: Lane) -> LaneKind:
    kind = KINDS.get(lane.kind)
    if kind is None:
        raise UsageError(f"there is no lane of kind {lane.kind}; there are {_known()}", code=Code.BAD_TOOL_ARGS)
    if bool(lane.argument) != bool(kind.argument):
        form = f"{lane.kind}:{kind.argument}" if kind.argument else lane.kind
        raise UsageError(f"lane {lane.name}: it is written {form}{_taken(kind)}", code=Code.BAD_TOOL_ARGS)
    for name, value in lane.settings.items():
        if name not in kind.settings:
            known = ", ".join(kind.settings) or "none"
            raise UsageError(
                f"lane {lane.name}: {lane.kind} has no setting {name}; its settings: {known}", code=Code.BAD_TOOL_ARGS
            )
        kind.settings[name](value)
    return kind


def _taken(kind: LaneKind) -> str:
    return f", with settings like {next(iter(kind.settings))}=…" if kind.settings else ""


def _known() -> str:
    forms = [f"{name}:{kind.argument}" if kind.argument else name for name, kind in KINDS.items()]
    return ", ".join(f"{form} ({kind.words})" for form, kind in zip(forms, KINDS.values(), strict=True))


def _bench_lane(lane: Lane, kind: LaneKind, place: LanePlace) -> BenchLane:
    known = replace(lane, about=kind.about(lane, place))
    return BenchLane(known, lambda: kind.open(known, place))


@contextmanager
def _stored_lane(lane: Lane, _place: LanePlace) -> Iterator[LaneAtWork]:
    """The rows of a prediction file, of whatever critic: a turn without a line wrote nothing."""
    predictions = read_predictions(Path(lane.argument))

    def turns(wanted: Sequence[str]) -> Iterator[Unread]:
        return (Unread(name, partial(BenchTurn, name, None)) for name in wanted)

    yield LaneAtWork(turns, lambda item: _stored_row(item.id, predictions.get(item.id)))


def _stored_row(name: str, prediction: Prediction | None) -> Row:
    if prediction is None:
        return Row(name, RowOutcome.NOTHING, reason="the file has no line for this turn")
    written = prediction.written
    candidates = tuple(RowCandidate(m.prototype, "", m.handles, m.modality, chosen=True) for m in written)
    return Row(name, RowOutcome.WRITTEN if written else RowOutcome.NOTHING, written, candidates)


def _stored_about(lane: Lane, _place: LanePlace) -> Mapping[str, str]:
    path = Path(lane.argument)
    if not any(isinstance(row.get("written"), list) for row in read_rows(path)):
        raise UnreadableInput(f"{path} holds no predictions: no line has a list `written`")
    return {"sha256": digest_of(path)}


KINDS: dict[str, LaneKind] = {
    "embedded": LaneKind(
        words="the reviewer that ships with Ferrule",
        argument="",
        settings={"threshold": threshold_of},
        about=embedded_about,
        open=embedded_lane,
    ),
    "file": LaneKind(
        words="stored predictions of any critic",
        argument="PREDICTIONS.jsonl",
        settings={},
        about=_stored_about,
        open=_stored_lane,
    ),
}
