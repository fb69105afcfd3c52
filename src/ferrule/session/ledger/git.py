"""What git did: commits, pushes, branches, worktrees, tags and clones, with what git itself printed as proof.

Owns git's subcommands and the lines of its output. Knows nothing of how the call was found.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind
from ferrule.session.ledger.commands import Command
from ferrule.session.ledger.options import Parsed, parse
from ferrule.session.ledger.steps import Scene, Step, absolute, path_step, usable
from ferrule.session.turn import ToolCall, Verb

__all__ = ["commit_steps", "git_steps"]

_GLOBAL_VALUES = ("-C", "-c", "--git-dir", "--work-tree", "--namespace")
_COMMIT = expression(r"^\s{0,4}\[([^\]\s]{1,200})(?: \(root-commit\))? ([0-9a-f]{7,40})\] ?(.{0,200})", re.MULTILINE)
_CHANGED = expression(r"^ ?(create|delete) mode \d{6} (.{1,400})$", re.MULTILINE)
_PUSHED = expression(
    r"^ (?P<mark>[ *+=!-]) (?:\[(?P<note>[a-z ]{1,40})\]|[0-9a-f]{7,40}\.{2,3}[0-9a-f]{7,40})"
    r"\s{1,40}(?P<from>\S{1,200})(?: -> (?P<to>\S{1,200}))?",
    re.MULTILINE,
)
_PUSH_TO = expression(r"^To (\S{1,400})$", re.MULTILINE)
_TROUBLE = expression(r"^(?:fatal|error): ", re.MULTILINE)
_SWITCHED = expression(r"^Switched to (?:a new )?branch '([^'\n]{1,200})'|^Already on '([^'\n]{1,200})'", re.MULTILINE)
_ON_BRANCH = expression(
    r"^On branch (\S{1,200})$|^## ([^\s.]{1,200}(?:\.[^\s.]{1,200}){0,6}?)(?:\.\.\.|$)", re.MULTILINE
)
_LISTED_TREE = expression(r"^worktree (.{1,400})$|^(\S.{0,400}?)\s{1,80}[0-9a-f]{7,40} \[", re.MULTILINE)
_LOGGED = expression(r"^(?:commit )?([0-9a-f]{7,40})\b(?: \([^)\n]{1,200}\))? ?(.{0,200})$", re.MULTILINE)
_SHA = expression(r"[0-9a-f]{7,40}")
_VERSION = expression(r"v?\d{1,4}(?:\.\d{1,6}){1,3}(?:-[\w.]{1,40})?")
_UNNAMED = frozenset({"HEAD", "detached", "-", "@", "FETCH_HEAD", "ORIG_HEAD"})
_MAX_CHANGED = 30
_MAX_TREES = 8

_Steps = Iterator[Step | None]


def git_steps(command: Command, scene: Scene) -> list[Step]:
    """The steps of one git command."""
    words = list(command.words[1:])
    while words and words[0].startswith("-"):
        name = words.pop(0)
        if name in _GLOBAL_VALUES and words:
            value = words.pop(0)
            if name == "-C":
                scene = scene.at(absolute(value, scene.cwd))
    if not words:
        return []
    family = _SUBCOMMANDS.get(words[0], _viewed)
    found = [step for step in family(words[1:], scene) if step is not None]
    return _blamed(found, scene)


def _blamed(found: list[Step], scene: Scene) -> list[Step]:
    """A step without proof of its own failed when git complained."""
    if not _TROUBLE.search(scene.output):
        return found
    return [
        Step(s.verb, s.target, s.kind, ok=False, was=s.was, detail=s.detail) if s.ok is None and not s.exists else s
        for s in found
    ]


def _commit(words: Sequence[str], scene: Scene) -> _Steps:
    options = parse(words, ("-m", "-F", "-C", "-c", "--author", "--date", "--fixup", "--message", "--file"))
    if options.has("--dry-run"):
        return
    found = _COMMIT.search(scene.output)
    if found is None:
        message = options.value("-m", "--message").strip().splitlines()
        yield Step(Verb.COMMITTED, "", detail=message[0][:200] if message else "")
        return
    branch, sha, subject = found.groups()
    yield Step(Verb.COMMITTED, sha, HandleKind.COMMIT_SHA, ok=True, detail=subject, exists=True)
    if branch not in _UNNAMED:
        yield Step(Verb.COMMITTED, branch, HandleKind.BRANCH, ok=True, detail=sha, exists=True)
    top = scene.at(scene.root or (scene.cwd if scene.cwd == scene.start else None))
    for mode, path in _CHANGED.findall(scene.output)[:_MAX_CHANGED]:
        verb = Verb.CREATED if mode == "create" else Verb.DELETED
        yield path_step(verb, path.strip().strip('"'), top, ok=True, detail="commit", exists=mode == "create")


def _push(words: Sequence[str], scene: Scene) -> _Steps:
    options = parse(words, ("-o", "--push-option", "--repo", "--receive-pack"))
    if options.has("--dry-run", "-n"):
        return
    removing = options.has("--delete", "-d")
    rows = list(_PUSHED.finditer(scene.output))
    for row in rows:
        name, note = row["to"] or row["from"], row["note"] or ""
        if name.startswith(("origin/", "upstream/")):
            continue  # a line of a fetch in the same call
        ok = False if row["mark"] == "!" else True if row["mark"] in " *+=-" else None
        kind = HandleKind.TAG if "tag" in note else HandleKind.BRANCH
        verb = Verb.DELETED if row["mark"] == "-" or "deleted" in note else Verb.PUSHED
        yield Step(verb, _short(name), kind, ok=ok, detail=note, exists=bool(ok) and verb is Verb.PUSHED)
    remote = _PUSH_TO.search(scene.output)
    if remote is not None and usable(remote[1]):
        yield Step(Verb.PUSHED, remote[1].removesuffix(".git"), HandleKind.REPOSITORY_ID, exists=True)
    if rows:
        return
    up_to_date = True if "Everything up-to-date" in scene.output else None
    names = [_short(ref.rpartition(":")[2].lstrip("+")) for ref in options.operands[1:]]
    named = [name for name in names if name not in _UNNAMED and usable(name)]
    for name in named:
        yield Step(Verb.DELETED if removing else Verb.PUSHED, name, HandleKind.BRANCH, ok=up_to_date)
    if not named:
        yield Step(Verb.PUSHED, "", ok=up_to_date)


def _short(ref: str) -> str:
    return ref.removeprefix("refs/heads/").removeprefix("refs/tags/")


def _checkout(words: Sequence[str], scene: Scene) -> _Steps:
    options = parse(words, ("-b", "-B", "-c", "-C", "--orphan", "--create", "--source", "-s"))
    made = options.value("-b", "-B", "-c", "-C", "--orphan", "--create")
    shown = _SWITCHED.search(scene.output)
    seen = (shown[1] or shown[2]) if shown else ""
    if made and usable(made):
        ok = True if seen == made else None
        yield Step(Verb.BRANCHED, made, HandleKind.BRANCH, ok=ok, exists=ok is True)
        return
    files = options.after_dashes or (options.operands if "Updated " in scene.output and " path" in scene.output else ())
    if files:
        for path in files:
            yield path_step(Verb.EDITED, path, scene, detail="restored")
    elif options.operands and options.operands[0] not in _UNNAMED and usable(options.operands[0]):
        yield from _switched(options.operands[0], seen, scene)


def _switched(name: str, seen: str, scene: Scene) -> _Steps:
    if re.search(r"[a-z_]\.[a-z]{1,5}$", name) and seen != name:
        yield path_step(Verb.EDITED, name, scene, detail="restored")
        return
    kind = HandleKind.COMMIT_SHA if _SHA.fullmatch(name) else HandleKind.BRANCH
    kind = HandleKind.TAG if _VERSION.fullmatch(name) and seen != name else kind
    yield Step(Verb.SWITCHED, name, kind, ok=True if seen == name else None, exists=seen == name)


def _branch(words: Sequence[str], scene: Scene) -> _Steps:
    options = parse(words, ("-u", "--set-upstream-to", "--sort", "--format", "--contains", "--merged"))
    names = [name for name in options.operands if usable(name)]
    if options.has("-d", "-D", "--delete"):
        for name in names:
            done = True if f"Deleted branch {name}" in scene.output else None
            yield Step(Verb.DELETED, name, HandleKind.BRANCH, ok=done)
    elif options.has("-m", "-M", "--move") and names:
        yield Step(Verb.MOVED, names[-1], HandleKind.BRANCH, was=names[0] if len(names) > 1 else "")
    elif options.has("--show-current"):
        yield from _printed(scene, HandleKind.BRANCH)
    elif names and not options.has("-l", "--list", "-a", "-r", "--all", "-v", "-vv", "--contains", "-u"):
        yield Step(Verb.BRANCHED, names[0], HandleKind.BRANCH)


def _printed(scene: Scene, kind: HandleKind) -> _Steps:
    """The first line of the output, where a query prints nothing but its answer."""
    line = next((line.strip() for line in scene.output.splitlines() if line.strip()), "")
    if usable(line) and " " not in line and not line.startswith(("fatal", "error")):
        yield Step(Verb.VIEWED, line, kind, ok=True, exists=True)


def _worktree(words: Sequence[str], scene: Scene) -> _Steps:
    options = parse(words[1:], ("-b", "-B", "--reason"))
    action = words[0] if words else ""
    if action == "add" and options.operands:
        made = options.value("-b", "-B")
        shown = True if "Preparing worktree" in scene.output and not _TROUBLE.search(scene.output) else None
        if made and usable(made):
            yield Step(Verb.BRANCHED, made, HandleKind.BRANCH, ok=shown, exists=bool(shown))
        elif len(options.operands) > 1 and usable(options.operands[1]) and options.operands[1] not in _UNNAMED:
            yield Step(Verb.SWITCHED, options.operands[1], HandleKind.BRANCH, ok=shown)
        yield path_step(Verb.CREATED, options.operands[0], scene, ok=shown, detail="worktree", exists=bool(shown))
    elif action == "list":
        for tree in list(_LISTED_TREE.finditer(scene.output))[:_MAX_TREES]:
            yield Step(Verb.VIEWED, tree[1] or tree[2], HandleKind.REPOSITORY_ROOT, ok=True, exists=True)
    elif action == "remove" and options.operands:
        yield path_step(Verb.DELETED, options.operands[0], scene, detail="worktree")
    elif action == "move" and len(options.operands) > 1:
        yield path_step(Verb.MOVED, options.operands[1], scene, was=options.operands[0], detail="worktree")


def _move(words: Sequence[str], scene: Scene) -> _Steps:
    operands = parse(words).operands
    for old in operands[:-1]:
        new = operands[-1]
        if new.endswith("/") or len(operands) > 2:  # noqa: PLR2004 - several sources go into a folder
            new = f"{new.rstrip('/')}/{old.rstrip('/').rpartition('/')[2]}"
        yield path_step(Verb.MOVED, new, scene, was=old)


def _remove(words: Sequence[str], scene: Scene) -> _Steps:
    options = parse(words)
    for path in (*options.operands, *options.after_dashes):
        if not options.has("--cached"):
            yield path_step(Verb.DELETED, path, scene)


def _tag(words: Sequence[str], _scene: Scene) -> _Steps:
    options = parse(words, ("-m", "-F", "-u", "--message", "--sort", "--format", "--contains", "--points-at"))
    names = [name for name in options.operands if usable(name)]
    if not names or options.has("-l", "--list", "-v", "--contains"):
        return
    if options.has("-d", "--delete"):
        for name in names:
            yield Step(Verb.DELETED, name, HandleKind.TAG)
    else:
        yield Step(Verb.TAGGED, names[0], HandleKind.TAG)


def _clone(words: Sequence[str], scene: Scene) -> _Steps:
    options = parse(words, ("-b", "--branch", "--depth", "-o", "--origin", "--reference", "-c", "--filter", "-j"))
    if not options.operands:
        return
    source = options.operands[0]
    name = source.rstrip("/").removesuffix(".git").replace(":", "/").rpartition("/")[2]
    folder = options.operands[1] if len(options.operands) > 1 else name
    if usable(source):
        kind = HandleKind.URL if source.startswith(("http://", "https://")) else HandleKind.REPOSITORY_ID
        yield Step(Verb.CLONED, source, kind)
    step = path_step(Verb.CLONED, folder, scene)
    if step is not None:
        yield Step(Verb.CLONED, step.target, HandleKind.REPOSITORY_ROOT, detail=source)


def _merge(words: Sequence[str], _scene: Scene) -> _Steps:
    options = parse(words, ("-m", "-s", "-X", "--strategy", "--onto"))
    if options.has("--abort", "--continue", "--quit", "--skip"):
        return
    for name in options.operands[:1]:
        if usable(name) and name not in _UNNAMED:
            yield Step(Verb.MERGED, name, HandleKind.COMMIT_SHA if _SHA.fullmatch(name) else HandleKind.BRANCH)


def _pull(words: Sequence[str], _scene: Scene) -> _Steps:
    operands = parse(words).operands
    branch = operands[1] if len(operands) > 1 else ""
    yield Step(Verb.PULLED, branch, HandleKind.BRANCH if branch and usable(branch) else None)


def _remote(words: Sequence[str], scene: Scene) -> _Steps:
    options = parse(words[1:])
    action = words[0] if words else ""
    if action in {"add", "set-url"} and len(options.operands) > 1 and usable(options.operands[1]):
        yield Step(Verb.CONFIGURED, options.operands[1], HandleKind.REPOSITORY_ID, detail=options.operands[0])
    elif action == "get-url":
        yield from _printed(scene, HandleKind.REPOSITORY_ID)


def _init(words: Sequence[str], scene: Scene) -> _Steps:
    operands = parse(words, ("-b", "--initial-branch")).operands
    folder = absolute(operands[0], scene.cwd) if operands else scene.cwd
    if folder and usable(folder):
        shown = True if "Initialized empty Git repository" in scene.output else None
        yield Step(Verb.CREATED, folder, HandleKind.REPOSITORY_ROOT, ok=shown, exists=bool(shown))


def _pick(words: Sequence[str], _scene: Scene) -> _Steps:
    for name in parse(words, ("-m",)).operands[:8]:
        if _SHA.fullmatch(name):
            yield Step(Verb.MERGED, name, HandleKind.COMMIT_SHA)


def _restore(words: Sequence[str], scene: Scene) -> _Steps:
    options = parse(words, ("-s", "--source"))
    if not options.has("--staged", "-S"):
        for path in (*options.operands, *options.after_dashes):
            yield path_step(Verb.EDITED, path, scene, detail="restored")


def _add(words: Sequence[str], scene: Scene) -> _Steps:
    options = parse(words)
    for path in (*options.operands, *options.after_dashes)[:20]:
        yield path_step(Verb.OTHER, path, scene, detail="staged")


def _status(_words: Sequence[str], scene: Scene) -> _Steps:
    found = _ON_BRANCH.search(scene.output)
    name = (found[1] or found[2]) if found else ""
    if name and usable(name) and name not in _UNNAMED:
        yield Step(Verb.VIEWED, name, HandleKind.BRANCH, ok=True, exists=True)


def _log(words: Sequence[str], scene: Scene) -> _Steps:
    yield from _viewed(words, scene)
    found = _LOGGED.search(scene.output)
    if found is not None:
        yield Step(Verb.VIEWED, found[1], HandleKind.COMMIT_SHA, ok=True, detail=found[2], exists=True)


def _rev_parse(words: Sequence[str], scene: Scene) -> _Steps:
    if "--show-toplevel" in words:
        yield from _printed(scene, HandleKind.REPOSITORY_ROOT)
    elif "--abbrev-ref" in words:
        yield from _printed(scene, HandleKind.BRANCH)


def _config(words: Sequence[str], _scene: Scene) -> _Steps:
    options: Parsed = parse(words, ("-f", "--file", "--type"))
    if len(options.operands) > 1 and not options.has("--get", "--list", "-l", "--get-all"):
        yield Step(Verb.CONFIGURED, options.operands[0])


def _viewed(words: Sequence[str], scene: Scene) -> _Steps:
    """Commands that only look: their commits and files are what was looked at."""
    options = parse(words, ("-n", "-L", "-S", "-G", "--author", "--since", "--until", "--grep", "--format"))
    for name in options.operands[:8]:
        if _SHA.fullmatch(name) and any(char.isdigit() for char in name):
            yield Step(Verb.VIEWED, name, HandleKind.COMMIT_SHA)
    for path in options.after_dashes[:8]:
        yield path_step(Verb.VIEWED, path, scene)


_SUBCOMMANDS: dict[str, Callable[[Sequence[str], Scene], _Steps]] = {
    "add": _add,
    "branch": _branch,
    "checkout": _checkout,
    "cherry-pick": _pick,
    "clone": _clone,
    "commit": _commit,
    "config": _config,
    "init": _init,
    "log": _log,
    "merge": _merge,
    "mv": _move,
    "pull": _pull,
    "push": _push,
    "rebase": _merge,
    "remote": _remote,
    "restore": _restore,
    "rev-parse": _rev_parse,
    "rm": _remove,
    "status": _status,
    "switch": _checkout,
    "tag": _tag,
    "worktree": _worktree,
}


def commit_steps(_call: ToolCall, arguments: Mapping[str, object], scene: Scene) -> list[Step]:
    """A tool that commits by itself and tells the commit's name."""
    sha, message = str(arguments.get("sha", "")), str(arguments.get("message", "")).strip().partition("\n")[0][:200]
    if _SHA.fullmatch(sha) is None:
        return [Step(Verb.COMMITTED, "", ok=scene.ok, detail=message)]
    done = scene.ok is True
    return [Step(Verb.COMMITTED, sha, HandleKind.COMMIT_SHA, ok=scene.ok, detail=message, exists=done)]
