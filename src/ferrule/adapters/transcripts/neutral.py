"""Neutral turns, one JSON object a line: the exchange form of completed turns (design.md section 8).

Owns that form. Keys are taken as given; unknown keys are ignored; a missing ordinal is the arrival number. Knows
nothing of clients.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ferrule.adapters.transcripts.fields import moment
from ferrule.adapters.transcripts.injected import is_own_tool, without_recalled
from ferrule.adapters.transcripts.lines import JsonLines, Record
from ferrule.adapters.transcripts.scrubbing import Scrub, scrub_json, scrub_mapping
from ferrule.errors import Code, UsageError
from ferrule.session.imported import ImportedSession, SkippedTurn
from ferrule.session.keys import validate_session_key, validate_turn_key
from ferrule.session.ledger.ledger import ledger
from ferrule.session.place import place_of
from ferrule.session.source import SourceSession
from ferrule.session.turn import Artifact, ToolCall, Turn

__all__ = ["FORMAT", "is_neutral", "read_neutral"]

FORMAT = "neutral"
MAX_ORDINAL = 2**53


@dataclass(slots=True)
class _Gathered:
    """What the lines of one session have given so far."""

    session: SourceSession
    turns: list[Turn] = field(default_factory=list)
    skipped: list[SkippedTurn] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    numbered: bool = True

    @property
    def arrival(self) -> int:
        return len(self.turns) + len(self.skipped) + 1


def is_neutral(value: Mapping[str, Any]) -> bool:
    """Whether a JSON object has the shape of a neutral turn, even one whose keys are missing or wrong."""
    keyed = "session_key" in value or "turn_key" in value
    return keyed and ("user" in value or "outcome" in value or "tool_results" in value)


def read_neutral(records: Iterable[Record], lines: JsonLines, scrub: Scrub) -> tuple[ImportedSession, ...]:
    """Read neutral turns, grouped by session in order of arrival. A repeated turn key is a `duplicate`.

    Args:
        records: the lines.
        lines: learns of objects that are no turns.
        scrub: takes secrets out of one text (D13).

    Raises:
        UsageError: `BAD_KEY` when a session, parent or turn key is none.
    """
    sessions: dict[str, _Gathered] = {}
    for record in records:
        if is_neutral(record.value):
            _take(sessions, record, scrub)
        else:
            lines.unreadable.append(record.line)
    return tuple(
        ImportedSession(g.session, tuple(g.turns), tuple(g.skipped), FORMAT, numbered=g.numbered)
        for g in sessions.values()
    )


def _take(sessions: dict[str, _Gathered], record: Record, scrub: Scrub) -> None:
    value = record.value
    key = validate_session_key(_key(value, "session_key"))
    turn_key = validate_turn_key(_key(value, "turn_key"))
    gathered = sessions.get(key)
    if gathered is None:
        gathered = sessions[key] = _Gathered(_session(key, value, scrub))
    ordinal = value.get("ordinal")
    if not isinstance(ordinal, int) or isinstance(ordinal, bool) or abs(ordinal) > MAX_ORDINAL:
        ordinal = gathered.arrival
        gathered.numbered = False
    reason = _fault(value, turn_key in gathered.keys)
    gathered.keys.add(turn_key)
    if reason is not None:
        gathered.skipped.append(SkippedTurn(turn_key, reason, ordinal, record.line))
        return
    gathered.turns.append(_turn(key, turn_key, ordinal, value=value, scrub=scrub))


def _key(value: Mapping[str, Any], name: str) -> str:
    key = value.get(name)
    if not isinstance(key, str):
        raise UsageError(f"a turn has no {name}", code=Code.BAD_KEY)
    return key


def _session(key: str, value: Mapping[str, Any], scrub: Scrub) -> SourceSession:
    parent = value.get("parent_key")
    if parent is not None and not isinstance(parent, str):  # never taken for a session without one (R10, R11)
        raise UsageError("parent_key of a turn is not a text", code=Code.BAD_KEY)
    return SourceSession(
        key=key,
        profile=scrub(_text(value.get("profile")) or ""),
        parent=validate_session_key(parent) if parent else None,
        client=scrub(_text(value.get("client")) or ""),
        cwd=scrub(cwd) if (cwd := _text(value.get("cwd"))) else None,
    )


def _fault(value: Mapping[str, Any], known: bool) -> str | None:  # noqa: FBT001 - one private predicate, one caller
    if known:
        return "duplicate"
    if not _said(value, "user").strip():
        return "no-user"
    if not _said(value, "outcome").strip():
        return "no-outcome"
    return None


def _turn(session: str, key: str, ordinal: int, *, value: Mapping[str, Any], scrub: Scrub) -> Turn:
    cwd = scrub(folder) if (folder := _text(value.get("cwd"))) else None
    branch = scrub(name) if (name := _text(value.get("git_branch"))) else None
    calls = _calls(value.get("tool_results"), scrub, cwd)
    place = place_of(cwd, calls, branch=branch)
    steering = value.get("steering")
    return Turn(
        key=key,
        session=session,
        ordinal=ordinal,
        user=scrub(_said(value, "user")),
        outcome=scrub(_said(value, "outcome")),
        steering=tuple(scrub(text) for text in steering if isinstance(text, str)) if isinstance(steering, list) else (),
        calls=calls,
        actions=ledger(calls, place),
        artifacts=_artifacts(value.get("artifacts"), scrub),
        place=place,
        branch=branch,
        completed_at=moment(_text(value.get("completed_at"))),
    )


def _calls(value: object, scrub: Scrub, cwd: str | None) -> tuple[ToolCall, ...]:
    rows = [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []
    # Ids and tools are looked at together: hardly ever is one of them a secret.
    names = "\n".join(_text(row.get(key)) or "" for row in rows for key in ("call_id", "tool"))
    named: Scrub = str if scrub(names) == names else scrub
    given = (_call(index, row, scrub, cwd) for index, row in enumerate(rows))
    calls = (replace(call, call_id=named(call.call_id), tool=named(call.tool)) for call in given)
    return tuple(call for call in calls if not is_own_tool(call.tool))


def _call(index: int, row: Mapping[str, Any], scrub: Scrub, cwd: str | None) -> ToolCall:
    result = row.get("result")
    if result is not None and not isinstance(result, str):
        result = json.dumps(result, ensure_ascii=False)
    ok = row.get("ok")
    return ToolCall(
        call_id=_text(row.get("call_id")) or f"c{index}",
        tool=_text(row.get("tool")) or "",
        arguments=_arguments(row.get("arguments"), scrub),
        result=scrub(without_recalled(result)) if isinstance(result, str) else None,
        ok=ok if isinstance(ok, bool) else None,
        cwd=cwd,
    )


def _arguments(value: object, scrub: Scrub) -> str | Mapping[str, object]:
    """Arguments as an object where they are one, written as JSON or as JSON in a text; else as text."""
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        try:
            parsed = json.loads(value)
        except (ValueError, RecursionError):
            return scrub(value)
        value = parsed if isinstance(parsed, dict) else value
    if isinstance(value, dict):
        return scrub_mapping(value, scrub)
    if isinstance(value, str):
        return scrub(value)
    return json.dumps(scrub_json(value, scrub), ensure_ascii=False) if value is not None else ""


def _artifacts(value: object, scrub: Scrub) -> tuple[Artifact, ...]:
    rows = [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []
    return tuple(
        Artifact(
            name=scrub(_text(row.get("name")) or ""),
            path=scrub(path) if (path := _text(row.get("path"))) else None,
            media_type=scrub(kind) if (kind := _text(row.get("media_type"))) else None,
            text=scrub(text) if (text := _text(row.get("text"))) else None,
        )
        for row in rows
    )


def _said(value: Mapping[str, Any], who: str) -> str:
    """The text of `user` or `outcome`; a bare string is taken as its text."""
    said = value.get(who)
    if isinstance(said, dict):
        said = said.get("text")
    return said if isinstance(said, str) else ""


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
