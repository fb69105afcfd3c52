"""An agent whose context was cut has nothing but the context text, and finds its work again through MCP."""

import asyncio
import re
import shutil
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from mcp_asked import call

import ferrule as package
from ferrule.interfaces.mcp.server import Server, build_server
from ferrule.wiring.home import open_home
from ferrule.wiring.recalling import reader_of

SAMPLES = Path(package.__file__).parent / "samples"
KEY = re.compile(r'<ferrule-memory session="([^"]+)">')


class Agent:
    """Knows one text and may ask the tools. It has never seen the transcript."""

    def __init__(self, server: Server, context: str) -> None:
        found = KEY.search(context)
        assert found is not None
        self.server, self.session = server, found.group(1)

    def handles(self, question: str, kinds: set[str]) -> set[str] | None:
        """The handles of these kinds in the answers to a question; None when the question was refused."""
        answer = call(self.server, "search", {"query": question, "session": self.session, "limit": 20})
        if answer.is_error:
            return None
        rows = answer.content["result"]
        return {handle["value"] for row in rows for handle in row["handles"] if handle["kind"] in kinds}


def ask(home: Path, context: str, questions: dict[str, set[str]]) -> dict[str, Any]:
    """Let an agent ask a server in this process; it opens the home as `ferrule mcp` does."""
    with open_home(home) as opened:
        agent = Agent(build_server(partial(reader_of, opened)), context)
        return {words: agent.handles(words, kinds) for words, kinds in questions.items()}


def test_the_context_text_is_enough_to_find_pull_request_worktree_and_command(
    tmp_path: Path, home: Path, ferrule: Callable[..., Any]
) -> None:
    """Issue 2, done when: which pull request, which worktree, which command, with the transcript withheld."""
    transcript = shutil.copy(SAMPLES / "codex-pull-request-and-worktree.jsonl", tmp_path / "t.jsonl")
    assert ferrule("review", str(transcript)).code == 0
    context = ferrule("context").out
    Path(transcript).unlink()
    answers = ask(
        home,
        context,
        {
            "pull request": {"pull-request", "url"},
            "worktree": {"repository-root", "filesystem-path"},
            "command": {"command"},
        },
    )
    assert "https://github.com/larkspur-labs/harvest/pull/57" in answers["pull request"]
    assert "/home/mira/src/harvest.worktrees/retry-limit" in answers["worktree"]
    assert "python -m pytest tests/test_retry.py -q" in answers["command"]


def test_another_sessions_key_opens_nothing(home: Path, ferrule: Callable[..., Any]) -> None:
    """INV-I7, CASE-O12: a companion's key and an invented one are the same refusal."""
    ferrule("review", str(SAMPLES / "codex-pull-request-and-worktree.jsonl"))
    context = ferrule("context").out
    found = KEY.search(context)
    assert found is not None
    for key in (f"{found.group(1)}-online-memory-critic", "codex:nowhere"):
        asked = ask(home, f'<ferrule-memory session="{key}">', {"pull request": {"url"}})
        assert asked == {"pull request": None}


def test_the_server_speaks_over_standard_input_and_output(home: Path, ferrule: Callable[..., Any]) -> None:
    """`ferrule mcp` as a client launches it: a process of its own, JSON-RPC on its pipes."""
    ferrule("review", str(SAMPLES / "codex-pull-request-and-worktree.jsonl"))
    session = ferrule("sessions", "list", "--json").rows()[0]["session"]

    pytest.importorskip("mcp", reason="the official client is an extra")

    async def talk() -> Any:  # noqa: ANN401 - the SDK's result
        from mcp import Client, StdioServerParameters
        from mcp.client.stdio import stdio_client

        command = ["-m", "ferrule", "mcp", "--home", str(home), "--session", session]
        server = StdioServerParameters(command=sys.executable, args=command)
        async with Client(stdio_client(server, errlog=log)) as client:
            return await client.call_tool("list", {})

    with (home / "log").open("w", encoding="utf-8") as log:
        listed = asyncio.run(talk())
    assert (home / "log").read_text(encoding="utf-8") == ""
    assert not listed.is_error
    assert listed.structured_content["result"]
