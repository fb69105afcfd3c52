"""The result marker says in five lines what one critic turn came to (R90), and can be read back.

Rendered from the door's own record and the decisions, never from a critic's words about itself. Owns the text form.
Knows nothing of stores or timelines.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ferrule.bridge.values import Call, Decision, Disposition
from ferrule.errors import UsageError
from ferrule.referents.expressions import expression
from ferrule.session.keys import parse_result_token, result_token

__all__ = ["HEADER", "Marker", "parse_marker", "render_marker"]

HEADER = "ONLINE_MEMORY_CRITIC_RESULT"
_NONE = "none"
_LINE_END = expression(r"[\r\n;]+")


@dataclass(frozen=True, slots=True)
class Marker:
    """What a marker says. `candidates` are (label, disposition) in order; `writes` counts accepted bridge writes."""

    source: str
    turn: str
    candidates: tuple[tuple[str, str], ...]
    writes: int
    names: tuple[str, ...]
    reason: str


def accepted_names(record: Sequence[Call]) -> tuple[str, ...]:
    """Names of the prototypes whose write the door accepted, in order; the door notes the name as the first value."""
    names = [call.values[0] for call in record if call.tool == "write" and call.ok and call.values]
    return tuple(dict.fromkeys(names))


def render_marker(source: str, turn: str, decisions: Sequence[Decision], names: Sequence[str], *, reason: str) -> str:
    """The marker text. `names` are the prototypes that the door's record shows as accepted."""
    listed = "; ".join(f"{_flat(d.candidate, equals=False)}={d.disposition.value}" for d in decisions) or _NONE
    return "\n".join(
        (
            f"{HEADER} {result_token(source, turn)}",
            f"- Candidates: {listed}",
            f"- Writes: {len(names)}",
            f"- PrototypeNames: {', '.join(names) or _NONE}",
            f"- Reason: {_flat(reason)}",
        )
    )


def _flat(text: str, *, equals: bool = True) -> str:
    flat = " ".join(_LINE_END.sub(" ", text).split())
    return flat if equals else flat.replace("=", "-")


def parse_marker(text: str) -> Marker | None:
    """The last marker in a text, or None. Source keys may hold spaces and colons, so the turn key is cut at the right.

    A marker begins a line: one that is quoted inside another line, as a reason or a label may do, is none. Text before
    and after it is ignored; a marker with an unknown class or without its five lines is none.
    """
    start = text.rfind(f"\n{HEADER} ") + 1
    if not text.startswith(f"{HEADER} ", start):
        return None
    lines = text[start:].splitlines()[:5]
    fields = [_field(line, name) for line, name in zip(lines[1:], _FIELDS, strict=False)]
    if len(fields) != len(_FIELDS) or None in fields:
        return None
    candidates, writes, names, reason = (value or "" for value in fields)
    listed = _candidates(candidates)
    if listed is None or not writes.isdecimal():
        return None
    try:
        source, turn = parse_result_token(lines[0].removeprefix(f"{HEADER} "))
    except UsageError:
        return None
    return Marker(source, turn, listed, int(writes), _split(names, ", "), reason)


_FIELDS = ("Candidates", "Writes", "PrototypeNames", "Reason")


def _field(line: str, name: str) -> str | None:
    prefix = f"- {name}:"
    return line.removeprefix(prefix).strip() if line.startswith(prefix) else None


def _split(text: str, separator: str) -> tuple[str, ...]:
    return () if text == _NONE else tuple(part for part in text.split(separator) if part)


def _candidates(text: str) -> tuple[tuple[str, str], ...] | None:
    found = []
    for part in _split(text, "; "):
        label, equals, disposition = part.rpartition("=")
        if not equals or disposition not in {item.value for item in Disposition}:
            return None
        found.append((label, disposition))
    return tuple(found)
