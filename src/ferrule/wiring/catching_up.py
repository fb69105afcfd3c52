"""Catch-up on one home: which sources are meant, their turns brought in, the batch run in this process (R99).

Owns the way from the words of a command to batches, and what follows a run: the memory file and the manifest as files.
Knows nothing of what a plan leaves out or of how a turn is reviewed.
"""

import contextlib
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import IO

from ferrule.companion.answers import Declined
from ferrule.companion.catching_up import (
    Halt,
    LeftOut,
    Plan,
    Progress,
    Reset,
    Step,
    Unfinished,
    Why,
    begin,
    entries,
    keep,
    plan,
    progress_of,
    reset,
    run_all,
    run_next,
    unfinished,
)
from ferrule.companion.outcomes import Outcome
from ferrule.errors import Code, StoreError, UsageError
from ferrule.session.imported import ImportedSession
from ferrule.wiring.critic import critic_of, projected
from ferrule.wiring.home import Home
from ferrule.wiring.manifests import project_manifest
from ferrule.wiring.reading import Unreadable, sessions_at
from ferrule.wiring.sessions import LAST, resolved
from ferrule.wiring.silencing import heard, refused

__all__ = [
    "Declined",
    "Halt",
    "LeftOut",
    "Plan",
    "Progress",
    "Reset",
    "Step",
    "Target",
    "Unfinished",
    "Unreadable",
    "Why",
    "begun",
    "forgotten_batch",
    "plan_of",
    "progress_now",
    "run_batch",
    "targets",
    "title_of",
    "why_unfinished",
]


@dataclass(frozen=True, slots=True)
class Target:
    """One source to catch up, and the transcript that its turns come from when one was named."""

    source: str
    arriving: ImportedSession | None = None


def targets(
    home: Home, name: str | None, path: str | None, stdin: IO[bytes], *, progress: Callable[[str], None]
) -> Iterator[Target | Unreadable]:
    """The sources that a command means: those of the transcripts at a path, or a stored one.

    Args:
        home: the home.
        name: key, beginning of one or `last`; None for the newest, or for every session at the path.
        path: transcript, folder of transcripts, or `-`; None for the stored turns.
        stdin: where `-` reads from.
        progress: told what is read.

    Raises:
        UsageError: no such session, no such path, or the session is not at the path.
        UnreadableInput: nothing there is a transcript.
    """
    if path is None:
        yield Target(resolved(home, name or LAST).key)
        return
    wanted = resolved(home, LAST).key if name == LAST else name
    found = False
    for imported in sessions_at(home, path, stdin, progress=progress):
        if isinstance(imported, Unreadable):
            yield imported
        elif wanted is None or imported.session.key.startswith(wanted):
            found = True
            yield Target(imported.session.key, imported)
    if wanted is not None and not found:
        raise UsageError(f"{path} holds no session {wanted!r}", code=Code.BAD_KEY)


def plan_of(home: Home, target: Target) -> Plan | Declined:
    """What catching up this source would do; reads only."""
    off = _off(home, target)
    if off is not None:
        return off
    return plan(home.store, target.source, arriving=target.arriving)


def begun(home: Home, target: Target, *, progress: Callable[[str], None]) -> Plan | Declined:
    """Store the turns of the transcript, if one was named, and put what is to be reviewed into the lane.

    Raises:
        StoreError: the home cannot be written.
    """
    off = _off(home, target)
    if off is not None:
        return off
    if target.arriving is not None:
        progress(f"{target.source}: storing its turns")
        refusal = keep(home.store, heard(home, target.arriving))
        if refusal is not None:
            return refusal
    planned = begin(home.store, target.source)
    with contextlib.suppress(StoreError):  # the run tells it at its end; the file is only a projection
        project_manifest(home, target.source)
    return planned


def _off(home: Home, target: Target) -> Declined | None:
    """Declined where nothing is captured, unless a person wants it anyway."""
    return refused(home, target.source, None if target.arriving is None else target.arriving.session)


def run_batch(home: Home, source: str, *, one: bool, progress: Callable[[str], None]) -> Generator[Step, None, None]:
    """Run a begun batch in this process, or only its next turn; afterwards the files follow the store (D12).

    Raises:
        StoreError: the home cannot be written; what was committed before stays.
    """

    def rest(seconds: float) -> None:
        progress(f"{source}: waiting for the worker that reviews it")
        time.sleep(seconds)

    run = run_next if one else run_all
    wrote = False
    progress(f"{source}: reviewing its turns")
    try:
        for step in run(critic_of(home), source, rest=rest):
            wrote = wrote or step.outcome.outcome is Outcome.WROTE
            count = step.progress
            progress(f"{source}: {count.of - count.left} of {count.of} turns done")
            yield step
    finally:
        if wrote:
            projected(home, source)
        project_manifest(home, source)


def progress_now(home: Home, source: str) -> Progress:
    """How far the batch of a source is, as its markers tell."""
    return progress_of(entries(home.store, source))


def why_unfinished(home: Home, source: str) -> Unfinished | None:
    """Why turns of the batch are still to be reviewed; None when none is."""
    return unfinished(home.store, source)


def forgotten_batch(home: Home, name: str | None) -> Reset:
    """Forget the batch of a source: its manifest, and what of it still waits; reviews stay.

    Raises:
        UsageError: no such session.
        StoreError: the home cannot be written.
    """
    source = resolved(home, name or LAST).key
    done = reset(home.store, source)
    project_manifest(home, source)
    return done


def title_of(home: Home, source: str, turn: str) -> str:
    """What the user said in a turn, while that is kept."""
    stored = home.store.turn(source, turn)
    return "" if stored is None else stored.user
