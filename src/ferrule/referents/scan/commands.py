"""A command is told from prose by its place (ticks, code block, prompt sign) and its first word.

Owns the list of programs and what makes a line a command. Runs nothing, ever.
"""
# ruff: noqa: E501, PLR2004, RUF001, SIM905 - patterns, thresholds and word lists are the data here

import re
from collections.abc import Callable, Iterator

from ferrule.referents.expressions import expression
from ferrule.referents.kinds import Found, HandleKind
from ferrule.referents.scan.places import after, with_lead
from ferrule.referents.scan.words import vocabulary
from ferrule.referents.secrets.reduce import without_secret

__all__ = ["commands", "is_command"]

_FENCE = expression(r"^[ \t]{0,8}(?:```|~~~)[ \t]*(?P<info>[^\n]*)$", re.MULTILINE)
_SHELLS = frozenset(
    "bash sh shell console zsh fish powershell ps1 pwsh cmd terminal bat shell-session sh-session".split()
)
_TICKED = expression(r"`(?<!``)(?P<v>[^`\n]{3,600})`(?!`)")
_PROMPT = expression(
    r"^[ \t]{0,8}(?:[>*-] )?(?:[$%❯]|PS [^>\n]{1,80}>) (?P<v>\S[^\n]{0,600}(?:\\\n[^\n]{0,400}){0,12})", re.MULTILINE
)
_RUN = expression(r":?[ \t]{1,2}(?P<v>[A-Za-z./][^\n`\"']{2,300})")
_SPOKEN = expression(r"\"(?<![^\s(]\")(?P<v>[a-z][\w.-]{0,20} [^\"\n]{2,200})\"")
_REACHED = expression(
    r"(?<![\w./-])(?:nc [\w-]{1,60}(?:\.[\w-]{1,60}){1,6} [0-9]{2,5}|ssh (?:-[A-Za-z] ?\S{0,60} ){0,3}[\w.-]{1,40}@[\w.-]{1,100})(?!\w)"
)
_RUN_WORDS = ("un", "unning", "erun", "re-run", "xecute", "Use", "use", "try", "Try", "nvoke", "with")
_FIELD = expression(r"\"(?:command|cmd)\"\s{0,3}:\s{0,3}(?P<v>\"(?:[^\"\\]|\\.){2,4000}\")")
_ASSIGN = expression(r"(?:[A-Za-z_][A-Za-z0-9_]{0,60}=(?:\"[^\"]{0,200}\"|'[^']{0,200}'|\S{0,200})\s{1,2}){1,4}")
_SETTING = expression(r"[A-Z][A-Z0-9_]{1,60}=\S")
_RUN_FROM = expression(r"(?:^|/)(?:s?bin|\.bin|scripts?|tools?|hack|contrib|exe)$")
_FIRST = expression(
    r"(?:sudo |time |env |command |exec |nohup |npx )?(?P<p>[A-Za-z0-9_.~@/\\:+-]{1,200})(?:[ \t]|\\?\n|\Z)"
)
_CMDLET = expression(
    r"(?:Add|Clear|Compress|ConvertFrom|ConvertTo|Copy|Disable|Enable|Expand|Export|Find|Format|Get|Import|Install|Invoke|Measure|Mount|Move|New|Out"
    r"|Publish|Push|Read|Register|Remove|Rename|Resolve|Restart|Save|Select|Send|Set|Start|Stop|Test|Uninstall|Unregister|Update|Wait|Write)"
    r"-[A-Z][A-Za-z]{1,40}"
)
_PROGRAM = expression(r"[a-z][a-z0-9_.+-]{0,40}")
_WORD = expression(r"[A-Za-z][A-Za-z']*")
_QUOTES = expression(r"\"[^\"]{0,400}\"|'[^']{0,400}'")
_PLAIN_ARGUMENTS = expression(r"[A-Za-z0-9@<>\[\]\"'][\w.:/@=,+<>\[\]\"'#~-]*")
_SENTENCE_END = expression(
    r"[.;!?,](?:\s|\Z)|\s(?:and|then|to|in|on|for|so|which|from|before|after|again|until|or|but|if|when|it|the|as|with|\(|—|–|->|→)(?:\s|\Z)"
)
_COMMENT = expression(r"\s#\s.*\Z")
_MAX = 2000
_MAX_LINES = 40
_MAX_BLOCK = 8000


def commands(text: str) -> Iterator[Found]:
    """Every command of a text, without the prompt sign before it; secrets in it are taken off (D13)."""
    taken = bytearray(len(text) + 1)
    for at, raw in _candidates(text, taken):
        value = raw.strip()
        start = at + len(raw) - len(raw.lstrip())
        if len(value) > 2:
            taken[start : start + len(value)] = b"\x01" * len(value)
            bare = without_secret(HandleKind.COMMAND, value)
            if bare:  # what only sets a secret is no command without it
                yield Found(HandleKind.COMMAND, bare, start, start + len(value))


def is_command(value: str) -> bool:
    """Whether the whole value can be a command: its first word a program or a script, the rest not prose."""
    text = value.strip()
    if not text or len(text) > _MAX or text.count("\n") > _MAX_LINES:
        return False
    if _known(text, strict=False):
        return True
    program = _program(text)
    return (
        bool(program)
        and _PROGRAM.fullmatch(program) is not None
        and program not in vocabulary("function_words")
        and not _prose(text)
    )


def _candidates(text: str, taken: bytearray) -> Iterator[tuple[int, str]]:
    yield from _marked(text, taken)
    yield from _inline(text, taken)
    yield from _lines(text, taken)
    if '"cmd"' in text or '"command"' in text:
        yield from _fields(text, taken)


def _marked(text: str, taken: bytearray) -> Iterator[tuple[int, str]]:
    """What a block, a prompt sign, ticks or quotes mark as a command."""
    if "```" in text or "~~~" in text:
        for lang, start, end in _blocks(text):
            if lang in _SHELLS or not lang:
                taken[start:end] = b"\x01" * (end - start)
                yield from _block(lang, text[start : min(end, start + _MAX_BLOCK)], start)
    if "$ " in text or "% " in text or "❯ " in text or "PS " in text:
        yield from _matches(_PROMPT, _shown, text, taken)
    if "`" in text:
        yield from _matches(_TICKED, _ticked, text, taken)
    if '"' in text:
        yield from _matches(_SPOKEN, _spoken, text, taken)


def _inline(text: str, taken: bytearray) -> Iterator[tuple[int, str]]:
    """Commands in running text."""
    for match in with_lead(text, ("nc ", "ssh "), _REACHED, 0):
        if not taken[match.start()]:
            yield match.start(), match.group()
    for match in after(text, _RUN_WORDS, _RUN):
        raw = _clip(match["v"])
        if _known(raw, strict=True) and " " in raw and not taken[match.start("v")]:
            yield match.start("v"), raw


def _matches(
    pattern: re.Pattern[str], test: Callable[[str], bool], text: str, taken: bytearray
) -> Iterator[tuple[int, str]]:
    for match in pattern.finditer(text):
        if not taken[match.start("v")] and test(match["v"]):
            yield match.start("v"), match["v"]


def _lines(text: str, taken: bytearray) -> Iterator[tuple[int, str]]:
    """Lines that begin with a known program and are no prose."""
    programs, at = vocabulary("programs"), 0
    for line in text.split("\n"):
        bare = line.strip().removeprefix("- ").removeprefix("* ").removeprefix("> ")
        first = bare.partition(" ")[0]
        if first and bare != first and (first in programs or first.startswith("./") or "=" in first):
            start = at + line.index(bare)
            if len(bare) <= _MAX and not taken[start] and _known(bare, strict=True) and not _prose(bare):
                yield start, _COMMENT.sub("", bare)
        at += len(line) + 1


def _fields(text: str, taken: bytearray) -> Iterator[tuple[int, str]]:
    """The command field of a tool call's arguments, when it needs no unescaping."""
    for match in _FIELD.finditer(text):
        raw = match["v"][1:-1]
        if not taken[match.start("v") + 1] and "\\" not in raw:
            yield match.start("v") + 1, raw


def _blocks(text: str) -> Iterator[tuple[str, int, int]]:
    """Language, start and end of every closed code block; a fence line with a language inside a block is its content."""
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif not fence["info"].strip():
            words = opened["info"].split()
            yield (words[0].lower() if words else ""), opened.end() + 1, fence.start()
            opened = None


def _block(lang: str, body: str, at: int) -> Iterator[tuple[int, str]]:
    """The commands of one code block: every line of a shell block, known programs only in an unlabelled one."""
    held, start = "", 0
    for line in body.split("\n")[:200]:
        if held:
            held += "\n" + line
        else:
            lead = re.match(r"\s{0,12}(?:[$%❯>] |PS [^>]{0,80}> )?", line)
            skip = lead.end() if lead else 0
            held, start = line[skip:], at + skip
        at += len(line) + 1
        if line.endswith("\\"):
            continue
        bare = _COMMENT.sub("", held)
        if (
            bare
            and not bare.startswith("#")
            and (_known(bare, strict=lang not in _SHELLS) or (lang in _SHELLS and _shown(bare) and not _prose(bare)))
        ):
            yield start, bare
        held = ""


def _shown(raw: str) -> bool:
    """After a prompt sign or in a shell block: any program name will do."""
    program = _program(raw)
    if not program or program in vocabulary("not_commands") or raw.endswith(("{", "(", ";;")):
        return False
    return _known(raw, strict=False) or (_PROGRAM.fullmatch(program) is not None and not _prose(raw))


def _spoken(raw: str) -> bool:
    """In double quotes only a known program with arguments counts."""
    return _known(raw, strict=True) and not _prose(raw)


def _ticked(raw: str) -> bool:
    """In ticks: a known program with arguments, a script, or a lower-case word with a flag or a short plain tail."""
    if " " not in raw:
        return raw.startswith("./") and _known(raw, strict=False)
    if _known(raw, strict=False):
        return True
    words = raw.split()
    if len(words) < 2 or not _PROGRAM.fullmatch(words[0]) or _prose(raw):
        return False
    if any(word.startswith("-") and len(word) > 1 for word in words[1:]):
        return not words[0].endswith((".", ":"))
    if "." in words[0] or len(words) > 4:
        return False
    return words[1] in vocabulary("subcommands") and all(_PLAIN_ARGUMENTS.fullmatch(word) for word in words[1:])


def _program(raw: str) -> str:
    bare = raw.strip()
    match = _FIRST.match(_ASSIGN.sub("", bare, count=1) if "=" in bare else bare)
    return match["p"] if match else ""


def _known(raw: str, *, strict: bool) -> bool:
    """Whether the first word is a known program or a script; `strict` where the place does not already say command."""
    program = _program(raw)
    if program.startswith(("./", "../", "~/", "/")):
        return _is_script(program, raw, strict=strict)
    if _CMDLET.fullmatch(program):
        return _is_cmdlet(raw, strict=strict)
    return _is_program(program, raw, strict=strict)


def _is_program(program: str, raw: str, *, strict: bool) -> bool:
    """A program by its name, by a setting before it, or by the folder that it lies in."""
    set_before = "=" in raw and _with_setting(raw, program, strict=strict)
    if set_before or ("/" in program and not strict):
        return set_before or _in_folder(program, raw)
    name = program.removesuffix(".exe")
    if name not in vocabulary("programs") or name in vocabulary("not_commands"):
        return False
    rest = (_ASSIGN.sub("", raw.strip(), count=1) if "=" in raw else raw).split()[1:]
    if rest and rest[0].lower().rstrip(":") in vocabulary("log_words"):
        return False
    if name in vocabulary("wordy"):
        return bool(rest) and _argued(rest, strict=strict) and not (strict and _prose(raw))
    return not strict or not _prose(raw) or _argued(rest, strict=True)


def _is_cmdlet(raw: str, *, strict: bool) -> bool:
    """`Get-Item -Path .`: a verb and a noun of PowerShell, in running text only with a flag."""
    rest = raw.split()[1:]
    flagged = any(word.startswith("-") and word[1:2].isalpha() for word in rest)
    return flagged or (not strict and bool(rest) and not _prose(raw))


def _is_script(program: str, raw: str, *, strict: bool) -> bool:
    """`./tool`, `~/bin/tool x`, `/usr/bin/tool x`: no document, and rooted ones only with arguments."""
    name = program.rsplit("/", 1)[-1]
    ending = name.rpartition(".")[2].lower() if "." in name else "sh"
    if not name or ending not in vocabulary("runnable"):
        return False
    return program.startswith("./") or (not strict and " " in raw.strip())


def _with_setting(raw: str, program: str, *, strict: bool) -> bool:
    """`CI=1 tool task --flag`: a setting for one command; in running text only with a flag, a path or a known program."""
    bare = raw.strip()
    rest = _ASSIGN.sub("", bare, count=1).split()
    flagged = any(word.startswith("-") and len(word) > 1 for word in rest[1:])
    if not program or _SETTING.match(bare) is None or len(rest) < 2 or (_prose(raw) and (strict or not flagged)):
        return False
    if "/" in program:
        return _in_folder(program, raw) and not strict
    if _PROGRAM.fullmatch(program) is None or rest[1] in ("=", ":="):
        return False
    return flagged or program in vocabulary("programs") or (not strict and rest[1] in vocabulary("subcommands"))


def _in_folder(program: str, raw: str) -> bool:
    """`bin/deploy staging`, `scripts/flash.sh host`: what a project keeps to be run, with something to do."""
    folder, _, name = program.rpartition("/")
    rest = (_ASSIGN.sub("", raw.strip(), count=1) if "=" in raw else raw).split()[1:]
    script = name.rpartition(".")[2].lower() in vocabulary("runnable") if "." in name else _RUN_FROM.search(folder)
    if not script or not rest or _prose(raw):
        return False
    return rest[0][0] not in "(=→–—#|&" and rest[0] not in ("-", "->", "=>")


def _argued(rest: list[str], *, strict: bool) -> bool:
    """Whether what follows an ambiguous program looks like arguments."""
    first = rest[0]
    if (
        first.startswith(("-", ".", "/", "~", "$", '"', "'", "{"))
        or first in vocabulary("subcommands")
        or ":" in first
        or "/" in first
    ):
        return True
    if first.lower() in vocabulary("function_words"):
        return False
    return ("." in first.strip(".") or "_" in first or "=" in first or "-" in first) or (not strict and len(rest) <= 4)


def _prose(raw: str) -> bool:
    words = [word.lower() for word in _WORD.findall(_QUOTES.sub("", raw))]
    told = sum(word in vocabulary("function_words") for word in words[1:])
    return (
        told > 1
        or (told == 1 and len(words) < 8 and "-" not in raw and "/" not in raw)
        or (raw.rstrip().endswith((".", ":", "?")) and told > 0)
    )


def _clip(raw: str) -> str:
    """A command in running text ends at the sentence's punctuation or at a word of prose."""
    end = _SENTENCE_END.search(raw)
    return raw[: end.start()] if end else raw.rstrip(". ")
