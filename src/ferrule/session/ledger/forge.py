"""What the command lines of code forges did: pull requests, issues, releases, runs, repositories (gh, glab, tea …).

Owns their objects and actions as data, and how a URL or number is found in arguments and output. Knows nothing of
git itself.
"""

import re
from collections.abc import Iterator

from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind
from ferrule.session.ledger.commands import Command
from ferrule.session.ledger.options import Parsed, parse
from ferrule.session.ledger.steps import Scene, Step, path_step, usable
from ferrule.session.turn import Verb

__all__ = ["FORGES", "FORGE_URL", "forge_steps", "url_kind"]

FORGES = frozenset({"gh", "glab", "tea", "fj", "hub", "az", "bb"})
FORGE_URL = expression(
    r"https?://[A-Za-z0-9.-]{1,120}(?::\d{2,5})?(?:/[A-Za-z0-9._~-]{1,100}){2,5}?(?:/-)?"
    r"/(pull|pulls|pull-requests|pullrequest|issues|merge_requests|releases/tag|actions/runs)/([A-Za-z0-9._%-]{1,100})"
)
_FIELD = expression(
    r"(?:\"(?:url|html_url|web_url|webUrl)\"\s{0,3}:\s{0,3}\"|^url:\s{1,20})(https?://[^\s\"]{5,400})", re.MULTILINE
)
_KINDS = {
    "pull": HandleKind.PULL_REQUEST,
    "pulls": HandleKind.PULL_REQUEST,
    "pull-requests": HandleKind.PULL_REQUEST,
    "pullrequest": HandleKind.PULL_REQUEST,
    "merge_requests": HandleKind.PULL_REQUEST,
    "issues": HandleKind.ISSUE,
    "releases/tag": HandleKind.TAG,
    "actions/runs": HandleKind.URL,
}
_OBJECTS = {
    **dict.fromkeys(("prs", "pull", "pulls", "mrs", "pull-request", "pullrequest"), HandleKind.PULL_REQUEST),
    **dict.fromkeys(("issues", "work-item"), HandleKind.ISSUE),
    "releases": HandleKind.TAG,
    "pr": HandleKind.PULL_REQUEST,
    "mr": HandleKind.PULL_REQUEST,
    "issue": HandleKind.ISSUE,
    "release": HandleKind.TAG,
    "run": HandleKind.OTHER_ID,
    "workflow": HandleKind.OTHER_ID,
    "pipeline": HandleKind.OTHER_ID,
    "ci": HandleKind.OTHER_ID,
    "gist": HandleKind.OTHER_ID,
}
_ACTIONS = {
    "create": Verb.OPENED,
    "new": Verb.OPENED,
    "open": Verb.OPENED,
    "approve": Verb.COMMENTED,
    "abandon": Verb.CLOSED,
    "complete": Verb.MERGED,
    "reopen": Verb.OPENED,
    "close": Verb.CLOSED,
    "merge": Verb.MERGED,
    "comment": Verb.COMMENTED,
    "note": Verb.COMMENTED,
    "review": Verb.COMMENTED,
    "edit": Verb.EDITED,
    "update": Verb.EDITED,
    "ready": Verb.EDITED,
    "checkout": Verb.SWITCHED,
    "develop": Verb.BRANCHED,
    "delete": Verb.DELETED,
    "run": Verb.STARTED,
    "rerun": Verb.STARTED,
    "cancel": Verb.STOPPED,
    "upload": Verb.EDITED,
}
_VALUES = (
    *("-R", "--repo", "-t", "--title", "-b", "--body", "-F", "--body-file", "-B", "--base", "-H", "--head", "-l"),
    *("--label", "-a", "--assignee", "-r", "--reviewer", "-m", "--milestone", "--json", "-q", "--jq", "-T", "-L"),
    *("--limit", "-s", "--state", "-S", "--search", "-X", "--method", "-f", "--field", "--raw-field", "--target"),
    *("-n", "--notes", "--notes-file", "--template", "-w", "--workflow", "--branch", "--input", "--job", "--header"),
    *("-d", "--description", "--add-label", "--remove-label", "--event", "-e", "--user", "-c", "--commit", "--id"),
    *("--status", "--assignees", "--labels", "--source-branch", "--target-branch", "--env", "-o", "--org", "--app"),
)
_API = expression(
    r"/?repos/(?P<repo>[\w.-]{1,100}/[\w.-]{1,100})/"
    r"(?P<object>pulls|issues|releases/tags|actions/runs|commits)/(?P<id>[\w.-]{1,100})"
)
_API_KINDS = {
    "pulls": HandleKind.PULL_REQUEST,
    "issues": HandleKind.ISSUE,
    "releases/tags": HandleKind.TAG,
    "actions/runs": HandleKind.OTHER_ID,
    "commits": HandleKind.COMMIT_SHA,
}
_NUMBER = expression(r"#?(\d{1,9})")


def url_kind(url: str) -> HandleKind | None:
    """The kind of handle that a forge's URL is; None when it is no such URL."""
    found = FORGE_URL.match(url)
    return _KINDS[found[1]] if found else None


def forge_steps(command: Command, scene: Scene) -> list[Step]:
    """The steps of one command of a forge's command line."""
    words = command.words[1:]
    if command.program == "az":
        words = words[1:] if words[:1] in (("repos",), ("boards",)) else ()
    if command.program == "hub" and words[:1] == ("pull-request",):
        words = ("pr", "create", *words[1:])
    if not words:
        return []
    options = parse(words[2:], _VALUES)
    action = words[1] if len(words) > 1 else ""
    if words[0] == "api":
        return list(_api(parse(words[1:], _VALUES)))
    if words[0] in {"repo", "repos"}:
        return [step for step in _repository(action, options, scene) if step is not None]
    if words[0] in {"secret", "variable"}:
        return list(_setting(words[0], action, options))
    if words[0] not in _OBJECTS:
        return []
    return list(_object(words[0], action, options, scene))


def _setting(name: str, action: str, options: Parsed) -> Iterator[Step]:
    """A secret or variable of a repository, by its name; the value is never looked at."""
    verb = {"set": Verb.CONFIGURED, "create": Verb.CONFIGURED, "delete": Verb.DELETED, "remove": Verb.DELETED}.get(
        action
    )
    if verb is not None and options.operands and usable(options.operands[0]):
        kind = HandleKind.SECRET_NAME if name == "secret" else HandleKind.OTHER_ID
        yield Step(verb, options.operands[0], kind, detail=name)


def _object(name: str, action: str, options: Parsed, scene: Scene) -> Iterator[Step]:
    kind = _OBJECTS[name]
    verb = _ACTIONS.get(action, Verb.VIEWED)
    if name == "release" and verb is Verb.OPENED:
        verb = Verb.RELEASED
    detail = options.value("-t", "--title")[:200]
    urls = [found for found in FORGE_URL.finditer(scene.output) if _KINDS[found[1]] is kind]
    named = options.operands[0] if options.operands else options.value("--id")
    if verb in {Verb.OPENED, Verb.RELEASED} and action != "reopen":
        yield from _opened(kind, verb, named, urls=urls, detail=detail)
        return
    target, target_kind = _named(named, kind, options)
    if not target and kind is HandleKind.PULL_REQUEST:
        told = {found[1] for found in _FIELD.finditer(scene.output) if url_kind(found[1]) is kind}
        shown_ones = told if len(told) == 1 else {found[0] for found in urls}
        if len(shown_ones) == 1:
            target, target_kind = next(iter(shown_ones)), kind
    shown = any(found[2] == target.rpartition("#")[2] or found[0] == target for found in urls)
    yield Step(verb, target, target_kind, detail=detail, exists=shown)


def _opened(kind: HandleKind, verb: Verb, named: str, *, urls: list[re.Match[str]], detail: str) -> Iterator[Step]:
    """A created object: git forges answer with its URL, which is the proof."""
    if verb is Verb.RELEASED and usable(named):
        shown = any(found[2] == named for found in urls)
        yield Step(verb, named, HandleKind.TAG, ok=True if shown else None, detail=detail, exists=shown)
        if urls:
            yield Step(verb, urls[-1][0], HandleKind.URL, ok=True, detail=detail, exists=True)
    elif urls:
        yield Step(verb, urls[-1][0], kind, ok=True, detail=detail, exists=True)
    else:
        yield Step(verb, "", detail=detail)


def _named(named: str, kind: HandleKind, options: Parsed) -> tuple[str, HandleKind | None]:
    """The target that the arguments name: a URL, a number with its repository, a tag, or a branch."""
    if not usable(named):
        return "", None
    if named.startswith(("http://", "https://")):
        return named, url_kind(named) or HandleKind.URL
    number = _NUMBER.fullmatch(named)
    if kind in {HandleKind.PULL_REQUEST, HandleKind.ISSUE}:
        if number is None:
            return named, HandleKind.BRANCH if kind is HandleKind.PULL_REQUEST else None
        return f"{options.value('-R', '--repo')}#{number[1]}", kind
    return named, kind


def _api(options: Parsed) -> Iterator[Step]:
    fields = options.has("-f", "--field", "-F", "--raw-field", "--input")
    method = options.value("-X", "--method").upper() or ("POST" if fields else "")
    for operand in options.operands[:1]:
        found = _API.match(operand)
        if found is None:
            continue
        kind = _API_KINDS[found["object"]]
        numbered = f"{found['repo']}/{found['object']}/{found['id']}"  # as it stands in the call
        forms = {HandleKind.PULL_REQUEST: numbered, HandleKind.ISSUE: numbered}
        verb = (
            Verb.EDITED if method in {"POST", "PATCH", "PUT"} else Verb.DELETED if method == "DELETE" else Verb.VIEWED
        )
        if verb is Verb.EDITED and operand.rstrip("/").endswith(("/comments", "/reviews", "/replies")):
            verb = Verb.COMMENTED
        yield Step(verb, forms.get(kind, found["id"]), kind)


def _repository(action: str, options: Parsed, scene: Scene) -> Iterator[Step | None]:
    if not options.operands or not usable(options.operands[0]):
        return
    name = options.operands[0]
    if "/" not in name and action not in {"create", "clone"}:
        return
    kind = HandleKind.URL if name.startswith(("http://", "https://")) else HandleKind.REPOSITORY_ID
    if action == "clone":
        folder = options.operands[1] if len(options.operands) > 1 else name.rstrip("/").rpartition("/")[2]
        yield Step(Verb.CLONED, name, kind)
        step = path_step(Verb.CLONED, folder.removesuffix(".git"), scene)
        if step is not None:
            yield Step(Verb.CLONED, step.target, HandleKind.REPOSITORY_ROOT, detail=name)
        return
    verbs = {
        "create": Verb.CREATED,
        "delete": Verb.DELETED,
        "edit": Verb.EDITED,
        "rename": Verb.MOVED,
        "fork": Verb.CREATED,
    }
    yield Step(verbs.get(action, Verb.VIEWED), name, kind)
