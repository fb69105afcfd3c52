"""Shell text falls into commands."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ferrule.referents.kinds import NOWHERE
from ferrule.session.ledger.commands import commands
from ferrule.session.ledger.ledger import ledger
from ferrule.session.ledger.words import MAX_SCRIPT, tokens
from ferrule.session.turn import ToolCall

# script -> (words, effective cwd) of each command, started in /w
SCRIPTS: list[tuple[str, list[tuple[tuple[str, ...], str | None]]]] = [
    ("", []),
    ("# only a comment", []),
    ("ls", [(("ls",), "/w")]),
    ("ls # all", [(("ls",), "/w")]),
    ("echo 'a b' \"c $X\" d\\ e", [(("echo", "a b", "c $X", "d e"), "/w")]),
    ("echo \"it's\"'\"'", [(("echo", "it's\""), "/w")]),
    ("cd a && ls; cd ../b || true", [
        (("cd", "a"), "/w"), (("ls",), "/w/a"), (("cd", "../b"), "/w/a"), (("true",), "/w/b")]),
    ("(cd a && ls) && pwd", [(("cd", "a"), "/w"), (("ls",), "/w/a"), (("pwd",), "/w")]),
    ("cd $DIR && ls", [(("cd", "$DIR"), "/w"), (("ls",), None)]),
    ("A=1 B='x y' sudo -u mira env C=2 timeout -k 5 10 make", [(("make",), "/w")]),
    ("bash -lc 'cd a; ls'", [(("cd", "a"), "/w"), (("ls",), "/w/a")]),
    ("sh -c \"sh -c 'rm x'\"", [(("rm", "x"), "/w")]),
    ("cat > a.txt <<'EOF'\nrm -rf /\n'unclosed\nEOF\nls", [(("cat",), "/w"), (("ls",), "/w")]),
    ("cat <<-END\n\tx\n\tEND\nls", [(("cat",), "/w"), (("ls",), "/w")]),
    ("git commit -m \"$(cat <<'EOF'\nit's (done)\nEOF\n)\" && ls", [
        (("git", "commit", "-m", "$(cat <<'EOF'\nit's (done)\nEOF\n)"), "/w"), (("ls",), "/w")]),
    ("for f in *.py; do wc $f; done", [(("wc", "$f"), "/w")]),
    ("if [ -f x ]; then rm x; fi", [(("[", "-f", "x", "]"), "/w"), (("rm", "x"), "/w")]),
    ("a \\\n  b", [(("a", "b"), "/w")]),
    ("a & b", [(("a",), "/w"), (("b",), "/w")]),
    ("cmd 2>&1 | tee out.log", [(("cmd",), "/w"), (("tee", "out.log"), "/w")]),
    ("cd /d D:\\src && dir", [(("cd", "/d", "D:\\src"), "/w"), (("dir",), "D:\\src")]),
    ("diff <(ls a) b", [(("diff", "<(ls a)", "b"), "/w")]),
]  # fmt: skip

HOSTILE = ["'", '"', "`", "$(", "${", "<<", "<<EOF", "((((((", "a\\", "$(<<'", "\x00", "&&", "|", "sh -c", ">(" * 500]


@pytest.mark.parametrize(("script", "expected"), SCRIPTS)
def test_a_script_is_cut_as_a_shell_would(script: str, expected: list[tuple[tuple[str, ...], str | None]]) -> None:
    """R18: quotes, heredocs, subshells, wrappers and `cd` are understood, so that a row has the right target."""
    assert [(command.words, command.cwd) for command in commands(script, "/w")] == expected


def test_a_commands_text_stays_verbatim() -> None:
    """DEC-D9: the command that is remembered stands so in the turn, its redirections left out."""
    (first, second) = commands("FOO=1 pytest -q 'a b' 2>&1 | tail -3", "/w")
    assert first.text == "FOO=1 pytest -q 'a b'"
    assert second.text == "tail -3"
    assert (first.follower, second.joiner) == ("|", "|")


def test_powershell_keeps_its_backslashes() -> None:
    """R18: in PowerShell a backslash separates and escapes nothing."""
    (command,) = commands("Get-Content D:\\a\\b.txt", "D:\\", backslash=False)
    assert command.words == ("Get-Content", "D:\\a\\b.txt")


def test_a_redirection_is_no_word() -> None:
    """R18: `> out` is kept beside the words."""
    (command,) = commands("make all > out.log 2>/dev/null", "/w")
    assert command.words == ("make", "all")
    assert [(redirect.sign, redirect.target) for redirect in command.redirects] == [
        (">", "out.log"),
        ("2>", "/dev/null"),
    ]


@given(st.text(alphabet="ab '\"`$(){}<>|&;\\\n\t#=-./E", max_size=200))
@example("$(" * 60)
@example('sh -c "sh -c \'sh -c \\"sh -c x\\"\'"')
def test_no_text_makes_the_splitter_raise_or_repeat_itself(script: str) -> None:
    """R94: what an agent typed is data; tokens move forward and stay inside the text."""
    found = tokens(script)
    assert all(token.start < token.end <= len(script) for token in found)
    assert all(one.end <= two.start for one, two in pairwise(found))
    assert len(commands(script, "/w")) <= 200
    call = ToolCall("c", "Bash", {"command": script}, script, None)
    assert all(row.index == at for at, row in enumerate(ledger([call], NOWHERE)))


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_of_any_length_is_bounded(piece: str) -> None:
    """R94: a megabyte of one piece ends at the 64 KB that are looked at."""
    script = (piece * (1024 * 1024 // len(piece) + 1))[: 1024 * 1024]
    assert all(token.end <= MAX_SCRIPT for token in tokens(script))
    assert len(commands(script, "/w")) <= 200
