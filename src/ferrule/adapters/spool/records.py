"""A spool file is somebody else's writing: it is taken whole and exactly as documented, or not at all.

Owns the two records and their strict reading. Bounds are the hook's own; a member too many, one too few, another type
or a name that stands twice is a fault. Knows nothing of folders or of what a record leads to.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["MAX_RECORD_BYTES", "SpoolRecord", "SpooledTurn", "StrangePayload", "read_record"]

MAX_RECORD_BYTES = 16 * 1024
VERSION = 1
_MAX_NAME, _MAX_PATH, _MAX_KEYS = 200, 4096, 32
_CLIENTS = ("claude-code", "codex")
_EVENTS = ("Stop", "notify")
_TURN = {
    "version": int,
    "kind": str,
    "client": str,
    "event": str,
    "session": str,
    "turn": str,
    "transcript": str,
    "end": int,
    "final": str,
    "cwd": str,
    "stop_hook_active": bool,
    "client_home": str,
    "when": int,
}
_UNKNOWN = {
    "version": int,
    "kind": str,
    "client": str,
    "event": str,
    "shape": str,
    "bytes": int,
    "keys": list,
    "more_keys": int,
    "when": int,
}


@dataclass(frozen=True, slots=True)
class SpooledTurn:
    """A completed turn that a client's hook named; nothing of it has been read.

    Attributes:
        client: `claude-code` or `codex`.
        session: the client's id of the session.
        turn: the client's id of the turn, or of its prompt; empty where the client names none.
        transcript: where its text is; empty for Codex's `notify`.
        end: the transcript's size at that moment, in bytes; -1 when there was none.
        final: the digest of the final message; empty when there was none.
        client_home: where the client keeps its sessions, when its environment said so.
        when: seconds since the epoch.
    """

    client: str
    event: str
    session: str
    turn: str
    transcript: str
    end: int
    final: str
    cwd: str
    stop_hook_active: bool
    client_home: str
    when: float

    @property
    def identity(self) -> tuple[str, str, str]:
        """The same for each report of one turn, by whatever road; a turn without an id is known by its last words."""
        return (self.client, self.session, self.turn or f"={self.final}")


@dataclass(frozen=True, slots=True)
class StrangePayload:
    """A payload that the hook did not understand: its members' names and sizes, for a report."""

    client: str
    event: str
    shape: str
    size: int
    keys: tuple[tuple[str, int], ...]
    more_keys: int
    when: float


SpoolRecord: TypeAlias = SpooledTurn | StrangePayload


def read_record(raw: bytes) -> SpoolRecord | None:
    """The record in a spool file's bytes, or None when it is none."""
    if len(raw) > MAX_RECORD_BYTES:
        return None
    try:
        value = json.loads(raw.decode("ascii"), object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, Mapping):
        return None
    if _has_shape(value, _TURN) and value["kind"] == "turn":
        return _turn(value)
    if _has_shape(value, _UNKNOWN) and value["kind"] == "unknown":
        return _strange(value)
    return None


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


def _has_shape(value: Mapping[str, object], shape: Mapping[str, type]) -> bool:
    return set(value) == set(shape) and all(type(value[name]) is kind for name, kind in shape.items())


def _turn(value: Mapping[str, object]) -> SpooledTurn | None:
    texts = {name: str(value[name]) for name, kind in _TURN.items() if kind is str}
    sound = (
        value["version"] == VERSION,
        texts["client"] in _CLIENTS,
        texts["event"] in _EVENTS,
        _is_name(texts["session"]),
        not texts["turn"] or _is_name(texts["turn"]),
        bool(texts["turn"] or texts["final"]),
        not texts["final"] or _is_digest(texts["final"]),
        all(_is_place(texts[name]) for name in ("transcript", "cwd", "client_home")),
    )
    if not all(sound):
        return None
    return SpooledTurn(
        client=texts["client"],
        event=texts["event"],
        session=texts["session"],
        turn=texts["turn"],
        transcript=texts["transcript"],
        end=_number(value["end"]),
        final=texts["final"],
        cwd=texts["cwd"],
        stop_hook_active=value["stop_hook_active"] is True,
        client_home=texts["client_home"],
        when=_number(value["when"]) / 1000,
    )


def _strange(value: Mapping[str, object]) -> StrangePayload | None:
    keys = value["keys"]
    client, event, shape = words = [str(value[name]) for name in ("client", "event", "shape")]
    if value["version"] != VERSION or not isinstance(keys, list) or len(keys) > _MAX_KEYS:
        return None
    pairs = [(pair[0], pair[1]) for pair in keys if isinstance(pair, list) and len(pair) == 2]  # noqa: PLR2004 - a pair
    names = [name for name, size in pairs if isinstance(name, str) and type(size) is int]
    if len(names) != len(keys) or not all(len(word) <= _MAX_NAME and word.isprintable() for word in (*words, *names)):
        return None
    sizes = tuple((str(name), _number(size)) for name, size in pairs)
    return StrangePayload(
        client=client,
        event=event,
        shape=shape,
        size=_number(value["bytes"]),
        keys=sizes,
        more_keys=_number(value["more_keys"]),
        when=_number(value["when"]) / 1000,
    )


def _number(value: object) -> int:
    """A count within what a file can hold; others were never written by the hook."""
    return min(max(value, -1), 2**53) if isinstance(value, int) else -1


def _is_name(text: str) -> bool:
    return 0 < len(text) <= _MAX_NAME and text.isprintable() and text.isascii() and " " not in text


def _is_digest(text: str) -> bool:
    return len(text) == 64 and not set(text) - set("0123456789abcdef")  # noqa: PLR2004 - SHA-256 in hex


def _is_place(text: str) -> bool:
    return len(text) <= _MAX_PATH and "\x00" not in text
