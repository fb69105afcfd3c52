"""The chain of receipts shows any change."""

import hashlib
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from ferrule.bridge.values import Receipt
from ferrule.memory.forgetting import FORGOTTEN, Gone, forgotten_review
from ferrule.memory.receipts import GENESIS, broken_at, link, unmatched


def chain(length: int) -> list[Receipt]:
    """A sound chain."""
    receipts: list[Receipt] = []
    for seq in range(1, length + 1):
        previous = receipts[-1].hash if receipts else GENESIS
        receipt = Receipt(
            seq, previous, "", "desk:alpha", f"t{seq}", "accepted", "", f"P{seq}", "ab" * 32, seq - 1, seq, 9
        )
        receipts.append(replace(receipt, hash=link(receipt)))
    return receipts


def test_a_sound_chain_is_sound() -> None:
    """LEDGER_BROKEN: also the empty one."""
    assert broken_at(chain(5)) is None
    assert broken_at([]) is None


@given(
    st.integers(0, 4), st.sampled_from(["turn", "verdict", "code", "prototype", "payload_sha256", "previous", "hash"])
)
def test_any_changed_text_shows_where_it_is(place: int, member: str) -> None:
    """LEDGER_BROKEN, CASE-N01: one changed member breaks the chain at its receipt."""
    receipts = chain(5)
    receipts[place] = replace(receipts[place], **{member: "changed"})  # type: ignore[arg-type]
    assert broken_at(receipts) == place + 1


@given(st.integers(0, 4))
def test_a_recomputed_hash_breaks_the_next(place: int) -> None:
    """LEDGER_BROKEN: a change that hides itself shows one later, or in the head for the last."""
    receipts = chain(6)
    changed = replace(receipts[place], prototype="Other")
    receipts[place] = replace(changed, hash=link(changed))
    assert broken_at(receipts) == place + 2


@given(st.integers(0, 4))
def test_a_removed_receipt_shows(place: int) -> None:
    """LEDGER_BROKEN: numbers have no gaps."""
    receipts = chain(6)
    del receipts[place]
    assert broken_at(receipts) == place + 1


def test_writes_and_receipts_match_one_to_one() -> None:
    """CASE-N09: a receipt without memory, a memory without receipt, a changed definition: each is named."""

    def accepted(name: str, text: str, verdict: str = "accepted") -> Receipt:
        digest = hashlib.sha256(text.encode()).hexdigest()
        return Receipt(1, "", "", "desk:alpha", "t1", verdict, "", name, digest, 0, 1, len(text))

    first, again = accepted("A", "one"), accepted("A", "two")
    assert unmatched([first, again], [("A", "one"), ("A", "two")]) == ()
    assert unmatched([first], []) == ("A",)
    assert unmatched([], [("A", "one")]) == ("A",)
    assert unmatched([first], [("A", "onf")]) == ("A",)
    forgotten = accepted("A", "A", "forgotten")
    assert unmatched([first, forgotten], []) == ()
    assert unmatched([first, forgotten, again], [("A", "two")]) == ()
    assert unmatched([first, forgotten], [("A", "one")]) == ("A",)


def test_a_forgotten_memory_leaves_the_review_and_nothing_else() -> None:
    """R97: values, excerpts, arguments and text of that memory go; the rest of the review stays as it was."""
    review: dict[str, object] = {
        "turn": {"key": "t1", "ordinal": 1},
        "written": [
            {"prototype": "A", "candidate": "a label", "properties": {"P": "/a"}, "handles": [1], "definition": "/a"},
            {"prototype": "B", "candidate": "b label", "properties": {"P": "/b"}, "handles": [2], "definition": "/b"},
        ],
        "candidates": [
            {
                "label": "a label",
                "aliases": ["/a"],
                "handles": ["/a"],
                "evidence": ["/a"],
                "reason": "/a",
                "target": None,
            },
            {"label": "b label", "aliases": ["/b"], "evidence": ["/b"], "reason": "/b", "target": None},
            {"label": "again", "aliases": [], "evidence": ["/a"], "reason": "/a", "target": "A"},
        ],
        "calls": [
            {"id": "c1", "candidate": "a label", "arguments": {"query": "/a"}},
            {"id": "c2", "candidate": "b label", "arguments": {"query": "/b"}},
        ],
    }
    left = forgotten_review(review, Gone("A"))
    assert "/a" not in str(left)
    assert str(left).count("/b") == str(review).count("/b")
    assert FORGOTTEN in str(left)
    assert left["turn"] == review["turn"]
