"""What can be asked for below the token, and what each answer is.

Owns the routes: static files by name, questions that change nothing (GET), and the two changes (POST). Knows nothing of
sockets, headers or tokens.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from importlib.resources import files
from urllib.parse import parse_qs

from ferrule.errors import FerruleError
from ferrule.wiring.labelling import LabelDesk, Saved

__all__ = ["Answer", "answer_get", "answer_post"]

_STATIC = {
    "": ("index.html", "text/html; charset=utf-8"),
    "page.css": ("page.css", "text/css; charset=utf-8"),
    **{name: (name, "text/javascript; charset=utf-8") for name in ("page.js", "elements.js", "turn.js", "form.js")},
}
_LONGEST_NUMBER = 7
_STATES = {
    "saved": HTTPStatus.OK,
    "faulty": HTTPStatus.UNPROCESSABLE_ENTITY,
    "stale": HTTPStatus.CONFLICT,
}


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer; `ends` when the server is to end after it."""

    status: HTTPStatus
    body: bytes
    kind: str = "application/json; charset=utf-8"
    ends: bool = False


def _told(value: object, status: HTTPStatus = HTTPStatus.OK, *, ends: bool = False) -> Answer:
    return Answer(status, json.dumps(value, ensure_ascii=True).encode(), ends=ends)


def _nothing(says: str = "there is nothing by that name") -> Answer:
    return _told({"error": says}, HTTPStatus.NOT_FOUND)


def answer_get(desk: LabelDesk, asked: str, query: str) -> Answer:
    """A file of the page, or something about a turn. Nothing changes."""
    if asked in _STATIC:
        name, kind = _STATIC[asked]
        return Answer(HTTPStatus.OK, files(__package__).joinpath("static", name).read_bytes(), kind)
    questions: dict[str, Callable[[Mapping[str, int]], object]] = {
        "api/overview": lambda _: desk.overview(),
        "api/seen": lambda _: {"done": desk.done()},
        "api/turn": lambda ask: desk.turn(ask["n"]),
        "api/call": lambda ask: desk.call(ask["n"], ask["call"]),
        "api/candidates": lambda ask: desk.candidates(ask["n"]),
    }
    if asked not in questions:
        return _nothing()
    found = questions[asked](_numbers(query))
    return _nothing() if found is None else _told(found)


def _numbers(query: str) -> dict[str, int]:
    """The numbers of a query; one that is none or missing is -1, which no turn has."""
    found = {"n": -1, "call": -1}
    for name, values in parse_qs(query, max_num_fields=8).items():
        value = values[-1]
        if name in found and value.isascii() and value.isdecimal() and len(value) <= _LONGEST_NUMBER:
            found[name] = int(value)
    return found


def answer_post(desk: LabelDesk, asked: str, body: bytes) -> Answer:
    """A change, or a question too long for an address."""
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError):
        sent = None
    if not isinstance(sent, dict):
        return _told({"error": "the body is not a JSON object"}, HTTPStatus.BAD_REQUEST)
    if asked == "api/end":
        return _told({"done": desk.done()}, ends=True)
    number = sent.get("n")
    if asked not in {"api/spots", "api/save"} or not isinstance(number, int) or isinstance(number, bool):
        return _nothing()
    if asked == "api/save":
        return _saved(desk, number, sent)
    spots = desk.spots(number, str(sent.get("value", "")))
    return _nothing() if spots is None else _told(spots)


def _saved(desk: LabelDesk, number: int, sent: Mapping[str, object]) -> Answer:
    try:
        saved = desk.save(number, str(sent.get("revision", "")), sent.get("draft", {}))
    except FerruleError as problem:
        return _told({"error": f"not saved: {problem}"}, HTTPStatus.INTERNAL_SERVER_ERROR)
    return _nothing() if saved is None else _shown(desk, number, saved)


def _shown(desk: LabelDesk, number: int, saved: Saved) -> Answer:
    """With a save that went through the turn comes back as it is now; with a stale one, as somebody else left it."""
    told = {"state": saved.state, "faults": list(saved.faults), "turn": desk.turn(number)}
    return _told(told, _STATES[saved.state])
