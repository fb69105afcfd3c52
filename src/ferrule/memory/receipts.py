"""Every verdict leaves a receipt, chained by hash: what was given can be checked and never changed (LEDGER_BROKEN).

Owns the link of the chain and its check. A receipt of a refusal holds code, hash and length of the payload, none of its
text. Knows nothing of where receipts are kept.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict

from ferrule.bridge.values import Receipt

__all__ = ["GENESIS", "broken_at", "link"]

GENESIS = "0" * 64


def link(receipt: Receipt) -> str:
    """The hash of a receipt: over everything in it but the hash itself, its predecessor's hash included."""
    facts = asdict(receipt)
    del facts["hash"]
    text = json.dumps(facts, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def broken_at(receipts: Iterable[Receipt]) -> int | None:
    """The number of the first receipt that does not follow from the one before it, or None when all do."""
    previous, expected = GENESIS, 1
    for receipt in receipts:
        if receipt.seq != expected or receipt.previous != previous or receipt.hash != link(receipt):
            return expected
        previous, expected = receipt.hash, expected + 1
    return None
