"""A Claude Code file is one session: the main chain, or the chain of one subagent with its parent.

Owns how the session and its kind are told from a file. Knows nothing of lines and blocks.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from ferrule.adapters.transcripts.claude_code.chain import Chain
from ferrule.adapters.transcripts.claude_code.entries import Entry, read_entry
from ferrule.adapters.transcripts.claude_code.turns import drafts_of
from ferrule.adapters.transcripts.drafted import BEGINNING, Drafted, Start, imported
from ferrule.adapters.transcripts.fields import text_at
from ferrule.adapters.transcripts.lines import JsonLines, Record
from ferrule.adapters.transcripts.scrubbing import Scrub
from ferrule.session.imported import ImportedSession, SkippedTurn
from ferrule.session.keys import session_key, turn_key
from ferrule.session.profiles import ClientProfiles, imported_profile
from ferrule.session.source import SourceSession

__all__ = ["FORMAT", "draft_claude_code", "is_claude_code", "read_claude_code"]

FORMAT = "claude-code"
_TYPES = frozenset({"user", "assistant", "system", "progress", "attachment", "summary", "queue-operation"})
_ALONE = frozenset(
    {"file-history-snapshot", "ai-title", "custom-title", "last-prompt", "permission-mode", "agent-name"}
)


def is_claude_code(value: Mapping[str, Any]) -> bool:
    """Whether a JSON object has the shape of a line of a Claude Code session."""
    kind = text_at(value, "type")
    message = value.get("message")
    if kind in {"user", "assistant"} and not (isinstance(message, dict) and "content" in message):
        return False
    if kind in {"user", "assistant", "system", "progress", "attachment"}:
        return "sessionId" in value or ("uuid" in value and "parentUuid" in value)
    if kind == "summary":
        return "leafUuid" in value
    if kind == "file-history-snapshot":
        return "messageId" in value
    return kind in _ALONE | _TYPES and "sessionId" in value


def read_claude_code(
    records: Iterable[Record],
    lines: JsonLines,
    scrub: Scrub,
    *,
    stem: str = "",
    profiles: ClientProfiles | None = None,
) -> tuple[ImportedSession, ...]:
    """Read one session file.

    Args:
        records: its lines.
        lines: where the first bytes of the file are found, for a file without a session id.
        scrub: takes secrets out of one text (D13).
        stem: the file's name without its ending; it names the session where the lines name several.
        profiles: which profile the session gets; the shipped table when None.
    """
    return (imported(draft_claude_code(records, lines, stem=stem, profiles=profiles), scrub, FORMAT),)


def draft_claude_code(
    records: Iterable[Record],
    lines: JsonLines,
    *,
    stem: str = "",
    profiles: ClientProfiles | None = None,
    start: Start = BEGINNING,
) -> Drafted:
    """The session of one file, or of its end from a turn on, before anything of it is scrubbed."""
    entries = [
        entry
        for position, record in enumerate(records)
        if (entry := read_entry(record.value, position, record.line)) is not None
    ]
    messages = [entry for entry in entries if entry.kind in {"user", "assistant"}]
    main = [entry for entry in messages if not entry.sidechain]
    if main or not messages:
        roots = _roots(messages, {entry.uuid for entry in messages if entry.sidechain})
        entries = [entry for entry in entries if not entry.sidechain]
        native, parent = _native(main, stem), None
    else:
        roots = []
        agent = next((entry.agent for entry in messages if entry.agent), "") or stem.removeprefix("agent-")
        native, parent = f"agent-{agent}", _native(messages, "") or "unknown"
        for entry in entries:
            entry.sidechain = False
    key = session_key(FORMAT, native, head=lines.head)
    drafts = tuple(drafts_of(Chain(entries)))
    for ordinal, draft in enumerate(drafts, start=start.ordinal):
        draft.key = turn_key(draft.key, ordinal, draft.user)
    session = SourceSession(
        key=key,
        profile=imported_profile(FORMAT, subagent=parent is not None, profiles=profiles),
        parent=session_key(FORMAT, parent) if parent else None,
        lineage=_lineage(entries, key) if parent is None else None,
        client=FORMAT,
        title=next((entry.note for entry in reversed(entries) if entry.kind == "title" and entry.note), ""),
        cwd=next((entry.cwd for entry in entries if entry.cwd), None),
    )
    aside = tuple(SkippedTurn(entry.uuid, "sidechain", None, entry.line) for entry in roots)
    return Drafted(session, drafts, aside, start)


def _lineage(entries: list[Entry], key: str) -> str:
    """The conversation that a session continues: the session of its first line, which copied history keeps or names.

    A fork of a compacted session names none and has no turn of it; what Ferrule had told there was copied all the same.
    """
    messages = (entry for entry in entries if entry.kind in {"user", "assistant"})
    first = next((entry.forked or entry.session for entry in messages if entry.session), "")
    found = session_key(FORMAT, first) if first else key
    told = next((entry.told for entry in entries if entry.told), "") if found == key else ""
    return session_key(FORMAT, told) if told else found


def _native(messages: list[Entry], stem: str) -> str:
    """The session id: the file's name where the lines know it, else the id that most lines carry."""
    counted = Counter(entry.session for entry in messages if entry.session)
    if not counted or stem in counted:
        return stem if stem in counted else ""
    return counted.most_common(1)[0][0]


def _roots(messages: list[Entry], aside: set[str]) -> list[Entry]:
    """The first lines of subagents that older versions kept in the same file."""
    return [e for e in messages if e.sidechain and e.kind == "user" and (e.parent or "") not in aside and not e.results]
