"""The two benchmarks over whole sessions, from paths to the object that is shown and kept.

Owns reading sessions, calling the figures, and the file each leaves in the run's folder. Knows nothing of tables.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ferrule import __version__
from ferrule.evaluation.amnesia import Asked, amnesia
from ferrule.evaluation.bootstrap import Draws
from ferrule.evaluation.runs_files import put_whole
from ferrule.evaluation.sequence import sequence_figures
from ferrule.wiring.benching_sessions import SessionsAsked, Survey, sessions_in_order, tracks_of

__all__ = ["AMNESIA", "SEQUENCE", "WayRequest", "bench_amnesia", "bench_sequence"]

SEQUENCE = "sequence.json"
AMNESIA = "amnesia.json"


@dataclass(frozen=True, slots=True)
class WayRequest:
    """What is asked for: the sessions, the folder that keeps the figures, and for amnesia the size and the window."""

    sessions: SessionsAsked = field(default_factory=SessionsAsked)
    out: Path | None = None
    tokens: int = 600
    window: int = 2
    draws: int = 1000
    seed: int = 1


def bench_sequence(request: WayRequest, *, progress: Callable[[str], None]) -> dict[str, object]:
    """Review whole sessions in order; the figures of `evaluation.sequence`, kept as `sequence.json`.

    Raises:
        UsageError: there is no such path.
        UnreadableInput: nothing there is a transcript.
        StoreError: the folder cannot be written.
    """
    survey = Survey()
    runs = list(sessions_in_order(request.sessions, survey, progress=progress))
    return _kept(sequence_figures(runs), survey, request, SEQUENCE)


def bench_amnesia(request: WayRequest, *, progress: Callable[[str], None]) -> dict[str, object]:
    """Cut sessions and see what survives; the figures of `evaluation.amnesia`, kept as `amnesia.json`.

    Raises as `bench_sequence`.
    """
    survey = Survey()
    asked = Asked(tokens=request.tokens, window=request.window)
    tracks = list(tracks_of(request.sessions, asked, survey, progress=progress))
    return _kept(amnesia(tracks, asked, Draws(request.draws, request.seed)), survey, request, AMNESIA)


def _kept(figures: dict[str, object], survey: Survey, request: WayRequest, name: str) -> dict[str, object]:
    """The figures with what they are of, written where they are to be kept."""
    whole = {
        "ferrule": __version__,
        "of": [str(path) for path in request.sessions.paths] or ["the sessions that ship with Ferrule"],
        "passed_over": {"unreadable_files": survey.unreadable, "sessions_not_reviewed": survey.declined},
        **figures,
    }
    if request.out is not None:
        put_whole(request.out / name, json.dumps(whole, indent=1, ensure_ascii=False) + "\n")
    return whole
