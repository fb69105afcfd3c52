"""A person's message and every answer to it are one turn; what the client says in between goes on with it.

Owns the order of messages, completion, steering, compaction and undo. Knows nothing of files and databases.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ferrule.adapters.transcripts.drafts import Draft, RawCall
from ferrule.adapters.transcripts.fields import number_at, object_at, text_at
from ferrule.adapters.transcripts.naming import folder_of, moment_of
from ferrule.adapters.transcripts.opencode.calls import call_of, note_changes, said_in, statuses_of
from ferrule.adapters.transcripts.opencode.messages import Message, Prompt, Talk, read_prompt

__all__ = ["drafts_of"]

_ABORTED = frozenset({"MessageAbortedError", "AbortedError"})
_GOES_ON = frozenset({"tool-calls", "unknown"})
_NO_ROOTS = frozenset({"/", "\\"})


@dataclass(slots=True)
class _Open:
    """A turn while its messages are read: how its last answer ended, and when."""

    draft: Draft
    statuses: Mapping[str, str] = field(default_factory=dict)
    state: str = "open"
    until: float = 0.0


def drafts_of(talk: Talk) -> list[Draft]:
    """The turns of a session in order, completed or not; their keys are the client's ids of the user messages."""
    reading = _Reading(folder_of(talk.info.get("directory")))
    undone = text_at(object_at(talk.info, "revert"), "messageID")
    gone = False
    seen: set[str] = set()
    for number, message in enumerate(talk.messages, start=1):
        identity = text_at(message.info, "id")
        if identity and identity in seen:
            continue
        seen.add(identity)
        gone = gone or bool(undone and identity == undone)
        turn = reading.take(message, number)
        if gone and turn is not None:
            turn.draft.reason = "rolled-back"
    return [_closed(turn) for turn in reading.turns]


class _Reading:
    """The turns so far, by the messages that belong to them."""

    def __init__(self, cwd: str | None) -> None:
        self.turns: list[_Open] = []
        self._cwd = cwd
        self._owners: dict[str, _Open] = {}
        self._running: _Open | None = None

    def take(self, message: Message, number: int) -> _Open | None:
        """Read one message into its turn."""
        role = text_at(message.info, "role")
        if role == "user":
            turn: _Open | None = self._user(message, read_prompt(message), number)
        elif role == "assistant":
            turn = self._owners.get(text_at(message.info, "parentID") or "-") or self._running
            if turn is not None:
                _answer(turn, message)
        else:
            return None
        if turn is not None:
            self._owners[text_at(message.info, "id") or "none"] = turn
        return turn

    def _user(self, message: Message, prompt: Prompt, number: int) -> _Open:
        now = self._running
        if prompt.kind == "continued" and now is not None and now.state == "open":
            return now
        if prompt.kind == "human" and now is not None and _steers(now, message):
            now.draft.steering += [prompt.text] if prompt.text else []
            return now
        turn = self._new(message, prompt, number)
        # After a compaction the turn before goes on: it stays the running one.
        if prompt.kind != "aside" or now is None or now.state != "open":
            self._running = turn
        return turn

    def _new(self, message: Message, prompt: Prompt, number: int) -> _Open:
        draft = Draft(text_at(message.info, "id"), number, user=prompt.text, reason=prompt.reason, cwd=self._cwd)
        if prompt.kind == "continued":
            draft.reason = "injected"
        turn = _Open(draft, statuses_of(message.info, self._cwd))
        self.turns.append(turn)
        return turn


def _steers(now: _Open, message: Message) -> bool:
    """Whether words were sent while the turn before still ran: before the end of a step that was not its last."""
    return bool(message.parts) and now.state == "open" and 0 < _time(message.info, "created") <= now.until


def _answer(turn: _Open, message: Message) -> None:
    """One answer of the model, its calls included; the last one decides how the turn ended."""
    info, draft = message.info, turn.draft
    path = object_at(info, "path")
    draft.cwd = folder_of(path.get("cwd")) or draft.cwd
    root = folder_of(path.get("root"))
    draft.root = root if root and root not in _NO_ROOTS else draft.root
    texts: list[str] = []
    calls: list[RawCall] = []
    files: list[object] = []
    for part in message.parts:
        kind = text_at(part, "type")
        if kind == "text" and text_at(part, "text").strip() and part.get("synthetic") is not True:
            texts.append(text_at(part, "text"))
        elif kind == "tool":
            calls.append(_kept(draft, call_of(part, draft.cwd)))
            draft.steering += said_in(part)
        elif kind == "patch" and isinstance(part.get("files"), list):
            files += part["files"]
    note_changes(calls, files, turn.statuses)
    draft.outcome = texts
    draft.completed_at = moment_of(object_at(info, "time").get("completed"))
    turn.until = max(turn.until, _time(info, "completed"))
    turn.state = _state(message)


def _kept(draft: Draft, call: RawCall) -> RawCall:
    """The call under an id of its own: some servers number their calls anew in every answer."""
    if not call.id or call.id in draft.calls:
        call.id = f"{call.id or 'unnamed'}-{len(draft.calls) + 1}"
    draft.calls[call.id] = call
    return call


def _state(message: Message) -> str:
    """How an answer ended: `completed`, `open` (a step that others follow, or none yet), or why it broke off."""
    error = message.info.get("error")
    if isinstance(error, dict) and error:
        return "interrupted" if text_at(error, "name") in _ABORTED else "api-error"
    kinds = [text_at(part, "type") for part in message.parts]
    finish = text_at(message.info, "finish") or next(
        (text_at(p, "reason") for p in reversed(message.parts) if text_at(p, "type") == "step-finish"), ""
    )
    if finish == "error":
        return "api-error"
    if finish and finish not in _GOES_ON:
        return "completed"
    spoken = [kind for kind in kinds if kind in {"text", "tool"}]
    # Older versions do not say how a step ended: its time of completion and a text behind all calls do.
    done = _time(message.info, "completed") > 0 and spoken[-1:] == ["text"] and finish != "tool-calls"
    return "completed" if done else "open"


def _closed(turn: _Open) -> Draft:
    draft = turn.draft
    if not draft.reason and turn.state != "completed":
        draft.reason = turn.state
    return draft


def _time(info: Mapping[str, Any], key: str) -> float:
    return number_at(object_at(info, "time"), key)
