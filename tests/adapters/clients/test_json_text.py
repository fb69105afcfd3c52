"""One value goes in, or comes out, and nothing else moves."""

import json

import pytest
from client_files import json_objects
from hypothesis import given
from hypothesis import strategies as st

from ferrule.adapters.clients.edited import Edited
from ferrule.adapters.clients.json_text import JsonValue, insert_element, insert_member, load, remove, replace
from ferrule.errors import UnreadableInput

NEW: JsonValue = {"hooks": [{"type": "command", "command": "a 'b' \"c\" ü", "timeout": 10}]}

CASES = [
    ("{}", '{\n  "new": 1\n}'),
    ('{"a":1}', '{"a":1,"new":1}'),
    ('{"a": 1}', '{"a": 1, "new": 1}'),
    ('{ "a": 1, "b": 2 }', '{ "a": 1, "b": 2, "new": 1 }'),
    ('{\n    "a": 1\n}\n', '{\n    "a": 1,\n    "new": 1\n}\n'),
    ('{\r\n\t"a": {}\r\n}', '{\r\n\t"a": {},\r\n\t"new": 1\r\n}'),
    ('\ufeff{\n "a": 1}', '\ufeff{\n "a": 1,\n "new": 1}'),
]


@pytest.mark.parametrize(("before", "after"), CASES)
def test_a_member_is_written_as_its_neighbours_are(before: str, after: str) -> None:
    """Issue 4: the layout of a person's file is theirs."""
    assert insert_member(Edited(before), (), "new", 1).text == after


def test_what_is_deep_is_laid_out_in_the_file_s_own_steps() -> None:
    """A new value of several levels takes the indentation and line ends of the file."""
    edited = insert_member(Edited('{\r\n   "hooks": {}\r\n}\r\n'), ("hooks",), "Stop", [{"a": [1]}])
    rows = ["{", '   "hooks": {', '      "Stop": [', "         {", '            "a": [', "               1"]
    rows += ["            ]", "         }", "      ]", "   }", "}", ""]
    assert edited.text == "\r\n".join(rows)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ('{"a": 1,}', "line 1, column"),
        ('{"a": 1 // no\n}', "not JSON"),
        ('{"a": NaN}', "NaN"),
        ('{"a": 1, "a": 2}', "'a' twice"),
        ('{"x": [{"b": 1, "b": 1}]}', "'b' twice"),
        ('{"a": "\t"}', "not JSON"),
        ("{'a': 1}", "not JSON"),
        ("{} {}", "not JSON"),
        ("[" * 100_000, "deeply"),
    ],
)
def test_what_is_not_strict_json_is_told_and_never_guessed_at(text: str, told: str) -> None:
    """CASE-K12: one clear line says what is wrong and where."""
    with pytest.raises(UnreadableInput, match=told):
        load(text)


@given(json_objects(), st.sampled_from(["new", "Stop"]))
def test_a_member_that_went_in_comes_out_again_exactly(text: str, name: str) -> None:
    """Whatever the layout: only the new piece is new, the values are the old ones and the new one."""
    before = load(text)
    assert isinstance(before, dict)
    if name in before:
        return
    edited = insert_member(Edited(text), (), name, NEW)
    assert edited.before() == text
    assert load(edited.text) == {**before, name: NEW}
    assert list(load(edited.text)) == [*before, name]  # type: ignore[arg-type]  # an object
    assert load(remove(edited.text, (name,))) == before


@given(json_objects())
def test_several_pieces_are_told_apart_and_taken_back_together(text: str) -> None:
    """Containers, elements and members one after the other: without all the pieces the text is as it was."""
    before = load(text)
    assert isinstance(before, dict)
    edited = Edited(text)
    if "list" not in before:
        edited = insert_member(edited, (), "list", [])
        edited = insert_element(edited, ("list",), NEW)
        edited = insert_element(edited, ("list",), 2)
    for name, value in before.items():
        if isinstance(value, dict):
            edited = insert_member(edited, (name,), "inside", NEW)
        if isinstance(value, list):
            edited = insert_element(edited, (name,), NEW)
    assert edited.before() == text
    assert json.loads(edited.text.removeprefix("\ufeff"))["list"][1] == 2


@given(json_objects())
def test_taking_one_out_leaves_the_others_byte_for_byte(text: str) -> None:
    """Each member taken out: the rest reads the same, in the same order."""
    before = load(text)
    assert isinstance(before, dict)
    for name in before:
        rest = remove(text, (name,))
        assert load(rest) == {other: value for other, value in before.items() if other != name}
    for name in before:
        assert load(replace(text, (name,), NEW)) == {**before, name: NEW}
