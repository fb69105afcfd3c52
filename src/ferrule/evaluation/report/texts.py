"""What a card shows of a turn: its words and its calls in brief, bounded, with what the labels ask about in sight.

Owns which parts of a turn are shown and how much of each. Knows nothing of figures or markup.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ferrule.referents.secrets.mark import PLACEHOLDER
from ferrule.session.turn import ToolCall, Turn

__all__ = ["CallText", "TurnText", "TurnTexts", "text_of"]

_MOST_WORDS = 2600
_MOST_CALLS = 12
_MOST_ASKED = 260
_MOST_TOLD = 260
_MOST_SEARCHED = 200_000
_BEFORE = 60
_PLAIN = ("command", "cmd", "file_path", "path", "url", "pattern", "query")


@dataclass(frozen=True, slots=True)
class CallText:
    """One call: the tool, what it was asked, what it told, whether that went well (None: nobody can tell)."""

    tool: str
    asked: str
    told: str
    ok: bool | None


@dataclass(frozen=True, slots=True)
class TurnText:
    """One turn as far as it is shown; `more_calls` were left out."""

    user: str
    outcome: str
    steering: tuple[str, ...] = ()
    calls: tuple[CallText, ...] = ()
    more_calls: int = 0
    folder: str = ""
    branch: str = ""


@dataclass(frozen=True, slots=True)
class TurnTexts:
    """The turns that could be read, by id, and in words why others, or all, could not."""

    by_id: Mapping[str, TurnText] = field(default_factory=dict)
    remark: str = ""


def text_of(turn: Turn, values: Sequence[str]) -> TurnText:
    """A turn as a card shows it: of its calls those that mention one of `values` go before others."""
    found = [(at, call, _told(call, values)) for at, call in enumerate(turn.calls)]
    speaking = [at for at, call, told in found if told[1] or _mentions(_asked(call), values)]
    rest = [at for at, _, _ in found if at not in speaking]
    kept = set([*speaking, *rest][:_MOST_CALLS])
    return TurnText(
        user=_shortened(turn.user, _MOST_WORDS),
        outcome=_shortened(turn.outcome, _MOST_WORDS),
        steering=tuple(_shortened(words, _MOST_ASKED) for words in turn.steering[:4]),
        calls=tuple(_call(call, told[0]) for at, call, told in found if at in kept),
        more_calls=len(found) - len(kept),
        folder=_unmarked(turn.place.cwd or ""),
        branch=_unmarked(turn.branch or ""),
    )


def _call(call: ToolCall, told: str) -> CallText:
    return CallText(_shortened(call.tool, 80), _shortened(_asked(call), _MOST_ASKED), told, call.ok)


def _asked(call: ToolCall) -> str:
    """The one argument that says it all where there is one, else all of them."""
    arguments = call.arguments
    if isinstance(arguments, str):
        return arguments[:_MOST_SEARCHED]
    plain = next((arguments[name] for name in _PLAIN if isinstance(arguments.get(name), str)), None)
    if isinstance(plain, str):
        return plain[:_MOST_SEARCHED]
    return json.dumps(arguments, ensure_ascii=False, default=str)[:_MOST_SEARCHED]


def _told(call: ToolCall, values: Sequence[str]) -> tuple[str, bool]:
    """The part of the result around the first value that it mentions, else its beginning; whether it mentions one."""
    result = (call.result or "")[:_MOST_SEARCHED]
    places = [at for value in values if value and (at := result.find(value)) >= 0]
    if not places:
        return _shortened(result, _MOST_TOLD), False
    start = max(0, min(places) - _BEFORE)
    lead = "… " if start else ""
    return lead + _cut(_unmarked(result[start : start + 4 * _MOST_TOLD]), _MOST_TOLD), True


def _mentions(text: str, values: Sequence[str]) -> bool:
    return any(value and value in text for value in values)


def _unmarked(text: str) -> str:
    """A mark's digest differs from home to home and tells nothing here."""
    return PLACEHOLDER.sub(lambda found: found.group().rpartition(":")[0] + "]", text)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most].rstrip() + " …"


def _shortened(text: str, most: int) -> str:
    """The beginning and the end, and how much stands between."""
    told = _unmarked(text)
    if len(told) <= most:
        return told
    head, tail = most * 2 // 3, most // 3
    return f"{told[:head].rstrip()}\n[… {len(told) - head - tail:,} characters …]\n{told[-tail:].lstrip()}"
