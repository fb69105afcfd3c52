"""What commands did with containers, their images, clusters and charts.

Owns those programs as data and small functions. Knows nothing of the files that describe them but their paths.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind
from ferrule.session.ledger.commands import Command
from ferrule.session.ledger.files import FILE_PROGRAMS
from ferrule.session.ledger.options import names, parse
from ferrule.session.ledger.runs import run_steps
from ferrule.session.ledger.steps import Scene, Step, path_step, usable
from ferrule.session.turn import Verb

__all__ = ["CONTAINER_PROGRAMS"]

_CONTAINER_VALUES = names(
    "-t --tag -f --file --name -p -v -e --network -w -u --platform --entrypoint --env-file --mount --restart -h "
    "--build-arg --target -n --tail --format --filter"
)
_INSIDE = frozenset({"exec", "run"})
_INSIDE_VALUES = (_CONTAINER_VALUES - names("-t --tag -f --file -h --restart")) | names(
    "--env --user --workdir --volume --publish --hostname -h --restart -l --label --index --detach-keys --add-host "
    "--gpus -m"
)
_SHELL = expression(r"(?:/(?:usr/)?bin/)?(?:ba|z|da|a)?sh")
_MOST = 8

_Steps = Iterator[Step | None]


def _docker(command: Command, scene: Scene) -> _Steps:
    words = list(command.words[1:])
    if words[:1] == ["compose"] or command.program in {"docker-compose", "podman-compose"}:
        yield from _compose(command, words[1:] if words[:1] == ["compose"] else words, scene)
        return
    while words and words[0] in {"container", "image", "buildx"}:
        words = words[1:]
    if words[:1] in (["volume"], ["network"]):
        yield from _made(words)
        return
    action = words[0] if words else ""
    options = parse(words[1:], _INSIDE_VALUES if action in _INSIDE else _CONTAINER_VALUES)
    if action == "build":
        tag = options.value("-t", "--tag")
        yield Step(Verb.BUILT, tag if usable(tag) else command.text, _image(tag) if tag else HandleKind.COMMAND)
    elif action == "run":
        name = options.value("--name") or (options.operands[0] if options.operands else "")
        if usable(name):
            yield Step(Verb.STARTED, name, HandleKind.OTHER_ID, detail="container")
    elif action == "tag" and len(options.operands) > 1 and usable(options.operands[1]):
        yield Step(Verb.TAGGED, options.operands[1], _image(options.operands[1]), detail="image")
    elif options.operands and usable(options.operands[0]):
        yield from _handled(action, options.operands[0])
    if action in _INSIDE:
        yield from _inside(command, words[1:], scene)


def _handled(action: str, name: str) -> _Steps:
    """What was done to a container or an image that exists."""
    verb = _CONTAINER_ACTIONS.get(action)
    if verb is not None:
        image = action in {"push", "pull", "rmi"}
        yield Step(verb, name, _image(name) if image else HandleKind.OTHER_ID, detail="image" if image else "container")


def _inside(command: Command, words: Sequence[str], scene: Scene) -> _Steps:
    """What ran in a container: the whole line is the command to run again, named by what it runs inside."""
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in _INSIDE_VALUES else 1
    inner = tuple(words[at + 1 :])
    if inner and inner[0].startswith("-"):
        inner = tuple(words[at:])  # a service that is a program: `compose run --rm phpunit --testdox`
    if not inner or inner[0] in FILE_PROGRAMS or _SHELL.fullmatch(inner[0]):
        return
    for step in run_steps(replace(command, words=inner), scene):
        if step.kind is HandleKind.COMMAND:
            yield step


def _image(name: str) -> HandleKind:
    """An image with its registry or owner is a package; a bare name is only known on this machine."""
    return HandleKind.PACKAGE_ID if "/" in name else HandleKind.OTHER_ID


def _made(words: list[str]) -> _Steps:
    """A volume or network that is created or removed."""
    options = parse(words[2:], ("-d", "--driver", "--subnet", "--label", "-o", "--opt"))
    verb = {"create": Verb.CREATED, "rm": Verb.DELETED}.get(words[1] if len(words) > 1 else "")
    for name in options.operands[:_MOST] if verb else ():
        if verb and usable(name):
            yield Step(verb, name, HandleKind.OTHER_ID, detail=words[0])


_CONTAINER_ACTIONS = {
    "start": Verb.STARTED,
    "restart": Verb.STARTED,
    "stop": Verb.STOPPED,
    "kill": Verb.STOPPED,
    "rm": Verb.DELETED,
    "rmi": Verb.DELETED,
    "push": Verb.RELEASED,
    "pull": Verb.PULLED,
    "exec": Verb.RAN,
    "logs": Verb.VIEWED,
    "inspect": Verb.VIEWED,
}


def _compose(command: Command, words: list[str], scene: Scene) -> _Steps:
    options = parse(words, ("-f", "--file", "-p", "--project-name", "--env-file", "--profile"))
    action = options.operands[0] if options.operands else ""
    verb = {
        "up": Verb.STARTED,
        "start": Verb.STARTED,
        "down": Verb.STOPPED,
        "stop": Verb.STOPPED,
        "build": Verb.BUILT,
        "restart": Verb.STARTED,
        "exec": Verb.RAN,
        "run": Verb.RAN,
        "logs": Verb.VIEWED,
        "rm": Verb.DELETED,
    }.get(action)
    if verb is None:
        return
    file = options.value("-f", "--file")
    if file:
        yield path_step(verb, file, scene, detail="compose")
    told = words[words.index(action) + 1 :]
    services = parse(told, _INSIDE_VALUES).operands[:1] if action in _INSIDE else options.operands[1:_MOST]
    for service in services:
        if usable(service):
            yield Step(verb, service, HandleKind.OTHER_ID, detail="service")
    if action in _INSIDE:
        yield from _inside(command, told, scene)


def _kubectl(command: Command, scene: Scene) -> _Steps:
    options = parse(command.words[1:], ("-n", "--namespace", "-f", "--filename", "-o", "--context", "-l", "-c", "-k"))
    action = options.operands[0] if options.operands else ""
    verb = _CLUSTER_ACTIONS.get(action)
    file = options.value("-f", "--filename", "-k")
    if file and verb is not None:
        if file.startswith(("http://", "https://")):
            yield Step(verb, file, HandleKind.URL)
        else:
            yield path_step(verb, file, scene)
        return
    words = list(options.operands[1:])
    if action in {"rollout", "set", "create"} and words and words[0] in _SECOND_WORDS:
        status = action == "rollout" and words[0] in {"status", "history"}
        verb = Verb.VIEWED if status else verb
        words = words[2:] if words[:2] == ["secret", "generic"] else words[1:] if words[0] != "secret" else words
        if options.operands[1] == "secret" and words and usable(words[0]):
            yield Step(Verb.CREATED, words[0], HandleKind.SECRET_NAME, detail=options.value("-n", "--namespace"))
            return
    name = words[0] if words and "/" in words[0] else "/".join(words[:2])
    if name and usable(name) and "=" not in name and ("/" in name or len(words) > 1 or action in _POD_ACTIONS):
        yield Step(verb or Verb.VIEWED, name, HandleKind.OTHER_ID, detail=options.value("-n", "--namespace"))


_CLUSTER_ACTIONS = {
    "apply": Verb.DEPLOYED,
    "create": Verb.CREATED,
    "delete": Verb.DELETED,
    "rollout": Verb.DEPLOYED,
    "set": Verb.CONFIGURED,
    "scale": Verb.CONFIGURED,
    "exec": Verb.RAN,
}
_POD_ACTIONS = frozenset({"exec", "logs"})
_SECOND_WORDS = frozenset({"restart", "undo", "status", "history", "image", "env", "resources", "secret"})


def _helm(command: Command, _scene: Scene) -> _Steps:
    options = parse(command.words[1:], ("-n", "--namespace", "-f", "--values", "--set", "--version"))
    verb = {"install": Verb.DEPLOYED, "upgrade": Verb.DEPLOYED, "uninstall": Verb.DELETED}.get(
        options.operands[0] if options.operands else ""
    )
    if verb is not None and len(options.operands) > 1 and usable(options.operands[1]):
        yield Step(verb, options.operands[1], HandleKind.OTHER_ID, detail="release")


CONTAINER_PROGRAMS: Mapping[str, Callable[[Command, Scene], _Steps]] = {
    "docker": _docker,
    "podman": _docker,
    "nerdctl": _docker,
    "docker-compose": _docker,
    "podman-compose": _docker,
    "kubectl": _kubectl,
    "oc": _kubectl,
    "helm": _helm,
}
