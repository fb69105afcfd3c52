"""Forms that are cut, doubled, unreadable or foreign are read as far as they say something, and no further."""

import unicodedata

import pytest

from ferrule.errors import InternalError, StoreError
from ferrule.referents import recognise as recognising
from ferrule.referents.addresses import ascii_host, fold_url
from ferrule.referents.forms import identity_key
from ferrule.referents.kinds import NOWHERE, Found, HandleKind, Place
from ferrule.referents.locations import fold_path
from ferrule.referents.properties import kind_of_property
from ferrule.referents.recognise import recognise
from ferrule.referents.remotes import forge_link
from ferrule.referents.scan.commands import is_command
from ferrule.referents.scan.paths import is_path
from ferrule.referents.scan.webs import nested
from ferrule.referents.tables.reader import table
from ferrule.referents.tokens import MAX_TRIES, token_spans

K = HandleKind


def test_a_host_that_has_no_ascii_form_stays_as_it_is() -> None:
    """DEC-D3: a label of more than 63 letters is no name in the domain system, but it is still one host."""
    long = "e\u0301" * 64 + ".example"
    assert ascii_host(long) == unicodedata.normalize("NFC", long)
    assert ascii_host("b\u00fccher.example") == "xn--bcher-kva.example"


@pytest.mark.parametrize("text", ["https://example.org:port/x", "https://[::1/x", "https://example.org:99999/x"])
def test_an_address_that_no_browser_reads_stays_as_it_is(text: str) -> None:
    """DEC-D3: nothing is guessed of it, and nobody fails over it."""
    assert fold_url(f" <{text}> ") == text
    assert forge_link(text) is None


def test_a_file_of_another_worktree_is_the_repositorys_file() -> None:
    """R34, DEC-D9: worktrees beside the main checkout hold the same files."""
    here = Place(cwd="/srv/tool-worktrees/fix", root="/srv/tool-worktrees/fix", repository="github.com/ann/tool")
    path = "/srv/tool-worktrees/other/lib/a.py"
    assert identity_key(K.FILESYSTEM_PATH, path, here)[0] == "path:github.com/ann/tool:lib/a.py"
    assert identity_key(K.FILESYSTEM_PATH, path, NOWHERE)[0] == "path:/srv/tool/lib/a.py"
    foreign = Place(cwd="/srv/else", root="/srv/else", repository="github.com/ann/else")
    assert identity_key(K.FILESYSTEM_PATH, path, foreign)[0] == "path:/srv/tool/lib/a.py"


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("file://~/x/a.py", "~/x/a.py"),
        ("file://./x/a.py", "x/a.py"),
        ("file://../x/a.py", "../x/a.py"),
        ("file://C:/x/a.py", "C:/x/a.py"),
        ("file://box/x/a.py", "//box/x/a.py"),
        ("file:///C:/x/a.py", "C:/x/a.py"),
        ("file:///x/a%FFb", "/x/a%FFb"),
        ("file:///x/a%00b", "/x/a%00b"),
        ("file:///x/a%20b", "/x/a b"),
        ("file:x", "file:x"),
    ],
)
def test_a_file_address_is_the_path_that_somebody_meant(text: str, folded: str) -> None:
    """DEC-D3: also where the host's place holds the path's beginning, and where an escape hides no text."""
    assert fold_path(text) == folded


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Branches", K.BRANCH),
        ("Directories", K.FILESYSTEM_PATH),
        ("Commits", K.COMMIT_SHA),
        ("FilePaths", K.FILESYSTEM_PATH),
        ("Passes", None),
        ("Boxes", None),
    ],
)
def test_a_plural_counts_as_its_singular(name: str, kind: HandleKind | None) -> None:
    """DEC-D3: whatever ending the plural has."""
    assert kind_of_property(name) is kind


@pytest.mark.parametrize(
    "url",
    [
        "https://dev.azure.com/org/project/_git",
        "https://dev.azure.com/_git/repo",
        "https://dev.azure.com/a/b/c/_git/repo",
        "https://example.org/org/project/_git/repo",
    ],
)
def test_an_address_of_a_forge_that_lacks_something_points_at_nothing(url: str) -> None:
    """DEC-D9: half an address is no repository."""
    assert forge_link(url) is None


@pytest.mark.parametrize(
    ("url", "what", "value"),
    [
        ("https://dev.azure.com/o/p/_git/r", "repo", ""),
        ("https://dev.azure.com/o/_git/r", "repo", ""),
        ("https://dev.azure.com/o/p/_git/r/pullrequest/12", "pull", "12"),
        ("https://dev.azure.com/o/p/_git/r/pullrequest/new", "page", ""),
        ("https://dev.azure.com/o/p/_git/r/commit/abc1234", "commit", "abc1234"),
        ("https://o.visualstudio.com/p/_git/r/branches", "page", ""),
    ],
)
def test_an_address_of_azure_says_what_it_points_at(url: str, what: str, value: str) -> None:
    """DEC-D9."""
    link = forge_link(url)
    assert link is not None
    assert (link.what, link.value) == (what, value)


FOUND = {
    "the command field of a call": ('{"command": "kubectl get pods -A"}', K.COMMAND, ["kubectl get pods -A"]),
    "a field with escapes": ('{"command": "printf \\"a\\" b"}', K.COMMAND, []),
    "a port that is reached": ("I ran nc db.example.org 5432 and it answered", K.COMMAND, ["nc db.example.org 5432"]),
    "a command that only sets a secret": ("$ export API_TOKEN=[secret:password:0123abcd]", K.COMMAND, []),
    "an address without a scheme": ("see ://example.org/x there", K.URL, []),
    "an id after a letter": ("xses_01abcdef23456789", K.SESSION_KEY, []),
    "a session by its form": ("resume ses_01abcdef23456789 now", K.SESSION_KEY, ["ses_01abcdef23456789"]),
    "a route inside of an address": ("see /pull/12 now", K.PULL_REQUEST, []),
    "an address in brackets": ("(https://example.org/a_(b))", K.URL, ["https://example.org/a_(b)"]),
    "a setting that is compared": ("`FOO=1 bar = baz`", K.COMMAND, []),
    "a setting before a program": ("$ FOO=1 frob run", K.COMMAND, ["FOO=1 frob run"]),
    "a dotted word with a tail": ("`foo.bar baz qux`", K.COMMAND, []),
    "a known program with many words": ("`rg one two three four`", K.COMMAND, ["rg one two three four"]),
    "an unknown program with many words": ("`frob one two three four`", K.COMMAND, []),
    "a secret's name without its owner": ("read .ApiKey there", K.SECRET_NAME, []),
    "a secret's name": ("read Billing.ApiKey there", K.SECRET_NAME, ["Billing.ApiKey"]),
    "a package that is run": ("npx cowsay hi", K.PACKAGE_ID, ["cowsay"]),
    "a version among packages": ("pip install 1.2.3 requests", K.PACKAGE_ID, ["requests"]),
    "a package before a comma": ("pip install requests, then go", K.PACKAGE_ID, ["requests"]),
    "a package at the end": ("npm install left-pad.", K.PACKAGE_ID, ["left-pad"]),
    "a quoted path with a full stop": ('"/a b/c.txt."', K.FILESYSTEM_PATH, ["/a b/c.txt"]),
    "a quoted path after a blank": ('`" /a b/c.txt"`', K.FILESYSTEM_PATH, ["b/c.txt"]),
    "a number of four bytes": ("ping 10.1.2.3 now", K.HOST, ["10.1.2.3"]),
    "one byte too large": ("ping 300.1.2.3 now", K.HOST, []),
    "a fifth number": ("ping x.10.1.2.3 now", K.HOST, []),
    "three numbers": ("host 1.2.3", K.HOST, []),
    "a host that begins with a digit": ("ping 1a.example.org now", K.HOST, ["1a.example.org"]),
    "a file and no host": ("see foo.md", K.HOST, []),
    "a forge and no host": ("see github.com", K.HOST, []),
    "a task by its flag": ("run it --task 12", K.TASK_ID, ["12"]),
    "a task by its flag, with a sign": ("run it --task=ab-12", K.TASK_ID, ["ab-12"]),
    "an id of five parts": (
        "12345678-1234-1234-1234-123456789abc",
        K.OTHER_ID,
        ["12345678-1234-1234-1234-123456789abc"],
    ),
    "an id after a letter or a dash": (
        "x12345678-1234-1234-1234-123456789abc -12345678-1234-1234-1234-123456789abc",
        K.OTHER_ID,
        [],
    ),
    "a run of a forge": ("https://github.com/ann/tool/actions/runs/12", K.OTHER_ID, ["12"]),
    "the runs of a forge": ("https://github.com/ann/tool/actions", K.OTHER_ID, []),
    "a route that begins a path": ("see /pull/12", K.PULL_REQUEST, []),
    "a route": ("see pull/12 now", K.PULL_REQUEST, ["pull/12"]),
    "an address that ends in marks": ("https://example.org/a)。", K.URL, ["https://example.org/a"]),
}


@pytest.mark.parametrize(("text", "kind", "values"), FOUND.values(), ids=FOUND)
def test_what_stands_in_a_text_is_found_and_nothing_else(text: str, kind: HandleKind, values: list[str]) -> None:
    """R26, R30, DEC-D9."""
    assert [found.value for found in recognise(text) if found.kind is kind] == values


@pytest.mark.parametrize(
    ("text", "command", "path"),
    [
        ("", False, False),
        ("x" * 2001, False, False),
        ("ls\n" * 50, False, False),
        ("frob --x", True, False),
        ("the frob", False, False),
        ("git status", True, False),
        ("frob", True, True),
        ("a\nb", False, False),
        ("https://x.org/a", False, False),
        ("file:///a/b", False, True),
        ("C:\\a", False, True),
        ("a/b ", False, True),
        ("a b", False, False),
        ("the file in the folder/x", False, False),
    ],
)
def test_a_whole_value_is_a_command_or_a_path_by_its_form(text: str, *, command: bool, path: bool) -> None:
    """DEC-D3, R26: what a property of that kind may hold."""
    assert (is_command(text), is_path(text)) == (command, path)


def test_a_slug_that_the_address_does_not_show_is_not_pointed_at() -> None:
    """DEC-D9: a value has to stand in the text; where it does not, nothing is claimed."""
    hidden = Found(K.URL, "https://github.com/ann//tool", 0, 28)
    assert [found.value for found in nested(hidden)] == []


def test_so_many_parts_of_longer_tokens_are_passed_over() -> None:
    """CASE-I09: a hostile log ends the search, however often it nearly says a value."""
    near = "x/a "
    assert list(token_spans(near * (MAX_TRIES - 1) + "/a", "/a"))
    assert not list(token_spans(near * (MAX_TRIES + 1) + "/a", "/a"))


@pytest.mark.parametrize(
    "rows", [{}, [{"name": "x", "kind": "url", "function": "paths", "positives": "none"}]], ids=["a table", "a row"]
)
def test_a_malformed_table_of_recognisers_is_an_internal_error(monkeypatch: pytest.MonkeyPatch, rows: object) -> None:
    """R26: what ships broken is told at once, with its name, and never read as an empty table."""
    monkeypatch.setattr(recognising, "table", lambda _name: {"recogniser": rows})
    with pytest.raises(InternalError, match="recognisers"):
        recognising.recognisers.__wrapped__()


def test_a_table_that_cannot_be_read_is_an_error_of_the_store() -> None:
    """CASE-K07: told with its name, and asked for again the next time."""
    with pytest.raises(StoreError, match="cannot read Ferrule's own table nowhere"):
        table("nowhere")
    with pytest.raises(StoreError):
        table("nowhere")
