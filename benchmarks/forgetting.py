"""What survives when a session is cut: the figure that a memory is bought for."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from benchmarks.corpus import CORPUS
from benchmarks.figures import Figure
from ferrule.wiring.benching_sessions import SessionsAsked
from ferrule.wiring.benching_ways import WayRequest, bench_amnesia

__all__ = ["forgetting", "forgetting_tables"]


def forgetting() -> Iterator[Figure]:
    """Ferrule's share within 600 tokens, and how far it is ahead of each rival of the same size."""
    if not CORPUS.is_dir():
        return
    found = _found()
    own = found["contenders"]["ferrule"]
    asked = found["asked"]
    yield Figure(
        f"amnesia: handles used again that {asked['tokens']} tokens of context tell",
        f"{own['share']:.2f} ({_between(own['interval'])})",
        "clearly ahead of a summary",
        f"{found['needed']} handles of {found['cuts']} cuts, absent from the last {asked['window']} turns; "
        f"remembered for good {found['contenders']['remembered']['share']:.2f}",
    )
    worked = found["by_origin"].get("worked with")
    if worked:
        yield Figure(
            "amnesia: of those that the session had worked with",
            f"{worked['shares']['ferrule']:.2f}",
            "clearly ahead of a summary",
            f"{worked['needed']} handles; the summary tells {worked['shares']['summary']:.2f}",
        )
    for rival, row in found["advantage"].items():
        yield Figure(
            f"amnesia: ahead of {rival} of the same size",
            f"{row['share']:+.2f} ({_between(row['interval'])})",
            "> 0" if rival != "every handle" else "reported",
            f"that tells {found['contenders'][rival]['share']:.2f}; 95 % of draws of sessions",
        )


def forgetting_tables() -> str:
    """Curves over cut, budget and window, and shares by format and kind, as Markdown."""
    if not CORPUS.is_dir():
        return ""
    found = _found()
    parts = [
        _table("Cut after turn", list(found["by_cut"].items())),
        _table("Before the cut", list(found["by_origin"].items())),
        _table("Tokens of context", [(row["tokens"], row) for row in found["by_budget"]]),
        _table("Last turns that the agent keeps", [(row["window"], row) for row in found["by_window"]]),
        _table("Format", list(found["by_format"].items())),
        _table("Kind of handle", list(found["by_kind"].items())),
    ]
    return "\n\n".join(parts)


@cache
def _found() -> Mapping[str, Any]:
    request = WayRequest(sessions=SessionsAsked(paths=(CORPUS,)))
    return bench_amnesia(request, progress=lambda _line: None)


def _between(ends: Sequence[float] | None) -> str:
    return "no interval" if ends is None else f"{ends[0]:.2f} to {ends[1]:.2f}"


def _table(head: str, rows: Sequence[tuple[object, Mapping[str, Any]]]) -> str:
    names = list(rows[0][1]["shares"]) if rows else []
    lines = [f"| {' | '.join((head, 'needed', *names))} |", "|" + "---|" * (len(names) + 2)]
    for group, row in rows:
        shares = ("" if value is None else f"{value:.2f}" for value in row["shares"].values())
        lines.append(f"| {' | '.join((str(group), str(row['needed']), *shares))} |")
    return "\n".join(lines)
