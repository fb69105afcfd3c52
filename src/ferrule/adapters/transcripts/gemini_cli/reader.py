"""A Gemini CLI session is what its file folds into; one that the client started by itself has a parent.

Owns session, parent, keys and the look of the file. Knows nothing of messages.
"""

from collections.abc import Mapping
from typing import Any

from ferrule.adapters.transcripts.drafted import Drafted, imported
from ferrule.adapters.transcripts.fields import text_at
from ferrule.adapters.transcripts.formats import Given
from ferrule.adapters.transcripts.gemini_cli.log import folded
from ferrule.adapters.transcripts.gemini_cli.place import working_directory
from ferrule.adapters.transcripts.gemini_cli.turns import drafts_of
from ferrule.adapters.transcripts.naming import native_of
from ferrule.session.imported import ImportedSession
from ferrule.session.keys import session_key, turn_key
from ferrule.session.profiles import imported_profile
from ferrule.session.source import SourceSession

__all__ = ["NAME", "is_gemini", "session_of"]

NAME = "gemini-cli"


def is_gemini(value: Mapping[str, Any]) -> bool:
    """Whether a JSON object is a session, or a line of its log."""
    if text_at(value, "sessionId") and text_at(value, "projectHash"):
        return True
    return text_at(value, "type") == "gemini" and bool(text_at(value, "id")) and "content" in value


def session_of(given: Given) -> ImportedSession:
    """The session of one file, scrubbed (D13)."""
    scrub = given.scrub
    log = folded(given.records)
    key = session_key(NAME, native_of(log.facts.get("sessionId"), scrub), head=given.lines.head)
    subagent = text_at(log.facts, "kind") == "subagent"
    cwd = working_directory(log.facts, log.entries, given.path)
    drafts = tuple(drafts_of(log.entries, cwd))
    for ordinal, draft in enumerate(drafts, start=1):
        draft.key = turn_key(None, ordinal, draft.user)
    session = SourceSession(
        key=key,
        profile=imported_profile(NAME, subagent=subagent, profiles=given.profiles),
        parent=session_key(NAME, _parent(given)) if subagent else None,
        lineage=None if subagent else key,
        client=NAME,
        title=text_at(log.facts, "summary"),
        cwd=scrub(cwd) if cwd else None,
    )
    return imported(Drafted(session, drafts), scrub, NAME)


def _parent(given: Given) -> str:
    """The session in whose folder the file of a subagent stands; the file itself does not name it."""
    path = given.path
    known = path is not None and path.parent.parent.name == "chats"
    return (native_of(path.parent.name, given.scrub) if known and path is not None else "") or "unknown"
