"""A bug in one piece of work is told by its kind and place, and stops no other piece.

Owns the edge of a worker's threads: what is not expected ends here instead of ending the worker, which would come back
with the next call and end again. What it says may quote a turn, so its words are not told (INV-I6). Knows nothing of
what is done.
"""

import traceback
from collections.abc import Callable
from pathlib import PurePath
from typing import TypeVar

from ferrule.errors import Code, StoreError

__all__ = ["survived"]

_Result = TypeVar("_Result")


def survived(action: Callable[[], _Result], tell: Callable[[str], None]) -> _Result | None:
    """What the action gives; None when it ran into a bug, which is told.

    Raises:
        StoreError: as the action does: a store that fails is nobody's bug, and everybody's trouble.
    """
    try:
        return action()
    except StoreError:
        raise
    except Exception as error:  # noqa: BLE001 - the edge of a worker's threads
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{PurePath(place.filename).name}:{place.lineno}"
        tell(f"a bug in Ferrule: {type(error).__name__} at {where} [{Code.INTERNAL}]")
        return None
