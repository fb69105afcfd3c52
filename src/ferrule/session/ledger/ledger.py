"""Every tool call of a turn becomes rows of verb, target and outcome, whoever's tool it was (design.md section 2, step 6).

Owns the choice of a family by tool name and, where the name says nothing, by the shape of the arguments; the join of a
command with the output that later calls fetched; and the numbering of rows. Knows nothing of clients.
"""

import re
from collections.abc import Mapping, Sequence

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
from ferrule.session.ledger.orchestration import nested_scripts
from ferrule.session.ledger.remote_tools import is_remote_tool, remote_steps
from ferrule.session.ledger.results import exit_code, outcome, window
from ferrule.session.ledger.shell import shell_steps
from ferrule.session.ledger.steps import Scene, Step, absolute, usable
from ferrule.session.turn import Action, ToolCall, Verb

__all__ = ["ledger"]

_MAX_CALLS = 5000
_NAMES: Mapping[str, str] = {
    **dict.fromkeys("bash shell exec_command run_shell_command local_shell container_exec run_terminal_cmd".split(), "shell"),
    **dict.fromkeys("run_in_terminal execute_command run_command run terminal cmd shell_command".split(), "shell"),
    **dict.fromkeys("powershell pwsh".split(), "powershell"),
    **dict.fromkeys("edit multiedit notebookedit replace str_replace_editor str_replace edit_file search_replace".split(), "edit"),
    **dict.fromkeys("str_replace_based_edit_tool replace_in_file insert_edit_into_file multi_edit update_file".split(), "edit"),
    **dict.fromkeys("write write_file create create_file write_to_file".split(), "write"),
    **dict.fromkeys("apply_patch applypatch patch apply_diff".split(), "patch"),
    **dict.fromkeys("delete delete_file remove_file".split(), "delete"),
    **dict.fromkeys("read read_file view notebookread read_many_files view_file open_file cat_file".split(), "read"),
    **dict.fromkeys("ls list list_directory list_dir glob find_files file_search".split(), "list"),
    **dict.fromkeys("grep search codesearch search_file_content grep_search rg code_search search_dir".split(), "search"),
    **dict.fromkeys("webfetch web_fetch fetch url_fetch browser_navigate".split(), "fetch"),
    **dict.fromkeys("websearch web_search google_web_search web_search_call".split(), "websearch"),
    **dict.fromkeys("todowrite todo_write update_plan todoread write_todos exitplanmode plan taskcreate".split(), "plan"),
    **dict.fromkeys("task agent delegate spawn_agent dispatch_agent subagent".split(), "delegate"),
    **dict.fromkeys("write_stdin bashoutput read_bash stop_bash killshell killbash toolsearch skill wait".split(), "silent"),
    **dict.fromkeys("askuserquestion think reportfindings enterplanmode view_image taskupdate tasklist".split(), "silent"),
    **dict.fromkeys("exec code python js_repl".split(), "code"),
}
_RUNNING = re.compile(r"(?:running with session ID|running in background with ID:|shellId:?|background task) ?(\w{1,64})")
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
            rows.append(  # noqa: PERF401 - the index of a row is the length of what stands before it
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
    scene = Scene(absolute(workdir, cwd) if workdir else cwd, output, place.root)
    return _by_family(_family(call.tool, arguments), call, arguments, scene, ok)


def _family(tool: str, arguments: Mapping[str, object]) -> str:
    """The family of a tool: by its name, then by the shape of its arguments."""
    name = tool.lower().replace("-", "_").removeprefix("functions.")
    if name in _NAMES:
        return _NAMES[name]
    if is_remote_tool(tool):
        return "remote"
    if any(key in arguments for key in ("old_string", "oldString", "old_str", "edits")):
        return "edit"
    if first_text(arguments, PATH_KEYS):
        return "write" if any(key in arguments for key in ("content", "file_text", "contents")) else "read"
    if any(script_of(arguments.get(key)) for key in COMMAND_KEYS):
        return "shell"
    if first_text(arguments, URL_KEYS):
        return "fetch"
    return "search" if first_text(arguments, QUERY_KEYS) else "silent"


def _by_family(  # noqa: PLR0917 - one shape for all families
    family: str, call: ToolCall, arguments: Mapping[str, object], scene: Scene, ok: bool | None  # noqa: FBT001 - three-valued
) -> list[Step]:
    if family in {"shell", "powershell"}:
        return shell_steps(_script(call, arguments), scene, ok, powershell=family == "powershell")
    if family == "code":
        return _code(call, arguments, scene, ok)
    if family in _EDITING:
        return _EDITING[family](call, arguments, scene, ok)
    if family in _LOOKING:
        return look_steps(call, arguments, scene, ok, _LOOKING[family])
    if family == "remote":
        return remote_steps(call.tool, arguments, scene, ok)
    return _small(family, call, arguments, ok)


_EDITING = {"edit": edit_steps, "write": write_steps, "patch": patch_call_steps}
_LOOKING = {"read": Verb.READ, "list": Verb.LISTED, "search": Verb.SEARCHED, "delete": Verb.DELETED}


def _script(call: ToolCall, arguments: Mapping[str, object]) -> str:
    if isinstance(call.arguments, str) and not arguments:
        return code_text(call.arguments)
    return next((text for key in COMMAND_KEYS if (text := script_of(arguments.get(key)))), "")


def _code(call: ToolCall, arguments: Mapping[str, object], scene: Scene, ok: bool | None) -> list[Step]:  # noqa: FBT001 - three-valued
    """A tool that runs code: the shell calls that the code makes count; a plain command counts as one."""
    text = call.arguments if isinstance(call.arguments, str) else first_text(arguments, ("input", "code", *COMMAND_KEYS))
    steps: list[Step] = []
    nested = nested_scripts(text) or nested_scripts((call.result or "")[:32768])
    for script, workdir in nested:
        here = Scene(absolute(workdir, scene.cwd) if workdir else scene.cwd, scene.output, scene.root)
        steps += shell_steps(script, here, ok if len(nested) == 1 else None)
    if not nested and arguments and _script(call, arguments):
        return shell_steps(_script(call, arguments), scene, ok)
    return steps


def _small(family: str, call: ToolCall, arguments: Mapping[str, object], ok: bool | None) -> list[Step]:  # noqa: FBT001 - three-valued
    """Tools whose call is one row: a fetch, a web search, a plan, a delegation."""
    if family == "fetch":
        url = first_text(arguments, URL_KEYS) or (code_text(call.arguments) if isinstance(call.arguments, str) else "")
        return [Step(Verb.FETCHED, url, HandleKind.URL, ok=ok)] if usable(url) and "://" in url else []
    if family == "websearch":
        return [Step(Verb.SEARCHED, "", ok=ok, detail=first_text(arguments, QUERY_KEYS)[:200])]
    if family == "plan":
        return [Step(Verb.PLANNED, "", ok=ok)]
    if family == "delegate":
        described = first_text(arguments, ("description", "prompt", "message"))
        said = call.arguments if isinstance(call.arguments, str) and not arguments else described
        return [Step(Verb.DELEGATED, "", ok=ok, detail=said.strip()[:200])]
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
