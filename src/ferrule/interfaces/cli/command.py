"""Every command that needs a home opens it here, and it is closed again whatever happens.

Owns how the words of a command line name a home, and the client's own session in it. Knows nothing of any one command.
"""

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from ferrule.errors import Code, UsageError
from ferrule.interfaces.cli.output import Progress, say
from ferrule.interfaces.cli.visible import visible
from ferrule.wiring.here import session_here
from ferrule.wiring.home import Home, is_home, open_home, throw_away_home
from ferrule.wiring.permanent import Told
from ferrule.wiring.sessions import LAST

__all__ = ["opened", "opened_or_empty"]


def opened_or_empty(arguments: Namespace) -> AbstractContextManager[Home]:
    """The home that the command names, or an empty one that is thrown away when there is none yet."""
    if is_home(arguments.home):
        return opened(arguments)
    return _shown(lambda told: throw_away_home(arguments.home, ontology=arguments.ontology, told=told))


@contextmanager
def opened(arguments: Namespace, *, make: bool = True) -> Iterator[Home]:
    """The home that the command names, closed afterwards.

    Raises:
        UsageError: `make` is False and there is no home yet: a command that only reads makes none. Or `--here` names
            no session, or not clearly one.
        StoreError: the home cannot be used.
    """
    ontology = [Path(path) for path in getattr(arguments, "ontology", [])]
    place = Path(arguments.home) if arguments.home else None
    with _shown(lambda told: open_home(place, ontology=ontology, make=make, told=told)) as home:
        if home.store.notice:
            say(f"ferrule: note: {visible(home.store.notice)}")
        _say_which(arguments, home)
        yield replace(home, anyway=True) if getattr(arguments, "anyway", False) else home
        for notice in home.projects.notices():
            say(f"ferrule: note: {visible(notice)}")


@contextmanager
def _shown(opening: Callable[[Told | None], AbstractContextManager[Home]]) -> Iterator[Home]:
    """A home whose opening is shown on a terminal once it takes long: a large ontology is read. Nothing on a pipe."""
    with ExitStack() as opened:
        if sys.stderr.isatty():
            with Progress() as progress:
                home = opened.enter_context(opening(progress))
        else:
            home = opened.enter_context(opening(None))
        yield home


def _say_which(arguments: Namespace, home: Home) -> None:
    """With `--here` the session is the client's own: it takes the place of the word that names one."""
    if not getattr(arguments, "here", False):
        return
    if arguments.client is None:
        raise UsageError("--here needs --client NAME", code=Code.BAD_TOOL_ARGS)
    key = session_here(home, arguments.client, arguments.id, folder=Path.cwd(), environment=os.environ)
    if "session" in arguments:
        arguments.session = key
        return
    if "turn" in arguments and arguments.turn is None and arguments.source not in {None, LAST}:
        arguments.turn = arguments.source  # the only word that is left to be said
    arguments.source = key
