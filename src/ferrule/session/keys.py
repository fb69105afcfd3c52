"""Keys name sessions and turns the same way by whatever road they come (design.md section 2, step 1).

Owns how a session key, a turn key, a companion's key and the token of a result marker are made, checked and read back.
Knows nothing of clients' file formats.
"""

import hashlib
import unicodedata

from ferrule.errors import Code, UsageError
from ferrule.session.source import COMPANION_SUFFIX

__all__ = [
    "HEAD_BYTES",
    "MAX_SESSION_KEY",
    "MAX_TURN_KEY",
    "child_key",
    "is_text",
    "parse_result_token",
    "result_token",
    "session_key",
    "turn_key",
    "validate_session_key",
    "validate_turn_key",
]

MAX_SESSION_KEY = 224
MAX_TURN_KEY = 200
HEAD_BYTES = 4096

_TOKEN_PREFIX = "online-memory-critic:"  # noqa: S105 - the token of a result marker, not a secret
_SEPARATORS = frozenset("/\\")
_CONTROL_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
_DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))})


def session_key(client: str, native_id: str | None, *, head: bytes = b"") -> str:
    """Name a client's session: `<client>:<native id>`, else by the first 4 KiB of its file.

    Args:
        client: the client's name, such as `claude-code`.
        native_id: the client's own id of the session; None or blank when the file has none.
        head: the beginning of the file; only its first 4 KiB count.

    A native id that cannot be part of a key (a path, say) is replaced by the digest of its own text.

    Raises:
        UsageError: `BAD_KEY` when the client's name cannot be part of a key.
    """
    native = (native_id or "").strip()
    if not native:
        native = hashlib.sha256(head[:HEAD_BYTES]).hexdigest()[:16]
    elif _session_fault(f"{client}:{native}") is not None:
        native = hashlib.sha256(native.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return validate_session_key(f"{client}:{native}")


def turn_key(native_id: str | None, ordinal: int, user: str) -> str:
    """Name a turn: the client's own id where it has a usable one, else ordinal and a digest of the user's text."""
    native = (native_id or "").strip()
    if native and _turn_fault(native) is None:
        return native
    return f"t{ordinal}-{hashlib.sha256(user.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def validate_session_key(key: str) -> str:
    """Give the key back when it is one: at most 224 characters, spaces allowed, safe as a name (R8).

    Raises:
        UsageError: `BAD_KEY` with the reason.
    """
    fault = _session_fault(key)
    if fault is not None:
        raise UsageError(f"the session key {fault}", code=Code.BAD_KEY)
    return key


def validate_turn_key(key: str) -> str:
    """Give the key back when it is one: no colon, no space, so that a result token parses from the right (R90).

    Raises:
        UsageError: `BAD_KEY` with the reason.
    """
    fault = _turn_fault(key)
    if fault is not None:
        raise UsageError(f"the turn key {fault}", code=Code.BAD_KEY)
    return key


def is_text(*keys: object) -> bool:
    """Whether these can be written down at all: a lone surrogate, as from an undecodable argument, cannot.

    A host's number in place of a key cannot either: it names nothing.
    """
    return all(isinstance(key, str) and not any(unicodedata.category(char) == "Cs" for char in key) for key in keys)


def child_key(source: str) -> str:
    """The key of the one companion of a source (R8, R74)."""
    return f"{source}{COMPANION_SUFFIX}"


def result_token(source: str, turn: str) -> str:
    """The token of a result marker: `online-memory-critic:<source>:<turn>` (R90)."""
    return f"{_TOKEN_PREFIX}{source}:{turn}"


def parse_result_token(token: str) -> tuple[str, str]:
    """Read source and turn back from a token, from the right: a source may hold colons and spaces, a turn may not.

    Raises:
        UsageError: `BAD_KEY` when it is not such a token.
    """
    source, colon, turn = token.removeprefix(_TOKEN_PREFIX).rpartition(":")
    if not token.startswith(_TOKEN_PREFIX) or not colon:
        raise UsageError("not a result token: online-memory-critic:<source>:<turn> expected", code=Code.BAD_KEY)
    return validate_session_key(source), validate_turn_key(turn)


def _session_fault(key: str) -> str | None:
    faults = (
        (not key.strip(), "is empty"),
        (len(key) > MAX_SESSION_KEY, f"is longer than {MAX_SESSION_KEY} characters"),
        (any(_is_control(char) for char in key), "contains a control character"),
        (bool(_SEPARATORS.intersection(key)), "contains a path separator"),
        (key.strip() in {".", ".."}, "is a relative path"),
        (key.split(".", 1)[0].strip().rstrip(":").casefold() in _DEVICES, "is the name of a Windows device"),
    )
    return next((reason for wrong, reason in faults if wrong), None)


def _turn_fault(key: str) -> str | None:
    if not key:
        return "is empty"
    if len(key) > MAX_TURN_KEY:
        return f"is longer than {MAX_TURN_KEY} characters"
    if any(_is_control(char) or char.isspace() for char in key):
        return "contains a space or a control character"
    if ":" in key:
        return "contains a colon"
    return None


def _is_control(char: str) -> bool:
    return char in _BIDI or unicodedata.category(char) in _CONTROL_CATEGORIES
