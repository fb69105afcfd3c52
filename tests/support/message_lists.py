"""Small conversations in each shape in which frameworks write their messages down."""

import json
from typing import Any

__all__ = ["ATIF", "BLOCKS", "BUILT", "CHAT", "DUMPED", "EVERY", "ITEMS", "PLAIN", "TEAM", "tool_call"]


def tool_call(call_id: str, name: str, **arguments: object) -> dict[str, Any]:
    """One call of a tool as an assistant's message carries it."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


CHAT = [
    {"role": "system", "content": "You help with the shop in /srv/system-only."},
    {"role": "user", "content": "Rename the importer to src/shop/loader.py"},
    {
        "role": "assistant",
        "content": "On it.",
        "tool_calls": [tool_call("c1", "bash", command="git mv a.py src/shop/loader.py")],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "exit 0"},
    {"role": "assistant", "content": "It is src/shop/loader.py now."},
    {"role": "user", "content": [{"type": "text", "text": "And the docs?"}]},
    {"role": "user", "content": "I mean docs/loader.md"},
    {"role": "assistant", "content": [{"type": "text", "text": "docs/loader.md is next."}]},
    {"role": "user", "content": "thanks"},
]
BLOCKS = [
    {"role": "user", "content": "Write notes/plan.md"},
    {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "Writing."},
            {"type": "tool_use", "id": "t1", "name": "write_file", "input": {"path": "notes/plan.md", "content": "x"}},
        ],
    },
    {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "no space", "is_error": True}],
    },
    {"role": "assistant", "content": "It could not be written."},
]
ITEMS = [
    {"role": "user", "content": "Run the tests of packages/api"},
    {"type": "reasoning", "id": "__fake_id__", "summary": []},
    {"type": "function_call", "id": "__fake_id__", "call_id": "f1", "name": "bash", "arguments": '{"command": "make"}'},
    {"type": "function_call_output", "call_id": "f1", "output": "ok"},
    {"type": "shell_call", "call_id": "f2", "action": {"commands": ["touch build.log", "ls"]}, "status": "completed"},
    {
        "type": "shell_call_output",
        "call_id": "f2",
        "output": [{"stdout": "x", "outcome": {"type": "exit", "exit_code": 1}}],
    },
    {
        "type": "apply_patch_call",
        "call_id": "f3",
        "operation": {"type": "create_file", "path": "packages/api/new.ts", "diff": "+x"},
    },
    {"type": "apply_patch_call_output", "call_id": "f3", "status": "completed", "output": "done"},
    {
        "type": "message",
        "role": "assistant",
        "id": "__fake_id__",
        "content": [{"type": "output_text", "text": "Done in packages/api."}],
    },
]
PLAIN: list[dict[str, Any]] = [
    {"type": "system", "content": "rules"},
    {"type": "human", "content": "Look at compose.yaml", "id": "h1"},
    {"type": "ai", "content": "", "tool_calls": [{"name": "read_file", "args": {"path": "compose.yaml"}, "id": "l1"}]},
    {"type": "tool", "content": "services:", "tool_call_id": "l1", "status": "error"},
    {"type": "ai", "content": [{"type": "text", "text": "compose.yaml has no service."}]},
]
DUMPED = [{"type": one["type"], "data": {k: v for k, v in one.items() if k != "type"}} for one in PLAIN]
_NAMES = {"system": "SystemMessage", "human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage"}
BUILT = [
    {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "messages", _NAMES[str(one["type"])]],
        "kwargs": {k: v for k, v in one.items() if k != "type"},
    }
    for one in PLAIN
]
ATIF = {
    "schema_version": "ATIF-v1.6",
    "session_id": "s-1",
    "agent": {"name": "x", "version": "1"},
    "steps": [
        {"step_id": 1, "source": "system", "message": "rules"},
        {
            "step_id": 2,
            "source": "user",
            "message": "Add a health check to deploy/app.yaml",
            "is_copied_context": False,
        },
        {"step_id": 3, "source": "user", "message": "an older wish", "is_copied_context": True},
        {
            "step_id": 4,
            "source": "agent",
            "message": "Editing.",
            "tool_calls": [
                {"tool_call_id": "a1", "function_name": "edit_file", "arguments": {"path": "deploy/app.yaml"}}
            ],
            "observation": {"results": [{"source_call_id": "a1", "content": "edited"}]},
        },
        {"step_id": 5, "source": "agent", "timestamp": "2026-03-01T10:00:00Z", "message": "deploy/app.yaml has one."},
    ],
    "subagent_trajectories": [
        {
            "trajectory_id": "sub-1",
            "steps": [{"source": "user", "message": "look"}, {"source": "agent", "message": "seen"}],
        }
    ],
}
TEAM = {
    "question": "Which port does gateway.example listen on?",
    "question_ID": "q-1",
    "history": [
        {"name": "Net_Expert", "role": "assistant", "content": "Let us look."},
        {
            "name": "Computer_terminal",
            "role": "user",
            "content": "exitcode: 0 (execution succeeded)\nCode output: 8443",
        },
        {"name": "Net_Expert", "role": "user", "content": "It is 8443."},
        {"name": "Net_Expert", "role": "user", "content": "TERMINATE"},
    ],
}
EVERY = {
    "chat-messages": CHAT,
    "chat-messages of blocks": BLOCKS,
    "openai-agents": ITEMS,
    "langchain": PLAIN,
    "langchain dumped": DUMPED,
    "langchain built": BUILT,
    "atif": ATIF,
    "agent-team": TEAM,
}
