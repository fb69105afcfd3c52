"""The public event envelope, read strictly: an event is a few names and a turn key, never text (platform.md 1.8).

Owns the envelope, its JSON form in PascalCase, its digest and its signature. Unknown keys are left alone and never
kept; everything else that is not as documented is refused whole. Knows nothing of subscriptions or of what an event
leads to.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from ferrule.errors import Code, UsageError
from ferrule.referents.expressions import expression
from ferrule.session.keys import validate_session_key, validate_turn_key
from ferrule.session.source import COMPANION_SUFFIX
from ferrule.session.subscriptions import TURN_COMPLETED

__all__ = [
    "LONGEST_WAIT",
    "MAX_EVENT_BYTES",
    "EventEnvelope",
    "EventFault",
    "EventState",
    "StoredEvent",
    "digest",
    "oversize",
    "parse_envelope",
    "render_envelope",
    "sign",
    "verify",
]

MAX_EVENT_BYTES = 64 * 1024
LONGEST_WAIT = 3600.0  # seconds: a `due` farther off was written before the clock was set back, and counts as due
MAX_DEPTH = 32
MAX_ID = 200
MAX_TYPE = 100
MAX_TIME = 64

# Strings are stepped over whole, so that a bracket in one does not count; an open one at the end is json's to refuse.
# Nothing is given back once it was read (`*+`), so a hostile text costs what an honest one of its length does.
_STRUCTURE = expression(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[{\]}]', re.DOTALL)
_SIGNATURE = expression(r"sha256=[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class EventEnvelope:
    """`{EventId, EventType, SourceSessionKey, TargetSessionKey, OccurredUtc, Data: {TurnKey}}`.

    Attributes:
        target: the companion that it is meant for; empty when the sender leaves it to the subscription.
        occurred: the sender's time as it wrote it; told, never ordered by (CASE-H08).
        turn: empty for a type of event that has none.
    """

    id: str
    type: str
    source: str
    target: str
    occurred: str
    turn: str


@dataclass(frozen=True, slots=True)
class EventFault:
    """Bytes that are no envelope: `TOO_LARGE TOO_DEEP BAD_TOOL_ARGS BAD_KEY`, and one sentence without their text."""

    code: Code
    reason: str


class EventState(StrEnum):
    """What has become of a stored event."""

    RECEIVED = "received"
    SETTLED = "settled"


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as the store keeps it: once per id, with the digest of its envelope and what came of it (R92).

    `outcome` is the name of the answer (`queued duplicate ignored declined`), `code` and `reason` its details. An event
    that waits for its turn to be stored is not looked at before `due` (seconds since the epoch).
    """

    envelope: EventEnvelope
    digest: str
    state: EventState = EventState.RECEIVED
    outcome: str = ""
    code: str = ""
    reason: str = ""
    attempts: int = 0
    due: float = 0.0


class _BadEvent(ValueError):
    """What is wrong with an event, in words; becomes an `EventFault`."""

    def __init__(self, reason: str, code: Code = Code.BAD_TOOL_ARGS) -> None:
        super().__init__(reason)
        self.code = code


def oversize(raw: bytes | str) -> EventFault | None:
    """A fault when the event is larger than 64 KiB; looked at before anything else is done with it."""
    length = len(raw) if isinstance(raw, bytes) else len(raw.encode("utf-8", "surrogatepass"))
    if length > MAX_EVENT_BYTES:
        return EventFault(Code.TOO_LARGE, f"the event is larger than {MAX_EVENT_BYTES} bytes")
    return None


def parse_envelope(raw: bytes | str) -> EventEnvelope | EventFault:
    """Read one envelope. `Data.TurnKey` is required of `turn.completed` only, `TargetSessionKey` may be left out.

    Bytes are UTF-8. A key that stands twice, at whatever depth, a number that is none (NaN), a number where a name
    belongs, nesting deeper than 32 and anything after the object are faults: nothing is repaired or guessed (CASE-I04,
    CASE-L05).
    """
    fault = oversize(raw)
    if fault is not None:
        return fault
    try:
        return _envelope(_read(raw))
    except _BadEvent as error:
        return EventFault(error.code, str(error))
    except UsageError as error:
        return EventFault(error.code, f"the event is refused: {error}")


def render_envelope(envelope: EventEnvelope) -> str:
    """The envelope's JSON form, one line, keys in the documented order."""
    form = {
        "EventId": envelope.id,
        "EventType": envelope.type,
        "SourceSessionKey": envelope.source,
        "TargetSessionKey": envelope.target,
        "OccurredUtc": envelope.occurred,
        "Data": {"TurnKey": envelope.turn} if envelope.turn else {},
    }
    return json.dumps(form, ensure_ascii=False, separators=(",", ":"))


def digest(envelope: EventEnvelope) -> str:
    """The SHA-256 of what an event says, in hex; how its JSON was spaced or ordered does not count."""
    return hashlib.sha256(render_envelope(envelope).encode("utf-8")).hexdigest()


def sign(key: bytes, raw: bytes) -> str:
    """The value of `X-Ferrule-Signature` for these very bytes."""
    return f"sha256={hmac.new(key, raw, hashlib.sha256).hexdigest()}"


def verify(key: bytes, raw: bytes, header: str | None) -> bool:
    """Whether the header is the signature of these bytes: the documented form only, compared in constant time.

    An empty key verifies nothing.
    """
    if not key or header is None or not _SIGNATURE.fullmatch(header):
        return False
    return hmac.compare_digest(sign(key, raw), header)


def _read(raw: bytes | str) -> object:
    text = raw if isinstance(raw, str) else _decoded(raw)
    if _too_deep(text):
        raise _BadEvent(f"the event is nested deeper than {MAX_DEPTH}", Code.TOO_DEEP)
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except _BadEvent:
        raise
    except ValueError:
        raise _BadEvent("the event is not JSON") from None


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        raise _BadEvent("the event is not UTF-8 text") from None


def _too_deep(text: str) -> bool:
    depth = 0
    for found in _STRUCTURE.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
        if depth > MAX_DEPTH:
            return True
    return False


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _BadEvent("a key stands twice in one object of the event")
    return found


def _no_number(_: str) -> object:
    raise _BadEvent("the event holds a number that is none")


def _envelope(value: object) -> EventEnvelope:
    if not isinstance(value, dict):
        raise _BadEvent("the event is not a JSON object")
    data = value.get("Data")
    if not isinstance(data, dict):
        raise _BadEvent("Data of the event is not an object")
    kind = _name(value, "EventType", MAX_TYPE)
    return EventEnvelope(
        id=_name(value, "EventId", MAX_ID),
        type=kind,
        source=validate_session_key(_text(value, "SourceSessionKey")),
        target=_target(_text(value, "TargetSessionKey", missing="")),
        occurred=_name(value, "OccurredUtc", MAX_TIME),
        turn=_turn(data, needed=kind == TURN_COMPLETED),
    )


def _target(key: str) -> str:
    """A companion's key is a session's key and a suffix, so it may be longer than one."""
    if key:
        validate_session_key(key.removesuffix(COMPANION_SUFFIX))
    return key


def _turn(data: Mapping[str, object], *, needed: bool) -> str:
    turn = data.get("TurnKey")
    if isinstance(turn, str):
        return validate_turn_key(turn)
    if needed or turn is not None:
        raise _BadEvent("Data.TurnKey of the event is missing or not a text")
    return ""


def _text(value: Mapping[str, object], key: str, missing: str | None = None) -> str:
    found = value.get(key, missing)
    if not isinstance(found, str):
        raise _BadEvent(f"{key} of the event is missing or not a text")
    return found


def _name(value: Mapping[str, object], key: str, longest: int) -> str:
    """A short text that can be printed on one line."""
    found = _text(value, key)
    if not found.strip() or len(found) > longest:
        raise _BadEvent(f"{key} of the event is empty or longer than {longest} characters")
    if not found.isprintable():
        raise _BadEvent(f"{key} of the event holds a character that cannot be printed")
    return found
