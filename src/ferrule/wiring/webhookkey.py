"""Whoever may send events from elsewhere holds the home's webhook key, and nobody else does.

Owns where that key is and in which form it signs. Knows nothing of events or signatures.
"""

from pathlib import Path

from ferrule.wiring.keyfile import kept_key

__all__ = ["WEBHOOK_KEY_FILE", "webhook_key"]

WEBHOOK_KEY_FILE = "webhook.key"


def webhook_key(home: Path) -> bytes:
    """The key that signs webhook events, made on first use.

    It signs as it stands in the file, 64 hexadecimal digits without the line's end, so that a sender needs no decoder:
    `openssl dgst -sha256 -hmac "$(cat webhook.key)"`.

    Raises:
        StoreError: it cannot be read or made, or what stands there is no key.
    """
    return kept_key(home / WEBHOOK_KEY_FILE).hex().encode("ascii")
