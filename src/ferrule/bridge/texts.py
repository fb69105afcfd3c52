"""The texts of a turn, each with one id and one role that comes from where it stands in the turn (CASE-A05, R18).

Owns the split of a call: what the agent named in its arguments is action; the material it carried (file contents,
patch bodies, here-documents) is what the thing then holds, so it is observation: it may fill a property, it never
creates an entity. Knows nothing of handles.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ferrule.bridge.segments import cut_outcome, cut_user, segment_texts
from ferrule.bridge.values import Role, TurnText
from ferrule.referents.expressions import expression
from ferrule.session.ledger.results import outcome
from ferrule.session.turn import ToolCall, Turn

__all__ = ["CONTENT", "is_content", "texts_of"]

CONTENT = ".content"

_BODY_KEYS = frozenset(
    [
        *("content", "contents", "new_string", "old_string", "newString", "oldString", "file_text", "fileText"),
        *("new_str", "old_str", "newText", "oldText", "insert_text", "new_source", "old_source", "replacement"),
        *("code_edit", "diff", "patch", "body", "old_text", "new_text", "insert_line_content", "edits", "todos"),
        *("replace", "chars", "text"),
    ]
)
_LONG_VALUE = 4_000  # a longer argument is material, whatever its name
_MAX_NESTED = 20_000
_PATCH = expression(r"\A\s{0,20}(?:diff --git |--- (?:a/|/dev/null)|Index: )|^\*\*\* Begin Patch", re.MULTILINE)
_PATCH_HEAD = expression(
    r"^(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |diff --git |\+\+\+ |--- |rename (?:from|to) )"
    r"[^\n]{1,1000}",
    re.MULTILINE,
)
_HERE = expression(r"<<-?[ \t]{0,4}(['\"]?)([A-Za-z_]\w{0,40})\1")


@dataclass(slots=True)
class _Parts:
    """What a call's arguments fall into."""

    named: list[str] = field(default_factory=list)
    carried: list[str] = field(default_factory=list)


def _without_heredocs(command: str) -> Iterator[tuple[str, bool]]:
    """Pieces of a shell command in order, each with whether it is the body of a here-document."""
    cursor = 0
    for opening in _HERE.finditer(command):
        if opening.start() < cursor:
            continue
        begin = command.find("\n", opening.end())
        if begin < 0:
            break
        close = command.find(f"\n{opening.group(2)}", begin)
        end = len(command) if close < 0 else close
        yield command[cursor : begin + 1], False
        yield command[begin + 1 : end], True
        cursor = min(end + 1, len(command))
    yield command[cursor:], False


def _take_text(key: str, value: str, parts: _Parts) -> None:
    label = f"{key}: " if key else ""
    if _PATCH.search(value[:_LONG_VALUE]):
        parts.named.append(label + "\n".join(match.group() for match in _PATCH_HEAD.finditer(value)))
        parts.carried.append(value)
        return
    if key in _BODY_KEYS or (len(value) > _LONG_VALUE and "<<" not in value):
        parts.carried.append(value)
        return
    pieces = list(_without_heredocs(value)) if "<<" in value else [(value, False)]
    parts.named.append(label + "".join(text for text, body in pieces if not body))
    parts.carried += [text for text, body in pieces if body and text.strip()]


def _take(key: str, value: object, parts: _Parts) -> None:
    if isinstance(value, str):
        _take_text(key, value, parts)
    elif isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        _take_text(key, " ".join(value) if key not in _BODY_KEYS else "\n".join(value), parts)
    elif isinstance(value, Mapping) and key not in _BODY_KEYS:
        for inner, item in list(value.items())[:100]:
            _take(str(inner), item, parts)
    elif isinstance(value, Mapping | list):
        shown = json.dumps(value, ensure_ascii=False, default=str)[:_MAX_NESTED]
        (parts.carried if key in _BODY_KEYS else parts.named).append(f"{key}: {shown}")
    elif value is not None:
        parts.named.append(f"{key}: {json.dumps(value, default=str)}")


def _parts_of(arguments: str | Mapping[str, object]) -> _Parts:
    parts = _Parts()
    if isinstance(arguments, str):
        _take_text("", arguments, parts)
    else:
        for key, value in list(arguments.items())[:100]:
            _take(str(key), value, parts)
    return parts


def _call_texts(call: ToolCall) -> tuple[list[TurnText], list[TurnText]]:
    """The action text of a call, and its observations: the material it carried and what came back."""
    ok = outcome(call)
    parts = _parts_of(call.arguments)
    named = TurnText(f"call.{call.call_id}.arguments", Role.ACTION, "\n".join(parts.named), call.call_id, ok)
    seen: list[TurnText] = []
    if parts.carried:
        carried = "\n".join(parts.carried)
        seen.append(TurnText(f"call.{call.call_id}{CONTENT}", Role.OBSERVATION, carried, call.call_id, ok))
    if call.result is not None:  # a missing result is no text: it proves nothing (D10)
        seen.append(TurnText(f"call.{call.call_id}.result", Role.OBSERVATION, call.result, call.call_id, ok))
    return [named], seen


def is_content(text_id: str) -> bool:
    """Whether a text holds what a call carried into a file: it tells nothing of what existed before."""
    return text_id.endswith(CONTENT)


def texts_of(turn: Turn) -> tuple[TurnText, ...]:
    """All texts of a turn: user, steering, outcome, then per call its arguments, then the observations (R18).

    A sub-agent's transcript in a tool result is that call's observation, all of it (CASE-A19).
    """
    results = [call.result for call in turn.calls if call.result]
    texts = list(segment_texts("user", turn.user, cut_user(turn.user)))
    for number, message in enumerate(turn.steering):
        texts += segment_texts(f"steering.{number}", message, cut_user(message))
    texts += segment_texts("outcome", turn.outcome, cut_outcome(turn.outcome, results))
    observed: list[TurnText] = []
    for call in turn.calls:
        named, seen = _call_texts(call)
        texts += named
        observed += seen
    texts += observed
    texts += [
        TurnText(f"artifact.{number}", Role.OBSERVATION, "\n".join(filter(None, (item.path or item.name, item.text))))
        for number, item in enumerate(turn.artifacts)
    ]
    return tuple(texts)
