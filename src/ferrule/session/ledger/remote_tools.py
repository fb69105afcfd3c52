"""What a tool of another server did: its name says the verb and the object, its arguments and answer the id.

Owns the reading of tool names such as `mcp__tracker__create_issue`. Knows nothing of any server.
"""

import json
import re
from collections.abc import Mapping

from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind
from ferrule.session.ledger.steps import Scene, Step, path_step, usable
from ferrule.session.turn import Verb

__all__ = ["is_remote_tool", "remote_steps"]

_WORD = expression(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_VERBS = {
    **dict.fromkeys(("create", "add", "new", "insert", "upload", "write"), Verb.CREATED),
    **dict.fromkeys(("update", "edit", "set", "save", "patch", "move", "rename", "assign"), Verb.EDITED),
    **dict.fromkeys(("delete", "remove", "archive"), Verb.DELETED),
    **dict.fromkeys(("comment", "reply", "review"), Verb.COMMENTED),
    **dict.fromkeys(("close", "resolve"), Verb.CLOSED),
    **dict.fromkeys(("open", "reopen"), Verb.OPENED),
    **dict.fromkeys(("merge",), Verb.MERGED),
    **dict.fromkeys(("get", "read", "view", "show", "describe", "inspect"), Verb.VIEWED),
    **dict.fromkeys(("list",), Verb.LISTED),
    **dict.fromkeys(("search", "query", "find", "lookup"), Verb.SEARCHED),
    **dict.fromkeys(("fetch", "navigate", "goto", "download"), Verb.FETCHED),
    **dict.fromkeys(("run", "execute", "call", "invoke"), Verb.RAN),
    **dict.fromkeys(("start", "launch"), Verb.STARTED),
    **dict.fromkeys(("stop", "cancel"), Verb.STOPPED),
    **dict.fromkeys(("deploy",), Verb.DEPLOYED),
}
_OBJECTS = {
    **dict.fromkeys(("issue", "issues", "ticket", "bug"), HandleKind.ISSUE),
    **dict.fromkeys(("pull", "pr", "mr"), HandleKind.PULL_REQUEST),
    **dict.fromkeys(("document", "doc", "documents", "page", "note", "sheet", "spreadsheet"), HandleKind.DOCUMENT_ID),
    **dict.fromkeys(("task", "tasks", "todo", "card"), HandleKind.TASK_ID),
    **dict.fromkeys(("database", "table"), HandleKind.DATABASE_ID),
    **dict.fromkeys(("site",), HandleKind.SITE_ID),
    **dict.fromkeys(("branch",), HandleKind.BRANCH),
    **dict.fromkeys(("commit",), HandleKind.COMMIT_SHA),
    **dict.fromkeys(("repository", "repo"), HandleKind.REPOSITORY_ID),
}
_ID_KEYS = (
    *(
        "identifier",
        "issue_number",
        "pull_number",
        "pullNumber",
        "issueNumber",
        "number",
        "issueKey",
        "issue_key",
        "key",
    ),
    *("id", "issueId", "issue_id", "documentId", "document_id", "page_id", "pageId", "taskId", "task_id", "databaseId"),
    *("database_id", "siteId", "site_id", "branch", "sha", "fileId", "slug"),
)
_MAX_ANSWER = 256 * 1024


def is_remote_tool(name: str) -> bool:
    """Whether a tool's name is that of another server's tool."""
    return name.startswith(("mcp__", "mcp_", "mcp.")) or "__" in name.strip("_")


def remote_steps(name: str, arguments: Mapping[str, object], scene: Scene) -> list[Step]:
    """The steps of one call of another server's tool: at most its id, its URL and its path."""
    words = [word.lower() for word in _WORD.findall(name.rpartition("__")[2] or name)]
    verb = next((_VERBS[word] for word in words if word in _VERBS), Verb.OTHER)
    kind = next((_OBJECTS[word] for word in words if word in _OBJECTS), HandleKind.OTHER_ID)
    answer = _answer(scene.output)
    title = _first(arguments, ("title", "name", "summary")) or _first(answer, ("title", "name"))
    steps = [
        Step(verb, target, kind, ok=scene.ok, detail=title[:200], exists=shown)
        for target, shown in _ids(arguments, answer, kind)
    ]
    url = _first(answer, ("url", "html_url", "htmlUrl", "webUrl", "permalink")) or _first(arguments, ("url", "uri"))
    if url.startswith(("http://", "https://")) and usable(url):
        steps.append(Step(verb, url, HandleKind.URL, ok=scene.ok, detail=title[:200], exists=url in scene.output))
    path = _first(arguments, ("path", "file_path", "filePath"))
    step = path_step(verb, path, scene, ok=scene.ok) if path else None
    return [*steps, step] if step is not None else steps


def _ids(arguments: Mapping[str, object], answer: Mapping[str, object], kind: HandleKind) -> list[tuple[str, bool]]:
    """Ids that the arguments name, then the id of what the answer shows; each with whether the answer shows it."""
    found: dict[str, bool] = {}
    owner, repository = _first(arguments, ("owner",)), _first(arguments, ("repo", "repository"))
    for source, shown in ((answer, True), (arguments, False)):
        for key in _ID_KEYS:
            value = source.get(key)
            text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
            if key == "key" and not re.fullmatch(r"[A-Z][A-Z0-9]{1,9}-\d{1,6}", text):
                continue
            if text and usable(text) and len(text) <= 120:  # noqa: PLR2004 - an id is short
                if kind in {HandleKind.ISSUE, HandleKind.PULL_REQUEST} and text.isdigit():
                    text = f"{owner}/{repository}#{text}" if owner and repository else f"#{text}"
                found[text] = found.get(text, False) or shown
                break
    return list(found.items())


def _answer(output: str) -> Mapping[str, object]:
    text = output.strip()
    if text[:1] != "{" or len(text) > _MAX_ANSWER:
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _first(source: Mapping[str, object], keys: tuple[str, ...]) -> str:
    return next((value for key in keys if isinstance(value := source.get(key), str) and value), "")
