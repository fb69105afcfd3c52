"""Exactly the turn that a client's hook named is read out of its transcript, or it is told why not.

Owns how a native turn id is found (Codex names its turns, Claude Code a prompt of one), how the hook's digest of the
final message is compared, whether waiting may help, and reading only the end of a file from the last turn that is
known. Of the other turns nothing is scrubbed and nothing kept. Knows nothing of spools or stores.
"""

import hashlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, TypeAlias

from ferrule.adapters.transcripts.claude_code.reader import FORMAT as CLAUDE_CODE
from ferrule.adapters.transcripts.claude_code.reader import draft_claude_code
from ferrule.adapters.transcripts.codex.reader import FORMAT as CODEX
from ferrule.adapters.transcripts.codex.reader import draft_codex
from ferrule.adapters.transcripts.drafted import BEGINNING, Drafted, Start, turn_at
from ferrule.adapters.transcripts.drafts import Draft
from ferrule.adapters.transcripts.lines import JsonLines, Record
from ferrule.adapters.transcripts.scrubbing import Scrub, bounded
from ferrule.adapters.transcripts.tailing import opening_of
from ferrule.referents.kinds import NOWHERE, Place
from ferrule.session.imported import SkippedTurn
from ferrule.session.profiles import ClientProfiles
from ferrule.session.source import SourceSession
from ferrule.session.turn import Turn

__all__ = ["Anchor", "Missing", "Reading", "Selected", "Wanted", "final_digest", "select_turn"]

_MAX_SHOWN = 64
# A turn that ended so never completes; everything else may only be a transcript that lags behind its client.
_ENDED = {
    "interrupted": "it was interrupted",
    "api-error": "it ended in an error of the model's service",
    "rolled-back": "it was rewound",
    "injected": "the client started it by itself",
    "ui-command": "it is a command of the client's own",
    "user-shell": "it is a command of the person's own",
    "no-user": "nobody said anything in it",
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """The turn that a hook named.

    Attributes:
        client: whose transcript it is: `claude-code` or `codex`.
        turn: the client's id of it: Codex's turn, a prompt of Claude Code's; empty where the client names none.
        final: `final_digest` of its final message; empty when the client gave none.
        patient: False once waiting is no use: what the client named is then taken as a completed turn that only lacks
            its mark of completion, or that ended in other words than the hook was told.
    """

    client: str
    turn: str
    final: str = ""
    patient: bool = True


@dataclass(frozen=True, slots=True)
class Anchor:
    """A turn of the session that is known already, from which on the file is read."""

    key: str
    ordinal: int
    place: Place = NOWHERE
    branch: str | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read.

    Attributes:
        scrub: takes secrets out of one text (D13).
        profiles: which profile a client's sessions get; the shipped table when None.
        anchor: the last known turn, or None to read the whole file.
        stem: the file's name without its ending.
    """

    scrub: Scrub
    profiles: ClientProfiles | None = None
    anchor: Anchor | None = None
    stem: str = ""


@dataclass(frozen=True, slots=True)
class Selected:
    """The turn, scrubbed, with its session's facts as far as the part that was read shows them."""

    session: SourceSession
    turn: Turn
    whole: bool
    shown: tuple[str, ...] = ()
    """The keys of the first turns of the file, where it was read from its beginning."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Why there is no such turn; `passing` when the transcript may only lag behind its client.

    `expected` reasons are nothing that a person is told of: a client's own command, Ferrule's among them, was run.
    """

    reason: str
    passing: bool
    expected: bool = False


_Choice: TypeAlias = int | Missing
_NOT_YET: _Choice = Missing("the transcript does not show the turn yet", passing=True)


def final_digest(text: str) -> str:
    """The SHA-256 of a message without its white space, in hex, as the hook computes it."""
    return hashlib.sha256("".join(text.split()).encode("utf-8", "surrogatepass")).hexdigest()


def select_turn(stream: IO[bytes], wanted: Wanted, reading: Reading) -> Selected | Missing:
    """Read one turn of a transcript; from the anchor on where that can be found, else from the beginning.

    Raises:
        OSError: the stream cannot be read.
    """
    drafted = _from_anchor(stream, wanted, reading)
    whole = drafted is None
    chosen = _NOT_YET if drafted is None else _choose(drafted.drafts, wanted)
    if drafted is None or (chosen is _NOT_YET and not wanted.patient):  # the turn may be older than the anchor
        drafted, whole = _drafted(stream, wanted.client, reading, BEGINNING), True
        if drafted is None:
            return Missing("the transcript has nothing in it yet", passing=True)
        chosen = _choose(drafted.drafts, wanted)
    if isinstance(chosen, Missing):
        return chosen
    if drafted.drafts[chosen].reason == "open":
        drafted.drafts[chosen].reason = ""
    session, turn = turn_at(drafted, chosen, bounded(reading.scrub))
    if isinstance(turn, SkippedTurn):
        return _not(turn.reason, passing=turn.reason not in _ENDED)
    shown = tuple(draft.key for draft in drafted.drafts[:_MAX_SHOWN]) if whole else ()
    return Selected(session, turn, whole, shown)


def _from_anchor(stream: IO[bytes], wanted: Wanted, reading: Reading) -> Drafted | None:
    """The end of the file from the known turn on; None when the file does not have it where it should be."""
    anchor = reading.anchor
    offset = None if anchor is None else opening_of(stream, anchor.key, wanted.client)
    if anchor is None or not offset:
        return None
    head = list(itertools.islice(_records(stream, 0), 1)) if wanted.client == CODEX else []
    start = Start(anchor.ordinal, anchor.place, anchor.branch)
    drafted = _drafted(stream, wanted.client, reading, start, offset=offset, head=head)
    sound = drafted is not None and drafted.drafts and drafted.drafts[0].key == anchor.key
    return drafted if sound else None


def _drafted(
    stream: IO[bytes], client: str, reading: Reading, start: Start, *, offset: int = 0, head: list[Record] | None = None
) -> Drafted | None:
    stream.seek(offset)
    lines = JsonLines(stream)
    records = itertools.chain(head or (), lines)
    first = next(records, None)
    if first is None:
        return None
    records = itertools.chain((first,), records)
    if client == CLAUDE_CODE:
        return draft_claude_code(records, lines, stem=reading.stem, profiles=reading.profiles, start=start)
    return draft_codex(records, lines, profiles=reading.profiles, start=start)


def _records(stream: IO[bytes], offset: int) -> Iterator[Record]:
    stream.seek(offset)
    return iter(JsonLines(stream))


def _choose(drafts: tuple[Draft, ...], wanted: Wanted) -> _Choice:
    """The index of the wanted turn: of several that a prompt's id fits, the last with the hook's final message."""
    fit = [i for i, draft in enumerate(drafts) if not wanted.turn or wanted.turn in {draft.key, *draft.asked}]
    if not fit and wanted.final and not any(draft.asked for draft in drafts):  # a version that names no prompts
        fit = [i for i, draft in enumerate(drafts) if wanted.client == CLAUDE_CODE and _ends_as(draft, wanted)]
    if not fit:
        return _NOT_YET
    same = [i for i in fit if _ends_as(drafts[i], wanted)]
    chosen = (same or fit)[-1]
    draft = drafts[chosen]
    if draft.reason in _ENDED:
        return _not(draft.reason, passing=False)
    if not same and (wanted.patient or not wanted.turn or draft.reason):
        return Missing("the transcript does not show the turn's final message yet", passing=True)
    if draft.reason == "open" and not (wanted.client == CODEX and wanted.final and not wanted.patient):
        return Missing("the transcript does not show yet that the turn has ended", passing=True)
    return chosen


def _ends_as(draft: Draft, wanted: Wanted) -> bool:
    if not wanted.final:
        return not draft.reason
    shown = draft.outcome
    return bool(shown) and wanted.final in {final_digest("".join(shown)), final_digest(shown[-1])}


def _not(reason: str, *, passing: bool) -> Missing:
    return Missing(_why(reason), passing=passing, expected=reason == "ui-command")


def _why(reason: str) -> str:
    return _ENDED.get(reason, f"it is not a completed turn: {reason}")
