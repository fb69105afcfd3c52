"""A shell call is as many rows as it has commands that matter, each with the outcome that can be known of it.

Owns the choice of a family for each command and how one exit code is shared out over a compound command. Knows nothing
of tools or of what the families know.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind
from ferrule.session.ledger.commands import Command, commands
from ferrule.session.ledger.files import FILE_PROGRAMS, file_steps, redirect_steps
from ferrule.session.ledger.forge import FORGES, forge_steps
from ferrule.session.ledger.git import git_steps
from ferrule.session.ledger.hosts import HOST_PROGRAMS, host_steps
from ferrule.session.ledger.packages import package_steps
from ferrule.session.ledger.runs import run_steps
from ferrule.session.ledger.settings import setting_steps
from ferrule.session.ledger.steps import Scene, Step, path_step
from ferrule.session.ledger.trackers import tracker_steps
from ferrule.session.ledger.words import MAX_SCRIPT
from ferrule.session.turn import Verb

__all__ = ["shell_steps"]

_MAX_STEPS = 120
_EDIT_BODY = expression(r"^(edit \d{1,7}:\d{1,7})\n.*?(?:^end_of_edit$|\Z)", re.MULTILINE | re.DOTALL)
_SHOWN_FILE = expression(r"\[File: (.{1,400}?) \(\d{1,7} lines total\)\]")


def shell_steps(script: str, scene: Scene, *, powershell: bool = False) -> list[Step]:
    """The steps of one shell call.

    Args:
        script: the shell text.
        scene: working directory, output and outcome of the call as a whole.
        powershell: whether a backslash is a plain character.
    """
    rows = commands(_EDIT_BODY.sub(r"\1", script[:MAX_SCRIPT]), scene.cwd, backslash=not powershell)
    steps: list[Step] = []
    output = scene.output
    for at, command in enumerate(rows):
        own = _share(rows, at, scene)
        found = list(_steps(command, Scene(command.cwd, output, scene.root, scene.ok, scene.cwd)))
        output = _after_commit(found, output)
        steps += [step if step.ok is not None else replace(step, ok=own) for step in found]
        if len(steps) >= _MAX_STEPS:
            break
    return _with_sha(rows, steps[:_MAX_STEPS], scene)


def _with_sha(rows: Sequence[Command], steps: list[Step], scene: Scene) -> list[Step]:
    """A quiet commit takes the name of the head that a later command of the same script prints."""
    quiet = [at for at, step in enumerate(steps) if step.verb is Verb.COMMITTED and not step.target]
    asked = rows and _HEAD.search(" ".join(rows[-1].words))
    shown = _PRINTED_SHA.findall(scene.output) if asked else []
    if len(quiet) != 1 or len(set(shown)) != 1 or steps[quiet[0]].ok is False or scene.ok is False:
        return steps
    kept = [step for step in steps if step.target != shown[0]]
    at = kept.index(steps[quiet[0]])
    kept[at] = replace(kept[at], target=shown[0], kind=HandleKind.COMMIT_SHA, ok=True, exists=True)
    return kept


_HEAD = expression(r"^git rev-parse (?:--\S{1,20} ){0,2}HEAD$|^git (?:log|show)\b.{0,60} (?:-1\b|-n ?1\b|-s\b|HEAD$)")
_PRINTED_SHA = expression(r"^(?:commit )?([0-9a-f]{7,40})\b", re.MULTILINE)


def _steps(command: Command, scene: Scene) -> Iterator[Step]:
    program = command.program
    if program == "git":
        yield from git_steps(command, scene)
    elif program in FORGES:
        yield from forge_steps(command, scene) or (run_steps(command, scene) if program == "az" else ())
    elif program in FILE_PROGRAMS:
        yield from file_steps(command, scene)
    elif program in HOST_PROGRAMS:
        yield from host_steps(command, scene)
    elif program in {"edit", "create"}:
        yield from _console(program, scene)
    else:
        yield from tracker_steps(command, scene)
        yield from setting_steps(command)
        yield from package_steps(command, scene) or run_steps(command, scene)
    yield from redirect_steps(command, scene)


def _console(program: str, scene: Scene) -> Iterator[Step]:
    """The editor of an agent's console: `edit 10:12` changes the file that the answer shows, `create` makes it."""
    shown = _SHOWN_FILE.search(scene.output)
    step = path_step(Verb.CREATED if program == "create" else Verb.EDITED, shown[1] if shown else "", scene)
    if step is not None:
        yield step


def _share(rows: Sequence[Command], at: int, scene: Scene) -> bool | None:
    """What the exit code of the whole says of one command.

    The exit code is the last command's. Success reaches back over `&&`; failure reaches back over nothing: of
    `a && b` that failed, `b` failed or never ran, and `a` may have done its work. A pipe tells of its last part alone.
    """
    ok, last = scene.ok, len(rows) - 1
    if ok is None:
        return None
    if at == last:
        return ok if rows[at].joiner != "||" else None
    between = {row.joiner for row in rows[at + 1 :]}
    reached = ok and rows[at].joiner != "||" and rows[at].follower != "|" and between <= {"&&", "|"}
    return True if reached else None


def _after_commit(found: Sequence[Step], output: str) -> str:
    """The output after the commit line that a step has used, so that a second commit finds its own line."""
    for step in found:
        if step.verb is Verb.COMMITTED and step.exists and step.detail:
            marker = output.find(f" {step.target}]")
            return output[marker + 1 :] if marker >= 0 else output
    return output
