"""Where a text with a secret turns up: prose, logs, shells, patches, JSON, tables, encodings, cut in pieces.

Owns the wrappers: each makes of a text and its secret the text as seen and the strings of which nothing may stay.
"""
# ruff: noqa: E501 - a wrapper a line

import base64
import json
from collections.abc import Callable
from html import escape
from urllib.parse import quote

from benchmarks.secret_cases.drawing import Draw

__all__ = ["WRAPPERS", "Wrapped"]

Wrapped = tuple[str, tuple[str, ...]]
Wrapper = Callable[[Draw, str, str], Wrapped | None]


def _framed(frame: str, *, line: bool = False) -> Wrapper:
    def wrap(_: Draw, text: str, value: str) -> Wrapped | None:
        return None if line and "\n" in text else (frame.replace("%s", text), (value,))

    return wrap


def _each(lead: str) -> Wrapper:
    def wrap(_: Draw, text: str, value: str) -> Wrapped | None:
        return None if "\n" in value else ("\n".join(f"{lead}{row}" for row in text.split("\n")), (value,))

    return wrap


def _encoded(encode: Callable[[str], str]) -> Wrapper:
    def wrap(_: Draw, text: str, __: str) -> Wrapped | None:
        run = encode(text)
        return (f"payload {run} end", (run,))

    return wrap


def _json(_: Draw, text: str, value: str) -> Wrapped | None:
    return json.dumps({"ok": True, "output": f"done\n{text}\n"}), tuple(json.dumps(value)[1:-1].split("\\n"))


def _json_twice(_: Draw, text: str, value: str) -> Wrapped | None:
    inner = json.dumps({"text": text})
    return json.dumps({"result": inner}), tuple(json.dumps(json.dumps(value)[1:-1])[1:-1].split("\\\\n"))


def _html(_: Draw, text: str, value: str) -> Wrapped | None:
    return f"<pre><code>{escape(text)}</code></pre>", tuple(escape(value).split("\n"))


def _halves(value: str) -> tuple[str, str]:
    return value[: len(value) // 2], value[len(value) // 2 :]


def _backslash(_: Draw, text: str, value: str) -> Wrapped | None:
    left, right = _halves(value)
    return None if "\n" in value or " " in value else (text.replace(value, f"{left}\\\n{right}"), (left, right))


def _concatenated(draw: Draw, text: str, value: str) -> Wrapped | None:
    left, right = _halves(value)
    for mark in "\"'":
        if f"{mark}{value}{mark}" in text and "\n" not in value:
            glue = draw.chance.choice((" + ", " +\n    ", " . ", "\n    ", " & "))
            return text.replace(value, f"{left}{mark}{glue}{mark}{right}"), (left, right)
    return None


WRAPPERS: dict[str, Wrapper] = {
    "alone": _framed("%s"),
    "prose": _framed("Here it is: %s and then we can go on.", line=True),
    "end of a sentence": _framed("I looked at it again; it says %s.", line=True),
    "log": _framed("2030-01-02T03:04:05Z INFO [worker-3] started: %s", line=True),
    "shell": _framed("$ cd /srv/shop\n$ %s\nok"),
    "patch": _each("+"),
    "numbered": _each("    12\t"),
    "quoted mail": _each("> "),
    "comment": _each("# "),
    "indented": _each("        "),
    "fence": _framed("```\n%s\n```"),
    "inline code": _framed("run `%s` first", line=True),
    "table": _framed("| what | value |\n|---|---|\n| it | %s |", line=True),
    "brackets": _framed("(%s)", line=True),
    "list": _framed("- **note** %s\n- next", line=True),
    "windows lines": lambda _, text, value: (f"a\r\n{text}\r\nb".replace("\n", "\r\n").replace("\r\r", "\r"), tuple(value.split("\n"))),
    "json": _json,
    "json in json": _json_twice,
    "html": _html,
    "percent-encoded": lambda _, text, value: (f"payload {quote(text, safe='')} end", (quote(value, safe=""),)),
    "base64": _encoded(lambda text: base64.b64encode(text.encode()).decode()),
    "base64 of a url": _encoded(lambda text: base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")),
    "hex": _encoded(lambda text: text.encode().hex()),
    "backslash": _backslash,
    "concatenated": _concatenated,
}  # fmt: skip
