"""The edge of the process: one line and a documented exit code, whatever happens."""

import importlib
import importlib.util
import io
import subprocess
import sys
from argparse import Namespace

import pytest

from ferrule.errors import Code, InternalError, ModelError, StoreError, UnreadableInput, UsageError
from ferrule.interfaces.cli import entry
from ferrule.interfaces.cli.table import COMMANDS, GROUPS, command_named


def python(code: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter of ours."""
    command = [sys.executable, "-W", "error", "-c", code]
    return subprocess.run(command, check=False, capture_output=True, text=True, encoding="utf-8", env=env or None)  # noqa: S603


def test_help_lists_every_command_once(capsys: pytest.CaptureFixture[str]) -> None:
    """`ferrule`, `ferrule --help` and `ferrule help` are the same page."""
    pages = set()
    for words in ([], ["--help"], ["-h"], ["help"]):
        assert entry.run(words) == 0
        pages.add(capsys.readouterr().out)
    (page,) = pages
    assert all(page.count(f"  {command.name:<18} {command.summary}\n") == 1 for command in COMMANDS)
    assert all(title in page for _, title in GROUPS)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_has_its_function_and_help(command: object, capsys: pytest.CaptureFixture[str]) -> None:
    """The table is the whole truth: each target exists, each help page names --home and --json."""
    found = command_named(command.name.split())  # type: ignore[attr-defined]
    assert found is not None
    module, _, function = found[0].target.partition(":")
    assert callable(getattr(importlib.import_module(f"ferrule.interfaces.cli.{module}"), function))
    with pytest.raises(SystemExit) as ended:
        entry.run([*found[0].name.split(), "--help"])
    assert ended.value.code == 0
    page = capsys.readouterr().out
    assert "--home PATH" in page
    assert "--json" in page


def test_help_loads_neither_pydantic_nor_rich() -> None:
    """Start-up stays cheap: the command table is standard library only."""
    code = (
        "import sys, ferrule.interfaces.cli.entry as e; e.run(['--help']);"
        "print([m for m in ('pydantic', 'rich', 'typer', 'mcp', 'sqlite3', 'asyncio') if m in sys.modules])"
    )
    assert python(code).stdout.endswith("\n[]\n")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["reveiw"], "Did you mean `ferrule review`?"),
        (["memory", "lst"], "Did you mean `ferrule memory list`?"),
        (["nonsense"], "there is no command `nonsense`"),
        (["review"], "required: PATH"),
        (["review", "a", "b"], "unrecognized arguments: b"),
        (["review", "x", "--nope"], "unrecognized arguments: --nope"),
        (["review", "x", "--hom", "y"], "unrecognized arguments"),
        (["memory", "search", "x", "--limit", "many"], "invalid int value"),
        (["try", "--client", "emacs"], "invalid choice"),
        (["\x1b[31mred"], "\\x1b[31mred"),
    ],
)
def test_a_wrong_command_line_is_one_line_and_exit_two(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 2: usage. No traceback, no page of text, nothing a terminal acts on (CASE-C12)."""
    assert entry.run(words) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert says in told.err
    assert "\x1b" not in told.err


def test_a_family_of_commands_lists_its_members(capsys: pytest.CaptureFixture[str]) -> None:
    """`ferrule memory` alone says what it can do."""
    assert entry.run(["memory"]) == 0
    assert "memory forget" in capsys.readouterr().out


def test_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """`ferrule --version`."""
    assert entry.run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("ferrule 0.")


def replaced(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Make every command end with this error."""

    def ending(_arguments: Namespace) -> int:
        raise error

    monkeypatch.setattr(entry, "_function", lambda _command: ending)


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (UsageError("no such key"), 2, "no such key [BAD_KEY]"),
        (UnreadableInput("x is empty"), 3, "x is empty [PARSE]"),
        (StoreError("disk full", code=Code.IO_FAILED), 4, "disk full [IO_FAILED]"),
        (ModelError("refused"), 5, "refused [MODEL_UNAVAILABLE]"),
        (InternalError("broken"), 4, "broken [INTERNAL]"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (OSError(28, "No space left on device"), 4, "No space left on device [IO_FAILED]"),
        (ZeroDivisionError("x"), 4, "this is a bug in Ferrule: ZeroDivisionError [INTERNAL]; FERRULE_TRACEBACK=1"),
        (RecursionError("x"), 4, "RecursionError"),
        (StoreError("a\nb\x1b]8;;http://evil\x07"), 4, "a\\nb\\x1b]8;;http://evil\\x07"),
    ],
)
def test_every_error_is_one_line_with_its_exit_code(
    error: BaseException, code: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """R89: expected failures have stable codes, unexpected ones say that they are bugs; never a traceback."""
    with pytest.MonkeyPatch.context() as patch:
        replaced(patch, error)
        assert entry.run(["log"]) == code
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert told.startswith("ferrule: ")
    assert says in told


def test_a_traceback_is_shown_when_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """FERRULE_TRACEBACK=1 shows where an unexpected error came from."""
    monkeypatch.setenv("FERRULE_TRACEBACK", "1")
    replaced(monkeypatch, ZeroDivisionError("x"))
    assert entry.run(["log"]) == 4
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_process_told_to_end_gives_back_what_it_holds() -> None:
    """CASE-J09: a termination unwinds like an interrupt, so that a lane is free at once; the exit code tells why."""
    code = (
        "import os, signal, sys\n"
        "import ferrule.interfaces.cli.entry as e\n"
        "def held(_arguments):\n"
        "    try:\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "        return 0\n"
        "    finally:\n"
        "        print('given back')\n"
        "e._function = lambda command: held\n"
        "sys.argv = ['ferrule', 'log']\n"
        "e.main()\n"
    )
    told = python(code)
    assert (told.returncode, told.stdout, told.stderr) == (143, "given back\n", "")


def test_a_reader_that_leaves_is_no_error() -> None:
    """`ferrule --help | head -0`: quiet, exit 0."""
    code = "import ferrule.interfaces.cli.entry as e, sys; sys.exit(max(e.run(['--help']) for _ in range(2000)))"
    reading = subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert reading.stdout is not None
    assert reading.stderr is not None
    reading.stdout.close()
    assert reading.stderr.read() == b""
    reading.stderr.close()
    assert reading.wait() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="closes descriptors by number")
@pytest.mark.parametrize("closed", [1, 2])
def test_a_closed_stream_is_no_error(closed: int) -> None:
    """Some schedulers start programs without one of them: the exit code still tells."""
    command = ["sh", "-c", f'exec "{sys.executable}" -m ferrule "$@" {closed}>&-', "sh"]
    for words, code in ((["--help"], 0), (["nonsense"], 2)):
        assert subprocess.run([*command, *words], check=False, capture_output=True).returncode == code  # noqa: S603


@pytest.mark.skipif(sys.platform == "win32", reason="closes descriptors by number")
def test_a_closed_standard_input_is_an_empty_one() -> None:
    """There is nothing to read, and that is what is said."""
    command = ["sh", "-c", f'exec "{sys.executable}" -m ferrule dispatch --home /nowhere/at/all 0<&-']
    told = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603
    assert told.returncode == 2
    assert "there is no Ferrule home" in told.stderr


def test_output_survives_a_locale_that_cannot_print_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """PEER-D19: an ASCII pipe gets escapes, not an encoding error."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    err = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    assert entry.run(["prüfe—\U0001f600"]) == 2
    err.flush()
    assert b"pr\\xfcfe\\u2014\\U0001f600" in err.buffer.getvalue()
