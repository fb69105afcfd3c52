"""Each home has one secret key: with it the same secret leaves the same mark, without it the mark tells nothing (D13).

Owns where that key is. Knows nothing of what a secret looks like.
"""

from pathlib import Path

from ferrule.wiring.keyfile import kept_key

__all__ = ["KEY_FILE", "home_key"]

KEY_FILE = "scrub.key"


def home_key(home: Path) -> bytes:
    """The key of a home, made when there is none; two processes that make it at once get the same one.

    Raises:
        StoreError: it cannot be read or made, or what stands there is no key.
    """
    return kept_key(home / KEY_FILE)
