"""An OpenHands file holds one conversation as events, or one on each line of an evaluation's output.

Owns the places where a history stands, what names a conversation, and the diff that an evaluation keeps beside it.
Knows nothing of single events.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ferrule.adapters.transcripts.conversations import distinct, opening
from ferrule.adapters.transcripts.drafted import Drafted, imported
from ferrule.adapters.transcripts.drafts import Draft, RawCall
from ferrule.adapters.transcripts.fields import text_at
from ferrule.adapters.transcripts.formats import Given
from ferrule.adapters.transcripts.naming import native_of
from ferrule.adapters.transcripts.openhands.events import is_event, is_telling, read_event
from ferrule.adapters.transcripts.openhands.turns import drafts_of
from ferrule.adapters.transcripts.submissions import root_shown
from ferrule.session.imported import ImportedSession
from ferrule.session.keys import session_key, turn_key
from ferrule.session.profiles import imported_profile
from ferrule.session.source import SourceSession

__all__ = ["NAME", "is_openhands", "read_openhands"]

NAME = "openhands"
_LISTS = ("history", "trajectory", "events", "items")
_LOOKED_AT = 20
_MAX_EVENTS = 50_000
_MAX_ID = 150
_UPLOADED = re.compile(r"<uploaded_files>\s{0,8}(/[^\s<]{1,400})\s{0,8}</uploaded_files>")
_Event = Mapping[str, Any]


def is_openhands(document: object, values: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a file has the shape of a conversation: a list of events, events by line, or objects that hold them."""
    if isinstance(document, list):
        return any(is_telling(row) for row in document[:_LOOKED_AT])
    held = any(any(is_telling(row) for row in _flat(_history(value)[:_LOOKED_AT])) for value in values)
    return held or (len(values) > 1 and any(is_telling(value) for value in values))


def read_openhands(given: Given) -> tuple[ImportedSession, ...]:
    """The sessions of a file: one per history."""
    document = given.sample.document
    if isinstance(document, list):
        return (_session({}, _flat(document), 1, given),)
    loose: list[_Event] = []
    sessions: list[ImportedSession] = []
    for record in given.records:
        history = _history(record.value)
        if history:
            sessions.append(_session(record.value, _flat(history), record.line, given))
        elif is_event(record.value) and len(loose) < _MAX_EVENTS:
            loose.append(record.value)
    if loose:
        sessions.append(_session({}, loose, 1, given))
    return distinct(sessions, given.warnings)


def _history(value: Mapping[str, Any]) -> list[Any]:
    """The events that an object holds; empty when it holds none."""
    for key in _LISTS:
        rows = value.get(key)
        if isinstance(rows, list) and any(is_event(row) for row in _flat(rows[:_LOOKED_AT])):
            return rows
    return []


def _flat(rows: Sequence[Any]) -> list[_Event]:
    """The events of a history; old outputs keep each action with its observation in a pair."""
    return [event for event in _unpaired(rows[:_MAX_EVENTS]) if isinstance(event, dict)]


def _unpaired(rows: Sequence[Any]) -> Iterator[Any]:
    for row in rows:
        if isinstance(row, list):
            yield from row[:2]
        else:
            yield row


def _session(value: Mapping[str, Any], rows: Sequence[_Event], line: int, given: Given) -> ImportedSession:
    events = [event for row in rows if (event := read_event(row)) is not None]
    drafts = drafts_of(events, line)
    _patch(value, drafts)
    for ordinal, draft in enumerate(drafts, start=1):
        draft.key = turn_key(None, ordinal, draft.user)
    begun = [f"{row.get('id')}\x01{row.get('timestamp')}" for row in rows[:3]]
    head = opening([*begun, *(draft.user for draft in drafts[:1])])
    named = native_of(value.get("instance_id"), given.scrub)[:_MAX_ID]
    key = session_key(NAME, f"{named}-{head.decode('ascii')[:8]}" if named else None, head=head)
    cwd = next((draft.cwd for draft in drafts if draft.cwd), None)
    session = SourceSession(
        key=key,
        profile=imported_profile(NAME, profiles=given.profiles),
        lineage=key,
        client=NAME,
        title=named,
        cwd=given.scrub(cwd) if cwd else None,
    )
    return imported(Drafted(session, tuple(drafts)), given.scrub, NAME)


def _patch(value: Mapping[str, Any], drafts: Sequence[Draft]) -> None:
    """What an evaluation found changed at the end is what the last turn handed in.

    A diff names its files from the repository's root. Where nothing shows that root, it is left out: from another
    folder the same names would be other files.
    """
    tested = value.get("test_result")
    patch = text_at(tested, "git_patch") if isinstance(tested, dict) else ""
    last = drafts[-1] if drafts else None
    if last is None or "diff --git" not in patch:
        return
    root = _root(last, patch)
    if root is not None:
        last.root = root
        call = RawCall(f"c{len(last.calls) + 1}", "submit", {"patch": patch}, ok=True, cwd=root)
        last.calls[call.id] = call


def _root(draft: Draft, patch: str) -> str | None:
    uploaded = _UPLOADED.search(draft.user[:4000])
    return root_shown(patch, draft.calls.values()) or (uploaded[1] if uploaded is not None else None)
