"""What is known of a benchmark turn before it is reviewed: where it comes from, so that figures can be told apart.

Owns the value and how it is read off a turn's line and its label. Knows nothing of transcripts or reviews.
"""

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["UNKNOWN", "TurnFacts", "facts_of"]

UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """Where one turn comes from.

    Attributes:
        id: its id, which its label has too.
        session: turns of one session stand or fall together: intervals resample these.
        format: the client or transcript format.
        repository: the name of the repository that the session worked in, without its owner: forks and copies of
            one count as one, so that nothing is chosen on one and scored on the other.
        language: the natural language, where the turn or the label says so.
    """

    id: str
    session: str
    format: str
    repository: str
    language: str


def facts_of(turn: Mapping[str, object], label: Mapping[str, object]) -> TurnFacts:
    """Facts of a turn from its line and its label's line; the turn's `source` is asked first.

    `source` may hold `file`, `format`, `repo` and `language`; without them the label's `file` tells session, format
    (its first folder) and repository (what stands before `__` in the second part, as in `codex/agentv__a6-0.jsonl`),
    and the folder that the turn worked in tells the repository where that file does not.
    """
    value = turn.get("source")
    source: Mapping[str, object] = value if isinstance(value, Mapping) else {}
    file = _text(source, "file") or _text(label, "file")
    first, _, rest = file.partition("/")
    inner = rest.partition("/")[0].partition("__")[0] if "__" in rest.partition("/")[0] else ""
    return TurnFacts(
        id=_text(turn, "id") or _text(turn, "turn_key"),
        session=file or _text(turn, "session_key") or _text(turn, "id"),
        format=_text(source, "format") or first or UNKNOWN,
        repository=_last(_text(source, "repo")) or inner or _last(_text(turn, "cwd")) or first or UNKNOWN,
        language=_text(source, "language") or _text(turn, "language") or _text(label, "language") or UNKNOWN,
    )


def _text(row: Mapping[str, object], name: str) -> str:
    value = row.get(name)
    return value if isinstance(value, str) else ""


def _last(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]
