"""A Copilot CLI session is the log of one conversation; its first event tells more about the place than any other's.

Owns session, keys, repository and the look of the file. Knows nothing of events.
"""

import re
from collections.abc import Mapping
from typing import Any

from ferrule.adapters.transcripts.copilot_cli.turns import read_events
from ferrule.adapters.transcripts.drafted import Drafted, imported
from ferrule.adapters.transcripts.fields import text_at
from ferrule.adapters.transcripts.formats import Given
from ferrule.adapters.transcripts.naming import folder_of, native_of
from ferrule.session.imported import ImportedSession
from ferrule.session.keys import session_key, turn_key
from ferrule.session.place import normal_remote
from ferrule.session.profiles import imported_profile
from ferrule.session.source import SourceSession

__all__ = ["NAME", "is_copilot", "session_of"]

NAME = "copilot-cli"
# What marks an event as one of Copilot CLI's: webhooks and analytics have a `user.created` and a `session.start` too.
_MARKS: Mapping[str, frozenset[str]] = {
    "session.start": frozenset({"sessionId"}),
    "user.message": frozenset({"content"}),
    "assistant.message": frozenset({"content", "toolRequests"}),
    "tool.execution_start": frozenset({"toolCallId"}),
    "tool.execution_complete": frozenset({"toolCallId"}),
}
_NONE: frozenset[str] = frozenset()
_SLUG = re.compile(r"\w[\w.-]{0,99}/\w[\w.-]{0,99}")
_HOST = re.compile(r"[A-Za-z0-9.-]{1,200}")


def is_copilot(value: Mapping[str, Any]) -> bool:
    """Whether a JSON object is an event of Copilot CLI."""
    data = value.get("data")
    return isinstance(data, dict) and bool(_MARKS.get(text_at(value, "type"), _NONE) & data.keys())


def session_of(given: Given) -> ImportedSession:
    """The session of one log, scrubbed (D13)."""
    scrub = given.scrub
    reading = read_events(given.records)
    key = session_key(NAME, native_of(reading.facts.get("sessionId"), scrub), head=given.lines.head)
    remote = _remote(reading.context)
    drafts = tuple(reading.drafts())
    for ordinal, draft in enumerate(drafts, start=1):
        draft.key = turn_key(None, ordinal, draft.user)
        draft.repository = remote or None
    cwd = next((draft.cwd for draft in drafts if draft.cwd), None) or folder_of(reading.context.get("cwd"))
    repository = normal_remote(remote)
    session = SourceSession(
        key=key,
        profile=imported_profile(NAME, profiles=given.profiles),
        lineage=key,
        client=NAME,
        title=reading.title,
        cwd=scrub(cwd) if cwd else None,
        repository=scrub(repository) if repository else None,
    )
    return imported(Drafted(session, drafts, tuple(reading.aside)), scrub, NAME)


def _remote(context: Mapping[str, Any]) -> str:
    """The repository's URL: the context names owner and name, and the host where it is known."""
    slug, host = text_at(context, "repository"), text_at(context, "repositoryHost")
    if not host and text_at(context, "hostType") in {"", "github"}:
        host = "github.com"
    known = _SLUG.fullmatch(slug) and _HOST.fullmatch(host)
    return f"https://{host}/{slug}" if known else ""
