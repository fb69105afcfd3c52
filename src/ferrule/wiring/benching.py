"""A benchmark run over a throw-away home: each turn alone in a session of its own.

Owns reading the turns and giving `evaluation` a review function. Knows nothing of scoring.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ferrule.adapters.transcripts.reader import read_text
from ferrule.companion.importing import review_import
from ferrule.companion.outcomes import Outcome
from ferrule.errors import Code, StoreError, UnreadableInput, UsageError
from ferrule.evaluation.bench import BenchTurn, Reviewed, run_bench
from ferrule.evaluation.records import read_labels
from ferrule.evaluation.scoring import WrittenMemory
from ferrule.session.imported import ImportedSession
from ferrule.session.source import SOURCE_PROFILE, SourceSession
from ferrule.session.turn import Turn
from ferrule.wiring.critic import critic_of
from ferrule.wiring.home import Home, throw_away_home

__all__ = ["bench"]


def bench(
    turns: Path,
    labels: Path,
    out: Path,
    *,
    progress: Callable[[str], None],
    ontology: Sequence[Path] = (),
    threshold: float | None = None,
) -> dict[str, object]:
    """Review every labelled turn by itself; returns the metrics that were written beside the predictions.

    `threshold` makes the embedded reviewer more or less sure than it ships, so that a curve can be drawn.

    Raises:
        UnreadableInput: a file cannot be read as what it should be.
        StoreError: `out` cannot be written.
    """
    wanted = read_labels(labels)
    with throw_away_home(ontology=ontology) as home:
        return run_bench(_turns(home, turns), _reviewer(home, threshold), wanted, out, progress=progress)


def _turns(home: Home, path: Path) -> Iterator[BenchTurn]:
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield _turn(home, line, f"{path}: line {number}")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableInput(f"{path} cannot be read: {error}", code=Code.IO_FAILED) from error


def _turn(home: Home, line: str, where: str) -> BenchTurn:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UnreadableInput(f"{where} is not JSON") from error
    if not isinstance(row, dict):
        raise UnreadableInput(f"{where} is not an object")
    name = str(row.get("id") or row.get("turn_key") or "")
    try:
        (session,) = read_text(line, scrub=home.scrub, name=where)
    except (UnreadableInput, UsageError) as error:
        return BenchTurn(name, None, str(error))
    if not session.turns:
        return BenchTurn(name, None, session.skipped[0].reason if session.skipped else "no turn")
    return BenchTurn(name, session.turns[0])


def _reviewer(home: Home, threshold: float | None) -> Callable[[Turn], Reviewed]:
    number = 0
    critic = critic_of(home, threshold=threshold)

    def review(turn: Turn) -> Reviewed:
        nonlocal number
        number += 1
        alone = SourceSession(key=f"bench:{number}", profile=SOURCE_PROFILE)
        began = time.process_time()
        imported = ImportedSession(alone, (replace(turn, session=alone.key),), (), "neutral")
        (outcome,) = review_import(imported, critic)
        cost = 1000.0 * (time.process_time() - began)
        if outcome.outcome is Outcome.FAILED:
            raise StoreError(f"the review of {turn.key} failed: {outcome.reason}", code=outcome.code)
        return Reviewed(tuple(_written(outcome.json_form())), cost)

    return review


def _written(review: Mapping[str, object]) -> Iterator[WrittenMemory]:
    rows = review.get("written")
    for row in rows if isinstance(rows, list) else []:
        handles = tuple((str(handle["kind"]), str(handle["value"])) for handle in row["handles"])
        properties = {str(name): str(value) for name, value in row["properties"].items()}
        yield WrittenMemory(str(row["prototype"]), handles, str(row["modality"]), properties)
