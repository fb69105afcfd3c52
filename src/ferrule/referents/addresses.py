"""Two spellings of one address on a network fold into one: scheme, host, port, escapes, dots, end slash.

Owns the folding of URLs and host names (design.md section 3). What stays apart: http and https, `www.` before a host
that is no forge, the case of a path, the order of a query, for nothing in a text proves that they lead to one thing.
Contacts nothing. Knows nothing of forges or of paths on disk.
"""

import re
import unicodedata
from collections.abc import Mapping
from urllib.parse import quote, urlsplit

from ferrule.referents.expressions import expression

__all__ = ["DATABASE_PORTS", "WEB_PORTS", "ascii_host", "fold_url"]

WEB_PORTS: Mapping[str, int] = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21, "ssh": 22, "git": 9418}
DATABASE_PORTS: Mapping[str, int] = {
    "postgres": 5432, "mysql": 3306, "mariadb": 3306, "mongodb": 27017, "redis": 6379, "rediss": 6379,
    "sqlserver": 1433, "clickhouse": 9000, "bolt": 7687,
}  # fmt: skip
_LINES = expression(r"L[0-9]{1,7}(?:C[0-9]{1,5})?(?:-L?[0-9]{1,7}(?:C[0-9]{1,5})?)?")
_ESCAPE = expression(r"%([0-9A-Fa-f]{2})")
_FOREIGN = expression(r"[^\x00-\x7f]+")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_LONGEST_HOST = 253
_SYNONYMS = {"postgresql": "postgres"}


def fold_url(value: str, ports: Mapping[str, int] = WEB_PORTS) -> str:
    """One spelling of a URL: lower scheme, ASCII host; no default port, dot segment, end slash, line anchor, userinfo.

    Escapes are upper case, needless ones are undone, letters beyond ASCII are escaped (RFC 3986 section 6.2.2).
    """
    text = value.strip().strip("`'\"<>")
    try:
        parts = urlsplit(text)
        host, port = ascii_host(parts.hostname or ""), parts.port
    except ValueError:
        return text
    if not parts.scheme or not host:
        return text.rstrip("/")
    scheme = _SYNONYMS.get(parts.scheme.lower(), parts.scheme.lower())
    where = f"[{host}]" if ":" in host else host
    where += f":{port}" if port and port != ports.get(scheme) else ""
    query = f"?{_escaped(parts.query)}" if parts.query else ""
    anchor = f"#{_escaped(parts.fragment)}" if parts.fragment and not _LINES.fullmatch(parts.fragment) else ""
    return f"{scheme}://{where}{_escaped(_undotted(parts.path)).rstrip('/')}{query}{anchor}"


def ascii_host(host: str) -> str:
    """A host name in lower case, an international one in its ASCII form; what cannot be written so stays as it is."""
    host = host.lower().rstrip(".")
    if host.isascii() or len(host) > _LONGEST_HOST:
        return host
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return unicodedata.normalize("NFC", host)


def _escaped(text: str) -> str:
    if "%" in text:
        text = _ESCAPE.sub(_unneeded, text)
    if text.isascii():
        return text
    return _FOREIGN.sub(lambda found: quote(unicodedata.normalize("NFC", found.group()), errors="surrogatepass"), text)


def _unneeded(found: re.Match[str]) -> str:
    char = chr(int(found[1], 16))
    return char if char in _UNRESERVED else found.group().upper()


def _undotted(path: str) -> str:
    """A path without `.` and `..` segments (RFC 3986 section 5.2.4)."""
    if "/." not in path:
        return path
    kept: list[str] = []
    for part in path.split("/"):
        if part == "..":
            del kept[max(1, len(kept) - 1) :]  # the empty part before the first slash stays
        elif part != ".":
            kept.append(part)
    return "/".join(kept) if len(kept) > 1 else "/"
