"""A forgotten memory leaves the stored reviews too: of the turns that wrote it, and of those that only met it (R97).

Owns what a memory is known by just before it goes, and the reviews that know it. Knows nothing of tombstones.
"""

import json

from ferrule.adapters.sqlite.coding import compact, read_handles
from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.sqlite.statements import statements
from ferrule.adapters.sqlite.stored import stored_memory, stored_prototype
from ferrule.memory.forgetting import Gone, forgotten_review
from ferrule.ontology.layers import names_of, phrases_of

__all__ = ["clean_review", "clean_reviews", "known_by"]

_RECEIPTS = statements("receipts")
_MEMORIES = statements("memories")


def known_by(database: Database, session: int, name: str) -> Gone:
    """What the memory is called and points at; to be asked before it is removed."""
    row, prototype = stored_memory(database, session, name), stored_prototype(database, session, name)
    if row is None or prototype is None:
        return Gone(name)
    called = names_of(prototype)
    handles = read_handles(row["handles"])
    keys = {str(found["key"]) for found in database.rows(_MEMORIES["keys_of"], {"memory": row["id"]})}
    return Gone(
        name=name,
        called=frozenset(called),
        phrases=frozenset(phrases_of(prototype)),
        values=frozenset(handle.value for handle in handles),
        keys=frozenset(keys | {handle.key for handle in handles if handle.key}),
    )


def clean_reviews(database: Database, session: int, gone: Gone) -> None:
    """Take what was known of a memory out of every stored review of its session that says its name, handle or key."""
    turns: dict[str, None] = {}
    for mark in sorted({gone.name, *gone.called, *gone.values, *gone.keys}):
        said = json.dumps(mark, ensure_ascii=False)[1:-1]  # as it stands inside the stored JSON
        for row in database.rows(_RECEIPTS["reviews_saying"], {"session": session, "said": said}):
            turns[str(row["turn"])] = None
    for turn in turns:
        clean_review(database, session, turn, gone)


def clean_review(database: Database, session: int, turn: str, gone: Gone) -> None:
    """Take the text of one memory out of one stored review (R97)."""
    row = database.row(_RECEIPTS["review_body"], {"session": session, "turn": turn})
    if row is None:
        return
    review = forgotten_review(json.loads(row["body"]), gone)
    database.run(_RECEIPTS["set_review"], {"session": session, "turn": turn, "body": compact(review)})
