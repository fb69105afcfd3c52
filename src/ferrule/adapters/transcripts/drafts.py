"""A turn in the making: what an importer gathers before it is known whether the turn completed.

Owns scrubbing and the ledger for every format that knows its turns only at the end, and the one place where a `Turn`
is built from raw text. Knows nothing of formats.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ferrule.adapters.transcripts.fields import moment
from ferrule.adapters.transcripts.injected import is_own_tool, without_recalled
from ferrule.adapters.transcripts.scrubbing import Scrub, scrub_mapping
from ferrule.referents.kinds import NOWHERE, Place
from ferrule.session.imported import SkippedTurn
from ferrule.session.ledger.ledger import ledger
from ferrule.session.place import place_of
from ferrule.session.turn import Artifact, ToolCall, Turn

__all__ = ["Draft", "RawCall", "finished"]


@dataclass(slots=True)
class RawCall:
    """A tool call before scrubbing."""

    id: str
    tool: str
    arguments: str | Mapping[str, object]
    result: str | None = None
    ok: bool | None = None
    cwd: str | None = None
    details: Mapping[str, object] = field(default_factory=dict)


@dataclass(slots=True)
class Draft:
    """A turn before it is known whether it completed. `reason` set means that it is not reviewable.

    `asked` holds the client's own ids of the prompts in it, where those are other than the key (Claude Code). `root` is
    the repository's root where the format itself names it.
    """

    key: str
    line: int
    user: str = ""
    reason: str = ""
    steering: list[str] = field(default_factory=list)
    outcome: list[str] = field(default_factory=list)
    calls: dict[str, RawCall] = field(default_factory=dict)
    artifacts: list[Artifact] = field(default_factory=list)
    cwd: str | None = None
    root: str | None = None
    branch: str | None = None
    repository: str | None = None
    completed_at: str | None = None
    asked: set[str] = field(default_factory=set)


def finished(session: str, ordinal: int, draft: Draft, *, scrub: Scrub, before: Place = NOWHERE) -> Turn | SkippedTurn:
    """The turn that a draft makes, scrubbed (D13), or why it makes none.

    Args:
        session: the session's key.
        ordinal: the turn's number in the session, from 1.
        draft: what was gathered.
        scrub: takes secrets out of one text.
        before: the place of the turn before; in the same working directory its root and repository still hold.
    """
    outcome = "\n\n".join(draft.outcome).strip()
    reason = draft.reason or ("no-outcome" if not outcome else "" if draft.user.strip() else "no-user")
    if reason:
        return SkippedTurn(draft.key, reason, ordinal, draft.line)
    raw = [call for call in draft.calls.values() if not is_own_tool(call.tool)]
    named = _of_names(raw, draft, scrub)
    calls = tuple(_scrubbed(call, scrub, named) for call in raw)
    cwd = named(draft.cwd) if draft.cwd else None
    place = place_of(cwd, calls, repository=draft.repository, branch=draft.branch, before=before)
    if draft.root:
        place = replace(place, root=named(draft.root))
    return Turn(
        key=draft.key,
        session=session,
        ordinal=ordinal,
        user=scrub(draft.user),
        outcome=scrub(outcome),
        steering=tuple(scrub(text) for text in draft.steering),
        calls=calls,
        actions=ledger(calls, place),
        artifacts=tuple(_artifact(item, scrub) for item in draft.artifacts),
        place=place,
        branch=scrub(draft.branch) if draft.branch else None,
        completed_at=moment(draft.completed_at),
    )


def _of_names(calls: list[RawCall], draft: Draft, scrub: Scrub) -> Scrub:
    """A scrubber for ids, tools and folders: they are looked at together, for hardly ever is one of them a secret."""
    names = {
        draft.cwd or "",
        draft.root or "",
        *(text for call in calls for text in (call.id, call.tool, call.cwd or "")),
    }
    joined = "\n".join(names)
    return str if scrub(joined) == joined else scrub


def _artifact(item: Artifact, scrub: Scrub) -> Artifact:
    return replace(
        item,
        name=scrub(item.name),
        path=scrub(item.path) if item.path else None,
        text=scrub(item.text or "") or None,
    )


def _scrubbed(call: RawCall, scrub: Scrub, named: Scrub) -> ToolCall:
    arguments = call.arguments
    return ToolCall(
        call_id=named(call.id),
        tool=named(call.tool),
        arguments=scrub(arguments) if isinstance(arguments, str) else scrub_mapping(arguments, scrub),
        result=scrub(without_recalled(call.result)) if call.result is not None else None,
        ok=call.ok,
        cwd=named(call.cwd) if call.cwd else None,
        details=scrub_mapping(call.details, scrub),
    )
