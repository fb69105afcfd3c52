"""A turn reaches from a person's message to the agent's last word: a `finish`, or a message after which it waits.

Owns steering, interruptions, the words that an evaluation says in a person's place, and where each command ran. Knows
nothing of files.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from ferrule.adapters.transcripts.drafts import Draft, RawCall
from ferrule.adapters.transcripts.injected import without_injected
from ferrule.adapters.transcripts.naming import folder_of
from ferrule.adapters.transcripts.openhands.events import Event

__all__ = ["drafts_of"]

# What an evaluation answers by itself when the agent stops and asks.
_NOBODY = ("Please continue working on the task on whatever approach you think is suitable",)


@dataclass(slots=True)
class _State:
    """The turns so far, the running one, and the calls that wait for their results.

    `left` is why the running turn stopped without a last word, `remark` what the agent said meanwhile.
    """

    line: int
    turns: list[Draft] = field(default_factory=list)
    running: Draft | None = None
    ended: bool = False
    left: str = ""
    remark: str = ""
    waiting: dict[str, tuple[RawCall, ...]] = field(default_factory=dict)
    directory: str | None = None
    delegated: int = 0


def drafts_of(events: Iterable[Event], line: int) -> list[Draft]:
    """The turns of a conversation in order, completed or not; `line` is where it stands in the file."""
    state = _State(line)
    for event in events:
        act = _ACTS.get(event.kind)
        if act is not None:
            act(state, event)
    _leave(state)
    return state.turns


def _leave(state: _State) -> None:
    now, state.running = state.running, None
    if now is not None and not state.ended:
        now.reason = state.left or "open"


def _human(state: _State, event: Event) -> None:
    words = without_injected(event.text).strip()
    if state.delegated or words.startswith(_NOBODY):
        return
    if state.running is not None and not state.ended and not state.left:
        if words:
            state.running.steering.append(words)
        return
    _leave(state)
    state.running = Draft(key="", line=state.line, user=words, cwd=state.directory)
    state.turns.append(state.running)
    state.ended, state.left, state.remark = False, "", ""


def _agent(state: _State, event: Event) -> None:
    if state.delegated or not event.text.strip():
        return
    if event.ends:
        _end(state, event)
    else:
        state.remark = event.text


def _finish(state: _State, event: Event) -> None:
    if not state.delegated:
        _end(state, event)


def _end(state: _State, event: Event) -> None:
    if state.running is None:
        return
    state.running.outcome = [event.text.strip() or state.remark.strip()]
    state.running.completed_at = event.stamp or state.running.completed_at
    state.ended, state.left = True, ""


def _call(state: _State, event: Event) -> None:
    state.delegated += event.delegates
    now = state.running
    if now is None:
        return
    _runs(state, event)
    for call in event.calls:
        call.id = f"c{len(now.calls) + 1}"
        call.cwd = state.directory
        now.calls[call.id] = call
    for name in filter(None, (event.id, *event.causes)):
        state.waiting[name] = event.calls


def _runs(state: _State, _event: Event) -> None:
    """The agent went on without a person's word: what it said before was not its last word."""
    state.left = state.remark = ""
    if state.ended and state.running is not None:
        state.ended, state.running.outcome = False, []


def _result(state: _State, event: Event) -> None:
    state.delegated = max(0, state.delegated - event.delegates)
    found = next((state.waiting[name] for name in event.causes if name in state.waiting), ())
    for number, call in enumerate(found):
        call.ok = event.ok if call.ok is None else call.ok
        call.result = event.text if number == 0 and call.result is None else call.result
    here = folder_of(event.directory)
    if here is None:
        return
    first = found[0] if found else None
    if first is not None and first.cwd is None and "cd " not in _command(first):
        first.cwd = here
    state.directory = here
    if state.running is not None and state.running.cwd is None:
        state.running.cwd = first.cwd if first is not None and first.cwd else here


def _command(call: RawCall) -> str:
    given = call.arguments.get("command") if isinstance(call.arguments, Mapping) else call.arguments
    return given if isinstance(given, str) else ""


def _failed(state: _State, _event: Event) -> None:
    state.delegated = 0  # whoever ran does not run any more: what a person says next is said to the agent
    state.left = state.left if state.ended else "api-error"


def _stopped(state: _State, _event: Event) -> None:
    state.delegated = 0
    state.left = state.left if state.ended else "interrupted"


def _waits(state: _State, event: Event) -> None:
    """The agent waits: what it said last was its last word."""
    if state.running is not None and not state.ended and state.remark.strip():
        _end(state, Event("agent", stamp=event.stamp, text=state.remark))


_ACTS: Mapping[str, Callable[[_State, Event], None]] = {
    "human": _human,
    "agent": _agent,
    "finish": _finish,
    "call": _call,
    "result": _result,
    "failed": _failed,
    "stopped": _stopped,
    "waits": _waits,
}
