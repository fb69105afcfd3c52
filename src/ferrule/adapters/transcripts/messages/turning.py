"""A list of messages becomes turns: from a person's words to the agent's last ones before the next person's words.

Owns that cut for every format that only lists messages and marks no turn. Knows nothing of how a message is written.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from ferrule.adapters.transcripts.drafted import Drafted, imported
from ferrule.adapters.transcripts.drafts import Draft, RawCall
from ferrule.adapters.transcripts.formats import Given
from ferrule.adapters.transcripts.injected import without_injected
from ferrule.session.imported import ImportedSession
from ferrule.session.keys import session_key, turn_key
from ferrule.session.profiles import imported_profile
from ferrule.session.source import SourceSession

__all__ = ["Conversation", "Said", "Who", "drafts_of", "session_of"]

MAX_MESSAGES = 200_000


class Who(StrEnum):
    """Whose a message is. Instructions of the system are nobody's words and are never handed over."""

    USER = "user"
    AGENT = "agent"
    CALL = "call"
    RESULT = "result"


@dataclass(frozen=True, slots=True)
class Said:
    """One message, or one part of one, of a conversation.

    Attributes:
        who: whose it is.
        text: the words, or the text of a result.
        id: the message's own id (user), or the call's (call, result).
        tool: the called tool.
        arguments: what it was called with.
        ok: whether the call succeeded, where the format tells.
        at: the time as written, empty where there is none.
        details: structured evidence beside a result.
    """

    who: Who
    text: str = ""
    id: str = ""
    tool: str = ""
    arguments: str | Mapping[str, object] = ""
    ok: bool | None = None
    at: str = ""
    details: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Conversation:
    """One session of such a format: its client's id, where it stands, and what was said.

    `name` is the format's, `parent` the id of the session that started it, `fallback` the bytes that name a session
    without an id.
    """

    name: str
    said: Sequence[Said]
    id: str = ""
    parent: str = ""
    cwd: str | None = None
    title: str = ""
    fallback: bytes = b""


def session_of(conversation: Conversation, given: Given) -> ImportedSession:
    """The session of a conversation, scrubbed (D13)."""
    name = conversation.name
    head = conversation.fallback or given.sample.head
    drafts = drafts_of(conversation.said)
    for ordinal, draft in enumerate(drafts, start=1):
        draft.key = turn_key(draft.key or None, ordinal, draft.user)
        draft.cwd = conversation.cwd
    session = SourceSession(
        key=session_key(name, conversation.id, head=head),
        profile=imported_profile(name, subagent=bool(conversation.parent), profiles=given.profiles),
        parent=session_key(name, conversation.parent) if conversation.parent else None,
        client=name,
        title=conversation.title,
        cwd=conversation.cwd,
    )
    return imported(Drafted(session, tuple(drafts)), given.scrub, name)


def drafts_of(said: Iterable[Said]) -> list[Draft]:
    """The turns of a conversation, completed or not. Words before the first person's are nobody's turn.

    A turn is completed by the agent's words after its last call. Several messages of a person in a row are one.
    """
    drafts: list[Draft] = []
    for number, one in enumerate(said, start=1):
        if number > MAX_MESSAGES:
            break
        if one.who is Who.USER:
            _user(drafts, one, number)
        elif drafts:
            _ACTS[one.who](drafts[-1], one)
    for draft in drafts:
        if not draft.reason and not draft.outcome:
            draft.reason = "open"
    return drafts


def _user(drafts: list[Draft], one: Said, number: int) -> None:
    words = without_injected(one.text).strip()
    running = drafts[-1] if drafts else None
    if running is not None and not running.calls and not running.outcome and running.user:
        running.user = f"{running.user}\n\n{words}" if words else running.user
        return
    drafts.append(Draft(key=one.id, line=number, user=words))


def _agent(draft: Draft, one: Said) -> None:
    if one.text.strip():
        draft.outcome = [one.text]
        draft.completed_at = one.at or draft.completed_at


def _call(draft: Draft, one: Said) -> None:
    call_id = one.id if one.id and one.id not in draft.calls else f"{one.id or 'unnamed'}-{len(draft.calls) + 1}"
    draft.calls[call_id] = RawCall(call_id, one.tool, one.arguments)
    draft.outcome = []


def _result(draft: Draft, one: Said) -> None:
    """The result goes to the last open call of its id; without an id, to the oldest open call."""
    waiting = [call for call in draft.calls.values() if call.result is None]
    named = [call for call in waiting if one.id and (call.id == one.id or call.id.startswith(f"{one.id}-"))]
    chosen = named[-1] if named else waiting[0] if waiting and not one.id else None
    if chosen is not None:
        chosen.result, chosen.ok, chosen.details = one.text, one.ok, one.details


_ACTS: Mapping[Who, Callable[[Draft, Said], None]] = {Who.AGENT: _agent, Who.CALL: _call, Who.RESULT: _result}
