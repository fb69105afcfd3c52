"""Stub until the secret floor lands."""

from collections.abc import Callable


def scrubber(key: bytes) -> Callable[[str], str]:
    """Stub."""
    return lambda text: text if key else ""
