"""A few turns to label, a folder to label into, and the label server at work: what the tests of the page share.

Owns the turns (invented) and asking the server over a real socket. Knows nothing of what any test wants to see.
"""

import http.client
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ferrule.adapters.transcripts.reader import read_text
from ferrule.evaluation.labelling import Subject
from ferrule.interfaces.labelpage.server import LabelServer
from ferrule.wiring.labelling import LabelDesk, desk_of

__all__ = ["DRAFT", "NOTHING", "TOKEN", "Asking", "desk_at", "line", "serving", "subject", "subjects", "written"]

TOKEN = "t0ken-for-tests-only"
PATH = "src/tide.rs"
DRAFT: dict[str, Any] = {
    "entities": [
        {
            "label": "tide table",
            "type": "SourceFile",
            "grade": "required",
            "modality": "changed",
            "aliases": ["the tide table"],
            "handles": [{"kind": "filesystem-path", "value": PATH}],
        }
    ],
    "forbidden": [{"value": "/tmp/tide.log", "why": "temporary log"}],  # noqa: S108 - what a turn says
    "why": "The user names the table, and the outcome its file.",
}
NOTHING: dict[str, Any] = {"entities": [], "forbidden": [], "why": "Thanks only."}


def line(key: str, user: str, outcome: str, **more: object) -> str:
    """One neutral turn."""
    base = {"session_key": "spindrift", "profile": "buffaly-agent", "turn_key": key, "cwd": "/home/lin/spindrift"}
    return json.dumps({**base, "user": {"text": user}, "outcome": {"text": outcome}, **more}) + "\n"


def written() -> str:
    """Three turns: one about a file, thanks, and one whose texts look like markup."""
    call = {
        "call_id": "c0",
        "tool": "Edit",
        "arguments": {"file_path": f"/home/lin/spindrift/{PATH}", "old_string": "12", "new_string": "13"},
        "result": "The file has been updated. See /tmp/tide.log",
        "ok": True,
    }
    hostile = "<img src=x onerror=\"document.title='broken'\"><script>document.title='broken'</script>"
    return "".join(
        (
            line("t1", "Mend the tide table.", f"Mended `{PATH}`.", tool_results=[call], git_branch="neap"),
            line("t2", "thanks!", "Gladly."),
            line("t3", f"What is {hostile}?", f"Markup: {hostile}", tool_results=[{**call, "result": hostile}]),
        )
    )


def subjects(text: str = "") -> tuple[Subject, ...]:
    """The turns as the desk gets them."""
    (session,) = read_text(text or written(), scrub=lambda said: said, name="spindrift")
    return tuple(Subject(session.session, turn, "neutral/spindrift.jsonl") for turn in session.turns)


def subject() -> Subject:
    """The first of them."""
    return subjects()[0]


def desk_at(out: Path) -> LabelDesk:
    """A desk over the three turns."""
    return desk_of(subjects(), out)


@dataclass(frozen=True, slots=True)
class Asking:
    """Asks one server, with what a browser would send unless a test says otherwise."""

    server: LabelServer

    def raw(
        self, method: str, path: str, *, body: bytes | None = None, headers: Mapping[str, str | None] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers by small name, body. A header that is None is left out."""
        host = f"127.0.0.1:{self.server.server_port}"
        usual: dict[str, str | None] = {"Host": host}
        if body is not None:
            usual |= {"Origin": f"http://{host}", "Content-Type": "application/json", "Content-Length": str(len(body))}
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=10)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in {**usual, **(headers or {})}.items():
                if value is not None:
                    connection.putheader(name, value)
            connection.endheaders()
            if body is not None:
                connection.send(body)
            response = connection.getresponse()
            return response.status, {k.lower(): v for k, v in response.getheaders()}, response.read()
        finally:
            connection.close()

    def get(self, path: str) -> Any:  # noqa: ANN401 - JSON
        """The JSON that a question gets."""
        status, _, body = self.raw("GET", f"/{TOKEN}/{path}")
        assert status == 200, body
        return json.loads(body)

    def post(self, path: str, sent: object) -> tuple[int, Any]:
        """Status and JSON of a change."""
        status, _, body = self.raw("POST", f"/{TOKEN}/{path}", body=json.dumps(sent).encode())
        return status, json.loads(body)


@contextmanager
def serving(desk: LabelDesk, idle_seconds: float = 0.0) -> Iterator[Asking]:
    """The server at work in a thread of its own; it has ended afterwards."""
    ticks = iter(range(10**9))
    with LabelServer(desk, token=TOKEN, port=0, clock=lambda: float(next(ticks))) as server:
        server.timeout = 0.02  # it looks that often whether it is to end
        thread = threading.Thread(target=server.serve, args=(idle_seconds,))
        thread.start()
        try:
            yield Asking(server)
        finally:
            server.end()
            thread.join(10)
            assert not thread.is_alive()
