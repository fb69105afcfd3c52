"""What commands did beyond the file system: hosts, terminal sessions, services, the web.

Owns those programs as data and small functions, and the table of all programs of that kind. Knows nothing of files or
git.
"""

import re
from collections.abc import Callable, Iterator, Mapping

from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind
from ferrule.session.ledger.commands import Command
from ferrule.session.ledger.containers import CONTAINER_PROGRAMS
from ferrule.session.ledger.databases import DATABASE_PROGRAMS
from ferrule.session.ledger.options import parse
from ferrule.session.ledger.steps import Scene, Step, path_step, usable
from ferrule.session.turn import Verb

__all__ = ["HOST_PROGRAMS", "host_steps"]

_URL = expression(r"(?:https?|ftp|wss?)://[^\s'\"<>]{3,1000}")
_HOST = expression(r"(?:[\w.-]{1,64}@)?([A-Za-z0-9][A-Za-z0-9.-]{0,200})")
_REMOTE_FILE = expression(r"(?:[\w.-]{1,64}@)?([A-Za-z0-9][A-Za-z0-9.-]{1,200}):(.{0,400})")

_Steps = Iterator[Step | None]


def host_steps(command: Command, scene: Scene) -> list[Step]:
    """The steps of one program that reaches beyond the file system."""
    family = HOST_PROGRAMS.get(command.program)
    return [step for step in family(command, scene) if step is not None] if family else []


def _fetch(command: Command, scene: Scene) -> _Steps:
    values = (
        "-o",
        "-O" if command.program == "wget" else "--output",
        "-H",
        "-d",
        "-X",
        "-u",
        "-A",
        "--data",
        "-w",
        "-m",
    )
    options = parse(command.words[1:], (*values, "--data-raw", "--request", "--header", "--max-time", "-F", "--retry"))
    posted = options.value("-X", "--request").upper() in {"POST", "PUT", "PATCH", "DELETE"} or options.has(
        "-d", "--data"
    )
    for word in options.operands:
        url = (
            word
            if _URL.fullmatch(word)
            else f"http://{word}"
            if re.match(r"localhost[:/]|127\.0\.0\.1[:/]", word)
            else ""
        )
        if url and usable(word):
            yield Step(Verb.OTHER if posted else Verb.FETCHED, word, HandleKind.URL, detail="posted" if posted else "")
    target = options.value("-o", "--output") or (options.value("-O") if command.program == "wget" else "")
    if target:
        yield path_step(Verb.CREATED, target, scene, detail="download")


def _ssh(command: Command, _scene: Scene) -> _Steps:
    options = parse(command.words[1:], ("-p", "-i", "-l", "-o", "-L", "-R", "-D", "-J", "-F", "-b", "-c"))
    host = _HOST.fullmatch(options.operands[0]) if options.operands else None
    if host is not None:
        yield Step(Verb.RAN, host[1], HandleKind.HOST, detail=" ".join(options.operands[1:])[:200])


def _remote_copy(command: Command, scene: Scene) -> _Steps:
    options = parse(command.words[1:], ("-P", "-i", "-o", "-e", "--exclude", "--include", "-l", "-F", "--rsh"))
    operands = options.operands
    if len(operands) < 2:  # noqa: PLR2004 - from and to
        return
    for word in operands:
        remote = _REMOTE_FILE.fullmatch(word)
        if remote is not None and len(remote[1]) > 1:
            yield Step(Verb.COPIED, remote[1], HandleKind.HOST, detail=remote[2][:200])
    if not _REMOTE_FILE.fullmatch(operands[-1]):
        yield path_step(Verb.COPIED, operands[-1], scene, was=operands[0] if ":" not in operands[0] else "")


def _tmux(command: Command, _scene: Scene) -> _Steps:
    words = command.words[1:]
    options = parse(words[1:], ("-s", "-t", "-n", "-c", "-x", "-y", "-F", "-p", "-S"))
    action = words[0] if words else ""
    name = options.value("-s") if action in {"new", "new-session"} else options.value("-t")
    if not name or not usable(name):
        return
    if action in {"rename", "rename-session"} and options.operands and usable(options.operands[0]):
        yield Step(Verb.MOVED, options.operands[0], HandleKind.SESSION_KEY, was=name, detail="tmux")
        return
    verbs = {"new": Verb.STARTED, "new-session": Verb.STARTED, "kill-session": Verb.STOPPED, "send-keys": Verb.RAN}
    yield Step(verbs.get(action, Verb.VIEWED), name, HandleKind.SESSION_KEY, detail="tmux")


def _screen(command: Command, _scene: Scene) -> _Steps:
    options = parse(command.words[1:], ("-S", "-X", "-p", "-r", "-x"))
    name = options.value("-S", "-r", "-x")
    if name and usable(name):
        verb = Verb.STARTED if any(word.startswith("-d") for word in command.words[1:]) else Verb.VIEWED
        yield Step(verb, name, HandleKind.SESSION_KEY, detail="screen")


def _service(command: Command, _scene: Scene) -> _Steps:
    operands = [word for word in command.words[1:] if not word.startswith("-")]
    if command.program == "service":
        operands.reverse()
    verbs = {"start": Verb.STARTED, "restart": Verb.STARTED, "stop": Verb.STOPPED, "enable": Verb.CONFIGURED}
    if len(operands) > 1 and usable(operands[1]):
        yield Step(verbs.get(operands[0], Verb.VIEWED), operands[1], HandleKind.OTHER_ID, detail="service")


def _zellij(command: Command, _scene: Scene) -> _Steps:
    options = parse(command.words[1:], ("-s", "--session", "-l", "--layout", "-n"))
    action = options.operands[0] if options.operands else ""
    verbs = {"kill-session": Verb.STOPPED, "delete-session": Verb.STOPPED, "attach": Verb.VIEWED, "a": Verb.VIEWED}
    name = options.value("-s", "--session") or (
        options.operands[1] if action in verbs and len(options.operands) > 1 else ""
    )
    if name and usable(name):
        yield Step(
            verbs.get(action, Verb.STARTED if not action else Verb.VIEWED),
            name,
            HandleKind.SESSION_KEY,
            detail="zellij",
        )


def _crontab(command: Command, scene: Scene) -> _Steps:
    options = parse(command.words[1:], ("-u",))
    if options.operands and not options.has("-l", "-e", "-r"):
        yield path_step(Verb.CONFIGURED, options.operands[0], scene, detail="crontab")


HOST_PROGRAMS: Mapping[str, Callable[[Command, Scene], _Steps]] = {
    **CONTAINER_PROGRAMS,
    **DATABASE_PROGRAMS,
    "curl": _fetch,
    "wget": _fetch,
    "http": _fetch,
    "https": _fetch,
    "xh": _fetch,
    "invoke-webrequest": _fetch,
    "iwr": _fetch,
    "ssh": _ssh,
    "mosh": _ssh,
    "ssh-copy-id": _ssh,
    "sftp": _ssh,
    "scp": _remote_copy,
    "rsync": _remote_copy,
    "tmux": _tmux,
    "screen": _screen,
    "zellij": _zellij,
    "crontab": _crontab,
    "systemctl": _service,
    "service": _service,
}
