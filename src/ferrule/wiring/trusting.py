"""A person looks at a project's own definitions and then trusts them, exactly as they were looked at.

Owns what is shown before: what each file declares, what is odd in it, what changed since it was trusted, and what is
not read at all. Definitions are data; nothing of them is run, before or after. Knows nothing of how it is printed.
"""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from ferrule.adapters.projects.ontology import FOLDER, OntologyFolder, Unread
from ferrule.adapters.projects.places import git_root, real
from ferrule.adapters.projects.records import Trusted, all_trusted, digest_of, drop_trusted, put_trusted
from ferrule.errors import Code, UsageError
from ferrule.memory.project import Declared, declared_in, oddities_in, unreadable
from ferrule.ontology.resolve import Ontology
from ferrule.wiring.locating import located
from ferrule.wiring.projects import Projects, Trust, projects_of, standing
from ferrule.wiring.settings import read_settings

__all__ = [
    "FileView",
    "TrustRow",
    "TrustView",
    "ignored_in",
    "project_root",
    "sifted",
    "trust_rows",
    "trust_view",
    "trusted_now",
    "untrusted",
]

MOST_DIFF_LINES = 200


@dataclass(frozen=True, slots=True)
class FileView:
    """One file as a person looks at it. `state` is `new`, `changed`, `same` or `gone`; `diff` what changed."""

    name: str
    state: str
    declares: tuple[Declared, ...] = ()
    odd: tuple[str, ...] = ()
    diff: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TrustView:
    """A project's folder before it is trusted.

    Attributes:
        root: the project's folder.
        trust: how it stands now.
        files: what would be trusted, by name, and what was and is gone.
        unread: what is not read, and why.
        problem: why it cannot be trusted as it is; empty when it can.
        texts: exactly what was looked at.
        ignored: the digests of texts that must not be read.
    """

    root: Path
    trust: Trust
    files: tuple[FileView, ...]
    unread: tuple[Unread, ...]
    problem: str
    texts: Mapping[str, str]
    ignored: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class TrustRow:
    """One trusted project in a list."""

    root: Path
    at: str
    files: int
    trust: Trust


def project_root(path: Path | str) -> Path:
    """The project that a person names: a folder in it, or anything below.

    Raises:
        UsageError: there is no such folder, or git keeps none of the folders above it.
    """
    place = Path(path).expanduser().absolute()
    if not place.exists():
        raise UsageError(f"no such folder: {place}", code=Code.IO_FAILED)
    root = git_root(place)
    if root is None:
        raise UsageError(f"{place} is in no git repository; a project is a folder that git keeps", code=Code.IO_FAILED)
    return real(root)


def _projects(home: Path | str | None) -> Projects:
    place = located(home)
    return projects_of(place, (), read_settings(place).ontology)


def sifted(folder: OntologyFolder) -> OntologyFolder:
    """The folder without the files that must not be read whatever they say; those are told with the others."""
    refused = {text.name: reason for text in folder.texts if (reason := unreadable(text.text))}
    texts = tuple(text for text in folder.texts if text.name not in refused)
    told = tuple(Unread(name, reason) for name, reason in refused.items())
    return replace(folder, texts=texts, unread=(*folder.unread, *told))


def ignored_in(folder: OntologyFolder, texts: Mapping[str, str]) -> dict[str, str]:
    """Digests of the folder's texts that are not among these, by name."""
    return {text.name: digest_of(text.text) for text in folder.texts if text.name not in texts}


def trust_view(home: Path | str | None, path: Path | str) -> TrustView:
    """What stands in a project's folder, for a person to look at.

    Raises:
        UsageError: no such project, or it has no ontology of its own and never had one that was trusted.
    """
    projects, root = _projects(home), project_root(path)
    found = standing(projects.home, root)
    if not found.folder.there and found.trust is Trust.NONE:
        raise UsageError(f"nothing to trust: there is no {root.joinpath(*FOLDER)}", code=Code.IO_FAILED)
    folder = sifted(found.folder)
    texts = {text.name: text.text for text in folder.texts}
    layer, problem = projects.with_texts(root, texts)
    before = found.trusted.texts if found.trusted is not None else {}
    known = Ontology(layer)
    files = [_file_view(name, before.get(name), texts[name], known) for name in sorted(texts)]
    gone = [FileView(name, "gone", diff=_diff(name, before[name], "")) for name in sorted(before.keys() - texts.keys())]
    if not texts and not problem:
        problem = "there is no file in it that can be read"
    return TrustView(root, found.trust, (*files, *gone), folder.unread, problem, texts, ignored_in(found.folder, texts))


def _file_view(name: str, before: str | None, now: str, known: Ontology) -> FileView:
    state = "new" if before is None else "same" if before == now else "changed"
    diff = () if before is None else _diff(name, before, now)
    return FileView(name, state, declared_in(now, known), oddities_in(now), diff)


def _diff(name: str, before: str, now: str) -> tuple[str, ...]:
    lines = list(
        difflib.unified_diff(before.splitlines(), now.splitlines(), f"trusted/{name}", f"now/{name}", lineterm="")
    )
    more = len(lines) - MOST_DIFF_LINES
    return (*lines[:MOST_DIFF_LINES], f"… {more} more lines") if more > 0 else tuple(lines)


def trusted_now(home: Path | str | None, view: TrustView) -> None:
    """Trust what was looked at; what changed meanwhile is not trusted with it.

    Raises:
        StoreError: the home cannot be written.
    """
    at = datetime.now(UTC).isoformat(timespec="seconds")
    put_trusted(located(home), Trusted(view.root, at, view.texts, view.ignored))


def untrusted(home: Path | str | None, path: Path | str) -> Path:
    """Take trust back; the files stay. A project whose folder is gone is named by its path.

    Raises:
        UsageError: it was not trusted.
        StoreError: the home cannot be written.
    """
    place = Path(path).expanduser().absolute()
    for root in dict.fromkeys((git_root(real(place)), real(place))):
        if root is not None and drop_trusted(located(home), root):
            return root
    raise UsageError(f"{place} is not trusted; ferrule trust --list shows what is", code=Code.UNKNOWN_REFERENCE)


def trust_rows(home: Path | str | None) -> tuple[TrustRow, ...]:
    """Every project that was trusted, and how it stands now."""
    place = located(home)
    return tuple(
        TrustRow(one.root, one.at, len(one.texts), standing(place, one.root).trust) for one in all_trusted(place)
    )
