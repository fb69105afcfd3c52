"""What aider reports of itself is evidence: edits applied, commits made, commands run, files taken into the chat.

Owns the sentences of those reports and what each of them makes of a turn. Knows nothing of lines.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ferrule.adapters.transcripts.aider.blocks import Block
from ferrule.adapters.transcripts.drafts import RawCall

__all__ = ["Reported", "applied", "is_answer", "take"]

_QUESTION = re.compile(r"(.{0,300}?\?) ?\(Y\)es/\(N\)o.{0,80}?: ?(\S.{0,80})?")
_APPLIED = re.compile(r"Applied edit to (\S.{0,400})")
_COMMIT = re.compile(r"Commit ([0-9a-f]{7,40})(?: (.{0,400}))?")
_RUNNING = re.compile(r"Running (\S.{0,4000})")
_ADDED = re.compile(r"Added (\S.{0,400}?) to the chat\.?")
_COUNTED = re.compile(r"\d{1,9} lines of output")
_UNDONE = re.compile(r"Removed: ([0-9a-f]{7,40})\b.{0,400}")
_ROOT = re.compile(r"Git (?:repo|working dir): (/\S{1,400}?)(?:/\.git)?/?(?: with .{0,60})?")
_FAILED = re.compile(r"## Search\w{1,40}: .{0,200} (?:in|to) (\S{1,400})")
_OTHERS = re.compile(r"# The other \d{1,6} SEARCH/REPLACE blocks? (?:was|were) applied successfully\..{0,20}")
_MAX_CALLS = 2000
_TROUBLE = re.compile(r"litellm\.|APIError|API key|AuthenticationError|RateLimitError|The API provider|Retrying in")


@dataclass(slots=True)
class Reported:
    """What the reports of one turn say.

    Attributes:
        calls: what was done, in order; edits get their text from the answer later.
        subject: the report before, which a question is about.
        created: files that were to be made new.
        undone: commits that were taken back.
        root: the repository's root, where aider names it whole.
        sent: whether the model's answer came to its end.
        stopped: whether the person stopped it.
        troubled: whether the model could not be reached.
    """

    calls: list[RawCall] = field(default_factory=list)
    subject: str = ""
    created: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)
    undone: list[str] = field(default_factory=list)
    root: str = ""
    sent: bool = False
    stopped: bool = False
    troubled: bool = False


def is_answer(text: str) -> bool:
    """Whether a line is aider's question with its answer, which some versions write where the person's words stand."""
    return _QUESTION.fullmatch(text) is not None and "[" in text


def take(reported: Reported, text: str) -> bool:
    """Read one report; whether it says that the blocks which did not fail were applied, all at once.

    Args:
        reported: takes what it says.
        text: the report.
    """
    question = _QUESTION.fullmatch(text)
    if question is not None:
        _answered(reported, question[1], (question[2] or "").lower())
        return False
    _done(reported, text)
    if text.startswith("Tokens: "):
        reported.sent = True
    elif text.startswith("^C"):
        reported.stopped = True
    elif _TROUBLE.search(text[:400]):
        reported.troubled = True
    reported.subject = text
    return _OTHERS.fullmatch(text) is not None


def applied(reported: Reported, blocks: Sequence[Block]) -> None:
    """The edits of which aider says only that they are not among those that failed."""
    for path in dict.fromkeys(block.path for block in blocks if block.path not in reported.failed):
        _add(reported, "edit_file", {"file_path": path}, "Applied successfully")


def _answered(reported: Reported, question: str, answer: str) -> None:
    subject, reported.subject = reported.subject, ""
    if not answer.startswith(("y", "a")) or not subject:
        return
    if question.startswith("Add file to the chat"):
        _add(reported, "read_file", {"file_path": subject}, f"Added {subject} to the chat")
    elif question.startswith("Create new file"):
        reported.created.add(subject)


def _done(reported: Reported, text: str) -> None:
    edited, commit, running = (pattern.fullmatch(text) for pattern in (_APPLIED, _COMMIT, _RUNNING))
    added, undone, root = (pattern.fullmatch(text) for pattern in (_ADDED, _UNDONE, _ROOT))
    failed = _FAILED.fullmatch(text)
    if edited is not None:
        _add(reported, "edit_file", {"file_path": edited[1]}, text)
    elif commit is not None:
        _add(reported, "git_commit", {"sha": commit[1], "message": commit[2] or ""}, text)
    elif running is not None:
        _add(reported, "bash", {"command": running[1]}, None)
    elif added is not None and not _COUNTED.fullmatch(added[1]):
        _add(reported, "read_file", {"file_path": added[1]}, text)
    elif undone is not None:
        reported.undone.append(undone[1])
    elif root is not None:
        reported.root = root[1]
    elif failed is not None:
        reported.failed.add(failed[1])


def _add(reported: Reported, tool: str, arguments: dict[str, object], result: str | None) -> None:
    """A call; of a command that ran no result is told."""
    if len(reported.calls) < _MAX_CALLS:
        ok = True if result is not None else None
        reported.calls.append(RawCall("", tool, arguments, result=result, ok=ok))
