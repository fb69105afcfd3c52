"""The projection's file is replaced whole or not at all, and a hand-edited one is never lost (D12, CASE-N08).

Owns `artifacts/nl-memory/SessionMemory.pts` of a session (CASE-E05, E07, E11), and what becomes of a file that somebody
edited. Knows nothing of what stands in it.
"""

from collections.abc import Callable
from pathlib import Path

from ferrule.session.artifacts import ArtifactFolder, artifact_folder

__all__ = ["FILE_NAME", "artifact_path", "drop_artifact", "edited_files", "put_artifact"]

FILE_NAME = "SessionMemory.pts"
_FOLDER = "nl-memory"
_EDITED = "SessionMemory.edited-{0}.pts"
_MAX_EDITED = 1000


def artifact_path(home: Path, session: str) -> Path:
    """Where a session's projection is. The folder is named by a hash, so no key can lead elsewhere (CASE-E01, E03)."""
    return ArtifactFolder.located(home, session, _FOLDER) / FILE_NAME


def put_artifact(home: Path, session: str, text: str, is_ours: Callable[[str], bool]) -> Path | None:
    """Make the file hold this text; returns where a hand-edited one was kept, or None.

    Nothing is written when the file holds the text already. Written beside first, synced, then put in place.

    Raises:
        StoreError: `UNSAFE_PATH` for a link or special file on the way; `IO_FAILED` with the errno's name.
    """
    with artifact_folder(home, session, _FOLDER, "the session's memory file") as folder:
        standing = folder.read(FILE_NAME)
        content = text.encode("utf-8", "surrogatepass")
        if standing == content:
            return None
        kept = None
        if standing is not None and not is_ours(standing.decode("utf-8", "replace")):
            kept = folder.path / _keep(folder, standing)
        folder.replace(FILE_NAME, content)
        return kept


def drop_artifact(home: Path, session: str, is_ours: Callable[[str], bool]) -> None:
    """Remove the file, unless somebody edited it: it is derived and can be made again.

    Raises:
        StoreError: as `put_artifact`.
    """
    with artifact_folder(home, session, _FOLDER, "the session's memory file away") as folder:
        standing = folder.read(FILE_NAME)
        if standing is not None and is_ours(standing.decode("utf-8", "replace")):
            folder.discard(FILE_NAME)


def edited_files(home: Path, session: str) -> tuple[Path, ...]:
    """The hand-edited files that were kept beside the projection, oldest first."""
    folder = artifact_path(home, session).parent
    return tuple(path for n in range(1, _MAX_EDITED) if (path := folder / _EDITED.format(n)).is_file())


def _keep(folder: ArtifactFolder, content: bytes) -> str:
    taken = folder.names()
    name = next(name for n in range(1, _MAX_EDITED) if (name := _EDITED.format(n)) not in taken)
    folder.replace(name, content)
    return name
