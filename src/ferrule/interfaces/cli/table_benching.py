"""The benchmark's commands as data: `bench`, its ways of working, and the commands beside it.

Owns their names, words and options. Another way of working (`--sequence`, `--amnesia`) is added by one `Way` in `WAYS`
and a module `interfaces/cli/bench_<name>.py` with a function that takes the parsed arguments and returns the exit code;
its options join those of `bench`. A command of its own (`bench label`) is one `Command` in `BENCHING`. Knows nothing of
what any of them does.
"""

from dataclasses import dataclass

from ferrule.interfaces.cli.vocabulary import ONTOLOGY, Command, Option, flag, value, word

__all__ = ["BENCHING", "WAYS", "Way"]


@dataclass(frozen=True, slots=True)
class Way:
    """Another way in which `ferrule bench` can work.

    Attributes:
        name: the argument that chooses it: set to anything but None, False or nothing, this way is gone.
        target: `module:function` below `ferrule.interfaces.cli`.
        options: its options, the one that chooses it first.
    """

    name: str
    target: str
    options: tuple[Option, ...]


WAYS: tuple[Way, ...] = (
    Way(
        "sequence",
        "bench_ways:run_sequence",
        (
            flag("--sequence", "review whole sessions in order: duplicates, overwrites, augmentations, current view"),
            value(
                "--sessions",
                "PATH",
                "with --sequence or --amnesia: a transcript or a folder of them (repeatable; default: what ships)",
                action="append",
                default=[],
            ),
        ),
    ),
    Way(
        "amnesia",
        "bench_ways:run_amnesia",
        (
            flag("--amnesia", "cut sessions: how much of what is used again survives, beside a summary of equal size"),
            value("--tokens", "N", "with --amnesia: the size of the context (default 600)", type=int, default=600),
            value("--window", "N", "with --amnesia: last turns that an agent keeps (default 2)", type=int, default=2),
        ),
    ),
    Way(
        "report",
        "bench_report:run_report",
        (
            value("--report", "DIR", "make report.html anew from a run that --out kept in DIR"),
            value("--cases", "N", "turns that report.html shows at most (default 400)", type=int, default=400),
        ),
    ),
)

_RUN: tuple[Option, ...] = (
    value("--turns", "FILE", "one completed turn per line (default: the turns that ship with Ferrule)"),
    value("--labels", "FILE", "gold labels, one line per turn (default: those of the shipped turns)"),
    value("--out", "DIR", "keep the run here; the same command goes on where it stopped (default: nothing is kept)"),
    value(
        "--lane",
        "LANE",
        "what is tried: [NAME=]KIND[:ARGUMENT][,KEY=VALUE...], as embedded:threshold=0.5 or file:PREDICTIONS.jsonl "
        "(repeatable; default: embedded)",
        action="append",
        default=[],
    ),
    value("--threshold", "X", "short for --lane embedded:threshold=X: how sure it must be, above 0 and below 1"),
    value("--jobs", "N", "lanes that run at the same time, each one turn at a time (default 1)", type=int, default=1),
    value("--limit", "N", "only the first N labelled turns", type=int),
    value("--only", "ID,...", "only these turns (repeatable)", action="append", default=[]),
    flag("--fresh", "forget the run that --out holds and start anew"),
    flag("--retry-failed", "review failed turns again"),
    value("--baseline", "PATH", "metrics.json of an earlier run, or its folder: what changed since"),
    value(
        "--fail-below",
        "FIGURE=X,...",
        "end with exit code 1 when a figure is below, as precision=0.9,recall=0.66 (repeatable)",
        action="append",
        default=[],
    ),
    value(
        "--fail-above",
        "FIGURE=X,...",
        "end with exit code 1 when a figure is above, as forbidden=0 (repeatable)",
        action="append",
        default=[],
    ),
    value("--draws", "N", "draws of the intervals (default 1000; 0: none)", type=int, default=1000),
    value("--seed", "N", "seed of the intervals (default 1)", type=int, default=1),
    ONTOLOGY,
)

BENCHING: tuple[Command, ...] = (
    Command(
        "bench",
        "tools",
        "review labelled turns in isolation and tell how good a reviewer is",
        "benching:run_bench",
        (*_RUN, *(option for way in WAYS for option in way.options)),
        "Each turn is reviewed by itself, in a session of its own. Without --turns and --labels the hand-written turns "
        "that ship with Ferrule are used, so that it runs anywhere.",
    ),
    Command(
        "bench label",
        "tools",
        "label turns of your own transcripts in the browser, in the form that bench reads",
        "bench_label:run_label",
        (
            word("transcript", "a transcript, or a folder of them", nargs="+"),
            value("--out", "DIR", "keep turns.jsonl and labels.jsonl here; go on where you stopped", required=True),
            value("--port", "N", "the port on 127.0.0.1 (default: any free one)", type=int, default=0),
            value(
                "--idle",
                "MINUTES",
                "end when nobody asked for so long; 0: never (default 60)",
                type=float,
                default=60.0,
            ),
            value("--format", "NAME", "what the files are, where their shape alone does not tell"),
            ONTOLOGY,
        ),
        "The page is served on this machine only, at an address that nobody can guess; nothing leaves the machine. "
        "Turns are shown and kept without their secrets.",
    ),
)
