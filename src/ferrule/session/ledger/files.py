"""What shell commands did to files: made, moved, copied, edited, removed, read, listed or searched them.

Owns the file programs of POSIX shells and PowerShell as data, and redirections. Knows nothing of editors' tools.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from ferrule.session.ledger.commands import Command
from ferrule.session.ledger.options import Parsed, names, parse
from ferrule.session.ledger.steps import Scene, Step, is_path_like, path_step
from ferrule.session.turn import Verb

__all__ = ["FILE_PROGRAMS", "file_steps", "redirect_steps"]

_MAX_OPERANDS = 20

_READERS = names("cat head tail less more bat nl wc sed view open code xdg-open type get-content gc source hexyl")
_LISTERS = names("ls ll dir tree find fd eza exa get-childitem gci du test-path resolve-path")
_SEARCHERS = names("grep rg ag ack egrep fgrep ugrep findstr select-string sls")
_VALUES: Mapping[str, tuple[str, ...]] = {
    "head": ("-n", "-c"),
    "tail": ("-n", "-c"),
    "sed": ("-e", "-f"),
    "nl": ("-b", "-s", "-w"),
    "mkdir": ("-m",),
    "touch": ("-d", "-t", "-r"),
    "cp": ("-t",),
    "mv": ("-t",),
    "ln": ("-t",),
    "tree": ("-L", "-I", "-P"),
    "chmod": (),
}
_SEARCH_VALUES = (
    *("-e", "-f", "-g", "--glob", "-t", "--type", "-A", "-B", "-C", "-m", "--include", "--exclude", "--exclude-dir"),
    *("-T", "--iglob", "--max-count", "--max-depth", "--context", "-d", "-j", "-r", "--sort"),
)
_POWERSHELL_PATHS = frozenset({"-path", "-literalpath", "-filepath", "-destination", "-newname", "-name", "-target"})
_POWERSHELL_VALUES = _POWERSHELL_PATHS | {"-value", "-itemtype", "-encoding", "-filter", "-pattern", "-totalcount"}

_Steps = Iterator[Step | None]


def file_steps(command: Command, scene: Scene) -> list[Step]:
    """The steps of one file program."""
    family = FILE_PROGRAMS.get(command.program)
    return [step for step in family(command, scene) if step is not None] if family else []


def redirect_steps(command: Command, scene: Scene) -> list[Step]:
    """The files that a command's output was written to: `>` creates, `>>` edits."""
    steps: list[Step | None] = []
    for redirect in command.redirects:
        if redirect.sign in {">", "1>", ">|", "&>", ">>", "1>>", "&>>"} and redirect.target.lower() not in {
            "nul",
            "$null",
        }:
            verb = Verb.EDITED if redirect.sign.endswith(">>") else Verb.CREATED
            steps.append(path_step(verb, redirect.target, scene, detail="redirect"))
    return [step for step in steps if step is not None]


def _operands(command: Command) -> Parsed:
    return parse(command.words[1:], _VALUES.get(command.program, ()))


def _read(command: Command, scene: Scene) -> _Steps:
    if command.program == "sed":
        yield from _sed(command, scene)
        return
    for path in _operands(command).operands[:_MAX_OPERANDS]:
        if is_path_like(path) or len(command.words) == 2:  # noqa: PLR2004 - `cat NAME`
            yield path_step(Verb.READ, path, scene)


def _sed(command: Command, scene: Scene) -> _Steps:
    options = _operands(command)
    inplace = any(word == "--in-place" or word.startswith("-i") for word in command.words[1:])
    files = options.operands if options.has("-e", "-f") else options.operands[1:]
    for path in files[:_MAX_OPERANDS]:
        if path:
            yield path_step(Verb.EDITED if inplace else Verb.READ, path, scene)


def _list(command: Command, scene: Scene) -> _Steps:
    for path in _operands(command).operands[:_MAX_OPERANDS]:
        if path.startswith(("(", "!")) or (command.program == "fd" and not is_path_like(path)):
            break
        yield path_step(Verb.LISTED, path, scene)
        if command.program == "find":
            break


def _search(command: Command, scene: Scene) -> _Steps:
    options = parse(command.words[1:], _SEARCH_VALUES)
    given = options.has("-e", "-f") or (command.program == "rg" and options.has("--files"))
    for path in (options.operands if given else options.operands[1:])[:_MAX_OPERANDS]:
        if is_path_like(path):
            yield path_step(Verb.SEARCHED, path, scene)


def _move(command: Command, scene: Scene) -> _Steps:
    yield from _pairs(command, scene, Verb.MOVED)


def _copy(command: Command, scene: Scene) -> _Steps:
    yield from _pairs(command, scene, Verb.COPIED)


def _pairs(command: Command, scene: Scene, verb: Verb) -> _Steps:
    options = _operands(command)
    into = options.value("-t")
    operands = (*options.operands, into) if into else options.operands
    for old in operands[:-1][:_MAX_OPERANDS]:
        new = operands[-1]
        if into or new.endswith("/") or len(operands) > 2:  # noqa: PLR2004 - several sources go into a folder
            new = f"{new.rstrip('/')}/{old.rstrip('/').rpartition('/')[2]}"
        yield path_step(verb, new, scene, was=old)


def _made(command: Command, scene: Scene) -> _Steps:
    for path in _operands(command).operands[:_MAX_OPERANDS]:
        yield path_step(Verb.CREATED, path, scene, detail="folder" if command.program in {"mkdir", "md"} else "")


def _removed(command: Command, scene: Scene) -> _Steps:
    options = _operands(command)
    for path in (*options.operands, *options.after_dashes)[:_MAX_OPERANDS]:
        yield path_step(Verb.DELETED, path, scene)


def _linked(command: Command, scene: Scene) -> _Steps:
    operands = _operands(command).operands
    if len(operands) > 1:
        yield path_step(Verb.CREATED, operands[-1], scene, detail=f"link to {operands[0]}"[:200])


def _teed(command: Command, scene: Scene) -> _Steps:
    options = _operands(command)
    for path in options.operands[:_MAX_OPERANDS]:
        yield path_step(Verb.EDITED if options.has("-a", "--append") else Verb.CREATED, path, scene)


def _mode(command: Command, scene: Scene) -> _Steps:
    for path in _operands(command).operands[1:][:_MAX_OPERANDS]:
        yield path_step(Verb.CONFIGURED, path, scene, detail="mode")


def _cmdlet(verb: Verb) -> Callable[[Command, Scene], _Steps]:
    """A PowerShell cmdlet: paths are given by name or by position."""

    def steps(command: Command, scene: Scene) -> _Steps:
        paths = _cmdlet_paths(command.words[1:])
        if verb in {Verb.MOVED, Verb.COPIED}:
            if len(paths) > 1:
                yield path_step(verb, paths[1], scene, was=paths[0])
            return
        for path in paths[:1]:
            yield path_step(verb, path, scene)

    return steps


def _cmdlet_paths(words: Sequence[str]) -> list[str]:
    paths: list[str] = []
    at = 0
    while at < len(words):
        name = words[at].lower()
        if name in _POWERSHELL_VALUES and at + 1 < len(words):
            if name in _POWERSHELL_PATHS:
                paths.append(words[at + 1].strip("'\""))
            at += 2
            continue
        if not name.startswith("-"):
            paths.append(words[at].strip("'\""))
        at += 1
    return paths


FILE_PROGRAMS: Mapping[str, Callable[[Command, Scene], _Steps]] = {
    **dict.fromkeys(_READERS, _read),
    **dict.fromkeys(_LISTERS, _list),
    **dict.fromkeys(_SEARCHERS, _search),
    "mv": _move,
    "cp": _copy,
    "ditto": _copy,
    "install": _copy,
    "mkdir": _made,
    "md": _made,
    "touch": _made,
    "mkfifo": _made,
    "rm": _removed,
    "rmdir": _removed,
    "unlink": _removed,
    "trash": _removed,
    "del": _removed,
    "shred": _removed,
    "ln": _linked,
    "tee": _teed,
    "chmod": _mode,
    "chown": _mode,
    "get-content": _cmdlet(Verb.READ),
    "get-childitem": _cmdlet(Verb.LISTED),
    "test-path": _cmdlet(Verb.VIEWED),
    "set-content": _cmdlet(Verb.CREATED),
    "out-file": _cmdlet(Verb.CREATED),
    "add-content": _cmdlet(Verb.EDITED),
    "new-item": _cmdlet(Verb.CREATED),
    "ni": _cmdlet(Verb.CREATED),
    "remove-item": _cmdlet(Verb.DELETED),
    "ri": _cmdlet(Verb.DELETED),
    "move-item": _cmdlet(Verb.MOVED),
    "rename-item": _cmdlet(Verb.MOVED),
    "copy-item": _cmdlet(Verb.COPIED),
}
