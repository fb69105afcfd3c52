"""A session that shows turns of another one goes on from it: its client copied them (R87, design.md section 7).

Owns that conclusion. A client may resume under a new id and name no former one, but a turn keeps the id that it was
given once, and those ids are made so that they never recur by chance. Knows nothing of transcripts.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from ferrule.companion.ports import SessionStore
from ferrule.session.source import SourceSession

__all__ = ["MOST_SHOWN", "with_kin"]

MOST_SHOWN = 64
_UNIQUE = 32  # characters of an id that nothing else is called by: a UUID has 36, a number or `t1-<digest>` fewer


def with_kin(store: SessionStore, session: SourceSession, shown: Iterable[str]) -> SourceSession:
    """The session, in the lineage of a stored one of which it shows a turn; as it is when it has a lineage already.

    Args:
        store: where the other session may be.
        session: as its transcript tells it.
        shown: the keys of the turns in its transcript; the first of them count.
    """
    if session.lineage != session.key or session.parent is not None:
        return session
    keys = tuple(islice((key for key in shown if len(key) >= _UNIQUE), MOST_SHOWN))
    other = store.sharing(session, keys)
    return session if other is None else replace(session, lineage=other)
