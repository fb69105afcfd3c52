"""Everything in a session that is of a type, from the index of bases: as many reads as there are kinds of things.

Owns that look-up. Knows nothing of what types descend from beyond what the session itself remembers.
"""

import json
from collections.abc import Callable, Sequence

from ferrule.adapters.sqlite.looking import Looking
from ferrule.adapters.sqlite.statements import statements
from ferrule.ontology.values import Prototype

__all__ = ["bases_in", "under"]

_SQL = statements("kinds")


def bases_in(database: Looking, session: int) -> tuple[str, ...]:
    """Every name that is a direct base of a memory of the session, each once."""
    return tuple(dict.fromkeys(base for _, bases in _lists(database, session) for base in bases))


def under(
    database: Looking,
    session: int,
    kinds: Sequence[str],
    known: Callable[[str], Prototype | None],
    *,
    limit: int,
    after: str,
) -> tuple[str, ...]:
    """Names of memories that are one of these kinds, by name, the first ones behind `after`.

    A memory may be the base of others: `known` gives the session's own ones.
    """
    lists = _lists(database, session)
    reached = set(kinds)
    waiting = True
    while waiting:
        more = {base for _, bases in lists for base in bases if base not in reached}
        fresh = {base for base in more if (own := known(base)) is not None and reached.intersection(own.bases)}
        reached |= fresh
        waiting = bool(fresh)
    asked = {"session": session, "after": after, "limit": max(0, limit)}
    found: list[str] = []
    for text, bases in lists:
        if reached.intersection(bases):
            found += (str(row["name"]) for row in database.rows(_SQL["of_bases"], asked | {"bases": text}))
    return tuple(sorted(found)[: max(0, limit)])


def _lists(database: Looking, session: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The distinct lists of bases, as they are stored and as names."""

    def read() -> tuple[tuple[str, tuple[str, ...]], ...]:
        rows = database.rows(_SQL["bases"], {"session": session})
        return tuple((str(row["bases"]), tuple(json.loads(row["bases"]))) for row in rows)

    return database.kept(("bases", session), read)
