"""A trajectory of mini-swe-agent is one conversation: a task, and those that a person gave when it was finished.

Owns which of the messages in the user's role are a person's: the first, a new task, and words at a rejected or
interrupted command. All others are what commands printed. Knows nothing of how a command is written.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ferrule.adapters.transcripts.conversations import distinct, opening
from ferrule.adapters.transcripts.drafted import Drafted, imported
from ferrule.adapters.transcripts.drafts import Draft, RawCall
from ferrule.adapters.transcripts.fields import joined_texts, text_at
from ferrule.adapters.transcripts.formats import Given
from ferrule.adapters.transcripts.injected import without_injected
from ferrule.adapters.transcripts.mini_swe_agent.shell import (
    ASKED_TO_FINISH,
    answer_of,
    commands_of,
    has_command,
    prose_of,
)
from ferrule.adapters.transcripts.mini_swe_agent.tasks import task_in
from ferrule.adapters.transcripts.naming import folder_of, moment_of
from ferrule.session.imported import ImportedSession
from ferrule.session.keys import session_key, turn_key
from ferrule.session.profiles import imported_profile
from ferrule.session.source import SourceSession

__all__ = ["NAME", "is_bare", "is_mini_swe_agent", "read_mini_swe_agent"]

NAME = "mini-swe-agent"
_LOOKED_AT = 20
_MAX_MESSAGES = 10_000
_MILLISECONDS = 1000
_NEW_TASK = "The user added a new task:"
_INTERRUPTED = "Interrupted by user:"
_REJECTED = (
    "Command not executed. The user rejected your command with the following message:",
    "Command not executed.",
)


def is_mini_swe_agent(value: Mapping[str, Any]) -> bool:
    """Whether a JSON object has the shape of a trajectory."""
    if text_at(value, "trajectory_format").startswith(NAME):
        return isinstance(value.get("messages"), list)
    info, messages = value.get("info"), value.get("messages")
    if not isinstance(info, dict) or not isinstance(messages, list):
        return False
    return "mini_version" in info or ("exit_status" in info and "submission" in info)


def is_bare(rows: Sequence[Any]) -> bool:
    """Whether a list is the bare list of messages that old versions wrote."""
    first = [row for row in rows[:_LOOKED_AT] if isinstance(row, dict)]
    answered = any(text_at(row, "role") == "user" and answer_of(row) is not None for row in first)
    commanded = any(
        text_at(row, "role") == "assistant" and has_command(joined_texts(row.get("content"))) for row in first
    )
    return text_at(first[0], "role") in {"system", "user"} and (answered or commanded) if first else False


def read_mini_swe_agent(given: Given) -> tuple[ImportedSession, ...]:
    """The sessions of a file: one per trajectory."""
    document = given.sample.document
    if isinstance(document, list):
        return (_session({"messages": document}, 1, given),)
    found = [record for record in given.records if is_mini_swe_agent(record.value)]
    return distinct([_session(record.value, record.line, given) for record in found], given.warnings)


@dataclass(slots=True)
class _State:
    """The turns so far, and the calls of the running one that wait for their answers."""

    info: Mapping[str, Any]
    cwd: str | None
    turns: list[Draft] = field(default_factory=list)
    waiting: list[RawCall] = field(default_factory=list)
    finishing: bool = False
    submission: str = ""


def _session(value: Mapping[str, Any], line: int, given: Given) -> ImportedSession:
    given_info = value.get("info")
    info: Mapping[str, Any] = given_info if isinstance(given_info, dict) else {}
    listed = value.get("messages")
    messages = [row for row in listed[:_MAX_MESSAGES] if isinstance(row, dict)] if isinstance(listed, list) else []
    state = _State(info, _cwd(info))
    for message in messages:
        _take(state, message, line)
    _close(state)
    for ordinal, draft in enumerate(state.turns, start=1):
        draft.key = turn_key(None, ordinal, draft.user)
    begun = [f"{text_at(row, 'role')}:{joined_texts(row.get('content'))}" for row in messages[:4]]
    key = session_key(NAME, None, head=opening([*begun, *_ids(messages[:4])]))
    session = SourceSession(
        key=key,
        profile=imported_profile(NAME, profiles=given.profiles),
        lineage=key,
        client=NAME,
        cwd=given.scrub(state.cwd) if state.cwd else None,
    )
    return imported(Drafted(session, tuple(state.turns)), given.scrub, NAME)


def _take(state: _State, message: Mapping[str, Any], line: int) -> None:
    role = text_at(message, "role")
    if role == "assistant":
        _assistant(state, message)
    elif role == "exit":
        told = message.get("extra")
        state.submission = text_at(told, "submission") if isinstance(told, dict) else ""
        state.submission = state.submission or joined_texts(message.get("content"))
    elif role in {"user", "tool"}:
        _user(state, message, role, line)


def _assistant(state: _State, message: Mapping[str, Any]) -> None:
    if not state.turns:
        return
    draft = state.turns[-1]
    said = prose_of(message)
    draft.outcome = [said] if said else draft.outcome
    draft.completed_at = _moment(message) or draft.completed_at
    state.finishing, state.waiting = False, []
    for command, _ in commands_of(message):
        if any(mark in command for mark in ASKED_TO_FINISH):
            state.finishing = True
            continue
        call = RawCall(f"c{len(draft.calls) + 1}", "bash", {"command": command}, cwd=state.cwd)
        draft.calls[call.id] = call
        state.waiting.append(call)


def _user(state: _State, message: Mapping[str, Any], role: str, line: int) -> None:
    text = joined_texts(message.get("content")).strip()
    answer = answer_of(message)
    if not state.turns:
        task = without_injected(task_in(text, state.info))
        state.turns.append(Draft(key="", line=line, user=task, cwd=state.cwd))
    elif answer is not None:
        if state.waiting:
            call = state.waiting.pop(0)
            call.result, call.ok = answer.text, None if answer.code is None else answer.code == 0
    elif role == "user":
        _words(state, text, line)


def _words(state: _State, text: str, line: int) -> None:
    """A message in the user's role that is no answer: a new task, words at a stopped command, or what was handed in."""
    draft = state.turns[-1]
    if text.startswith(_NEW_TASK):
        _finish(state, draft)
        words = without_injected(text.removeprefix(_NEW_TASK)).strip()
        state.turns.append(Draft(key="", line=line, user=words, cwd=state.cwd))
        return
    stopped = next((mark for mark in (_INTERRUPTED, *_REJECTED) if text.startswith(mark)), "")
    if stopped:
        draft.steering.extend(filter(None, [without_injected(text.removeprefix(stopped)).strip()]))
        for call in state.waiting:
            call.ok = False
        state.waiting = []
    elif state.finishing:
        state.submission = text


def _close(state: _State) -> None:
    if not state.turns:
        return
    draft = state.turns[-1]
    status = text_at(state.info, "exit_status").strip().lower()
    state.submission = text_at(state.info, "submission") or state.submission
    _finish(state, draft)
    if status:
        draft.reason = "" if status == "submitted" else _reason(status)


def _finish(state: _State, draft: Draft) -> None:
    """The end of a turn: finished when the agent asked for it, with what it handed in."""
    handed, state.submission = state.submission.strip(), ""
    if "diff --git" in handed:
        call = RawCall(f"c{len(draft.calls) + 1}", "submit", {"patch": handed}, ok=True, cwd=state.cwd)
        draft.calls[call.id] = call
    elif handed:
        draft.outcome = [*draft.outcome, handed] if handed not in draft.outcome else draft.outcome
    draft.outcome = draft.outcome or ([handed] if handed else [])
    draft.reason = "" if state.finishing else "open"
    state.finishing, state.waiting = False, []


def _reason(status: str) -> str:
    if "interrupt" in status:
        return "interrupted"
    return "api-error" if any(mark in status for mark in ("api", "auth", "ratelimit", "contextwindow")) else "open"


def _cwd(info: Mapping[str, Any]) -> str | None:
    """The folder in which every command runs: each has a shell of its own."""
    config = info.get("config")
    environment = config.get("environment") if isinstance(config, dict) else None
    return folder_of(environment.get("cwd")) if isinstance(environment, dict) else None


def _moment(message: Mapping[str, Any]) -> str | None:
    extra = message.get("extra")
    stamp = extra.get("timestamp") if isinstance(extra, dict) else message.get("timestamp")
    if isinstance(stamp, int | float) and not isinstance(stamp, bool):
        return moment_of(stamp * _MILLISECONDS)
    return moment_of(stamp)


def _ids(messages: Sequence[Mapping[str, Any]]) -> list[str]:
    """What tells two runs of one task apart: the moments at which their first messages came."""
    return [moment for message in messages if (moment := _moment(message)) is not None]
