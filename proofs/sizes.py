"""How much each campaign tries: for a proof, for a quick look, and how long that takes.

Owns the table of sizes and the options that change them. Knows nothing of what a campaign does.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["SIZES", "Size", "add_options", "estimate", "sizes_of"]

_TOO_SHORT_TO_TELL = 90.0


@dataclass(frozen=True, slots=True)
class Size:
    """The size of one campaign.

    Attributes:
        option: what it is called on the command line.
        full: for a proof.
        quick: for a look.
        seconds: one unit takes, about, on one core that does nothing else.
        told: what is counted.
    """

    option: str
    full: int
    quick: int
    seconds: float
    told: str


# The longest first: two are at work at a time.
SIZES: dict[str, Size] = {
    "histories": Size("histories", 100_000, 200, 0.024, "random histories against a model"),
    "damage": Size("flips", 250_000, 400, 0.0045, "at most so many bytes of a store file get one bit flipped"),
    "simulation": Size("seeds", 10_000, 100, 0.085, "seeds that the simulation plays"),
    "errors": Size("faults", 2_000, 20, 0.5, "at most so many failing calls of each deed"),
    "power": Size("cuts", 500, 6, 0.8, "power cuts on each file system"),
    "trace": Size("texts", 20_000, 300, 0.015, "hostile definitions handled under watch"),
    "kills": Size("kills", 500, 12, 0.7, "kills of two workers"),
    "together": Size("strikes", 5_000, 60, 0.06, "kills of four critics; a fifth as many rounds of two rivals"),
    "backlog": Size("turns", 10_000, 300, 0.028, "turns that are queued"),
    "calls": Size("points", 1_000, 8, 0.14, "at most so many calls at which each deed is killed in each state"),
    "deliveries": Size("rounds", 20, 2, 3.8, "rounds of deliveries"),
    "disk": Size("limits", 200, 10, 0.15, "limits of memory; each disk once"),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """One option for each size."""
    for name, size in SIZES.items():
        told = f"{name}: {size.told} ({size.full:,}; quick {size.quick:,})"
        parser.add_argument(f"--{size.option}", type=int, help=told, metavar="N")


def sizes_of(asked: argparse.Namespace) -> dict[str, int]:
    """The size of each campaign, as asked."""
    found = {}
    for name, size in SIZES.items():
        given = getattr(asked, size.option)
        found[name] = given if given is not None else size.quick if asked.quick else size.full
    return found


def estimate(parts: Sequence[str], sizes: Mapping[str, int], jobs: int) -> str:
    """How long it takes, in words; none of the machine's other work is counted."""
    seconds = [sizes[name] * SIZES[name].seconds for name in parts if name in SIZES]
    whole = max([sum(seconds) / jobs, *seconds, 0.0])
    return "a minute or two" if whole < _TOO_SHORT_TO_TELL else f"about {whole / 60:.0f} minutes"
