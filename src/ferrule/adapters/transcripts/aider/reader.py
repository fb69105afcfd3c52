"""Each start of aider is a session; a person's prompt, the answers to it and aider's reports of them are one turn.

Owns commands, which are no turns but put files into the chat, answers to aider's own questions, second answers after a
file was added or an edit failed, and what is undone later. Knows nothing of how a line is told.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ferrule.adapters.transcripts.aider.blocks import Block, proposed
from ferrule.adapters.transcripts.aider.lines import Line, lines_of
from ferrule.adapters.transcripts.aider.reports import Reported, applied, is_answer, take
from ferrule.adapters.transcripts.conversations import distinct, opening, whole_text
from ferrule.adapters.transcripts.drafted import Drafted, imported
from ferrule.adapters.transcripts.drafts import Draft, RawCall
from ferrule.adapters.transcripts.formats import Given
from ferrule.adapters.transcripts.injected import without_injected
from ferrule.adapters.transcripts.naming import folder_of, moment_of
from ferrule.session.imported import ImportedSession
from ferrule.session.keys import session_key, turn_key
from ferrule.session.profiles import imported_profile
from ferrule.session.source import SourceSession

__all__ = ["NAME", "read_aider"]

NAME = "aider"
# Commands whose words go to the model; the others are aider's own.
_ASKING = frozenset({"ask", "code", "architect", "context", "help"})
_SHELLS = frozenset({"run", "test", "git", "lint"})
_BLANK = "<blank>"
_MAX_CALLS = 2000
_SHORT = 7  # characters of a commit that tell it from others


def read_aider(given: Given) -> tuple[ImportedSession, ...]:
    """The sessions of a history: one per start that has a prompt."""
    chats: list[_Chat] = []
    for line in lines_of(whole_text(given)):
        if line.kind == "start":
            chats.append(_Chat(line.text))
        elif chats:
            _take(chats[-1], line)
    sessions = [_session(chat, given) for chat in chats if _closed(chat).turns]
    return distinct(sessions, given.warnings)


@dataclass(slots=True)
class _Turn:
    """One prompt with all that followed it: answers, and the reports between them.

    `counted` is how many answers there were when aider said that all but the failed blocks were applied.
    """

    line: int
    words: list[str] = field(default_factory=list)
    answers: list[list[str]] = field(default_factory=list)
    reported: Reported = field(default_factory=Reported)
    counted: int = 0


@dataclass(slots=True)
class _Chat:
    """One start of aider. `head` is what it said before the first prompt; `before` the kind of the line before."""

    started: str
    turns: list[_Turn] = field(default_factory=list)
    head: list[str] = field(default_factory=list)
    preamble: Reported = field(default_factory=Reported)
    before: str = ""


def _take(chat: _Chat, line: Line) -> None:
    now = chat.turns[-1] if chat.turns else None
    kind = line.kind
    if kind == "person" and chat.before != "person" and is_answer(line.text):
        kind = "report"  # the answer to a question, in the person's place
    if kind == "person":
        if now is None or chat.before != "person":
            now = _Turn(line.number)
            chat.turns.append(now)
        now.words.append(line.text)
    elif kind == "report":
        _report(chat, now, line.text)
    elif not line.text.strip():
        # An empty line parts two prompts, but neither an answer nor a report.
        if now is not None and now.answers and chat.before == "model":
            now.answers[-1].append("")
        chat.before = "" if chat.before == "person" else chat.before
        return
    elif now is not None:
        if chat.before != "model" or not now.answers:
            now.answers.append([])
        now.answers[-1].append(line.text)
    chat.before = kind


def _report(chat: _Chat, now: _Turn | None, text: str) -> None:
    if now is None:
        chat.head.append(text)
        take(chat.preamble, text)
    elif take(now.reported, text) and now.counted < len(now.answers):
        now.counted = len(now.answers)
        applied(now.reported, proposed("\n".join(now.answers[-1]), ()).blocks)


def _closed(chat: _Chat) -> _Chat:
    chat.turns = [turn for turn in chat.turns if any(word.strip() not in {"", _BLANK} for word in turn.words)]
    return chat


def _session(chat: _Chat, given: Given) -> ImportedSession:
    drafts: list[Draft] = []
    committed: dict[str, Draft] = {}
    pending: list[RawCall] = list(chat.preamble.calls)
    root = folder_of(chat.preamble.root)
    for ordinal, turn in enumerate(chat.turns, start=1):
        draft = _draft(turn)
        draft.key, draft.root = turn_key(None, ordinal, draft.user), root
        done = [*pending, *_edited(turn)]
        # What a command puts into the chat is there for the next prompt.
        pending = (
            [call for call in done if call.tool == "read_file"] if draft.reason.endswith(("command", "shell")) else []
        )
        for number, call in enumerate(done[:_MAX_CALLS], start=1):
            call.id = f"c{number}"
            draft.calls[call.id] = call
        _undo(committed, turn.reported.undone)
        committed |= {_given(call, "sha")[:_SHORT]: draft for call in done if call.tool == "git_commit"}
        drafts.append(draft)
    stamp = moment_of(chat.started.strip().replace(" ", "T", 1)) or ""
    head = opening([chat.started, *chat.head, *chat.turns[0].words])
    native = f"{stamp.replace(':', '-')}-{head.decode('ascii')[:8]}" if stamp else None
    key = session_key(NAME, native, head=head)
    session = SourceSession(key=key, profile=imported_profile(NAME, profiles=given.profiles), lineage=key, client=NAME)
    return imported(Drafted(session, tuple(drafts)), given.scrub, NAME)


def _draft(turn: _Turn) -> Draft:
    """The turn's words and last answer, and why it is none."""
    text = "\n".join(turn.words).strip()
    draft = Draft(key="", line=turn.line, user=without_injected(text))
    name = text[1:].split(maxsplit=1)[0].lower() if text.startswith("/") and text[1:].strip() else ""
    if text.startswith("!"):
        draft.reason = "user-shell"
    elif name in _ASKING and turn.answers:
        draft.user = without_injected(text[1 + len(name) :]).strip()
    elif name:
        draft.reason = "user-shell" if name in _SHELLS else "ui-command"
    if not draft.reason:
        draft.outcome, draft.reason = _outcome(turn), _unfinished(turn)
    return draft


def _outcome(turn: _Turn) -> list[str]:
    """The last answer that says something, without its edits."""
    files = _applied(turn.reported)
    said = (proposed("\n".join(answer), files).prose for answer in reversed(turn.answers))
    return [next((prose for prose in said if prose), "")]


def _unfinished(turn: _Turn) -> str:
    told = turn.reported
    if turn.answers and (told.sent or not told.stopped):
        return ""
    return "interrupted" if told.stopped else "api-error" if told.troubled else "open"


def _applied(reported: Reported) -> set[str]:
    return {_given(call, "file_path") for call in reported.calls if call.tool == "edit_file"}


def _given(call: RawCall, key: str) -> str:
    found = call.arguments.get(key) if isinstance(call.arguments, Mapping) else None
    return found if isinstance(found, str) else ""


def _edited(turn: _Turn) -> list[RawCall]:
    """The turn's calls; each applied edit with the last text that was proposed for its file."""
    files = _applied(turn.reported)
    texts: dict[str, list[Block]] = {}
    for answer in turn.answers if files else ():
        found = proposed("\n".join(answer), files).blocks
        texts |= {path: [block for block in found if block.path == path] for path in {block.path for block in found}}
    for call in turn.reported.calls:
        if call.tool != "edit_file":
            continue
        path = _given(call, "file_path")
        blocks = texts.get(path, [])
        if path in turn.reported.created:
            call.tool = "write_file"
            call.arguments = {"file_path": path, "content": "\n".join(block.new for block in blocks)}
        elif blocks:
            edits = [{"old_string": block.old or "", "new_string": block.new} for block in blocks]
            call.arguments = {"file_path": path, "edits": edits}
    return turn.reported.calls


def _undo(committed: Mapping[str, Draft], undone: Iterable[str]) -> None:
    """A turn whose commit was taken back is none any more."""
    for sha in undone:
        if sha[:_SHORT] in committed:
            committed[sha[:_SHORT]].reason = "rolled-back"
