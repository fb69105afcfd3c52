"""Imported sessions are reviewed turn by turn, in this process, through the same lane as everybody's.

Owns the way from an imported session to its report (design.md sections 2 and 8): facts and turns stored, one
instruction per turn, the worker run until the lane is empty. Knows nothing of how a turn is judged.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import IO

from ferrule.companion.importing import review_import
from ferrule.companion.patience import Patience
from ferrule.errors import Code, UsageError
from ferrule.session.imported import ImportedSession
from ferrule.session.turn import Turn
from ferrule.wiring.critic import critic_of, projected
from ferrule.wiring.explaining import chosen_turns
from ferrule.wiring.home import Home
from ferrule.wiring.reading import Unreadable, sessions_at
from ferrule.wiring.silencing import heard

__all__ = ["SessionReport", "review_inputs", "review_session"]


@dataclass(frozen=True, slots=True)
class SessionReport:
    """What a review of one session gave.

    Attributes:
        review: the object of `ferrule review --json`.
        titles: what the user said, by turn key.
        heading: how the session is called on a page.
        remarks: what of its file was passed over, single lines apart.
    """

    review: dict[str, object]
    titles: Mapping[str, str]
    heading: str
    remarks: tuple[str, ...] = ()


def review_inputs(
    home: Home,
    path: str,
    stdin: IO[bytes],
    *,
    only: str | None,
    progress: Callable[[str], None],
    form: str | None = None,
) -> Iterator[SessionReport | Unreadable]:
    """Review every session at a path, or only one turn of it; `form` names the format where a person says it.

    Raises:
        UsageError: no such path, format or turn.
        UnreadableInput: nothing there is a transcript.
        StoreError: the home cannot be used.
    """
    found = False
    for imported in sessions_at(home, path, stdin, progress=progress, form=form):
        if isinstance(imported, Unreadable):
            yield imported
            continue
        chosen = imported if only is None else _only(imported, only)
        if chosen is None:
            continue
        found = True
        yield review_session(home, chosen, progress=progress)
    if only is not None and not found:
        raise UsageError(f"{path} has no completed turn {only}", code=Code.BAD_KEY)


def _only(imported: ImportedSession, turn: str) -> ImportedSession | None:
    try:
        (key,) = chosen_turns(tuple((known.ordinal, known.key) for known in imported.turns), turn, "")
    except UsageError:
        return None
    return replace(imported, turns=tuple(known for known in imported.turns if known.key == key), skipped=())


def review_session(home: Home, imported: ImportedSession, *, progress: Callable[[str], None]) -> SessionReport:
    """Review the turns of one imported session that were not reviewed before.

    Raises:
        StoreError: the home cannot be used; what was committed before stands.
    """
    session = imported.session
    given, imported = imported, heard(home, imported)
    reviews: list[dict[str, object]] = []
    patience = Patience(told=progress)
    # Closed here whatever ends it: what is still to be done after the last turn needs the home open.
    with closing(
        review_import(imported, critic_of(home), settled=partial(projected, home), patience=patience)
    ) as outcomes:
        for outcome in outcomes if imported.turns or not given.turns else ():  # a project that is off keeps nothing
            reviews.append(outcome.json_form())
            progress(f"{session.key}: reviewed {len(reviews)} of {len(imported.turns)} turns")
    skipped: list[dict[str, object]] = [{"turn": skip.turn, "reason": skip.reason} for skip in imported.skipped]
    review: dict[str, object] = {"session": session.key, "skipped": skipped, "reviews": reviews}
    remarks = tuple(f"{given.file}: {one}" for one in given.warnings if not one.startswith("unreadable-line"))
    return SessionReport(review, {turn.key: turn.user for turn in imported.turns}, _heading(imported), remarks)


def _heading(imported: ImportedSession) -> str:
    session = imported.session
    where = session.cwd or _somewhere(imported.turns)
    count = len(imported.turns)
    return "  ".join(part for part in (session.key, where, f"{count} turn{'' if count == 1 else 's'}") if part)


def _somewhere(turns: tuple[Turn, ...]) -> str:
    return next((turn.place.cwd for turn in turns if turn.place.cwd), "")
