"""One table, or one key, goes into a person's TOML file, or comes out of it, and every other byte stays as it was.

Owns where statements stand in a TOML text. What an edit gives is read again by the standard library and must differ
from what was there by exactly that edit. Our table is known by its name, not by marks around it: clients that write
their own settings move comments about. Knows nothing of clients.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ferrule.adapters.clients.edited import Edited
from ferrule.errors import InternalError, UnreadableInput

__all__ = ["append_table", "drop_table", "load", "remove_table", "set_key", "set_keys"]

BOM = "\ufeff"
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:[^"\\]|\\[\s\S]|"(?!""))*"{3,5}|'
    r"'''(?:[^']|'(?!''))*'{3,5}|"
    r'"(?:[^"\\\n]|\\.)*"|'
    r"'[^'\n]*'"
)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A table's head or a key with its value: where it begins and where the line behind it ends."""

    start: int
    end: int
    head: tuple[str, ...] | None


def load(text: str) -> dict[str, object]:
    """What a TOML text says; a byte order mark before it is passed over.

    Raises:
        UnreadableInput: it is not TOML.
    """
    try:
        return tomllib.loads(text.removeprefix(BOM).replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UnreadableInput(f"it is not TOML: {error}") from error


def append_table(text: str, path: Sequence[str], values: Mapping[str, str | Sequence[str]], remark: str) -> Edited:
    """Put a table at the end of the file, with a remark above it.

    Raises:
        UnreadableInput: the text is not TOML, or its tables leave no room for this one.
    """
    before = load(text)
    newline = _newline(text)
    body = text.removeprefix(BOM)
    lead = "" if not body or body.endswith("\n") else newline
    gap = newline if body.strip() else ""
    rows = [f"# {remark}", f"[{'.'.join(map(_key, path))}]"]
    rows += [f"{_key(name)} = {_value(value)}" for name, value in values.items()]
    edited = Edited(text).insert(len(text), f"{lead}{gap}{newline.join(rows)}{newline}")
    wished = {name: value if isinstance(value, str) else list(value) for name, value in values.items()}
    try:
        after = load(edited.text)
    except UnreadableInput as error:
        name = ".".join(path)
        line = f"{path[0]} is written so that no table [{name}] can be added: write it by hand"
        raise UnreadableInput(line) from error
    if _without(after, path) != _without(before, path) or _at(after, path) != wished:
        raise InternalError("a TOML edit changed more than it should")
    return edited


def remove_table(text: str, path: Sequence[str], remark: str) -> str:
    """The text without that table and those below it, and without the remark and the empty line above it.

    Raises:
        UnreadableInput: the text is not TOML, or the table is not written as one.
    """
    before = load(text)
    kept = text
    while statements := _own(kept, path):
        kept = f"{kept[: _from(kept, statements[0].start, remark)]}{kept[statements[-1].end :]}"
    after = load(kept)
    if _at(after, path) is not None or _without(after, path) != _without(before, path):
        raise UnreadableInput(f"[{'.'.join(path)}] is not written as a table of its own: take it out by hand")
    return kept


def drop_table(text: str, path: Sequence[str]) -> str:
    """The text without that table, if it is written as one, and without the tables above it that hold nothing then."""
    if not isinstance(_at(load(text), path), dict):
        return text
    try:
        text = remove_table(text, path, "")
        for size in range(len(path) - 1, 0, -1):
            if _at(load(text), path[:size]) == {}:
                text = remove_table(text, path[:size], "")
    except UnreadableInput:
        return text
    return text


def set_key(text: str, name: str, value: str) -> str:
    """The text with a key of its root set to a string: in its place, else above everything.

    Raises:
        UnreadableInput: the text is not TOML, or the key is not written in a line of its own.
    """
    return set_keys(text, (), {name: value})


def set_keys(text: str, path: Sequence[str], values: Mapping[str, str | Sequence[str]]) -> str:
    """The text with keys of a table that is there set: in their place, else as its first; others stay.

    Raises:
        UnreadableInput: the text is not TOML, or table or key are not written in lines of their own.
    """
    before = load(text)
    after = text
    for name, value in values.items():
        after = _set(after, path, name, _value(value))
    wished = {name: value if isinstance(value, str) else list(value) for name, value in values.items()}
    found, there = _at(load(after), path), _at(before, path)
    if not isinstance(there, Mapping) or found != {**there, **wished}:
        raise UnreadableInput(f"{'.'.join((*path, *values))} cannot be set in it: write it by hand")
    if path and _without(load(after), path) != _without(before, path):
        raise InternalError("a TOML edit changed more than it should")
    return after


def _set(text: str, path: Sequence[str], name: str, value: str) -> str:
    row = f"{_key(name)} = {value}"
    table = list(_root(text)) if not path else _table(text, path)
    place = next((one for one in table if one.head is None and _named(text, one, name)), None)
    if place is not None:
        tail = re.search(r"[ \t]*(?:#[^\n]*)?\r?\n?\Z", text[place.start : place.end])
        return f"{text[: place.start]}{row}{tail.group() if tail else ''}{text[place.end :]}"
    at = table[0].end if path and table else len(text) - len(text.removeprefix(BOM))
    return f"{text[:at]}{row}{_newline(text)}{text[at:]}"


def _table(text: str, path: Sequence[str]) -> list[_Statement]:
    """The head of exactly that table and what stands in it."""
    found: list[_Statement] = []
    for one in _statements(text):
        if one.head is not None:
            if found:
                break
            if one.head == tuple(path):
                found = [one]
        elif found:
            found.append(one)
    return found


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _own(text: str, path: Sequence[str]) -> list[_Statement]:
    """The first table of that path or below it with what stands in it; nothing when there is none."""
    found: list[_Statement] = []
    for one in _statements(text):
        if one.head is not None:
            if found:
                break
            if one.head[: len(path)] == tuple(path):
                found = [one]
        elif found:
            found.append(one)
    return found


def _from(text: str, start: int, remark: str) -> int:
    """Where the table begins with its remark and the one empty line above it."""
    newline = _newline(text)
    line = f"# {remark}{newline}"
    if text[:start].endswith(line):
        start -= len(line)
    if text[:start].endswith(newline * 2):
        return start - len(newline)
    return start


def _root(text: str) -> Iterator[_Statement]:
    for one in _statements(text):
        if one.head is not None:
            return
        yield one


def _named(text: str, one: _Statement, name: str) -> bool:
    word = re.escape(name)
    return re.match(rf"(?:{word}|\"{word}\"|'{word}')[ \t]*=", text[one.start : one.end]) is not None


def _statements(text: str) -> Iterator[_Statement]:
    """Every statement of a sound text, in order."""
    at = len(text) - len(text.removeprefix(BOM))
    while at < len(text):
        if text[at] in " \t\r\n":
            at += 1
        elif text[at] == "#":
            at = _line_end(text, at)
        else:
            end = _statement_end(text, at)
            yield _Statement(at, end, _head(text[at:end]) if text[at] == "[" else None)
            at = end


def _statement_end(text: str, at: int) -> int:
    """Behind the line on which the statement ends: strings and lists may go over several."""
    depth = 0
    while at < len(text):
        char = text[at]
        if char in "\"'":
            found = _STRING.match(text, at)
            at = found.end() if found else at + 1
            continue
        if char == "#":
            at = _line_end(text, at)
            if depth <= 0 or at == len(text):
                return at
            continue
        depth += (char in "[{") - (char in "]}")
        at += 1
        if char == "\n" and depth <= 0:
            return at
    return at


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found + 1


def _head(statement: str) -> tuple[str, ...]:
    """The names of a table's head: read by the standard library, so that quoting is its concern."""
    value: object = tomllib.loads(statement.replace("\r\n", "\n"))
    names: list[str] = []
    while isinstance(value, dict | list) and value:
        if isinstance(value, list):
            value = value[0]
            continue
        (name, value) = next(iter(value.items()))
        names.append(name)
    return tuple(names)


def _without(values: Mapping[str, object], path: Sequence[str]) -> dict[str, object]:
    """The values without those at a path; tables that held nothing else go with it."""
    rest = dict(values)
    inner = rest.get(path[0])
    if len(path) == 1 or not isinstance(inner, dict):
        rest.pop(path[0], None)
        return rest
    left = _without(inner, path[1:])
    if left:
        rest[path[0]] = left
    else:
        del rest[path[0]]
    return rest


def _at(values: object, path: Sequence[str]) -> object:
    for name in path:
        values = values.get(name) if isinstance(values, Mapping) else None
    return values


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def _value(value: str | Sequence[str]) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return f"[{', '.join(map(_value, value))}]"
