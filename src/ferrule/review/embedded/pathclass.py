"""A path tells by its shape what kind of file it names, and whether it is the kind that nobody needs again.

Owns the tables of extensions, well-known names and passing folders. Knows nothing of turns.
"""

import re
import tomllib
from functools import cache, lru_cache
from importlib import resources

from ferrule.referents.expressions import expression
from ferrule.review.embedded.merging import path_parts

__all__ = ["is_folder_like", "is_passing", "is_support", "is_test", "path_type"]

_BY_ENDING = (("databases", "Database"), ("models", "Model"), ("datasets", "Dataset"), ("documents", "Document"))
_SCRIPT_FOLDERS = frozenset(("scripts", "bin", "hooks"))
_TRANSCRIPTS = expression(
    r"(?:^|/)\.(?:claude/projects(?!/[^/]{1,200}/memory/)|codex/sessions|codex/archived_sessions|gemini/tmp|specstory/history|qwen/projects)/"
    r"|(?:^|/)[\w-]{0,80}transcript[\w-]{0,80}\.jsonl?$|\bREDACTED\b",
    re.IGNORECASE,
)
_PLACEHOLDER = expression(
    r"[<>{}*?|]|\$\{|\.\.\.|(?:^|/)(?:path/to|your[-_]|my[-_]?(?:app|project)|foo|bar|baz)(?:/|\b)", re.IGNORECASE
)
_TEST = expression(r"(?:^|[/._-])(?:tests?|specs?|__tests__|e2e|fixtures?|testdata|mocks?)(?:[/._-]|$)", re.IGNORECASE)
_SPECS = expression(r"specs?", re.IGNORECASE)
_PROSE = (".md", ".mdx", ".txt", ".rst", ".adoc")  # a specification in words is no test


@cache
def _table(name: str) -> frozenset[str]:
    """One row of the shipped table, read once."""
    text = resources.files(__package__).joinpath("paths.toml").read_text(encoding="utf-8")
    return frozenset(tomllib.loads(text)[name])


def _name_and_end(value: str) -> tuple[tuple[str, ...], str, str]:
    parts = path_parts(value)
    name = parts[-1] if parts else ""
    dot = name.rfind(".")
    end = name[dot:] if dot > 0 else ""
    return parts, name, end if any(char.isalpha() for char in end) else ""


def path_type(value: str, *, edited: bool = False) -> str:
    """The entity type that a path's shape suggests (issue 2, point 5); what was edited is no folder."""
    parts, name, end = _name_and_end(value)
    if is_folder_like(value) and not edited:
        return "Worktree" if any(part.endswith("worktrees") for part in parts) else "Directory"
    if _is_prompt(parts, name, end):
        return "PromptFile"
    if name in _table("script_names") or end in _table("scripts") or (not end and _SCRIPT_FOLDERS & set(parts[:-1])):
        return "Script"
    for row, type_ in _BY_ENDING:
        if end in _table(row):
            return type_
    if end in _table("configs") or name in _table("config_names") or name.startswith(".env"):
        return "ConfigFile"
    return "Document" if name in _table("document_names") or end in _table("images") else "SourceFile"


def _is_prompt(parts: tuple[str, ...], name: str, end: str) -> bool:
    if name in _table("prompt_names") or end == ".mdc" or name.endswith((".prompt.md", ".agent.md", ".chatmode.md")):
        return True
    folders = parts[:-1]
    return (
        end == ".md" and bool(_table("prompt_roots") & set(folders)) and bool(_table("prompt_folders") & set(folders))
    )


def is_folder_like(value: str) -> bool:
    """Whether a path names a folder: it ends in a separator, or its last part has no ending and no file's name."""
    if value.endswith(("/", "\\")):
        return True
    _parts, name, end = _name_and_end(value)
    known = name in _table("config_names") | _table("script_names") | _table("document_names")
    return not end and not known


@lru_cache(maxsize=4096)
def is_passing(value: str, *, lenient: bool = False) -> bool:
    """Whether a path is temporary, generated, a log, a transcript, a placeholder or a dependency: never remembered.

    `lenient` lets folders pass that may hold work as well, such as `build` or `vendor`.
    """
    parts, name, end = _name_and_end(value)
    if _PLACEHOLDER.search(value) or _TRANSCRIPTS.search(value.replace("\\", "/")):
        return True
    if end in _table("passing_ends") or name.startswith(("tmp.", "temp-", "tmp-")):
        return True
    if not lenient and _table("doubtful_parts") & set(parts):
        return True
    return bool(_table("passing_parts") & set(parts)) or (
        parts[:1] == ("dev",) and parts[1:2] in (("null",), ("stdout",))
    )


@lru_cache(maxsize=4096)
def is_test(value: str) -> bool:
    """Whether a path names a test or what tests need."""
    path = value.replace("\\", "/")
    found = _TEST.search(path)
    return found is not None and not (path.lower().endswith(_PROSE) and _SPECS.fullmatch(found.group().strip("/._-")))


@lru_cache(maxsize=4096)
def is_support(value: str) -> bool:
    """Whether a file accompanies the work instead of carrying it: a test, a lock file, a manifest."""
    _parts, name, _end = _name_and_end(value)
    return is_test(value) or name in _table("manifests")
