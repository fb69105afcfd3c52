"""The platform's actions as functions under the names that it knows them by (platform.md sections 1.7 and 1.8).

Owns those names and signatures. Each returns one JSON object; a refusal is `{"answer": "declined", "code", "reason"}`.
Knows nothing of what an action does.
"""
# ruff: noqa: N802, N803 - the names are the platform's own

from collections.abc import Sequence

from ferrule.interfaces.actions import call
from ferrule.interfaces.python.opened import OpenedHome

__all__ = [
    "ListSessionEventSubscriptions",
    "SubscribeSessionEvents",
    "ToAttachConfiguredOnlineSessionMemoryCritic",
    "ToAttachOnlineSessionMemoryCriticToSession",
    "ToDispatchOnlineSessionMemoryCriticEvent",
    "UnsubscribeSessionEvents",
]


def ToAttachConfiguredOnlineSessionMemoryCritic(
    ferrule: OpenedHome,
    session: str,
    turnKey: str,
    *,
    provider: str = "",
    modelName: str = "",
    reasoningLevel: str = "",
) -> dict[str, object]:
    """Attach the critic to the session that calls and queue exactly that turn (R73, R91)."""
    given = {"turnKey": turnKey, "provider": provider, "modelName": modelName, "reasoningLevel": reasoningLevel}
    return _called(ferrule, "ToAttachConfiguredOnlineSessionMemoryCritic", given, session)


def ToAttachOnlineSessionMemoryCriticToSession(
    ferrule: OpenedHome,
    sourceSessionKey: str,
    turnKey: str,
    *,
    provider: str = "",
    modelName: str = "",
    reasoningLevel: str = "",
) -> dict[str, object]:
    """Attach the critic to a session and queue exactly that turn; nothing is written into the session (R73, R83)."""
    given = {"sourceSessionKey": sourceSessionKey, "turnKey": turnKey}
    choice = {"provider": provider, "modelName": modelName, "reasoningLevel": reasoningLevel}
    return _called(ferrule, "ToAttachOnlineSessionMemoryCriticToSession", {**given, **choice})


def ToDispatchOnlineSessionMemoryCriticEvent(ferrule: OpenedHome, callbackJson: str) -> dict[str, object]:
    """Queue the completed turn of an event; renders the same instruction as a manual selection (R80)."""
    return _called(ferrule, "ToDispatchOnlineSessionMemoryCriticEvent", {"callbackJson": callbackJson})


def SubscribeSessionEvents(
    ferrule: OpenedHome,
    sourceSessionKey: str,
    subscriberSessionKey: str,
    eventTypes: Sequence[str],
    *,
    ttlSeconds: float | None = None,
) -> dict[str, object]:
    """`subscribe-session-events`: deliver a source's `turn.completed` to its companion, for good without a time."""
    given = {"sourceSessionKey": sourceSessionKey, "subscriberSessionKey": subscriberSessionKey}
    return _called(
        ferrule, "subscribe-session-events", {**given, "eventTypes": list(eventTypes), "ttlSeconds": ttlSeconds}
    )


def UnsubscribeSessionEvents(
    ferrule: OpenedHome, sourceSessionKey: str, subscriberSessionKey: str
) -> dict[str, object]:
    """`unsubscribe-session-events`: end that delivery, as a detach does (R96)."""
    given = {"sourceSessionKey": sourceSessionKey, "subscriberSessionKey": subscriberSessionKey}
    return _called(ferrule, "unsubscribe-session-events", given)


def ListSessionEventSubscriptions(ferrule: OpenedHome, sourceSessionKey: str | None = None) -> dict[str, object]:
    """`list-session-event-subscriptions`: the deliveries that stand, of one source or of all."""
    return _called(ferrule, "list-session-event-subscriptions", {"sourceSessionKey": sourceSessionKey})


def _called(ferrule: OpenedHome, name: str, given: object, session: str = "") -> dict[str, object]:
    return call(ferrule.opened(), name, given, session=session).result
