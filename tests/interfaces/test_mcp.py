"""An agent reads over MCP what its session remembers, and nothing else."""

import io
import json
import sys
from dataclasses import dataclass, replace
from typing import Any

import mcp_asked
import pytest
from mcp_asked import Called, request

from ferrule.bridge.values import Details, Found, HandleView, Match, MatchKind, PropertyDetail, SchemaRow
from ferrule.errors import StoreCorrupt, StoreError, UsageError
from ferrule.interfaces.mcp.server import MAX_LINE, Server, build_server, serve
from ferrule.referents.kinds import HandleKind


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

    def find(self, query: str, *, limit: int = 10) -> Found:
        if query == "unreadable":
            raise StoreCorrupt("a page is damaged")
        found = tuple(memory for memory in self.memories if query.casefold() in memory.name.casefold())[:limit]
        why = (Match(MatchKind.WORDS, query),)
        return Found(self.source, query, 7, tuple(replace(one, matches=why, revision=7) for one in found))

    def under(self, kind: str, *, query: str = "", limit: int = 10, after: str = "") -> Found:
        found = (one for one in self.memories if kind in one.bases and query in one.name and one.name > after)
        return Found(self.source, query, 7, tuple(found)[:limit])

    def search(self, query: str, *, limit: int = 10) -> tuple[Details, ...]:
        return self.find(query, limit=limit).answers

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


def server(bound: str | None = None) -> Server:
    """A server over the shelves."""
    return build_server(reader_of, bound)


def call(tool: str, bound: str | None = None, /, **arguments: Any) -> Called:  # noqa: ANN401 - whatever an agent passes
    """One tool call."""
    return mcp_asked.call(server(bound), tool, arguments)


def test_tools_read_and_none_writes() -> None:
    """R50, CASE-O12: search, show, list, schema and explain; the write door is not among them."""
    tools = request(server(), "tools/list")["tools"]
    assert [tool["name"] for tool in tools] == ["search", "show", "list", "schema", "explain"]
    assert all("session" in tool["inputSchema"]["properties"] for tool in tools)
    assert all(tool["annotations"]["readOnlyHint"] for tool in tools)
    assert call("write", definition="prototype X : Y;").is_error


def test_the_key_from_the_context_opens_its_session() -> None:
    """R87: a search with the session's key finds what that session remembers."""
    found = call("search", query="retry", session="client:one").content["result"]
    assert [(row["name"], row["handles"][0]["value"]) for row in found] == [("RetryPull", "acme/shop#41")]


def test_each_answer_says_why_it_was_found_and_nothing_found_is_a_fact() -> None:
    """R35, R49: in words, as data, at a revision; beside what was there before."""
    told = call("search", query="retry", session="client:one").content
    assert told["revision"] == 7
    (row,) = told["result"]
    assert (row["why"], row["revision"]) == ('"retry" in its name', 7)
    assert row["matched"] == [{"by": "words", "told": '"retry" in its name', "text": "retry"}]
    assert call("search", query="nothing", session="client:one").content == {"result": [], "revision": 7}


def test_a_search_that_failed_is_not_an_empty_one() -> None:
    """R41, CASE-L14: it is an error, and says so."""
    failed = call("search", query="unreadable", session="client:one")
    assert failed.is_error
    assert "cannot be read" in failed.text
    assert "STORE_CORRUPT" in failed.text


def test_without_a_key_only_shared_knowledge_is_served() -> None:
    """Design section 7: no session, no session memory."""
    assert call("list").content == {"result": []}
    assert call("show", name="RetryPull").is_error


def test_a_shown_memory_has_its_values_and_definition() -> None:
    """Properties that carry no value are left out."""
    shown = call("show", name="RetryPull", session="client:one").content
    assert [prop["name"] for prop in shown["properties"]] == ["PullRequestNumber"]
    assert shown["definition"] == "prototype RetryPull : PullRequest;"


def test_schema_and_explanation_are_given() -> None:
    """R43, R95: which properties there are, and the review that a memory came from."""
    rows = call("schema", name="PullRequest").content["result"]
    assert rows[0]["property"] == "PullRequestNumber"
    why = call("explain", name="RetryPull", session="client:one").content
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
    texts = {result.text for result in (unknown, forbidden, open_unknown)}
    assert len(texts) == 1
    assert unknown.is_error
    assert forbidden.is_error
    assert "canary" not in texts.pop()


def test_a_bound_server_needs_no_key() -> None:
    """`ferrule mcp --session KEY` serves that session to a client that passes none."""
    assert call("list", "client:one").content["result"][0]["name"] == "RetryPull"


@pytest.mark.parametrize(
    "arguments",
    [
        *({"query": ""}, {"query": "x" * 501}, {"query": "x", "limit": 0}, {"query": "x", "limit": 51}, {}),
        *({"query": "x", "limit": True}, {"query": "x", "limit": "5"}, {"query": 5}, {"query": "x", "session": 5}),
    ],
)
def test_arguments_out_of_bounds_are_refused(arguments: dict[str, object]) -> None:
    """Every input is bounded; what is refused says what would do."""
    refused = call("search", **arguments)
    assert refused.is_error
    assert " of 1 to " in refused.text or " from 1 to " in refused.text


def test_a_search_may_name_a_type_with_words_or_without() -> None:
    """R35, R86: only what is of the type; without a query all of it, behind the last name of the page before."""
    rows = call("search", "client:one", type="PullRequest").content["result"]
    assert [row["name"] for row in rows] == ["RetryPull"]
    assert call("search", "client:one", type="PullRequest", query="Retry").content["result"] == rows
    assert call("search", "client:one", type="PullRequest", after="RetryPull").content["result"] == []
    assert call("search", "client:one", type="Branch").content["result"] == []
    assert call("search", "client:one", type="x" * 201).is_error


def test_an_argument_that_is_null_is_none() -> None:
    """Clients fill in what their model leaves out."""
    assert call("search", "client:one", query="retry", session=None, limit=None).content["result"]


def test_a_store_that_cannot_be_read_is_an_answer_and_the_next_question_is_asked_again() -> None:
    """A locked store does not end the server."""
    locked = [StoreError("locked")]

    def opening(key: str | None) -> Shelf:  # noqa: ARG001 - one shelf
        if locked:
            raise locked.pop()
        return SHELVES["client:one"]

    busy = build_server(opening)
    assert mcp_asked.call(busy, "list", {}).text == "the memory cannot be read now; try again later (IO_FAILED)"
    assert mcp_asked.call(busy, "list", {}).content["result"]


@pytest.mark.parametrize(
    ("wanted", "given"), [("2025-06-18", "2025-06-18"), ("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-11-25")]
)
def test_a_client_gets_its_own_version_of_the_protocol_or_the_newest(wanted: str, given: str) -> None:
    """A client that is newer decides for itself whether it goes on."""
    told = request(server(), "initialize", {"protocolVersion": wanted, "capabilities": {}, "clientInfo": {}})
    assert (told["protocolVersion"], told["serverInfo"]["name"]) == (given, "ferrule")
    assert told["capabilities"] == {"tools": {"listChanged": False}}
    assert "<ferrule-memory>" in told["instructions"]
    assert request(server(), "ping") == {}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        *((b"{", -32700), (b"\xff", -32700), (b"[" * 100_000, -32700), (b"[]", -32600), (b"5", -32600)),
        *((b'{"id": 1}', -32600), (b'{"id": null, "method": "ping"}', -32600), (b'{"id": 1.5, "method": "x"}', -32600)),
        *((b'{"id": 1, "method": "prompts/list"}', -32601), (b'{"id": 1, "method": "ping", "params": []}', -32602)),
    ],
)
def test_what_is_no_request_is_an_error_of_the_protocol(line: bytes, code: int) -> None:
    """Untrusted text is data: a broken line costs an error, never the server."""
    answer = server().answer(line)
    assert answer is not None
    assert json.loads(answer)["error"]["code"] == code


@pytest.mark.parametrize(
    "line", [b"", b"\n", b'{"method": "notifications/initialized"}', b'{"id": 1, "result": {}}', b'{"method": 5}']
)
def test_what_asks_for_no_answer_gets_none(line: bytes) -> None:
    """A notification, and the answer to what was never asked."""
    assert server().answer(line) is None


def test_lines_are_answered_in_order_and_one_that_is_too_long_is_passed_over() -> None:
    """What comes after a line of any length is answered as ever."""
    ping = b'{"id": %d, "method": "ping"}\n'
    asked = io.BytesIO(ping % 1 + b'{"' + b"x" * (3 * MAX_LINE) + b"\n" + ping % 2 + b"x" * MAX_LINE + b"\n" + ping % 3)
    answered = io.BytesIO()
    serve(server(), asked, answered)
    answers = [json.loads(line) for line in answered.getvalue().splitlines()]
    assert [answer.get("id") for answer in answers] == [1, None, 2, None, 3]


def test_a_server_that_nobody_asks_opens_no_home_and_imports_little() -> None:
    """A client starts a server with every session and waits for none: the SDK and the store stay out."""
    import subprocess

    code = (
        "import sys, ferrule.interfaces.cli.entry as e; e.run(['mcp', '--home', '/nowhere/at/all']); "
        "sys.exit(any(name in sys.modules for name in ('mcp', 'pydantic', 'sqlite3', 'asyncio', 'rich')))"
    )
    hello = b'{"id": 1, "method": "initialize"}\n{"id": 2, "method": "tools/list"}\n'
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, check=False, capture_output=True, input=hello, timeout=60)  # noqa: S603 - our own
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert len(ran.stdout.splitlines()) == 2
