"""`ferrule attach|detach|pause|resume|feedback|thumbs-up`: follow a session, and stop following it (R72-R79, R96).

Owns the commands' words and output. Nothing here waits for a review. Knows nothing of how an answer is come by.
"""

import shlex
import sys
from argparse import Namespace
from dataclasses import dataclass

from ferrule.errors import Code, UsageError
from ferrule.interfaces.answers import Answer, answer_json, rested_json, utc
from ferrule.interfaces.cli.command import opened
from ferrule.interfaces.cli.output import Progress, print_json, say
from ferrule.interfaces.cli.page import Page, Span
from ferrule.interfaces.cli.quieting import rest_project
from ferrule.interfaces.cli.visible import excerpt, visible
from ferrule.interfaces.cli.wording import counted
from ferrule.session.imported import ImportedSession
from ferrule.session.source import InstructionState
from ferrule.session.subscriptions import Delivery
from ferrule.wiring.answers import Attached, Declined, Detached, Noted
from ferrule.wiring.attaching import Wish, attach, detach, feedback, said, turn_named
from ferrule.wiring.handover import Handed, hand_over, names_session, read_handover
from ferrule.wiring.here import newest_turn
from ferrule.wiring.home import Home
from ferrule.wiring.resting import Rested, pause, resume
from ferrule.wiring.sessions import LAST, newest, resolved

__all__ = [
    "delivery_named",
    "print_declined",
    "read_with_progress",
    "run_attach",
    "run_detach",
    "run_feedback",
    "run_pause",
    "run_resume",
    "run_thumbs_up",
]

DECLINED = 1
TITLE = 56
LABEL = 9
STANDS = {
    InstructionState.WAITING: "waits for its review",
    InstructionState.CLAIMED: "is being reviewed",
    InstructionState.DONE: "was reviewed before",
    InstructionState.PARKED: "was given up after too many attempts",
}


@dataclass(frozen=True, slots=True)
class _Selected:
    """What the words of the command name: a source, one of its turns (None for the newest), and its text if handed."""

    source: str
    turn: str | None
    handed: Handed | None = None


def run_attach(arguments: Namespace) -> int:
    """Attach the critic to a source and have one completed turn reviewed; 1 when it is declined (R73, R75).

    Raises:
        UsageError: no such session, file or turn, or an option is wrong.
        UnreadableInput: what `--from` names is no transcript.
    """
    wish = Wish(
        reviewer=arguments.reviewer or "",
        provider=arguments.provider or "",
        model=arguments.model or "",
        reasoning=arguments.reasoning or "",
        delivery=None if arguments.delivery is None else delivery_named("--delivery", arguments.delivery),
        ttl=arguments.ttl,
    )
    with opened(arguments, make=arguments.handed is not None) as home:
        selected = _selected(home, arguments)
        if isinstance(selected, Declined):
            return print_declined(selected, as_json=arguments.json)
        answer = attach(home, selected.source, selected.turn, wish, handed=selected.handed)
        return _tell(home, answer, as_json=arguments.json, handed=selected.handed is not None)


def run_feedback(arguments: Namespace) -> int:
    """Keep what a person thinks of a turn; `up` attaches, as `thumbs-up` does; 1 when it is declined (R72).

    Raises:
        UsageError: no such session or file, or no such opinion.
        UnreadableInput: what `--from` names is no transcript.
    """
    return _feedback(arguments, arguments.value)


def run_thumbs_up(arguments: Namespace) -> int:
    """`feedback SOURCE TURN up`. Raises as it does; with `--here` the turn may be left out."""
    if not arguments.here and (arguments.source is None or arguments.turn is None):
        raise UsageError("session and turn are needed: ferrule thumbs-up SOURCE TURN", code=Code.BAD_TOOL_ARGS)
    return _feedback(arguments, "up")


def run_detach(arguments: Namespace) -> int:
    """Stop reviewing a source's turns; its memory stays (R96).

    Raises:
        UsageError: no such session.
    """
    with opened(arguments, make=False) as home:
        answer = detach(home, resolved(home, arguments.source).key)
        return _tell(home, answer, as_json=arguments.json)


def run_pause(arguments: Namespace) -> int:
    """Let a source's reviews rest, or those of a whole project.

    Raises:
        UsageError: no such session or folder.
    """
    if arguments.project is not None:
        return rest_project(arguments, paused=True)
    with opened(arguments, make=False) as home:
        answer = pause(home, resolved(home, arguments.source).key)
        return _tell_rested(home, answer, as_json=arguments.json)


def run_resume(arguments: Namespace) -> int:
    """Let a source's reviews go on, with `--parked` also what was given up; or those of a whole project.

    Raises:
        UsageError: no such session or folder.
    """
    if arguments.project is not None:
        return rest_project(arguments, paused=False)
    with opened(arguments, make=False) as home:
        answer = resume(home, resolved(home, arguments.source).key, parked=arguments.parked)
        return _tell_rested(home, answer, as_json=arguments.json)


def delivery_named(option: str, word: str) -> Delivery:
    """The delivery mode of that name.

    Raises:
        UsageError: there is none.
    """
    modes = [mode.value for mode in Delivery]
    if word not in modes:
        raise UsageError(f"{option} is {', '.join(modes)}, not {word!r:.40}", code=Code.BAD_TOOL_ARGS)
    return Delivery(word)


def read_with_progress(home: Home, path: str) -> tuple[ImportedSession, ...]:
    """What `--from` names, read; a long transcript is told of.

    Raises:
        UsageError: no such file, a folder, or a key in it is none.
        UnreadableInput: it is no transcript.
    """
    with Progress() as progress:
        progress(f"reading {path}")
        return read_handover(home, path, sys.stdin.buffer)


def print_declined(answer: Declined, *, as_json: bool, handed: bool = True) -> int:
    """Say why something was refused; returns the exit code of a refusal.

    With `handed` False the text of the turn did not come along, and that it may is said where it was missed.
    """
    if as_json:
        print_json(answer_json(answer))
        return DECLINED
    hint = "" if handed or answer.code is not Code.TURN_NOT_COMPLETED else "; hand it over with --from FILE"
    say(f"ferrule: declined: {visible(answer.reason)}{hint} [{answer.code}]")
    return DECLINED


def _feedback(arguments: Namespace, value: str) -> int:
    with opened(arguments, make=arguments.handed is not None) as home:
        selected = _selected(home, arguments)
        if isinstance(selected, Declined):
            return print_declined(selected, as_json=arguments.json)
        turn = selected.turn or newest_turn(home, selected.source)
        answer = feedback(home, selected.source, turn, value, handed=selected.handed)
        return _tell(home, answer, as_json=arguments.json, handed=selected.handed is not None)


def _selected(home: Home, arguments: Namespace) -> _Selected | Declined:
    source, turn = arguments.source, arguments.turn
    if arguments.handed is None:
        key = resolved(home, source or LAST).key
        return _Selected(key, turn_named(home, key, turn))
    sessions = read_with_progress(home, arguments.handed)
    if source is not None and turn is None and source != LAST and not names_session(sessions, source):
        source, turn = None, source
    handed = hand_over(sessions, None if source == LAST else source, turn)
    return handed if isinstance(handed, Declined) else _Selected(handed.session.key, handed.turn.key, handed)


def _tell(home: Home, answer: Answer, *, as_json: bool, handed: bool = True) -> int:
    if isinstance(answer, Declined):
        return print_declined(answer, as_json=as_json, handed=handed)
    if as_json:
        print_json(answer_json(answer))
        return 0
    page = Page()
    if isinstance(answer, Attached):
        _attached(page, home, answer)
    elif isinstance(answer, Detached):
        _detached(page, home, answer)
    elif isinstance(answer, Noted):
        page.line((answer.source, "bold"), f"  noted: {answer.value} for {answer.turn}; nothing is reviewed for it")
    return 0


def _attached(page: Page, home: Home, answer: Attached) -> None:
    turn, order, companion = answer.instruction, answer.subscription, answer.companion
    page.line((turn.source, "bold"), ("  attached", "green"))
    title = excerpt(said(home, turn.source, turn.turn), TITLE)
    until = "" if order.expires is None else f", until {utc(order.expires)}"
    for label, words in (
        ("turn", f'{turn.ordinal}  "{title}"  ' if title else f"{turn.ordinal}  "),
        ("next", f"turns from {order.first_ordinal} on, as their events come ({order.delivery.value}){until}"),
        ("reviewer", " ".join(filter(None, (companion.reviewer, companion.provider, companion.model)))),
        ("key", str(home.path / "webhook.key") if order.delivery is Delivery.WEBHOOK else ""),
    ):
        state: Span = (STANDS.get(turn.state, turn.state.value), "green" if label == "turn" else "")
        if words:
            spans = (words, state) if label == "turn" else (words,)
            page.line((f"{label:<{LABEL}}", "cyan"), "  ", *spans, indent=2, hang=4 + LABEL)
    there = _there(home, turn.source)
    if turn.state is InstructionState.DONE:
        page.line((f"What came of it: ferrule explain{there or ' last'} {turn.ordinal}", "dim"))
    else:
        page.line((f"Nothing waits for the review. How it stands: ferrule status{there}", "dim"))


def _detached(page: Page, home: Home, answer: Detached) -> None:
    if not answer.was_attached:
        page.line((answer.source, "bold"), "  was not attached")
        return
    withdrawn = f"; {counted(answer.withdrawn, 'turn')} that waited withdrawn" if answer.withdrawn else ""
    page.line((answer.source, "bold"), ("  detached", "yellow"), f"{withdrawn}; what it remembers stays")
    page.line((f"Follow it again: ferrule attach{_there(home, answer.source)}", "dim"))


def _tell_rested(home: Home, answer: Rested | Declined, *, as_json: bool) -> int:
    if isinstance(answer, Declined):
        return print_declined(answer, as_json=as_json)
    if as_json:
        print_json(rested_json(answer))
        return 0
    page = Page()
    waiting = f"{counted(answer.waiting, 'turn')} waiting" if answer.waiting else "nothing waits"
    there = _there(home, answer.source)
    if answer.paused:
        page.line((answer.source, "bold"), ("  paused", "yellow"), f"; {waiting}, events go on queueing")
        page.line((f"Let it go on: ferrule resume{there}", "dim"))
        return 0
    again = f", {answer.unparked} of them given up before" if answer.unparked else ""
    page.line((answer.source, "bold"), ("  goes on", "green"), f"; {waiting}{again}")
    if answer.parked:
        page.line((f"{answer.parked} given up; try again: ferrule resume{there} --parked", "dim"))
    return 0


def _there(home: Home, key: str) -> str:
    """How the source is named in the next command: not at all when it is the newest."""
    return "" if key == newest(home) else f" {shlex.quote(key)}"
