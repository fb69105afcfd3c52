"""A list of messages becomes turns: from a person's words to the agent's last ones before the next person's words.

Owns that cut for every format that only lists messages and marks no turn. Knows nothing of how a message is written.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from ferrule.adapters.transcripts.conversations import opening
from ferrule.adapters.transcripts.drafted import Drafted, imported
from ferrule.adapters.transcripts.drafts import Draft, RawCall
from ferrule.adapters.transcripts.formats import Given
from ferrule.adapters.transcripts.injected import without_injected
from ferrule.adapters.transcripts.naming import native_of
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

    `name` is the format's, `parent` the key of the session that started it. A session whose id is none is named by
    `place`, what tells it from others of its file, and by what was said up to the agent's first words: that stays when
    the conversation goes on, while the first bytes of a file may be instructions that a thousand files begin with.
    """

    name: str
    said: Sequence[Said]
    id: str = ""
    parent: str = ""
    cwd: str | None = None
    title: str = ""
    place: str = ""


def session_of(conversation: Conversation, given: Given) -> ImportedSession:
    """The session of a conversation, scrubbed (D13)."""
    name, scrub = conversation.name, given.scrub
    drafts = drafts_of(conversation.said)
    known: set[str] = set()
    for ordinal, draft in enumerate(drafts, start=1):
        native = native_of(draft.key, scrub)
        draft.key = turn_key(None if native in known else native, ordinal, draft.user)
        known.add(native)
        draft.cwd = conversation.cwd
    named = native_of(conversation.id, scrub)
    session = SourceSession(
        key=session_key(name, named, head=b"" if named else opening(_begun(conversation))),
        profile=imported_profile(name, subagent=bool(conversation.parent), profiles=given.profiles),
        parent=conversation.parent or None,
        client=name,
        title=conversation.title,
        cwd=scrub(conversation.cwd) if conversation.cwd else None,
    )
    return imported(Drafted(session, tuple(drafts)), scrub, name)


def _begun(conversation: Conversation) -> Iterator[str]:
    """What a conversation began with, up to the agent's first words."""
    yield from (conversation.place, conversation.id)
    for one in conversation.said:
        yield from (one.who, one.id, one.at, one.tool, one.text)
        if one.who is Who.AGENT and one.text.strip():
            return


@dataclass(slots=True)
class _State:
    """The turns so far; the calls without a result, by their ids and in order; what the person says in a row."""

    drafts: list[Draft] = field(default_factory=list)
    waiting: dict[str, list[RawCall]] = field(default_factory=dict)
    queue: deque[RawCall] = field(default_factory=deque)
    words: list[str] = field(default_factory=list)

    def settle(self) -> None:
        """What the person said in a row is one message."""
        if self.words:
            self.drafts[-1].user, self.words = "\n\n".join(self.words), []


def drafts_of(said: Iterable[Said]) -> list[Draft]:
    """The turns of a conversation, completed or not. Words before the first person's are nobody's turn.

    A turn is completed by the agent's words after its last call. Several messages of a person in a row are one.
    """
    state = _State()
    for number, one in enumerate(said, start=1):
        if number > MAX_MESSAGES:
            break
        if one.who is Who.USER:
            _user(state, one, number)
        elif state.drafts:
            state.settle()
            _ACTS[one.who](state, one)
    state.settle()
    for draft in state.drafts:
        if not draft.reason and not draft.outcome:
            draft.reason = "open"
    return state.drafts


def _user(state: _State, one: Said, number: int) -> None:
    words = without_injected(one.text).strip()
    if not words and one.text.strip():
        return  # a reminder of the client's, often beside a tool's result: the turn goes on
    running = state.drafts[-1] if state.drafts else None
    begun = running is not None and not running.calls and not running.outcome
    if begun and running is not None and (state.words or running.user):
        state.words = state.words or [running.user]
    else:
        state.drafts.append(Draft(key=one.id, line=number))
    state.words += [words] if words else []


def _agent(state: _State, one: Said) -> None:
    draft = state.drafts[-1]
    if one.text.strip():
        draft.outcome = [one.text]
        draft.completed_at = one.at or draft.completed_at


def _call(state: _State, one: Said) -> None:
    draft = state.drafts[-1]
    call_id = one.id if one.id and one.id not in draft.calls else f"{one.id or 'unnamed'}-{len(draft.calls) + 1}"
    call = draft.calls[call_id] = RawCall(call_id, one.tool, one.arguments)
    state.waiting.setdefault(one.id, []).append(call)
    state.queue.append(call)
    draft.outcome = []


def _result(state: _State, one: Said) -> None:
    """The result goes to the last open call of its id, which may be an earlier turn's; without an id, to the oldest."""
    while state.queue and state.queue[0].result is not None:
        state.queue.popleft()
    named = state.waiting.get(one.id, [])
    while named and named[-1].result is not None:
        named.pop()
    chosen = (named.pop() if named else None) if one.id else (state.queue.popleft() if state.queue else None)
    if chosen is not None:
        chosen.result, chosen.ok, chosen.details = one.text, one.ok, one.details


_ACTS: Mapping[Who, Callable[[_State, Said], None]] = {Who.AGENT: _agent, Who.CALL: _call, Who.RESULT: _result}
