"""In a Gemini CLI session a turn reaches from a person's message to the next; the last text without calls is its end.

Owns what is a person's message, what the client says in a person's place, cancelled calls and errors. Knows nothing of
files.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ferrule.adapters.transcripts.drafts import Draft
from ferrule.adapters.transcripts.fields import joined_texts, objects_at, text_at
from ferrule.adapters.transcripts.gemini_cli.calls import call_of, is_cancelled
from ferrule.adapters.transcripts.gemini_cli.log import Entry
from ferrule.adapters.transcripts.gemini_cli.place import CONTEXT
from ferrule.adapters.transcripts.injected import without_injected
from ferrule.adapters.transcripts.naming import moment_of

__all__ = ["drafts_of"]

_FILES = "--- Content from referenced files ---"
_CONTINUED = frozenset({"System: Please continue.", "Please continue."})
_SNAPSHOT = "<state_snapshot>"
_SHELL = "I ran the following shell command:"
_CANCELLED = "Request cancelled."
_COMMAND = re.compile(r"[/?][A-Za-z][\w:.-]{0,60}(?:\s|$)")


@dataclass(slots=True)
class _Open:
    """A turn while its messages are read.

    `cancelled` tells that the person stopped the client behind a text; `command` that the message looks like one.
    """

    draft: Draft
    state: str = "open"
    cancelled: bool = False
    command: bool = False
    answered: bool = False


def drafts_of(entries: Iterable[Entry], cwd: str | None) -> list[Draft]:
    """The turns of a session in order, completed or not, without keys: the format has no id of a turn (design 2)."""
    turns: list[_Open] = []
    aside = False
    for entry in entries:
        kind = text_at(entry.value, "type")
        if kind == "user":
            opened = _user(entry, turns, cwd)
            aside = opened == "aside"
        elif kind == "gemini" and aside:
            aside = False  # the model's nod to a summary that the client wrote
        elif turns and entry.gone == (turns[-1].draft.reason == "rolled-back"):
            _other(turns[-1], kind, entry.value, cwd)
    return [_closed(turn) for turn in turns]


def _user(entry: Entry, turns: list[_Open], cwd: str | None) -> str:
    """Read a user message: `turn` when it opens one, `aside` for the client's summary, else `none`."""
    text, shown = joined_texts(entry.value.get("content")), joined_texts(entry.value.get("displayContent"))
    if text.lstrip().startswith(CONTEXT):
        return "none"
    if _SNAPSHOT in text[:400]:
        return "aside"
    if text.strip() in _CONTINUED and turns:
        turns[-1].state = "open"
        return "none"
    if not text.strip() and not shown.strip() and _is_answers(entry.value.get("content")):
        return "none"
    words = without_injected((shown or text).partition(_FILES)[0]).strip()
    draft = Draft("", entry.line, user=words, cwd=cwd, reason="rolled-back" if entry.gone else "")
    if text.startswith(_SHELL) and not shown and not draft.reason:
        draft.reason = "user-shell"
    command = not shown.strip() and _COMMAND.match(words) is not None
    turns.append(_Open(draft, command=command))
    return "turn"


def _is_answers(content: object) -> bool:
    """Whether a message only hands tools' answers to the model; they stand at the calls too."""
    parts = content if isinstance(content, list) else []
    return any(isinstance(part, dict) and "functionResponse" in part for part in parts)


def _other(turn: _Open, kind: str, value: Mapping[str, Any], cwd: str | None) -> None:
    if kind == "gemini":
        turn.answered = True
        _answer(turn, value, cwd)
    elif kind == "info" and joined_texts(value.get("content")).strip() == _CANCELLED:
        turn.cancelled = turn.state == "completed"
        turn.state = turn.state if turn.cancelled else "interrupted"
    elif kind == "error" and turn.state != "completed":
        turn.state = "api-error"


def _answer(turn: _Open, value: Mapping[str, Any], cwd: str | None) -> None:
    draft, calls = turn.draft, objects_at(value, "toolCalls")
    text = joined_texts(value.get("content")).strip()
    for raw in calls:
        call = call_of(raw, cwd)
        call.id = call.id or f"unnamed-{len(draft.calls) + 1}"
        draft.calls[call.id] = call
    if calls and all(is_cancelled(call) for call in calls):
        # Stopped before anything came of it: a text said before it still stands.
        turn.state = "completed" if turn.state == "completed" and not text else "interrupted"
        turn.cancelled = False
    elif calls:
        turn.state, draft.outcome = "open", []
    elif text:
        turn.state, draft.outcome = "completed", [text]
        draft.completed_at = moment_of(value.get("timestamp"))


def _closed(turn: _Open) -> Draft:
    draft = turn.draft
    if draft.reason:
        return draft
    if turn.command and not turn.answered:
        draft.reason = "ui-command"
    elif turn.cancelled:
        draft.reason = "interrupted"
    elif turn.state != "completed":
        draft.reason = turn.state
    return draft
