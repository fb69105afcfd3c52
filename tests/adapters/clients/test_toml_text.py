"""One table, or one key, goes in or comes out, and nothing else moves."""

import tomllib

import pytest
from client_files import toml_files
from hypothesis import given

from ferrule.adapters.clients.toml_text import append_table, load, remove_table, set_key, set_keys
from ferrule.errors import UnreadableInput

PATH = ("mcp_servers", "ferrule")
VALUES = {"command": "/a b/\"q\"/'s'/\\x/ü\x7f", "args": ["-m", "ferrule", "mcp"]}
REMARK = "ours"


@given(toml_files())
def test_a_table_that_went_in_comes_out_again(text: str) -> None:
    """Whatever stands in the file: exactly the table is new, and without it the file is as it was."""
    before = load(text)
    edited = append_table(text, PATH, VALUES, REMARK)
    assert edited.before() == text
    after = load(edited.text)
    assert after["mcp_servers"]["ferrule"] == VALUES  # type: ignore[index]  # a table
    taken = remove_table(edited.text, PATH, REMARK)
    assert load(taken) == before
    assert taken.rstrip("\r\n") == text.rstrip("\r\n")


@given(toml_files())
def test_a_key_is_set_and_nothing_else(text: str) -> None:
    """A key of the root goes above everything, and is set again in its place."""
    before = load(text)
    once = set_key(text, "attach", "manual")
    assert load(once) == {**before, "attach": "manual"}
    twice = set_key(once, "attach", "auto")
    assert load(twice) == {**before, "attach": "auto"}
    assert twice == once.replace('"manual"', '"auto"')


def test_a_key_keeps_the_remark_behind_it() -> None:
    """A person's own words about a setting stay."""
    text = "# mine\nretention_days = 3\nattach = 'auto'   # as I like it\n\n[profiles.codex]\nattach = 1\n"
    assert set_key(text, "attach", "manual") == text.replace("'auto'", '"manual"')


def test_a_client_that_moves_remarks_about_does_not_put_others_into_our_table() -> None:
    """Codex writes its own tables between ours and what stood below it: only ours comes out."""
    text = append_table('model = "x"\n', PATH, VALUES, REMARK).text + "\n# tail\n"
    moved = text.replace("\n# tail\n", '\n[hooks.state]\n\n[hooks.state."k"]\ntrusted_hash = "h"\n\n# tail\n')
    assert remove_table(moved, PATH, REMARK) == (
        'model = "x"\n\n[hooks.state]\n\n[hooks.state."k"]\ntrusted_hash = "h"\n\n# tail\n'
    )


def test_what_the_client_keeps_below_our_table_goes_with_it() -> None:
    """Codex keeps a person's approvals below the server: left alone they would be a server without a command."""
    text = append_table("", PATH, VALUES, REMARK).text
    text += '\n[features]\nhooks = true\n\n[mcp_servers.ferrule.tools.search]\napproval_mode = "approve"\n'
    assert load(remove_table(text, PATH, REMARK)) == {"features": {"hooks": True}}


def test_a_table_is_mended_in_its_place_and_keeps_what_is_not_ours() -> None:
    """After an upgrade the command changes; what a person added stays."""
    text = '[mcp_servers.ferrule]\ncommand = "old" # here\nstartup_timeout_sec = 30\nargs = [\n "a",\n]\n[x]\ny = 1\n'
    after = set_keys(text, PATH, {"command": "new", "args": ["b"]})
    assert after == text.replace('"old"', '"new"').replace('[\n "a",\n]', '["b"]')


@pytest.mark.parametrize(
    "text",
    [
        'mcp_servers = { other = { command = "x" } }\n',
        "mcp_servers = 3\n",
        "[[mcp_servers]]\na = 1\n[mcp_servers.ferrule]",
    ],
)
def test_where_no_table_can_be_added_that_is_told(text: str) -> None:
    """CASE-K12: an inline table cannot be added to from below."""
    with pytest.raises(UnreadableInput, match="by hand"):
        append_table(text, PATH, VALUES, REMARK)


@pytest.mark.parametrize("text", ["a = ", "[a\n", "a = 1\na = 2\n", '"""', "\x00"])
def test_what_is_not_toml_is_told(text: str) -> None:
    """CASE-K12: never guessed at."""
    with pytest.raises(UnreadableInput, match="not TOML"):
        append_table(text, PATH, VALUES, REMARK)


def test_a_table_that_is_not_written_as_one_is_left_to_its_owner() -> None:
    """An inline table of ours, written by another hand."""
    text = 'mcp_servers = { ferrule = { command = "x" } }\n'
    with pytest.raises(UnreadableInput, match="by hand"):
        remove_table(text, PATH, REMARK)
    assert tomllib.loads(text)
