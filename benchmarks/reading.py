"""How fast text is read: ProtoScript of a megabyte, declarations and code, and hostile text of the same size."""

from collections.abc import Iterator
from functools import partial

from benchmarks.figures import Figure, cpu_ms
from ferrule.protoscript.lexer import lex
from ferrule.protoscript.lossless import text
from ferrule.protoscript.reading import parse
from ferrule.protoscript.walking import walk

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
CODE = """// part {n}
[Phrase("to dig the dock number {n}")]
prototype ToDig{n} : Action, Tool#Dig
{{
\tString Path = @"C:\\work\\site{n}";
\tfunction Execute(Int depth, String why = "none", Quay target) : String
\t{{
\t\tif (depth > {n} && target.IsOpen(why) || why == null)
\t\t{{
\t\t\tString text = target.Name + " at " + depth + " m: " + why.Trim().ToLower();
\t\t\tforeach (Berth berth in target.Berths) {{ berth.Free(depth - 1, x => x.Size >= depth); }}
\t\t\treturn text;
\t\t}}
\t\t// nothing to dig
\t\tLog.Write($"skip {{depth}}", new Entry(why) {{ Depth = depth, Time = Clock.Now }});
\t\treturn target typeof Dry ? "dry" : null;
\t}}
\tKind = Digging;
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
    "type arguments without end": "a<b<c<d<e<f<g<h<" * (MEGABYTE // 16),
    "members without end": "a." * (MEGABYTE // 2),
    "quotes on every line": '"a\n' * (MEGABYTE // 3),
    "bodies without end": "prototype A {\n" * (MEGABYTE // 14),
    "functions without end": "function F() : A {\n" * (MEGABYTE // 19),
    "every second brace missing": "prototype A {\nprototype B {\n}\n" * (MEGABYTE // 30),
    "strays": ") ; " * (MEGABYTE // 4),
    "combining marks": "e\u0301 " * (MEGABYTE // 3),
}


def reading() -> Iterator[Figure]:
    """Throughput on well-formed text, declarations and code, and the time to refuse a megabyte of nonsense."""
    yield from _speed()
    costs = {name: min(cpu_ms(partial(parse, hostile), times=2)) for name, hostile in HOSTILE.items()}
    worst = max(costs, key=costs.__getitem__)
    yield Figure(
        f"parser, worst of {len(HOSTILE)} hostile megabytes",
        f"{costs[worst]:.0f} ms CPU ({worst})",
        "< 2,000 ms",
        "none ends with an exception; what is no ProtoScript ends with a diagnostic",
    )


def _speed() -> Iterator[Figure]:
    for what, one in (("prototypes", ONE), ("functions", CODE)):
        parts = [one.format(n=number) for number in range(MEGABYTE // len(one))]
        source, half = "".join(parts), "".join(parts[: len(parts) // 2])
        whole, part = min(cpu_ms(lambda: parse(source), times=5)), min(cpu_ms(lambda: parse(half), times=5))  # noqa: B023
        cutting = min(cpu_ms(lambda: lex(source), times=5))  # noqa: B023 - called at once
        parsed = parse(source)
        back = min(cpu_ms(lambda: text(parsed)))  # noqa: B023
        if text(parsed) != source:
            raise AssertionError("the text did not come back from its tree")
        nodes = sum(1 for _ in walk(parsed.tree))
        share = 100 * cutting / whole
        yield Figure(
            f"parser, 1 MB of {what}, lossless",
            f"{len(source) / 1000 / whole:.2f} MB/s",
            "2 MB/s, floor 1.3",
            f"{share:.0f}% of it cuts tokens, the rest makes {nodes:,} nodes; half the text takes "
            f"{part / whole:.2f} of the time; the text comes back from the tree in {back:.0f} ms",
        )
