"""The platform's actions: JSON in, JSON out, the names and shapes that interoperation needs."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from follow_cases import CHILD, SOURCE, event, held, turn

from ferrule import Ferrule
from ferrule.interfaces.actions import ACTIONS, call
from ferrule.interfaces.python import actions

TO_SESSION = "ToAttachOnlineSessionMemoryCriticToSession"
CONFIGURED = "ToAttachConfiguredOnlineSessionMemoryCritic"
DISPATCH = "ToDispatchOnlineSessionMemoryCriticEvent"
SUBSCRIBE = "subscribe-session-events"
PAIR = {"sourceSessionKey": SOURCE, "subscriberSessionKey": CHILD}
CHOICE = {"provider": "acme", "modelName": "m-1", "reasoningLevel": "low"}


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Ferrule]:
    """A home with one source of two turns."""
    with Ferrule(tmp_path / "home") as ferrule:
        for number in (1, 2):
            ferrule.deliver(turn(number))
        yield ferrule


@pytest.fixture(scope="module")
def refusing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Ferrule, Path]]:
    """One home for all refusals: none of them may change anything in it."""
    place = tmp_path_factory.mktemp("refusals") / "home"
    with Ferrule(place) as ferrule:
        ferrule.deliver(turn(1))
        yield ferrule, place


def result(host: Ferrule, name: str, given: object, session: str = "") -> dict[str, Any]:
    """What an action gives, as it goes over a wire."""
    found: dict[str, Any] = json.loads(json.dumps(call(host.opened(), name, given, session=session).result))
    return found


def test_both_attach_actions_have_the_effects_of_an_attach(tmp_path: Path, host: Ferrule) -> None:
    """R73, R75, R83, R91: one child, one subscription, exactly that turn, the choice kept; S itself gets no row."""
    first = result(host, CONFIGURED, {"turnKey": "k1", **CHOICE}, SOURCE)
    assert (first["answer"], first["turn"], first["companion"]) == ("attached", "k1", CHILD)
    assert first["reviewer"] == {"name": "embedded", "provider": "acme", "model": "m-1", "reasoning": "low"}
    second = result(host, TO_SESSION, {"sourceSessionKey": SOURCE, "turnKey": "k2", "modelName": None})
    assert second["reviewer"] == first["reviewer"]
    assert second["subscription"] == first["subscription"]
    rows = held(tmp_path / "home")
    assert [len(rows[name]) for name in ("sessions", "subscriptions", "instructions", "turns")] == [2, 1, 2, 2]


def test_the_dispatch_action_queues_the_turn_of_an_event(host: Ferrule) -> None:
    """R80, R92: one opaque JSON text; the same again is a duplicate, which is no refusal."""
    result(host, TO_SESSION, {"sourceSessionKey": SOURCE, "turnKey": "k1"})
    host.deliver(turn(3))
    given = {"callbackJson": json.dumps(event(3))}
    assert result(host, DISPATCH, given)["answer"] == "queued"
    again = call(host.opened(), DISPATCH, given)
    assert (again.result["answer"], again.result["code"], again.refused) == ("duplicate", "DUPLICATE_TURN", False)


def test_a_companion_subscribes_unsubscribes_and_is_listed(host: Ferrule) -> None:
    """R79, R96: the published shapes; only for companions, only to turn.completed, never to history."""
    result(host, TO_SESSION, {"sourceSessionKey": SOURCE, "turnKey": "k1"})
    assert result(host, "unsubscribe-session-events", PAIR) == {"Removed": True}
    assert result(host, "unsubscribe-session-events", PAIR) == {"Removed": False}
    assert result(host, "list-session-event-subscriptions", {}) == {"Count": 0, "Items": []}
    given = {**PAIR, "eventTypes": ["turn.completed"], "ttlSeconds": 3600}
    answer = result(host, SUBSCRIBE, given)
    assert answer.pop("ExpiresUtc") < "9999"
    item = {
        "SourceSessionKey": SOURCE,
        "SubscriberSessionKey": CHILD,
        "DeliveryMode": "local",
        "CallbackUrl": None,
        "EventTypes": ["turn.completed"],
    }
    assert answer == {"Subscribed": True, **item}
    forever = result(host, SUBSCRIBE, {**given, "ttlSeconds": None})
    assert forever["ExpiresUtc"] == "9999-12-31T23:59:59.9999999Z"
    for where in ({}, {"sourceSessionKey": SOURCE}):
        listed = result(host, "list-session-event-subscriptions", where)
        assert listed["Count"] == 1
        assert item.items() <= listed["Items"][0].items()
        assert listed["Items"][0]["CreatedUtc"].endswith("Z")
    assert result(host, "list-session-event-subscriptions", {"sourceSessionKey": "other"})["Count"] == 0
    assert type(host.dispatch(event(2))).__name__ == "Ignored", "what was known when it subscribed is history"
    assert type(host.dispatch(event(3), turn=turn(3))).__name__ == "Queued"


REFUSED: dict[str, tuple[str, object, str]] = {
    "no such action": ("ToWriteSessionLocalMemoryToSourceSession", {}, "UNKNOWN_TOOL"),
    "another spelling": (TO_SESSION.lower(), {}, "UNKNOWN_TOOL"),
    "no object": (TO_SESSION, ["k1"], "BAD_TOOL_ARGS"),
    "nothing": (TO_SESSION, None, "BAD_TOOL_ARGS"),
    "a missing parameter": (TO_SESSION, {"sourceSessionKey": SOURCE}, "BAD_TOOL_ARGS"),
    "a blank parameter": (TO_SESSION, {"sourceSessionKey": SOURCE, "turnKey": ""}, "BAD_TOOL_ARGS"),
    "an unknown parameter": (TO_SESSION, {"sourceSessionKey": SOURCE, "turnKey": "k1", "x": 1}, "BAD_TOOL_ARGS"),
    "a number for a text": (TO_SESSION, {"sourceSessionKey": SOURCE, "turnKey": 1}, "BAD_TOOL_ARGS"),
    "a list for a text": (TO_SESSION, {"sourceSessionKey": [SOURCE], "turnKey": "k1"}, "BAD_TOOL_ARGS"),
    "no calling session": (CONFIGURED, {"turnKey": "k1"}, "BAD_TOOL_ARGS"),
    "no such session": (TO_SESSION, {"sourceSessionKey": "nobody", "turnKey": "k1"}, "NOT_ATTACHABLE"),
    "the beginning of a key": (TO_SESSION, {"sourceSessionKey": SOURCE[:3], "turnKey": "k1"}, "NOT_ATTACHABLE"),
    "a companion": (TO_SESSION, {"sourceSessionKey": CHILD, "turnKey": "k1"}, "NOT_ATTACHABLE"),
    "no such turn": (TO_SESSION, {"sourceSessionKey": SOURCE, "turnKey": "k9"}, "TURN_NOT_COMPLETED"),
    "an ordinal": (TO_SESSION, {"sourceSessionKey": SOURCE, "turnKey": "1"}, "TURN_NOT_COMPLETED"),
    "an object for a callback": (DISPATCH, {"callbackJson": event(3)}, "BAD_TOOL_ARGS"),
    "a callback that is no event": (DISPATCH, {"callbackJson": "{}"}, "BAD_TOOL_ARGS"),
    "a callback of half a character": (DISPATCH, {"callbackJson": '{"EventId": "\ud800"}'}, "BAD_TOOL_ARGS"),
    "a huge callback": (DISPATCH, {"callbackJson": " " * 70_000}, "TOO_LARGE"),
    "another subscriber": (
        SUBSCRIBE,
        {**PAIR, "subscriberSessionKey": "other", "eventTypes": ["turn.completed"]},
        "WRONG_SESSION",
    ),
    "another event": (SUBSCRIBE, {**PAIR, "eventTypes": ["heartbeat.tick"]}, "BAD_TOOL_ARGS"),
    "two events": (SUBSCRIBE, {**PAIR, "eventTypes": ["turn.completed", "turn.started"]}, "BAD_TOOL_ARGS"),
    "no events": (SUBSCRIBE, {**PAIR, "eventTypes": []}, "BAD_TOOL_ARGS"),
    "events that are no texts": (SUBSCRIBE, {**PAIR, "eventTypes": [1]}, "BAD_TOOL_ARGS"),
    "no time to live": (SUBSCRIBE, {**PAIR, "eventTypes": ["turn.completed"], "ttlSeconds": 0}, "BAD_TOOL_ARGS"),
    "a time that is true": (SUBSCRIBE, {**PAIR, "eventTypes": ["turn.completed"], "ttlSeconds": True}, "BAD_TOOL_ARGS"),
    "no companion yet": (SUBSCRIBE, {**PAIR, "eventTypes": ["turn.completed"]}, "NOT_ATTACHABLE"),
    "to end another's": ("unsubscribe-session-events", {**PAIR, "subscriberSessionKey": SOURCE}, "WRONG_SESSION"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_action_has_a_code_and_changes_nothing(refusing: tuple[Ferrule, Path], name: str) -> None:
    """R9, R12, R76, R89, R93: structured JSON, one line of reason, not a row different."""
    action, given, code = REFUSED[name]
    host, place = refusing
    before = held(place)
    called = call(host.opened(), action, given)
    assert called.refused
    assert set(called.result) == {"answer", "code", "reason"}
    assert called.result["code"] == code
    assert "\n" not in str(called.result["reason"])
    assert held(place) == before


def test_the_functions_are_the_actions(host: Ferrule) -> None:
    """The platform's names as a Python module: one function per action, each of them calls it."""
    assert len(actions.__all__) == len(ACTIONS)
    attached = actions.ToAttachOnlineSessionMemoryCriticToSession(host, SOURCE, "k1", modelName="m-1")
    assert attached["answer"] == "attached"
    again = actions.ToAttachConfiguredOnlineSessionMemoryCritic(host, SOURCE, "k1")
    assert again["reviewer"] == attached["reviewer"]
    assert actions.ToDispatchOnlineSessionMemoryCriticEvent(host, json.dumps(event(2)))["answer"] == "ignored"
    assert actions.SubscribeSessionEvents(host, SOURCE, CHILD, ["turn.completed"], ttlSeconds=60)["Subscribed"] is True
    assert actions.ListSessionEventSubscriptions(host)["Count"] == 1
    assert actions.UnsubscribeSessionEvents(host, SOURCE, CHILD) == {"Removed": True}
