"""One invented day of work that a scripted model does in a real client: what it says, and what should be known then."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from real_clients import COMPACT_TOKENS
from scripted_model import Ask, Delegate, Fail, Move, Run, Say

__all__ = [
    "AGAIN",
    "COMMAND",
    "DELEGATED",
    "FAILING",
    "GO_ON",
    "PULL",
    "SMALL",
    "SMALL_ANSWER",
    "WORK",
    "script_in",
    "worktree",
]

WORK = "Work on the retry policy in a worktree of its own: test it there and open a pull request."
AGAIN = "Which pull request was that?"
GO_ON = "Now go on with the work."
SMALL = "Say hello, please."
DELEGATED = "Let an agent of your own greet."
FAILING = "This will not be answered."

SMALL_ANSWER = "Hello."
PULL = "https://git.example/harbor/kestrel/pull/41"
COMMAND = "python3 -m unittest discover -q -s tests"


def worktree(place: Path) -> str:
    """Where the work is."""
    return str(place / "retry-policy")


def script_in(place: Path) -> Mapping[str, Sequence[Move]]:
    """What the model does at each prompt."""
    done = (
        f"The work is in the worktree `{worktree(place)}` on the branch `retry-policy`. Its tests run with `{COMMAND}`."
    )
    return {
        WORK: [
            Run("git worktree add ../retry-policy -b retry-policy"),
            Run(f"cd {worktree(place)} && {COMMAND}"),
            Run("gh pr create --fill"),
            Say(f"{done} I opened {PULL}."),
        ],
        AGAIN: [
            Ask("search", {"query": "pull request", "session": "{session}"}),
            Say("It is number 41.", tokens=COMPACT_TOKENS + 1000),
        ],
        GO_ON: [Say("I go on.")],
        SMALL: [Say(SMALL_ANSWER)],
        DELEGATED: [Delegate(SMALL), Run("sleep 2"), Say(SMALL_ANSWER)],
        FAILING: [Fail(400)],
    }
