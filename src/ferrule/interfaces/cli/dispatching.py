"""`ferrule dispatch` and `ferrule call`: events and actions of the platform, handed in as JSON (R80, R89, R92).

Owns the commands' words and output, and reading one bounded JSON text. Knows nothing of how an event is answered.
"""

import json
import sys
from argparse import Namespace
from pathlib import Path

from ferrule.errors import Code, UnreadableInput, UsageError
from ferrule.interfaces.actions import ACTIONS, call
from ferrule.interfaces.answers import answer_json
from ferrule.interfaces.cli.attaching import delivery_named, print_declined, read_with_progress
from ferrule.interfaces.cli.command import opened
from ferrule.interfaces.cli.output import print_json, say
from ferrule.interfaces.cli.page import Page, Span
from ferrule.session.events import MAX_EVENT_BYTES
from ferrule.session.subscriptions import Delivery
from ferrule.wiring.answers import Declined, Duplicate, Ignored, Queued, Received
from ferrule.wiring.dispatching import dispatch, subject
from ferrule.wiring.handover import Handed, hand_over
from ferrule.wiring.home import Home
from ferrule.wiring.reading import STANDARD_INPUT

__all__ = ["run_call", "run_dispatch"]

REFUSED = 1
# A callback travels as a text inside the parameters, so that each of its characters may be escaped.
MAX_PARAMETER_BYTES = 16 * MAX_EVENT_BYTES


def run_dispatch(arguments: Namespace) -> int:
    """Hand in one event; 1 when it is declined, 0 also when it was known or asks for nothing here (R92).

    Raises:
        UsageError: no such file, an option is wrong, or the turn handed over is not the event's.
        UnreadableInput: the event cannot be read, or what `--from` names is no transcript.
    """
    road = Delivery.LOCAL if arguments.road is None else delivery_named("--road", arguments.road)
    if arguments.signature is not None and road is not Delivery.WEBHOOK:
        raise UsageError("only an event that came by webhook is signed: --road webhook", code=Code.BAD_TOOL_ARGS)
    if arguments.file == arguments.handed == STANDARD_INPUT:
        raise UsageError("standard input is either the event or the turn", code=Code.BAD_TOOL_ARGS)
    raw = _read(arguments.file, MAX_EVENT_BYTES, "an event")
    with opened(arguments, make=False) as home:
        handed = None if arguments.handed is None else _handed(home, raw, arguments.handed)
        answer = dispatch(home, raw, road=road, signature=arguments.signature, handed=handed)
    if isinstance(answer, Declined):
        return print_declined(answer, as_json=arguments.json, handed=handed is not None)
    if arguments.json:
        print_json(answer_json(answer))
    else:
        _show(answer)
    return 0


def run_call(arguments: Namespace) -> int:
    """Call a platform action and print its JSON; 1 when it is refused. Without a name the actions are listed.

    Raises:
        UsageError: no such file, or no home yet.
        UnreadableInput: standard input cannot be read.
    """
    if arguments.action is None:
        return _list_actions(as_json=arguments.json)
    text = arguments.parameters
    if text == STANDARD_INPUT:
        text = _read(STANDARD_INPUT, MAX_PARAMETER_BYTES, "parameters").decode("utf-8", "replace")
    with opened(arguments, make=False) as home:
        called = call(home, arguments.action, _object(text), session=arguments.session or "")
    print_json(called.result)
    return REFUSED if called.refused else 0


def _handed(home: Home, raw: bytes, path: str) -> Handed | Declined | None:
    """The event's turn out of a transcript; None when it is no event, which its dispatch says."""
    sessions = read_with_progress(home, path)
    about = subject(raw)
    return None if about is None else hand_over(sessions, *about)


def _read(name: str, most: int, what: str) -> bytes:
    """A bounded read: one byte more than allowed is enough to refuse the rest."""
    if name == STANDARD_INPUT:
        if sys.stdin.isatty():
            say(f"ferrule: reading {what} from standard input")
        return sys.stdin.buffer.read(most + 1)
    path = Path(name)
    try:
        with path.open("rb") as stream:
            return stream.read(most + 1)
    except FileNotFoundError as error:
        raise UsageError(f"no such file: {name}", code=Code.IO_FAILED) from error
    except IsADirectoryError as error:
        raise UsageError(f"{name} is a folder; name the file of {what}", code=Code.IO_FAILED) from error
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "no path"
        raise UnreadableInput(f"{name} cannot be read: {why}", code=Code.IO_FAILED) from error


def _object(text: str) -> object:
    """The parameters as JSON; None, which no action takes, when it is none or a key stands twice."""
    if len(text) > MAX_PARAMETER_BYTES:
        return None
    try:
        return json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return None


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _show(answer: Queued | Received | Duplicate | Ignored) -> None:
    spans: tuple[Span, ...]
    match answer:
        case Queued():
            turn = answer.instruction
            spans = (turn.source, "bold"), ("  queued", "green"), f": turn {turn.ordinal} waits for its review"
        case Received():
            spans = (answer.source, "bold"), ("  received", "green"), f": turn {answer.turn}, a worker looks at it"
        case Duplicate():
            spans = (answer.source, "bold"), ("  nothing new", "dim"), f": {answer.reason}"
        case Ignored():
            spans = (answer.source, "bold"), ("  ignored", "yellow"), f": {answer.reason}"
    Page().line(*spans)


def _list_actions(*, as_json: bool) -> int:
    if as_json:
        print_json(
            *(
                {"action": name, "needed": list(action.needed), "optional": list(action.optional)}
                | {"needs_session": action.calls_for, "summary": action.summary}
                for name, action in ACTIONS.items()
            )
        )
        return 0
    page = Page()
    for name, action in ACTIONS.items():
        optional = "".join(f", {parameter}?" for parameter in action.optional)
        given = (", ".join(action.needed) + optional).removeprefix(", ")
        page.line((name, "bold"), f"({given})")
        page.line((action.summary + ("; needs --session" if action.calls_for else ""), "dim"), indent=2)
    return 0
