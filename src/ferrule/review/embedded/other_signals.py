"""What is neither file, folder, command nor work item: made and named, set up, asked for by its kind, corrected.

Owns the signals of those groups. Knows nothing of weights.
"""
# ruff: noqa: E501 - word lists are the data here

import re
from collections.abc import Sequence

from ferrule.bridge.values import Role
from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind
from ferrule.review.embedded import cues
from ferrule.review.embedded.merging import path_parts
from ferrule.review.embedded.scenes import Scene, group_of, making_verbs
from ferrule.review.embedded.surroundings import around, said_in, share
from ferrule.review.embedded.things import PATHS, Thing
from ferrule.session.turn import Verb

__all__ = ["other_signals"]

_DEFAULT = frozenset(("main", "master", "trunk", "develop", "dev", "origin/main", "origin/master"))
_DEEP = 2
_LOOKING = frozenset({Verb.VIEWED, Verb.FETCHED, Verb.READ, Verb.LISTED, Verb.SEARCHED})
_KIND_WORDS = {
    "Database": r"databases?|db|datenbank|base de (?:données|datos)|banco de dados|баз[аы] данных|数据库|データベース",
    "Service": r"(?:dev |local |api |web )?servers?|services?|endpoints?|backend|dienst|serveur|servi(?:dor|cio|ço)|сервер\w?|服务|サーバー",
    "Host": r"hosts?|servers?|machines?|box|vm|nodes?|rechner|serveur|servidor|сервер\w?|服务器|サーバー",
    "Package": r"packages?|librar(?:y|ies)|dependency|plugins?|crates?|gems?|modules?|paket|paquete?|pacote|пакет\w?|包|パッケージ",
    "Release": r"releases?|version|tags?|veröffentlichung|versión|versão|релиз\w?|版本|リリース",
    "WebSite": r"web ?sites?|pages?|url|link|seite|sitio|sito|página|pagina|strona|сайт\w?|网站|サイト",
    "Api": r"api|endpoints?",
    "Session": r"sessions?|workers?|tmux|terminal|sitzung|sesión|sessão|сесси\w|会话|セッション",
    "Branch": r"branch(?:es)?|zweig|branche|rama|ветк\w|分支|ブランチ",
}
_KINDS = {
    type_: expression(rf"(?<![A-Za-z])(?:{words})(?![A-Za-z])", re.IGNORECASE) for type_, words in _KIND_WORDS.items()
}
_LONG = 8  # letters: a slip in a shorter name could be another name
_SLIPS = 2


def other_signals(scene: Scene, index: int) -> dict[str, float]:
    """How a release, package, host, service, branch, commit, session or secret stands in the turn."""
    thing, type_ = scene.things[index], scene.types[index]
    verbs = {action.verb for action in thing.actions if action.ok is not False}
    made = bool(verbs & making_verbs(type_))
    outcome, user = index in scene.outcome_order, index in scene.intent_order
    told = outcome or said_in(thing, scene.reading.outcome)
    return {
        "made_named": float(made and told),
        "handled_named": float(not made and bool(verbs - _LOOKING) and (told or user)),
        "published": float(
            told and any(a.verb is Verb.PUSHED and a.detail == "new branch" and a.ok for a in thing.actions)
        ),
        "commit_turn": float(type_ == "Commit" and not made and scene.reading.committed and outcome),
        f"is_{type_.lower()}": float(group_of(type_) == "other"),
        "default_branch": float(type_ == "Branch" and bool(_DEFAULT.intersection(thing.values)) and not made),
        "taken_from": float(type_ == "SecretReference" and _taken_from(scene, thing)),
        "setup": _setup(scene, thing) if type_ in ("SecretReference", "Environment") or _variable(thing) else 0.0,
        "called_secret": float(user and _called_secret(scene, thing)),
        "handed_in": float(user and _handed_in(scene, thing)),
        "called_host": float(user and type_ == "Host" and _called_host(scene, thing)),
        "superseded": _superseded(scene, thing),
        "host_echo": float(type_ == "Host" and _echoed(scene, index)),
        "handled_user": float(
            type_ == "Branch" and user and bool(verbs - _LOOKING) and not _DEFAULT.intersection(thing.values)
        ),
        "asked_kind": float(outcome and not user and _asked_kind(scene, index)),
        "reached": float(user and type_ in _REACHED and _reached(scene, thing)),
        "corrects": float(outcome and not user and _corrects(scene, index)),
        "user_path": float(user and thing.kind in PATHS and _written_whole(thing)),
    }


def _setup(scene: Scene, thing: Thing) -> float:
    """The share of spoken mentions where it is said that the secret is to be set up, or is."""
    spoken = thing.within(Role.INTENT, Role.OUTCOME)
    return share(scene, spoken, lambda before, after: bool(cues.SETUP.search(before[-60:] + " " + after[:60])))


def _taken_from(scene: Scene, thing: Thing) -> bool:
    """Whether the user says that the value is to be read from this secret."""
    return bool(share(scene, thing.within(Role.INTENT), lambda before, _: bool(cues.TAKEN_FROM.search(before))))


_LOOPBACK = expression(r"(?:https?://)?(?:127\.|0\.0\.0\.0|\[::1\]|localhost(?!:\d))")
_REACHED = frozenset({"Host", "Service", "Database", "WebSite", "Api"})


def _reached(scene: Scene, thing: Thing) -> bool:
    """Whether the user says that something runs or listens there, or is to be reached there; not just on this machine."""
    if all(_LOOPBACK.match(value) for value in thing.values):
        return False
    return any(cues.REACHED.search(before) for before, _ in around(scene, thing.within(Role.INTENT), 60))


_VARIABLE = expression(r"[A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40}){1,8}")


def _variable(thing: Thing) -> bool:
    return thing.kind is HandleKind.OTHER_ID and any(_VARIABLE.fullmatch(value) for value in thing.values)


def _called_secret(scene: Scene, thing: Thing) -> bool:
    """Whether the user calls it a secret or a variable right before its name."""
    if thing.kind is not HandleKind.SECRET_NAME and not _variable(thing):
        return False
    return any(cues.CALLED_SECRET.search(before) for before, _ in around(scene, thing.within(Role.INTENT), 40))


def _handed_in(scene: Scene, thing: Thing) -> bool:
    """Whether the user says that a value is kept under this name, or is to be given by it."""
    if thing.kind is not HandleKind.SECRET_NAME and not _variable(thing):
        return False
    beside = around(scene, thing.within(Role.INTENT), 60)
    return any(cues.HANDED_IN.search(before) or cues.HANDED_IN_AFTER.search(after) for before, after in beside)


def _called_host(scene: Scene, thing: Thing) -> bool:
    """Whether the user introduces it by what it is: "the loft machine is …"; not just as this machine."""
    if all(_LOOPBACK.match(value) for value in thing.values):
        return False
    return any(cues.CALLED_HOST.search(before) for before, _ in around(scene, thing.within(Role.INTENT), 60))


def _superseded(scene: Scene, thing: Thing) -> float:
    """The share of the user's mentions that call it the old one, or not the one to use."""
    return share(scene, thing.within(Role.INTENT), lambda before, _: bool(cues.SUPERSEDED.search(before[-40:])))


def _echoed(scene: Scene, index: int) -> bool:
    """Whether user and outcome both have this host, one of them inside an address."""
    names = {value.rsplit("@", 1)[-1].split(":", 1)[0].casefold() for value in scene.things[index].values}
    spoken = {
        role
        for role, order in (("user", scene.intent_order), ("outcome", scene.outcome_order))
        for i in order
        if i == index or any(_host_of(value) in names for value in scene.things[i].values)
    }
    return len(spoken) > 1 and (index in scene.intent_order or index in scene.outcome_order)


def _host_of(value: str) -> str:
    return (
        value.split("://", 1)[1].split("/", 1)[0].rsplit("@", 1)[-1].split(":", 1)[0].casefold()
        if "://" in value
        else ""
    )


def _asked_kind(scene: Scene, index: int) -> bool:
    """The user speaks of "the database", names none, and this is the first one that the outcome names."""
    type_ = scene.types[index]
    kind = _KINDS.get(type_)
    if kind is None or any(scene.types[i] == type_ for i in scene.intent_order):
        return False
    same = [i for i in scene.outcome_order if scene.types[i] == type_]
    first = min(same, key=lambda i: scene.outcome_order[i]) == index
    return first and bool(kind.search(scene.reading.intent[:2000]))


def _corrects(scene: Scene, index: int) -> bool:
    """Whether it is the right spelling of what the user misspells (a slip or two), and the outcome leaves that out."""
    thing = scene.things[index]
    wrong = [i for i in scene.intent_order if i not in scene.outcome_order and scene.things[i].kind is thing.kind]
    return any(_slipped(scene.things[i].values[0], thing.values[0]) for i in wrong[:8])


def _slipped(one: str, other: str) -> bool:
    if _digits(one) != _digits(other) or min(len(one), len(other)) < _LONG:
        return False
    return one.casefold() != other.casefold() and _distance(one.casefold(), other.casefold()) <= _SLIPS


def _digits(value: str) -> str:
    """The digits of a name: names that differ in them are two."""
    return re.sub(r"\D", "", value)


def _distance(one: str, other: str) -> int:
    """Edits between two names; more than two counts as three. Names are at most 80 letters."""
    one, other = one[:80], other[:80]
    if abs(len(one) - len(other)) > _SLIPS:
        return _SLIPS + 1
    row: Sequence[int] = range(len(other) + 1)
    for i, letter in enumerate(one, 1):
        now = [i]
        for j, against in enumerate(other, 1):
            now.append(min(row[j] + 1, now[j - 1] + 1, row[j - 1] + (letter != against)))
        row = now
    return min(row[-1], _SLIPS + 1)


def _written_whole(thing: Thing) -> bool:
    return any(len(path_parts(mention.value)) >= _DEEP for mention in thing.within(Role.INTENT))
