"""Sameness across spellings that only the text can settle: file addresses, foreign hosts, cases, escapes, forges."""
# ruff: noqa: E501, S108 - tables of cases keep one case a line, and name folders that nobody opens

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ferrule.referents.addresses import ascii_host, fold_url
from ferrule.referents.forms import identity_key, normal_form
from ferrule.referents.kinds import NOWHERE, HandleKind, Place
from ferrule.referents.locations import fold_path

K = HandleKind
P = K.FILESYSTEM_PATH
HERE = Place(cwd="/home/ann/work/tool/cli", root="/home/ann/work/tool", repository="github.com/ann/tool")
WINDOWS = Place(cwd="d:\\work\\Tool", root="D:/work/Tool/", repository="github.com/ann/tool")
DIGEST = "0a" * 32

FAMILIES = [
    # One file, by a path or by a file address.
    ("path:/srv/tool/a.py", NOWHERE, [(K.URL, "file:///srv/tool/a.py"), (P, "/srv/tool/a.py"), (K.URL, "FILE://localhost/srv/tool/a.py"), (P, "file:///srv/tool/a.py#L3"), (K.URL, "file:/srv/tool/./a.py"), (K.URL, "file:///srv/tool/b/../a%2Epy")]),
    ("path:github.com/ann/tool:cli/a.py", HERE, [(K.URL, "file:///home/ann/work/tool/cli/a.py"), (P, "a.py"), (P, "file:///home/ann/work/tool/cli/a.py")]),
    ("path:C:/my work/a.md", NOWHERE, [(K.URL, "file:///C:/My%20Work/a.md"), (P, "C:\\My Work\\a.md"), (P, "c:\\my work\\A.md"), (P, "\\\\?\\C:\\My Work\\a.md"), (P, "C:/My\\ Work/a.md"), (P, "file:///c:/my work/a.md")]),
    ("path://box/share/a.md", NOWHERE, [(P, "\\\\BOX\\Share\\a.md"), (P, "\\\\?\\UNC\\box\\share\\a.md"), (K.URL, "file://box/share/a.md"), (P, "//box/share/./a.md")]),
    ("path://wsl.localhost/Ubuntu/home/ann/A.py", NOWHERE, [(P, "\\\\wsl$\\Ubuntu\\home\\ann\\A.py"), (P, "\\\\wsl.localhost\\Ubuntu\\home\\ann\\A.py"), (P, "//WSL$/Ubuntu/home/ann/A.py")]),
    # Case folds on Windows only; inside a repository the case of git stays.
    ("path:github.com/ann/tool:cli/A.go", WINDOWS, [(P, "d:\\WORK\\tool\\cli\\A.go"), (P, "cli\\A.go"), (P, "/mnt/d/work/TOOL/cli/A.go")]),
    ("path:D:/x/a.md", WINDOWS, [(P, "D:\\X\\a.md"), (P, "d:/x/A.md"), (P, "..\\..\\..\\x\\a.md"), (P, "D:\\..\\x\\a.md")]),
    # Escapes of a shell, variables for the home folder, macOS' own links.
    ("path:/srv/My Notes/a (1).md", NOWHERE, [(P, "/srv/My\\ Notes/a\\ \\(1\\).md"), (P, "/srv/My Notes/a (1).md"), (P, "'/srv/My Notes/a (1).md'"), (K.URL, "file:///srv/My%20Notes/a%20(1).md")]),
    ("path:~/x", NOWHERE, [(P, "~/x"), (P, "$HOME/x"), (P, "${HOME}/x"), (P, "%USERPROFILE%\\x"), (P, "$env:USERPROFILE\\x")]),
    ("path:/home/ann/x", HERE, [(P, "~/x"), (P, "$HOME/x"), (P, "~ann/x"), (P, "../../../x")]),
    ("path:~bob/x", HERE, [(P, "~bob/x")]),
    ("path:/tmp/x", NOWHERE, [(P, "/private/tmp/x"), (P, "/tmp/x/"), (P, "/tmp//x")]),
    # Hosts and addresses.
    ("url:https://xn--bcher-kva.example/x", NOWHERE, [(K.URL, "https://bücher.example/x"), (K.URL, "https://xn--bcher-kva.example/x"), (K.URL, "https://BÜCHER.example:443/x/")]),
    ("host:xn--bcher-kva.example", NOWHERE, [(K.HOST, "bücher.example"), (K.HOST, "XN--bcher-kva.example."), (K.HOST, "https://bücher.example/x")]),
    ("url:https://example.org/~ann/%E4%B8%AD", NOWHERE, [(K.URL, "https://example.org/%7Eann/%e4%b8%ad"), (K.URL, "https://example.org/~ann/中"), (K.URL, "https://ann@EXAMPLE.org/x/../~ann/./中/")]),
    ("url:ws://example.org/x", NOWHERE, [(K.URL, "ws://example.org:80/x"), (K.URL, "WS://example.org./x")]),
    ("database:postgres://db.example.org/shop", NOWHERE, [(K.DATABASE_ID, "postgresql://DB.example.org:5432/shop"), (K.DATABASE_ID, "postgres://db.example.org/shop/"), (K.DATABASE_ID, "jdbc:postgresql://db.example.org/shop")]),
    # Remotes of every forge and form.
    ("repo:dev.azure.com/org/project/repo", NOWHERE, [(K.URL, "https://dev.azure.com/org/project/_git/repo"), (K.URL, "https://org@dev.azure.com/Org/project/_git/repo"), (K.URL, "git@ssh.dev.azure.com:v3/org/project/repo"), (K.URL, "https://org.visualstudio.com/DefaultCollection/project/_git/repo"), (K.REPOSITORY_ID, "dev.azure.com/org/project/_git/repo"), (K.URL, "org@vs-ssh.visualstudio.com:v3/org/project/repo")]),
    ("repo:bitbucket.org/ann/tool", NOWHERE, [(K.URL, "https://bitbucket.org/ann/tool.git"), (K.URL, "git@bitbucket.org:ann/tool.git"), (K.URL, "ssh://git@altssh.bitbucket.org:443/ann/tool.git")]),
    ("repo:github.com/ann/tool", NOWHERE, [(K.URL, "ssh://git@ssh.github.com:443/ann/tool.git"), (K.URL, "git+https://github.com/ann/tool.git"), (K.URL, "git+ssh://git@github.com/Ann/tool"), (K.URL, "git://github.com/ann/tool.git"), (K.URL, "http://www.github.com/ann/tool/")]),
    ("repo:git.sr.ht/~ann/tool", NOWHERE, [(K.URL, "https://git.sr.ht/~ann/tool"), (K.URL, "git@git.sr.ht:~ann/tool")]),
    ("repo:code.example.org/ann/tool", NOWHERE, [(K.URL, "https://code.example.org/ann/tool.git"), (K.URL, "git@code.example.org:ann/tool.git"), (K.URL, "ssh://git@code.example.org:2222/ann/tool.git")]),
    ("mr:dev.azure.com/o/p/r:12", NOWHERE, [(K.PULL_REQUEST, "https://dev.azure.com/o/p/_git/r/pullrequest/12"), (K.URL, "https://dev.azure.com/o/p/_git/r/pullrequest/12?_a=files")]),
    ("mr:bitbucket.org/ann/tool:3", NOWHERE, [(K.URL, "https://bitbucket.org/ann/tool/pull-requests/3/diff"), (K.PULL_REQUEST, "bitbucket.org/ann/tool#3")]),
    ("branch:github.com/ann/tool:fix/x", HERE, [(K.BRANCH, "remotes/origin/fix/x"), (K.BRANCH, "refs/remotes/origin/fix/x"), (K.BRANCH, "fix/x")]),
    # Names that programs read.
    ("secret:DEPLOY_KEY", NOWHERE, [(K.SECRET_NAME, value) for value in ("DEPLOY_KEY", "$env:DEPLOY_KEY", "$DEPLOY_KEY", "${DEPLOY_KEY}", "%DEPLOY_KEY%", "secrets.DEPLOY_KEY", "${{ secrets.DEPLOY_KEY }}", "process.env.DEPLOY_KEY")]),
    ("package:ghcr.io/ann/tool", NOWHERE, [(K.PACKAGE_ID, value) for value in ("ghcr.io/ann/tool", "ghcr.io/ann/tool:1.2", "ghcr.io/ann/tool:main", f"ghcr.io/ann/tool:1.2@sha256:{DIGEST}", f"docker:ghcr.io/ann/tool@sha256:{DIGEST}")]),
    ("package:org.example:tool", NOWHERE, [(K.PACKAGE_ID, "org.example:tool"), (K.PACKAGE_ID, "org.example:tool:1.2")]),
    ("id:HKLM\\software\\tool", NOWHERE, [(K.OTHER_ID, value) for value in ("HKLM\\Software\\Tool", "HKEY_LOCAL_MACHINE\\SOFTWARE\\Tool\\", "HKLM:\\Software\\Tool")]),
]  # fmt: skip
CASES = [(key, place, *case) for key, place, cases in FAMILIES for case in cases]


@pytest.mark.parametrize(("key", "place", "kind", "value"), CASES, ids=[f"{case[2]} {case[3]}" for case in CASES])
def test_a_spelling_that_the_text_proves_to_be_the_same_has_the_same_key(
    key: str, place: Place, kind: HandleKind, value: str
) -> None:
    """R33, R65, DEC-D9."""
    assert identity_key(kind, value, place)[0] == key
    again = identity_key(kind, normal_form(kind, value, place), NOWHERE)[0]
    assert key.startswith(("path:", "branch:")) or again == key, "the normal form means the same"


def test_no_two_families_share_a_key() -> None:
    """R34, CASE-E14."""
    assert len({key for key, _, _ in FAMILIES}) == len(FAMILIES)


APART = [
    (P, "/Users/ann/a.md", "/Users/ann/A.md"),
    (P, "/home/ann/x", "/home/bob/x"),
    (P, "~ann/x", "~bob/x"),
    (P, "/private/opt/x", "/opt/x"),
    (P, "//wsl.localhost/Ubuntu/a", "//wsl.localhost/Ubuntu/A"),
    (P, "C:/a", "D:/a"),
    (P, "//box/a/b", "/box/a/b"),
    (P, "/srv/a%20b", "/srv/a b"),
    (K.URL, "file:///srv/%FF", "file:///srv/%FE"),
    (K.URL, "http://example.org", "https://example.org"),
    (K.URL, "https://www.example.org", "https://example.org"),
    (K.URL, "https://example.org/a%2Fb", "https://example.org/a/b"),
    (K.URL, "https://example.org/a", "https://example.org/A"),
    (K.URL, "https://example.org/?a=1", "https://example.org/?a=2"),
    (K.URL, "https://dev.azure.com/o/p/_git/r", "https://dev.azure.com/o/q/_git/r"),
    (K.URL, "https://bitbucket.org/ann/tool/issues/3", "https://bitbucket.org/ann/tool/pull-requests/3"),
    (K.URL, "https://dev.azure.com/o/p/_git/r/pullrequest/1", "https://dev.azure.com/o/p/_git/r/pullrequest/11"),
    (K.HOST, "db.example.org:5432", "db.example.org:5433"),
    (K.DATABASE_ID, "postgres://db.example.org/shop", "mysql://db.example.org/shop"),
    (K.DATABASE_ID, "postgres://db.example.org/shop", "postgres://db.example.org/Shop"),
    (K.SECRET_NAME, "DEPLOY_KEY", "DEPLOY_KEYS"),
    (K.PACKAGE_ID, "@ann/tool", "ann/tool"),
    (K.PACKAGE_ID, "org.example:tool", "org.example:rule"),
    (K.BRANCH, "upstream/fix", "fix"),
    (K.OTHER_ID, "HKLM\\a", "HKCU\\a"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "one", "other"), APART)
def test_what_the_text_does_not_prove_to_be_the_same_stays_apart(kind: HandleKind, one: str, other: str) -> None:
    """R34, CASE-E14: a memory of two things is worse than two memories of one."""
    assert identity_key(kind, one, HERE)[0] != identity_key(kind, other, HERE)[0]


NAMES = (
    st.text(st.sampled_from("abcXYZ019_-+ éß中"), min_size=1, max_size=8)
    .map(str.strip)
    .filter(lambda name: name.strip("+- ") != "")
)
PARTS = st.lists(NAMES, min_size=1, max_size=4)


def spellings(parts: list[str]) -> list[str]:
    """Ways to write one POSIX path; a trailing number is no line, for it follows no colon."""
    path = "/" + "/".join(parts)
    return [
        path,
        path + "/",
        "//".join(["", *parts])[1:],
        "/./" + path[1:],
        f"/{parts[0]}/../{path[1:]}",
        path.replace(" ", "\\ "),
        "file://" + quote(path),
        "file://localhost" + quote(path),
    ]


@given(PARTS, PARTS)
def test_paths_are_one_exactly_when_their_parts_are(one: list[str], other: list[str]) -> None:
    """R33, R34: over generated names, whatever the spelling."""
    mine = {identity_key(P, spelt)[0] for spelt in spellings(one)}
    theirs = {identity_key(P, spelt)[0] for spelt in spellings(other)}
    assert len(mine) == len(theirs) == 1
    assert (mine == theirs) == (fold_path("/" + "/".join(one)) == fold_path("/" + "/".join(other)))


@given(PARTS, PARTS)
def test_windows_paths_are_one_exactly_when_they_differ_in_case_only(one: list[str], other: list[str]) -> None:
    """R33, R34."""

    def key(parts: list[str], sep: str = "\\") -> str:
        return identity_key(P, "C:" + sep + sep.join(parts))[0]

    assert key(one) == key(one, "/") == key([part.lower() for part in one])
    same = [part.lower() for part in one] == [part.lower() for part in other]
    assert (key(one) == key(other)) == same


HOSTS = st.sampled_from(["example.org", "bücher.example", "例え.example", "xn--bcher-kva.example", "10.0.0.1", "[::1]"])


@given(HOSTS, PARTS, st.sampled_from(["", "?a=1", "?q=%c3%a9&b=%7e", "#part"]))
def test_an_address_and_its_fold_have_one_key(host: str, parts: list[str], tail: str) -> None:
    """R33: folding twice is folding once, and the ASCII host changes nothing."""
    address = f"https://{host}/{'/'.join(quote(part) for part in parts)}{tail}"
    folded = fold_url(address)
    assert fold_url(folded) == folded
    assert folded.isascii()
    assert identity_key(K.URL, folded)[0] == identity_key(K.URL, address)[0]
    ascii_form = address.replace(host, ascii_host(host), 1)
    assert identity_key(K.URL, ascii_form)[0] == identity_key(K.URL, address)[0]


ODD = st.text(st.sampled_from("aZ/\\.:~$%{}HOME?@# \u00e9\u4e2d\ud800'\"[]+-_0"), max_size=40)


@given(st.sampled_from(HandleKind), ODD, st.sampled_from([NOWHERE, HERE, WINDOWS]))
def test_any_text_has_a_key_of_one_line(kind: HandleKind, value: str, place: Place) -> None:
    """CASE-I09, INV-I1: no spelling whatever raises."""
    key, _ = identity_key(kind, value, place)
    assert ":" in key
    assert "\n" not in normal_form(kind, value, place)
