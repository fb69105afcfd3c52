"""What commands did with containers, their images, clusters and charts.

Owns those programs as data and small functions. Knows nothing of the files that describe them but their paths.
"""

from collections.abc import Callable, Iterator, Mapping

from ferrule.referents.kinds import HandleKind
from ferrule.session.ledger.commands import Command
from ferrule.session.ledger.options import names, parse
from ferrule.session.ledger.steps import Scene, Step, path_step, usable
from ferrule.session.turn import Verb

__all__ = ["CONTAINER_PROGRAMS"]

_CONTAINER_VALUES = names(
    "-t --tag -f --file --name -p -v -e --network -w -u --platform --entrypoint --env-file --mount --restart -h "
    "--build-arg --target -n --tail --format --filter"
)
_MOST = 8

_Steps = Iterator[Step | None]


def _docker(command: Command, scene: Scene) -> _Steps:
    words = list(command.words[1:])
    if words[:1] == ["compose"] or command.program in {"docker-compose", "podman-compose"}:
        yield from _compose(words[1:] if words[:1] == ["compose"] else words, scene)
        return
    while words and words[0] in {"container", "image", "buildx"}:
        words = words[1:]
    if words[:1] in (["volume"], ["network"]):
        yield from _made(words)
        return
    options = parse(words[1:], _CONTAINER_VALUES)
    action = words[0] if words else ""
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
        verb = _CONTAINER_ACTIONS.get(action)
        if verb is not None:
            image = action in {"push", "pull", "rmi"}
            kind = _image(options.operands[0]) if image else HandleKind.OTHER_ID
            yield Step(verb, options.operands[0], kind, detail="image" if image else "container")


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


def _compose(words: list[str], scene: Scene) -> _Steps:
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
    for service in options.operands[1 : 2 if action in {"exec", "run"} else _MOST]:
        if usable(service):
            yield Step(verb, service, HandleKind.OTHER_ID, detail="service")


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
