"""A session of four turns in a real format, for tests of the whole slice."""

from collections.abc import Callable
from typing import Any

CREATED = "File created successfully at: {0}"
PULL = "https://github.com/acme/shop/pull/41"


def work(begin: Callable[..., Any]) -> Any:  # noqa: ANN401 - the fixture's own type
    """A session of four turns: planned, created, pull request opened, thanks."""
    script = begin()
    script.user("We need a retry policy. Plan it as src/retry/policy.py, do not write it yet.")
    script.says("The plan: I will add `src/retry/policy.py` with a class RetryPolicy. Nothing is written yet.")
    script.user("Go ahead and write src/retry/policy.py.")
    script.call(
        "Write", CREATED.format("/w/shop/src/retry/policy.py"), file_path="/w/shop/src/retry/policy.py", content="x"
    )
    script.says("I created `src/retry/policy.py` with the class RetryPolicy.")
    script.user("Open a pull request for the retry policy, from a worktree in /w/shop-retry.")
    script.call(
        "Bash", "Preparing worktree (new branch 'feat/retry')", command="git worktree add /w/shop-retry -b feat/retry"
    )
    script.call("Bash", PULL, command="gh pr create --fill")
    script.says(f"Opened pull request {PULL} from the worktree /w/shop-retry. To check it again run `make soak N=50`.")
    script.user("Thanks, great!")
    script.says("You're welcome!")
    return script


def handles(rows: list[dict[str, Any]]) -> set[str]:
    """Every handle value in a list of memories."""
    return {handle["value"] for row in rows for handle in row["handles"]}
