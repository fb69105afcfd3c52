"""A script is a list of simple commands, each with its working directory, joiner and redirections.

Owns grouping, subshells, shell keywords, wrappers such as `sudo` and `timeout`, nested `sh -c`, and what `cd` does to
the commands after it. Knows nothing of what a command means.
"""

import re
from dataclasses import dataclass, field, replace

from ferrule.referents.expressions import expression
from ferrule.session.ledger.steps import absolute
from ferrule.session.ledger.words import Token, tokens

__all__ = ["Command", "Redirect", "commands"]

_MAX_COMMANDS = 200
_MAX_NESTING = 3

_ASSIGNMENT = expression(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
_KEYWORDS = frozenset(
    {"if", "then", "elif", "else", "do", "while", "until", "!", "{", "}", "fi", "done", "esac", "time"}
)
_LOOPS = frozenset({"for", "select", "case", "function"})
_PLAIN_WRAPPERS = frozenset(
    {"sudo", "doas", "nohup", "command", "builtin", "exec", "env", "stdbuf", "nice", "xargs", "&"}
)
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "fish", "pwsh", "powershell", "powershell.exe", "cmd", "cmd.exe"})
_TAKES_VALUE = frozenset({"-u", "-g", "-n", "-I", "-P", "-L", "-S", "-k", "-s", "-d", "--user", "--signal"})
_CD = frozenset({"cd", "pushd", "chdir", "set-location"})


@dataclass(frozen=True, slots=True)
class Redirect:
    """One redirection of a command, such as `>` to a file."""

    sign: str
    target: str


@dataclass(frozen=True, slots=True)
class Command:
    """One simple command.

    Attributes:
        words: dequoted words, wrappers and assignments stripped; the first is the program.
        text: the command as written, from its assignments to its last word.
        joiner: the operator before it, empty for the first.
        follower: the operator after it, empty for the last.
        depth: in how many subshells it stands.
        cwd: the effective working directory, None when unknown.
    """

    words: tuple[str, ...]
    text: str
    joiner: str = ""
    follower: str = ""
    depth: int = 0
    cwd: str | None = None
    redirects: tuple[Redirect, ...] = ()

    @property
    def program(self) -> str:
        """The program's base name in lower case, without `.exe`; empty when there is none."""
        if not self.words:
            return ""
        return re.split(r"[\\/]", self.words[0])[-1].lower().removesuffix(".exe").removesuffix(".cmd")


@dataclass(slots=True)
class _Open:
    """The command that is being gathered."""

    words: list[Token] = field(default_factory=list)
    redirects: list[Redirect] = field(default_factory=list)
    joiner: str = ""
    depth: int = 0


def commands(script: str, cwd: str | None, *, backslash: bool = True) -> tuple[Command, ...]:
    """The simple commands of a script in order, at most 200, each with its effective working directory."""
    return _placed(_grouped(script, backslash=backslash), cwd, 0)[:_MAX_COMMANDS]


def _grouped(script: str, *, backslash: bool) -> list[Command]:
    found: list[Command] = []
    now = _Open()
    pending = ""
    for token in tokens(script, backslash=backslash):
        if token.kind == "redirect":
            pending = token.value
        elif pending:
            if token.kind == "word":
                now.redirects.append(Redirect(pending, token.value))
            pending = ""
            if token.kind == "op":
                now = _close(found, now, token.value, script)
        elif token.kind == "word":
            now.words.append(token)
        else:
            now = _close(found, now, token.value, script)
    _close(found, now, "", script)
    return found


def _close(found: list[Command], now: _Open, operator: str, script: str) -> _Open:
    """End the command that is open at an operator and open the next one."""
    sign = {"\n": ";", ";;": ";", "&": ";", "|&": "|"}.get(operator, operator)
    depth = max(0, now.depth + {"(": 1, ")": -1}.get(sign, 0))
    words = _without_keywords(now.words)
    if words or now.redirects:
        text = script[words[0].start : words[-1].end] if words else ""
        values = tuple(word.value for word in words)
        follower = "" if sign in "()" else sign
        found.append(Command(values, text, now.joiner, follower, now.depth, None, tuple(now.redirects)))
    elif sign == "" or (not now.words and sign in {";", ")"} and now.joiner in {"&&", "||", "|"}):
        return _Open(joiner=now.joiner, depth=depth)
    joiner = now.joiner if sign == "(" and not words else ";" if sign in "()" else sign
    if sign == ")" and found:
        joiner = ""
    return _Open(joiner=joiner or ";" if found else "", depth=depth)


def _without_keywords(words: list[Token]) -> list[Token]:
    """The words after leading shell keywords; none for a loop's head."""
    start = 0
    while start < len(words) and words[start].value in _KEYWORDS:
        start += 1
    if start < len(words) and words[start].value in _LOOPS:
        return []
    return words[start:]


def _placed(found: list[Command], cwd: str | None, nesting: int) -> tuple[Command, ...]:
    """Strip wrappers, follow `cd`, open nested shells."""
    placed: list[Command] = []
    stack: list[str | None] = [cwd]
    for command in found:
        while len(stack) > command.depth + 1:
            stack.pop()
        while len(stack) < command.depth + 1:
            stack.append(stack[-1])
        words = _unwrapped(command.words)
        inside = _in_subsystem(words)
        here = replace(command, words=inside or words, cwd=None if inside else stack[-1])
        if here.program in _CD:
            stack[-1] = _moved(words, stack[-1])
        inner = _inner_script(here) if nesting < _MAX_NESTING else ""
        if inner:
            placed += _nested(inner, here, nesting)
        else:
            placed.append(here)
        if len(placed) >= _MAX_COMMANDS:
            break
    return tuple(placed)


def _nested(inner: str, outer: Command, nesting: int) -> tuple[Command, ...]:
    """The commands of `sh -c '…'`, joined to their neighbours as the outer command was."""
    rows = list(_placed(_grouped(inner, backslash=outer.program not in {"pwsh", "powershell"}), outer.cwd, nesting + 1))
    if rows:
        rows[0] = replace(rows[0], joiner=outer.joiner)
        rows[-1] = replace(rows[-1], follower=outer.follower, redirects=(*rows[-1].redirects, *outer.redirects))
    return tuple(rows)


def _unwrapped(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words without assignments and without programs that only run another one."""
    rest = list(words)
    for _ in range(8):
        while rest and _ASSIGNMENT.match(rest[0]):
            rest.pop(0)
        if len(rest) < 2:  # noqa: PLR2004 - a wrapper and what it wraps
            break
        if rest[0] == "timeout" or rest[0] == "gtimeout":
            rest = _after_options(rest[1:])[1:]
        elif rest[0] in _PLAIN_WRAPPERS:
            rest = _after_options(rest[1:])
        else:
            break
    return tuple(rest)


def _in_subsystem(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a command that runs in the Windows subsystem for Linux, where folders have other names."""
    if not words or words[0].lower() not in {"wsl", "wsl.exe"}:
        return ()
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in {"-d", "-u", "--distribution", "--user", "--cd"} else 1
    return words[at:]


def _after_options(words: list[str]) -> list[str]:
    at = 0
    while at < len(words) and words[at].startswith("-") and len(words[at]) > 1:
        at += 2 if words[at] in _TAKES_VALUE else 1
    return words[at:]


def _inner_script(command: Command) -> str:
    """The script of `sh -c SCRIPT` and its relatives; empty for any other command."""
    if command.program not in _SHELLS and command.program != "eval":
        return ""
    if command.program == "eval":
        return " ".join(command.words[1:])
    for at, word in enumerate(command.words[1:-1], start=1):
        lowered = word.lower()
        if lowered in {"-command", "/c", "--command"} or re.fullmatch(r"-[a-z]{0,6}c", lowered):
            return command.words[at + 1]
        if not word.startswith("-"):
            return ""
    return ""


def _moved(words: tuple[str, ...], cwd: str | None) -> str | None:
    """The working directory after `cd`: unknown when the target needs expansion."""
    targets = [word for word in words[1:] if not word.startswith("-") and word.lower() != "/d"]
    if not targets:
        return None if "-" in words[1:] or words[0] == "pushd" else "~"
    target = targets[0]
    if "$" in target or "`" in target or "*" in target:
        return None
    joined = absolute(target, cwd)
    return joined if cwd or joined.startswith(("/", "~")) or re.match(r"[A-Za-z]:", joined) else None
