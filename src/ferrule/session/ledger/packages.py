"""What package managers did: what was installed, published or removed.

Owns their command shapes as data. Knows nothing of builds and tests, which run under the same programs.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ferrule.referents.kinds import HandleKind
from ferrule.session.ledger.commands import Command
from ferrule.session.ledger.options import names, parse
from ferrule.session.ledger.steps import Scene, Step, usable
from ferrule.session.turn import Verb

__all__ = ["is_packager", "package_steps"]


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
_PACKAGE = re.compile(r"@?[A-Za-z0-9][\w./@:=<>~^!,\[\]+*-]{0,200}")
_MAX_PACKAGES = 20


def is_packager(program: str) -> bool:
    """Whether a program is a package manager."""
    return _ALSO_CALLED.get(program, program) in _PACKAGERS


def package_steps(command: Command, _scene: Scene) -> list[Step]:
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
        return []
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in packager.values else words[1:]
    if not words:
        return []
    return _done(packager, words[0], words[1:], command)


def _done(packager: _Packager, action: str, words: Sequence[str], command: Command) -> list[Step]:
    if action in packager.publish:
        return [Step(Verb.RELEASED, command.text, HandleKind.COMMAND)]
    if action not in packager.install | packager.remove:
        return []
    verb = Verb.INSTALLED if action in packager.install else Verb.DELETED
    operands = [word for word in parse(words, packager.values).operands if _is_package(word)]
    if not operands:
        return [Step(verb, command.text, HandleKind.COMMAND)] if verb is Verb.INSTALLED else []
    return [Step(verb, name, HandleKind.PACKAGE_ID, detail=command.program) for name in operands[:_MAX_PACKAGES]]


def _is_package(word: str) -> bool:
    if (
        word.startswith((".", "/", "~", "http:", "https:", "git+"))
        or "\\" in word
        or word.endswith((".whl", ".tgz", ".tar.gz", ".txt"))
    ):
        return False
    return usable(word) and _PACKAGE.fullmatch(word) is not None
