"""What stands around a mention, on its own line.

Owns reading that little piece of text. Knows nothing of what it is read for.
"""

from collections.abc import Callable, Sequence

from ferrule.bridge.values import Mention
from ferrule.review.embedded.scenes import Scene

__all__ = ["share"]

_BEFORE = 90


def share(scene: Scene, mentions: Sequence[Mention], test: Callable[[str, str], bool]) -> float:
    """The share of mentions whose surroundings (same line: 90 code points before, 90 after) pass the test."""
    if not mentions:
        return 0.0
    hits = 0
    for mention in mentions:
        text = scene.view.text(mention.text)
        if text is not None:
            before = text.text[max(0, mention.start - _BEFORE) : mention.start]
            after = text.text[mention.end : mention.end + _BEFORE].split("\n", 1)[0]
            hits += test(before, after)
    return hits / len(mentions)
