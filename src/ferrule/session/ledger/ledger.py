"""Every tool call of a turn becomes rows of verb, target and outcome, whoever's tool it was (design.md section 2).

Owns the choice of a family by tool name and, where the name says nothing, by the shape of the arguments; the join of a
command with the output that later calls fetched; and the numbering of rows. Knows nothing of clients.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind, Place
from ferrule.session.ledger.arguments import (
    COMMAND_KEYS,
    QUERY_KEYS,
    URL_KEYS,
    as_object,
    code_text,
    first_text,
    script_of,
)
from ferrule.session.ledger.changed import changed_steps
from ferrule.session.ledger.editors import edit_steps, look_steps, patch_call_steps, write_steps
from ferrule.session.ledger.git import commit_steps
from ferrule.session.ledger.orchestration import nested_scripts
from ferrule.session.ledger.remote_tools import remote_steps
from ferrule.session.ledger.results import exit_code, outcome, window
from ferrule.session.ledger.shell import shell_steps
from ferrule.session.ledger.steps import Scene, Step, absolute, usable
from ferrule.session.ledger.tools import tool_family
from ferrule.session.turn import Action, ToolCall, Verb

__all__ = ["ledger"]

_MAX_CALLS = 5000
_RUNNING = expression(
    r"(?:running with session ID|running in background with ID:|shellId:?|background task) ?(\w{1,64})"
)
_SESSION_KEYS = ("session_id", "shellId", "bash_id", "shell_id", "task_id")


def ledger(calls: Sequence[ToolCall], place: Place) -> tuple[Action, ...]:
    """The action ledger of a turn: what each call did to which target, and whether it worked.

    Args:
        calls: the calls in order; at most 5,000 are looked at.
        place: where the turn happened; a call's own working directory wins over it.
    """
    later = _later_output(calls)
    found = [(call.call_id, step) for call in calls[:_MAX_CALLS] for step in _steps(call, place, later)]
    roots = {step.target for _, step in found if step.kind is HandleKind.REPOSITORY_ROOT and step.exists}
    return tuple(
        Action(
            call_id=call_id,
            index=index,
            verb=step.verb,
            target=step.target,
            kind=HandleKind.REPOSITORY_ROOT if _moved_root(step, roots) else step.kind,
            ok=step.ok,
            was=step.was,
            detail=step.detail,
            exists=step.exists,
        )
        for index, (call_id, step) in enumerate(found)
    )


def _moved_root(step: Step, roots: set[str]) -> bool:
    """Whether what was moved is a repository: git named its new place as a root in the same turn."""
    return step.verb is Verb.MOVED and step.target in roots


def _steps(call: ToolCall, place: Place, later: Mapping[str, str]) -> list[Step]:
    arguments = as_object(call.arguments)
    output = window(call.result or "")
    ok = outcome(call)
    running = _RUNNING.search(output[:600])
    if running is not None and running[1] in later:
        output = window(f"{output}\n{later[running[1]]}")
        code = exit_code(later[running[1]])
        ok = ok if code is None else code == 0
    workdir = first_text(arguments, ("workdir", "cwd", "working_directory", "dir"))
    cwd = call.cwd or place.cwd
    scene = Scene(absolute(workdir, cwd) if workdir else cwd, output, place.root, ok)
    steps = _by_family(tool_family(call.tool, arguments), call, arguments, scene)
    return [*steps, *changed_steps(call, steps, scene)] if "files_changed" in call.details else steps


def _by_family(family: str, call: ToolCall, arguments: Mapping[str, object], scene: Scene) -> list[Step]:
    if family in {"shell", "powershell"}:
        return shell_steps(_script(call, arguments), scene, powershell=family == "powershell")
    if family == "code":
        return _code(call, arguments, scene)
    if family in _EDITING:
        return _EDITING[family](call, arguments, scene)
    if family in _LOOKING:
        return look_steps(call, arguments, scene, _LOOKING[family])
    return _small(family, call, arguments, scene)


_EDITING = {"edit": edit_steps, "write": write_steps, "patch": patch_call_steps, "commit": commit_steps}
_LOOKING = {"read": Verb.READ, "list": Verb.LISTED, "search": Verb.SEARCHED, "delete": Verb.DELETED}


def _script(call: ToolCall, arguments: Mapping[str, object]) -> str:
    if isinstance(call.arguments, str) and not arguments:
        return code_text(call.arguments)
    return next((text for key in COMMAND_KEYS if (text := script_of(arguments.get(key)))), "")


def _code(call: ToolCall, arguments: Mapping[str, object], scene: Scene) -> list[Step]:
    """A tool that runs code: the shell calls that the code makes count; a plain command counts as one."""
    text = (
        call.arguments if isinstance(call.arguments, str) else first_text(arguments, ("input", "code", *COMMAND_KEYS))
    )
    steps: list[Step] = []
    nested = nested_scripts(text) or nested_scripts((call.result or "")[:32768])
    for script, workdir in nested:
        cwd = absolute(workdir, scene.cwd) if workdir else scene.cwd
        steps += shell_steps(script, replace(scene, cwd=cwd, ok=scene.ok if len(nested) == 1 else None))
    if not nested and arguments and _script(call, arguments):
        return shell_steps(_script(call, arguments), scene)
    return steps


def _small(family: str, call: ToolCall, arguments: Mapping[str, object], scene: Scene) -> list[Step]:
    """Tools of other servers, and those whose call is one row: a fetch, a web search, a plan, a delegation."""
    if family == "remote":
        return remote_steps(call.tool, arguments, scene)
    if family == "fetch":
        url = first_text(arguments, URL_KEYS) or (code_text(call.arguments) if isinstance(call.arguments, str) else "")
        return [Step(Verb.FETCHED, url, HandleKind.URL, ok=scene.ok)] if usable(url) and "://" in url else []
    if family == "websearch":
        return [Step(Verb.SEARCHED, "", ok=scene.ok, detail=first_text(arguments, QUERY_KEYS)[:200])]
    if family == "plan":
        return [Step(Verb.PLANNED, "", ok=scene.ok)]
    if family == "delegate":
        described = first_text(arguments, ("description", "prompt", "message"))
        said = call.arguments if isinstance(call.arguments, str) and not arguments else described
        return [Step(Verb.DELEGATED, "", ok=scene.ok, detail=said.strip()[:200])]
    return []


def _later_output(calls: Sequence[ToolCall]) -> dict[str, str]:
    """What later calls fetched of commands that went on running, by the id of the running command."""
    found: dict[str, str] = {}
    for call in calls[:_MAX_CALLS]:
        arguments = as_object(call.arguments) if call.tool in _FETCHERS else {}
        for key in _SESSION_KEYS:
            value = arguments.get(key)
            if isinstance(value, str | int) and call.result:
                found[str(value)] = window(f"{found.get(str(value), '')}\n{window(call.result)}")
    return found


_FETCHERS = frozenset({"write_stdin", "BashOutput", "read_bash", "TaskOutput", "AgentOutputTool"})
