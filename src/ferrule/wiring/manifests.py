"""The manifest of a catch-up as a file among the source's artifacts, for people and for other programs (platform.md 4).

Owns `artifacts/online-memory-critic-batch/manifest.json`: made anew from the store, never read back as truth, gone when
the manifest is forgotten. Knows nothing of how a batch runs.
"""

import json
from pathlib import Path

from ferrule.companion.manifests import Entry, entries, progress_of
from ferrule.session.artifacts import ArtifactFolder, artifact_folder, remove_artifact
from ferrule.session.keys import child_key
from ferrule.wiring.home import Home

__all__ = ["manifest_path", "project_manifest"]

FILE_NAME = "manifest.json"
FOLDER = "online-memory-critic-batch"
SCHEMA_VERSION = 1
NOTE = "States as of the last `ferrule catch-up` of this source; result markers decide. Made anew from the database."


def manifest_path(home: Path, source: str) -> Path:
    """Where a source's manifest is."""
    return ArtifactFolder.located(home, source, FOLDER) / FILE_NAME


def project_manifest(home: Home, source: str) -> None:
    """Bring the file up to date with the store; nothing is written where it says the same already.

    Raises:
        StoreError: `UNSAFE_PATH` for a link or special file on the way; `IO_FAILED`. The store is not touched.
    """
    rows = entries(home.store, source)
    if not rows:
        remove_artifact(home.path, source, FOLDER, FILE_NAME)
        return
    content = f"{json.dumps(_form(source, rows), indent=2)}\n".encode()
    with artifact_folder(home.path, source, FOLDER, "the manifest of the catch-up") as folder:
        if folder.read(FILE_NAME) != content:
            folder.replace(FILE_NAME, content)


def _form(source: str, rows: tuple[Entry, ...]) -> dict[str, object]:
    progress = progress_of(rows)
    return {
        "schema_version": SCHEMA_VERSION,
        "note": NOTE,
        "source": source,
        "companion": child_key(source),
        "of": progress.of,
        "done": progress.done,
        "skipped": progress.skipped,
        "failed": progress.failed,
        "turns": [_row(row) for row in rows],
    }


def _row(row: Entry) -> dict[str, object]:
    form: dict[str, object] = {"ordinal": row.ordinal, "turn": row.turn, "state": row.state.value}
    return form | {"reason": row.reason} if row.reason else form
