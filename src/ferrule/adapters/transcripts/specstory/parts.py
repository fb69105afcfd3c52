"""An agent's block is parts in a row: prose, thoughts, and the calls of tools in three generations of markup.

Owns how the parts are told apart. Knows nothing of what a tool's part says.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

__all__ = ["Part", "parts_of"]

_TOOL = re.compile(r"<tool-use\b[^>\n]{0,400}>")
_NAME = re.compile(r'data-tool-name="([^"\n]{1,200})"')
_TYPE = re.compile(r'data-tool-type="([^"\n]{1,60})"')
_STATUS = re.compile(r'data-edit-status="([^"\n]{1,60})"')
_BARE = re.compile(r"Tool use: \*\*([\w.:/-]{1,120})\*\*([^\n]{0,4000})")
_READ = re.compile(r"(?:Read|Edit|Create|Delete|Write)(?:d|ed)? file: \S[^\n]{0,600}")
_SHELLS = frozenset({"bash", "sh", "zsh", "shell", "powershell"})
_STOPPED = "Cancelled"  # what an export keeps of a call that the person stopped
_THOUGHT_ENDS = "</think>"
_MAX_PART = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Part:
    """One part: `kind` is `prose`, `tool` (with its `name`, `type` and `status`), `command` or `diff`.

    `text` is the prose, the tool's whole markup, the command, or the diff; `more` is what a command printed.
    """

    kind: str
    text: str
    name: str = ""
    type: str = ""
    status: str = ""
    more: str | None = None


def parts_of(rows: Sequence[str], *, loose: bool) -> Iterator[Part]:
    """The parts of an agent's block.

    Args:
        rows: its lines.
        loose: whether commands and diffs stand alone between rules, without markup, as in the oldest exports.
    """
    at = 0
    held: list[str] = []
    fenced = False
    fences = [index for index, row in enumerate(rows) if row.startswith("```")]
    while at < len(rows):
        row = rows[at]
        if fenced and (row.strip() == "---" or row.startswith(tuple(_CLOSING))):
            fenced = _is_closed(rows, fences, at)
        end = None if fenced else _end(rows, at)
        bare = not fenced and not held and _BARE.match(row) is not None
        if end is not None or (row.strip() == "---" and not fenced):
            yield from _told("\n".join(held), loose=loose)
            held = []
        if end is not None:
            yield from _marked(rows, at, end)
            at = end + 1
        elif bare:
            end = _rule(rows, at)
            yield _bare(rows, at, end)
            at = end
        else:
            fenced ^= row.startswith("```")
            if (row.strip() and (fenced or row.strip() not in _RULES or row.startswith("```"))) or held:
                held.append(row)
            at += 1
    yield from _told("\n".join(held), loose=loose)


_RULES = frozenset({"---", "_****_"})


def _is_closed(rows: Sequence[str], fences: Sequence[int], at: int) -> bool:
    """Whether the fence that a line stands in is closed behind it: one before which another opens never was."""
    index = bisect_right(fences, at)
    return index < len(fences) and not rows[fences[index]].strip("` ")


def _end(rows: Sequence[str], at: int) -> int | None:
    """The last line of the markup that a line opens; None when it opens none."""
    row = rows[at].lstrip()
    closing = next((close for opening, close in _CLOSING.items() if row.startswith(opening)), "")
    if not closing:
        return None
    for index in range(at, len(rows)):
        if closing in rows[index]:
            return index
    return len(rows) - 1


_CLOSING = {"<tool-use ": "</tool-use>", "<think>": _THOUGHT_ENDS, "<details>": "</details>"}


def _marked(rows: Sequence[str], at: int, end: int) -> Iterator[Part]:
    text = "\n".join(rows[at : end + 1])
    opened = rows[at].lstrip()
    if opened.startswith("<think>"):
        rest = rows[end].partition(_THOUGHT_ENDS)[2].strip()
        if rest:
            yield Part("prose", rest)
        return
    if opened.startswith("<details>"):
        yield Part("tool", text[:_MAX_PART])
        return
    tag = _TOOL.match(opened)
    head = tag[0] if tag is not None else ""
    name, kind, status = (pattern.search(head) for pattern in (_NAME, _TYPE, _STATUS))
    yield Part(
        "tool",
        text[:_MAX_PART],
        name=name[1] if name else "",
        type=kind[1] if kind else "",
        status=status[1] if status else "",
    )


def _rule(rows: Sequence[str], at: int) -> int:
    """The next rule outside of a fence, or the end."""
    fenced = False
    for index in range(at + 1, len(rows)):
        fenced ^= rows[index].startswith("```")
        if not fenced and (rows[index].strip() == "---" or _BARE.match(rows[index])):
            return index
    return len(rows)


def _bare(rows: Sequence[str], at: int, end: int) -> Part:
    found = _BARE.match(rows[at])
    name = found[1] if found is not None else ""
    return Part("tool", "\n".join(rows[at:end])[:_MAX_PART], name=name)


def _told(text: str, *, loose: bool) -> Iterator[Part]:
    """What stands between two rules: a command, changes, a file that was read, or prose."""
    words = text.strip()
    if not words or words == "_****_":
        return
    if loose and (words == _STOPPED or _READ.fullmatch(words)):
        yield Part("tool", words)
        return
    fences = _fences(words) if loose and words.startswith("```") else []
    if fences and fences[0][0] in _SHELLS and len(fences) <= len(("command", "output")):
        yield Part("command", fences[0][1], more=fences[1][1] if len(fences) > 1 else None)
    elif fences and all(language == "diff" for language, _ in fences):
        yield Part("diff", words)
    else:
        yield Part("prose", words)


def _fences(text: str) -> list[tuple[str, str]]:
    """The fences of a text that is nothing but fences, each with its language; empty when there is more."""
    found: list[tuple[str, str]] = []
    rows = text.split("\n")
    at = 0
    while at < len(rows):
        if not rows[at].strip():
            at += 1
            continue
        if not rows[at].startswith("```"):
            return []
        ends = (index for index in range(at + 1, len(rows)) if rows[index].rstrip() == "```")
        language = rows[at].strip("` ")
        # What a command printed may hold fences: it reaches to the end.
        last = len(rows) - 1 if not language and rows[-1].rstrip() == "```" and found else next(ends, None)
        if last is None or last <= at:
            return []
        found.append((language, "\n".join(rows[at + 1 : last])))
        at = last + 1
    return found
