"""A shell call is as many rows as it has commands that matter, each with the outcome that can be known of it.

Owns the choice of a family for each command and how one exit code is shared out over a compound command. Knows nothing
of tools or of what the families know.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ferrule.session.ledger.commands import Command, commands
from ferrule.session.ledger.files import FILE_PROGRAMS, file_steps, redirect_steps
from ferrule.session.ledger.forge import forge_steps
from ferrule.session.ledger.git import git_steps
from ferrule.session.ledger.hosts import HOST_PROGRAMS, host_steps
from ferrule.session.ledger.packages import package_steps
from ferrule.session.ledger.runs import run_steps
from ferrule.session.ledger.steps import Scene, Step
from ferrule.session.turn import Verb

__all__ = ["shell_steps"]

_MAX_STEPS = 120


def shell_steps(script: str, scene: Scene, ok: bool | None, *, powershell: bool = False) -> list[Step]:  # noqa: FBT001 - three-valued
    """The steps of one shell call.

    Args:
        script: the shell text.
        scene: working directory and output of the call.
        ok: the outcome of the call as a whole.
        powershell: whether a backslash is a plain character.
    """
    rows = commands(script, scene.cwd, backslash=not powershell)
    steps: list[Step] = []
    output = scene.output
    for at, command in enumerate(rows):
        own = _share(rows, at, ok)
        found = list(_steps(command, Scene(command.cwd, output, scene.root)))
        output = _after_commit(found, output)
        steps += [step if step.ok is not None else replace(step, ok=own) for step in found]
        if len(steps) >= _MAX_STEPS:
            break
    return steps[:_MAX_STEPS]


def _steps(command: Command, scene: Scene) -> Iterator[Step]:
    program = command.program
    if program == "git":
        yield from git_steps(command, scene)
    elif program in {"gh", "glab"}:
        yield from forge_steps(command, scene)
    elif program in FILE_PROGRAMS:
        yield from file_steps(command, scene)
    elif program in HOST_PROGRAMS:
        yield from host_steps(command, scene)
    else:
        yield from package_steps(command, scene) or run_steps(command, scene)
    yield from redirect_steps(command, scene)


def _share(rows: Sequence[Command], at: int, ok: bool | None) -> bool | None:  # noqa: FBT001 - three-valued
    """What the exit code of the whole says of one command.

    The exit code is the last command's. Success reaches back over `&&`; failure reaches back over nothing: of
    `a && b` that failed, `b` failed or never ran, and `a` may have done its work. A pipe tells of its last part alone.
    """
    if ok is None or not rows:
        return None
    last = len(rows) - 1
    if at == last:
        return ok if rows[at].joiner != "||" else None
    if not ok:
        return None
    between = {row.joiner for row in rows[at + 1 :]}
    if rows[at].joiner == "||":
        return None
    if between <= {"&&", "|"}:
        return None if rows[at].follower == "|" else True
    return None


def _after_commit(found: Sequence[Step], output: str) -> str:
    """The output after the commit line that a step has used, so that a second commit finds its own line."""
    for step in found:
        if step.verb is Verb.COMMITTED and step.exists and step.detail:
            marker = output.find(f" {step.target}]")
            return output[marker + 1 :] if marker >= 0 else output
    return output
