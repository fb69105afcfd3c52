"""A trajectory in the interchange format is a session; the trajectories of its subagents are sessions below it.

Owns steps, their observations and copied context. The format tells neither where an agent worked nor whether a call
succeeded. Knows nothing of metrics.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ferrule.adapters.transcripts.conversations import distinct
from ferrule.adapters.transcripts.fields import text_at
from ferrule.adapters.transcripts.formats import Format, Given, Sample
from ferrule.adapters.transcripts.messages.reading import as_text
from ferrule.adapters.transcripts.messages.turning import Conversation, Said, Who, session_of
from ferrule.session.imported import ImportedSession

__all__ = ["FORMAT"]

NAME = "atif"
_MAX_SUBAGENTS = 1000


def _looks(sample: Sample) -> bool:
    values = [sample.document] if isinstance(sample.document, dict) else sample.values
    return not sample.text and any(_is_trajectory(value) for value in values)


def _is_trajectory(value: object) -> bool:
    return (
        isinstance(value, dict)
        and text_at(value, "schema_version").upper().startswith("ATIF")
        and isinstance(value.get("steps"), list)
    )


def _read(given: Given) -> tuple[ImportedSession, ...]:
    found: list[ImportedSession] = []
    for record in given.records:
        if _is_trajectory(record.value):
            found += _sessions(record.value, record.line, given)
        else:
            given.lines.unreadable.append(record.line)
    return distinct(found, given.warnings)


def _sessions(value: Mapping[str, Any], line: int, given: Given) -> Iterator[ImportedSession]:
    """The session of a trajectory, and those of its subagents below it."""
    place = "" if line == 1 else str(line)
    main = session_of(Conversation(NAME, list(_said(value)), id=_id(value), place=place), given)
    yield main
    below = value.get("subagent_trajectories")
    for number, one in enumerate(below[:_MAX_SUBAGENTS] if isinstance(below, list) else [], start=1):
        if isinstance(one, dict):
            place, parent = f"{main.session.key}/{number}", main.session.key
            own = _id(one) if _id(one) != _id(value) else ""
            yield session_of(Conversation(NAME, list(_said(one)), id=own, place=place, parent=parent), given)


def _id(value: Mapping[str, Any]) -> str:
    return text_at(value, "trajectory_id") or text_at(value, "session_id")


def _said(value: Mapping[str, Any]) -> Iterator[Said]:
    """The steps in order; what was copied from an earlier trajectory was said there."""
    steps = value.get("steps")
    for step in steps if isinstance(steps, list) else []:
        if not isinstance(step, dict) or step.get("is_copied_context") is True:
            continue
        source, message = text_at(step, "source"), as_text(step.get("message"))
        at = text_at(step, "timestamp")
        if source == "user":
            yield Said(Who.USER, message, at=at)
        elif source == "agent":
            yield Said(Who.AGENT, message, at=at)
            yield from _calls(step)
        yield from _observed(step)


def _calls(step: Mapping[str, Any]) -> Iterator[Said]:
    calls = step.get("tool_calls")
    for call in calls if isinstance(calls, list) else []:
        if isinstance(call, dict):
            given = call.get("arguments")
            arguments = given if isinstance(given, dict) else as_text(given)
            yield Said(
                Who.CALL, id=text_at(call, "tool_call_id"), tool=text_at(call, "function_name"), arguments=arguments
            )


def _observed(step: Mapping[str, Any]) -> Iterator[Said]:
    observation = step.get("observation")
    results = observation.get("results") if isinstance(observation, dict) else None
    for result in results if isinstance(results, list) else []:
        if isinstance(result, dict):
            yield Said(Who.RESULT, as_text(result.get("content")), text_at(result, "source_call_id"))


FORMAT = Format(NAME, "an ATIF trajectory", _looks, _read)
