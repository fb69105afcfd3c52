"""The lane of the embedded reviewer: each turn alone in a session of its own, in a home that is thrown away.

Owns one such review as a row, and what the reviewer would write at other thresholds: its own judgement, asked again
off the clock. Knows nothing of scoring or of how rows are kept.
"""

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from ferrule.bridge.values import Disposition
from ferrule.bridge.view import view_of
from ferrule.companion.importing import review_import
from ferrule.companion.outcomes import Outcome, TurnOutcome
from ferrule.companion.worker import Critic
from ferrule.errors import Code, UsageError
from ferrule.evaluation.bench import BenchTurn, LaneAtWork
from ferrule.evaluation.lanes import Lane
from ferrule.evaluation.records import memories_of
from ferrule.evaluation.rows import Row, RowCandidate, RowOutcome, RowUsage, Step
from ferrule.review.embedded.facts import prospect_of
from ferrule.review.embedded.judging import Judgement, choose, scene, weigh
from ferrule.review.embedded.ranker import GroupWeights, shipped_weights
from ferrule.review.embedded.reviewer import EmbeddedReviewer
from ferrule.review.embedded.scenes import Scene
from ferrule.review.port import Limits
from ferrule.session.imported import ImportedSession
from ferrule.session.source import SOURCE_PROFILE, SourceSession
from ferrule.session.turn import Turn
from ferrule.wiring.benching_turns import bench_turns, scrub_of
from ferrule.wiring.critic import critic_of
from ferrule.wiring.home import Home, throw_away_home

__all__ = ["LanePlace", "embedded_about", "embedded_lane", "threshold_of"]

_LOWEST = 0.01
_WRITING = frozenset({Disposition.NEW_CREATE, Disposition.EXISTING_AUGMENT})
Weights = Mapping[str, GroupWeights]


@dataclass(frozen=True, slots=True)
class LanePlace:
    """What every lane of a run works on.

    Attributes:
        turns: the file of turns.
        home: the home whose settings count; None for the usual one.
        ontology: .pts files or folders that replace the shipped base.
        threshold: what the home's settings say of it.
    """

    turns: Path
    home: Path | None = None
    ontology: tuple[Path, ...] = ()
    threshold: float | None = None


def threshold_of(text: str) -> float:
    """The threshold that a setting gives.

    Raises:
        UsageError: it is none.
    """
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1:
        raise UsageError(f"threshold={text}: it is a number above 0 and below 1", code=Code.BAD_TOOL_ARGS)
    return value


def embedded_about(lane: Lane, place: LanePlace) -> dict[str, str]:
    """What the rows of this lane depend on; its threshold goes before the one of the home's settings."""
    weights = resources.files("ferrule.review.embedded").joinpath("weights.json").read_bytes()
    given = lane.settings.get("threshold")
    chosen = place.threshold if given is None else threshold_of(given)
    return {
        "reviewer": EmbeddedReviewer().name,
        "weights": hashlib.sha256(weights).hexdigest(),
        "threshold": "as shipped" if chosen is None else str(chosen),
    }


@contextmanager
def embedded_lane(lane: Lane, place: LanePlace) -> Iterator[LaneAtWork]:
    """A home of this lane's own, gone afterwards. Raises as `throw_away_home`."""
    given = lane.settings.get("threshold")
    with throw_away_home(place.home, ontology=place.ontology) as home:
        threshold = home.settings.threshold if given is None else threshold_of(given)
        yield LaneAtWork(bench_turns(place.turns, scrub_of(place.turns)), _reviewer(home, threshold))


def _reviewer(home: Home, threshold: float | None) -> Callable[[BenchTurn], Row]:
    critic = critic_of(home, threshold=threshold)
    weights = shipped_weights() if threshold is None else _at(shipped_weights(), threshold)
    number = 0

    def review(item: BenchTurn) -> Row:
        nonlocal number
        number += 1
        if item.turn is None:
            return Row(item.id, RowOutcome.SKIPPED, reason=item.reason)
        return _row(item.id, replace(item.turn, session=f"bench:{number}"), critic, weights)

    return review


def _row(name: str, turn: Turn, critic: Critic, weights: Weights) -> Row:
    alone = SourceSession(key=turn.session, profile=SOURCE_PROFILE)
    cpu, wall = time.thread_time(), time.perf_counter()
    (outcome,) = review_import(ImportedSession(alone, (turn,), (), "neutral"), critic)
    wall_ms, cpu_ms = 1000.0 * (time.perf_counter() - wall), 1000.0 * (time.thread_time() - cpu)
    if outcome.outcome in {Outcome.FAILED, Outcome.DECLINED}:
        code = "" if outcome.code is None else outcome.code.value
        return Row(name, RowOutcome.FAILED, reason=outcome.reason, code=code, cpu_ms=cpu_ms, wall_ms=wall_ms)
    form = outcome.json_form()
    candidates, steps = _thoughts(turn, weights, _said(form))
    written = memories_of(form)
    return Row(
        id=name,
        outcome=RowOutcome.WRITTEN if written else RowOutcome.NOTHING,
        written=written,
        candidates=candidates,
        steps=steps,
        reason=outcome.reason,
        cpu_ms=cpu_ms,
        wall_ms=wall_ms,
        usage=_usage(outcome),
    )


def _usage(outcome: TurnOutcome) -> RowUsage:
    used = outcome.json_form().get("usage")
    counts: Mapping[str, object] = used if isinstance(used, Mapping) else {}
    return RowUsage(*(_count(counts.get(name)) for name in ("requests", "input_tokens", "output_tokens")))


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0


def _said(form: Mapping[str, object]) -> dict[str, str]:
    """Why the review itself did not write a candidate after all, by its label: it was known, or refused at the door."""
    found = form.get("candidates")
    rows = [row for row in found if isinstance(row, Mapping)] if isinstance(found, list) else []
    return {str(row["label"]): str(row["reason"]) for row in rows if row["disposition"] not in _WRITING}


def _at(weights: Weights, threshold: float) -> Weights:
    return {group: replace(row, threshold=threshold) for group, row in weights.items()}


def _thoughts(
    turn: Turn, weights: Weights, said: Mapping[str, str]
) -> tuple[tuple[RowCandidate, ...], tuple[Step, ...]]:
    """The candidates of a turn, the worthiest first, and which of them would be written from which threshold down."""
    found = scene(view_of(turn))
    weighed = weigh(found)
    judged = choose(found, weighed, weights)
    candidates = tuple(_candidate(found, item, said) for item in judged)
    places = {item.index: place for place, item in enumerate(judged) if candidates[place].handles}
    steps: list[Step] = []
    for threshold in sorted({item.score for item in judged if not item.veto}, reverse=True):
        if threshold < _LOWEST:
            break
        wanted = [item.index for item in choose(found, weighed, _at(weights, threshold)) if item.worth]
        chosen = tuple([places[index] for index in wanted if index in places][: Limits().writes])
        if not steps or steps[-1].chosen != chosen:
            steps.append(Step(threshold, chosen))
    return candidates, tuple(steps)


def _candidate(found: Scene, judgement: Judgement, said: Mapping[str, str]) -> RowCandidate:
    prospect = prospect_of(found, judgement)
    outcome = said.get(prospect.label, "") if judgement.worth else ""
    return RowCandidate(
        label=prospect.label,
        type=prospect.type,
        handles=tuple((handle.kind.value, handle.value) for handle in prospect.handles),
        modality=prospect.candidate.modality.value,
        score=round(judgement.score, 6),
        chosen=prospect.worth,
        reason=f"{judgement.reason}; not written: {outcome}" if outcome else judgement.reason,
    )
