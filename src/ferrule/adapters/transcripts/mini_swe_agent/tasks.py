"""A task comes wrapped in a template of the harness; only what a person gave is the task.

Owns how the task is told from the template around it: by the run's own template where the file keeps it, else by the
words that the shipped templates put behind it. Knows nothing of turns.
"""

import re
from collections.abc import Mapping
from typing import Any

from ferrule.adapters.transcripts.fields import text_at

__all__ = ["task_in"]

_HOLE = re.compile(r"\{\{\s{0,8}task\s{0,8}\}\}")
_NEXT = re.compile(r"\{[{%#]")
_FENCES = ("pr_description", "task", "issue")
_BEHIND = (
    "\n\nYou can execute bash commands and edit files",
    "\n\n<instructions>",
    "\n<instructions>",
    "\n\n## Recommended Workflow",
)
_BEFORE = ("Please solve this issue:",)
_PROOF = 200


def task_in(text: str, info: Mapping[str, Any]) -> str:
    """What a person asked for, out of the first message of the user.

    Args:
        text: the message.
        info: the file's `info`; its configuration may hold the template.
    """
    found = _by_template(text, _template(info))
    if found:
        return found
    fenced = next((inside for name in _FENCES if (inside := _inside(text, name))), "")
    if fenced:
        return fenced
    ends = [at for mark in _BEHIND if (at := text.find(mark)) > 0]
    task = text[: min(ends, default=len(text))].strip()
    return next((task.removeprefix(mark).strip() for mark in _BEFORE if task.startswith(mark)), task) or text.strip()


def _inside(text: str, name: str) -> str:
    """What stands between the first pair of tags of a name; empty when there is no such pair."""
    begins = text.find(f"<{name}>")
    ends = text.find(f"</{name}>", begins) if begins >= 0 else -1
    return text[begins + len(name) + 2 : ends].strip() if ends >= 0 else ""


def _template(info: Mapping[str, Any]) -> str:
    config = info.get("config")
    agent = config.get("agent") if isinstance(config, dict) else None
    return text_at(agent, "instance_template") if isinstance(agent, dict) else ""


def _by_template(text: str, template: str) -> str:
    """The text in the template's hole, when what stands around the hole stands around the text too."""
    hole = _HOLE.search(template)
    if hole is None:
        return ""
    before, behind = template[: hole.start()].lstrip(), template[hole.end() :]
    later = _NEXT.search(behind)
    proof = behind[: later.start() if later else len(behind)][:_PROOF].rstrip()
    if _NEXT.search(before) or not text.lstrip().startswith(before):
        return ""
    task = text.lstrip()[len(before) :]
    end = task.find(proof) if proof.strip() else -1
    return task[:end].strip() if end > 0 else ""
