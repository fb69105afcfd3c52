"""Entries of ours go into a text and come out of it, each known by what it runs; the rest of the text is not ours.

Owns, for each kind of entry: whether it is there and right, how it is put in, mended in its place, and taken out with
the containers that were made for it. Knows nothing of files on a disk.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ferrule.adapters.clients import json_text, toml_text
from ferrule.adapters.clients.command_lines import is_own
from ferrule.adapters.clients.described import HookEntry, MemberEntry, TableEntry
from ferrule.adapters.clients.edited import Edited
from ferrule.adapters.clients.json_text import JsonValue
from ferrule.errors import Code, UnreadableInput, UsageError

__all__ = ["Placed", "own_hooks", "own_member", "own_table", "taken_out", "with_entries"]

REMARK = "Written by `ferrule install`; `ferrule uninstall` takes it out."
Step = str | int


@dataclass(frozen=True, slots=True)
class Placed:
    """A text with entries of ours.

    Attributes:
        text: the text.
        pieces: what was put in, in characters; None when something was mended, so that this does not tell all.
        made: containers that were made for our entries, outermost first.
    """

    text: str
    pieces: tuple[tuple[int, int], ...] | None = ()
    made: tuple[tuple[str, ...], ...] = ()


def with_entries(text: str, entries: Iterable[HookEntry | MemberEntry | TableEntry]) -> Placed:
    """The text with these entries, each once and right; not wanted ones of ours are taken out.

    Raises:
        UnreadableInput: the text is not what it should be.
        UsageError: something of another origin stands where an entry belongs.
    """
    placed = Placed(text)
    for entry in entries:
        match entry:
            case HookEntry():
                placed = _with_hook(placed, entry)
            case MemberEntry():
                placed = _with_member(placed, entry)
            case TableEntry():
                placed = _with_table(placed, entry)
    return placed


def taken_out(
    text: str, entries: Iterable[HookEntry | MemberEntry | TableEntry], made: Sequence[tuple[str, ...]] | None
) -> str:
    """The text without anything of ours; containers go when they are left empty and were made for us.

    Args:
        text: the text.
        entries: what may be in it.
        made: the containers that were made; None when that is not known: then empty ones go.

    Raises:
        UnreadableInput: the text is not what it should be.
    """
    for entry in entries:
        match entry:
            case HookEntry():
                text = _without_hooks(text, made)
            case MemberEntry(path=path, name=name):
                if own_member(json_text.load(text), entry) is not None:
                    text = _without_empty(json_text.remove(text, (*path, name)), path, made)
            case TableEntry(path=path):
                if own_table(text, entry) is not None:
                    text = toml_text.remove_table(text, path, REMARK)
    return text


def own_hooks(value: JsonValue, event: str | None = None) -> Iterator[tuple[str, int, int, Mapping[str, JsonValue]]]:
    """Our handlers in a client's hooks: event, number of the group, number in it, handler."""
    hooks = value.get("hooks") if isinstance(value, dict) else None
    for name, groups in hooks.items() if isinstance(hooks, dict) else ():
        if event not in {None, name} or not isinstance(groups, list):
            continue
        for number, group in enumerate(groups):
            handlers = group.get("hooks") if isinstance(group, dict) else None
            for at, handler in enumerate(handlers if isinstance(handlers, list) else ()):
                if isinstance(handler, dict) and is_own(handler.get("command")):
                    yield name, number, at, handler


def own_member(value: JsonValue, entry: MemberEntry) -> Mapping[str, JsonValue] | None:
    """Our member, or None when there is none or another's, or nothing that could hold it."""
    for name in (*entry.path, entry.name):
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, dict) and is_own(entry.command(value)) else None


def own_table(text: str, entry: TableEntry) -> Mapping[str, object] | None:
    """Our table, or None when there is none or another's.

    Raises:
        UnreadableInput: the text is not TOML.
    """
    value: object = toml_text.load(text)
    for name in entry.path:
        value = value.get(name) if isinstance(value, dict) else None
    if not isinstance(value, dict):
        return None
    arguments = value.get("args")
    return value if is_own([value.get("command"), *(arguments if isinstance(arguments, list) else ())]) else None


def _with_hook(placed: Placed, entry: HookEntry) -> Placed:
    value = json_text.load(placed.text)
    found = list(own_hooks(value, entry.event))
    if found:
        return _mended(placed, entry, found)
    hooks = _object(value, ()).get("hooks")
    group: JsonValue = {"hooks": [dict(entry.handler)]}
    edited = Edited(placed.text, placed.pieces or ())
    if hooks is None and "hooks" not in _object(value, ()):
        edited = json_text.insert_member(edited, (), "hooks", {entry.event: [group]})
        return _grown(placed, edited, ("hooks",), ("hooks", entry.event))
    groups = _object(hooks, ("hooks",)).get(entry.event)
    if groups is None and entry.event not in _object(hooks, ("hooks",)):
        edited = json_text.insert_member(edited, ("hooks",), entry.event, [group])
        return _grown(placed, edited, ("hooks", entry.event))
    if not isinstance(groups, list):
        raise UnreadableInput(f"its hooks.{entry.event} is no list")
    return _grown(placed, json_text.insert_element(edited, ("hooks", entry.event), group))


def _mended(placed: Placed, entry: HookEntry, found: Sequence[tuple[str, int, int, Mapping[str, JsonValue]]]) -> Placed:
    text = placed.text
    for event, group, at, _ in reversed(found[1:]):
        text = _without_handler(text, (event, group, at), ())
    event, group, at, handler = found[0]
    right = {**handler, **entry.handler}
    if right != handler:
        text = json_text.replace(text, ("hooks", event, group, "hooks", at), right)
    return placed if text == placed.text else Placed(text, None, placed.made)


def _with_member(placed: Placed, entry: MemberEntry) -> Placed:
    value = json_text.load(placed.text)
    own = own_member(value, entry)
    path = (*entry.path, entry.name)
    if own is not None:
        right = {**own, **entry.value}
        if not entry.wanted:
            rest = _without_empty(json_text.remove(placed.text, path), entry.path, placed.made)
            return Placed(rest, None, placed.made)
        return placed if right == own else Placed(json_text.replace(placed.text, path, right), None, placed.made)
    if not entry.wanted:
        return placed
    holder = _object(value, ())
    edited = Edited(placed.text, placed.pieces or ())
    if entry.path and entry.path[0] not in holder:
        edited = json_text.insert_member(edited, (), entry.path[0], {entry.name: dict(entry.value)})
        return _grown(placed, edited, entry.path)
    for name in entry.path:
        holder = _object(holder.get(name), entry.path)
    if entry.name in holder:
        raise UsageError(entry.instead, code=Code.ALREADY_EXISTS)
    return _grown(placed, json_text.insert_member(edited, entry.path, entry.name, dict(entry.value)))


def _with_table(placed: Placed, entry: TableEntry) -> Placed:
    own = own_table(placed.text, entry)
    if own is not None:
        if not entry.wanted:
            return Placed(toml_text.remove_table(placed.text, entry.path, REMARK), None, placed.made)
        if all(own.get(name) == value for name, value in entry.values.items()):
            return placed
        return Placed(toml_text.set_keys(placed.text, entry.path, entry.values), None, placed.made)
    if not entry.wanted:
        return placed
    value: object = toml_text.load(placed.text)
    for name in entry.path:
        value = value.get(name) if isinstance(value, dict) else None
    if value is not None:
        raise UsageError(entry.instead, code=Code.ALREADY_EXISTS)
    edited = toml_text.append_table(placed.text, entry.path, entry.values, REMARK)
    return _grown(placed, Edited(edited.text, (*(placed.pieces or ()), *edited.pieces)))


def _grown(placed: Placed, edited: Edited, *made: tuple[str, ...]) -> Placed:
    return Placed(edited.text, None if placed.pieces is None else edited.pieces, (*placed.made, *made))


def _without_hooks(text: str, made: Sequence[tuple[str, ...]] | None) -> str:
    while (found := next(own_hooks(json_text.load(text)), None)) is not None:
        event, group, at, _ = found
        text = _without_handler(text, (event, group, at), made)
    return text


def _without_handler(text: str, place: tuple[str, int, int], made: Sequence[tuple[str, ...]] | None) -> str:
    event, group, at = place
    path: tuple[Step, ...] = ("hooks", event, group, "hooks")
    value: object = json_text.load(text)
    for step in path:
        value = value[step]  # type: ignore[index]  # the place was just found in this very text
    if isinstance(value, list) and len(value) > 1:  # somebody's own handlers beside it
        return json_text.remove(text, (*path, at))
    text = json_text.remove(text, ("hooks", event, group))
    return _without_empty(text, ("hooks", event), made)


def _without_empty(text: str, path: tuple[str, ...], made: Sequence[tuple[str, ...]] | None) -> str:
    """The text without the containers of that path that are empty now, from the innermost on."""
    while path:
        place = json_text.find(text, path)
        if place is None or json.loads(text[place.value : place.end]) or (made is not None and path not in made):
            return text
        text = json_text.remove(text, path)
        path = path[:-1]
    return text


def _object(value: JsonValue, path: Sequence[str]) -> dict[str, JsonValue]:
    if not isinstance(value, dict):
        raise UnreadableInput(f"its {'.'.join(path) or 'outermost value'} is no object")
    return value
