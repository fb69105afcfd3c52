"""A team of agents that answers one question is one turn: the question, and what the team said last.

Owns the two manners of such logs: AG2's, where agents carry names and a terminal answers in the user's role, and
Magentic-One's, where roles are names. What the agents say to each other is nobody's words; the code that ran is not
told apart from the one that was proposed, so there is no call. Knows nothing of scores that benchmarks add.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ferrule.adapters.transcripts.conversations import opening
from ferrule.adapters.transcripts.fields import text_at
from ferrule.adapters.transcripts.formats import Format, Given, Sample
from ferrule.adapters.transcripts.messages.reading import ROLES
from ferrule.adapters.transcripts.messages.turning import Conversation, Said, Who, session_of
from ferrule.session.imported import ImportedSession

__all__ = ["FORMAT"]

NAME = "agent-team"
_ENDING = re.compile(r"\s{0,9}(?:TERMINATE|No agent selected\b.{0,80}|Request satisfied)\.?\s{0,9}", re.IGNORECASE)
_ASIDE = re.compile(r"^human$|\((?:thought|termination condition)\)$")
_TERMINAL = re.compile(r"^\s{0,9}exitcode: -?\d{1,5} \(execution (?:succeeded|failed)\)")


def _looks(sample: Sample) -> bool:
    value = sample.document
    history = value.get("history") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(history, list) or "trajectory" in value or "info" in value:
        return False
    named = [one for one in history[:20] if isinstance(one, dict) and isinstance(one.get("content"), str)]
    told = all("name" in one and text_at(one, "role") in ROLES for one in named) or any(
        text_at(one, "role") == "human" for one in named
    )
    return bool(named) and told and (bool(text_at(value, "question")) or text_at(named[0], "role") == "human")


def _read(given: Given) -> tuple[ImportedSession, ...]:
    value = given.sample.document
    held = isinstance(value, dict) and isinstance(value.get("history"), list)
    return (session_of(_conversation(value), given),) if held and isinstance(value, dict) else ()


def _conversation(value: Mapping[str, Any]) -> Conversation:
    history = value.get("history")
    said: Sequence[Any] = history if isinstance(history, list) else ()
    human = next((text_at(one, "content") for one in said if isinstance(one, dict) and one.get("role") == "human"), "")
    question = text_at(value, "question") or human
    words = [
        text_at(one, "content") for one in said if isinstance(one, dict) and not _ASIDE.search(text_at(one, "role"))
    ]
    answers = [text for text in words if text.strip() and not _ENDING.match(text) and not _TERMINAL.match(text)]
    told = [Said(Who.USER, question), *([Said(Who.AGENT, answers[-1])] if answers else [])]
    # The question's id names the question, which other teams were asked too; what came first names the log.
    begun = opening([text_at(value, "question_ID"), question, *words[:3]])
    return Conversation(NAME, told, id=begun.decode("ascii")[:16])


FORMAT = Format(NAME, "a log of a team of agents", _looks, _read)
