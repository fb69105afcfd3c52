"""Who may ask what: only a page that was opened by the printed address, on this machine, in this browser.

Owns the checks before anything is answered (Host, token, Origin, kind and size of a body) and the headers that keep the
page to itself. A web site elsewhere that a browser shows knows no token, gets no answer under a name of its own (DNS
rebinding) and cannot post (Origin, content type). Knows nothing of turns or labels.
"""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus

__all__ = ["HEADERS", "MOST_BYTES", "Refused", "may_ask", "may_post", "size_of_body"]

MOST_BYTES = 1_000_000
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a request gets no answer."""

    status: HTTPStatus
    says: str


def may_ask(headers: Mapping[str, str], path: str, *, token: str, port: int) -> str | Refused:
    """What is asked for below the token, without a query; or why it is refused. Header names are in small letters.

    The token is compared in constant time, and a wrong one is not told from a missing page.
    """
    if headers.get("host", "").lower() != f"127.0.0.1:{port}":
        return Refused(HTTPStatus.MISDIRECTED_REQUEST, "this server answers only under the address that was printed")
    given, slash, rest = path.partition("?")[0].removeprefix("/").partition("/")
    if not hmac.compare_digest(given.encode("utf-8", "replace"), token.encode()) or not slash:
        return Refused(HTTPStatus.NOT_FOUND, "there is nothing here; open the address that was printed")
    # The page itself may be opened by a link, as from a terminal in a browser; its parts and answers are its own.
    opened = not rest and headers.get("sec-fetch-dest") == "document"
    if headers.get("sec-fetch-site", "none") not in {"none", "same-origin"} and not opened:
        return Refused(HTTPStatus.FORBIDDEN, "another site asked")
    return rest


def may_post(headers: Mapping[str, str], *, port: int) -> Refused | None:
    """Whether a change is asked for by the page itself."""
    if headers.get("origin") != f"http://127.0.0.1:{port}":
        return Refused(HTTPStatus.FORBIDDEN, "a change is taken only from the page itself")
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "a change is sent as application/json")
    return None


def size_of_body(headers: Mapping[str, str]) -> int | Refused:
    """How many bytes the body has, before one is read."""
    length = headers.get("content-length", "")
    if "transfer-encoding" in headers or not (length.isascii() and length.isdecimal()):
        return Refused(HTTPStatus.LENGTH_REQUIRED, "say how long the body is")
    if len(length) > len(str(MOST_BYTES)) or int(length) > MOST_BYTES:
        return Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a body has at most {MOST_BYTES:,} bytes")
    return int(length)
