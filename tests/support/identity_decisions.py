"""What decides whether two handles are one thing: one row a decision, with spellings that are one and ones that are not.

`tests/referents/test_identity_decisions.py` tries every pair, `scripts/rules_tables.py` puts the table into
`docs/rules.md`. Where the text alone cannot tell, two memories of one thing are better than one memory of two.
"""
# ruff: noqa: E501, S108 - a table of cases keeps one decision a line, and names folders that nobody opens

from dataclasses import dataclass

from ferrule.referents.kinds import NOWHERE, HandleKind, Place

__all__ = ["DECISIONS", "Decision"]

K = HandleKind
P, U, R = K.FILESYSTEM_PATH, K.URL, K.REPOSITORY_ID
Said = tuple[HandleKind, str, Place]
HERE = Place(cwd="/home/ann/work/tool/cli", root="/home/ann/work/tool", repository="github.com/ann/tool")
TREE = Place(
    cwd="/home/ann/work/tool/.worktrees/fix",
    root="/home/ann/work/tool/.worktrees/fix",
    repository="github.com/ann/tool",
)
RENAMED = Place(cwd="/home/ann/work/tool/cli", root="/home/ann/work/tool", repository="github.com/ann/hammer")
WINDOWS = Place(cwd="d:\\work\\Tool", root="D:/work/Tool", repository="github.com/ann/tool")
MAC = Place(cwd="/Users/ann/work/tool", root="/Users/ann/work/tool", repository="github.com/ann/tool")
DIGEST = "0b" * 32


@dataclass(frozen=True)
class Decision:
    """One decision: what it is about, what is decided and why, spellings of one thing, and of things kept apart."""

    id: str
    about: str
    decided: str
    one: tuple[Said, ...] = ()
    apart: tuple[Said, ...] = ()


def at(kind: HandleKind, *values: str, place: Place = NOWHERE) -> tuple[Said, ...]:
    """Spellings of one kind in one place."""
    return tuple((kind, value, place) for value in values)


DECISIONS = (
    Decision("K01", "Windows drives", "Letters of drive, folders and file are folded: Windows takes them for one.",
        at(P, "C:\\Work\\A.md", "c:\\work\\a.md", "c:/WORK/a.md", "\\\\?\\C:\\work\\a.md", "file:///C:/work/A.md"), at(P, "C:\\work\\a.md", "D:\\work\\a.md")),
    Decision("K02", "other systems' case", "Kept, also below `/Users`, where a disk may fold it: the text cannot tell which disk it is.",
        (), at(P, "/Users/ann/Notes.md", "/Users/ann/notes.md", "/users/ann/notes.md", place=MAC)),
    Decision("K03", "case inside a repository", "Kept on every system: git keeps it.",
        (*at(P, "D:\\work\\tool\\src\\A.go", "d:\\WORK\\Tool\\src\\A.go", place=WINDOWS),), at(P, "src/A.go", "src/a.go", place=WINDOWS)),
    Decision("K04", "symbolic links", "Followed in text only for `/private/tmp`, `/private/var` and `/private/etc` of macOS; nothing is looked up on a disk.",
        at(P, "/private/tmp/x", "/tmp/x"), at(P, "/private/opt/x", "/opt/x")),
    Decision("K05", "the same for `/var` and `/etc`", "As K04.", at(P, "/private/var/log/x", "/var/log/x"), at(P, "/private/etc/x", "/private/home/x")),
    Decision("K06", "home folders", "`~`, `$HOME`, `${HOME}`, `%USERPROFILE%` and `$env:USERPROFILE` are one; whose home it is, only the place tells.",
        at(P, "~/x", "$HOME/x", "${HOME}/x", "%USERPROFILE%\\x"), at(P, "~/x", "~bob/x", "/home/bob/x", place=HERE)),
    Decision("K07", "relative paths", "Joined with the turn's folder and marked as derived; without one they stay as they are.",
        at(P, "a.py", "./a.py", "../cli/a.py", "/home/ann/work/tool/cli/a.py", place=HERE), (*at(P, "a.py"), *at(P, "a.py", place=HERE))),
    Decision("K08", "worktrees", "A file in a worktree is the repository's file; the worktree's root is a place of its own.",
        (*at(P, "cli/a.py", place=TREE), *at(P, "/home/ann/work/tool/cli/a.py", "/home/ann/work/tool/.worktrees/fix/cli/a.py", place=HERE)),
        at(K.REPOSITORY_ROOT, "/home/ann/work/tool", "/home/ann/work/tool/.worktrees/fix", place=HERE)),
    Decision("K09", "renamed remotes", "Another name is another repository: that a forge forwards the old one is not in the text.",
        at(U, "https://github.com/ann/tool.git", "git@github.com:Ann/Tool.git"), (*at(P, "a.py", place=HERE), *at(P, "a.py", place=RENAMED), *at(U, "https://github.com/ann/hammer"))),
    Decision("K10", "SSH remotes", "One with the HTTPS form of the same host and path, whatever user or port.",
        at(U, "git@code.example.org:ann/tool.git", "ssh://git@code.example.org:2222/ann/tool.git", "https://code.example.org/ann/tool.git"), at(U, "git@code.example.org:ann/tool.git", "git@code.example.org:bob/tool.git")),
    Decision("K11", "`www.` and the scheme", "Kept apart outside of forges: two sites may answer; on a forge they are one.",
        at(U, "http://www.github.com/ann/tool", "https://github.com/ann/tool"), at(U, "http://example.org/x", "https://example.org/x", "https://www.example.org/x")),
    Decision("K12", "ports", "The scheme's own is dropped, any other is kept.",
        at(U, "https://example.org:443/x", "https://example.org/x"), at(U, "https://example.org:8443/x", "https://example.org/x")),
    Decision("K13", "international names", "A host is one with its ASCII form; a path is one in composed and decomposed letters.",
        at(U, "https://bücher.example/x", "https://xn--bcher-kva.example/x"), at(U, "https://bücher.example/x", "https://bucher.example/x")),
    Decision("K14", "`file:` addresses", "One with the path; a path is never unescaped, an address is.",
        (*at(U, "file:///srv/my%20notes/a.md", "file://localhost/srv/my%20notes/a.md"), *at(P, "/srv/my notes/a.md", "/srv/my\\ notes/a.md")), at(P, "/srv/my%20notes/a.md", "/srv/my notes/a.md")),
    Decision("K15", "shares", "Host and share are folded, as Windows does; Linux shares of WSL keep their case.",
        at(P, "\\\\BOX\\Share\\a.md", "//box/share/a.md", "\\\\?\\UNC\\box\\share\\a.md"), at(P, "//wsl.localhost/Ubuntu/a", "//wsl.localhost/Ubuntu/A")),
    Decision("K16", "packages", "Versions are dropped, the scope is kept; a registry's prefix too where it only names the tool.",
        at(K.PACKAGE_ID, "@ann/tool", "@ann/tool@1.2.3", "npm:@Ann/Tool"), at(K.PACKAGE_ID, "@ann/tool", "ann/tool")),
    Decision("K17", "images", "Tag and digest are dropped: the thing is the image, its state is another property.",
        at(K.PACKAGE_ID, "ghcr.io/ann/tool", "ghcr.io/ann/tool:1.2", f"ghcr.io/ann/tool@sha256:{DIGEST}"), at(K.PACKAGE_ID, "ghcr.io/ann/tool", "ghcr.io/ann/tools")),
    Decision("K18", "names of secrets", "One however a program reads them; upper and lower case are two.",
        at(K.SECRET_NAME, "DEPLOY_KEY", "$env:DEPLOY_KEY", "%DEPLOY_KEY%", "process.env.DEPLOY_KEY", "${{ secrets.DEPLOY_KEY }}"), at(K.SECRET_NAME, "DEPLOY_KEY", "deploy_key")),
    Decision("K19", "commits", "A short and a full SHA meet at their first seven digits.",
        at(K.COMMIT_SHA, "0A1B2C3D", "0a1b2c3d"), at(K.COMMIT_SHA, "0a1b2c3", "0a1b2c4")),
    Decision("K20", "numbers of pull requests and issues", "One on a forge that counts them together, two where it does not; a bare number needs a repository.",
        (*at(K.PULL_REQUEST, "#12", "PR 12", place=HERE), *at(U, "https://github.com/ann/tool/issues/12")), (*at(K.PULL_REQUEST, "#12", place=HERE), *at(K.PULL_REQUEST, "#12"), *at(K.PULL_REQUEST, "bob/tool#12"))),
)  # fmt: skip
