"""The platform's actions by their names: parameters in, one JSON object out, refusals with stable codes (R73, R89).

Owns the names, parameters and shapes that interoperation needs (platform.md sections 1.7 and 1.8). Parameters are read
strictly: what is missing, unknown or of another type is refused, nothing is guessed. Knows nothing of who calls.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ferrule.errors import Code, UsageError
from ferrule.interfaces.answers import answer_json, utc
from ferrule.session.subscriptions import Subscription
from ferrule.wiring.answers import Declined, Detached
from ferrule.wiring.attaching import Wish, attach
from ferrule.wiring.dispatching import dispatch
from ferrule.wiring.home import Home
from ferrule.wiring.subscribing import subscribe, subscriptions, unsubscribe

__all__ = ["ACTIONS", "Action", "Called", "call"]

_Json: TypeAlias = dict[str, object]
NEVER = "9999-12-31T23:59:59.9999999Z"


@dataclass(frozen=True, slots=True)
class Called:
    """What an action gave: its JSON, and whether that is a refusal."""

    result: _Json
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    """One action.

    Attributes:
        needed: parameters that must be given, with their types.
        optional: parameters that may be left out, or null.
        summary: what it does, in a line.
        run: does it.
        calls_for: whether it acts for the session that calls.
    """

    needed: Mapping[str, type]
    optional: Mapping[str, type]
    summary: str
    run: Callable[[Home, "_Given"], _Json | Declined]
    calls_for: bool = False


@dataclass(frozen=True, slots=True)
class _Given:
    """The parameters of one call, checked, and the session that calls."""

    values: Mapping[str, object]
    session: str

    def text(self, name: str) -> str:
        value = self.values.get(name)
        return value if isinstance(value, str) else ""

    def texts(self, name: str) -> list[str]:
        value = self.values.get(name)
        return [str(item) for item in value] if isinstance(value, list) else []

    def number(self, name: str) -> float | None:
        value = self.values.get(name)
        return float(value) if isinstance(value, int | float) else None


def call(home: Home, name: str, parameters: object, *, session: str = "") -> Called:
    """Call an action by its name.

    Args:
        home: an open home.
        name: the action's name as the platform spells it.
        parameters: a mapping of parameters; anything else is refused.
        session: the key of the session that calls, for an action that acts for it.

    Raises:
        StoreError: the home cannot be used; nothing was changed.
    """
    action = ACTIONS.get(name)
    if action is None:
        return _refused(
            Declined(Code.UNKNOWN_TOOL, f"there is no action {name!r:.80}; there are: {', '.join(ACTIONS)}")
        )
    fault = _fault(action, parameters, session)
    if fault or not isinstance(parameters, Mapping):
        return _refused(Declined(Code.BAD_TOOL_ARGS, f"{name}: {fault}"))
    try:
        result = action.run(home, _Given(parameters, session))
    except UsageError as error:
        return _refused(Declined(error.code, str(error)))
    return _refused(result) if isinstance(result, Declined) else Called(result)


def _refused(answer: Declined) -> Called:
    return Called(answer_json(answer), refused=True)


def _fault(action: Action, parameters: object, session: str) -> str:
    """What is wrong with the parameters; empty when nothing is."""
    if not isinstance(parameters, Mapping):
        return "its parameters are not one JSON object"
    known = {**action.needed, **action.optional}
    unknown = sorted(str(name) for name in parameters if name not in known)
    missing = [name for name in action.needed if parameters.get(name) in (None, "")]
    wrong = [name for name, kind in known.items() if not _fits(parameters.get(name), kind)]
    if unknown:
        return f"it has no parameter {unknown[0]!r:.80}"
    if missing or wrong:
        return f"{missing[0]} is missing" if missing else f"{wrong[0]} is not a {_KINDS[known[wrong[0]]]}"
    return "it acts for the session that calls, and none is named" if action.calls_for and not session else ""


_KINDS = {str: "text", list: "list of texts", float: "number"}


def _fits(value: object, kind: type) -> bool:
    if value is None:
        return True
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind is list:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    return isinstance(value, kind)


def _attach_configured(home: Home, given: _Given) -> _Json | Declined:
    return _attached(home, given.session, given)


def _attach_to_session(home: Home, given: _Given) -> _Json | Declined:
    return _attached(home, given.text("sourceSessionKey"), given)


def _attached(home: Home, source: str, given: _Given) -> _Json | Declined:
    wish = Wish(provider=given.text("provider"), model=given.text("modelName"), reasoning=given.text("reasoningLevel"))
    answer = attach(home, source, given.text("turnKey"), wish)
    return answer if isinstance(answer, Declined) else answer_json(answer)


def _dispatched(home: Home, given: _Given) -> _Json | Declined:
    answer = dispatch(home, given.text("callbackJson"))
    return answer if isinstance(answer, Declined) else answer_json(answer)


def _subscribed(home: Home, given: _Given) -> _Json | Declined:
    answer = subscribe(
        home,
        given.text("sourceSessionKey"),
        given.text("subscriberSessionKey"),
        given.texts("eventTypes"),
        ttl=given.number("ttlSeconds"),
    )
    return answer if isinstance(answer, Declined) else {"Subscribed": True, **_item(answer)}


def _unsubscribed(home: Home, given: _Given) -> _Json | Declined:
    answer = unsubscribe(home, given.text("sourceSessionKey"), given.text("subscriberSessionKey"))
    return {"Removed": answer.was_attached} if isinstance(answer, Detached) else answer


def _listed(home: Home, given: _Given) -> _Json:
    rows = subscriptions(home, given.text("sourceSessionKey") or None)
    return {"Count": len(rows), "Items": [{**_item(row), "CreatedUtc": utc(row.created)} for row in rows]}


def _item(row: Subscription) -> _Json:
    return {
        "SourceSessionKey": row.source,
        "SubscriberSessionKey": row.companion,
        "DeliveryMode": row.delivery.value,
        "CallbackUrl": None,
        "ExpiresUtc": NEVER if row.expires is None else utc(row.expires),
        "EventTypes": [row.event],
    }


_CHOICE = {"provider": str, "modelName": str, "reasoningLevel": str}
_PAIR = {"sourceSessionKey": str, "subscriberSessionKey": str}

ACTIONS: Mapping[str, Action] = {
    "ToAttachConfiguredOnlineSessionMemoryCritic": Action(
        {"turnKey": str}, _CHOICE, "attach to the session that calls", _attach_configured, calls_for=True
    ),
    "ToAttachOnlineSessionMemoryCriticToSession": Action(
        {"sourceSessionKey": str, "turnKey": str}, _CHOICE, "attach to a session", _attach_to_session
    ),
    "ToDispatchOnlineSessionMemoryCriticEvent": Action(
        {"callbackJson": str}, {}, "queue the completed turn of an event", _dispatched
    ),
    "subscribe-session-events": Action(
        {**_PAIR, "eventTypes": list}, {"ttlSeconds": float}, "deliver a source's events to its companion", _subscribed
    ),
    "unsubscribe-session-events": Action(_PAIR, {"eventTypes": list}, "end that delivery", _unsubscribed),
    "list-session-event-subscriptions": Action(
        {}, {"sourceSessionKey": str}, "list the deliveries that stand", _listed
    ),
}
