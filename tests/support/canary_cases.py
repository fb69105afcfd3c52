"""Secrets of every kind, planted in what each transcript format may hold, and the search for any byte of them.

Owns the canaries, a sample of every format with canaries after all that is said in it, and the forms in which a canary
could lie somewhere. Knows nothing of what is run on them.
"""

import base64
import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from agent_runs import texts as run_texts
from benchmarks.secret_cases.making import Half, Planted, planted
from claude_lines import Talk
from gemini_log import GeminiTalk, called
from message_lists import EVERY
from opencode_talk import OpenTalk, tool
from reject_oracle import forms

from ferrule.referents.secrets.detect import scrub

KEY = b"a key of this test"
SHORTEST = 10
ALONE = {
    "alone", "shell", "fence", "json", "comment", "quoted mail", "base64", "hex", "percent-encoded", "concatenated",
}  # fmt: skip
SESSION = "canary-session"
SHIPPED = Path(__file__).parents[2] / "src" / "ferrule" / "samples"
SAID = "Please write the plan of the harbour down."
ANSWER = "The plan of the harbour is in docs/plan.md now."
COMMAND = "cat docs/plan.md and count its lines"
PRINTED = "File created successfully at: /w/shop/docs/plan.md"


def _canaries() -> tuple[Planted, ...]:
    """One of each kind, of all that the scrubber sees in their text."""
    taken: dict[str, Planted] = {}
    for half in Half:
        for case in planted(7, half, contexts=2):
            if case.context in ALONE and not case.left_in(scrub(f"a\n{case.text}\nb", KEY)):
                taken.setdefault(case.kind, case)
    return tuple(taken.values())


CANARIES = _canaries()
NEEDLES = tuple(sorted({needle for case in CANARIES for needle in case.needles if len(needle) >= SHORTEST}))


def ways(secret: str) -> set[bytes]:
    """A canary as it could lie somewhere: plain, reversed, encoded, base64 from each of its three beginnings."""
    raw = secret.encode()
    inside = (base64.b64encode(bytes(lead) + raw)[4 if lead else 0 : -4] for lead in range(3))
    return {*forms(secret), raw[::-1], raw.hex().upper().encode(), secret.encode("utf-16-be"), *inside}


def endless() -> Iterator[Planted]:
    """The canaries over and over."""
    while True:
        yield from CANARIES


def salted(value: object, salt: Iterator[Planted]) -> object:
    """A JSON value with a secret on a line of its own after every text of three words, in JSON within JSON too."""
    if isinstance(value, str):
        inner = _json_in(value)
        if inner is not None:
            return json.dumps(salted(inner, salt))
        return f"{value}\n{next(salt).text}\n" if value.count(" ") > 1 else value
    if isinstance(value, list):
        return [salted(item, salt) for item in value]
    if isinstance(value, dict):
        return {key: salted(item, salt) for key, item in value.items()}
    return value


def _json_in(text: str) -> object:
    if text[:1] not in {"{", "["}:
        return None
    try:
        found = json.loads(text)
    except json.JSONDecodeError:
        return None
    return found if isinstance(found, dict | list) else None


def rewritten(text: str) -> str:
    """A transcript with secrets after all that is said in it: a JSON document, JSON lines, or plain text."""
    salt = endless()
    if text[0] not in "{[":
        return "".join(_with_salt(row, salt) for row in text.splitlines())
    try:
        return json.dumps(salted(json.loads(text), salt))
    except json.JSONDecodeError:
        return "".join(json.dumps(salted(json.loads(row), salt)) + "\n" for row in text.splitlines() if row)


def _with_salt(row: str, salt: Iterator[Planted]) -> str:
    """A line of plain text, and a secret after it under the same mark: `#### ` of a user, `> ` of a quote."""
    mark = next((mark for mark in ("#### ", "> ", "") if row.startswith(mark)), "")
    if row.count(" ") < 3 or not (mark or row[:1].isalnum()):
        return f"{row}\n"
    return f"{row}\n" + "".join(f"{mark}{line}\n" for line in next(salt).text.splitlines())


def turn(number: int, secrets: list[Planted]) -> dict[str, Any]:
    """A neutral turn with secrets in the user's words, in a call's arguments and result, and in the answer."""
    said = "\n".join(case.text for case in secrets)
    path = f"/w/shop/docs/plan{number}.md"
    return {
        "id": f"b{number}",
        "session_key": SESSION,
        "profile": "buffaly-agent",
        "turn_key": f"b{number}",
        "cwd": "/w/shop",
        "user": {"text": f"Please write docs/plan{number}.md with the plan.\n{said}\nThank you."},
        "outcome": {"text": f"I wrote `docs/plan{number}.md`.\n{said}\n"},
        "tool_results": [
            {
                "call_id": "c1",
                "tool": "Write",
                "arguments": {"file_path": path, "content": said},
                "result": f"File created successfully at: {path}\n{said}\n",
                "ok": True,
            }
        ],
    }


def _claude() -> str:
    talk = Talk()
    talk.user(SAID)
    talk.call("Bash", {"command": COMMAND, "description": SAID}, PRINTED)
    talk.text(ANSWER)
    return _rows(talk.lines)


def _opencode() -> str:
    talk = OpenTalk()
    talk.user(SAID)
    talk.answer(tool("bash", {"command": COMMAND, "description": SAID}, PRINTED), ANSWER)
    return json.dumps(talk.export())


def _gemini(*, on_lines: bool) -> str:
    talk = GeminiTalk()
    talk.user(SAID)
    talk.answer("Now I look at the plan.", called("run_shell_command", {"command": COMMAND}, PRINTED))
    talk.answer(ANSWER)
    talk.user(SAID)
    talk.answer(ANSWER)
    return _rows(talk.lines()) if on_lines else json.dumps(talk.document())


def _copilot() -> str:
    context = {"cwd": "/w", "gitRoot": "/w", "branch": "main", "repository": "larkspur/tides", "hostType": "github"}
    asked = {"toolCallId": "c1", "name": "bash", "arguments": {"command": COMMAND}}
    events: list[tuple[str, dict[str, Any]]] = [
        ("session.start", {"sessionId": "5e55", "context": context}),
        ("user.message", {"content": SAID, "interactionId": "i1"}),
        ("assistant.message", {"content": "Now I look at the plan.", "toolRequests": [asked]}),
        ("tool.execution_start", {"toolCallId": "c1", "toolName": "bash", "arguments": {"command": COMMAND}}),
        ("tool.execution_complete", {"toolCallId": "c1", "success": True, "result": {"content": PRINTED}}),
        ("assistant.message", {"content": ANSWER, "toolRequests": []}),
        ("user.message", {"content": SAID, "interactionId": "i2"}),
        ("assistant.message", {"content": ANSWER, "toolRequests": []}),
        ("session.title_changed", {"title": SAID}),
        ("session.shutdown", {"codeChanges": {"filesModified": ["/w/b.py"]}}),
    ]
    facts = {"parentId": None}
    return _rows(
        [
            {"type": kind, "data": data, "id": f"e{at}", "timestamp": f"2026-01-01T00:00:{at:02}Z", **facts}
            for at, (kind, data) in enumerate(events)
        ]
    )


def _rows(values: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


def samples() -> dict[str, str]:
    """Small transcripts by name; the name begins with the format's own."""
    shipped = {f"codex {path.stem}": path.read_text("utf-8") for path in sorted(SHIPPED.glob("codex-pull*.jsonl"))}
    return {
        **run_texts(),
        **{name: json.dumps(value) for name, value in EVERY.items()},
        **shipped,
        "neutral": json.dumps(turn(1, [])) + "\n",
        "claude-code": _claude(),
        "opencode": _opencode(),
        "gemini-cli": _gemini(on_lines=False),
        "gemini-cli log": _gemini(on_lines=True),
        "copilot-cli": _copilot(),
    }


def values(database: Path) -> bytes:
    """Every value of every table, the packed ones unpacked, which a scan of the bytes alone would not see into."""
    found: list[bytes] = []
    with closing(sqlite3.connect(database)) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            for row in connection.execute(f'SELECT * FROM "{table}"'):  # noqa: S608 - names from the database itself
                found += [unpacked(value) for value in row if isinstance(value, bytes | str)]
    return b"\n".join(found)


def unpacked(value: bytes | str) -> bytes:
    """A stored value as text."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    try:
        return zlib.decompress(value)
    except zlib.error:
        return value


def leaks(*places: Path, said: str = "") -> list[tuple[str, str]]:
    """(file, canary) for every canary in some form in some byte, names of files included."""
    wanted = {form: needle for needle in NEEDLES for form in ways(needle)}
    files = [path for place in places for path in sorted(place.rglob("*")) if path.is_file()]
    texts_by_name = {"said": said.encode("utf-8", "surrogatepass"), "names": "\n".join(map(str, files)).encode()}
    texts_by_name |= {str(path): path.read_bytes() for path in files}
    texts_by_name |= {f"values of {path}": values(path) for path in files if path.suffix == ".sqlite3"}
    return [(name, needle) for name, text in texts_by_name.items() for form, needle in wanted.items() if form in text]
