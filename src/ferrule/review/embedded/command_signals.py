"""Whether a command is the announced next step, or what everybody runs all the time.

Owns the signals of commands. Runs nothing; knows nothing of weights.
"""

import re
from collections.abc import Sequence

from ferrule.bridge.values import Mention, Role
from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind
from ferrule.review.embedded import cues
from ferrule.review.embedded.reading import position
from ferrule.review.embedded.scenes import Scene
from ferrule.review.embedded.surroundings import around
from ferrule.review.embedded.things import Thing
from ferrule.session.turn import Verb

__all__ = ["command_signals"]

_RUNS = (Verb.RAN, Verb.TESTED, Verb.BUILT, Verb.STARTED, Verb.DEPLOYED)
_WHOLE = 5  # words: a command that nobody types from memory
_LEAD = 240
_SIGN = 4
_PLAIN = expression(r"[A-Za-z]{1,30}(?: [A-Za-z]{1,30}){1,5}")  # words that could be prose
_PROMPT_SIGN = expression(r"[$%#>\u276f\u279c\u00bb] ?$")
_FENCES = ("```", "~~~")


def command_signals(scene: Scene, index: int) -> dict[str, float]:
    """Whether a command is the announced next step, or what everybody runs all the time."""
    thing = scene.things[index]
    outcome, spoken = thing.within(Role.OUTCOME), thing.within(Role.INTENT, Role.OUTCOME)
    value = thing.values[0]
    spots = [position(scene.view.text(m.text), m) for m in outcome]
    late = bool(spots) and max(spots) > 0.6 * len(scene.reading.outcome)
    announced = any(_announced(scene, mention) for mention in outcome)
    failed = any(action.ok is False for action in thing.actions)
    set_out = not thing.actions and any(_set_out(scene, mention) for mention in outcome)
    introduced = set_out and _before(scene, outcome, cues.INTRODUCED, _LEAD)
    found_out, asked_how = _apart(scene, index, set_out=set_out)
    return {
        "found_out": float(found_out),
        "asked_how": float(asked_how),
        "announced": float(announced),
        "labelled": float(any(_labelled(scene, mention) for mention in outcome)),
        "announced_late": float(late and announced),
        "announced_only": float(announced and scene.peers("command", scene.outcome_order) == [index]),
        "rerun": float(announced and (bool(thing.actions) or index in scene.intent_order or _again(scene, outcome))),
        "next_step": float(_before(scene, outcome, cues.NEXT)),
        "was_failing": float(failed and thing.did(Verb.RAN, Verb.TESTED, Verb.BUILT)),
        "routine": float(not (found_out or asked_how) and bool(cues.ROUTINE.search(value))),
        "long": min(1.0, len(value) / 80),
        "announced_whole": float(announced and len(value.split()) >= _WHOLE and "|" not in value),
        "set_out": float(set_out),
        "introduced": float(introduced),
        "introduced_whole": float(introduced and len(value.split()) >= _WHOLE and "|" not in value),
        "asked_command": float(
            set_out and _first(scene, index) and bool(cues.ASKS_FOR_COMMANDS.search(scene.reading.intent[:2000]))
        ),
        "led_up": float(
            not thing.actions
            and scene.peers("command", scene.outcome_order) == [index]
            and _before(scene, outcome, cues.AFTER_COLON)
        ),
        "user_idle": float(not scene.reading.any_change and scene.peers("command", scene.intent_order) == [index]),
        "pasted": float(bool(outcome) and _pasted(scene, value)),
        "plain": float(bool(spoken) and bool(_PLAIN.fullmatch(value)) and not any(_marked(scene, m) for m in spoken)),
        "both_said": float(index in scene.intent_order and not outcome and value in scene.reading.outcome),
    }


def _apart(scene: Scene, index: int, *, set_out: bool) -> tuple[bool, bool]:
    """Of a command on a line of its own: whether it was found out after others failed, and whether it was asked for."""
    thing = scene.things[index]
    if not any(_alone(scene, mention) for mention in thing.within(Role.OUTCOME)):
        return False, False
    tried = thing.did(*_RUNS) and _special(thing.values[0]) and _others_failed(scene, thing)
    asked = not set_out and _first(scene, index) and cues.ASKS_FOR_COMMANDS.search(scene.reading.intent[:2000])
    return tried and _only_alone(scene, index), bool(asked)


def _alone(scene: Scene, mention: Mention) -> bool:
    """Whether the outcome gives it a line of its own, in a block, in ticks or indented."""
    text = scene.view.text(mention.text)
    if text is None:
        return False
    line_start = text.text.rfind("\n", 0, mention.start) + 1
    line_end = text.text.find("\n", mention.end)
    after = text.text[mention.end : line_end if line_end >= 0 else mention.end + _LEAD]
    return not text.text[line_start : mention.start].strip(" \t$>%`*-") and not after.strip(" \t`*.")


def _only_alone(scene: Scene, index: int) -> bool:
    """Whether no other command gets a line of its own: of several, none is the one to keep."""
    return not any(
        other != index and any(_alone(scene, mention) for mention in scene.things[other].within(Role.OUTCOME))
        for other in scene.peers("command", scene.outcome_order)
    )


def _special(command: str) -> bool:
    """Whether it takes more than a program and a task: nobody guesses it."""
    return len(command.split()) > 2 or "=" in command.split(maxsplit=1)[0]  # noqa: PLR2004 - program and task


def _others_failed(scene: Scene, thing: Thing) -> bool:
    """Whether another command of that kind failed or hung before it: this one is what was found out."""
    first = min((action.index for action in thing.actions if action.verb in _RUNS), default=0)
    return any(
        action.verb in _RUNS
        and action.kind is HandleKind.COMMAND
        and action.ok is not True
        and action.index < first
        and action.target not in thing.values
        for action in scene.view.actions
    )


def _first(scene: Scene, index: int) -> bool:
    """Whether it is the first of the outcome's commands that does something."""
    doing = (i for i in scene.peers("command", scene.outcome_order) if _does(scene.things[i].values[0]))
    return next(doing, None) == index


def _does(command: str) -> bool:
    return not cues.INSPECTION.search(command) and not cues.BARE.fullmatch(command)


def _pasted(scene: Scene, value: str) -> bool:
    """Whether it stands behind a prompt sign in what the user pasted: the user ran it."""
    for text in scene.view.texts:
        if text.role is Role.OBSERVATION and text.id.startswith("user"):
            at = text.text.find(value)
            if at >= 0 and _PROMPT_SIGN.search(text.text[max(0, at - _SIGN) : at]):
                return True
    return False


def _again(scene: Scene, mentions: Sequence[Mention]) -> bool:
    """Whether the outcome says to run it again, before or behind it."""
    after = (after for _, after in around(scene, mentions, 40))
    return _before(scene, mentions, cues.AGAIN) or any(cues.AGAIN_AFTER.search(text) for text in after)


def _marked(scene: Scene, mention: Mention) -> bool:
    """Whether ticks, quotes, a prompt or a line of its own set it apart from the words around it."""
    text = scene.view.text(mention.text)
    before = text.text[max(0, mention.start - 2) : mention.start] if text else ""
    return not before.strip(" \t") or before[-1:] in "`\"'\n" or bool(_PROMPT_SIGN.search(before))


def _announced(scene: Scene, mention: Mention) -> bool:
    text = scene.view.text(mention.text)
    return text is not None and bool(cues.ANNOUNCES.search(text.text[max(0, mention.start - 120) : mention.start]))


def _set_out(scene: Scene, mention: Mention) -> bool:
    """Whether the outcome sets it out in a block of code, on a line of its own."""
    text = scene.view.text(mention.text)
    if text is None:
        return False
    before = text.text[: mention.start]
    alone = not before[before.rfind("\n") + 1 :].strip(" \t$>%")
    return alone and any(before.count(f"\n{fence}") % 2 or before.startswith(fence) for fence in _FENCES)


def _before(scene: Scene, mentions: Sequence[Mention], cue: re.Pattern[str], reach: int = 80) -> bool:
    """Whether the cue stands directly before one of the mentions."""
    for mention in mentions:
        text = scene.view.text(mention.text)
        if text is not None and cue.search(text.text[max(0, mention.start - reach) : mention.start]):
            return True
    return False


def _labelled(scene: Scene, mention: Mention) -> bool:
    """Whether the outcome sets it out as a command: "Test command: `make check`"."""
    text = scene.view.text(mention.text)
    return text is not None and bool(cues.LABEL.search(text.text[max(0, mention.start - 40) : mention.start]))
