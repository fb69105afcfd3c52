"""A completed turn and what its agent did: the unit of review (R15).

Owns the values. Only completed turns can be constructed: `Turn` refuses an empty outcome. Text in a turn is already
scrubbed (D13); offsets count code points of the scrubbed text. Knows nothing of where a turn came from.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from ferrule.errors import Code, UsageError
from ferrule.referents.kinds import HandleKind, Place

__all__ = ["Action", "Artifact", "ToolCall", "Turn", "Verb"]


class Verb(StrEnum):
    """What an agent's call did, whatever tool did it."""

    READ = "read"
    LISTED = "listed"
    SEARCHED = "searched"
    VIEWED = "viewed"
    EDITED = "edited"
    CREATED = "created"
    DELETED = "deleted"
    MOVED = "moved"
    COPIED = "copied"
    RAN = "ran"
    TESTED = "tested"
    BUILT = "built"
    COMMITTED = "committed"
    PUSHED = "pushed"
    PULLED = "pulled"
    CLONED = "cloned"
    BRANCHED = "branched"
    SWITCHED = "switched"
    MERGED = "merged"
    TAGGED = "tagged"
    OPENED = "opened"
    CLOSED = "closed"
    COMMENTED = "commented"
    RELEASED = "released"
    INSTALLED = "installed"
    STARTED = "started"
    STOPPED = "stopped"
    FETCHED = "fetched"
    CONFIGURED = "configured"
    DEPLOYED = "deployed"
    DELEGATED = "delegated"
    PLANNED = "planned"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool, as the transcript has it.

    `arguments` is the parsed JSON object where the format has one, else text. `ok` is three-valued: None means that the
    format cannot tell or the result is missing; a missing result is not success (D10). `result` is None when missing.
    `details` carries structured evidence beside the result (for instance Claude Code's `toolUseResult`).
    """

    call_id: str
    tool: str
    arguments: str | Mapping[str, object]
    result: str | None
    ok: bool | None
    cwd: str | None = None
    details: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Action:
    """One row of the action ledger: what one call, or one command inside a shell call, did to one target.

    `target` is the handle as written (path, command, URL, number, branch, SHA …); `kind` its handle kind, None where
    the target is no handle. `was` is the earlier handle of a move or rename. `exists` tells that the result itself
    shows the target (a created path echoed, a commit line, an opened URL). `index` orders rows inside the turn.
    """

    call_id: str
    index: int
    verb: Verb
    target: str
    kind: HandleKind | None
    ok: bool | None
    was: str = ""
    detail: str = ""
    exists: bool = False


@dataclass(frozen=True, slots=True)
class Artifact:
    """Something a turn produced beside its messages; evidence in the observation role."""

    name: str
    path: str | None = None
    media_type: str | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One completed interaction pair of one session, with its ledger (R15, R18).

    Raises:
        UsageError: `TURN_NOT_COMPLETED` when the outcome is empty (R76).
    """

    key: str
    session: str
    ordinal: int
    user: str
    outcome: str
    steering: tuple[str, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    actions: tuple[Action, ...] = ()
    artifacts: tuple[Artifact, ...] = ()
    place: Place = field(default_factory=Place)
    branch: str | None = None
    completed_at: str | None = None

    def __post_init__(self) -> None:
        if not self.outcome.strip():
            raise UsageError(f"turn {self.key} has no outcome: it is not completed", code=Code.TURN_NOT_COMPLETED)
