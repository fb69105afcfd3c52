"""An OpenCode session is its facts and its messages, wherever they were kept; a parent makes it a subagent's.

Owns session, parent and title, and how an export and a bare list of messages are read. Knows nothing of parts.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from ferrule.adapters.transcripts.conversations import opening
from ferrule.adapters.transcripts.drafted import Drafted, imported
from ferrule.adapters.transcripts.fields import object_at, objects_at, text_at
from ferrule.adapters.transcripts.formats import Given
from ferrule.adapters.transcripts.naming import folder_of, native_of
from ferrule.adapters.transcripts.opencode.messages import Message, Talk
from ferrule.adapters.transcripts.opencode.turns import drafts_of
from ferrule.session.imported import ImportedSession
from ferrule.session.keys import session_key, turn_key
from ferrule.session.profiles import imported_profile
from ferrule.session.source import SourceSession

__all__ = ["NAME", "is_export", "is_listed", "message_of", "session_of", "talk_of_export", "talks_of_list"]

NAME = "opencode"
_ROLES = frozenset({"user", "assistant"})


def is_export(value: object) -> bool:
    """Whether a JSON value is one exported session: its facts and a list of messages."""
    if not isinstance(value, dict) or not isinstance(value.get("messages"), list):
        return False
    info = object_at(value, "info")
    rows = value["messages"]
    if rows:
        return bool(info) and is_listed(rows[:40])
    return text_at(info, "id").startswith("ses_") or ("projectID" in info and "directory" in info)


def is_listed(rows: object) -> bool:
    """Whether a JSON value is a list of messages as the client's server answers it."""
    return isinstance(rows, list) and any(
        isinstance(row, dict)
        and isinstance(row.get("parts"), list)
        and text_at(object_at(row, "info"), "role") in _ROLES
        for row in rows
    )


def message_of(row: Mapping[str, Any]) -> Message:
    """One message of an export; parts that are no objects are passed over."""
    return Message(object_at(row, "info"), objects_at(row, "parts"))


def talk_of_export(value: Mapping[str, Any]) -> Talk:
    """The session of an export."""
    return Talk(object_at(value, "info"), [message_of(row) for row in objects_at(value, "messages")])


def talks_of_list(rows: Iterable[object]) -> list[Talk]:
    """The sessions of a bare list of messages, which lacks their facts: usually one."""
    by_session: dict[str, list[Message]] = {}
    for row in rows:
        if isinstance(row, dict):
            message = message_of(row)
            by_session.setdefault(text_at(message.info, "sessionID"), []).append(message)
    return [Talk({"id": session}, messages) for session, messages in by_session.items()]


def session_of(talk: Talk, given: Given) -> ImportedSession:
    """One session with its turns, scrubbed (D13)."""
    info, scrub = talk.info, given.scrub
    key = _key(info.get("id"), given)
    parent = text_at(info, "parentID")
    drafts = tuple(drafts_of(talk))
    for ordinal, draft in enumerate(drafts, start=1):
        draft.key = turn_key(native_of(draft.key, scrub), ordinal, draft.user)
    cwd = folder_of(info.get("directory")) or next((draft.cwd for draft in drafts if draft.cwd), None)
    session = SourceSession(
        key=key,
        profile=imported_profile(NAME, subagent=bool(parent), profiles=given.profiles),
        parent=_key(parent, given) if parent else None,
        lineage=None if parent else key,
        client=NAME,
        title=text_at(info, "title"),
        cwd=scrub(cwd) if cwd else None,
    )
    return imported(Drafted(session, drafts), scrub, NAME)


def _key(identity: object, given: Given) -> str:
    """The key of a session by its id; by the id's digest where it is a secret (D13): a database holds many."""
    native = native_of(identity, given.scrub)
    own = identity.strip() if isinstance(identity, str) else ""
    return session_key(NAME, native, head=opening([own]) if own else given.lines.head)
