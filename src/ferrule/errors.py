"""Every way in which Ferrule says no, on one page.

Expected outcomes are values that carry a `Code`; exceptions are for a user's mistake at the edge, a lost resource or a
broken invariant. The tree, which a caller may catch at any level:

    FerruleError
    ├── UsageError          exit 2   the command, key or setting is wrong
    ├── UnreadableInput     exit 3   a file cannot be read as what it claims to be
    ├── StoreError          exit 4   the home cannot be read or written
    │   ├── StoreCorrupt             what is stored does not check out
    │   ├── StoreVersion             written by a newer Ferrule
    │   └── GateBusy                 the source's evaluate gate did not open in time; nothing was changed
    ├── ModelError          exit 5   a model endpoint is unavailable or broke its protocol
    └── InternalError       exit 4   an invariant is broken: a bug, reported as such

Knows nothing of any other package.
"""

from enum import StrEnum

__all__ = [
    "Code",
    "FerruleError",
    "GateBusy",
    "InternalError",
    "ModelError",
    "StoreCorrupt",
    "StoreError",
    "StoreVersion",
    "UnreadableInput",
    "UsageError",
]


class Code(StrEnum):
    """Stable refusal codes, one meaning each (reliability.md section 0, design.md section 4). Never renamed."""

    PARSE = "PARSE"
    NOT_ONE_PROTOTYPE = "NOT_ONE_PROTOTYPE"
    FORBIDDEN_CONSTRUCT = "FORBIDDEN_CONSTRUCT"
    BAD_IDENTIFIER = "BAD_IDENTIFIER"
    RESERVED_NAME = "RESERVED_NAME"
    BAD_TEXT = "BAD_TEXT"
    TOO_LARGE = "TOO_LARGE"
    TOO_DEEP = "TOO_DEEP"
    UNKNOWN_TYPE = "UNKNOWN_TYPE"
    UNKNOWN_PROPERTY = "UNKNOWN_PROPERTY"
    UNKNOWN_REFERENCE = "UNKNOWN_REFERENCE"
    ALREADY_EXISTS = "ALREADY_EXISTS"
    TYPE_MISMATCH = "TYPE_MISMATCH"
    ALREADY_VALUED = "ALREADY_VALUED"
    STALE_REVISION = "STALE_REVISION"
    NO_HANDLE = "NO_HANDLE"
    NO_EVIDENCE = "NO_EVIDENCE"
    NO_SEARCH_PROOF = "NO_SEARCH_PROOF"
    NOT_INSPECTED = "NOT_INSPECTED"
    MODALITY = "MODALITY"
    NOT_DURABLE = "NOT_DURABLE"
    SECRET_VALUE = "SECRET_VALUE"  # noqa: S105 - a refusal code, not a secret
    WRONG_SESSION = "WRONG_SESSION"
    NOT_ATTACHABLE = "NOT_ATTACHABLE"
    BAD_KEY = "BAD_KEY"
    UNSAFE_PATH = "UNSAFE_PATH"
    DUPLICATE_TURN = "DUPLICATE_TURN"
    TURN_NOT_COMPLETED = "TURN_NOT_COMPLETED"
    EVENT_TAMPERED = "EVENT_TAMPERED"
    UNKNOWN_TOOL = "UNKNOWN_TOOL"
    BAD_TOOL_ARGS = "BAD_TOOL_ARGS"
    BUDGET = "BUDGET"
    MODEL_UNAVAILABLE = "MODEL_UNAVAILABLE"
    IO_FAILED = "IO_FAILED"
    STORE_CORRUPT = "STORE_CORRUPT"
    STORE_VERSION = "STORE_VERSION"
    LEDGER_BROKEN = "LEDGER_BROKEN"
    UNAUTHENTICATED = "UNAUTHENTICATED"
    FORBIDDEN_ORIGIN = "FORBIDDEN_ORIGIN"
    INTERNAL = "INTERNAL"


class FerruleError(Exception):
    """Something went wrong in Ferrule."""

    exit_code = 4
    code = Code.INTERNAL

    def __init__(self, message: str = "", *, code: Code | None = None) -> None:
        super().__init__(message or (type(self).__doc__ or "").strip())
        if code is not None:
            self.code = code


class UsageError(FerruleError):
    """The command, key or setting is wrong."""

    exit_code = 2
    code = Code.BAD_KEY


class UnreadableInput(FerruleError):
    """The input cannot be read as what it claims to be."""

    exit_code = 3
    code = Code.PARSE


class StoreError(FerruleError):
    """The Ferrule home cannot be read or written."""

    exit_code = 4
    code = Code.IO_FAILED


class StoreCorrupt(StoreError):
    """What is stored does not check out."""

    code = Code.STORE_CORRUPT


class StoreVersion(StoreError):
    """The store was written by a newer Ferrule."""

    code = Code.STORE_VERSION


class GateBusy(StoreError):
    """The source's evaluate gate did not open in time; nothing was changed, try again later (CASE-M08).

    `BUDGET` and not `IO_FAILED`: the time for waiting is used up, nothing is broken.
    """

    code = Code.BUDGET


class ModelError(FerruleError):
    """The model endpoint is unavailable or broke its protocol."""

    exit_code = 5
    code = Code.MODEL_UNAVAILABLE


class InternalError(FerruleError):
    """An invariant is broken; this is a bug in Ferrule."""
