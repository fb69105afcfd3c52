"""What a person decided about a project stands in the home, one small private file for each decision.

Owns `projects/<hash of its folder>/trust.json` and `recall.json` below a home: what was trusted, word for word, and
whether other sessions may be recalled. A file that cannot be read decides nothing. Knows nothing of what follows from a
decision.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from ferrule.errors import Code, StoreError

__all__ = ["Trusted", "all_trusted", "digest_of", "drop_trusted", "put_recall", "put_trusted", "recalling", "trusted"]

PROJECTS = "projects"
MAX_BYTES = 8 * 1024 * 1024
_TRUST, _RECALL = "trust.json", "recall.json"


@dataclass(frozen=True, slots=True)
class Trusted:
    """The content of a project's ontology that a person trusted: file names and texts, and when (UTC).

    `ignored` are files that were there and are not read, by name, with the SHA-256 of their text.
    """

    root: Path
    at: str
    texts: Mapping[str, str]
    ignored: Mapping[str, str] = field(default_factory=dict)


def _place(home: Path, root: Path) -> Path:
    name = hashlib.sha256(os.fsencode(root)).hexdigest()[:32]
    return home / PROJECTS / name


def trusted(home: Path, root: Path) -> Trusted | None:
    """What was trusted of the project in exactly that folder, or None."""
    return _trusted(_place(home, root) / _TRUST)


def all_trusted(home: Path) -> tuple[Trusted, ...]:
    """Every project of which something was trusted, by folder."""
    files = sorted((home / PROJECTS).glob(f"*/{_TRUST}"))
    return tuple(sorted((found for file in files if (found := _trusted(file))), key=lambda one: str(one.root)))


def put_trusted(home: Path, given: Trusted) -> None:
    """Remember that this content is trusted.

    Raises:
        StoreError: the home cannot be written.
    """
    held = {
        "root": str(given.root),
        "at": given.at,
        "texts": dict(given.texts),
        "sha256": {name: digest_of(text) for name, text in given.texts.items()},
        "ignored": dict(given.ignored),
    }
    _put(_place(home, given.root) / _TRUST, held)


def digest_of(text: str) -> str:
    """The SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def drop_trusted(home: Path, root: Path) -> bool:
    """Take trust back; False when there was none.

    Raises:
        StoreError: the home cannot be written.
    """
    return _dropped(_place(home, root) / _TRUST)


def recalling(home: Path, root: Path) -> bool:
    """Whether other sessions' memories may be recalled in the project in exactly that folder."""
    return _read(_place(home, root) / _RECALL).get("recall") is True


def put_recall(home: Path, root: Path, *, on: bool) -> bool:
    """Switch that on or off; returns whether this changed anything.

    Raises:
        StoreError: the home cannot be written.
    """
    if recalling(home, root) is on:
        return False
    if on:
        _put(_place(home, root) / _RECALL, {"root": str(root), "recall": True})
        return True
    return _dropped(_place(home, root) / _RECALL)


def _trusted(file: Path) -> Trusted | None:
    held = _read(file)
    root, at, texts, digests = (held.get(name) for name in ("root", "at", "texts", "sha256"))
    if not isinstance(root, str) or not isinstance(texts, dict) or not isinstance(digests, dict):
        return None
    own = dict(_sound(texts, digests))
    if len(own) != len(digests):
        return None
    ignored = held.get("ignored")
    rest = {str(name): str(digest) for name, digest in ignored.items()} if isinstance(ignored, dict) else {}
    return Trusted(Path(root), str(at or ""), own, rest)


def _sound(texts: Mapping[str, object], digests: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for name, text in texts.items():
        if isinstance(text, str) and digests.get(name) == digest_of(text):
            yield name, text


def _read(file: Path) -> dict[str, object]:
    try:
        with file.open("rb") as stream:
            held = json.loads(stream.read(MAX_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    return held if isinstance(held, dict) else {}


def _put(file: Path, held: Mapping[str, object]) -> None:
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, fresh = tempfile.mkstemp(prefix=".", dir=file.parent)  # mode 0600
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
                json.dump(held, stream, ensure_ascii=True, indent=1, sort_keys=True)
                stream.flush()
                os.fsync(descriptor)
            Path(fresh).replace(file)
        finally:
            with suppress(OSError):
                Path(fresh).unlink()
    except OSError as error:
        raise StoreError(f"{file} cannot be written: {error.strerror or error}", code=Code.IO_FAILED) from error


def _dropped(file: Path) -> bool:
    try:
        file.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StoreError(f"{file} cannot be removed: {error.strerror or error}", code=Code.IO_FAILED) from error
    with suppress(OSError):
        file.parent.rmdir()
    return True
