"""The markup of a tool's call says its name, what it was given and what came back, each client in its own way.

Owns how these are read out of summaries, code spans, lists and fences. An export tells no outcome: what a result's text
shows is read where every result is read. Knows nothing of turns.
"""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass

from ferrule.adapters.transcripts.drafts import RawCall
from ferrule.adapters.transcripts.specstory.parts import Part

__all__ = ["call_of", "printed"]

_OPENS, _CLOSES = "<summary>", "</summary>"
_BARE = re.compile(r"Tool use: \*\*[\w.:/-]{1,120}\*\*[ \t]?([^\n]{0,4000})")
_FENCE = re.compile(r"^```([\w+.-]{0,30})[ \t]{0,8}$")
_BULLET = re.compile(r"^- (\w{1,60}): `([^\n]{0,4000})`\s{0,8}$", re.MULTILINE)
_SPAN = re.compile(r"^ ?`([^`\n]{1,4000})`\s{0,8}$", re.MULTILINE)
_LABEL = re.compile(r"(?:Tool use: )?\*\*[\w.:/-]{1,120}\*\*(?: ?• ?)?")
_FILE = re.compile(r"(Read|Edit|Create|Delete|Write|Update)(?:d|ed)? file: (\S[^\n]{0,600}?)(?: • [^\n]{0,60})?")
_RUN = re.compile(r"(?:Run|Ran) (?:terminal )?command: (\S[^\n]{0,4000})")
_LOOKS = (
    (re.compile(r"Listed (?:current )?directory ?([^\n]{0,400}?)(?: • [^\n]{0,60})?"), "list_dir", "path"),
    (re.compile(r"Searched codebase \"([^\n]{0,1000})\"(?: • [^\n]{0,60})?"), "code_search", "query"),
    (
        re.compile(r"Grep (?:search )?for \"([^\n]{0,1000}?)\"(?: in \"[^\n]{0,400}\")?(?: • [^\n]{0,60})?"),
        "grep",
        "pattern",
    ),
    (re.compile(r"Searched files? \"([^\n]{0,1000})\"(?: • [^\n]{0,60})?"), "file_search", "pattern"),
    (re.compile(r"(?:Searched web|Web search) \"?([^\n]{0,1000}?)\"?(?: • [^\n]{0,60})?"), "web_search", "query"),
)
_FILE_TOOLS = {"Read": "read_file", "Delete": "delete_file"}
_SHELL_LANGUAGES = frozenset({"bash", "sh", "zsh", "shell", "powershell"})
_SHELL_NAMES = frozenset({"bash", "shell", "shell_command", "exec_command", "run_shell_command", "run_terminal_cmd"})
_NOT_SHELLS = frozenset({"ls", "list_directory", "taskoutput", "killshell", "bashoutput", "write_stdin"})
_WRAPPED = re.compile(r"\[?(?:ba|z)?sh -l?c (.*?)\]?", re.DOTALL)
_PROMPT = re.compile(r"[\w.-]{1,60}@[\w.-]{1,60} [^\n]{0,200}?[%$#](?: [^\n]{0,4000})?")
_REFUSED = re.compile(r"Status: \*\*(?:cancelled|rejected|error)\*\*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Markup:
    """A tool's part taken apart: its summary, the text before the fences, and the fences with their languages."""

    summary: str
    lead: str
    fences: tuple[tuple[str, str], ...]
    given: Mapping[str, object]

    @property
    def result(self) -> str | None:
        """What came back: the last fence that is no command and no change."""
        shown = [text for language, text in self.fences if language not in _SHELL_LANGUAGES | {"diff"}]
        return shown[-1] if shown else None


def call_of(part: Part) -> RawCall | None:
    """The call that a tool's part shows; None when it shows none that does anything."""
    markup = _apart(part.text)
    ok = False if _REFUSED.search(part.text[:8000]) or part.status == "rejected" else None
    made = _shell(part, markup) or _file(part, markup) or _look(markup)
    tool, arguments = made if made is not None else (part.name, markup.given or markup.lead)
    return RawCall("", tool, arguments, result=markup.result, ok=ok) if tool else None


def printed(text: str | None) -> str | None:
    """What a command printed, without the prompts of the terminal that an export keeps around it."""
    if text is None:
        return None
    return "\n".join(row for row in text.split("\n") if not _PROMPT.fullmatch(row)).strip("\n")


def _apart(text: str) -> _Markup:
    begins = text.find(_OPENS)
    ends = text.find(_CLOSES, begins) if begins >= 0 else -1
    bare = _BARE.match(text)
    head = html.unescape(
        text[begins + len(_OPENS) : ends][:4000] if ends >= 0 else bare[1] if bare else text if "\n" not in text else ""
    )
    body = text[ends + len(_CLOSES) :] if ends >= 0 else text.partition("\n")[2]
    lead: list[str] = []
    fences: list[tuple[str, str]] = []
    opened: list[str] | None = None
    for row in body.split("\n"):
        mark = _FENCE.match(row)
        if mark is not None and opened is None:
            opened = [mark[1]]
        elif opened is not None and row.rstrip() == "```":
            fences.append((opened[0], "\n".join(opened[1:])))
            opened = None
        elif opened is not None:
            opened.append(row)
        elif not fences:
            lead.append(row)
    if opened is not None:
        fences.append((opened[0], "\n".join(opened[1:])))
    told = "\n".join(row for row in lead if not row.startswith(("</details>", "</tool-use>"))).strip()
    given: dict[str, object] = {match[1]: match[2] for match in _BULLET.finditer(told)}
    return _Markup(_LABEL.sub("", head.strip(), count=1).strip(), told, tuple(fences), given)


def _shell(part: Part, markup: _Markup) -> tuple[str, dict[str, object]] | None:
    name = part.name.lower()
    if name in _NOT_SHELLS or (part.type != "shell" and name not in _SHELL_NAMES):
        return None
    fenced = next((text for language, text in markup.fences if language in _SHELL_LANGUAGES), "")
    listed = markup.given.get("command", markup.given.get("cmd", ""))
    span = _SPAN.search(markup.lead)
    run = _RUN.fullmatch(markup.summary)
    shown = markup.summary.strip("`") if markup.summary.startswith("`") else ""
    command = fenced or str(listed) or (span[1] if span else "") or shown or (run[1] if run else "")
    wrapped = _WRAPPED.fullmatch(command)
    if not command.strip():
        return None
    return part.name or "bash", {"command": wrapped[1] if wrapped else command}


def _file(part: Part, markup: _Markup) -> tuple[str, dict[str, object]] | None:
    """A file that was read, written or deleted; without its name, as some clients leave it out, nothing is known."""
    found = _FILE.fullmatch(markup.summary)
    if found is not None and found[2] != "undefined":
        own = "edit_file" if part.type == "write" or not part.name else part.name
        return _FILE_TOOLS.get(found[1], own), {"file_path": found[2]}
    if part.name.lower() == "apply_patch":
        diffs = [text for language, text in markup.fences if language == "diff"]
        return None if not diffs or "**" in markup.lead else (part.name, {"patch": "\n".join(diffs)})
    span = _SPAN.search(markup.lead) if part.type in {"read", "write"} else None
    return (part.name, {"file_path": span[1]}) if span is not None and part.name else None


def _look(markup: _Markup) -> tuple[str, dict[str, object]] | None:
    for pattern, tool, key in _LOOKS:
        found = pattern.fullmatch(markup.summary.replace("**", ""))
        if found is not None:
            return tool, {key: found[1]}
    return None
