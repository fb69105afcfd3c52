"""One value goes into a person's JSON file, or comes out of it, and every other byte stays as it was.

Owns where members and elements stand in a JSON text, and how a new one is written in the manner of its neighbours:
indentation, line ends, a compact line. Takes strict JSON only, with unique names; anything else is told with its place,
never guessed at. Knows nothing of clients.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from json.decoder import scanstring  # type: ignore[attr-defined]  # public by its name, unknown to the stubs
from typing import TypeAlias

from ferrule.adapters.clients.edited import Edited
from ferrule.errors import UnreadableInput

__all__ = ["JsonValue", "Place", "find", "insert_element", "insert_member", "load", "remove", "replace"]

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
Step: TypeAlias = str | int
BOM = "\ufeff"

_SPACE = re.compile(r"[ \t\r\n]*")
_SCAN = json.JSONDecoder().raw_decode
_LONG_NUMBER = 300
_LINE_INDENT = re.compile(r"[ \t]*")


@dataclass(frozen=True, slots=True)
class Place:
    """Where one value stands: from the name of its member, if it is one, to its end.

    Attributes:
        start: where the member's name, or the element, begins.
        value: where the value begins.
        end: where it ends.
    """

    start: int
    value: int
    end: int


def load(text: str) -> JsonValue:
    """What a JSON text says; a byte order mark before it is passed over.

    Raises:
        UnreadableInput: it is not strict JSON, or an object names a member twice.
    """
    body = text.removeprefix(BOM)
    if not body.strip(" \t\r\n"):
        raise UnreadableInput("it is empty, and JSON is not: write {} into it, or remove it")
    try:
        value: JsonValue = json.loads(body, object_pairs_hook=_unique, parse_constant=_constant, parse_int=_number)
    except json.JSONDecodeError as error:
        line = f"it is not JSON: line {error.lineno}, column {error.colno}: {error.msg}"
        raise UnreadableInput(line) from error
    except RecursionError as error:
        raise UnreadableInput("it is nested too deeply") from error
    return value


def _unique(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in found if names.count(name) > 1)
        raise UnreadableInput(f"it names {twice!r:.60} twice in one object; which one counts, only you can say")
    return found


def _constant(word: str) -> float:
    raise UnreadableInput(f"it is not JSON: {word} is no JSON number")


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONG_NUMBER else float("inf")


def find(text: str, path: Sequence[Step]) -> Place | None:
    """Where the value of that path stands in a sound text, or None."""
    at = _value_at(text, len(text) - len(text.removeprefix(BOM)))
    place = Place(at, at, _end(text, at))
    for step in path:
        opening = text[place.value]
        if opening != ("{" if isinstance(step, str) else "["):
            return None
        inside = _members(text, place.value) if opening == "{" else _elements(text, place.value)
        found = next((one for name, one in inside if name == step), None)
        if found is None:
            return None
        place = found
    return place


def insert_member(edited: Edited, path: Sequence[Step], name: str, value: JsonValue) -> Edited:
    """Put a member at the end of the object of that path."""
    return _inserted(edited, path, lambda style: f"{json.dumps(name)}{style.colon}{_rendered(value, style)}")


def insert_element(edited: Edited, path: Sequence[Step], value: JsonValue) -> Edited:
    """Put an element at the end of the list of that path."""
    return _inserted(edited, path, lambda style: _rendered(value, style))


def replace(text: str, path: Sequence[Step], value: JsonValue) -> str:
    """The text with another value in the place of that path, which must be there."""
    place = _there(text, path)
    style = _style(text, _indent_of(text, place.start), several="\n" in text[place.value : place.end])
    return f"{text[: place.value]}{_rendered(value, style)}{text[place.end :]}"


def remove(text: str, path: Sequence[Step]) -> str:
    """The text without the member or element of that path, which must be there; its comma goes with it."""
    place = _there(text, path)
    holder = _there(text, path[:-1])
    inside = _inside(text, holder.value)
    number = inside.index(place)
    if len(inside) == 1:  # the brackets close on each other
        return f"{text[: holder.value + 1]}{text[holder.end - 1 :]}"
    if number == 0:
        return f"{text[: place.start]}{text[inside[1].start :]}"
    return f"{text[: inside[number - 1].end]}{text[place.end :]}"


@dataclass(frozen=True, slots=True)
class _Style:
    """How something new is written: `newline` empty for all on one line; `indent` is that of the new thing itself."""

    newline: str
    indent: str
    unit: str
    colon: str
    comma: str


def _inserted(edited: Edited, path: Sequence[Step], written: Callable[[_Style], str]) -> Edited:
    text = edited.text
    holder = _there(text, path)
    inside = _inside(text, holder.value)
    if inside:
        last = inside[-1]
        before = inside[-2].end if len(inside) > 1 else holder.value
        gap = _gap(text, before, last.start)
        several = "\n" in gap
        style = _style(text, gap.rpartition("\n")[2] if several else "", several=several)
        if len(inside) == 1 and not several:  # no comma shows how commas are written
            gap = style.comma[1:]
        return edited.insert(last.end, f",{gap}{written(style)}")
    base = _indent_of(text, holder.value)
    if not _is_laid_out(text):
        return edited.insert(holder.value + 1, written(_style(text, "", several=False)))
    style = _style(text, base + _unit(text), several=True)
    hollow = text[holder.value + 1 : holder.end - 1]
    closing = "" if "\n" in hollow else f"{style.newline}{base}"
    return edited.insert(holder.value + 1, f"{style.newline}{style.indent}{written(style)}{closing}")


def _gap(text: str, before: int, start: int) -> str:
    """The white space before a member: behind the bracket or the comma that it follows."""
    end = start
    while end > before and text[end - 1] in " \t\r\n":
        end -= 1
    return text[end:start]


def _style(text: str, indent: str, *, several: bool) -> _Style:
    newline = ("\r\n" if "\r\n" in text else "\n") if several else ""
    tight = not several and re.search(r'"[ \t\r\n]*:[ \t]', text) is None and '":' in text
    return _Style(newline, indent, _unit(text), ":" if tight else ": ", "," if tight else ", ")


def _is_laid_out(text: str) -> bool:
    """Whether the text is written over several lines, or says nothing about that yet."""
    body = text.removeprefix(BOM).strip(" \t\r\n")
    return "\n" in body or body in {"{}", "[]"} or not body[1:-1].strip(" \t")


def _unit(text: str) -> str:
    """By how much the text indents: what the first indented line after the first bracket shows."""
    found = re.search(r"\n([ \t]+)\S", text)
    return found.group(1) if found else "  "


def _indent_of(text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    found = _LINE_INDENT.match(text, start)
    return found.group() if found else ""


def _rendered(value: JsonValue, style: _Style) -> str:
    if not isinstance(value, dict | list) or not value:
        return json.dumps(value, ensure_ascii=False)
    deeper = _Style(style.newline, style.indent + style.unit, style.unit, style.colon, style.comma)
    if isinstance(value, Mapping):
        parts = [f"{json.dumps(name)}{style.colon}{_rendered(item, deeper)}" for name, item in value.items()]
    else:
        parts = [_rendered(item, deeper) for item in value]
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    if not style.newline:
        return f"{opening}{style.comma.join(parts)}{closing}"
    start = f"{style.newline}{deeper.indent}"
    return f"{opening}{start}{f',{start}'.join(parts)}{style.newline}{style.indent}{closing}"


def _there(text: str, path: Sequence[Step]) -> Place:
    place = find(text, path)
    if place is None:
        raise UnreadableInput(f"there is no {'.'.join(map(str, path)) or 'value'} in it")
    return place


def _inside(text: str, opening: int) -> list[Place]:
    if text[opening] == "{":
        return [place for _, place in _members(text, opening)]
    if text[opening] == "[":
        return [place for _, place in _elements(text, opening)]
    raise UnreadableInput("there is neither an object nor a list where one belongs")


def _members(text: str, opening: int) -> Iterator[tuple[str, Place]]:
    at = _value_at(text, opening + 1)
    while text[at] != "}":
        name, end = scanstring(text, at + 1)
        value = _value_at(text, _value_at(text, end) + 1)
        place = Place(at, value, _end(text, value))
        yield name, place
        at = _value_at(text, place.end)
        at = _value_at(text, at + 1) if text[at] == "," else at


def _elements(text: str, opening: int) -> Iterator[tuple[int, Place]]:
    at = _value_at(text, opening + 1)
    number = 0
    while text[at] != "]":
        place = Place(at, at, _end(text, at))
        yield number, place
        number += 1
        at = _value_at(text, place.end)
        at = _value_at(text, at + 1) if text[at] == "," else at


def _value_at(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _end(text: str, at: int) -> int:
    return int(_SCAN(text, at)[1])
