"""A call's outcome is three-valued: it succeeded, it failed, or its text does not tell (D10).

Owns the reading of exit codes and error lines. Looks at the first and last 32 KB of a result only, however long it is.
Knows nothing of what the call did.
"""

import re

from ferrule.referents.expressions import expression
from ferrule.session.turn import ToolCall

__all__ = ["WINDOW", "exit_code", "outcome", "window"]

WINDOW = 32 * 1024

_EDGE = 600
_EXIT_CODES = (
    expression(r"^Process exited with code (-?\d{1,5})", re.MULTILINE),
    expression(r"^(?:Error: )?Exit code:? (-?\d{1,5})\b", re.MULTILINE),
    expression(r'"exit_?[cC]ode": ?(-?\d{1,5})'),
    expression(r"<(?:exit_code|returncode)>(-?\d{1,5})</"),
    expression(r"<?exited with (?:exit )?code (-?\d{1,5})>?"),
)
_RUNNING = expression(r"^Process running with session ID", re.MULTILINE)
_FAILED = expression(
    r"\s{0,20}(?:<tool_use_error>|fatal: |error: |error\[|ERROR\b|Error\b|Exception\b|MCP error|Traceback \(most recent"
    r"|(?:ba|z)?sh: |-bash: |/bin/\w{1,8}: |Permission denied|Command timed out|Request interrupted"
    r"|The user doesn't want to proceed|File has not been read yet|File does not exist|No such file"
    r"|String to replace not found|(?:[\w./-]{1,80}: )?(?:command not found|No such file or directory))"
)
_SUCCEEDED = expression(
    r"\s{0,20}(?:Success\b|Successfully\b|Done!|Plan updated|Wrote file successfully|Edit applied successfully"
    r"|Todos have been modified|The file .{1,600} has been (?:updated|overwritten|created)|File created successfully"
    r"|\(Bash completed with no output\))"
)


def window(text: str) -> str:
    """The first and last 32 KB of a text: all that the ledger ever looks at."""
    if len(text) <= 2 * WINDOW:
        return text
    return f"{text[:WINDOW]}\n{text[-WINDOW:]}"


def outcome(call: ToolCall) -> bool | None:
    """Whether a call succeeded: the format's own word first, then an exit code, then what the text begins with."""
    if call.ok is not None:
        return call.ok
    stated = [call.details.get("exit_code"), call.details.get("exitCode"), exit_code(call.result or "")]
    code = next((value for value in stated if isinstance(value, int)), None)
    if code is not None:
        return code == 0
    if call.details.get("interrupted") is True or _FAILED.match(call.result or ""):
        return False
    return True if _SUCCEEDED.match(call.result or "") else None


def exit_code(result: str) -> int | None:
    """The exit code that a result states near its beginning or at its end; None when it states none."""
    for edge in (result[:_EDGE], result[-_EDGE:]):
        if _RUNNING.search(edge):
            return None
        for pattern in _EXIT_CODES:
            found = pattern.search(edge)
            if found is not None:
                return int(found[1])
    return None
