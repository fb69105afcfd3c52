"""A scrubbed secret leaves a stable mark, `[secret:<kind>:<8 hex>]`, and no mark is ever scrubbed again (D13).

Owns the form of the mark. Knows nothing of what a secret looks like.
"""

import hashlib
import hmac

from ferrule.referents.expressions import expression

__all__ = ["PLACEHOLDER", "has_placeholder", "placeholder", "placeholder_spans"]

PLACEHOLDER = expression(r"\[secret:[a-z0-9-]{1,40}:[0-9a-f]{8}\]")
_OPENING = "[secret:"


def placeholder(kind: str, value: str, key: bytes) -> str:
    """The mark of one secret: stable for a home's key, useless without it."""
    digest = hmac.new(key, value.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()
    return f"{_OPENING}{kind}:{digest[:8]}]"


def has_placeholder(text: str) -> bool:
    """Whether a scrubbed secret stood in the text; no mention may contain one (D13)."""
    return _OPENING in text and PLACEHOLDER.search(text) is not None


def placeholder_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where the marks stand."""
    if _OPENING not in text:
        return ()
    return tuple(match.span() for match in PLACEHOLDER.finditer(text))
