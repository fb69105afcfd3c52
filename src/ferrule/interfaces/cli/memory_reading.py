"""`ferrule memory list|show|search|export`: what a session remembers, for people.

Owns the commands' words and output. Knows nothing of stores.
"""

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from ferrule.bridge.door import SourceReader
from ferrule.bridge.matches import why_of
from ferrule.bridge.values import Details, Found
from ferrule.errors import Code, StoreError, UsageError
from ferrule.interfaces.cli.command import opened
from ferrule.interfaces.cli.exporting import as_markdown
from ferrule.interfaces.cli.output import print_json, say
from ferrule.interfaces.cli.page import Page, Span
from ferrule.interfaces.shapes import brief, full
from ferrule.wiring.home import Home
from ferrule.wiring.sessions import reader, resolved

__all__ = ["run_export", "run_list", "run_search", "run_show"]

MOST = 100  # a reader tells no more at once


def run_list(arguments: Namespace) -> int:
    """List the memories of a session, newest first; with a type everything that is one, by name."""
    if arguments.type is not None:
        return _list_type(arguments)
    for option in ("after", "limit"):
        if getattr(arguments, option) is not None:
            raise UsageError(f"--{option} goes with --type", code=Code.BAD_TOOL_ARGS)
    with opened(arguments, make=False) as home:
        session = resolved(home, arguments.session)
        memories = reader(home, session.key).list()
        more = bool(home.store.kin(session.key))
    if arguments.json:
        print_json(*map(brief, memories))
        return 0
    elsewhere = f" What its conversation does: ferrule context --session {session.key}" if more else ""
    _table(memories, f"{session.key} remembers nothing yet.{elsewhere}")
    return 0


def _list_type(arguments: Namespace) -> int:
    """One page of everything that is of a type; a note says how to get the next one."""
    most = MOST if arguments.limit is None else _checked(arguments.limit)
    with opened(arguments, make=False) as home:
        session = resolved(home, arguments.session)
        own, limit = reader(home, session.key), min(most, MOST)
        found = _of_type(own, arguments.type, limit=limit, after=arguments.after or "")
    if arguments.json:
        print_json(*map(brief, found.answers))
    else:
        _table(found.answers, f"Nothing{' more' if arguments.after else ''} that is a {arguments.type}.")
    if len(found.answers) == limit:
        say(f"there may be more: --after {found.answers[-1].name}")
    return 0


def _of_type(own: SourceReader, kind: str, *, query: str = "", limit: int, after: str = "") -> Found:
    if not kind.strip():
        raise UsageError("--type names a type, as in --type Document", code=Code.BAD_TOOL_ARGS)
    found = own.under(kind, query=query, limit=limit, after=after)
    if not found.answers and not own.details(kind).known:
        raise UsageError(f"nothing is called {kind}, so nothing is one", code=Code.UNKNOWN_TYPE)
    return found


def _checked(limit: int) -> int:
    if limit < 1:
        raise UsageError("--limit is a number from 1", code=Code.BAD_TOOL_ARGS)
    return limit


def run_search(arguments: Namespace) -> int:
    """Search memories and the permanent layer, best match first; of one type alone where one is named."""
    most = _checked(arguments.limit)
    words = " ".join(arguments.words)
    if not words.strip() and arguments.type is None:
        raise UsageError("say what to look for, or a type with --type", code=Code.BAD_TOOL_ARGS)
    with opened(arguments, make=False) as home:
        session = resolved(home, arguments.session)
        own = reader(home, session.key)
        if arguments.type is None:
            found = own.find(words, limit=most)
        else:
            found = _of_type(own, arguments.type, query=words, limit=most)
    nothing = f"Nothing found in {session.key} at revision {found.revision}."
    if arguments.json:
        print_json(*map(brief, found.answers))
        if not found.answers:
            say(nothing)  # a fact too, and no row
        return 0
    _table(found.answers, nothing)
    return 0


def run_show(arguments: Namespace) -> int:
    """Show one memory.

    Raises:
        UsageError: nothing of that name is known.
    """
    with opened(arguments, make=False) as home:
        session = resolved(home, arguments.session)
        memory = reader(home, session.key).details(arguments.name)
    if not memory.known:
        hint = "ferrule memory list shows the names"
        raise UsageError(f"{session.key} knows nothing named {arguments.name}; {hint}", code=Code.UNKNOWN_REFERENCE)
    if arguments.json:
        print_json(full(memory))
        return 0
    _show(Page(), memory)
    return 0


def run_export(arguments: Namespace) -> int:
    """Print a session's memory as ProtoScript, JSON or Markdown, or write it to a file that does not exist yet.

    Raises:
        StoreError: the file cannot be written, or exists.
    """
    with opened(arguments, make=False) as home:
        session = resolved(home, arguments.session)
        text = _exported(home, session.key, arguments.format)
    if arguments.json:
        print_json({"session": session.key, "text": text})
        return 0
    if arguments.out is None:
        sys.stdout.write(text)
        return 0
    try:
        with Path(arguments.out).open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise StoreError(f"{arguments.out}: {error.strerror or error}") from error
    say(f"written: {arguments.out}")
    return 0


def _exported(home: Home, key: str, form: str) -> str:
    if form == "pts":
        from ferrule.wiring.memories import exported  # noqa: PLC0415 - who searches waits for no reviewer

        return exported(home, key)
    memories = reader(home, key).list(limit=len(home.store.layer(key)))
    if form == "md":
        return as_markdown(key, memories)
    return "".join(json.dumps(full(memory), ensure_ascii=True) + "\n" for memory in memories)


def _table(memories: Sequence[Details], nothing: str) -> None:
    page = Page()
    if not memories:
        page.line(nothing)
        return
    rows = [
        ((memory.name, "bold"), _kind(memory), memory.modality, why_of(memory.matches), _handles(memory))
        for memory in memories
    ]
    page.table(("Name", "Type", "State", "Found by", "Handles"), rows)


def _kind(memory: Details) -> str:
    return ", ".join(memory.bases)


def _handles(memory: Details) -> str:
    return "  ".join(dict.fromkeys(handle.value for handle in memory.handles))


def _show(page: Page, memory: Details) -> None:
    page.line((memory.name, "bold"), f"  {_kind(memory)}", (f", {memory.modality}" if memory.modality else "", "green"))
    facts: list[tuple[str, str]] = [("layer", memory.layer), ("turn", memory.turn)]
    values = [(prop.name, prop.value, prop.was) for prop in memory.properties if prop.assigned]
    column = max((len(name) for name, *_ in (*facts, *values)), default=0)
    for name, value, was in values:
        spans: list[Span] = [(f"{name:<{column}}", "cyan"), f"  {value}"]
        if was:
            spans.append((f"   was: {'; '.join(was)}", "dim"))
        page.line(*spans, indent=2, hang=4 + column)
    for name, value in facts:
        if value:
            page.line((f"{name:<{column}}  {value}", "dim"), indent=2, hang=4 + column)
    if memory.definition:
        from ferrule.interfaces.cli.colours import coloured  # noqa: PLC0415 - nothing else here needs the language

        page.blank()
        for line in coloured(memory.definition):
            page.line(*line, indent=2)
