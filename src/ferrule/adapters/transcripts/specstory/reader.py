"""An export is a chat as a person sees it: prompts, answers, and of what tools did as much as the export kept.

Owns turns, which answer a turn ends with, and what the oldest exports leave to be concluded: the file of a change that
stands without its name. Knows nothing of markup.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from ferrule.adapters.transcripts.claude_code.prompts import Prompt, read_prompt
from ferrule.adapters.transcripts.conversations import distinct, opening, whole_text
from ferrule.adapters.transcripts.drafted import Drafted, imported
from ferrule.adapters.transcripts.drafts import Draft, RawCall
from ferrule.adapters.transcripts.fields import text_at
from ferrule.adapters.transcripts.formats import Given
from ferrule.adapters.transcripts.naming import native_of
from ferrule.adapters.transcripts.specstory.blocks import Block, Chat, chats_of
from ferrule.adapters.transcripts.specstory.parts import Part, parts_of
from ferrule.adapters.transcripts.specstory.tools import call_of, printed
from ferrule.session.imported import ImportedSession
from ferrule.session.keys import session_key, turn_key
from ferrule.session.profiles import imported_profile
from ferrule.session.source import SourceSession

__all__ = ["NAME", "read_specstory"]

NAME = "specstory"
_INJECTED = (
    "# AGENTS.md instructions",
    "<user_instructions>",
    "<INSTRUCTIONS>",
    "<environment_context>",
    "This session is being continued from a previous conversation",
)
_ABORTED = "<turn_aborted>"
_MARKED = ("<tool-use ", "Tool use: **")
_SPAN = re.compile(r"`([^`\s]{1,300})`")
_PATH = re.compile(r"[\w@.~/\\-]{1,280}\.\w{1,12}|[\w@.~-]{1,100}(?:/[\w@.~-]{1,100}){1,20}")
_MAX_CALLS = 2000


def read_specstory(given: Given) -> tuple[ImportedSession, ...]:
    """The sessions of an export: one per chat."""
    chats = [chat for chat in chats_of(whole_text(given)) if chat.blocks]
    return distinct([_session(chat, given) for chat in chats], given.warnings)


@dataclass(slots=True)
class _State:
    """The turns so far. `parts` are those of the running turn in order, `read` the files that were looked at."""

    loose: bool
    strict: bool
    turns: list[Draft] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    read: dict[str, str] = field(default_factory=dict)
    sidechain: bool = False


def _session(chat: Chat, given: Given) -> ImportedSession:
    marked = any(row.startswith(_MARKED) for block in chat.blocks for row in block.rows)
    state = _State(
        loose=not marked and not chat.exported and not chat.agent,
        strict=marked and not chat.agent.lower().startswith("cursor"),
    )
    for block in chat.blocks:
        if block.sidechain:
            continue
        if block.person:
            _person(state, block)
        else:
            _agent(state, block)
    _close(state)
    for ordinal, draft in enumerate(state.turns, start=1):
        draft.key = turn_key(None, ordinal, draft.user)
    first = next((draft.user for draft in state.turns), "")
    head = opening([chat.title, chat.blocks[0].stamp or "", first])
    key = session_key(NAME, native_of(chat.native, given.scrub) or None, head=head)
    session = SourceSession(
        key=key,
        profile=imported_profile(NAME, profiles=given.profiles),
        lineage=key,
        client=NAME,
        title=chat.title,
    )
    return imported(Drafted(session, tuple(state.turns)), given.scrub, NAME)


def _person(state: _State, block: Block) -> None:
    text = "\n".join(block.rows).strip().removesuffix("---").strip()
    said = _prompt(text)
    if said.kind == "echo":
        return
    if said.kind == "interruption":
        if state.turns:
            state.turns[-1].reason = state.turns[-1].reason or "interrupted"
        return
    _close(state)
    state.turns.append(Draft(key="", line=block.line, user=said.text, reason=said.reason))


def _prompt(text: str) -> Prompt:
    if text.startswith(_ABORTED):
        return Prompt("interruption")
    if text.startswith(_INJECTED):
        return Prompt("notice", reason="injected")
    # An empty block was a picture: its turn is there, but nobody's words are.
    return read_prompt({}, text) if text else Prompt("human")


def _agent(state: _State, block: Block) -> None:
    if not state.turns:
        return
    state.parts += parts_of(block.rows, loose=state.loose)
    state.turns[-1].completed_at = block.stamp or state.turns[-1].completed_at


def _close(state: _State) -> None:
    """The end of a turn: its calls, and the prose behind the last of them."""
    parts, state.parts = state.parts, []
    if not state.turns:
        return
    draft = state.turns[-1]
    tail: list[str] = []
    last = ""
    for part in parts:
        if part.kind == "prose":
            tail = tail if last == "prose" else []
            tail.append(part.text)
        elif len(draft.calls) < _MAX_CALLS:
            _call(state, draft, part, tail[-1] if last == "prose" else "")
        last = part.kind
    draft.outcome = tail
    if not draft.reason:
        draft.reason = "open" if not parts or (state.strict and last != "prose") else ""


def _call(state: _State, draft: Draft, part: Part, before: str) -> None:
    call: RawCall | None
    if part.kind == "command":
        call = RawCall("", "bash", {"command": part.text}, result=printed(part.more))
    elif part.kind == "diff":
        path = _meant(before, state.read)
        call = RawCall("", "edit_file", {"file_path": path, "diff": part.text}) if path else None
    else:
        call = call_of(part)
    if call is None:
        return
    call.id = f"c{len(draft.calls) + 1}"
    draft.calls[call.id] = call
    known = text_at(call.arguments, "file_path") if isinstance(call.arguments, dict) else ""
    if known:
        state.read[_last(known)] = known


def _meant(before: str, read: dict[str, str]) -> str:
    """The file that the words before a change name: the one path in their last line, which leads up to the change.

    A bare name is the file of that name that the chat looked at before.
    """
    line = before.rstrip().rpartition("\n")[2]
    if not line.endswith(":"):
        return ""
    named = list(dict.fromkeys(_paths(_SPAN.findall(line[:2000]))))
    return read.get(named[0], named[0]) if len(named) == 1 else ""


def _paths(spans: Iterable[str]) -> Iterable[str]:
    return (span for span in spans if _PATH.fullmatch(span))


def _last(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]
