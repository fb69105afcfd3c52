"""An agent reads over MCP what its session remembers, and nothing else."""

import asyncio
import importlib.util
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest

from ferrule.bridge.values import Details, HandleView, PropertyDetail, SchemaRow
from ferrule.errors import UsageError
from ferrule.referents.kinds import HandleKind

pytestmark = pytest.mark.skipif(importlib.util.find_spec("mcp") is None, reason="needs the extra `mcp`")


def remembered(name: str, value: str) -> Details:
    """One pull request in session memory."""
    handle = HandleView(HandleKind.PULL_REQUEST, value, "PullRequestNumber")
    prop = PropertyDetail("PullRequestNumber", "String", value, assigned=True, declared_by="PullRequest")
    bare = PropertyDetail("Notes", "String", "", assigned=False, declared_by="SemanticEntityBase")
    return Details(
        "",
        name,
        known=True,
        bases=("PullRequest",),
        layer="session",
        properties=(prop, bare),
        handles=(handle,),
        definition=f"prototype {name} : PullRequest;",
        modality="created",
        turn="t1",
    )


@dataclass(frozen=True)
class Shelf:
    """What one session remembers."""

    source: str
    memories: tuple[Details, ...]

    def search(self, query: str, *, limit: int = 10) -> tuple[Details, ...]:
        return tuple(memory for memory in self.memories if query.casefold() in memory.name.casefold())[:limit]

    def details(self, name: str) -> Details:
        return next((memory for memory in self.memories if memory.name == name), Details("", name, known=False))

    def schema(self, name: str) -> tuple[SchemaRow, ...]:
        known = name == "PullRequest" or self.details(name).known
        return (SchemaRow("PullRequestNumber", "String", "PullRequest", assigned=False),) if known else ()

    def list(self, *, limit: int = 1000) -> tuple[Details, ...]:
        return self.memories[:limit]

    def review_of(self, turn: str) -> dict[str, object] | None:
        return {
            "turn": {"key": turn, "ordinal": 1},
            "candidates": [
                {"label": "other", "reason": "-"},
                {"label": "the pull request", "reason": "the user asked for it"},
            ],
            "written": [{"prototype": "RetryPull", "candidate": "the pull request", "action": "created"}],
            "calls": [{"candidate": "other"}],
        }


SHELVES = {
    "client:one": Shelf("client:one", (remembered("RetryPull", "acme/shop#41"),)),
    "client:two": Shelf("client:two", (remembered("CanaryPull", "acme/canary#9"),)),
}
PERMANENT = Shelf("", ())


def reader_of(key: str | None) -> Shelf:
    """The shelf of a session; the permanent one without a key."""
    if key is None:
        return PERMANENT
    if key not in SHELVES:
        raise UsageError("no such session")
    return SHELVES[key]


def asked(questions: Callable[[Any], Awaitable[Any]], bound: str | None = None) -> Any:  # noqa: ANN401 - any answer
    """Connect a client to a server in this process and let it ask."""
    from mcp import Client

    from ferrule.interfaces.mcp.server import build_server

    async def talk() -> Any:  # noqa: ANN401 - any answer
        async with Client(build_server(reader_of, bound)) as client:
            return await questions(client)

    return asyncio.run(talk())


def call(tool: str, bound: str | None = None, /, **arguments: Any) -> Any:  # noqa: ANN401 - the SDK's result
    """One tool call; the SDK's result."""
    return asked(lambda client: client.call_tool(tool, arguments), bound)


def test_tools_read_and_none_writes() -> None:
    """R50, CASE-O12: search, show, list, schema and explain; the write door is not among them."""
    tools = asked(lambda client: client.list_tools()).tools
    assert [tool.name for tool in tools] == ["search", "show", "list", "schema", "explain"]
    assert all("session" in tool.input_schema["properties"] for tool in tools)
    assert call("write", definition="prototype X : Y;").is_error


def test_the_key_from_the_context_opens_its_session() -> None:
    """R87: a search with the session's key finds what that session remembers."""
    found = call("search", query="retry", session="client:one").structured_content["result"]
    assert [(row["name"], row["handles"][0]["value"]) for row in found] == [("RetryPull", "acme/shop#41")]


def test_without_a_key_only_shared_knowledge_is_served() -> None:
    """Design section 7: no session, no session memory."""
    assert call("list").structured_content == {"result": []}
    assert call("show", name="RetryPull").is_error


def test_a_shown_memory_has_its_values_and_definition() -> None:
    """Properties that carry no value are left out."""
    shown = call("show", name="RetryPull", session="client:one").structured_content
    assert [prop["name"] for prop in shown["properties"]] == ["PullRequestNumber"]
    assert shown["definition"] == "prototype RetryPull : PullRequest;"


def test_schema_and_explanation_are_given() -> None:
    """R43, R95: which properties there are, and the review that a memory came from."""
    rows = call("schema", name="PullRequest").structured_content["result"]
    assert rows[0]["property"] == "PullRequestNumber"
    why = call("explain", name="RetryPull", session="client:one").structured_content
    assert why["origin"]["turn"] == {"key": "t1", "ordinal": 1}
    assert why["origin"]["candidate"]["reason"] == "the user asked for it"
    assert why["origin"]["written"]["action"] == "created"
    assert "other" not in str(why)


@pytest.mark.parametrize("tool", ["search", "show", "list", "schema", "explain"])
def test_unknown_and_forbidden_sessions_are_the_same_error(tool: str) -> None:
    """CASE-O12, INV-I7: a server bound to one session cannot be asked whether another exists."""
    named: dict[str, str] = {"search": {"query": "x"}, "list": {}}.get(tool, {"name": "CanaryPull"})
    unknown = call(tool, "client:one", session="client:nowhere", **named)
    forbidden = call(tool, "client:one", session="client:two", **named)
    open_unknown = call(tool, None, session="client:nowhere", **named)
    texts = {result.content[0].text for result in (unknown, forbidden, open_unknown)}
    assert len(texts) == 1
    assert unknown.is_error
    assert forbidden.is_error
    assert "canary" not in texts.pop()


def test_a_bound_server_needs_no_key() -> None:
    """`ferrule mcp --session KEY` serves that session to a client that passes none."""
    assert call("list", "client:one").structured_content["result"][0]["name"] == "RetryPull"


@pytest.mark.parametrize("arguments", [{"query": ""}, {"query": "x" * 501}, {"query": "x", "limit": 0}, {}])
def test_arguments_out_of_bounds_are_refused(arguments: dict[str, object]) -> None:
    """Every input is bounded."""
    assert call("search", **arguments).is_error


def test_server_module_is_not_loaded_by_the_command_table() -> None:
    """The SDK costs seconds of import: only `ferrule mcp` pays for it."""
    import subprocess

    code = "import sys, ferrule.interfaces.cli.entry as e; e.run(['--help']); sys.exit('mcp' in sys.modules)"
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0  # noqa: S603 - our own interpreter
