"""A SWE-agent trajectory is one task that the agent worked on by itself: one session with one turn.

Owns what the task and its outcome are, and whether it was finished: handed in by the agent, not by the harness when
money or context ran out. Knows nothing of single actions.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ferrule.adapters.transcripts.conversations import distinct, opening
from ferrule.adapters.transcripts.drafted import Drafted, imported
from ferrule.adapters.transcripts.drafts import Draft, RawCall
from ferrule.adapters.transcripts.fields import text_at
from ferrule.adapters.transcripts.formats import Given
from ferrule.adapters.transcripts.naming import folder_of
from ferrule.adapters.transcripts.submissions import root_shown
from ferrule.adapters.transcripts.swe_agent.actions import call_of
from ferrule.adapters.transcripts.swe_agent.steps import Step, object_at, steps_of, task_of
from ferrule.session.imported import ImportedSession
from ferrule.session.keys import session_key, turn_key
from ferrule.session.place import normal_remote
from ferrule.session.profiles import imported_profile
from ferrule.session.source import SourceSession

__all__ = ["NAME", "is_swe_agent", "read_swe_agent"]

NAME = "swe-agent"
_LOOKED_AT = 20
_TOLD = frozenset({"response", "thought", "state"})  # beside an action and its observation, which any game has
_ROLES = frozenset({"system", "user", "assistant", "tool"})


def is_swe_agent(value: Mapping[str, Any]) -> bool:
    """Whether a JSON object has the shape of a trajectory of SWE-agent, or of its history alone."""
    steps, history = value.get("trajectory"), value.get("history")
    if isinstance(steps, list) and any(_is_step(row) for row in steps[:_LOOKED_AT]):
        return True
    return isinstance(history, list) and any(_is_message(row) for row in history[:_LOOKED_AT])


def read_swe_agent(given: Given) -> tuple[ImportedSession, ...]:
    """The sessions of a file: one per trajectory, each with one turn."""
    sessions = [_session(record.value, record.line, given) for record in given.records if is_swe_agent(record.value)]
    return distinct(sessions, given.warnings)


def _is_step(row: object) -> bool:
    if not isinstance(row, dict) or not isinstance(row.get("action"), str):
        return False
    return "observation" in row and "source" not in row and bool(_TOLD & row.keys())


def _is_message(row: object) -> bool:
    if not isinstance(row, dict) or text_at(row, "role") not in _ROLES:
        return False
    return "content" in row and ("agent" in row or "message_type" in row)


def _session(value: Mapping[str, Any], line: int, given: Given) -> ImportedSession:
    steps, task = steps_of(value), task_of(value)
    info = object_at(value, "info")
    # A run that is finished does not grow: all of it names it, for many runs of one task begin alike.
    begun = [text for step in steps for text in (step.thought, step.action)]
    draft = Draft(key=turn_key(None, 1, task), line=line, user=task, reason=_reason(info, steps))
    _fill(draft, steps, text_at(info, "submission"))
    remote = given.scrub(_remote(value))
    draft.repository = remote or None
    key = session_key(NAME, None, head=opening([task, *begun]))
    session = SourceSession(
        key=key,
        profile=imported_profile(NAME, profiles=given.profiles),
        lineage=key,
        client=NAME,
        cwd=given.scrub(draft.cwd) if draft.cwd else None,
        repository=normal_remote(remote),
    )
    return imported(Drafted(session, (draft,)), given.scrub, NAME)


def _fill(draft: Draft, steps: Sequence[Step], submission: str) -> None:
    """The calls, where each ran, and the last words."""
    before = ""
    for number, step in enumerate(steps, start=1):
        # A step's state is that before it in old files and that after it in new ones: without `cd` they are the same.
        here = before if before and "cd " in step.action else step.directory or before
        cwd = folder_of(here)
        draft.cwd = draft.cwd or cwd
        if step.action.strip():
            call = call_of(step, number, cwd, submission)
            if call.tool == "submit":
                call.cwd = draft.cwd  # a diff names its files from where the work began, wherever the console went
            draft.calls[call.id] = call
        before = step.directory or before
    draft.root = root_shown(submission, draft.calls.values())
    said = next((step.thought.strip() for step in reversed(steps) if step.thought.strip()), "")
    draft.outcome = [said or submission.strip()]
    if submission.strip() and not any(call.tool == "submit" for call in draft.calls.values()):
        handed = RawCall(f"c{len(steps) + 1}", "submit", {"patch": submission}, ok=True, cwd=draft.cwd)
        draft.calls[handed.id] = handed


def _reason(info: Mapping[str, Any], steps: Sequence[Step]) -> str:
    """Why a task is not finished; empty when the agent handed it in."""
    status = text_at(info, "exit_status").strip().lower()
    if status == "submitted" or (not status and steps and steps[-1].action.split()[:1] == ["submit"]):
        return ""
    if status.startswith("submitted"):
        return "interrupted"  # handed in by the harness when a limit was hit
    return "api-error" if "api" in status or "environment" in status else "open"


def _remote(value: Mapping[str, Any]) -> str:
    """The repository that the run was configured with, where it is a remote one."""
    environment = object_at(object_at(value, "replay_config"), "env")
    return text_at(object_at(environment, "repo"), "github_url")[:_LONGEST_URL]


_LONGEST_URL = 1000
