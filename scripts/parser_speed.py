"""How fast ProtoScript is read, and what a megabyte of hostile text costs, in CPU seconds of this process.

Usage: python scripts/parser_speed.py [--hostile]
Ordinary text is many small definitions as the projection writes them; best of five runs. Figures of a busy machine are
lower bounds: CPU time does not see waiting, but it does see shared caches.
"""

import argparse
import sys
import time
from collections.abc import Callable

from ferrule.protoscript.lexer import lex
from ferrule.protoscript.reading import parse

DEFINITION = """prototype Quay{0} : Place, Mooring
{{
	String RootDirectory = @"/srv/town/quay{0}";
	Int Depth = {0};
	EntityName = @"quay {0}";
	Owner = AdaHarbourMaster;
	Berths = [1, 2, 3];
	Notes = @"North of the ""old"" mole; deep at low tide.";
}}

"""

MEGABYTE = 1_000_000
HOSTILE = {
    "open lists": "prototype A { X = " + "[" * MEGABYTE,
    "open braces": "{" * MEGABYTE,
    "single quotes": "'" * MEGABYTE,
    "comparisons or generics": "x = " + "a<" * (MEGABYTE // 2),
    "a list of them": "x = [" + "a<b," * (MEGABYTE // 4) + "];",
    "one long sum": "x = " + "a+" * (MEGABYTE // 2) + "a;",
    "annotations": "[T]" * (MEGABYTE // 3),
    "unknown escapes": 'prototype A { X = "' + "\\q" * (MEGABYTE // 2) + '"; }',
    "missing semicolons": "prototype A {\n" + "X = 1\n" * (MEGABYTE // 6) + "}",
    "open comments": "/*" * (MEGABYTE // 2),
    "holes": 'x = $"' + "{a}" * (MEGABYTE // 3) + '";',
}


def seconds(work: Callable[[], object], runs: int) -> float:
    """The best CPU time of several runs."""
    best = float("inf")
    for _ in range(runs):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def main() -> int:
    """Print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--hostile", action="store_true", help="measure hostile texts too")
    chosen = options.parse_args()
    for size in (MEGABYTE // 4, MEGABYTE, 4 * MEGABYTE):
        text = "".join(DEFINITION.format(number) for number in range(size // len(DEFINITION)))
        read, cut = seconds(lambda text=text: parse(text), 5), seconds(lambda text=text: lex(text), 5)
        print(f"{len(text) / 1e6:5.2f} MB read at {len(text) / read / 1e6:.2f} MB/s (tokens alone: {cut / read:.0%})")
    for name, text in HOSTILE.items() if chosen.hostile else ():
        print(f"{seconds(lambda text=text: parse(text), 2):6.2f} s  {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
