"""Small runs of agents as their files have them, all of our own making: one of each format and dialect."""

import json
from typing import Any

from agent_chats import AIDER, CURSOR, SPECSTORY_NEW, SPECSTORY_OLD

Row = dict[str, Any]

DIFF = (
    "diff --git a/src/shop/cart.py b/src/shop/cart.py\n--- a/src/shop/cart.py\n+++ b/src/shop/cart.py\n"
    "@@ -1,2 +1,2 @@\n-total = 0\n+total = sum(prices)\n"
)
STATE = {"open_file": "n/a", "working_dir": "/shop"}


def step(action: str, observation: str, thought: str = "", directory: str = "/shop", **state: str) -> Row:
    """One step of SWE-agent."""
    where = {**STATE, "working_dir": directory, **state}
    return {
        "action": action,
        "observation": observation,
        "response": thought,
        "thought": thought,
        "state": json.dumps(where),
    }


def swe_agent(*steps: Row, status: str | None = "submitted", submission: str = DIFF, **members: Any) -> Row:  # noqa: ANN401 - members of a JSON object
    """A trajectory: a demonstration, the task, and the steps; the last one hands in."""
    done = [*steps, step("submit", submission, "The sum is right now.")] if status == "submitted" else list(steps)
    history = [
        {"role": "system", "content": "You work in a console.", "agent": "main", "message_type": "system_prompt"},
        {"role": "user", "content": "Here is a demonstration: fix /other/demo.py", "agent": "main", "is_demo": True},
        {"role": "assistant", "content": "```\nopen /other/demo.py\n```", "agent": "main", "is_demo": True},
        {
            "role": "user",
            "content": "ISSUE:\nThe cart shows 0.\n\n\nINSTRUCTIONS:\nNow use the console.\n\n(Open file: n/a)\n"
            "(Current directory: /shop)\nbash-$",
            "agent": "main",
            "message_type": "observation",
        },
    ]
    info = {"exit_status": status, "submission": submission} if status else {}
    return {"environment": "main", "trajectory": done, "history": history, "info": info, **members}


EDITED = "[File: /shop/src/shop/cart.py (2 lines total)]\n1:total = sum(prices)\n"


def swe_agent_sample() -> Row:
    """A whole trajectory of SWE-agent."""
    repo = {"github_url": "https://github.com/larkspur/shop", "type": "github"}
    return swe_agent(
        step("find_file cart.py", "Found 1 matches"),
        step("open src/shop/cart.py", EDITED, "Let me look."),
        step("edit 1:1\ntotal = sum(prices)\nend_of_edit", EDITED),
        step("python -m pytest -q", "2 passed"),
        replay_config=json.dumps({"env": {"repo": repo}}),
    )


def history_sample() -> Row:
    """Nothing but a history, as SWE-agent keeps its demonstrations."""
    told = swe_agent()["history"][3]
    return {
        "history": [
            told,
            {
                "role": "assistant",
                "content": "I look.\n```\ncreate notes.txt\n```",
                "agent": "primary",
            },
            {
                "role": "user",
                "content": "[File: /shop/notes.txt (1 lines total)]\n1:\n\n(Open file: /shop/notes.txt)\n"
                "(Current directory: /shop)\nbash-$",
                "agent": "primary",
            },
            {"role": "assistant", "content": "Done.", "thought": "Done.", "action": "submit", "agent": "primary"},
            {"role": "tool", "content": [{"type": "text", "text": DIFF}], "agent": "primary"},
        ]
    }


def says(role: str, content: object, **members: Any) -> Row:  # noqa: ANN401 - members of a JSON object
    """One message of mini-swe-agent."""
    return {"role": role, "content": content, **members}


def bare_sample() -> list[Row]:
    """The bare list of mini-swe-agent's first version."""
    return [
        says("system", "You can use a shell."),
        says(
            "user",
            "Please solve this issue: The cart shows 0.\n\nYou can execute bash commands and edit files to do it.",
        ),
        says("assistant", "THOUGHT: I look.\n\n```bash\ncat src/shop/cart.py\n```"),
        says("user", "<returncode>0</returncode>\n<output>\ntotal = 0\n</output>"),
        says("assistant", "I mend it.\n\n```mswea_bash_command\nsed -i s/0/1/ src/shop/cart.py\n```"),
        says("user", "<returncode>1</returncode>\n<output>\nsed: no\n</output>"),
        says("assistant", "All done.\n\n```bash\necho COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git diff\n```"),
        says("user", DIFF),
    ]


def command(call: str, text: str) -> Row:
    """A message of mini-swe-agent's second version: a tool call and nothing else."""
    return says(
        "assistant",
        None,
        tool_calls=[
            {"id": call, "type": "function", "function": {"name": "bash", "arguments": json.dumps({"command": text})}}
        ],
        extra={"actions": [{"command": text, "tool_call_id": call}], "timestamp": 1_796_063_308.2},
    )


def answer(call: str, code: int, output: str = "", **extra: object) -> Row:
    """What a command of the second version printed."""
    return says(
        "tool",
        json.dumps({"returncode": code, "output": output}),
        tool_call_id=call,
        extra={"raw_output": output, "returncode": code, "exception_info": "", **extra},
    )


def mini_sample(*messages: Row, status: str = "Submitted", submission: str = "Created hello.txt\n") -> Row:
    """A trajectory of mini-swe-agent's second version."""
    template = "Please solve this issue: {{task}}\n\nYou can execute bash commands. {{system}}"
    config = {"agent": {"instance_template": template}, "environment": {"cwd": "/shop"}}
    inside = messages or (
        command("a", "printf hello > hello.txt"),
        answer("a", 0),
        command("b", "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && echo Created hello.txt"),
        answer("b", -1, exception_info="action was not executed"),
    )
    return {
        "info": {"mini_version": "2.4.6", "exit_status": status, "submission": submission, "config": config},
        "messages": [
            says("system", "You can use a shell."),
            says("user", "Please solve this issue: Create hello.txt.\n\nYou can execute bash commands. Linux"),
            *inside,
            says("exit", submission, extra={"exit_status": status, "submission": submission}),
        ],
        "trajectory_format": "mini-swe-agent-1.1",
    }


def acts(number: int, action: str, source: str = "agent", **args: object) -> Row:
    """An action of OpenHands' first generation."""
    stamp = f"2026-01-01T10:00:{number % 60:02d}.000000"
    text = str(args.get("content", ""))
    return {"id": number, "timestamp": stamp, "source": source, "message": text, "action": action, "args": args}


def saw(number: int, cause: int, observation: str, content: str = "", **extras: object) -> Row:
    """An observation of OpenHands' first generation."""
    row = acts(number, "")
    del row["action"], row["args"]
    return {**row, "cause": cause, "observation": observation, "content": content, "extras": extras}


def ran(number: int, cause: int, code: int, *, directory: str = "/workspace", content: str = "") -> Row:
    """What a command of OpenHands came to."""
    return saw(number, cause, "run", content, metadata={"exit_code": code, "working_dir": directory})


def events_sample() -> list[Row]:
    """A conversation of OpenHands' first generation."""
    return [
        acts(0, "system", content="You are an agent."),
        acts(1, "message", "user", content="Make the cart add up."),
        acts(2, "recall", "user", query="Make the cart add up."),
        saw(3, 2, "recall", "Use /vault/hidden.md", repo_instructions="/vault/hidden.md"),
        acts(4, "run", command="ls src", thought="I look.", is_input=False),
        ran(5, 4, 0, content="shop"),
        acts(6, "edit", path="/workspace/src/shop/cart.py", command="str_replace", old_str="0", new_str="1"),
        saw(7, 6, "edit", "The file /workspace/src/shop/cart.py has been edited.", prev_exist=True),
        acts(8, "finish", final_thought="The cart adds up.", task_completed="true"),
    ]


def evaluation_sample(**members: object) -> Row:
    """A line of an evaluation's output."""
    return {
        "instance_id": "larkspur__shop-7",
        "instruction": "Make the cart add up.",
        "history": events_sample(),
        "test_result": {"git_patch": DIFF},
        **members,
    }


def typed(number: int, kind: str, source: str = "agent", **members: object) -> Row:
    """An event of OpenHands' SDK."""
    stamp = f"2026-02-01T10:00:{number % 60:02d}.000000"
    return {"kind": kind, "id": f"e{number}", "timestamp": stamp, "source": source, **members}


def spoke(number: int, source: str, text: str) -> Row:
    """A message of OpenHands' SDK."""
    role = "user" if source == "user" else "assistant"
    return typed(
        number, "MessageEvent", source, llm_message={"role": role, "content": [{"type": "text", "text": text}]}
    )


def did(number: int, tool: str, kind: str, **action: object) -> Row:
    """An action of OpenHands' SDK."""
    call = {"id": f"call{number}", "name": tool, "arguments": json.dumps(action)}
    return typed(
        number,
        "ActionEvent",
        thought=[{"type": "text", "text": "I act."}],
        action={"kind": kind, **action},
        tool_name=tool,
        tool_call_id=f"call{number}",
        tool_call=call,
    )


def seen(number: int, of: int, kind: str, text: str, **members: object) -> Row:
    """An observation of OpenHands' SDK."""
    observation = {"kind": kind, "content": [{"type": "text", "text": text}], "is_error": False, **members}
    return typed(
        number,
        "ObservationEvent",
        "environment",
        observation=observation,
        action_id=f"e{of}",
        tool_call_id=f"call{of}",
        tool_name="x",
    )


def typed_sample() -> list[Row]:
    """A conversation of OpenHands' SDK."""
    where = {"exit_code": 0, "working_dir": "/workspace"}
    return [
        typed(0, "SystemPromptEvent", system_prompt={"type": "text", "text": "You are an agent."}),
        spoke(1, "user", "Make the cart add up."),
        did(2, "terminal", "TerminalAction", command="pytest -q"),
        seen(3, 2, "TerminalObservation", "1 passed", exit_code=0, metadata=where),
        did(4, "file_editor", "FileEditorAction", command="create", path="/workspace/notes.md", file_text="x"),
        seen(5, 4, "FileEditorObservation", "File created successfully at: /workspace/notes.md", prev_exist=False),
        did(6, "finish", "FinishAction", message="The cart adds up."),
    ]


def documents() -> dict[str, list[Row] | Row]:
    """The samples of formats that are JSON, by a name of their own that begins with the format's."""
    return {
        "swe-agent": swe_agent_sample(),
        "swe-agent history": history_sample(),
        "mini-swe-agent": mini_sample(),
        "mini-swe-agent bare": bare_sample(),
        "openhands": events_sample(),
        "openhands evaluation": evaluation_sample(),
        "openhands typed": typed_sample(),
        "openhands wrapped": {"trajectory": events_sample()},
        "openhands pairs": {
            "history": [[events_sample()[1], events_sample()[3]], events_sample()[4:6], events_sample()[8:]]
        },
    }


def texts() -> dict[str, str]:
    """All samples as their files have them."""
    found = {name: json.dumps(value, indent=1) for name, value in documents().items()}
    found["openhands lines"] = "\n".join(json.dumps(row) for row in typed_sample())
    return found | {
        "aider": AIDER,
        "specstory": SPECSTORY_OLD,
        "specstory new": SPECSTORY_NEW,
        "specstory cursor": CURSOR,
    }


def format_of(name: str) -> str:
    """The format of a sample."""
    return name.partition(" ")[0]
