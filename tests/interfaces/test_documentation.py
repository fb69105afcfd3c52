"""The page about the command line names what the command line has."""

import re
from pathlib import Path

from ferrule.interfaces.cli.table import COMMANDS, command_named

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"
TABLE = re.compile(r"^\| command \|.*?\n\n", re.MULTILINE | re.DOTALL)
CELL = re.compile(r"^\| (`.*?) \|", re.MULTILINE)  # a bar inside a cell is written with a stroke before it
CALL = re.compile(r"`([a-z][^`]*)`")
OPTION = re.compile(r"--[a-z][a-z-]*")


def test_the_page_lists_every_command_and_no_other() -> None:
    """A command without a line, or a line without a command, is a mistake of one of them."""
    table = TABLE.search(PAGE.read_text(encoding="utf-8"))
    assert table is not None
    calls = [call for cell in CELL.findall(table[0]) for call in CALL.findall(cell)]
    named = [found[0].name if (found := command_named(call.split())) else call for call in calls]
    assert sorted(named) == sorted(command.name for command in COMMANDS)


def test_the_page_names_only_options_that_exist() -> None:
    """Every `--option` of the page is an option of some command, or of all."""
    known = {flag for command in COMMANDS for option in command.options for flag in option.flags}
    named = set(OPTION.findall(PAGE.read_text(encoding="utf-8")))
    assert named <= known | {"--home", "--json", "--help"}
