"""A plain list of chat messages is a session: as a list, under `messages` or `traj`, or one message a line.

Owns the places where such lists stand. Knows nothing of what a message looks like inside.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from ferrule.adapters.transcripts.conversations import distinct
from ferrule.adapters.transcripts.fields import text_at
from ferrule.adapters.transcripts.formats import Format, Given, Sample
from ferrule.adapters.transcripts.messages.reading import is_message, said_in
from ferrule.adapters.transcripts.messages.turning import Conversation, session_of
from ferrule.adapters.transcripts.mini_swe_agent.reader import is_bare
from ferrule.session.imported import ImportedSession

__all__ = ["FORMAT"]

NAME = "chat-messages"
_LISTS = ("messages", "traj")
_IDS = ("session_id", "conversation_id", "thread_id", "task_id", "id")
# A list of messages inside one of these belongs to a format of its own.
_OTHERS = frozenset(
    {"trajectory", "trajectory_format", "schema_version", "info", "sessionId", "projectHash", "history"}
)
_MAX_SESSIONS = 10_000
_LOOKED_AT = 20


def _looks(sample: Sample) -> bool:
    if sample.text:
        return False
    document = sample.document
    if isinstance(document, list):
        if is_bare(document):
            return False  # the bare list of old versions of mini-swe-agent, which has more to tell
        return _all_messages(document) or (bool(document) and all(_holder(one) for one in document[:_LOOKED_AT]))
    return bool(sample.values) and (
        all(_holder(value) for value in sample.values) or (len(sample.values) > 1 and _all_messages(sample.values))
    )


def _all_messages(values: Sequence[object]) -> bool:
    """Chat messages throughout, of a person and not of one alone: one object says too little to be taken for a chat."""
    first = list(islice(values, _LOOKED_AT))
    roles = {text_at(value, "role") for value in first if isinstance(value, dict)}
    return bool(first) and all(is_message(value) for value in first) and "user" in roles


def _holder(value: object) -> bool:
    """Whether an object holds a list of chat messages and is of no format that has more to tell."""
    if not isinstance(value, dict) or (_OTHERS & value.keys() and "traj" not in value):
        return False
    return any(isinstance(value.get(key), list) and _all_messages(value[key]) for key in _LISTS)


def _read(given: Given) -> tuple[ImportedSession, ...]:
    sessions = [session_of(one, given) for one in islice(_conversations(given), _MAX_SESSIONS)]
    return distinct(sessions, given.warnings)


def _conversations(given: Given) -> Iterator[Conversation]:
    document = given.sample.document
    if isinstance(document, list) and not any(_holder(one) for one in document[:_LOOKED_AT]):
        yield Conversation(NAME, _said(document))
        return
    held = document if isinstance(document, list) else [record.value for record in given.records]
    if held and not _holder(held[0]):
        yield Conversation(NAME, _said(held))
        return
    for number, one in enumerate(held, start=1):
        if isinstance(one, dict) and _holder(one):
            yield _conversation(one, number, alone=len(held) == 1)
        else:
            given.warnings.append(f"unreadable-entry {number}")


def _conversation(value: Mapping[str, Any], number: int, *, alone: bool) -> Conversation:
    """One of the conversations of a file. An id that is only a number in the file says nothing outside of it."""
    listed = next(value[key] for key in _LISTS if isinstance(value.get(key), list))
    named = next((text_at(value, key) for key in _IDS if text_at(value, key)), "")
    numbered = not named or named.strip().isdigit()
    place = "" if alone or not numbered else str(number)
    return Conversation(NAME, _said(listed), id="" if numbered else named, place=place)


def _said(values: Sequence[object]) -> list[Any]:
    return [said for value in values if isinstance(value, dict) and "type" not in value for said in said_in(value)]


FORMAT = Format(NAME, "a list of chat messages", _looks, _read)
