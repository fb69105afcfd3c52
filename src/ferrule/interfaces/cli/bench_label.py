"""`ferrule bench label`: a page in the browser on which a person labels turns of their own transcripts.

Owns the command's words and output, and how long the page is there. Knows nothing of labels.
"""

import secrets
import shlex
import sys
import time
from argparse import Namespace
from pathlib import Path

from ferrule.errors import Code, StoreError, UsageError
from ferrule.interfaces.cli.command import opened_or_empty
from ferrule.interfaces.cli.output import Progress, print_json, say
from ferrule.interfaces.cli.page import Page
from ferrule.interfaces.cli.visible import visible
from ferrule.interfaces.labelpage.server import LabelServer
from ferrule.wiring.labelling import LABELS, TURNS, LabelDesk, desk_of, folder_held, subjects_at

__all__ = ["run_label"]

_HIGHEST_PORT = 65535
_TOKEN_BYTES = 24


def run_label(arguments: Namespace) -> int:
    """Show the page until its button, Ctrl-C or its idle time ends it; what was saved is kept.

    Raises:
        UsageError: no transcript, port or time of that kind; another process labels into that folder.
        UnreadableInput: a transcript or a file of the folder cannot be read.
        StoreError: the folder cannot be written, or the port is taken.
    """
    if not 0 <= arguments.port <= _HIGHEST_PORT:
        raise UsageError(f"--port is a number from 0 (any free one) to {_HIGHEST_PORT}", code=Code.BAD_TOOL_ARGS)
    if arguments.idle < 0:
        raise UsageError("--idle is a number of minutes, 0 for no end", code=Code.BAD_TOOL_ARGS)
    with opened_or_empty(arguments) as home, Progress() as progress:
        subjects, remarks = subjects_at(home, arguments.transcript, form=arguments.format, progress=progress)
    for remark in remarks:
        say(f"ferrule: note: {visible(remark)}")
    out = Path(arguments.out)
    with folder_held(out):
        desk = desk_of(subjects, out)
        return _shown(arguments, desk)


def _shown(arguments: Namespace, desk: LabelDesk) -> int:
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    try:
        server = LabelServer(desk, token=token, port=arguments.port, clock=time.monotonic)
    except OSError as problem:
        line = f"port {arguments.port}: {problem.strerror or problem}"
        raise StoreError(line, code=Code.IO_FAILED) from problem
    with server:
        _tell_begin(arguments, desk, server.url)
        try:
            asked = server.serve(60.0 * arguments.idle)
        except KeyboardInterrupt:
            asked = True
    _tell_end(arguments, desk, idle=not asked)
    return 0


def _tell_begin(arguments: Namespace, desk: LabelDesk, url: str) -> None:
    if arguments.json:
        print_json({"url": url, "turns": len(desk), "labelled": desk.done()})
    else:
        page = Page()
        page.line(f"{len(desk)} turns, {desk.done()} of them labelled. Open this address in your browser:")
        sys.stdout.write(f"  {url}\n")  # never wrapped: it is to be clicked
        page.line("Whoever has the address can read these turns. Ctrl-C ends it; what is saved stays saved.")
    sys.stdout.flush()


def _tell_end(arguments: Namespace, desk: LabelDesk, *, idle: bool) -> None:
    done = desk.done()
    if arguments.json:
        print_json({"turns": len(desk), "labelled": done, "idle": idle, "out": str(desk.out)})
        return
    page = Page()
    if idle:
        page.line(f"Nobody asked for {arguments.idle:g} minutes; the page is closed.")
    page.line(f"{done} of {len(desk)} turns labelled. The same command goes on; this tells how good a reviewer is:")
    turns, labels = (shlex.quote(str(desk.out / name)) for name in (TURNS, LABELS))
    page.line(f"  ferrule bench --turns {turns} --labels {labels}")
