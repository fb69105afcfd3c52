"""What commands did beyond the file system: hosts, containers, clusters, databases, terminal sessions, the web.

Owns those programs as data and small functions. Knows nothing of files or git.
"""

import re
from collections.abc import Callable, Iterator, Mapping

from ferrule.referents.kinds import HandleKind
from ferrule.session.ledger.commands import Command
from ferrule.session.ledger.options import Parsed, names, parse
from ferrule.session.ledger.steps import Scene, Step, is_path_like, path_step, usable
from ferrule.session.turn import Verb

__all__ = ["HOST_PROGRAMS", "host_steps"]

_CONTAINER_VALUES = names(
    "-t --tag -f --file --name -p -v -e --network -w -u --platform --entrypoint --env-file --mount --restart -h "
    "--build-arg --target -n --tail --format --filter"
)
_URL = re.compile(r"(?:https?|ftp|wss?)://[^\s'\"<>]{3,1000}")
_HOST = re.compile(r"(?:[\w.-]{1,64}@)?([A-Za-z0-9][A-Za-z0-9.-]{0,200})")
_REMOTE_FILE = re.compile(r"(?:[\w.-]{1,64}@)?([A-Za-z0-9][A-Za-z0-9.-]{1,200}):(.{0,400})")

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


def _docker(command: Command, scene: Scene) -> _Steps:
    words = list(command.words[1:])
    if words[:1] == ["compose"] or command.program in {"docker-compose", "podman-compose"}:
        yield from _compose(words[1:] if words[:1] == ["compose"] else words, scene)
        return
    while words and words[0] in {"container", "image", "buildx"}:
        words = words[1:]
    options = parse(words[1:], _CONTAINER_VALUES)
    action = words[0] if words else ""
    if action == "build":
        tag = options.value("-t", "--tag")
        yield Step(Verb.BUILT, tag if usable(tag) else command.text, HandleKind.OTHER_ID if tag else HandleKind.COMMAND)
    elif action == "run":
        name = options.value("--name") or (options.operands[0] if options.operands else "")
        if usable(name):
            yield Step(Verb.STARTED, name, HandleKind.OTHER_ID, detail="container")
    elif options.operands and usable(options.operands[0]):
        verb = _CONTAINER_ACTIONS.get(action)
        if verb is not None:
            yield Step(verb, options.operands[0], HandleKind.OTHER_ID, detail="container")


_CONTAINER_ACTIONS = {
    "start": Verb.STARTED,
    "restart": Verb.STARTED,
    "stop": Verb.STOPPED,
    "kill": Verb.STOPPED,
    "rm": Verb.DELETED,
    "rmi": Verb.DELETED,
    "push": Verb.PUSHED,
    "pull": Verb.PULLED,
    "tag": Verb.TAGGED,
    "exec": Verb.RAN,
    "logs": Verb.VIEWED,
    "inspect": Verb.VIEWED,
}


def _compose(words: list[str], scene: Scene) -> _Steps:
    options = parse(words, ("-f", "--file", "-p", "--project-name", "--env-file", "--profile"))
    action = options.operands[0] if options.operands else ""
    verb = {
        "up": Verb.STARTED,
        "start": Verb.STARTED,
        "down": Verb.STOPPED,
        "stop": Verb.STOPPED,
        "build": Verb.BUILT,
    }.get(action)
    if verb is None:
        return
    file = options.value("-f", "--file")
    if file:
        yield path_step(verb, file, scene, detail="compose")
    for service in options.operands[1:8]:
        if usable(service):
            yield Step(verb, service, HandleKind.OTHER_ID, detail="service")


def _kubectl(command: Command, scene: Scene) -> _Steps:
    options = parse(command.words[1:], ("-n", "--namespace", "-f", "--filename", "-o", "--context", "-l", "-c", "-k"))
    action = options.operands[0] if options.operands else ""
    verb = {"apply": Verb.DEPLOYED, "create": Verb.CREATED, "delete": Verb.DELETED, "rollout": Verb.DEPLOYED}.get(
        action
    )
    file = options.value("-f", "--filename", "-k")
    if file and verb is not None:
        if file.startswith(("http://", "https://")):
            yield Step(verb, file, HandleKind.URL)
        else:
            yield path_step(verb, file, scene)
        return
    name = "/".join(options.operands[1:3])
    if name and usable(name) and len(options.operands) > 2:  # noqa: PLR2004 - action, type and name
        yield Step(verb or Verb.VIEWED, name, HandleKind.OTHER_ID, detail=options.value("-n", "--namespace"))


def _helm(command: Command, _scene: Scene) -> _Steps:
    options = parse(command.words[1:], ("-n", "--namespace", "-f", "--values", "--set", "--version"))
    verb = {"install": Verb.DEPLOYED, "upgrade": Verb.DEPLOYED, "uninstall": Verb.DELETED}.get(
        options.operands[0] if options.operands else ""
    )
    if verb is not None and len(options.operands) > 1 and usable(options.operands[1]):
        yield Step(verb, options.operands[1], HandleKind.OTHER_ID, detail="release")


def _postgres(command: Command, scene: Scene) -> _Steps:
    options = parse(
        command.words[1:], ("-d", "--dbname", "-h", "--host", "-U", "-p", "-c", "-f", "-v", "--username", "-o")
    )
    yield from _database(options, options.value("-d", "--dbname") or (options.operands[0] if options.operands else ""))
    yield from _script(options.value("-f"), scene)


def _mysql(command: Command, _scene: Scene) -> _Steps:
    options = parse(command.words[1:], ("-h", "--host", "-u", "-P", "-e", "-D", "--database", "--user"))
    yield from _database(
        options, options.value("-D", "--database") or (options.operands[0] if options.operands else "")
    )


def _database(options: Parsed, name: str) -> _Steps:
    host = options.value("-h", "--host")
    if host and usable(host):
        yield Step(Verb.RAN, host, HandleKind.HOST, detail="database")
    if name and usable(name) and "://" not in name:
        yield Step(Verb.RAN, name, HandleKind.DATABASE_ID)


def _script(path: str, scene: Scene) -> _Steps:
    if path:
        yield path_step(Verb.RAN, path, scene)


def _created_database(command: Command, _scene: Scene) -> _Steps:
    options = parse(command.words[1:], ("-h", "-U", "-O", "-p", "-E", "-T", "--host", "--owner"))
    if options.operands and usable(options.operands[0]):
        verb = Verb.CREATED if command.program == "createdb" else Verb.DELETED
        yield Step(verb, options.operands[0], HandleKind.DATABASE_ID)


def _sqlite(command: Command, scene: Scene) -> _Steps:
    options = parse(command.words[1:], ("-cmd", "-init", "-separator", "-nullvalue"))
    if options.operands and is_path_like(options.operands[0]):
        yield path_step(Verb.RAN, options.operands[0], scene, detail="database")


def _tmux(command: Command, _scene: Scene) -> _Steps:
    words = command.words[1:]
    options = parse(words[1:], ("-s", "-t", "-n", "-c", "-x", "-y", "-F", "-p", "-S"))
    action = words[0] if words else ""
    name = options.value("-s") if action in {"new", "new-session"} else options.value("-t")
    if not name or not usable(name):
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


HOST_PROGRAMS: Mapping[str, Callable[[Command, Scene], _Steps]] = {
    "curl": _fetch,
    "wget": _fetch,
    "http": _fetch,
    "https": _fetch,
    "xh": _fetch,
    "invoke-webrequest": _fetch,
    "iwr": _fetch,
    "ssh": _ssh,
    "mosh": _ssh,
    "scp": _remote_copy,
    "rsync": _remote_copy,
    "docker": _docker,
    "podman": _docker,
    "docker-compose": _docker,
    "podman-compose": _docker,
    "kubectl": _kubectl,
    "oc": _kubectl,
    "helm": _helm,
    "psql": _postgres,
    "pg_dump": _postgres,
    "pg_restore": _postgres,
    "createdb": _created_database,
    "dropdb": _created_database,
    "mysql": _mysql,
    "mariadb": _mysql,
    "mysqldump": _mysql,
    "sqlite3": _sqlite,
    "duckdb": _sqlite,
    "tmux": _tmux,
    "screen": _screen,
    "systemctl": _service,
    "service": _service,
}
