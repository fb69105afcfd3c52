"""The edge of the process: words in, one exit code out, never a traceback for a user's mistake.

Owns help, parsing, output encoding and the translation of errors into one clear line (CASE-K12, PEER-D19). Standard
library only until a command is known. Knows nothing of what a command does.
"""

import gc
import importlib
import os
import signal
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import NoReturn

from ferrule.errors import Code, FerruleError, UsageError
from ferrule.interfaces.cli.table import COMMANDS, GROUPS, HOME, JSON, Command, command_named
from ferrule.interfaces.cli.visible import visible

__all__ = ["main", "run"]

TRACEBACK = "FERRULE_TRACEBACK"
INTERRUPTED = 130
SIGNALLED = 128
INTERNAL = 4
# What a command makes stays to its end or goes by reference counting. The collector would walk all modules again and
# again while they are loaded: a tenth of the time until a review begins.
_YOUNG_OBJECTS = 50_000


class CommandLineError(UsageError):
    """The words of the command line do not parse; needs no code, the sentence says it."""


def main() -> NoReturn:
    """Run the process's own command line and exit; told to end, it gives back what it holds first (CASE-J09)."""
    gc.set_threshold(_YOUNG_OBJECTS, *gc.get_threshold()[1:])
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _ended)
    sys.exit(run(sys.argv[1:]))


def _ended(number: int, _frame: object) -> NoReturn:
    sys.exit(SIGNALLED + number)


def run(words: Sequence[str]) -> int:
    """Run one command line; returns the exit code (design.md section 8): 0, 1, 2, 3, 4, 5, or 130 when interrupted."""
    _settle_encoding()
    try:
        code = _dispatch(list(words))
        sys.stdout.flush()
    except FerruleError as error:
        mark = "" if isinstance(error, CommandLineError) else f" [{error.code}]"
        return _complain(error, f"{error}{mark}", error.exit_code)
    except KeyboardInterrupt:
        _say("interrupted; what was finished is kept")
        return INTERRUPTED
    except BrokenPipeError:
        _silence()
        return 0
    except OSError as error:
        _silence()
        return _complain(error, f"{error.strerror or error} [{Code.IO_FAILED}]", INTERNAL)
    except Exception as error:  # noqa: BLE001 - the outermost edge: one line instead of a traceback
        line = f"this is a bug in Ferrule: {type(error).__name__} [{Code.INTERNAL}]; {TRACEBACK}=1 shows where"
        return _complain(error, line, INTERNAL)
    return code


def _settle_encoding() -> None:
    """Memory text is untrusted, and any locale or nothing at all may be on the other side: printing never fails.

    Where standard input is closed there is nothing to read.
    """
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - open to the end
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by whoever started us, as some schedulers do
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - open to the end
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _dispatch(words: list[str]) -> int:
    if not words or words[0] in {"-h", "--help", "help"}:
        sys.stdout.write(overview())
        return 0
    if words[0] in {"-V", "--version"}:
        from ferrule import __version__  # noqa: PLC0415 - not needed by any other command

        sys.stdout.write(f"ferrule {__version__}\n")
        return 0
    found = command_named(words)
    if found is None:
        return _unknown(words)
    command, rest = found
    parser = _parser(command)
    # Options may stand between the words; behind `--` everything is a word.
    arguments = parser.parse_args(rest) if "--" in rest else parser.parse_intermixed_args(rest)
    return _function(command)(arguments)


def _unknown(words: list[str]) -> int:
    family = [command for command in COMMANDS if command.name.startswith(words[0] + " ")]
    if family and (len(words) == 1 or words[1] in {"-h", "--help"}):
        sys.stdout.write("".join(_row(command) for command in family))
        return 0
    asked = " ".join(words[:2] if family else words[:1])
    import difflib  # noqa: PLC0415 - for a wrong word only

    near = difflib.get_close_matches(asked, [command.name for command in COMMANDS], n=1)
    hint = f" Did you mean `ferrule {near[0]}`?" if near else ""
    raise CommandLineError(f"there is no command `{asked}`.{hint} See `ferrule --help`")


def _function(command: Command) -> Callable[[Namespace], int]:
    module, _, function = command.target.partition(":")
    loaded = importlib.import_module(f"ferrule.interfaces.cli.{module}")
    found: Callable[[Namespace], int] = getattr(loaded, function)
    return found


class _Parser(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise CommandLineError(f"{message}. See `{self.prog} --help`")


def _parser(command: Command) -> ArgumentParser:
    parser = _Parser(
        prog=f"ferrule {command.name}",
        description=f"{command.summary[0].upper()}{command.summary[1:]}. {command.detail}".strip(),
        allow_abbrev=False,
    )
    for option in (*command.options, HOME, JSON):
        parser.add_argument(*option.flags, help=option.help, **option.settings)  # type: ignore[arg-type]
    return parser


def overview() -> str:
    """What `ferrule --help` prints: every command of the table, by purpose."""
    parts = [
        "ferrule: remembers the few things of an agent's session that carry a handle\n",
        "\nUsage: ferrule COMMAND [OPTIONS]     details: ferrule COMMAND --help\n",
    ]
    for group, title in GROUPS:
        parts.append(f"\n{title}\n")
        parts.extend(_row(command) for command in COMMANDS if command.group == group)
    parts.append("\nEvery command takes --home PATH and --json. Exit codes: 0 done, 1 findings or declined, 2 usage,\n")
    parts.append("3 unreadable input, 4 store, 5 model.\n")
    return "".join(parts)


def _row(command: Command) -> str:
    return f"  {command.name:<18} {command.summary}\n"


def _complain(error: BaseException, line: str, code: int) -> int:
    if os.environ.get(TRACEBACK):
        import traceback  # noqa: PLC0415 - for who looks for a bug

        traceback.print_exception(error, file=sys.stderr)
    _say(line)
    return code


def _say(line: str) -> None:
    try:
        sys.stderr.write(f"ferrule: {visible(line)}\n")
        sys.stderr.flush()
    except OSError:
        return  # nobody is listening; the exit code still tells


def _silence() -> None:
    """The reader of our output is gone: what is still buffered must not raise again while the interpreter ends."""
    try:
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, sys.stdout.fileno())
    except (OSError, ValueError):
        return
