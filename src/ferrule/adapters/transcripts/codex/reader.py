"""A Codex rollout is one thread: its first header is its own, later ones came with copied history.

Owns how the session, its parent and its branch are told from a file. Knows nothing of lines and payloads.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ferrule.adapters.transcripts.codex.events import read_event
from ferrule.adapters.transcripts.codex.turns import drafts_of, environment_cwd
from ferrule.adapters.transcripts.drafted import BEGINNING, Drafted, Start, imported
from ferrule.adapters.transcripts.fields import text_at
from ferrule.adapters.transcripts.lines import JsonLines, Record
from ferrule.adapters.transcripts.scrubbing import Scrub
from ferrule.referents.kinds import HandleKind
from ferrule.session.imported import ImportedSession
from ferrule.session.keys import session_key, turn_key
from ferrule.session.place import normal_remote
from ferrule.session.profiles import ClientProfiles, imported_profile
from ferrule.session.source import SourceSession
from ferrule.session.turn import Turn, Verb

__all__ = ["FORMAT", "draft_codex", "is_codex", "read_codex"]

FORMAT = "codex"
_ENVELOPES = frozenset({"session_meta", "turn_context", "event_msg", "response_item", "compacted", "world_state"})
_FLAT = frozenset({"function_call", "function_call_output", "local_shell_call", "reasoning"})
_MOVES = frozenset({Verb.BRANCHED, Verb.SWITCHED, Verb.COMMITTED})


def is_codex(value: Mapping[str, Any]) -> bool:
    """Whether a JSON object has the shape of a line of a Codex rollout, enveloped or flat."""
    kind = text_at(value, "type")
    if kind in _ENVELOPES:
        return isinstance(value.get("payload"), dict)
    if kind in _FLAT and ("call_id" in value or "summary" in value):
        return True
    if kind == "message" and text_at(value, "role") in {"user", "assistant"} and isinstance(value.get("content"), list):
        return any(
            isinstance(b, dict) and text_at(b, "type") in {"input_text", "output_text"} for b in value["content"]
        )
    return "type" not in value and {"id", "timestamp", "instructions"} <= set(value)


def read_codex(
    records: Iterable[Record], lines: JsonLines, scrub: Scrub, *, profiles: ClientProfiles | None = None
) -> tuple[ImportedSession, ...]:
    """Read one rollout.

    Args:
        records: its lines.
        lines: where the first bytes of the file are found, for a file without a thread id.
        scrub: takes secrets out of one text (D13).
        profiles: which profile the session gets; the shipped table when None.
    """
    return (imported(draft_codex(records, lines, profiles=profiles), scrub, FORMAT),)


def draft_codex(
    records: Iterable[Record],
    lines: JsonLines,
    *,
    profiles: ClientProfiles | None = None,
    start: Start = BEGINNING,
) -> Drafted:
    """The thread of one file, or its header and its end from a turn on, before anything of it is scrubbed."""
    events = [event for record in records if (event := read_event(record.value, record.line)) is not None]
    headers = [event.payload for event in events if event.kind == "meta"]
    meta = headers[0] if headers else {}
    key = session_key(FORMAT, text_at(meta, "id") or text_at(meta, "session_id"), head=lines.head)
    git = meta.get("git")
    git = git if isinstance(git, dict) else {}
    cwd = text_at(meta, "cwd") or environment_cwd(events)
    drafts = tuple(drafts_of(events, cwd or start.place.cwd))
    for ordinal, draft in enumerate(drafts, start=start.ordinal):
        draft.key = turn_key(draft.key, ordinal, draft.user)
    parent, kind = _parent(meta)
    eldest = text_at(headers[-1], "id") if len(headers) > 1 else text_at(meta, "forked_from_id")
    remote = text_at(git, "repository_url")
    session = SourceSession(
        key=key,
        profile=imported_profile(FORMAT, subagent=kind is not None, kind=kind or "", profiles=profiles),
        parent=session_key(FORMAT, parent) if parent else None,
        lineage=None if kind else session_key(FORMAT, eldest) if eldest else key,
        client=FORMAT,
        cwd=cwd or None,
        repository=normal_remote(remote),
    )
    if start.branch is None:
        start = replace(start, branch=text_at(git, "branch") or None)
    return Drafted(session, drafts, start=start, repository=remote or None, branch_after=_branch_after)


def _branch_after(turn: Turn) -> str | None:
    """The branch at the end of a turn: the header knows only the first one, commands tell of switches (1.3)."""
    branch = turn.branch
    here = {call.call_id for call in turn.calls if _is_here(call.arguments, turn.place.cwd)}
    for action in turn.actions:
        if (
            action.kind is HandleKind.BRANCH
            and action.verb in _MOVES
            and action.ok is not False
            and action.call_id in here
        ):
            branch = action.target
    return branch


def _is_here(arguments: str | Mapping[str, object], cwd: str | None) -> bool:
    """Whether a call ran in the turn's own working directory, as far as its arguments tell."""
    if isinstance(arguments, str):
        return False
    workdir = arguments.get("workdir")
    script = str(arguments.get("cmd", arguments.get("command", "")))
    return workdir in (None, "", cwd) and "cd " not in script and " -C " not in script and "worktree add" not in script


def _parent(meta: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """The parent thread and the kind of subagent; both None for a main thread."""
    source = meta.get("source")
    subagent = source.get("subagent") if isinstance(source, dict) else None
    if isinstance(subagent, str):
        return None, subagent
    if isinstance(subagent, dict):
        spawned = next((value for value in subagent.values() if isinstance(value, dict)), {})
        return text_at(spawned, "parent_thread_id") or None, "subagent"
    if text_at(meta, "thread_source") == "subagent":
        return text_at(meta, "parent_thread_id") or None, "subagent"
    return None, None
