"""Whether a command is the announced next step, or what everybody runs all the time.

Owns the signals of commands. Runs nothing; knows nothing of weights.
"""

import re
from collections.abc import Sequence

from ferrule.bridge.values import Mention, Role
from ferrule.review.embedded import cues
from ferrule.review.embedded.reading import position
from ferrule.review.embedded.scenes import Scene
from ferrule.session.turn import Verb

__all__ = ["command_signals"]

_WHOLE = 5  # words: a command that nobody types from memory


def command_signals(scene: Scene, index: int) -> dict[str, float]:
    """Whether a command is the announced next step, or what everybody runs all the time."""
    thing = scene.things[index]
    outcome = thing.within(Role.OUTCOME)
    value = thing.values[0]
    spots = [position(scene.view.text(m.text), m) for m in outcome]
    late = bool(spots) and max(spots) > 0.6 * len(scene.reading.outcome)
    announced = any(_announced(scene, mention) for mention in outcome)
    failed = any(action.ok is False for action in thing.actions)
    return {
        "announced": float(announced),
        "labelled": float(any(_labelled(scene, mention) for mention in outcome)),
        "announced_late": float(late and announced),
        "announced_only": float(announced and scene.peers("command", scene.outcome_order) == [index]),
        "rerun": float(
            announced and (bool(thing.actions) or index in scene.intent_order or _before(scene, outcome, cues.AGAIN))
        ),
        "next_step": float(_before(scene, outcome, cues.NEXT)),
        "was_failing": float(failed and thing.did(Verb.RAN, Verb.TESTED, Verb.BUILT)),
        "routine": float(bool(cues.ROUTINE.search(value))),
        "long": min(1.0, len(value) / 80),
        "announced_whole": float(announced and len(value.split()) >= _WHOLE and "|" not in value),
    }


def _announced(scene: Scene, mention: Mention) -> bool:
    text = scene.view.text(mention.text)
    return text is not None and bool(cues.ANNOUNCES.search(text.text[max(0, mention.start - 120) : mention.start]))


def _before(scene: Scene, mentions: Sequence[Mention], cue: re.Pattern[str]) -> bool:
    """Whether the cue stands directly before one of the mentions."""
    for mention in mentions:
        text = scene.view.text(mention.text)
        if text is not None and cue.search(text.text[max(0, mention.start - 80) : mention.start]):
            return True
    return False


def _labelled(scene: Scene, mention: Mention) -> bool:
    """Whether the outcome sets it out as a command: "Test command: `make check`"."""
    text = scene.view.text(mention.text)
    return text is not None and bool(cues.LABEL.search(text.text[max(0, mention.start - 40) : mention.start]))
