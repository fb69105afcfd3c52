"""Which memories go back to the agent first: what git cannot list, then the newest.

Owns the order of recall (design.md section 7). Knows nothing of text, budgets or stores.
"""

from collections.abc import Iterable

from ferrule.bridge.details import Details
from ferrule.bridge.vocabulary import Modality
from ferrule.referents.kinds import HandleKind

__all__ = ["ranked", "tier"]

# Lower comes first. What a compacted agent cannot find again by looking at its working tree stands at the top; what a
# single `git status` or `ls` gives back stands at the bottom.
_TIERS: dict[HandleKind, int] = {
    HandleKind.PULL_REQUEST: 0,
    HandleKind.ISSUE: 0,
    HandleKind.TASK_ID: 0,
    HandleKind.SESSION_KEY: 0,
    HandleKind.HOST: 0,
    HandleKind.REPOSITORY_ROOT: 0,
    HandleKind.COMMAND: 0,
    HandleKind.DATABASE_ID: 1,
    HandleKind.SITE_ID: 1,
    HandleKind.URL: 1,
    HandleKind.DOCUMENT_ID: 1,
    HandleKind.SECRET_NAME: 1,
    HandleKind.REPOSITORY_ID: 1,
    HandleKind.PACKAGE_ID: 1,
    HandleKind.OTHER_ID: 1,
    HandleKind.BRANCH: 2,
    HandleKind.TAG: 2,
    HandleKind.COMMIT_SHA: 2,
    HandleKind.PROMPT_PATH: 2,
    HandleKind.FILESYSTEM_PATH: 3,
    HandleKind.TYPED_REFERENCE: 4,
}
_LAST = 5
_GONE = 6


def tier(memory: Details) -> int:
    """The class of a memory in the order of recall, 0 first; a deleted thing is last whatever it was."""
    if memory.modality == Modality.DELETED:
        return _GONE
    kinds = {handle.kind for handle in memory.handles}
    if HandleKind.FILESYSTEM_PATH in kinds and not kinds & _OWN:
        return _TIERS[HandleKind.FILESYSTEM_PATH]
    return min((_TIERS.get(kind, _LAST) for kind in kinds), default=_LAST)


# A file that also knows its repository, branch or last commit is still a file; one that carries one of these is more.
_OWN = frozenset(
    {
        HandleKind.PULL_REQUEST,
        HandleKind.ISSUE,
        HandleKind.TASK_ID,
        HandleKind.SESSION_KEY,
        HandleKind.HOST,
        HandleKind.COMMAND,
        HandleKind.DATABASE_ID,
        HandleKind.SITE_ID,
    }
)


def ranked(memories: Iterable[Details]) -> tuple[Details, ...]:
    """Memories that carry a handle of their own, best first; within a class the given (newest first) order stays."""
    handled = [memory for memory in memories if memory.known and memory.handles]
    return tuple(sorted(handled, key=tier))
