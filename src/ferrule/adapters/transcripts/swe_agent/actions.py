"""A console command of SWE-agent becomes a call that any ledger understands: its editor is an editor, its pager reads.

Owns the console's own commands and how their answers tell success. Everything else is a shell command, of which the
console tells no exit code: its outcome stays unknown. Knows nothing of turns.
"""

import re
import shlex
from collections.abc import Callable, Mapping, Sequence

from ferrule.adapters.transcripts.drafts import RawCall
from ferrule.adapters.transcripts.swe_agent.steps import Step

__all__ = ["call_of"]

_SHOWN = re.compile(r"\[File: ([^\n]{1,400}?) \(\d{1,7} lines total\)\]")
_REFUSED = re.compile(
    r"Your proposed edit has introduced|Your edit was not applied|No file open|No replacement was performed"
    r"|Text not found|not found in displayed|Error: |ERROR:|Usage: |Invalid|EXECUTION TIMED OUT|did not appear verbatim"
)
_DONE = re.compile(
    r"has been edited successfully|File created successfully|File updated|Text replaced|Replaced \d{1,9}"
)
_LOOKED_AT = 4000
_LONGEST = 64 * 1024
_Made = tuple[str, dict[str, object], bool | None]


def call_of(step: Step, number: int, cwd: str | None, submission: str) -> RawCall:
    """The call of a step.

    Args:
        step: the step; its action is not empty.
        number: its number in the turn, from 1: the file gives it no id.
        cwd: where the command ran.
        submission: what the task handed in, where the file tells; it is what `submit` did.
    """
    action = step.action.strip()
    words = _words(action)
    seen = step.observation or ""
    made: _Made
    if words[:1] == ["submit"]:
        patch = submission if submission.strip() else seen
        made = "submit", {"patch": patch}, True if "diff --git" in patch else None
    else:
        maker = _MAKERS.get(words[0]) if words else None
        made = maker(words, step, seen) if maker is not None else _shell(action, seen)
    tool, arguments, ok = made
    return RawCall(f"c{number}", tool, arguments, result=step.observation, ok=ok, cwd=cwd)


def _words(action: str) -> list[str]:
    """The words of a console command's first line; none where a shell would join it with others."""
    line = action[:_LONGEST] if action.startswith(("str_replace_editor", "insert", "edit '", 'edit "')) else ""
    line = line or action.partition("\n")[0][:_LOOKED_AT]
    try:
        words = shlex.split(line)
    except ValueError:
        words = line.split()
    joined = {"&&", "||", "|", ";"} & set(words)
    return [] if joined and words[:1] != ["edit"] else words


def _shell(action: str, seen: str) -> _Made:
    return "bash", {"command": action}, False if seen.lstrip().startswith("EXECUTION TIMED OUT") else None


def _open(words: Sequence[str], step: Step, seen: str) -> _Made:
    shown = _SHOWN.search(seen[:_LOOKED_AT])
    path = words[1] if len(words) > 1 else shown[1] if shown else step.file
    return "read_file", {"file_path": path}, True if shown else False if _REFUSED.search(seen[:_LOOKED_AT]) else None


def _find(words: Sequence[str], _step: Step, _seen: str) -> _Made:
    return "find_files", _looked(words), None


def _search(words: Sequence[str], _step: Step, _seen: str) -> _Made:
    return "grep", _looked(words), None


def _looked(words: Sequence[str]) -> dict[str, object]:
    return {"pattern": words[1] if len(words) > 1 else "", **({"path": words[2]} if len(words) > 2 else {})}  # noqa: PLR2004 - term, then folder


def _create(words: Sequence[str], _step: Step, seen: str) -> _Made:
    shown = _SHOWN.search(seen[:_LOOKED_AT])
    path = shown[1] if shown else words[1] if len(words) > 1 else ""
    return "write_file", {"file_path": path}, shown is not None


def _edit(_words: Sequence[str], step: Step, seen: str) -> _Made:
    """An edit of the file that the editor shows. One that was refused changed nothing."""
    shown = _SHOWN.search(seen[:_LOOKED_AT])
    refused = _REFUSED.search(seen[:_LOOKED_AT]) is not None
    file = shown[1] if shown else "" if step.file == "n/a" else step.file
    return (
        "edit_file",
        {"file_path": file},
        False if refused else True if shown or _DONE.search(seen[:_LOOKED_AT]) else None,
    )


def _editor(words: Sequence[str], _step: Step, seen: str) -> _Made:
    """`str_replace_editor create /path --file_text …`: the editor of newer versions, called from the console."""
    command, path = [*words[1:3], "", ""][:2]
    head = seen[:_LOOKED_AT]
    ok = False if _REFUSED.search(head) else True if _DONE.search(head) else None
    if command == "view":
        ok = ok if ok is False or not seen else True
    return "str_replace_editor", {"command": command, "path": path}, ok


_MAKERS: Mapping[str, Callable[[Sequence[str], Step, str], _Made]] = {
    "open": _open,
    "find_file": _find,
    "search_dir": _search,
    "search_file": _search,
    "create": _create,
    "edit": _edit,
    "insert": _edit,
    "str_replace_editor": _editor,
}
