"""The secret floor holds on generated cases, by kinds and contexts, on templates that were held out.

The cases are those of `python -m benchmarks secrets`; here stands a slice of them with its floors.
"""

from collections import Counter
from itertools import chain, pairwise

import pytest
from benchmarks.secret_cases.making import Half, Planted, harmless, planted

import ferrule.referents.secrets.plain
from ferrule.referents.secrets.detect import find_secrets, looks_secret, scrub

KEY = b"a key of this test"
SEED = 20
CASES = tuple(planted(SEED, Half.HELD_OUT, contexts=2))
HARMLESS = tuple(chain(harmless(SEED, Half.HELD_OUT), harmless(SEED, Half.LEARNING)))


def is_missed(case: Planted) -> bool:
    """Not refused, or half of it still there once scrubbed."""
    return looks_secret(case.text) is None or case.left_in(scrub(case.text, KEY))


def test_at_most_one_secret_in_fifty_is_missed() -> None:
    """R28, DEC-D13, INV-I6: at least 98 % of more than 40 kinds are refused, and gone from the scrubbed text."""
    kinds = Counter(case.kind for case in CASES)
    assert len(kinds) >= 40
    assert len(CASES) >= 1_000
    missed = [case for case in CASES if is_missed(case)]
    assert len(missed) <= 0.02 * len(CASES), missed[:10]


def test_no_kind_of_secret_is_missed_as_a_rule() -> None:
    """R28, DEC-D13: the mean hides no kind that always gets by."""
    kinds = Counter(case.kind for case in CASES)
    missed = Counter(case.kind for case in CASES if is_missed(case))
    assert {kind: count for kind, count in missed.items() if count > 0.5 * kinds[kind]} == {}


def test_at_most_one_look_alike_in_fifty_is_refused_or_changed() -> None:
    """R27, DEC-D13, CASE-D10, CASE-D11, CASE-D16."""
    assert len(HARMLESS) >= 600
    refused = [
        (case.kind, case.text)
        for case in HARMLESS
        if looks_secret(case.text) is not None or scrub(case.text, KEY) != case.text
    ]
    assert len(refused) <= 0.02 * len(HARMLESS), refused[:10]


def test_scrubbing_once_is_enough_for_every_kind_in_every_context() -> None:
    """DEC-D13: a scrubbed text is not scrubbed further."""
    for case in CASES[::3]:
        clean = scrub(case.text, KEY)
        assert scrub(clean, KEY) == clean, case


def test_what_sorts_words_out_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """R28, DEC-D13: with every gate open the same is found, in the cases, cut in two and glued together anew."""
    texts = [*(case.text for case in CASES[::2]), *(case.text for case in HARMLESS)]
    texts += [left[: len(left) // 2] + right[len(right) // 2 :] for left, right in pairwise(texts)]
    found = [find_secrets(text) for text in texts]
    monkeypatch.setattr(ferrule.referents.secrets.plain, "GATES", {})
    assert [find_secrets(text) for text in texts] == found
    assert sum(map(len, found)) > 500


PIECES = [
    ('key = "{0}" + "{1}"', "a literal joined by plus"),
    ("key = '{0}' \\\n    '{1}'", "two literals over two lines"),
    ("KEY={0}\\\n{1}", "a continued line"),
    ("{{&quot;k&quot;: &quot;{0}{1}&quot;}}", "entities around it"),
    ("key = \\u0067{0}{1}", "a letter spelt out before it"),
]


@pytest.mark.parametrize(("frame", "how"), PIECES, ids=[how for _, how in PIECES])
def test_a_secret_in_pieces_leaves_whole(frame: str, how: str) -> None:
    """DEC-D13, INV-I6: the joint goes with it."""
    token = "gh" + "p_" + "a1B2c3D4e5" * 4
    left, right = token[:20], token[20:]
    text = frame.format(left, right).replace("\\u0067" + "g", "\\u0067")
    clean = scrub(text, KEY)
    assert left not in clean, how
    assert right not in clean, how


HOSTILE = [
    "kind: secret\n",
    "pw is ",
    "'a'+",
    "x\\\n",
    "\\u00e9",
    "&quot;",
    "echo a|sudo -s ",
    "seed phrase: abc ",
    "login a:b ",
    "mysql -p",
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_repetition_of_what_announces_is_read_to_its_end(unit: str) -> None:
    """CASE-I09: windows do not overlap and look back a bounded way; the benchmark says how long a megabyte takes."""
    text = unit * (20_000 // len(unit))
    for secret in find_secrets(text):
        assert 0 <= secret.start < secret.end <= len(text)
