"""A project's own ontology is part of the permanent layer once a person has trusted it, word for word (design.md 7).

Owns whether what stands in a project's `.ferrule/ontology` now is what was trusted, and the layer of a session whose
folder lies in that project. Where nothing was ever trusted this costs one look. Knows nothing of how trust is given.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from ferrule.adapters.projects.ontology import FOLDER, OntologyFolder, read_ontology
from ferrule.adapters.projects.places import git_root, main_root, origin_of, real
from ferrule.adapters.projects.records import PROJECTS, Trusted, digest_of, trusted
from ferrule.errors import FerruleError
from ferrule.ontology.layer import PrototypeLayer
from ferrule.ontology.reading import NamedText
from ferrule.referents.kinds import Place
from ferrule.session.place import normal_remote
from ferrule.wiring.permanent import Told, permanent_layer

__all__ = ["Projects", "Standing", "Trust", "named_texts", "projects_of", "standing"]


class Trust(StrEnum):
    """How a project's folder stands."""

    NONE = "none"
    UNTRUSTED = "untrusted"
    CHANGED = "changed"
    TRUSTED = "trusted"


@dataclass(frozen=True, slots=True)
class Standing:
    """A project's folder as it is, and what of it was trusted; `trusted` is None where nothing was."""

    trust: Trust
    folder: OntologyFolder
    trusted: Trusted | None


def standing(home: Path, root: Path) -> Standing:
    """Compare what is there with what was trusted: of this folder, or of the checkout that a worktree is made from."""
    folder = read_ontology(root)
    own = trusted(home, real(root))
    main = main_root(root)
    others = (trusted(home, main),) if main != real(root) else ()
    for given in (own, *others):
        if given is not None and folder.texts and _is_as_trusted(folder, given):
            return Standing(Trust.TRUSTED, folder, given)
    if own is not None:
        return Standing(Trust.CHANGED, folder, own)
    return Standing(Trust.UNTRUSTED if folder.there else Trust.NONE, folder, next(filter(None, others), None))


def _is_as_trusted(folder: OntologyFolder, given: Trusted) -> bool:
    """Whether the trusted files are there, word for word, and no other but what was left out then."""
    now = {text.name: text.text for text in folder.texts}
    if any(now.get(name) != text for name, text in given.texts.items()):
        return False
    return all(given.ignored.get(name) == digest_of(now[name]) for name in now.keys() - given.texts.keys())


def named_texts(root: Path, texts: Mapping[str, str]) -> tuple[NamedText, ...]:
    """Files of a project as the loader takes them, by name, each called by its whole path."""
    place = root.joinpath(*FOLDER)
    return tuple((str(place / name), texts[name]) for name in sorted(texts))


@dataclass(frozen=True, slots=True)
class _Loaded:
    texts: Mapping[str, str]
    layer: PrototypeLayer
    problem: str


class Projects:
    """The permanent layers of one home's sessions.

    Args:
        home: where a person's decisions about projects stand.
        permanent: the layer of sessions without a trusted project.
        load: the layer with these texts of that folder on top; raises `FerruleError` when they do not fit.
    """

    def __init__(
        self, home: Path, permanent: PrototypeLayer, load: Callable[[Path, Sequence[NamedText]], PrototypeLayer]
    ) -> None:
        self.home = home
        self.permanent = permanent
        self._load = load
        self._loaded: dict[Path, _Loaded] = {}
        self._notices: dict[str, None] = {}

    def decided(self) -> bool:
        """Whether anything was ever decided about any project: one look at the disk."""
        return (self.home / PROJECTS).is_dir()

    def layer(self, cwd: str | None) -> PrototypeLayer:
        """The permanent layer of a session that works in `cwd`. Raises nothing: what does not fit is not read."""
        found = self._standing(cwd)
        if found is None or found.trusted is None:
            return self.permanent
        notice = self._notice(found, found.trusted)
        if notice:
            self._notices[notice] = None
        if found.trust is not Trust.TRUSTED:
            return self.permanent
        return self.with_texts(found.folder.root, found.trusted.texts)[0]

    def notices(self) -> tuple[str, ...]:
        """What a person should know of the projects that were asked for: which is not read, why, and the way out."""
        return tuple(self._notices)

    def _notice(self, found: Standing, given: Trusted) -> str:
        root = found.folder.root
        place = root.joinpath(*FOLDER)
        if found.trust is Trust.NONE:  # a worktree without one, of a checkout that has one
            return ""
        if found.trust is Trust.CHANGED and not found.folder.there:
            return f"{place} was trusted and is gone; ferrule untrust {root} forgets it"
        if found.trust is not Trust.TRUSTED:
            return f"{place} is not as it was trusted and is not read; ferrule trust {root} shows what changed"
        problem = self.with_texts(root, given.texts)[1]
        return f"{place} is trusted, but is not read: {problem}" if problem else ""

    def with_texts(self, root: Path, texts: Mapping[str, str]) -> tuple[PrototypeLayer, str]:
        """The permanent layer with a project's files on top, or without them and why."""
        held = self._loaded.get(root)
        if held is None or held.texts != texts:
            held = self._made(root, texts)
            self._loaded[root] = held
        return held.layer, held.problem

    def _made(self, root: Path, texts: Mapping[str, str]) -> _Loaded:
        try:
            return _Loaded(texts, self._load(root, named_texts(root, texts)), "")
        except FerruleError as problem:
            return _Loaded(texts, self.permanent, str(problem))

    def _standing(self, cwd: str | None) -> Standing | None:
        if not self.decided():
            return None
        root = git_root(cwd)
        if root is None:
            return None
        known = trusted(self.home, real(root)) or trusted(self.home, main_root(root))
        return None if known is None else standing(self.home, root)


def projects_of(
    home: Path, replacing: Sequence[Path | str], added: Sequence[Path | str], told: Told | None = None
) -> Projects:
    """The layers of one home; `told` what takes long. Raises as `permanent_layer` for the home's own part of them."""
    permanent = permanent_layer(replacing, added, home=home, told=told)

    def load(root: Path, texts: Sequence[NamedText]) -> PrototypeLayer:
        return permanent_layer(replacing, added, texts, _places(root), home=home, told=told)

    return Projects(home, permanent, load)


def _places(root: Path) -> tuple[Place, ...]:
    """What a project's relative paths are relative to, in each spelling by which a session may know it."""
    spelled = dict.fromkeys((str(root), str(real(root))))
    remote = normal_remote(origin_of(root))
    return tuple(Place(one, one, repository) for one in spelled for repository in dict.fromkeys((None, remote)))
