"""`make demo`: the main job on the bundled samples, in a throw-away home, as a user would type it."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
SAMPLES = "src/ferrule/samples"
SESSION = f"{SAMPLES}/codex-pull-request-and-worktree.jsonl"
STEPS = (
    ("Eight sessions of invented agents, in the clients' own formats. What deserves memory?", f"review {SAMPLES}"),
    (
        "The agent's context was cut: it no longer knows its worktree, pull request and test command. It is told:",
        "context --session codex:d9c63a5c",
    ),
    ("It can ask for more (over MCP, or here):", "memory search pull request --session codex:d9c63a5c"),
    ("Why was that remembered, and the rest not?", "explain codex:d9c63a5c 1"),
    ("Reviewing again changes nothing:", f"review {SESSION}"),
)


def main() -> int:
    """Run every step; the first that fails ends the demo with its exit code."""
    with tempfile.TemporaryDirectory(prefix="ferrule-demo-") as home:
        environment = {**os.environ, "FERRULE_HOME": home}
        for words, command in STEPS:
            print(
                f"\n\033[1m# {words}\n$ ferrule {command}\033[0m\n"
                if sys.stdout.isatty()
                else f"\n# {words}\n$ ferrule {command}\n"
            )
            sys.stdout.flush()
            ran = subprocess.run(  # noqa: S603 - our own command line
                [sys.executable, "-m", "ferrule", *command.split()], cwd=ROOT, env=environment, check=False
            )
            if ran.returncode:
                return ran.returncode
    print("\nThat home is gone again. Your own sessions: ferrule try")
    return 0


if __name__ == "__main__":
    sys.exit(main())
