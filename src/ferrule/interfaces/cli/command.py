"""Every command that needs a home opens it here, and it is closed again whatever happens.

Owns how the words of a command line name a home. Knows nothing of any one command.
"""

from argparse import Namespace
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from ferrule.interfaces.cli.output import say
from ferrule.interfaces.cli.visible import visible
from ferrule.wiring.home import Home, is_home, open_home, throw_away_home

__all__ = ["opened", "opened_or_empty"]


def opened_or_empty(arguments: Namespace) -> AbstractContextManager[Home]:
    """The home that the command names, or an empty one that is thrown away when there is none yet."""
    if is_home(arguments.home):
        return opened(arguments)
    return throw_away_home(arguments.home, ontology=arguments.ontology)


@contextmanager
def opened(arguments: Namespace, *, make: bool = True) -> Iterator[Home]:
    """The home that the command names, closed afterwards.

    Raises:
        UsageError: `make` is False and there is no home yet: a command that only reads makes none.
        StoreError: the home cannot be used.
    """
    ontology = [Path(path) for path in getattr(arguments, "ontology", [])]
    with open_home(Path(arguments.home) if arguments.home else None, ontology=ontology, make=make) as home:
        if home.store.notice:
            say(f"ferrule: note: {visible(home.store.notice)}")
        yield home
