"""A Copilot CLI turn reaches from a person's message to the last answer without requests; model calls are not turns.

Owns whose message it is, interactions, subagents inside the log, aborts, rewinds, and the client's own summaries. Knows
nothing of files.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ferrule.adapters.transcripts.copilot_cli.calls import call_of, end_call, is_shell
from ferrule.adapters.transcripts.drafts import Draft
from ferrule.adapters.transcripts.fields import object_at, objects_at, text_at
from ferrule.adapters.transcripts.injected import without_injected
from ferrule.adapters.transcripts.lines import Record
from ferrule.adapters.transcripts.naming import folder_of, moment_of
from ferrule.session.imported import SkippedTurn
from ferrule.session.ledger.arguments import PATH_KEYS, first_text

__all__ = ["Reading", "read_events"]

# Who spoke in a `user.message`; every other source (a skill, a hook, the autopilot, …) is the client itself.
_PERSONS = frozenset({"", "user", "command", "immediate-prompt"})
_INJECTED = ("<skill-context", "<system_notification>", "<system-notification>")
_MAX_CHANGED = 20
_MAX_LOOKED_AT = 500
_MAX_PATCH = 1024 * 1024


@dataclass(slots=True)
class _Turn:
    draft: Draft
    interaction: str
    position: int
    state: str = "open"


@dataclass(slots=True)
class Reading:
    """What a log says: the turns, what is no turn, and the facts of the session as they stand at its end.

    `live` are the turns that were not taken back.
    """

    facts: dict[str, Any] = field(default_factory=dict)
    context: dict[str, Any] = field(default_factory=dict)
    turns: list[_Turn] = field(default_factory=list)
    live: list[_Turn] = field(default_factory=list)
    aside: list[SkippedTurn] = field(default_factory=list)
    title: str = ""
    in_call: bool = False
    agents: set[str] = field(default_factory=set)
    seen: dict[str, int] = field(default_factory=dict)
    changed: list[str] = field(default_factory=list)

    def drafts(self) -> list[Draft]:
        """The turns in order, completed or not, without keys: the client's hooks know no id of a turn (design 2)."""
        if len(self.turns) == 1 and self.changed:
            _note_changed(self.turns[0].draft, self.changed)
        for turn in self.turns:
            if not turn.draft.reason and turn.state != "completed":
                turn.draft.reason = turn.state
        return [turn.draft for turn in self.turns]


def read_events(records: Iterable[Record]) -> Reading:
    """Read the events of one log. Events of subagents are passed over; each subagent is named once in `aside`."""
    reading = Reading()
    for position, record in enumerate(records):
        kind, data = text_at(record.value, "type"), object_at(record.value, "data")
        identity = text_at(record.value, "id")
        if identity:
            if identity in reading.seen:
                continue
            reading.seen[identity] = position
        act = _ACTS.get(kind)
        if _is_subagents(record.value, data):
            _aside(reading, text_at(record.value, "agentId") or text_at(data, "parentToolCallId"), record.line)
        elif act is not None:
            act(reading, data, _At(position, record.line, text_at(record.value, "timestamp")))
    return reading


@dataclass(frozen=True, slots=True)
class _At:
    """Where and when an event stands."""

    position: int
    line: int
    stamp: str


def _is_subagents(value: Mapping[str, Any], data: Mapping[str, Any]) -> bool:
    """Whether an event belongs to a subagent: by its own mark in newer versions, by the parent's call in older ones."""
    return bool(text_at(value, "agentId") or text_at(data, "parentToolCallId"))


def _aside(reading: Reading, agent: str, line: int) -> None:
    if agent not in reading.agents:
        reading.agents.add(agent)
        reading.aside.append(SkippedTurn(f"agent-{len(reading.agents)}", "sidechain", None, line))


def _started(reading: Reading, data: Mapping[str, Any], at: _At) -> None:
    for key, value in data.items():
        if key != "context":
            reading.facts.setdefault(key, value)
    _moved(reading, object_at(data, "context"), at)
    if reading.turns and reading.turns[-1].state == "open":
        reading.in_call = False  # resumed: what ran then does not run any more


def _moved(reading: Reading, data: Mapping[str, Any], at: _At) -> None:  # noqa: ARG001 - one signature for all events
    if data:
        reading.context = dict(data)
        if reading.turns and reading.turns[-1].state == "open":
            _place(reading.turns[-1].draft, reading.context, first=False)


def _place(draft: Draft, context: Mapping[str, Any], *, first: bool) -> None:
    """Where a turn runs; its branch is the one at its end, its folder the one at its beginning."""
    draft.branch = text_at(context, "branch") or draft.branch
    if first:
        draft.cwd, draft.root = folder_of(context.get("cwd")), folder_of(context.get("gitRoot"))


def _user(reading: Reading, data: Mapping[str, Any], at: _At) -> None:
    now = reading.turns[-1] if reading.turns else None
    text = text_at(data, "content")
    if text_at(data, "source") not in _PERSONS or text.lstrip().startswith(_INJECTED):
        if now is not None and now.state == "completed":
            now.state = "open"  # the client sends the agent on: the same intent, a later end
        return
    words = without_injected(text).strip()
    interaction = text_at(data, "interactionId")
    if now is not None and now.state == "open" and not now.draft.reason and _goes_into(reading, now, interaction, data):
        now.draft.steering += [words] if words else []
        return
    draft = Draft("", at.line, user=words)
    _place(draft, reading.context, first=True)
    reading.turns.append(_Turn(draft, interaction, at.position))
    reading.live.append(reading.turns[-1])
    reading.in_call = False


def _goes_into(reading: Reading, now: _Turn, interaction: str, data: Mapping[str, Any]) -> bool:
    """Whether words were sent into the running turn: one interaction is one turn; without one, while the model ran."""
    if interaction and now.interaction:
        return interaction == now.interaction
    return reading.in_call or text_at(data, "source") == "immediate-prompt"


def _answered(reading: Reading, data: Mapping[str, Any], at: _At) -> None:  # noqa: ARG001 - as below
    """A person's answer to a question of the agent."""
    words = text_at(data, "answer").strip()
    if reading.turns and words:
        reading.turns[-1].draft.steering.append(words)


def _model_call(reading: Reading, data: Mapping[str, Any], at: _At) -> None:  # noqa: ARG001 - as above
    reading.in_call = True


def _model_done(reading: Reading, data: Mapping[str, Any], at: _At) -> None:  # noqa: ARG001 - as above
    reading.in_call = False


def _assistant(reading: Reading, data: Mapping[str, Any], at: _At) -> None:
    if not reading.turns:
        return
    now = reading.turns[-1]
    requests = objects_at(data, "toolRequests")
    for request in requests:
        _begin(now.draft, text_at(request, "toolCallId"), text_at(request, "name"), request.get("arguments"))
    text = text_at(data, "content").strip()
    if requests:
        now.state, now.draft.outcome = "open", []
    elif text:
        _end(now, text, at)


def _end(now: _Turn, text: str, at: _At) -> None:
    now.state, now.draft.outcome = "completed", [text]
    now.draft.completed_at = moment_of(at.stamp)


def _begin(draft: Draft, identity: str, name: str, arguments: object) -> None:
    if identity and name:
        draft.calls.setdefault(identity, call_of(identity, name, arguments))


def _tool(reading: Reading, data: Mapping[str, Any], at: _At) -> None:  # noqa: ARG001 - as above
    if reading.turns:
        draft = reading.turns[-1].draft
        _begin(draft, text_at(data, "toolCallId"), text_at(data, "toolName"), data.get("arguments"))
        call = draft.calls.get(text_at(data, "toolCallId"))
        if call is not None:
            call.cwd = call.cwd or folder_of(reading.context.get("cwd"))


def _tool_done(reading: Reading, data: Mapping[str, Any], at: _At) -> None:  # noqa: ARG001 - as above
    identity = text_at(data, "toolCallId")
    for turn in reversed(reading.turns[-3:]):
        call = turn.draft.calls.get(identity)
        if call is not None:
            if call.result is None:
                end_call(call, data)
            return


def _aborted(reading: Reading, data: Mapping[str, Any], at: _At) -> None:  # noqa: ARG001 - as above
    reading.in_call = False
    if reading.turns and reading.turns[-1].state != "completed":
        reading.turns[-1].state = "interrupted"


def _failed(reading: Reading, data: Mapping[str, Any], at: _At) -> None:  # noqa: ARG001 - as above
    if reading.turns and reading.turns[-1].state == "open":
        reading.turns[-1].state = "api-error"


def _rewound(reading: Reading, data: Mapping[str, Any], at: _At) -> None:  # noqa: ARG001 - as above
    """The event that is named and all after it were taken back."""
    position = reading.seen.get(text_at(data, "upToEventId"))
    if position is None:
        return
    while reading.live and reading.live[-1].position >= position:
        reading.live.pop().draft.reason = "rolled-back"
        reading.in_call = False
    last = reading.live[-1] if reading.live else None
    if last is not None and last is not reading.turns[-1] and last.state == "open":
        last.state = "interrupted"


def _task_done(reading: Reading, data: Mapping[str, Any], at: _At) -> None:
    """On autopilot the agent ends a task with a tool that carries its last words."""
    summary = text_at(data, "summary").strip()
    if reading.turns and summary and data.get("success") is not False and reading.turns[-1].state == "open":
        _end(reading.turns[-1], summary, at)


def _titled(reading: Reading, data: Mapping[str, Any], at: _At) -> None:  # noqa: ARG001 - as above
    reading.title = text_at(data, "title") or reading.title


def _shut(reading: Reading, data: Mapping[str, Any], at: _At) -> None:  # noqa: ARG001 - as above
    files = object_at(data, "codeChanges").get("filesModified")
    left = _MAX_LOOKED_AT - len(reading.changed)
    reading.changed += [path for path in files[:left] if folder_of(path)] if isinstance(files, list) else []


def _note_changed(draft: Draft, files: list[str]) -> None:
    """Put the files that the session changed to its last command, where no editing tool names them.

    Only where the session is one turn: the client counts them once, at the end.
    """
    shells = [call for call in draft.calls.values() if is_shell(call)]
    given = [call.arguments for call in draft.calls.values() if isinstance(call.arguments, dict)]
    named = {first_text(arguments, PATH_KEYS) for arguments in given}
    patches = "\n".join(call.arguments for call in draft.calls.values() if isinstance(call.arguments, str))[:_MAX_PATCH]
    rest = [path for path in dict.fromkeys(files) if path not in named and path.rpartition("/")[2] not in patches]
    if shells and 0 < len(rest) <= _MAX_CHANGED:
        shells[-1].details = {**shells[-1].details, "files_changed": [{"path": path} for path in rest]}


_ACTS: Mapping[str, Callable[[Reading, Mapping[str, Any], _At], None]] = {
    "session.start": _started,
    "session.resume": _started,
    "session.context_changed": _moved,
    "session.title_changed": _titled,
    "session.error": _failed,
    "session.snapshot_rewind": _rewound,
    "session.task_complete": _task_done,
    "session.shutdown": _shut,
    "user.message": _user,
    "user_input.completed": _answered,
    "assistant.turn_start": _model_call,
    "assistant.turn_end": _model_done,
    "assistant.message": _assistant,
    "tool.execution_start": _tool,
    "tool.execution_complete": _tool_done,
    "abort": _aborted,
}
