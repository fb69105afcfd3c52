"""What is neither file, folder, command nor work item: made and named, set up, or where a value is taken from.

Owns the signals of those groups. Knows nothing of weights.
"""

from ferrule.bridge.values import Role
from ferrule.review.embedded import cues
from ferrule.review.embedded.scenes import Scene, group_of, making_verbs
from ferrule.review.embedded.surroundings import share
from ferrule.review.embedded.things import Thing

__all__ = ["other_signals"]

_DEFAULT = frozenset(("main", "master", "trunk", "develop", "dev", "origin/main", "origin/master"))


def other_signals(scene: Scene, index: int) -> dict[str, float]:
    """How a release, package, host, service, branch, commit, session or secret stands in the turn."""
    thing, type_ = scene.things[index], scene.types[index]
    made = bool({action.verb for action in thing.actions if action.ok is not False} & making_verbs(type_))
    return {
        "made_named": float(made and index in scene.outcome_order),
        "commit_turn": float(
            type_ == "Commit" and not made and scene.reading.committed and index in scene.outcome_order
        ),
        f"is_{type_.lower()}": float(group_of(type_) == "other"),
        "default_branch": float(type_ == "Branch" and bool(_DEFAULT.intersection(thing.values)) and not made),
        "taken_from": float(type_ == "SecretReference" and _taken_from(scene, thing)),
        "setup": _setup(scene, thing) if type_ in ("SecretReference", "Environment") else 0.0,
    }


def _setup(scene: Scene, thing: Thing) -> float:
    """The share of spoken mentions where it is said that the secret is to be set up, or is."""
    spoken = thing.within(Role.INTENT, Role.OUTCOME)
    return share(scene, spoken, lambda before, after: bool(cues.SETUP.search(before[-60:] + " " + after[:60])))


def _taken_from(scene: Scene, thing: Thing) -> bool:
    """Whether the user says that the value is to be read from this secret."""
    return bool(share(scene, thing.within(Role.INTENT), lambda before, _: bool(cues.TAKEN_FROM.search(before))))
