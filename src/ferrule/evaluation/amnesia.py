"""How much of what an agent will need again survives a cut of its session: the figure that a memory is bought for.

A session is cut after turn k. Of the handles used later, told before and absent from the last n turns, the share that
stands in Ferrule's context counts, beside that in rivals of the same size. Owns the figures, their curves over cut,
budget and window, and their intervals by session. Knows nothing of stores: what Ferrule would have told at each cut is
handed in.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ferrule.evaluation.bootstrap import Draws, drawn, interval
from ferrule.evaluation.forgetting import Lost, Told, TurnHandles, lost_at
from ferrule.evaluation.rivals import RIVALS
from ferrule.session.turn import Turn

__all__ = ["BUDGETS", "FERRULE", "Asked", "Cut", "Track", "amnesia"]

FERRULE = "ferrule"
BUDGETS = (150, 300, 600, 1200)
_EXAMPLES = 60
_CUTS = ((1, 1), (2, 2), (3, 4), (5, 8), (9, 16), (17, 10_000))


@dataclass(frozen=True, slots=True)
class Asked:
    """What is measured: the size of the context in tokens, and how many last turns the agent keeps."""

    tokens: int = 600
    window: int = 2
    windows: tuple[int, ...] = (0, 1, 2, 4)
    budgets: tuple[int, ...] = BUDGETS


@dataclass(frozen=True, slots=True)
class Cut:
    """What Ferrule tells after turn k: its context by budget, and the keys of everything that it remembers."""

    contexts: Mapping[int, str]
    remembered: frozenset[str]


@dataclass(frozen=True, slots=True)
class Track:
    """One session, reviewed in order. `cuts` by the number of turns before the cut; a last turn is never one."""

    session: str
    format: str
    turns: Sequence[Turn]
    handles: Sequence[TurnHandles]
    cuts: Mapping[int, Cut]


@dataclass(slots=True)
class _Tally:
    """Needed and found handles, by session; what was found by each contender."""

    rows: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, session: str, found: Mapping[str, int], needed: int) -> None:
        self.rows[session].update({"needed": needed, **found})

    def shares(self, names: Sequence[str]) -> dict[str, object]:
        total: Counter[str] = Counter()
        for row in self.rows.values():
            total.update(row)
        needed = total["needed"]
        return {
            "sessions": len(self.rows),
            "needed": needed,
            "shares": {name: _share(total[name], needed) for name in names},
        }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def amnesia(tracks: Sequence[Track], asked: Asked, draws: Draws) -> dict[str, object]:
    """The figures as one object: `contenders`, `advantage`, and `by_` cut, origin, format, kind, budget and window.

    `remembered` beside the contenders is what Ferrule holds at the cut whatever the budget: the share that a search
    would find.
    """
    names = (FERRULE, *RIVALS)
    measured = [one for track in tracks for one in _measured(track, asked.tokens, asked.window)]
    return {
        "format": 1,
        "asked": {"tokens": asked.tokens, "window": asked.window},
        "sessions": len(tracks),
        "turns": sum(len(track.turns) for track in tracks),
        "cuts": len({(one.track.session, one.cut) for one in measured}),
        **_overall(measured, names, draws),
        "by_cut": _by(measured, names, lambda one, _lost: _cut_range(one.cut)),
        "by_format": _by(measured, names, lambda one, _lost: one.track.format),
        "by_origin": _by(measured, names, lambda _one, lost: "worked with" if lost.worked_with else "only shown"),
        "by_kind": _by(measured, names, lambda _one, lost: lost.kind.value),
        "by_budget": [
            {"tokens": tokens, **_tally(_all(tracks, tokens, asked.window)).shares(names)} for tokens in asked.budgets
        ],
        "by_window": [
            {"window": window, **_tally(_all(tracks, asked.tokens, window)).shares(names)} for window in asked.windows
        ],
        "missed": [_example(one, lost) for one in measured for lost in one.lost if lost not in one.found[FERRULE]][
            :_EXAMPLES
        ],
    }


@dataclass(frozen=True, slots=True)
class _Measured:
    """One cut of one session: what is lost there, and what each contender tells of it."""

    track: Track
    cut: int
    lost: tuple[Lost, ...]
    found: Mapping[str, frozenset[Lost]]


def _all(tracks: Sequence[Track], tokens: int, window: int) -> list[_Measured]:
    return [one for track in tracks for one in _measured(track, tokens, window)]


def _measured(track: Track, tokens: int, window: int) -> Iterator[_Measured]:
    for cut, there in sorted(track.cuts.items()):
        lost = lost_at(track.handles, cut, window)
        if not lost:
            continue
        place = track.handles[cut - 1].place
        texts = {name: rival(track.turns[:cut], track.handles[:cut], tokens) for name, rival in RIVALS.items()}
        texts[FERRULE] = there.contexts.get(tokens, "")
        found: dict[str, frozenset[Lost]] = {}
        for name, text in texts.items():
            told = Told(text, place)
            found[name] = frozenset(one for one in lost if told.tells(one))
        found["remembered"] = frozenset(one for one in lost if one.key in there.remembered)
        yield _Measured(track, cut, lost, found)


def _tally(measured: Sequence[_Measured]) -> _Tally:
    tally = _Tally()
    for one in measured:
        tally.add(one.track.session, {name: len(found) for name, found in one.found.items()}, len(one.lost))
    return tally


def _overall(measured: Sequence[_Measured], names: Sequence[str], draws: Draws) -> dict[str, object]:
    tally = _tally(measured)
    samples = drawn(list(tally.rows.items()), draws)
    total = _tally(measured).shares((*names, "remembered"))
    shares = total["shares"]
    assert isinstance(shares, dict)  # noqa: S101 - of this module's own making
    spread = {
        name: interval([_share(sample.get(name, 0), sample["needed"]) for sample in samples])
        for name in (*names, "remembered")
    }
    ahead = {
        rival: interval([_share(sample.get(FERRULE, 0) - sample.get(rival, 0), sample["needed"]) for sample in samples])
        for rival in RIVALS
    }
    return {
        "needed": total["needed"],
        "contenders": {name: {"share": shares[name], "interval": spread[name]} for name in (*names, "remembered")},
        "advantage": {
            rival: {"share": _difference(shares[FERRULE], shares[rival]), "interval": ahead[rival]} for rival in RIVALS
        },
        "bootstrap": {"draws": draws.count, "seed": draws.seed, "sessions": len(tally.rows)},
    }


def _difference(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else round(one - other, 4)


def _by(
    measured: Sequence[_Measured], names: Sequence[str], key: Callable[[_Measured, Lost], str]
) -> dict[str, dict[str, object]]:
    tallies: dict[str, _Tally] = defaultdict(_Tally)
    for one in measured:
        groups: dict[str, list[Lost]] = defaultdict(list)
        for lost in one.lost:
            groups[key(one, lost)].append(lost)
        for group, members in groups.items():
            found = {name: len(one.found[name].intersection(members)) for name in names}
            tallies[group].add(one.track.session, found, len(members))
    return {group: tallies[group].shares(names) for group in sorted(tallies, key=_natural)}


def _natural(group: str) -> tuple[int, str]:
    head = group.split("-", maxsplit=1)[0]
    return (int(head), group) if head.isdigit() else (0, group)


def _cut_range(cut: int) -> str:
    low, high = next((low, high) for low, high in _CUTS if low <= cut <= high)
    return str(low) if low == high else f"{low}-{high}" if high < _CUTS[-1][1] else f"{low}-"


def _example(one: _Measured, lost: Lost) -> dict[str, object]:
    return {
        "session": one.track.session,
        "cut": one.cut,
        "again": lost.again,
        "kind": lost.kind.value,
        "value": min(lost.spellings, key=lambda text: (len(text), text)),
        "remembered": lost in one.found["remembered"],
    }
