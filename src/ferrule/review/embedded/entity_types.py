"""What kind of entity a thing is, from its handle kind, its shape and what was done to it.

Owns the mapping to the names of the shipped base ontology; the source's own schema decides whether a name exists.
"""

from ferrule.bridge.values import Lifecycle, Role, TurnView
from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind
from ferrule.review.embedded.merging import path_parts
from ferrule.review.embedded.pathclass import path_type
from ferrule.review.embedded.things import PATHS, Thing
from ferrule.session.turn import Verb

__all__ = ["BY_KIND", "FALLBACK", "FILE_TYPES", "entity_type", "lifecycle_of"]

FALLBACK = "SemanticEntityBase"
FILE_TYPES = frozenset({"SourceFile", "ConfigFile", "Document", "PromptFile", "Script"})

BY_KIND = {
    HandleKind.REPOSITORY_ROOT: "Repository",
    HandleKind.REPOSITORY_ID: "Repository",
    HandleKind.PACKAGE_ID: "Package",
    HandleKind.SITE_ID: "WebSite",
    HandleKind.SESSION_KEY: "Session",
    HandleKind.SECRET_NAME: "SecretReference",
    HandleKind.COMMIT_SHA: "Commit",
    HandleKind.COMMAND: "Command",
    HandleKind.PROMPT_PATH: "PromptFile",
    HandleKind.BRANCH: "Branch",
    HandleKind.TAG: "Release",
    HandleKind.PULL_REQUEST: "PullRequest",
    HandleKind.ISSUE: "Issue",
    HandleKind.TASK_ID: "Task",
    HandleKind.DOCUMENT_ID: "Document",
    HandleKind.HOST: "Host",
    HandleKind.DATABASE_ID: "Database",
}
_URLS = (
    (expression(r"/(?:pull|pulls|merge_requests|pull-requests)/\d"), "PullRequest"),
    (expression(r"/(?:issues?|work_items|browse)/[\w-]{1,40}|/advisories/"), "Issue"),
    (expression(r"/(?:actions/runs|jobs|pipelines|builds?|workflows)/\d"), "Task"),
    (expression(r"/(?:releases/tag|tags)/"), "Release"),
    (expression(r"/commit/[0-9a-f]{7,40}"), "Commit"),
    (
        expression(r"/(?:blob|raw|wiki|docs?|document|reference|pages?)/|\.(?:md|mdx|html?|pdf|txt)(?:[?#]|$)"),
        "Document",
    ),
    (expression(r"/tree/"), "Directory"),
    (expression(r"^https?://(?:docs|developers?|wiki|learn)\."), "Document"),
    (expression(r"^(?:postgres|postgresql|mysql|mongodb|redis|jdbc)"), "Database"),
    (expression(r"^https?://(?:localhost|127\.|0\.0\.0\.0|\[::1\]|[\w.-]{1,100}:\d{2,5})"), "Service"),
    (expression(r"^https?://api\.|/(?:api|graphql|rest)(?:/|$)"), "Api"),
    (
        expression(
            r"^(?:https?://|git@|ssh://)(?:github|gitlab|codeberg|bitbucket)\.[\w.]{2,20}[:/][\w.-]{1,80}/[\w.-]{1,100}/?$"
        ),
        "Repository",
    ),
)
_GIT = frozenset({Verb.CLONED, Verb.PUSHED, Verb.PULLED, Verb.COMMITTED})


def entity_type(thing: Thing, view: TurnView) -> str:
    """The type's name, `SemanticEntityBase` when nothing better is known."""
    if thing.kind is HandleKind.URL:
        cloned = thing.did(*_GIT) or any(value.endswith(".git") for value in thing.values)
        return "Repository" if cloned else url_type(thing.values[0])
    if thing.kind is HandleKind.FILESYSTEM_PATH:
        return _path_entity(thing, view)
    if thing.kind in (HandleKind.PULL_REQUEST, HandleKind.ISSUE):
        address = next((m.value for m in thing.mentions if m.kind is HandleKind.URL), "")
        if address and url_type(address) in ("PullRequest", "Issue"):
            return url_type(address)
    return BY_KIND.get(thing.kind, FALLBACK)


def url_type(value: str) -> str:
    """The type that an address's shape suggests."""
    return next((type_ for pattern, type_ in _URLS if pattern.search(value)), "WebSite")


def _path_entity(thing: Thing, view: TurnView) -> str:
    longest = max(thing.values, key=lambda value: len(path_parts(value)))
    found = path_type(longest, edited=thing.did(Verb.EDITED))
    if found == "Directory" and (_is_root(thing, view) or thing.did(*_GIT)):
        return "Repository"
    if found == "Directory" and (_made_worktree(thing) or _called_worktree(thing, view)):
        return "Worktree"
    return found


def _made_worktree(thing: Thing) -> bool:
    """Whether git added, moved or removed it as a worktree."""
    return any(action.detail == "worktree" and action.ok is not False for action in thing.actions)


def _called_worktree(thing: Thing, view: TurnView) -> bool:
    """Whether somebody calls it a worktree right beside its path."""
    for mention in thing.within(Role.INTENT, Role.OUTCOME):
        text = view.text(mention.text)
        if text is not None and "worktree" in text.text[max(0, mention.start - 40) : mention.end + 25].casefold():
            return True
    return False


def _is_root(thing: Thing, view: TurnView) -> bool:
    root = view.place.root
    return bool(root) and any(path_parts(value) == path_parts(root or "") for value in thing.values)


def lifecycle_of(thing: Thing, type_: str) -> Lifecycle:
    """What tells this thing apart from another of the same name: its type and where it lives (R34)."""
    where = ""
    if thing.kind in PATHS:
        parts = path_parts(max(thing.values, key=len))
        where = "/".join(parts[:-1])
    elif thing.kind is HandleKind.URL:
        where = thing.values[0].split("://", 1)[-1].split("/", 1)[0].casefold()
    return Lifecycle(type_, where)
