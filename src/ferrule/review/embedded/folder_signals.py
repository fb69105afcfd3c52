"""A folder, worktree or repository is worth more when it is another than the session's own.

Owns the signals of that group, among them that the user asks about it by name and only the answer tells where it is.
Knows nothing of weights.
"""

import re
from functools import lru_cache

from ferrule.bridge.evidence import spans_of
from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind
from ferrule.review.embedded.merging import path_parts
from ferrule.review.embedded.scenes import MAKING, Scene
from ferrule.review.embedded.things import PATHS, Thing
from ferrule.review.embedded.words import words_name
from ferrule.session.turn import Verb

__all__ = ["folder_signals"]

_DEEP = 2  # `/workspace` is where things are, not a thing
_MANY = 3
_SHORTEST = 3  # letters of a name that is recognised as it is spelled


def folder_signals(scene: Scene, index: int) -> dict[str, float]:
    """Whether a folder, worktree or repository is another than the session's own, and what was made inside."""
    thing = scene.things[index]
    prefixes = tuple(value.rstrip("/\\").casefold() for value in thing.values)
    inside = [
        i
        for i in scene.reading.changed
        if any(v.casefold().startswith(p + s) for v in scene.things[i].values for p in prefixes for s in "/\\")
    ]
    made = [i for i in inside if scene.things[i].did(Verb.CREATED)]
    absolute = any(value.startswith(("/", "~")) or value[1:2] == ":" for value in thing.values)
    outcome, user = index in scene.outcome_order, index in scene.intent_order
    own = _inside_own(scene, thing)
    remote = thing.kind in (HandleKind.REPOSITORY_ID, HandleKind.URL)
    other = not own if absolute else remote and not _is_own_remote(scene, thing)
    worded = not (outcome or user) and _worded(scene, thing)
    called = _called_folder(scene, thing)
    handled = bool({action.verb for action in thing.actions if action.ok is not False} & _USING)
    return {
        "repository": float(scene.types[index] == "Repository"),
        "worktree": float(scene.types[index] == "Worktree"),
        "worktree_told": float(scene.types[index] == "Worktree" and outcome),
        "asked_by_name": float(outcome and not user and not own and (absolute or other) and _called(scene, index)),
        "many_inside": float(len(made) > _MANY),
        "changed_inside": float(bool(inside) and (outcome or user)),
        "absolute": float(absolute),
        "shallow": float(thing.kind in PATHS and not called and _shallow(thing, absolute=absolute)),
        "elsewhere": float(absolute and not own and (outcome or user)),
        "elsewhere_user": float(absolute and not own and user),
        "elsewhere_seen": float(absolute and not own and outcome and bool(thing.actions)),
        "remote": float(remote),
        "remote_both": float(remote and user and outcome),
        "other_remote": float(remote and other and (user or (outcome and (handled or _addressed(thing))))),
        "used_elsewhere": float(other and handled and (outcome or user or worded)),
        "worded": float(worded),
        "called_folder": float(called),
        "made_named": float(bool({a.verb for a in thing.actions if a.ok is not False} & MAKING) and (outcome or user)),
        "moved": float(bool(thing.former) and (outcome or user)),
    }


_FOLDER_WORD = expression(
    r"[`'\"*)\]/]{0,4} (?:director(?:y|ies)|folders?|dir|ordner|verzeichnis|carpeta|directorio|dossier|répertoire)\b",
    re.IGNORECASE,
)
_REACH = 24


def _called_folder(scene: Scene, thing: Thing) -> bool:
    """Whether the user calls it a folder right behind its name: "the specs directory"."""
    text, name = _folded(scene.reading.intent), _last(thing)
    if thing.kind not in PATHS or len(name) < _SHORTEST or name in _ANYWHERE:
        return False
    return any(_FOLDER_WORD.match(text[end : end + _REACH]) for _, end in spans_of(text, name))


@lru_cache(maxsize=8)
def _folded(text: str) -> str:
    """Case folded once a turn, for its folders ask in a row."""
    return text.casefold()


_ANYWHERE = frozenset(
    (
        *(
            "workspace",
            "repo",
            "repos",
            "source",
            "sources",
            "src",
            "project",
            "projects",
            "code",
            "app",
            "work",
            "home",
            "working",
            "root",
            "current",
            "parent",
            "target",
        ),
        *("test", "tests", "docs", "bin", "lib", "data", "build", "sessions", "files", "output", "scripts", "tmp"),
        *("workspaces", "testbed", "repository", "repositories", "container", "applications", "volumes", "documents"),
    )
)


def _shallow(thing: Thing, *, absolute: bool) -> bool:
    """One part alone tells nothing, unless it hangs from the root and has a name that is its own."""
    if max(len(path_parts(value)) for value in thing.values) >= _DEEP:
        return False
    name = _last(thing)
    return not absolute or len(name) < _OWN or name in _ANYWHERE


_OWN = 8  # letters: `/workspace` is in the list above, `/mnt` and `/testbed` are where things are


def _called(scene: Scene, index: int) -> bool:
    """Whether the user calls it by its folder's or repository's name alone, and only the answer tells where it is."""
    name = _last(scene.things[index])
    if len(name) < _SHORTEST or name in _ANYWHERE:
        return False
    if any(_last(scene.things[other]) == name for other in scene.intent_order):
        return False
    return any(True for _ in spans_of(_folded(scene.reading.intent), name))


def _worded(scene: Scene, thing: Thing) -> bool:
    """Whether anybody calls it by its name's words, or by a short name as it is spelled."""
    text, name = scene.reading.outcome + "\n" + scene.reading.intent, _last(thing)
    if words_name(thing, text):
        return True
    return len(name) == _SHORTEST and name not in _ANYWHERE and any(True for _ in spans_of(text.casefold(), name))


def _last(thing: Thing) -> str:
    """The last component of its longest spelling, case folded."""
    parts = path_parts(max(thing.values, key=len).removesuffix(".git"))
    return parts[-1] if parts else ""


def _addressed(thing: Thing) -> bool:
    """Whether its host stands with it anywhere: `a/b` in an answer may be any two words, or an action that CI uses."""
    return any("." in value or ":" in value for value in thing.values)


_USING = frozenset(
    {Verb.PUSHED, Verb.COMMITTED, Verb.CLONED, Verb.MERGED, Verb.BRANCHED, Verb.CONFIGURED, Verb.DEPLOYED}
)


def _is_own_remote(scene: Scene, thing: Thing) -> bool:
    """Whether a repository id or address is that of the repository the turn works in, as far as its place tells."""
    place = scene.view.place
    names = {
        path_parts(value)[-1] for value in (place.cwd, place.root, place.repository) if value and path_parts(value)
    }
    return any(path_parts(value.removesuffix(".git"))[-1:] == (name,) for value in thing.values for name in names)


def _inside_own(scene: Scene, thing: Thing) -> bool:
    place = scene.view.place
    own = [value.rstrip("/\\").casefold() for value in (place.cwd, place.root) if value]
    return any(value.casefold().startswith(prefix) for value in thing.values for prefix in own)
