"""Every verdict leaves a receipt, chained by hash: what was given can be checked and never changed (LEDGER_BROKEN).

Owns the link of the chain and its check. A receipt of a refusal holds code, hash and length of the payload, none of its
text. Knows nothing of where receipts are kept.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import fields

from ferrule.bridge.values import Receipt

__all__ = ["GENESIS", "broken_at", "link", "unmatched"]

GENESIS = "0" * 64
_CHAINED = tuple(field.name for field in fields(Receipt) if field.name != "hash")


def link(receipt: Receipt) -> str:
    """The hash of a receipt: over everything in it but the hash itself, its predecessor's hash included."""
    facts = {name: getattr(receipt, name) for name in _CHAINED}
    text = json.dumps(facts, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def unmatched(receipts: Iterable[Receipt], writes: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Names whose standing writes and receipts do not match one to one (CASE-N09), forgotten and undone ones left out.

    A repair says in the chain what it found: a write without a receipt (`reconciled`), a receipt whose write is `lost`,
    a memory that it took out (`set-aside`).

    Args:
        receipts: of one session, oldest first.
        writes: (prototype, definition) of every accepted write that still stands.
    """
    given: dict[str, Counter[str]] = {}
    for receipt in receipts:
        if receipt.verdict in {"forgotten", "set-aside"}:
            given.pop(receipt.prototype, None)
        elif receipt.verdict in {"undone", "lost"}:
            left = given.pop(receipt.prototype, Counter()) - Counter({receipt.payload_sha256: 1})
            given |= {receipt.prototype: left} if left else {}
        elif receipt.verdict in {"accepted", "reconciled"}:
            given.setdefault(receipt.prototype, Counter())[receipt.payload_sha256] += 1
    standing: dict[str, Counter[str]] = {}
    for name, definition in writes:
        standing.setdefault(name, Counter())[hashlib.sha256(definition.encode()).hexdigest()] += 1
    return tuple(sorted(name for name in given.keys() | standing.keys() if given.get(name) != standing.get(name)))


def broken_at(receipts: Iterable[Receipt]) -> int | None:
    """The number of the first receipt that does not follow from the one before it, or None when all do."""
    previous, expected = GENESIS, 1
    for receipt in receipts:
        if receipt.seq != expected or receipt.previous != previous or receipt.hash != link(receipt):
            return expected
        previous, expected = receipt.hash, expected + 1
    return None
