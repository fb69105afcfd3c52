"""A file that Ferrule cannot read is named for what it is, in one line that a person can act on.

Owns the looks of formats that are not read. Reads none of them.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ferrule.adapters.transcripts.fields import text_at
from ferrule.adapters.transcripts.formats import formats

__all__ = ["expected", "what_it_is"]


def expected() -> str:
    """What could have been given, as the end of that sentence."""
    others = [one.name for one in formats() if one not in formats(native=True)]
    more = f", or one of {', '.join(others)}" if others else ""
    return f"expected a Claude Code or Codex session, or neutral turns, one JSON object a line{more}"


_Look = Callable[[Mapping[str, Any]], bool]


def _is_codex_stream(value: Mapping[str, Any]) -> bool:
    return str(value.get("type", "")).startswith(("thread.", "turn.", "item."))


def _is_claude_stream(value: Mapping[str, Any]) -> bool:
    return text_at(value, "type") in {"system", "result"} and "session_id" in value


def _is_opencode_stream(value: Mapping[str, Any]) -> bool:
    return text_at(value, "sessionID").startswith("ses_") and isinstance(value.get("part"), dict)


def _is_opencode_piece(value: Mapping[str, Any]) -> bool:
    return text_at(value, "sessionID").startswith("ses_") and ("messageID" in value or "role" in value)


def _is_prompt_log(value: Mapping[str, Any]) -> bool:
    return {"sessionId", "messageId", "message"} <= set(value)


def _is_pi(value: Mapping[str, Any]) -> bool:
    return text_at(value, "type") == "session" and "version" in value and "cwd" in value


def _is_qwen(value: Mapping[str, Any]) -> bool:
    message = value.get("message")
    return isinstance(message, dict) and "parts" in message


def _is_labels(value: Mapping[str, Any]) -> bool:
    labels = value.get("labels")
    return "expected" in value or isinstance(labels, dict) or ("labels" in value and "turn" in value)


_LOOKS: tuple[tuple[_Look, str], ...] = (
    (_is_codex_stream, "is the stream of `codex exec --json`, which lacks the prompt; give the rollout file instead"),
    (_is_claude_stream, "is a Claude Code stream-json, which lacks the prompt; give the session file instead"),
    (_is_opencode_stream, "is the stream of `opencode run`, which lacks the prompt; give `opencode export` instead"),
    (_is_opencode_piece, "is one piece of an OpenCode session; give the file in storage/session or an export instead"),
    (_is_prompt_log, "is Gemini CLI's list of prompts, which lacks the answers; give a file in chats instead"),
    (_is_pi, "is a pi session, a format that is not read yet"),
    (_is_qwen, "is a Qwen Code session, a format that is not read yet"),
    (_is_labels, "is a file of labels, not of turns"),
)
_DOCUMENTS = (
    (b'"projectHash"', "a Gemini CLI session"),
    (b'"projectID"', "an OpenCode export"),
)


def what_it_is(head: bytes, values: Sequence[Mapping[str, Any]], unreadable: int, *, whole: bool = False) -> str:
    """What a file seems to be, as the rest of a sentence that begins with its name; `whole` if it is one JSON value."""
    if not head.strip(b"\xef\xbb\xbf \t\r\n"):
        return "is empty"
    if head.startswith(b"SQLite format 3\x00"):
        return "is a SQLite database, but of no sessions that Ferrule reads"
    if b"\x00" in head:
        return "is a binary file"
    named = next((sentence for look, sentence in _LOOKS if any(look(value) for value in values)), "")
    if named or values or whole:
        return named or "is JSON, but no transcript that Ferrule reads"
    return _text_or_broken(head, unreadable)


def _text_or_broken(head: bytes, unreadable: int) -> str:
    if head.lstrip()[:1] not in {b"{", b"["}:
        return "is text, not JSON lines"
    known = next((name for mark, name in _DOCUMENTS if mark in head), "")
    if known:
        return f"is {known} whose JSON breaks off"
    broken = "is one JSON document over several lines" if unreadable > 1 else "is JSON that breaks off"
    return f"{broken}, not JSON lines"
