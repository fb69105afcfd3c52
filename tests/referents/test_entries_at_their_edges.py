"""Every entry of the small tables has an example of its own; each limit is asked at its last value and one past it."""

import base64
from collections.abc import Callable, Sequence

import pytest

from ferrule.referents.addresses import DATABASE_PORTS, WEB_PORTS, ascii_host, fold_url
from ferrule.referents.forms import identity_key
from ferrule.referents.kinds import NOWHERE, HandleKind, Place
from ferrule.referents.locations import fold_path
from ferrule.referents.properties import kind_of_property
from ferrule.referents.recognise import recognise
from ferrule.referents.remotes import repository_of
from ferrule.referents.scan import names, no_paths, paths, works
from ferrule.referents.scan.commands import is_command
from ferrule.referents.scan.paths import is_path
from ferrule.referents.secrets import announced, contexts, programs
from ferrule.referents.secrets.beside import Found, scrubbed_beside
from ferrule.referents.secrets.detect import find_secrets
from ferrule.referents.shapes import accepts
from ferrule.referents.spellings import plain_spelling
from ferrule.referents.tokens import MAX_TRIES, token_spans

K = HandleKind
WORD = "Hq7" + "vR2mXw9"
WEB = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21, "ssh": 22, "git": 9418}
DATABASE = {
    "postgres": 5432,
    "mysql": 3306,
    "mariadb": 3306,
    "mongodb": 27017,
    "redis": 6379,
    "rediss": 6379,
    "sqlserver": 1433,
    "clickhouse": 9000,
    "bolt": 7687,
}
PORTS = [(WEB_PORTS, *row) for row in WEB.items()] + [(DATABASE_PORTS, *row) for row in DATABASE.items()]
VERBS = ("install", "i", "add", "get", "remove", "uninstall", "add package")
TOOLS = (
    *("pip", "pip3", "uv pip", "pipx", "npm", "pnpm", "yarn", "bun", "cargo", "uv", "poetry", "gem", "brew", "apt"),
    *("apt-get", "dotnet", "composer", "pdm", "mix", "conda", "winget"),
)
BRANCHED = (
    *("--head ", "--head=", "--base ", "--base=", "--branch ", "--branch=", "--ref ", "--ref="),
    *("branch ", "branch: ", "branches ", "git checkout ", "git switch -c ", "git push origin ", "git merge "),
    *("git worktree add ../x -b ", "git fetch upstream ", "on branch ", "On branch "),
)
PREFIXES = (
    *("feat/", "feature/", "fix/", "bugfix/", "hotfix/", "chore/", "refactor/", "perf/", "dependabot/", "renovate/"),
    *("copilot/", "codex/", "claude/", "cursor/"),
)
SESSIONS = ("ses_", "sess_", "thread_", "conv_")
DOORS = {
    "ssh.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
}
NOT_FLAGS = ("assword", "ort", "rotocol", "ipe", "ull", "ublish")
FIELDS = ("", "\n", "\r", " ", "\t", ";", "&")


def found(text: str) -> list[str]:
    """The values found in a text."""
    return [one.value for one in recognise(text)]


@pytest.mark.parametrize(("ports", "scheme", "port"), PORTS, ids=[f"{row[1]}-{row[2]}" for row in PORTS])
def test_the_port_of_a_scheme_is_not_shown_and_the_next_is(ports: dict[str, int], scheme: str, port: int) -> None:
    """DEC-D3: one spelling of an address."""
    assert fold_url(f"{scheme}://h.example:{port}/x", ports) == f"{scheme}://h.example/x"
    assert fold_url(f"{scheme}://h.example:{port + 1}/x", ports) == f"{scheme}://h.example:{port + 1}/x"


def test_the_tables_hold_what_these_tests_ask_and_nothing_else() -> None:
    """R26: an entry without an example fails here."""
    assert (WEB_PORTS, DATABASE_PORTS) == (WEB, DATABASE)
    assert tuple(f" {verb} " for verb in VERBS) == names._VERBS
    assert works._USUAL == PREFIXES
    assert programs._NOT_FLAGS == NOT_FLAGS
    assert frozenset(FIELDS) == announced._FIELD_EDGES


@pytest.mark.parametrize("verb", VERBS)
def test_a_package_is_found_behind_each_verb(verb: str) -> None:
    """R26."""
    assert [one.value for one in names.installed_packages(f"npm {verb} left-pad")] == ["left-pad"]


@pytest.mark.parametrize("tool", TOOLS)
def test_a_package_is_found_behind_each_tool(tool: str) -> None:
    """R26."""
    assert [one.value for one in names.installed_packages(f"{tool} add left-pad")] == ["left-pad"]


@pytest.mark.parametrize("lead", BRANCHED)
def test_a_branch_is_found_behind_each_lead(lead: str) -> None:
    """R26."""
    assert {one.value for one in works.branches(f"{lead}quay/one")} == {"quay/one"}


@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_branch_with_a_usual_prefix_is_found_in_ticks(prefix: str) -> None:
    """R26."""
    assert {one.value for one in works.branches(f"see `{prefix}quay` and **{prefix}two**")} >= {f"{prefix}quay"}


@pytest.mark.parametrize("lead", SESSIONS)
def test_a_session_is_found_by_its_lead_and_not_inside_of_a_word(lead: str) -> None:
    """R26, R30."""
    value = f"{lead}01abcdef23456789"
    assert [one.value for one in works.session_keys(f"{value} x")] == [value]
    for before in "x_-":
        assert list(works.session_keys(f"{before}{value} x")) == []


@pytest.mark.parametrize("door", DOORS)
def test_the_ssh_door_of_a_forge_is_the_forge(door: str) -> None:
    """DEC-D3."""
    assert repository_of(f"ssh://git@{door}:443/ann/tool.git", NOWHERE) == f"{DOORS[door]}/ann/tool"


@pytest.mark.parametrize("rest", NOT_FLAGS)
def test_a_flag_that_only_begins_like_the_password_flag_is_none(rest: str) -> None:
    """R27, DEC-D13."""
    assert find_secrets(f"mysql -p{rest}Hq7v quay") == ()
    assert find_secrets(f"mysql -p{WORD} quay") != ()


HEADS = {anchor.split()[0] for anchor in contexts.WORDED} | set(contexts.WORDED)


@pytest.mark.parametrize(("word", "tail"), [(word, tail) for word, tails in contexts._TAILS.items() for tail in tails])
def test_each_form_of_a_word_leads_to_what_it_announces(word: str, tail: str) -> None:
    """R28: `mysqldump` as `mysql`."""
    assert word in HEADS
    assert set(contexts.WORDED[word]) <= set(contexts.WORDED[word + tail])


def test_the_forms_of_words_are_these() -> None:
    """R28: an entry that goes missing shows here."""
    assert contexts._TAILS == {
        "mysql": ("dump", "admin", "import", "check", "show", "slap", "_config_editor", "binlog"),
        "kennwort": ("es",),
        "clave": ("s",),
        "senha": ("s",),
        "wachtwoord": ("en",),
        "heslo": ("m",),
        "parola": ("m", "yla", "si", "n"),
        "contrasena": ("s",),
        "salasana": ("si", "ni"),
        "adgangskode": ("n",),
        "passord": ("et",),
        "lozinka": ("m",),
        "creds": ("_",),
        "login": ("s", "data"),
        "mnemonic": ("s",),
    }


LIMITS: Sequence[tuple[str, Callable[[int], object], int]] = [
    ("a value", lambda size: accepts(K.TYPED_REFERENCE, "a" * size), 2000),
    ("a command", lambda size: is_command("make " + "a" * (size - 5)), 2000),
    ("a path", lambda size: is_path("/srv/" + "a/" * ((size - 5) // 2) + "a" * ((size - 5) % 2)), 2000),
    ("lines of a command", lambda size: is_command("git add a\n" * size + "make x"), 40),
    ("a host", lambda size: ascii_host("b\u00fc" + ".a" * ((size - 2) // 2) + "b" * (size % 2)).isascii(), 253),
    ("tries of a token", lambda size: [*token_spans("xa " * (size - 1) + "a", "a")] != [], MAX_TRIES),
]  # fmt: skip


@pytest.mark.parametrize(("what", "holds", "limit"), LIMITS, ids=[row[0] for row in LIMITS])
def test_a_limit_holds_at_its_last_value_and_not_one_past_it(
    what: str, holds: Callable[[int], object], limit: int
) -> None:
    """CASE-I09: every input is bounded."""
    assert holds(limit), what
    assert not holds(limit + 1), what


@pytest.mark.parametrize("size", [299, 300, 301, 499, 500, 501, 600])
def test_what_is_too_long_to_be_remembered_is_read_alike(size: int) -> None:
    """DEC-D3."""
    value = "/srv/./" + "a" * (size - 7)
    assert fold_path(value) == value.replace("/./", "/")
    assert identity_key(K.OTHER_ID, value)[0] == f"id:{value}"
    assert identity_key(K.FILESYSTEM_PATH, value)[0] == f"path:/srv/{'a' * (size - 7)}"


def test_what_another_detector_finds_is_marked_from_four_letters_on() -> None:
    """R28, DEC-D13: by its kind in forty letters at most, outside of the marks that are there."""
    clean = scrubbed_beside(
        "abcd abc [secret:token:0123abcd] abcd", b"k", [Found("My Kind!", "abcd"), Found("x", "abc")]
    )
    assert clean.count("[secret:my-kind:") == 2
    assert " abc [secret:token:0123abcd] " in clean
    assert "[secret:" + "k" * 40 + ":" in scrubbed_beside("abcd", b"k", [Found("k" * 41, "abcd")])
    assert "[secret:secret:" in scrubbed_beside("abcd", b"k", [Found("!", "abcd")])


HOMES = (
    *(
        "$home/x",
        "$HOME/x",
        "${Home}/x",
        "$env:userprofile/x",
        "$Env:HOME/x",
        "%UserProfile%/x",
        "%homedrive%%HomePath%/x",
    ),
)


@pytest.mark.parametrize("value", HOMES)
def test_a_variable_for_the_home_folder_is_read_in_either_case(value: str) -> None:
    """DEC-D3."""
    assert plain_spelling(value) == "~/x"


@pytest.mark.parametrize(("value", "count"), [("a1b", 0), ("a1b2", 1), ("1234", 0), ("abcd", 0)])
def test_what_is_loudly_assigned_is_a_secret_from_four_letters_on(value: str, count: int) -> None:
    """R28, DEC-D13."""
    assert len(find_secrets(f"CLIENT_SECRET={value}")) == count


@pytest.mark.parametrize(
    ("text", "count"), [("see ./a/b.py", 1), ("see\t./a/b.py", 1), ("x./a/b.py", 0), ("(./a/b.py", 1)]
)
def test_a_path_begins_behind_the_folder_that_one_is_in(text: str, count: int) -> None:
    """R30."""
    assert len([*token_spans(text, "a/b.py")]) == count


def test_a_repository_without_a_known_folder_says_nothing_of_absolute_paths() -> None:
    """DEC-D3, DEC-D9."""
    place = Place(repository="github.com/ann/tool")
    assert identity_key(K.FILESYSTEM_PATH, "/srv/a", place) == ("path:/srv/a", False)
    assert identity_key(K.FILESYSTEM_PATH, "a.py", place) == ("path:github.com/ann/tool:a.py", False)


def test_the_tag_of_an_image_goes_only_behind_a_name() -> None:
    """DEC-D3."""
    assert identity_key(K.PACKAGE_ID, "ghcr.io/ann/tool:1.2")[0] == "package:ghcr.io/ann/tool"
    assert identity_key(K.PACKAGE_ID, "ghcr.io/ann/-:1.2")[0] == "package:ghcr.io/ann/-:1.2"


@pytest.mark.parametrize("width", [60, 64, 72, 76])
def test_a_secret_in_lines_of_each_usual_width_is_found(width: int) -> None:
    """R28, DEC-D13: base64 as programs wrap it; the secret stands across the break."""
    plain = "x" * (width * 3 // 4 - 12) + " password = " + WORD + " " + "y" * width * 2
    run = base64.b64encode(plain.encode()).decode().rstrip("=")
    lines = "\n".join(run[at : at + width] for at in range(0, len(run), width))
    assert [one.kind for one in find_secrets(lines)] == ["encoded"]


def test_a_mail_address_may_end_in_two_letters_and_a_name_be_parted_by_hyphens() -> None:
    """R26, R30."""
    assert no_paths.is_mail("ann@example.de")
    assert kind_of_property("root-path") is K.REPOSITORY_ROOT


ROOTED = ("../a b/c", "./a b/c", "~/a b/c", "/a b/c", "C:/a b/c")
PROBES = [*((value, True) for value in ROOTED), ("x../a b/c", False)]


@pytest.mark.parametrize(("value", "holds"), PROBES)
def test_a_path_with_a_space_begins_at_a_folder_that_is_known(value: str, holds: object) -> None:
    """R26."""
    assert paths._is_spaced(value) is holds
