"""What an editing, reading or searching tool did to files, by the shape of its arguments.

Owns how a path is found in arguments, structured results and exported text, and when a write is a creation. Knows
nothing of shells.
"""

import re
from collections.abc import Mapping

from ferrule.referents.expressions import expression
from ferrule.session.ledger.arguments import PATH_KEYS, QUERY_KEYS, code_text, first_text, labelled
from ferrule.session.ledger.patches import patch_steps
from ferrule.session.ledger.steps import Scene, Step, is_path_like, path_step
from ferrule.session.turn import ToolCall, Verb

__all__ = ["edit_steps", "look_steps", "patch_call_steps", "write_steps"]

_UPDATED = expression(
    r"The file (\S.{0,600}?) has been (updated|overwritten|created)|File created successfully at: (.{1,600})"
)
_NEW_FILE = expression(
    r"File created successfully|new file|^@@ -0,0 \+1|\\n@@ -0,0 \+1|Created file|has been created", re.MULTILINE
)
_OLD_FILE = expression(r"has been (?:updated|overwritten)|overwrote|Overwrote|Updated file")
_EDITOR_COMMANDS = {
    "create": Verb.CREATED,
    "str_replace": Verb.EDITED,
    "insert": Verb.EDITED,
    "undo_edit": Verb.EDITED,
    "view": Verb.READ,
    "delete": Verb.DELETED,
    "rename": Verb.MOVED,
}
_PATCH_KEYS = ("patchText", "patch", "input", "diff")


def edit_steps(call: ToolCall, arguments: Mapping[str, object], scene: Scene) -> list[Step]:
    """An edit of a file, or what the `command` argument of a many-handed editor says it was."""
    patch = first_text(arguments, _PATCH_KEYS)
    if patch.startswith("*** "):
        return patch_steps(patch, scene)
    verb = _EDITOR_COMMANDS.get(str(arguments.get("command", "")), Verb.EDITED)
    if verb is Verb.EDITED and arguments.get("old_string") == "" and _NEW_FILE.search(scene.output[:4000]):
        verb = Verb.CREATED
    return _on(_path(call, arguments), verb, scene)


def write_steps(call: ToolCall, arguments: Mapping[str, object], scene: Scene) -> list[Step]:
    """A write of a whole file: a creation unless the client says that the file was there."""
    kind = call.details.get("type")
    output = scene.output[:4000]
    old = kind == "update" or (kind != "create" and _OLD_FILE.search(output) and not _NEW_FILE.search(output))
    return _on(_path(call, arguments), Verb.EDITED if old else Verb.CREATED, scene)


def patch_call_steps(call: ToolCall, arguments: Mapping[str, object], scene: Scene) -> list[Step]:
    """A patch, given as text or under one of the names that patch tools use."""
    text = call.arguments if isinstance(call.arguments, str) and not arguments else first_text(arguments, _PATCH_KEYS)
    return patch_steps(text, scene)


def look_steps(call: ToolCall, arguments: Mapping[str, object], scene: Scene, verb: Verb) -> list[Step]:
    """A file read, a folder listed, or a search: the path is the target, what was searched for the detail."""
    query = first_text(arguments, QUERY_KEYS)
    path = first_text(arguments, PATH_KEYS)
    if isinstance(call.arguments, str) and not arguments:
        query = labelled(call.arguments, "pattern")
        path = labelled(call.arguments, "path") or ("" if query else code_text(call.arguments))
    found = _on(path, verb, scene) if is_path_like(path) or path.isidentifier() else []
    if not found and verb in {Verb.SEARCHED, Verb.LISTED}:
        return [Step(verb, "", ok=scene.ok, detail=query[:200])]
    return [Step(s.verb, s.target, s.kind, ok=s.ok, detail=query[:200], exists=s.exists) for s in found]


def _on(path: str, verb: Verb, scene: Scene) -> list[Step]:
    step = path_step(verb, path, scene, ok=scene.ok, exists=scene.ok is True and verb is not Verb.DELETED)
    return [step] if step is not None else []


def _path(call: ToolCall, arguments: Mapping[str, object]) -> str:
    """The path of an edit: an argument, the client's structured result, or what the text says was updated."""
    given = first_text(arguments, PATH_KEYS)
    if given:
        return given
    shown = call.details.get("filePath")
    if isinstance(shown, str) and shown:
        return shown
    for text in (call.arguments if isinstance(call.arguments, str) else "", (call.result or "")[:4000]):
        found = _UPDATED.search(text[:4000])
        if found is not None:
            return (found[1] or found[3]).strip()
    if isinstance(call.arguments, str) and not arguments:
        code = code_text(call.arguments)
        return code if "\n" not in code and is_path_like(code) and " " not in code else ""
    return ""
