"""How many generated secrets are found and scrubbed, how many look-alikes are left alone, and what it costs to look.

The rules were written with the learning half of the templates at hand; what is printed is of the other half, over
several seeds. A secret counts as found when the value would be refused and less than half of it is left after
scrubbing.
"""

from collections import Counter
from collections.abc import Iterator
from functools import partial

from benchmarks.figures import Figure, cpu_ms
from benchmarks.secret_cases.making import Half, Planted, harmless, planted
from ferrule.referents.secrets.detect import looks_secret, scrub

__all__ = ["secrets"]

SEEDS = range(5)
KEY = b"a key of this benchmark"
HOSTILE = (
    "token=",
    "password ",
    "pw is ",
    "kind: secret\n",
    "-----BEGIN PRIVATE KEY-----",
    "'a'+",
    "\\u00e9",
    "QUJD",
    "%41",
    "curl -u ",
    "passwd a1b2c3 ",
    "my password is abc ",
    "token is ",
    "cookie: a=b;",
)
SIZE = 200_000
PROSE = "The quay is mended, see docs/quay.md and run `make quay` in src/quay_47 at 10:32 for the token count.\n"


def secrets() -> Iterator[Figure]:
    """Recall by kind and context, refusals of look-alikes by kind, throughput."""
    cases = [case for seed in SEEDS for case in planted(seed, Half.HELD_OUT)]
    missed = [case for case in cases if not _is_found(case)]
    kinds = {case.kind for case in cases}
    most = _most(Counter(case.kind for case in missed), Counter(case.kind for case in cases))
    yield Figure(
        f"secrets: found and gone, {len(kinds)} kinds in {len({case.context for case in cases})} contexts",
        f"{1 - len(missed) / len(cases):.4f} of {len(cases):,}",
        ">= 0.98",
        f"held-out templates; missed: {most}",
    )
    yield Figure(
        "secrets: the same by context, the worst five",
        _most(Counter(case.context for case in missed), Counter(case.context for case in cases), 5),
        "",
        "missed of planted",
    )
    learnt = [_is_found(case) for case in planted(0, Half.LEARNING)]
    yield Figure(
        "secrets: on the half the rules were written with",
        f"{sum(learnt) / len(learnt):.4f} of {len(learnt):,}",
        ">= 0.98",
    )
    likes = [case for seed in SEEDS for case in harmless(seed, Half.HELD_OUT)]
    refused = [case for case in likes if looks_secret(case.text) is not None or scrub(case.text, KEY) != case.text]
    yield Figure(
        f"secrets: look-alikes refused or scrubbed, {len({case.kind for case in likes})} kinds",
        f"{len(refused) / len(likes):.4f} of {len(likes):,}",
        "<= 0.02",
        _most(Counter(case.kind for case in refused), Counter(case.kind for case in likes)),
    )
    yield from _costs()


def _costs() -> Iterator[Figure]:
    text = PROSE * (1_000_000 // len(PROSE))
    cost = min(cpu_ms(lambda: scrub(text, KEY), times=3))
    yield Figure("secrets: scrubbing a megabyte of notes", f"{cost:.0f} ms CPU", "<= 60 ms")
    worst, unit = max((min(cpu_ms(partial(scrub, _long(unit), KEY))), unit) for unit in HOSTILE)
    twice = min(cpu_ms(lambda: scrub(_long(unit) * 2, KEY)))
    yield Figure(
        f"secrets: worst of {len(HOSTILE)} hostile repetitions, a megabyte",
        f"{worst * 1_000_000 / SIZE:,.0f} ms CPU ({unit.strip()!r})",
        "< 2,000 ms, linear",
        f"measured on {SIZE // 1000} KB; twice the text takes {twice / worst:.1f} times as long",
    )


def _long(unit: str) -> str:
    return unit * (SIZE // len(unit))


def _is_found(case: Planted) -> bool:
    return looks_secret(case.text) is not None and not case.left_in(scrub(case.text, KEY))


def _most(counts: Counter[str], of: Counter[str], most: int = 8) -> str:
    return ", ".join(f"{name} {count}/{of[name]}" for name, count in counts.most_common(most)) or "none"
