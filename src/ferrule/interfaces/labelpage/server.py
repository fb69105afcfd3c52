"""A server for one person on one machine: loopback only, behind a token, gone when it is not used.

Owns the sockets, the limits of a request and when the server ends: by the page's button, when nobody asked anything for
a while, or when the process is told to end. Writes no log. Knows nothing of what is answered.
"""

import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from ferrule.interfaces.labelpage.guard import HEADERS, Refused, may_ask, may_post, size_of_body
from ferrule.interfaces.labelpage.routes import Answer, answer_get, answer_post
from ferrule.wiring.labelling import LabelDesk

__all__ = ["LabelServer"]

_LOOPBACK = "127.0.0.1"
_TICK_SECONDS = 0.25
_PATIENCE_SECONDS = 20.0


class LabelServer(ThreadingHTTPServer):
    """Serves one desk.

    Args:
        desk: the turns and their labels.
        token: what every address begins with.
        port: 0 for any free one.
        clock: seconds, never set back.

    Raises:
        OSError: the port is taken.
    """

    daemon_threads = True
    allow_reuse_address = True
    timeout: float = _TICK_SECONDS

    def __init__(self, desk: LabelDesk, *, token: str, port: int, clock: Callable[[], float]) -> None:
        self.desk, self.token = desk, token
        self._clock = clock
        self._asked_at = clock()
        self._ended = threading.Event()
        super().__init__((_LOOPBACK, port), _Handler)

    @property
    def url(self) -> str:
        """The address to open; it holds the token."""
        return f"http://{_LOOPBACK}:{self.server_port}/{self.token}/"

    def seen(self) -> None:
        """Somebody who may ask has asked."""
        self._asked_at = self._clock()

    def end(self) -> None:
        """Answer nothing any more; `serve` returns."""
        self._ended.set()

    def serve(self, idle_seconds: float) -> bool:
        """Answer until told to end; returns False when nobody had asked anything for `idle_seconds` (0: for ever)."""
        while not self._ended.is_set():
            self.handle_request()
            if 0 < idle_seconds < self._clock() - self._asked_at:
                return False
        return True

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that hangs up is no event."""


class _Handler(BaseHTTPRequestHandler):
    server: LabelServer
    protocol_version = "HTTP/1.1"
    server_version = "ferrule"
    sys_version = ""
    timeout = _PATIENCE_SECONDS

    def do_GET(self) -> None:
        asked = self._asked()
        if isinstance(asked, Refused):
            self._refuse(asked)
            return
        self.server.seen()
        # A body that nobody reads would be taken for the next request.
        self.close_connection |= bool({"content-length", "transfer-encoding"} & self._headers().keys())
        self._send(answer_get(self.server.desk, asked, self.path.partition("?")[2]))

    def do_POST(self) -> None:
        asked, headers = self._asked(), self._headers()
        refused = asked if isinstance(asked, Refused) else may_post(headers, port=self.server.server_port)
        size = size_of_body(headers)
        refused = refused or (size if isinstance(size, Refused) else None)
        if refused is not None or isinstance(asked, Refused) or isinstance(size, Refused):
            self._refuse(refused or Refused(HTTPStatus.BAD_REQUEST, "no"))
            return
        self.server.seen()
        self._send(answer_post(self.server.desk, asked, self.rfile.read(size)))

    def _asked(self) -> str | Refused:
        return may_ask(self._headers(), self.path, token=self.server.token, port=self.server.server_port)

    def _headers(self) -> dict[str, str]:
        """By small name; one that is sent twice becomes a value that no check takes."""
        found: dict[str, str] = {}
        for name, value in self.headers.items():
            key = name.lower()
            found[key] = f"{found[key]}, {value}" if key in found else value
        return found

    def _refuse(self, refused: Refused) -> None:
        """The body of what is refused is not read, so the connection cannot go on."""
        self.close_connection = True
        self._send(Answer(refused.status, f"{refused.says}\n".encode(), "text/plain; charset=utf-8"))

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(answer.body)))
        if self.close_connection or answer.ends:
            self.close_connection = True
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(answer.body)
        if answer.ends:
            self.wfile.flush()
            self.server.end()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401 - named and typed by http.server
        """Nothing is logged: an address holds the token."""
