"""Events between a task's start and its completion are one turn; without such marks a turn ends at the next prompt.

Owns steering, aborts, rollbacks, repeated facts, and what counts as the outcome. Knows nothing of lines.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ferrule.adapters.transcripts.codex.events import Event
from ferrule.adapters.transcripts.drafts import Draft
from ferrule.adapters.transcripts.injected import without_injected

__all__ = ["drafts_of", "environment_cwd"]

_REQUEST = "## My request for Codex:"
_NOT_WORDS = (
    "# AGENTS.md instructions",
    "<user_instructions>",
    "<environment_context>",
    "<skill",
    "<turn_aborted>",
    "<subagent_notification>",
    "<permissions instructions>",
    "<INSTRUCTIONS>",
    "<collaboration_mode>",
    "<user_shell_command>",
)
_CWD = re.compile(r"<cwd>([^<\n]{1,1000})</cwd>|^Current working directory: (.{1,1000})$", re.MULTILINE)


def drafts_of(events: Sequence[Event], cwd: str | None) -> list[Draft]:
    """The turns of a thread in order, completed or not.

    Args:
        events: all events of the file.
        cwd: the thread's first working directory.
    """
    state = _State(cwd, marked=any(event.kind in {"started", "complete"} for event in events))
    for event in _once(events):
        act = _ACTS.get(event.kind)
        if act is not None:
            act(state, event)
    return _close(state)


def environment_cwd(events: Iterable[Event]) -> str | None:
    """The working directory that an injected environment block names, for files whose header has none."""
    for event in events:
        if event.kind == "user" and event.source == "response":
            found = _CWD.search(event.text[:4000])
            if found is not None:
                return (found[1] or found[2]).strip()
    return None


def _once(events: Sequence[Event]) -> Iterable[Event]:
    """Each message once: whole items and events beat response items, which also carry injected context."""
    better = {
        kind: {event.source for event in events if event.kind == kind} - {"response"} for kind in ("user", "agent")
    }
    said: dict[str, tuple[str, str]] = {}
    for event in events:
        if event.kind in better:
            if event.source == "response" and better[event.kind]:
                continue
            source, text = said.get(event.kind, ("", ""))
            if text == event.text and source != event.source:
                continue
            said[event.kind] = (event.source, event.text)
        elif event.kind == "started":
            said.clear()
        yield event


@dataclass(slots=True)
class _State:
    """The turns so far and the running one.

    `implicit` tells that no start mark opened it, `marked` that the file has marks of completion.
    """

    cwd: str | None
    marked: bool
    turns: list[Draft] = field(default_factory=list)
    running: Draft | None = None
    implicit: bool = False


def _close(state: _State) -> list[Draft]:
    _leave(state, "open" if state.marked else "")
    return state.turns


def _leave(state: _State, reason: str) -> None:
    """End the running turn without a mark of completion."""
    now, state.running = state.running, None
    if now is not None and not now.reason:
        now.reason = reason or ("" if now.outcome else "open")


def _open(state: _State, key: str, line: int) -> Draft:
    state.running = Draft(key=key, line=line, cwd=state.cwd)
    state.turns.append(state.running)
    return state.running


def _started(state: _State, event: Event) -> None:
    now = state.running
    if now is not None and state.implicit and not now.calls and not now.outcome:
        now.key = event.turn or now.key  # the prompt came before its task's start
    else:
        _leave(state, "" if state.implicit else "open")
        _open(state, event.turn, event.line)
    state.implicit = False


def _complete(state: _State, event: Event) -> None:
    now = _of(state, event.turn)
    if now is None:
        return
    if event.text.strip():
        now.outcome = [event.text]
    now.completed_at = event.stamp or None
    if now is state.running:
        state.running = None


def _aborted(state: _State, event: Event) -> None:
    now = _of(state, event.turn)
    if now is not None:
        now.reason = "interrupted"
        if now is state.running:
            state.running = None


def _rolled_back(state: _State, event: Event) -> None:
    _leave(state, "open")
    live = [turn for turn in state.turns if turn.reason != "rolled-back" and turn.user]
    for turn in live[len(live) - min(event.number, len(live)) :]:
        turn.reason = "rolled-back"


def _context(state: _State, event: Event) -> None:
    cwd = event.payload.get("cwd")
    if isinstance(cwd, str) and cwd:
        state.cwd = cwd
        now = _of(state, event.turn)
        if now is not None:
            now.cwd = cwd


def _of(state: _State, turn: str) -> Draft | None:
    """The turn that an event names, else the running one."""
    if turn and (state.running is None or state.running.key != turn):
        return next((draft for draft in reversed(state.turns) if draft.key == turn), state.running)
    return state.running


def _user(state: _State, event: Event) -> None:
    words = _words(event)
    if not words:
        return
    now = state.running
    if now is not None and state.implicit and (now.outcome or now.calls):
        _leave(state, "")
        now = None
    if now is None:
        now, state.implicit = _open(state, "", event.line), True
    if now.user:
        now.steering.append(words)
    else:
        now.user = words


def _agent(state: _State, event: Event) -> None:
    if state.running is not None and event.text.strip():
        state.running.outcome = [event.text]
        state.running.completed_at = event.stamp or state.running.completed_at


def _call(state: _State, event: Event) -> None:
    if state.running is not None and event.call is not None:
        event.call.cwd = state.running.cwd
        # Numbered within its turn, so that it is the same whatever part of the file is read.
        event.call.id = event.call.id or f"unnamed-{len(state.running.calls) + 1}"
        state.running.calls.setdefault(event.call.id, event.call)
        state.running.outcome = []


def _output(state: _State, event: Event) -> None:
    for draft in (state.running, *reversed(state.turns[-3:])):
        call = draft.calls.get(event.call_id) if draft is not None else None
        if call is not None:
            call.result = event.text if not call.result else call.result
            return


def _ended(state: _State, event: Event) -> None:
    call = state.running.calls.get(event.call_id) if state.running is not None else None
    if call is None:
        return
    call.ok = event.ok if event.ok is not None else call.ok
    if event.text and call.result is None:
        call.result = event.text
    cwd = event.payload.get("cwd")
    call.cwd = str(cwd) if cwd else call.cwd


def _words(event: Event) -> str:
    """What the person said: IDE context before the request and injected blocks are not."""
    text = event.text
    if _REQUEST in text:
        text = text.partition(_REQUEST)[2]
    if text.lstrip().startswith(_NOT_WORDS):
        return ""
    return without_injected(text).strip()


_ACTS: Mapping[str, Callable[[_State, Event], None]] = {
    "started": _started,
    "complete": _complete,
    "aborted": _aborted,
    "rolled-back": _rolled_back,
    "context": _context,
    "user": _user,
    "agent": _agent,
    "call": _call,
    "output": _output,
    "ended": _ended,
}
