"""Every tool call of a turn becomes rows of verb, target and outcome, whoever's tool it was (design.md section 2).

Owns the choice of a family by tool name and, where the name says nothing, by the shape of the arguments; the join of a
command with the output that later calls fetched; and the numbering of rows. Knows nothing of clients.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ferrule.referents.kinds import HandleKind, Place
from ferrule.session.ledger.arguments import (
    COMMAND_KEYS,
    PATH_KEYS,
    QUERY_KEYS,
    URL_KEYS,
    as_object,
    code_text,
    first_text,
    script_of,
)
from ferrule.session.ledger.editors import edit_steps, look_steps, patch_call_steps, write_steps
from ferrule.session.ledger.options import names
from ferrule.session.ledger.orchestration import nested_scripts
from ferrule.session.ledger.remote_tools import is_remote_tool, remote_steps
from ferrule.session.ledger.results import exit_code, outcome, window
from ferrule.session.ledger.shell import shell_steps
from ferrule.session.ledger.steps import Scene, Step, absolute, usable
from ferrule.session.turn import Action, ToolCall, Verb

__all__ = ["ledger"]

_MAX_CALLS = 5000
_NAMES: Mapping[str, str] = {
    **dict.fromkeys(
        names("bash shell exec_command run_shell_command local_shell container_exec run_terminal_cmd"), "shell"
    ),
    **dict.fromkeys(names("run_in_terminal execute_command run_command run terminal cmd shell_command"), "shell"),
    **dict.fromkeys(names("powershell pwsh"), "powershell"),
    **dict.fromkeys(
        names("edit multiedit notebookedit replace str_replace_editor str_replace edit_file search_replace"), "edit"
    ),
    **dict.fromkeys(
        names("str_replace_based_edit_tool replace_in_file insert_edit_into_file multi_edit update_file"), "edit"
    ),
    **dict.fromkeys(names("write write_file create create_file write_to_file"), "write"),
    **dict.fromkeys(names("apply_patch applypatch patch apply_diff"), "patch"),
    **dict.fromkeys(names("delete delete_file remove_file"), "delete"),
    **dict.fromkeys(names("read read_file view notebookread read_many_files view_file open_file cat_file"), "read"),
    **dict.fromkeys(names("ls list list_directory list_dir glob find_files file_search"), "list"),
    **dict.fromkeys(
        names("grep search codesearch search_file_content grep_search rg code_search search_dir"), "search"
    ),
    **dict.fromkeys(names("webfetch web_fetch fetch url_fetch browser_navigate"), "fetch"),
    **dict.fromkeys(names("websearch web_search google_web_search web_search_call"), "websearch"),
    **dict.fromkeys(
        names("todowrite todo_write update_plan todoread write_todos exitplanmode plan taskcreate"), "plan"
    ),
    **dict.fromkeys(names("task agent delegate spawn_agent dispatch_agent subagent"), "delegate"),
    **dict.fromkeys(
        names("write_stdin bashoutput read_bash stop_bash killshell killbash toolsearch skill wait"), "silent"
    ),
    **dict.fromkeys(
        names("askuserquestion think reportfindings enterplanmode view_image taskupdate tasklist"), "silent"
    ),
    **dict.fromkeys(names("exec code python js_repl"), "code"),
}
_RUNNING = re.compile(
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
    rows: list[Action] = []
    for call in calls[:_MAX_CALLS]:
        for step in _steps(call, place, later):
            rows.append(
                Action(
                    call.call_id,
                    len(rows),
                    step.verb,
                    step.target,
                    step.kind,
                    step.ok,
                    was=step.was,
                    detail=step.detail,
                    exists=step.exists,
                )
            )
    return tuple(rows)


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
    return _by_family(_family(call.tool, arguments), call, arguments, scene)


def _family(tool: str, arguments: Mapping[str, object]) -> str:
    """The family of a tool: by its name, then by the shape of its arguments."""
    name = tool.lower().replace("-", "_").removeprefix("functions.")
    return _NAMES.get(name) or ("remote" if is_remote_tool(tool) else _by_shape(arguments))


def _by_shape(arguments: Mapping[str, object]) -> str:
    """The family that an unknown tool's arguments betray."""
    has_path = bool(first_text(arguments, PATH_KEYS))
    shapes = (
        ("edit", any(key in arguments for key in ("old_string", "oldString", "old_str", "edits"))),
        ("write", has_path and any(key in arguments for key in ("content", "file_text", "contents"))),
        ("read", has_path),
        ("shell", any(script_of(arguments.get(key)) for key in COMMAND_KEYS)),
        ("fetch", bool(first_text(arguments, URL_KEYS))),
        ("search", bool(first_text(arguments, QUERY_KEYS))),
    )
    return next((family for family, fits in shapes if fits), "silent")


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


_EDITING = {"edit": edit_steps, "write": write_steps, "patch": patch_call_steps}
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
