"""Installing and uninstalling are planned as changes of files, from what is there now to what there should be.

Owns the choice between taking back exactly what was put in, where a file is as we left it, and finding our entries by
what they run, where it is not. Nothing is written here. Knows nothing of any one client or of who asked.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ferrule.adapters.clients.changes import Change, read_file, target_of
from ferrule.adapters.clients.described import (
    Client,
    Entry,
    Folders,
    HookEntry,
    MemberEntry,
    TableEntry,
    TextEntry,
    Wish,
)
from ferrule.adapters.clients.edited import without_pieces
from ferrule.adapters.clients.placing import Placed, taken_out, with_entries
from ferrule.adapters.clients.records import FileRecord, Record, digest
from ferrule.adapters.clients.toml_text import drop_table
from ferrule.errors import UnreadableInput, UsageError

__all__ = ["Plan", "plan_install", "plan_uninstall"]

TAKEN_OUT = "what Ferrule put in is taken out"
MADE_FOR_US = "it was made for Ferrule, and nothing else is in it"
Written = HookEntry | MemberEntry | TableEntry


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done.

    Attributes:
        changes: the client's files.
        files: what is recorded of them afterwards.
        folders: folders that are made for them.
        notes: what is left as it is, and why.
    """

    changes: tuple[Change, ...] = ()
    files: tuple[FileRecord, ...] = ()
    folders: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def plan_install(client: Client, folders: Folders, wish: Wish, record: Record | None) -> Plan:
    """What makes the client's files hold what is wished, and nothing else of ours.

    Raises:
        UnreadableInput: a file is not what the client itself would read; it is named.
        UsageError: something of another origin stands in the way, or a file cannot be read.
    """
    changes: list[Change] = []
    files: list[FileRecord] = []
    notes: list[str] = []
    entries = client.entries(folders, wish)
    for named, own in _by_file(entries):
        path = target_of(named)
        change, kept = _installed(named, path, own, record.file(path) if record else None)
        changes += [change] if change is not None else []
        files += [kept] if kept is not None else []
    texts = [entry for entry in entries if isinstance(entry, TextEntry)]
    texts += _outdated(client, folders, texts, record)
    for entry in texts:
        path = target_of(entry.file)
        text_change, kept, note = _text(entry, path, record.file(path) if record else None)
        changes += [text_change] if text_change is not None else []
        files += [kept] if kept is not None else []
        notes += [note] if note else []
    made = [str(folder) for change in changes if change.after is not None for folder in _missing(change.path.parent)]
    before = record.folders if record else ()
    return Plan(tuple(changes), tuple(files), tuple(dict.fromkeys((*before, *sorted(made)))), tuple(notes))


def plan_uninstall(client: Client, folders: Folders, wish: Wish, record: Record | None) -> Plan:
    """What takes everything of ours out of the client's files.

    Raises:
        UnreadableInput: a file is not what the client itself would read; it is named.
        UsageError: a file cannot be read.
    """
    changes: list[Change] = []
    notes: list[str] = []
    entries = client.entries(folders, wish)
    traces = client.traces(folders)
    for named, own in _by_file(entries):
        path = target_of(named)
        data = read_file(path)
        if data is not None:
            after = _uninstalled(named, data, own, record.file(path) if record else None, traces=traces)
            meaning = MADE_FOR_US if after is None else TAKEN_OUT
            changes += [] if after == data else [Change(path, data, after, named, meaning)]
    texts = [entry for entry in entries if isinstance(entry, TextEntry)]
    for entry in [*texts, *_outdated(client, folders, texts, record)]:
        path = target_of(entry.file)
        kept = record.file(path) if record else None
        data = read_file(path)
        if data is None:
            continue
        if entry.is_ours(data) or (kept is not None and digest(data) == kept.after):
            changes.append(Change(path, data, None, entry.file, entry.meaning))
        else:
            notes.append(f"{entry.file} stays: it was changed since, or is not Ferrule's")
    return Plan(tuple(changes), (), record.folders if record else (), tuple(notes))


def _by_file(entries: Iterable[Entry]) -> list[tuple[Path, list[Written]]]:
    found: dict[Path, list[Written]] = {}
    for entry in entries:
        if not isinstance(entry, TextEntry):
            found.setdefault(entry.file, []).append(entry)
    return list(found.items())


def _installed(
    named: Path, path: Path, entries: Sequence[Written], kept: FileRecord | None
) -> tuple[Change | None, FileRecord | None]:
    data = read_file(path)
    if not any(entry.wanted for entry in entries):
        after = None if data is None else _uninstalled(named, data, entries, kept)
        return (None if after == data else Change(path, data, after, named, TAKEN_OUT)), None
    meaning = "; ".join(entry.meaning for entry in entries if entry.wanted)
    if data is None:
        placed = _placed(named, _empty(entries), entries)
        return _changed(Change(path, None, b"", named, meaning), placed, existed=False, before="")
    text = _decoded(named, data)
    placed = _placed(named, text, entries)
    if placed.text == text:
        return None, kept
    base = _exact(text, kept) if kept is not None else None
    if kept is not None and base is not None:
        placed = _placed(named, base if kept.existed else _empty(entries), entries)
        return _changed(Change(path, data, b"", named, meaning), placed, existed=kept.existed, before=kept.before)
    if placed.pieces is not None and _uninstalled(named, data, entries, None) == data:
        return _changed(Change(path, data, b"", named, meaning), placed, existed=True, before=digest(data))
    mended = Placed(placed.text, None, (*(kept.made if kept else ()), *placed.made))
    existed = kept.existed if kept else True
    return _changed(Change(path, data, b"", named, meaning), mended, existed=existed, before="")


def _changed(change: Change, placed: Placed, *, existed: bool, before: str) -> tuple[Change, FileRecord]:
    data = placed.text.encode("utf-8")
    kept = FileRecord(str(change.path), existed, before, digest(data), placed.pieces, placed.made)
    return Change(change.path, change.before, data, change.named, change.meaning), kept


def _uninstalled(
    named: Path,
    data: bytes,
    entries: Sequence[Written],
    kept: FileRecord | None,
    *,
    traces: Sequence[tuple[str, ...]] = (),
) -> bytes | None:
    text = _decoded(named, data)
    base = _exact(text, kept) if kept is not None else None
    if kept is not None and base is not None:
        return base.encode("utf-8") if kept.existed else None
    with _naming(named):
        rest = taken_out(text, entries, kept.made if kept is not None else None)
        for trace in traces if any(isinstance(entry, TableEntry) for entry in entries) else ():
            rest = drop_table(rest, trace)
    if kept is not None and not kept.existed and rest != text and rest.strip("\ufeff \t\r\n") in {"", "{}"}:
        return None
    return rest.encode("utf-8")


def _exact(text: str, kept: FileRecord) -> str | None:
    """The text without our pieces, where it is as we left it and that gives what was there before; else None."""
    if kept.pieces is None or digest(text) != kept.after:
        return None
    base = without_pieces(text, kept.pieces)
    return base if not kept.existed or digest(base) == kept.before else None


def _text(entry: TextEntry, path: Path, kept: FileRecord | None) -> tuple[Change | None, FileRecord | None, str]:
    data = read_file(path)
    ours = data is not None and (entry.is_ours(data) or (kept is not None and digest(data) == kept.after))
    if entry.data is None:
        return (Change(path, data, None, entry.file, entry.meaning) if ours else None), None, ""
    after = FileRecord(str(path), existed=False, before="", after=digest(entry.data))
    if data == entry.data:
        return None, after, ""
    if data is None or ours:
        return Change(path, data, entry.data, entry.file, entry.meaning), after, ""
    return None, kept, f"{entry.file} stays as it is: it was changed since, or is not Ferrule's"


def _outdated(client: Client, folders: Folders, texts: Iterable[TextEntry], record: Record | None) -> list[TextEntry]:
    """Texts that an older version brought and this one does not."""
    folder = target_of(folders.config / client.texts_folder)
    now = {target_of(entry.file) for entry in texts}
    old = [Path(one.path) for one in (record.files if record else ())]
    return [
        TextEntry(path, None, "a newer Ferrule does without it")
        for path in old
        if folder in path.parents and path not in now
    ]


def _missing(folder: Path) -> list[Path]:
    return [one for one in (folder, *folder.parents) if not one.exists()]


def _empty(entries: Sequence[Written]) -> str:
    return "" if all(isinstance(entry, TableEntry) for entry in entries) else "{}\n"


def _decoded(named: Path, data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableInput(f"{named}: it is not UTF-8") from error


def _placed(named: Path, text: str, entries: Sequence[Written]) -> Placed:
    with _naming(named):
        return with_entries(text, entries)


@contextmanager
def _naming(named: Path) -> Iterator[None]:
    """What is wrong with a file is told with the file's name."""
    try:
        yield
    except UnreadableInput as error:
        raise UnreadableInput(f"{named}: {error}", code=error.code) from error
    except UsageError as error:
        raise UsageError(f"{named}: {error}", code=error.code) from error
