"""What a handle is: the twenty kinds, and the values that carry one.

Owns the vocabulary of handles, and the number of the normal forms that make their identity keys. Knows nothing of
turns, prototypes or stores.
"""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["KEY_FORMS", "NOWHERE", "Found", "Handle", "HandleKind", "Place"]


# Raise it whenever `identity_key` gives any value another key: every store then renews its keys when it is opened.
KEY_FORMS = 2


class HandleKind(StrEnum):
    """The kinds of operational handle (R26, design.md section 3)."""

    FILESYSTEM_PATH = "filesystem-path"
    REPOSITORY_ROOT = "repository-root"
    REPOSITORY_ID = "repository-id"
    URL = "url"
    PACKAGE_ID = "package-id"
    SITE_ID = "site-id"
    SESSION_KEY = "session-key"
    SECRET_NAME = "secret-name"  # noqa: S105 - the name of a secret is a handle (R27), never its value
    COMMIT_SHA = "commit-sha"
    COMMAND = "command"
    PROMPT_PATH = "prompt-path"
    BRANCH = "branch"
    TAG = "tag"
    PULL_REQUEST = "pull-request"
    ISSUE = "issue"
    TASK_ID = "task-id"
    DOCUMENT_ID = "document-id"
    HOST = "host"
    DATABASE_ID = "database-id"
    OTHER_ID = "other-id"
    TYPED_REFERENCE = "typed-reference"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a turn happened, as far as its transcript says: what relative paths and bare numbers are relative to.

    Attributes:
        cwd: the working directory of the turn, absolute, or None when the format does not say.
        root: the repository (or worktree) root, absolute, or None.
        repository: identity of the repository: normalised remote such as `github.com/owner/name`, else
            `root-commit:<sha>`, or None.
    """

    cwd: str | None = None
    root: str | None = None
    repository: str | None = None


NOWHERE = Place()


@dataclass(frozen=True, slots=True)
class Found:
    """A handle recognised in a text: `text[start:end]` is verbatim, `value` its documented normal form (D9)."""

    kind: HandleKind
    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Handle:
    """A handle of a prototype: its kind, value, identity key and the property that carries it."""

    kind: HandleKind
    value: str
    key: str
    property: str
