"""What package managers did: what was installed, published or removed.

Owns their command shapes as data. Knows nothing of builds and tests, which run under the same programs.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind
from ferrule.session.ledger.commands import Command
from ferrule.session.ledger.options import names, parse
from ferrule.session.ledger.steps import Scene, Step, usable
from ferrule.session.turn import Verb

__all__ = ["is_packager", "package_steps", "publisher_steps"]


@dataclass(frozen=True, slots=True)
class _Packager:
    """Subcommands of a package manager by what they do."""

    install: frozenset[str]
    remove: frozenset[str] = frozenset()
    publish: frozenset[str] = frozenset()
    values: tuple[str, ...] = ()


_NODE = _Packager(
    names("install i add"),
    names("remove rm uninstall un"),
    names("publish"),
    ("--filter", "-w", "--workspace", "-C", "--dir", "--prefix", "--registry", "--cwd", "--tag", "--otp"),
)
_PACKAGERS: Mapping[str, _Packager] = {
    "npm": _NODE,
    "pnpm": _NODE,
    "yarn": _NODE,
    "bun": _NODE,
    "pip": _Packager(
        names("install"),
        names("uninstall"),
        values=("-r", "-e", "-c", "-t", "-i", "--index-url", "--extra-index-url", "--target", "--requirement", "-f"),
    ),
    "pipx": _Packager(names("install inject"), names("uninstall"), values=("--python",)),
    "uv": _Packager(
        names("add"),
        names("remove"),
        names("publish"),
        ("--group", "--extra", "--python", "-p", "--index", "--package", "--directory", "--optional"),
    ),
    "poetry": _Packager(names("add"), names("remove"), names("publish"), ("-G", "--group", "-E", "-C")),
    "cargo": _Packager(
        names("add install"),
        names("remove uninstall"),
        names("publish"),
        ("-p", "--package", "-F", "--features", "--git", "--path", "--version", "--manifest-path", "--vers"),
    ),
    "go": _Packager(names("get install"), values=("-ldflags", "-tags", "-o")),
    "brew": _Packager(names("install upgrade tap"), names("uninstall remove untap")),
    "apt": _Packager(names("install"), names("remove purge"), values=("-o", "-t")),
    "apk": _Packager(names("add"), names("del")),
    "dnf": _Packager(names("install"), names("remove")),
    "gem": _Packager(names("install"), names("uninstall"), names("push"), ("-v", "--version")),
    "choco": _Packager(names("install"), names("uninstall")),
    "winget": _Packager(names("install"), names("uninstall"), values=("--id", "-s")),
    "composer": _Packager(names("require"), names("remove")),
    "conda": _Packager(names("install"), names("remove"), values=("-n", "-c", "--name", "--channel")),
}
_ALSO_CALLED = {"pip3": "pip", "apt-get": "apt", "yum": "dnf", "mamba": "conda", "aptitude": "apt"}
_PACKAGE = expression(r"@?[A-Za-z0-9][\w./@:=<>~^!,\[\]+*-]{0,200}")
_MAX_PACKAGES = 20


def is_packager(program: str) -> bool:
    """Whether a program is a package manager."""
    return _ALSO_CALLED.get(program, program) in _PACKAGERS


def package_steps(command: Command, scene: Scene) -> list[Step]:
    """The steps of a package manager's command; empty when it neither installs, removes nor publishes."""
    name, words = _ALSO_CALLED.get(command.program, command.program), list(command.words[1:])
    if name.startswith("python") and words[:2] == ["-m", "pip"]:
        name, words = "pip", words[2:]
    if name == "uv" and words[:1] == ["pip"]:
        name, words = "pip", words[1:]
    if name == "uv" and words[:2] == ["tool", "install"]:
        name, words = "pipx", words[1:]
    packager = _PACKAGERS.get(name)
    if packager is None:
        return publisher_steps(command, scene)
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in packager.values else words[1:]
    if not words:
        return []
    return _done(packager, words, command, scene)


def _done(packager: _Packager, called: Sequence[str], command: Command, scene: Scene) -> list[Step]:
    action, words = called[0], called[1:]
    if action in packager.publish:
        return _published(command, words, scene)
    if action == "version" and command.program in {"npm", "pnpm", "yarn"}:
        made = _TAGGED.search(scene.output)
        return [Step(Verb.TAGGED, made[1], HandleKind.TAG, ok=True, exists=True)] if made and words else []
    if action not in packager.install | packager.remove:
        return []
    verb = Verb.INSTALLED if action in packager.install else Verb.DELETED
    operands = [word for word in parse(words, packager.values).operands if _is_package(word)]
    if not operands:
        return [Step(verb, command.text, HandleKind.COMMAND)] if verb is Verb.INSTALLED else []
    return [
        Step(verb, _unpinned(name), HandleKind.PACKAGE_ID, detail=command.program) for name in operands[:_MAX_PACKAGES]
    ]


def _unpinned(name: str) -> str:
    """The package without the version that was asked for: `left-pad@1.3.0` is `left-pad`."""
    bare = _PIN.split(name, maxsplit=1)[0]
    return bare or name


def _published(command: Command, words: Sequence[str], scene: Scene) -> list[Step]:
    """The command, and what its output shows as published; a dry run publishes nothing."""
    if "--dry-run" in words or "-n" in words or "--build" in words:
        return [Step(Verb.TESTED, command.text, HandleKind.COMMAND)]
    steps = [Step(Verb.RELEASED, command.text, HandleKind.COMMAND)]
    shown = [found for pattern in _SHOWN for found in pattern.findall(scene.output)][:_MAX_PACKAGES]
    return [
        *steps,
        *(Step(Verb.RELEASED, name, HandleKind.PACKAGE_ID, ok=True, exists=True) for name in dict.fromkeys(shown)),
    ]


def publisher_steps(command: Command, scene: Scene) -> list[Step]:
    """The steps of a program whose business is releasing: `twine upload`, `goreleaser release`, `mvn deploy`."""
    words, actions = command.words[1:], _PUBLISHERS.get(command.program)
    if actions is None or (actions and not actions.intersection(words)):
        return []
    return _published(command, [*words, *(("--dry-run",) if "--snapshot" in words else ())], scene)


_PUBLISHERS: Mapping[str, frozenset[str]] = {
    "twine": names("upload"),
    "goreleaser": names("release"),
    "semantic-release": names(""),
    "release-it": names(""),
    "changeset": names("publish"),
    "lerna": names("publish"),
    "vsce": names("publish"),
    "ovsx": names("publish"),
    "flit": names("publish"),
    "hatch": names("publish"),
    "pdm": names("publish"),
    "mvn": names("deploy release:perform"),
    "mvnw": names("deploy release:perform"),
    "gradle": names("publish publishToMavenLocal publishPlugins"),
    "gradlew": names("publish publishToMavenLocal publishPlugins"),
    "mix": names("hex.publish"),
    "jsr": names("publish"),
    "wasm-pack": names("publish"),
}
_PIN = expression(r"(?<=[\w\]])(?:@(?=[\w^~*.])|[=~<>!]=?|\[)")
_TAGGED = expression(r"^(v?\d{1,5}\.\d{1,5}\.\d{1,6}(?:[-+][\w.-]{1,40})?)$", re.MULTILINE)
# What the programs print for what they published: the name alone.
_SHOWN = (
    expression(r"^\+ (@?[a-z0-9][\w./-]{0,100})@\d", re.MULTILINE),
    expression(r"^\s{0,12}(?:Published|Uploaded) ([a-z0-9][\w-]{0,80}) v?\d", re.MULTILINE),
    expression(r"^Successfully registered gem: ([\w.-]{1,80}) \(", re.MULTILINE),
    expression(r"^Uploading ([A-Za-z0-9][A-Za-z0-9._]{0,80}?)-\d[\w.]{0,30}(?:-py3|\.tar)", re.MULTILINE),
)


def _is_package(word: str) -> bool:
    if (
        word.startswith((".", "/", "~", "http:", "https:", "git+"))
        or "\\" in word
        or word.endswith((".whl", ".tgz", ".tar.gz", ".txt"))
    ):
        return False
    return usable(word) and _PACKAGE.fullmatch(word) is not None
