"""Code that calls tools holds shell scripts as string literals; they are found without running anything.

Owns the reading of `tools.exec_command({cmd: "…", workdir: "…"})` in a script. Knows nothing of shells.
"""

import json

from ferrule.referents.expressions import expression

__all__ = ["nested_scripts"]

_CALL = expression(r"\btools\.(?:exec_command|shell|bash|run)\(\{")
_MEMBER = expression(r"""["']?(cmd|command|workdir|cwd)["']?\s{0,4}:\s{0,4}""")
_MAX_CODE = 64 * 1024
_MAX_CALLS = 40
_DECODER = json.JSONDecoder()


def nested_scripts(code: str) -> list[tuple[str, str]]:
    """Every shell script in the code, with its working directory or an empty text; at most forty."""
    found: list[tuple[str, str]] = []
    text = code[:_MAX_CODE]
    starts = [match.end() for match in _CALL.finditer(text)][:_MAX_CALLS]
    for start, end in zip(starts, [*starts, len(text)][1:], strict=True):
        members = _members(text[start:end])
        script = members.get("cmd") or members.get("command") or ""
        if script:
            found.append((script, members.get("workdir") or members.get("cwd") or ""))
    return found


def _members(text: str) -> dict[str, str]:
    """The string members of an object literal, as far as they can be read; the first of a name wins."""
    members: dict[str, str] = {}
    at = 0
    while (member := _MEMBER.search(text, at)) is not None:
        value, at = _string(text, member.end())
        if value is not None:
            members.setdefault(member[1], value)
    return members


def _string(text: str, at: int) -> tuple[str | None, int]:
    """A string literal at a place and where it ends; None where there is none."""
    quote = text[at : at + 1]
    if quote == '"':
        try:
            value, end = _DECODER.raw_decode(text, at)
        except ValueError:
            return None, at + 1
        return (value if isinstance(value, str) else None), end
    if quote and quote in "'`":
        end = at + 1
        while end < len(text) and text[end] != quote:
            end += 2 if text[end] == "\\" else 1
        return text[at + 1 : end].replace("\\n", "\n").replace(f"\\{quote}", quote), min(end + 1, len(text))
    return None, at + 1
