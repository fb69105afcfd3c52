"""Which family a tool belongs to: by its name, and where the name says nothing, by the shape of its arguments.

Owns the names of tools as a table. Knows nothing of what a family does with a call.
"""

from collections.abc import Mapping

from ferrule.session.ledger.arguments import COMMAND_KEYS, PATH_KEYS, QUERY_KEYS, URL_KEYS, first_text, script_of
from ferrule.session.ledger.remote_tools import is_remote_tool

__all__ = ["FAMILIES", "tool_family"]

FAMILIES: Mapping[str, str] = {
    "shell": "bash shell exec_command run_shell_command local_shell container_exec run_terminal_cmd run_in_terminal "
    "execute_command run_command run terminal cmd shell_command",
    "powershell": "powershell pwsh",
    "edit": "edit multiedit multi_edit notebookedit replace str_replace str_replace_editor str_replace_based_edit_tool "
    "edit_file search_replace replace_in_file insert_edit_into_file update_file",
    "write": "write write_file create create_file write_to_file",
    "patch": "apply_patch applypatch patch apply_diff submit",
    "commit": "git_commit",
    "delete": "delete delete_file remove_file",
    "read": "read read_file view notebookread read_many_files view_file open_file cat_file",
    "list": "ls list list_directory list_dir glob find_files file_search",
    "search": "grep search codesearch search_file_content grep_search rg code_search search_dir",
    "fetch": "webfetch web_fetch fetch url_fetch browser_navigate",
    "websearch": "websearch web_search google_web_search web_search_call",
    "plan": "todowrite todo_write update_plan todoread write_todos exitplanmode plan taskcreate",
    "delegate": "task agent delegate spawn_agent dispatch_agent subagent delegate_to_agent invoke_agent",
    "code": "exec code python js_repl run_ipython",
    "silent": "write_stdin bashoutput read_bash stop_bash killshell killbash toolsearch skill wait askuserquestion "
    "write_bash list_bash read_powershell write_powershell stop_powershell sql report_intent task_complete read_agent "
    "think reportfindings enterplanmode view_image taskupdate tasklist taskoutput agentoutputtool",
}
_BY_NAME = {name: family for family, text in FAMILIES.items() for name in text.split()}


def tool_family(tool: str, arguments: Mapping[str, object]) -> str:
    """The family of a tool: one of `FAMILIES`, or `remote` for a tool of another server.

    Args:
        tool: the tool's name as the transcript has it.
        arguments: its arguments as an object, empty when they are a text.
    """
    name = tool.lower().replace("-", "_").removeprefix("functions.")
    return _BY_NAME.get(name) or ("remote" if is_remote_tool(tool) else _by_shape(arguments))


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
