"""`ferrule mcp` as a process of its own, spoken to over its pipes by the official client."""

import asyncio
import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

import pytest

import ferrule

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(importlib.util.find_spec("mcp") is None, reason="needs the `mcp` package"),
]
SAMPLE = Path(ferrule.__file__).parent / "samples" / "codex-pull-request-and-worktree.jsonl"
TOOLS = {"search", "show", "list", "schema", "explain"}


async def ferrule_says(*words: str, environment: dict[str, str]) -> str:
    """The output of one real command."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "ferrule", *words, env=environment, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await asyncio.wait_for(process.communicate(), 120)
    assert process.returncode == 0
    return out.decode()


async def talk(home: Path) -> dict[str, Any]:
    """Review the sample, then ask the served memory what an agent lost."""
    from mcp import Client, StdioServerParameters, stdio_client

    environment = {**os.environ, "FERRULE_HOME": str(home)}
    await ferrule_says("review", str(SAMPLE), environment=environment)
    context = await ferrule_says("context", environment=environment)
    session = context.split('session="', 1)[1].split('"', 1)[0]
    server = StdioServerParameters(command=sys.executable, args=["-m", "ferrule", "mcp"], env=environment)
    async with Client(stdio_client(server)) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        found = await client.call_tool("search", {"query": "pull request", "session": session})
        foreign = await client.call_tool("list", {"session": "codex:somebody-else"})
    return {"tools": tools, "found": found, "foreign": foreign}


def test_an_agent_reads_its_memory_over_pipes_and_can_write_nothing(tmp_path: Path) -> None:
    """R3, R88, CASE-O12: a fresh process answers from the store; only reading tools are there."""
    said = asyncio.run(talk(tmp_path / "home"))
    assert said["tools"] == TOOLS
    rows = said["found"].structured_content["result"]
    assert any("/pull/57" in handle["value"] for row in rows for handle in row["handles"])
    assert said["foreign"].is_error
