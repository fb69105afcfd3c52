"""What hosts do in one run is drawn by its seed: turns end, people click, events come twice, late, forged, astray.

Owns the scripts. Knows nothing of how an act is done or judged.
"""

import random
from collections import deque

from proofs.acts import Act, Kind
from proofs.chance import happens
from proofs.world import SOURCES, STRANGERS, TURNS

__all__ = ["scripts"]

EARLY = 0.6
_MODES = ("local", "queue-input", "webhook")
_TWISTS = ("tampered", "foreign", "unsigned", "other-type")


def scripts(rng: random.Random) -> dict[str, deque[Act]]:
    """The scripts of the two hosts: every source's turns end once, in order, and everything else comes in between."""
    sources = rng.sample(SOURCES, rng.choice((1, 1, 2, 2, 3)))
    hosts: tuple[deque[Act], deque[Act]] = (deque(), deque())
    modes = {source.key: rng.choice(_MODES) for source in sources}
    for source in sources:
        for act in _life(rng, source.key, modes[source.key]):
            hosts[happens(rng, 0.3)].append(act)
    if happens(rng, 0.2):
        stranger = rng.choice(STRANGERS).key
        hosts[1].append(Act(Kind.DELIVER, stranger, ("t1",)))
        hosts[1].append(Act(Kind.ATTACH, stranger, ("t1",), twist="stranger"))
    for host in hosts:
        _shuffled(rng, host)
    return {"host-1": hosts[0], "host-2": hosts[1]}


def _life(rng: random.Random, source: str, mode: str) -> list[Act]:
    acts: list[Act] = []
    turns = rng.randint(2, TURNS)
    attached_at = 1 if happens(rng, EARLY) else rng.randint(1, turns)
    for ordinal in range(1, turns + 1):
        turn = f"t{ordinal}"
        acts.append(Act(Kind.DELIVER, source, (turn,)))
        if ordinal == attached_at:
            acts.extend([Act(Kind.ATTACH, source, (turn,), mode=mode)] * rng.choice((1, 1, 2)))
        acts.extend(_events(rng, source, turn, mode))
        if happens(rng, 0.35):
            acts.append(_odd(rng, source, ordinal, mode))
        if happens(rng, 0.05):
            acts.extend((Act(Kind.CATCH_UP, source, (turn,)), Act(Kind.DETACH, source)))
    return acts


def _events(rng: random.Random, source: str, turn: str, mode: str) -> list[Act]:
    """The event of a turn, mostly once, sometimes again under its id or a new one, by its road or another."""
    times = rng.choice((0, 1, 1, 1, 2, 3))
    acts = []
    for number in range(times):
        fresh = happens(rng, 0.3)
        event = f"{source}/{turn}/{number if fresh else 0}"
        road = mode if happens(rng, 0.9) else rng.choice(_MODES)
        acts.append(Act(Kind.DISPATCH, source, (turn,), mode=road, event=event))
    if happens(rng, 0.15):
        twist = rng.choice(_TWISTS)
        event = f"{source}/t1/0" if twist == "tampered" else f"{source}/{turn}/{twist}"
        if twist != "unsigned" or mode == "webhook":
            acts.append(Act(Kind.DISPATCH, source, (turn,), twist=twist, mode=mode, event=event))
    return acts


def _odd(rng: random.Random, source: str, ordinal: int, mode: str) -> Act:
    """Something else that happens to a source in the middle of its life."""
    some = f"t{rng.randint(1, ordinal)}"
    every = tuple(f"t{number}" for number in range(1, ordinal + 1))
    return rng.choice(
        (
            Act(Kind.DETACH, source),
            Act(Kind.DETACH, source),
            Act(Kind.ATTACH, source, (some,), mode=mode),
            Act(Kind.ATTACH, source, (some,), mode=mode),
            Act(Kind.ARCHIVE, source, on=True),
            Act(Kind.ARCHIVE, source, on=False),
            Act(Kind.PAUSE, source, on=True),
            Act(Kind.PAUSE, source, on=False),
            Act(Kind.UNPARK, source),
            Act(Kind.IMPORT, source, every),
            Act(Kind.CATCH_UP, source, every),
        )
    )


def _shuffled(rng: random.Random, acts: deque[Act]) -> None:
    """Swap some neighbours: events come late or before their turn, clicks overtake each other."""
    for place in range(len(acts) - 1):
        if happens(rng, 0.25):
            acts[place], acts[place + 1] = acts[place + 1], acts[place]
