"""What a session worked on lately and did not remember: told while the session lasts, never written.

A memory keeps the few things that deserve it; an agent whose context was cut also reaches for the files, commands and
numbers of its last turns again. They stand in the stored reviews, with the evidence that each was named by the person
or the outcome, or acted on; what only a tool's output showed is left out, since anybody may have written that. Owns
their order and their lines. Knows nothing of stores.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice

from ferrule.bridge.details import Details, HandleView, Looked
from ferrule.recall.context import VALUE_LENGTH, PlaceCheck, safe
from ferrule.referents.kinds import HandleKind

__all__ = ["lately_entries"]

MOST_ENTRIES = 8
MOST_HANDLES = 60
_VALUES_A_LINE = 6
_NAMES_A_LINE = 10
_FADING = 0.85  # a turn: what was not touched again for four turns counts half
_TOUCHED = 0.3  # that a turn touched a thing at all says more than how well it would have been remembered
_PATHS = frozenset({HandleKind.FILESYSTEM_PATH, HandleKind.REPOSITORY_ROOT, HandleKind.PROMPT_PATH})
_PLAIN = frozenset(
    {
        HandleKind.FILESYSTEM_PATH,
        HandleKind.REPOSITORY_ROOT,
        HandleKind.URL,
        HandleKind.COMMAND,
        HandleKind.PROMPT_PATH,
    }
)


def lately_entries(
    turns: Iterable[Sequence[Looked]],
    told: Iterable[Details],
    *,
    forgotten: Collection[str],
    check: PlaceCheck,
    cwd: str | None = None,
) -> Iterator[str]:
    """Lines of the context text, most likely to be needed first; several handles a line, whole values only.

    Args:
        turns: what each review looked at, the newest turn first.
        told: the memories that are told anyway.
        forgotten: identity keys and values that a person had forgotten (DEC-D14).
        check: whether a handle is there now; what is gone is left out.
        cwd: the folder of the session: paths below it are told from there.
    """
    left = {handle.key or handle.value for memory in told for handle in memory.handles} | set(forgotten)
    found = (handle for handle in _weighed(turns) if handle.key not in left and handle.value not in left)
    there = (handle for handle in found if len(handle.value) <= VALUE_LENGTH and check(handle) is not False)
    return islice(_lines([_spelled(handle, cwd) for handle in islice(there, MOST_HANDLES)]), MOST_ENTRIES)


def _spelled(handle: HandleView, cwd: str | None) -> str:
    """The value on one line; below the session's folder from there, and with its kind where the value does not tell."""
    value = safe(handle.value)
    folder = f"{cwd.rstrip('/')}/" if cwd else ""
    short = value.removeprefix(folder) if folder and value != folder else value
    return short if handle.kind in _PLAIN else f"{handle.kind.value} {short}"


def _lines(values: Sequence[str]) -> Iterator[str]:
    """Several values a line; what lies in one folder elsewhere stands in one line that names the folder once."""
    folders: dict[str, list[str]] = {}
    for value in values:
        if folder := _folder(value):
            folders.setdefault(folder, []).append(value[len(folder) + 1 :])
    shared = {folder: names for folder, names in folders.items() if len(names) > 1}
    mixed: list[str] = []
    for value in values:
        folder = _folder(value)
        if len(folders.get(folder, ())) > 1:
            names = shared.pop(folder, [])  # the line of a folder stands where its first name would
            yield from (_line(part, folder) for part in _parts(names, _NAMES_A_LINE))
        else:
            mixed.append(value)
            if len(mixed) == _VALUES_A_LINE:
                yield _line(mixed)
                mixed.clear()
    yield from (_line(part) for part in _parts(mixed, _VALUES_A_LINE))


def _parts(values: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (values[start : start + size] for start in range(0, len(values), size))


def _line(values: Sequence[str], folder: str = "") -> str:
    return f"- lately, not remembered{f' in {folder}' if folder else ''}: {'; '.join(values)}"


def _folder(value: str) -> str:
    """The folder of an absolute path that is written out; empty for everything else."""
    folder, _, name = value.rpartition("/")
    return folder if value.startswith(("/", "~/")) and name and " " not in folder and ":" not in folder else ""


def _weighed(turns: Iterable[Sequence[Looked]]) -> list[HandleView]:
    """The handles, what spoke most for them lately first; of one thing the newest spelling.

    What a turn removed or moved away is left out with all that lay below it, unless a later turn touched it again.
    """
    weights: dict[str, float] = {}
    newest: dict[str, HandleView] = {}
    gone: set[str] = set()
    fresh = 1.0
    for turn in turns:
        for looked in turn:
            key = looked.handle.key
            if looked.gone or (key not in newest and _lay_below(looked.handle, gone)):
                continue
            weights[key] = weights.get(key, 0.0) + (_TOUCHED + looked.score) * fresh
            newest.setdefault(key, looked.handle)
        gone |= {looked.handle.value.rstrip("/") for looked in turn if looked.gone}
        fresh *= _FADING
    return sorted(newest.values(), key=lambda handle: -weights[handle.key])


def _lay_below(handle: HandleView, gone: Collection[str]) -> bool:
    """Whether it is one of these, or a path below one of them."""
    value = handle.value.rstrip("/")
    if not gone or value in gone:
        return value in gone
    return handle.kind in _PATHS and any(value.startswith(f"{folder}/") for folder in gone)
