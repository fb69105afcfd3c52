"""Whole sessions reviewed in order in a throw-away home, looked at after every turn.

Owns which sessions, and what is looked at: what a session holds, and what an agent would be told. Knows nothing of
figures.
"""

import io
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from ferrule.adapters.sqlite.remembered import reading
from ferrule.bridge.details import HandleView
from ferrule.companion.importing import review_import
from ferrule.companion.outcomes import Outcome, TurnOutcome
from ferrule.errors import UnreadableInput
from ferrule.evaluation.amnesia import Asked, Cut, Track
from ferrule.evaluation.forgetting import handles_of
from ferrule.evaluation.sequence import Holding, Moment, SessionRun
from ferrule.ontology.values import Value
from ferrule.recall.budget import Budget
from ferrule.recall.context import context_text
from ferrule.session.imported import ImportedSession
from ferrule.wiring.critic import critic_of
from ferrule.wiring.home import Home, throw_away_home
from ferrule.wiring.reading import Unreadable, sessions_at
from ferrule.wiring.recalling import lately_of, reader_of

__all__ = ["SessionsAsked", "Survey", "sessions_in_order", "tracks_of"]

_TOKENS_AN_ENTRY = 50  # 12 entries within 600 tokens (design.md section 7)
_FEWEST_TURNS = 2


@dataclass(frozen=True, slots=True)
class SessionsAsked:
    """Which sessions, and how they are reviewed.

    Attributes:
        paths: transcripts or folders of them; the sessions that ship with Ferrule when empty.
        threshold: of the embedded reviewer; the home's setting when None.
        ontology: .pts files or folders that replace the shipped base.
        home: the home whose settings count; None for the usual one. Nothing is written there.
    """

    paths: Sequence[Path] = ()
    threshold: float | None = None
    ontology: Sequence[Path] = ()
    home: Path | None = None


@dataclass(slots=True)
class Survey:
    """What was passed over while sessions were read: files that are no transcripts, sessions that are not reviewed."""

    unreadable: int = 0
    declined: int = 0


def sessions_in_order(asked: SessionsAsked, survey: Survey, *, progress: Callable[[str], None]) -> Iterator[SessionRun]:
    """Every session, reviewed turn by turn; `survey` learns what was passed over.

    Raises:
        UsageError: there is no such path.
        UnreadableInput: nothing there is a transcript.
        StoreError: the temporary folder cannot be used.
    """
    with throw_away_home(asked.home, ontology=asked.ontology) as home:
        for imported in _sessions(home, asked, survey, progress):
            moments = []
            began = time.process_time()
            for outcome in _outcomes(home, imported, asked):
                spent = time.process_time() - began
                moments.append(_moment(home, imported, outcome, spent))
                began = time.process_time()
            if moments:
                yield SessionRun(imported.session.key, imported.format, tuple(moments))
            else:
                survey.declined += 1


def tracks_of(
    asked: SessionsAsked, measured: Asked, survey: Survey, *, progress: Callable[[str], None]
) -> Iterator[Track]:
    """Every session of at least two turns with what Ferrule would tell after each. Raises as `sessions_in_order`."""
    budgets = tuple(sorted({*measured.budgets, measured.tokens}))
    with throw_away_home(asked.home, ontology=asked.ontology) as home:
        for imported in _sessions(home, asked, survey, progress):
            if len(imported.turns) < _FEWEST_TURNS:
                continue
            cuts: dict[int, Cut] = {}
            for number, outcome in enumerate(_outcomes(home, imported, asked), start=1):
                if number < len(imported.turns) and outcome.outcome is not Outcome.DECLINED:
                    cuts[number] = _cut(home, imported.session.key, budgets)
            if cuts:
                turns = tuple(sorted(imported.turns, key=lambda turn: turn.ordinal))
                yield Track(imported.session.key, imported.format, turns, tuple(map(handles_of, turns)), cuts)
            else:
                survey.declined += 1


def _sessions(
    home: Home, asked: SessionsAsked, survey: Survey, progress: Callable[[str], None]
) -> Iterator[ImportedSession]:
    """The sessions at the paths, one session once, as far as they have completed turns."""
    seen: set[str] = set()
    with resources.as_file(resources.files("ferrule").joinpath("samples")) as samples:
        for path in asked.paths or _shipped(samples):
            for found in sessions_at(home, str(path), io.BytesIO(), progress=progress):
                if isinstance(found, Unreadable):
                    survey.unreadable += 1
                elif found.turns and found.session.key not in seen:
                    seen.add(found.session.key)
                    yield found
    if not seen:
        raise UnreadableInput("there is no session with a completed turn")


def _shipped(samples: Path) -> list[Path]:
    sessions = (samples / "sessions").glob("*.jsonl")
    return [*sorted(samples.glob("*.jsonl")), samples / "bench" / "turns.jsonl", *sorted(sessions)]


def _outcomes(home: Home, imported: ImportedSession, asked: SessionsAsked) -> Iterator[TurnOutcome]:
    for outcome in review_import(imported, critic_of(home, threshold=asked.threshold)):
        if outcome.outcome is not Outcome.DECLINED:
            yield outcome


def _moment(home: Home, imported: ImportedSession, outcome: TurnOutcome, spent: float) -> Moment:
    form = outcome.json_form()
    written, refused = form["written"], form["refused"]
    codes = [
        str(refusal["code"])
        for one in (refused if isinstance(refused, list) else [])
        for refusal in one.get("refusals", [])
    ]
    names = [str(one["prototype"]) for one in (written if isinstance(written, list) else [])]
    return Moment(
        turn=outcome.turn,
        ordinal=outcome.ordinal,
        outcome=outcome.outcome.value,
        written=tuple(names),
        refused=tuple(codes),
        held=_held(home, imported.session.key),
        seconds=spent,
    )


def _held(home: Home, key: str) -> dict[str, Holding]:
    layer, reader = home.store.layer(key), reader_of(home, key)
    found = {}
    for name in layer.names():
        prototype = layer.get(name)
        if prototype is not None:
            values = {prop.name: _text(prop.value) for prop in prototype.properties}
            found[name] = Holding(values, reader.details(name))
    return found


def _text(value: Value) -> str:
    return value if isinstance(value, str) else repr(value)


def _untold(_handle: HandleView) -> bool | None:
    """Nothing of a recorded session can be looked up on this machine."""
    return None


def _cut(home: Home, key: str, budgets: Sequence[int]) -> Cut:
    reader, memories = reader_of(home, key), reader_of(home, key).list()
    session = home.store.session(key)
    with reading(home.path) as remembered:
        lately = (
            lately_of(remembered, (key,), memories, check=_untold, cwd=session.cwd if session else None)
            if remembered is not None
            else ()
        )
    contexts = {
        tokens: context_text(reader, _untold, Budget(max(1, tokens // _TOKENS_AN_ENTRY), tokens), lately=lately)
        for tokens in budgets
    }
    return Cut(contexts, frozenset(handle.key for memory in memories for handle in memory.handles if handle.key))
