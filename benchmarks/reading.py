"""How fast text is read: ProtoScript of a megabyte, and hostile text of the same size."""

from collections.abc import Iterator
from functools import partial

from benchmarks.figures import Figure, cpu_ms
from ferrule.protoscript.reading import parse

__all__ = ["reading"]

ONE = """// entity {n}
partial prototype Repository#Site{n} : Repository, Service
{{
\tEntityName = @"Site {n} of the harbour";
\tString RootDirectory = @"C:\\work\\site{n}";
\tInt Port = {n};
\tBool Private = false;
\tCollection Branches = ["main", "next", "topic/{n}"];
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


def reading() -> Iterator[Figure]:
    """Throughput on well-formed text at two sizes, and the time to refuse a megabyte of nonsense."""
    text = "".join(ONE.format(n=number) for number in range(MEGABYTE // len(ONE)))
    half = text[: len(text) // 2]
    whole, part = min(cpu_ms(lambda: parse(text), times=3)), min(cpu_ms(lambda: parse(half), times=3))
    yield Figure(
        "parser, 1 MB of prototypes",
        f"{len(text) / 1000 / whole:.2f} MB/s",
        "2 MB/s, floor 1.3",
        f"linear: half the text takes {part / whole:.2f} of the time",
    )
    costs = {name: min(cpu_ms(partial(parse, hostile), times=2)) for name, hostile in HOSTILE.items()}
    worst = max(costs, key=costs.__getitem__)
    yield Figure(
        f"parser, worst of {len(HOSTILE)} hostile megabytes",
        f"{costs[worst]:.0f} ms CPU ({worst})",
        "< 2,000 ms",
        "each ends with a diagnostic, none with an exception",
    )
