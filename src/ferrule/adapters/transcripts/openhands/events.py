"""Two generations of OpenHands write one stream of events: who spoke, what was done, what came of it.

Owns the small event that both become. The first generation says `action` or `observation`, the SDK a `kind` of class.
Recalled knowledge, system prompts and condensations become none. Knows nothing of turns.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ferrule.adapters.transcripts.drafts import RawCall
from ferrule.adapters.transcripts.fields import joined_texts, text_at
from ferrule.adapters.transcripts.naming import moment_of
from ferrule.adapters.transcripts.openhands.calls import calls_of, outcome_of, typed_call, typed_outcome

__all__ = ["Event", "is_event", "is_telling", "read_event"]

_SOURCES = frozenset({"agent", "user", "environment"})
_KINDS = frozenset(
    (
        *("MessageEvent", "ActionEvent", "ObservationEvent", "AgentErrorEvent", "UserRejectObservation"),
        *("SystemPromptEvent", "PauseEvent", "ConversationStateUpdateEvent", "ConversationErrorEvent"),
        *("Condensation", "CondensationRequest", "CondensationSummaryEvent", "TokenEvent", "InterruptEvent"),
    )
)
_NAMES = frozenset(
    (
        *("message", "run", "run_ipython", "read", "write", "edit", "browse", "browse_interactive", "finish", "reject"),
        *("delegate", "recall", "system", "agent_state_changed", "change_agent_state", "call_tool_mcp", "mcp", "error"),
    )
)
_TYPED_MARKS = frozenset({"llm_message", "observation", "action", "system_prompt", "timestamp"})
_STATES = {
    "error": "failed",
    "rate_limited": "failed",
    "stopped": "stopped",
    "paused": "stopped",
    "user_rejected": "stopped",
    "rejected": "stopped",
    "awaiting_user_input": "waits",
    "finished": "waits",
    "running": "runs",
}


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    `kind` is `human`, `agent` (spoke), `finish`, `call`, `result`, `failed`, `stopped`, `waits` or `runs`. Of what was
    spoken `ends` tells whether the agent then waits for the user. `id` names a call, `causes` are the ids that a result
    may name it by. `delegates` marks a delegation's beginning and its end.
    """

    kind: str
    id: str = ""
    stamp: str | None = None
    text: str = ""
    ends: bool = True
    calls: tuple[RawCall, ...] = ()
    causes: tuple[str, ...] = ()
    ok: bool | None = None
    directory: str = ""
    delegates: bool = False


def is_event(value: object) -> bool:
    """Whether a JSON value has the shape of an event of either generation."""
    if not isinstance(value, dict) or "role" in value:
        return False
    if text_at(value, "kind") in _KINDS:
        return "source" in value or "tool_name" in value
    told = isinstance(value.get("action"), str) or isinstance(value.get("observation"), str)
    around = "args" in value or "extras" in value or "content" in value
    return told and around and text_at(value, "source") in _SOURCES


def is_telling(value: object) -> bool:
    """Whether an event can be nobody else's: logs of other programs have an `action` by an `agent` or a `user` too."""
    if not is_event(value) or not isinstance(value, dict):
        return False
    names = {value.get(key) for key in ("action", "observation") if isinstance(value.get(key), str)}
    return bool(_NAMES & names) or ("kind" in value and bool({"tool_name", *_TYPED_MARKS} & value.keys()))


def read_event(value: Mapping[str, Any]) -> Event | None:
    """Read one event; None when no turn can need it."""
    if text_at(value, "kind") in _KINDS:
        return _typed(value)
    if isinstance(value.get("action"), str):
        return _action(value, value["action"])
    if isinstance(value.get("observation"), str):
        return _observation(value, value["observation"])
    return None


def _id(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key)
    if isinstance(found, str):
        return found
    return str(found) if isinstance(found, int) and not isinstance(found, bool) and abs(found) < _LARGEST else ""


_LARGEST = 10**12


def _object(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def _action(value: Mapping[str, Any], name: str) -> Event | None:
    args, stamp = _object(value, "args"), moment_of(value.get("timestamp"))
    if name == "message":
        text = text_at(args, "content") or text_at(value, "message")
        if text_at(value, "source") == "user":
            return Event("human", _id(value, "id"), stamp, text)
        return Event("agent", _id(value, "id"), stamp, text, ends=args.get("wait_for_response") is not False)
    if name in {"finish", "reject"}:
        return Event("finish", _id(value, "id"), stamp, _last_words(args, text_at(value, "message")))
    calls = calls_of(name, args)
    if not calls:
        return None
    return Event("call", _id(value, "id"), stamp, text_at(args, "thought"), calls=calls, delegates=name == "delegate")


def _last_words(args: Mapping[str, Any], message: str) -> str:
    outputs = _object(args, "outputs")
    given = (text_at(args, "final_thought"), text_at(outputs, "content"), text_at(outputs, "reason"))
    return next((text for text in (*given, text_at(args, "thought"), message) if text.strip()), "")


def _observation(value: Mapping[str, Any], name: str) -> Event | None:
    extras = _object(value, "extras")
    if name == "agent_state_changed":
        kind = _STATES.get(text_at(extras, "agent_state").lower(), "")
        return Event(kind, stamp=moment_of(value.get("timestamp"))) if kind else None
    if "cause" not in value:
        return None
    ok, directory = outcome_of(name, value, extras)
    causes = (_id(value, "cause"),)
    text = text_at(value, "content")
    return Event("result", text=text, causes=causes, ok=ok, directory=directory, delegates=name == "delegate")


def _typed(value: Mapping[str, Any]) -> Event | None:
    kind, stamp = text_at(value, "kind"), moment_of(value.get("timestamp"))
    if kind == "MessageEvent":
        text = joined_texts(_object(value, "llm_message").get("content"))
        who = {"user": "human", "agent": "agent"}.get(text_at(value, "source"), "")
        return Event(who, _id(value, "id"), stamp, text) if who else None
    if kind == "ActionEvent":
        return _typed_action(value, stamp)
    if kind in _TYPED_STATES:
        return Event(_TYPED_STATES[kind], stamp=stamp)
    return _typed_result(value, kind)


_TYPED_STATES = {"PauseEvent": "stopped", "InterruptEvent": "stopped", "ConversationErrorEvent": "failed"}


def _typed_result(value: Mapping[str, Any], kind: str) -> Event | None:
    causes = (_id(value, "action_id"), _id(value, "tool_call_id"))
    if kind == "ObservationEvent":
        text, ok, directory = typed_outcome(_object(value, "observation"))
        return Event("result", text=text, causes=causes, ok=ok, directory=directory)
    if kind in {"AgentErrorEvent", "UserRejectObservation"}:
        text = text_at(value, "error") or text_at(value, "rejection_reason")
        return Event("result", text=text, causes=causes, ok=False)
    return None


def _typed_action(value: Mapping[str, Any], stamp: str | None) -> Event | None:
    action, tool = _object(value, "action"), text_at(value, "tool_name")
    thought = joined_texts(value.get("thought"))
    if tool == "finish" or text_at(action, "kind") == "FinishAction":
        return Event("finish", _id(value, "id"), stamp, text_at(action, "message") or thought)
    call = typed_call(tool, action, _object(value, "tool_call"))
    if call is None:
        return None
    ids = (_id(value, "id"), _id(value, "tool_call_id"))
    return Event("call", ids[0], stamp, thought, calls=(call,), causes=ids)
