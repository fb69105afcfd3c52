"""What stands around a mention, and whether a handle is said though no recogniser takes its word for one.

Owns reading those little pieces of text. Knows nothing of what they are read for.
"""

from collections.abc import Callable, Iterable, Sequence

from ferrule.bridge.evidence import spans_of
from ferrule.bridge.values import Mention
from ferrule.referents.expressions import expression
from ferrule.review.embedded.scenes import Scene
from ferrule.review.embedded.things import Thing

__all__ = ["around", "said_in", "share", "share_of"]

_BEFORE = 90
_LEAST_SAID = 5
_MOST_SOUGHT = 4
_TELLING = expression(r"[\d_:/.@#-]|[a-z][A-Z]")  # a word that only a name has


def share(scene: Scene, mentions: Sequence[Mention], test: Callable[[str, str], bool]) -> float:
    """The share of mentions whose surroundings (same line: 90 code points before, 90 after) pass the test."""
    return share_of(around(scene, mentions), test) if mentions else 0.0


def share_of(pieces: Sequence[tuple[str, str]], test: Callable[[str, str], bool]) -> float:
    """The share of (before, after) that passes the test."""
    return sum(test(before, after) for before, after in pieces) / len(pieces) if pieces else 0.0


def around(scene: Scene, mentions: Iterable[Mention], reach: int = _BEFORE) -> list[tuple[str, str]]:
    """What stands before each mention and, on its line, after it: up to `reach` code points each."""
    found = []
    for mention in mentions:
        text = scene.view.text(mention.text)
        if text is not None:
            after = text.text[mention.end : mention.end + reach].split("\n", 1)[0]
            found.append((text.text[max(0, mention.start - reach) : mention.start], after))
    return found


def said_in(thing: Thing, text: str) -> bool:
    """Whether a text has one of the thing's handles as a whole word that only a name can be."""
    for value in thing.values[:_MOST_SOUGHT]:
        if len(value) >= _LEAST_SAID and _TELLING.search(value) and value in text:
            return any(True for _ in spans_of(text, value))
    return False
