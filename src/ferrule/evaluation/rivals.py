"""What an agent could be given instead of a memory, at the same price: a summary, the last turns, a bare list.

Owns these texts. The summary is the plain one that needs no model: of every turn the beginning of what was asked and of
what came out, each turn an equal share, the whole session covered. Knows nothing of Ferrule's memory.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from ferrule.evaluation.forgetting import TurnHandles
from ferrule.recall.budget import estimated_tokens
from ferrule.session.turn import Turn

__all__ = ["RIVALS", "Rival", "every_handle", "last_turns", "summary"]

Rival = Callable[[Sequence[Turn], Sequence[TurnHandles], int], str]
"""A text of at most so many tokens out of the turns up to a cut."""

_ASKED = 0.35  # of a turn's share, the rest tells what came out
_LETTERS_A_TOKEN = 5
_FEWEST = 12  # tokens: a shorter share tells nothing, so older turns go first


def summary(turns: Sequence[Turn], _handles: Sequence[TurnHandles], tokens: int) -> str:
    """One line a turn, oldest first; where shares would become too small, the oldest turns are left out."""
    told = turns[-max(1, tokens // _FEWEST) :]
    share = max(_FEWEST, tokens // max(1, len(told)))
    lines = []
    for turn in told:
        asked = _beginning(turn.user, int(share * _ASKED))
        lines.append(f"- {asked}: {_beginning(turn.outcome, share - estimated_tokens(asked) - 3)}")
    return _within("\n".join(lines), tokens)


def last_turns(turns: Sequence[Turn], _handles: Sequence[TurnHandles], tokens: int) -> str:
    """The end of the conversation as it stands: what was asked and what came out, cut where the budget ends."""
    parts: list[str] = []
    left = tokens
    for turn in reversed(turns):
        text = f"User: {turn.user}\nAgent: {turn.outcome}\n"
        cost = estimated_tokens(text)
        if cost > left:
            parts.append(_end(text, left))
            break
        parts.append(text)
        left -= cost
    return "".join(reversed(parts))


def every_handle(_turns: Sequence[Turn], handles: Sequence[TurnHandles], tokens: int) -> str:
    """Every handle that any turn showed, last shown first, without a judgement of what matters."""
    lines: list[str] = []
    left = tokens
    for value in _newest(handles):
        cost = estimated_tokens(value) + 1
        if cost <= left:
            lines.append(value)
            left -= cost
        elif left < _FEWEST:
            break
    return "\n".join(lines)


def _newest(handles: Sequence[TurnHandles]) -> Iterator[str]:
    seen: set[str] = set()
    for turn in reversed(handles):
        for key, spellings in turn.shown.items():
            if key not in seen:
                seen.add(key)
                yield max(spellings, key=len)


def _beginning(text: str, tokens: int) -> str:
    """The first words of a text that cost no more; whole words, on one line."""
    flat = " ".join(text[: max(0, tokens) * _LETTERS_A_TOKEN * 2].split())
    return _within(flat, tokens)


def _within(text: str, tokens: int) -> str:
    """The longest beginning, at a space, that costs no more."""
    return _bisected(text, tokens, lambda size: text[:size].rsplit(" ", 1)[0] if size < len(text) else text)


def _end(text: str, tokens: int) -> str:
    return _bisected(
        text, tokens, lambda size: text[len(text) - size :].partition(" ")[2] if size < len(text) else text
    )


def _bisected(text: str, tokens: int, cut: Callable[[int], str]) -> str:
    low, high = 0, min(len(text), max(0, tokens) * _LETTERS_A_TOKEN * 2)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if estimated_tokens(cut(middle)) <= tokens else (low, middle - 1)
    return cut(low) if low else ""


RIVALS: Mapping[str, Rival] = {"summary": summary, "last turns": last_turns, "every handle": every_handle}
