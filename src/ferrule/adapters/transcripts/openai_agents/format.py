"""A session of the OpenAI Agents SDK is the list of items that a run gives back, or a session of its database.

Owns both places. Knows nothing of what an item says.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from ferrule.adapters.transcripts.fields import text_at
from ferrule.adapters.transcripts.formats import Format, Given, Sample
from ferrule.adapters.transcripts.messages.reading import ROLES
from ferrule.adapters.transcripts.messages.turning import Conversation, session_of
from ferrule.adapters.transcripts.openai_agents.database import StoredSession, has_sessions, stored_sessions
from ferrule.adapters.transcripts.openai_agents.items import is_item, is_telling_item, said_in_item
from ferrule.session.imported import ImportedSession

__all__ = ["FORMAT"]

NAME = "openai-agents"
_LOOKED_AT = 60
_FROM_A_FILE = "openai-agents: a database is read from its file, not through a pipe"


def _looks(sample: Sample) -> bool:
    if sample.database:
        return has_sessions(sample.head)
    values = list(islice(sample.document, _LOOKED_AT)) if isinstance(sample.document, list) else []
    spoken = any(text_at(v, "role") in ROLES for v in values if isinstance(v, dict))
    return spoken and all(is_item(v) for v in values) and any(is_telling_item(v) for v in values)


def _read(given: Given) -> tuple[ImportedSession, ...]:
    if given.sample.database:
        if given.path is None:
            given.warnings.append(_FROM_A_FILE)
            return ()
        # One by one, so that not all of them are in memory as the SDK keeps them; the oldest first in the end.
        return tuple([_stored(one, given) for one in stored_sessions(given.path, given.warnings)][::-1])
    document = given.sample.document
    listed = document if isinstance(document, list) else [record.value for record in given.records]
    return (session_of(Conversation(NAME, _said(v for v in listed if isinstance(v, dict))), given),)


def _stored(session: StoredSession, given: Given) -> ImportedSession:
    found = session_of(Conversation(NAME, _said(session.items), id=session.id), given)
    told = (f"unreadable-entry: {session.unreadable}",) if session.unreadable else ()
    return replace(found, warnings=(*found.warnings, *told))


def _said(items: Iterable[Mapping[str, Any]]) -> list[Any]:
    return [said for item in items for said in said_in_item(item)]


FORMAT = Format(NAME, "a session of the OpenAI Agents SDK", _looks, _read)
