"""A path tells by its shape what kind of file it names, and whether it is the kind that nobody needs again.

Owns the tables of extensions, well-known names and passing folders. Knows nothing of turns.
"""

import re

from ferrule.review.embedded.merging import path_parts

__all__ = ["is_folder_like", "is_passing", "is_support", "is_test", "path_type"]

_DOCUMENTS = frozenset(".md .mdx .markdown .rst .adoc .org .txt .tex .pdf .doc .docx .odt .rtf .pptx .html".split())
_CONFIGS = frozenset(
    ".json .jsonc .json5 .yml .yaml .toml .ini .cfg .conf .properties .xml .plist .env .lock .tf .hcl .editorconfig "
    ".gradle .csproj .sln .mod .nix .cue .dhall .pts .proto".split()
)
_SCRIPTS = frozenset(".sh .bash .zsh .fish .ps1 .psm1 .bat .cmd .command .awk .mk".split())
_DATABASES = frozenset(".db .sqlite .sqlite3 .duckdb .mdb .realm".split())
_DATASETS = frozenset(".csv .tsv .parquet .jsonl .ndjson .arrow .feather .xlsx .h5 .npz".split())
_MODELS = frozenset(".gguf .safetensors .onnx .pt .pth .ckpt .tflite .mlmodel".split())
_IMAGES = frozenset(".png .jpg .jpeg .gif .webp .bmp .mp4 .mov .webm".split())
_CONFIG_NAMES = frozenset(
    "dockerfile containerfile procfile brewfile gemfile pipfile vagrantfile jenkinsfile .gitignore .gitattributes "
    ".dockerignore .npmrc .nvmrc .editorconfig .prettierrc .eslintrc .env .envrc .gitmodules codeowners".split()
)
_SCRIPT_NAMES = frozenset("makefile justfile rakefile pre-commit pre-push commit-msg post-commit".split())
_DOCUMENT_NAMES = frozenset("readme license licence changelog notice authors contributing copying".split())
_PROMPT_NAMES = frozenset(
    "agents.md claude.md gemini.md qwen.md skill.md copilot-instructions.md .cursorrules .windsurfrules".split()
)
_PROMPT_FOLDERS = frozenset("prompts commands agents skills rules chatmodes instructions .agents".split())
_PROMPT_ROOTS = frozenset(".claude .cursor .codex .gemini .agents .opencode .github .qwen .pi".split())
_SCRIPT_FOLDERS = frozenset(("scripts", "bin", "hooks"))

# Parts of a path that say: made by a machine, thrown away soon, or not ours.
_PASSING_PARTS = frozenset(
    "tmp temp cache caches .cache .tmp node_modules __pycache__ .pytest_cache .mypy_cache .ruff_cache dist build out "
    "target .next .nuxt coverage .venv venv site-packages vendor .terraform logs log tool-output image-cache "
    "scratchpad .gradle deriveddata gomodcache playwright-report test-results hostedtoolcache _temp".split()
)
_PASSING_ENDS = frozenset(
    ".log .tmp .temp .bak .orig .rej .swp .pyc .pyo .class .o .obj .exe .dll .dylib .pid .map .cache".split()
)
_TRANSCRIPTS = re.compile(
    r"(?:^|/)\.(?:claude/projects|codex/sessions|codex/archived_sessions|gemini/tmp|specstory/history|qwen/projects)/"
    r"|(?:^|/)[\w-]{0,80}transcript[\w-]{0,80}\.jsonl?$|\bREDACTED\b",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(
    r"[<>{}*?|]|\$\{|\.\.\.|(?:^|/)(?:path/to|your[-_]|my[-_]?(?:app|project)|foo|bar|baz)(?:/|\b)", re.IGNORECASE
)
_TEST = re.compile(r"(?:^|[/._-])(?:tests?|specs?|__tests__|e2e|fixtures?|testdata|mocks?)(?:[/._-]|$)", re.IGNORECASE)
_MANIFESTS = frozenset(
    "package.json package-lock.json pnpm-lock.yaml yarn.lock bun.lockb go.mod go.sum cargo.lock cargo.toml poetry.lock "
    "uv.lock requirements.txt pipfile.lock composer.lock gemfile.lock pubspec.lock".split()
)


def _name_and_end(value: str) -> tuple[tuple[str, ...], str, str]:
    parts = path_parts(value)
    name = parts[-1] if parts else ""
    dot = name.rfind(".")
    end = name[dot:] if dot > 0 else ""
    return parts, name, end if any(char.isalpha() for char in end) else ""


def path_type(value: str) -> str:
    """The entity type that a path's shape suggests (issue 2, point 5)."""
    parts, name, end = _name_and_end(value)
    if is_folder_like(value):
        return (
            "Worktree"
            if any(part in ("worktrees", ".worktrees") or part.endswith("worktrees") for part in parts)
            else "Directory"
        )
    if _is_prompt(parts, name, end):
        return "PromptFile"
    if name in _SCRIPT_NAMES or end in _SCRIPTS or (not end and _SCRIPT_FOLDERS & set(parts[:-1])):
        return "Script"
    for ends, type_ in ((_DATABASES, "Database"), (_MODELS, "Model"), (_DATASETS, "Dataset"), (_DOCUMENTS, "Document")):
        if end in ends:
            return type_
    if end in _CONFIGS or name in _CONFIG_NAMES or name.startswith(".env"):
        return "ConfigFile"
    return "Document" if name in _DOCUMENT_NAMES or end in _IMAGES else "SourceFile"


def _is_prompt(parts: tuple[str, ...], name: str, end: str) -> bool:
    if name in _PROMPT_NAMES or end == ".mdc" or name.endswith((".prompt.md", ".agent.md", ".chatmode.md")):
        return True
    folders = parts[:-1]
    return end == ".md" and bool(_PROMPT_ROOTS & set(folders)) and bool(_PROMPT_FOLDERS & set(folders))


def is_folder_like(value: str) -> bool:
    """Whether a path names a folder: it ends in a separator, or its last part has no ending and no file's name."""
    if value.endswith(("/", "\\")):
        return True
    _parts, name, end = _name_and_end(value)
    known = name in _CONFIG_NAMES | _SCRIPT_NAMES | _DOCUMENT_NAMES
    return not end and not known


def is_passing(value: str) -> bool:
    """Whether a path is temporary, generated, a log, a transcript, a placeholder or a dependency: never remembered."""
    parts, name, end = _name_and_end(value)
    if _PLACEHOLDER.search(value) or _TRANSCRIPTS.search(value.replace("\\", "/")):
        return True
    if end in _PASSING_ENDS or name.startswith(("tmp.", "temp-", "tmp-")):
        return True
    return bool(_PASSING_PARTS & set(parts)) or bool(
        parts and parts[0] == "dev" and len(parts) > 1 and parts[1] in ("null", "stdout")
    )


def is_test(value: str) -> bool:
    """Whether a path names a test or what tests need."""
    return bool(_TEST.search(value.replace("\\", "/")))


def is_support(value: str) -> bool:
    """Whether a file accompanies the work instead of carrying it: a test, a lock file, a manifest."""
    _parts, name, _end = _name_and_end(value)
    return is_test(value) or name in _MANIFESTS
