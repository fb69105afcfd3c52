"""The text of a turn, handed over beside a command: read, scrubbed, and only the selected turn is kept (R75, R81, D13).

Owns which turn of a handed-over transcript is meant, why one is not completed (R76), and which place a turn without a
number gets. Knows nothing of attaching or of events.
"""

import contextlib
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TypeAlias, TypeVar

from ferrule.adapters.transcripts.neutral import is_neutral
from ferrule.adapters.transcripts.reader import read_stream
from ferrule.companion.answers import Declined, Ignored
from ferrule.companion.ports import CompanionStore
from ferrule.errors import Code, UnreadableInput, UsageError
from ferrule.session.imported import ImportedSession, SkippedTurn
from ferrule.session.source import SourceSession
from ferrule.session.turn import Turn
from ferrule.wiring.home import Home
from ferrule.wiring.reading import STANDARD_INPUT, read_file

__all__ = ["Handed", "hand_over", "keep", "names_session", "read_handover", "turn_of", "whole"]

_Answer = TypeVar("_Answer")
_Shown: TypeAlias = Turn | SkippedTurn
SHOWN = 3
_WHY = {
    "open": "it is still running",
    "interrupted": "it was interrupted",
    "api-error": "it ended in an error of the model's service",
    "no-outcome": "it ended without an answer",
    "no-user": "nobody said anything in it",
    "rolled-back": "it was rewound",
    "sidechain": "it belongs to a subagent",
    "injected": "the client started it by itself",
}


@dataclass(frozen=True, slots=True)
class Handed:
    """One turn as it was handed over, with what its transcript tells of its place.

    Attributes:
        session: the facts of its session.
        turn: the selected turn; of its neighbours nothing is kept.
        newest: the highest ordinal that the transcript shows, but for a last turn that still runs: that one is no
            history, its completion is yet to come.
        placed: False when the turn came alone and without a number: its ordinal says nothing.
    """

    session: SourceSession
    turn: Turn
    newest: int
    placed: bool = True


def read_handover(home: Home, path: str, stdin: IO[bytes]) -> tuple[ImportedSession, ...]:
    """The sessions of a transcript, or of neutral turns; `-` is standard input.

    Raises:
        UsageError: no such file, a folder, or a key in it is none.
        UnreadableInput: it is no transcript.
    """
    if path == STANDARD_INPUT:
        return read_stream(stdin, scrub=home.scrub, name=STANDARD_INPUT, profiles=home.settings.profiles)
    return read_file(home, Path(path))


def turn_of(home: Home, form: object) -> Handed | Declined:
    """One neutral turn (design.md section 8), handed over as an object.

    Raises:
        UsageError: a key in it is none, or it is no neutral turn.
    """
    if not isinstance(form, Mapping) or not is_neutral(form):
        raise UsageError("this is no turn: session_key, turn_key, user and outcome expected", code=Code.BAD_TOOL_ARGS)
    try:
        line = json.dumps(dict(form)).encode("ascii")
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"this turn is no JSON: {error}", code=Code.BAD_TOOL_ARGS) from error
    try:
        (session,) = read_stream(io.BytesIO(line), scrub=home.scrub, name="the turn")
    except UnreadableInput as error:
        raise UsageError(str(error), code=Code.BAD_TOOL_ARGS) from error
    return _newest(session)


def hand_over(sessions: tuple[ImportedSession, ...], source: str | None, turn: str | None) -> Handed | Declined:
    """Select one turn of what was read.

    Args:
        sessions: as `read_handover` gave them.
        source: the session that is meant, its key or the beginning of one; None for the only one.
        turn: key or ordinal; None for the newest completed turn.

    Raises:
        UsageError: the session or the turn is not among them.
    """
    session = _meant(sessions, source)
    if turn is None:
        return _newest(session)
    known = [one for one in _shown(session) if isinstance(one, Turn) or one.reason != "duplicate"]
    found = [one for one in known if _key(one) == turn] or [one for one in known if str(one.ordinal) == turn]
    if not found:
        raise UsageError(f"{session.file or 'it'} has no turn {turn} of {session.session.key}", code=Code.BAD_KEY)
    return _selected(session, found[0])


def keep(store: CompanionStore, handed: Handed) -> Turn:
    """Store the session's facts and exactly this turn; call it inside a unit. Returns the turn with its place.

    A turn that came alone and without a number is the next to arrive: behind everything that the store knows and that
    its subscription leaves out as history. A turn that is stored keeps the place it has.
    """
    source, turn = handed.session.key, handed.turn
    store.put_session(handed.session)
    known = store.turn_ordinal(source, turn.key)
    if known is not None:
        turn = replace(turn, ordinal=known)
    elif not handed.placed:
        subscription = store.subscription(source)
        before = max(store.last_ordinal(source), subscription.first_ordinal - 1 if subscription else 0)
        turn = replace(turn, ordinal=before + 1)
    store.put_turns((turn,))
    return turn


def whole(store: CompanionStore, decide: Callable[[], _Answer]) -> _Answer:
    """Decide in one unit; what a `Declined` or `Ignored` one had stored before is taken back (R9, R59)."""
    with contextlib.suppress(_Undone), store.unit():
        answer = decide()
        _stays(answer)
    return answer


class _Undone(Exception):
    """Leaves the unit so that nothing of it stays."""


def _stays(answer: object) -> None:
    if isinstance(answer, Declined | Ignored):
        raise _Undone


def names_session(sessions: tuple[ImportedSession, ...], word: str) -> bool:
    """Whether a word is the key of one of these sessions, or the beginning of one."""
    return bool(_named(sessions, word))


def _named(sessions: tuple[ImportedSession, ...], word: str) -> list[ImportedSession]:
    exact = [one for one in sessions if one.session.key == word]
    return exact or [one for one in sessions if word and one.session.key.startswith(word)]


def _meant(sessions: tuple[ImportedSession, ...], source: str | None) -> ImportedSession:
    found = list(sessions) if source is None else _named(sessions, source)
    if len(found) == 1:
        return found[0]
    file = next((one.file for one in sessions if one.file), "it")
    keys = [one.session.key for one in sessions]
    shown = ", ".join(keys[:SHOWN]) + (f" and {len(keys) - SHOWN} more" if len(keys) > SHOWN else "")
    if source is None:
        raise UsageError(f"{file} holds {len(keys)} sessions, name one of them: {shown}", code=Code.BAD_KEY)
    raise UsageError(f"{file} holds no session {source!r:.240}, but {shown}", code=Code.WRONG_SESSION)


def _newest(session: ImportedSession) -> Handed | Declined:
    shown: tuple[_Shown, ...] = session.turns or session.skipped
    if not shown:
        return Declined(Code.TURN_NOT_COMPLETED, f"{session.session.key} has no turn yet")
    return _selected(session, max(shown, key=lambda one: one.ordinal or 0))


def _shown(session: ImportedSession) -> tuple[_Shown, ...]:
    return (*session.turns, *session.skipped)


def _selected(session: ImportedSession, one: _Shown) -> Handed | Declined:
    if isinstance(one, SkippedTurn):
        why = f" ({_WHY[one.reason]})" if one.reason in _WHY else ""
        name = one.turn or f"{one.ordinal}"
        return Declined(Code.TURN_NOT_COMPLETED, f"turn {name} is not a completed one: {one.reason}{why}")
    shown = _shown(session)
    return Handed(session.session, one, _newest_over(shown), placed=session.numbered or len(shown) > 1)


def _newest_over(shown: tuple[_Shown, ...]) -> int:
    """The highest ordinal of a turn that has ended; a turn left open counts once another one came after it."""
    last = max(one.ordinal or 0 for one in shown)
    return max(one.ordinal or 0 for one in shown if not (_runs(one) and one.ordinal == last))


def _runs(one: _Shown) -> bool:
    return isinstance(one, SkippedTurn) and one.reason == "open"


def _key(one: _Shown) -> str:
    return one.key if isinstance(one, Turn) else one.turn
