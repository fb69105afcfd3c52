"""Small git checkouts and project ontologies, made without git."""

from pathlib import Path

REMOTE = "git@github.com:acme/shop.git"
STAGING = '[SemanticEntity("staging host")]\nprototype StagingHost : Host\n{\n\tHostName = @"staging.example.org";\n}\n'


def checkout(folder: Path, remote: str = REMOTE) -> Path:
    """A folder that git keeps, with a remote when one is named."""
    (folder / ".git").mkdir(parents=True)
    section = f'[remote "origin"]\n\turl = {remote}\n' if remote else ""
    (folder / ".git" / "config").write_text(f"[core]\n\tbare = false\n{section}", encoding="utf-8")
    return folder


def worktree(main: Path, folder: Path) -> Path:
    """A worktree of a checkout, as git lays it out."""
    own = main / ".git" / "worktrees" / folder.name
    own.mkdir(parents=True)
    (own / "commondir").write_text("../..\n", encoding="utf-8")
    (own / "gitdir").write_text(f"{folder / '.git'}\n", encoding="utf-8")
    folder.mkdir(parents=True)
    (folder / ".git").write_text(f"gitdir: {own}\n", encoding="utf-8")
    return folder


def ontology(root: Path, **files: str) -> Path:
    """The project's own ontology with these files, named without their ending."""
    place = root / ".ferrule" / "ontology"
    place.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (place / f"{name}.pts").write_text(text, encoding="utf-8")
    return place
