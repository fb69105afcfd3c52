"""The lines of a prompt become one turn: its words, its steering, its calls with their results, its last text.

Owns when a Claude Code turn is completed: the last thing is the assistant's text, after the last tool result, and
neither an interruption nor an API error ended it. Knows nothing of files.
"""

from dataclasses import dataclass, field

from ferrule.adapters.transcripts.claude_code.chain import Chain, opens_turn
from ferrule.adapters.transcripts.claude_code.entries import Entry
from ferrule.adapters.transcripts.drafts import Draft, RawCall
from ferrule.session.turn import Artifact

__all__ = ["drafts_of"]

_CANNED = "No response requested."
_NO_BRANCH = frozenset({"", "HEAD"})


@dataclass(slots=True)
class _Open:
    """A turn while its lines are read."""

    draft: Draft
    tail: list[tuple[str, str]] = field(default_factory=list)
    state: str = "open"
    stop: str = ""


def drafts_of(chain: Chain) -> list[Draft]:
    """The turns of a session in order, completed or not."""
    turns: dict[int, _Open] = {}
    abandoned = chain.abandoned()
    queued = {entry.note.strip() for entry in chain.entries if entry.kind == "queued" and entry.note.strip()}
    steering: dict[int, Entry] = {}
    for entry, owner in chain.owners():
        if owner is None:
            continue
        top = steering.get(id(owner), owner)
        if entry is owner and _steers(chain, entry, queued) and turns:
            top = steering[id(entry)] = _running(chain, entry, turns) or entry
        if id(top) not in turns:
            turns[id(top)] = _Open(_draft(top, abandoned))
        now = turns[id(top)]
        if entry is owner and top is not owner and entry.prompt is not None:
            now.draft.steering.append(entry.prompt.text)
            now.draft.asked |= {entry.asked} - {""}
        else:
            _take(now, entry)
    return [_closed(turn) for turn in turns.values()]


def _steers(chain: Chain, entry: Entry, queued: set[str]) -> bool:
    """Whether a prompt was typed while the agent worked and went into the running turn."""
    if entry.prompt is None or entry.prompt.kind != "human" or entry.prompt.text.strip() not in queued:
        return False
    above = chain.message_above(entry)
    return above is not None and bool(above.results)


def _running(chain: Chain, entry: Entry, turns: dict[int, _Open]) -> Entry | None:
    """The prompt whose turn is running above a line."""
    here = chain.message_above(entry)
    while here is not None and not (opens_turn(here) and id(here) in turns):
        here = chain.message_above(here)
    return here


def _draft(prompt: Entry, abandoned: set[str]) -> Draft:
    said = prompt.prompt
    draft = Draft(key=prompt.uuid, line=prompt.line, cwd=prompt.cwd or None)
    if said is not None:
        draft.user, draft.reason = said.text, said.reason
    if prompt.uuid in abandoned and not draft.reason:
        draft.reason = "rolled-back"
    return draft


def _take(turn: _Open, entry: Entry) -> None:
    draft = turn.draft
    if entry.asked:
        draft.asked.add(entry.asked)
    if entry.branch not in _NO_BRANCH:
        draft.branch = entry.branch
    if entry.kind == "assistant":
        _assistant(turn, entry)
    elif entry.kind == "user":
        _user(turn, entry)
    elif entry.kind == "steering" and entry.prompt is not None:
        draft.steering.append(entry.prompt.text)
    elif entry.kind == "pull-request" and entry.note:
        draft.artifacts.append(Artifact("pull request", media_type="text/uri-list", text=entry.note))


def _assistant(turn: _Open, entry: Entry) -> None:
    for text in entry.texts:
        turn.tail.append((entry.message, text))
        turn.state = "api-error" if entry.api_error else "completed"
    if entry.texts:
        turn.draft.completed_at = entry.stamp or turn.draft.completed_at
    for use in entry.uses:
        turn.draft.calls.setdefault(use.id, RawCall(use.id, use.name, use.input, cwd=entry.cwd or None))
        turn.tail.clear()
        turn.state = "open"
    turn.stop = entry.stop


def _user(turn: _Open, entry: Entry) -> None:
    for result in entry.results:
        call = turn.draft.calls.get(result.id)
        if call is not None and call.result is None:
            call.result, call.ok, call.details = result.text, not result.failed, result.details
            if result.details.get("backgroundTaskId") or result.details.get("interrupted") is True:
                call.ok = None if not result.failed and result.details.get("backgroundTaskId") else False
        turn.draft.steering.extend(result.said)
        turn.tail.clear()
        turn.state = "open"
    if entry.prompt is None:
        return
    if entry.prompt.kind == "interruption":
        turn.state = "interrupted"
    elif entry.prompt.kind == "steering":
        turn.draft.steering.append(entry.prompt.text)


def _closed(turn: _Open) -> Draft:
    draft = turn.draft
    last = turn.tail[-1][0] if turn.tail else ""
    draft.outcome = [text for message, text in turn.tail if message == last]
    if draft.reason:
        return draft
    if turn.state != "completed":
        draft.reason = turn.state
    elif turn.stop == "tool_use":
        draft.reason = "open"
    elif draft.outcome == [_CANNED]:
        draft.reason = "no-outcome"
    return draft
