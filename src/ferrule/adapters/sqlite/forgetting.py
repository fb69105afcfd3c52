"""A forgotten memory leaves the stored reviews too: of the turns that wrote it, and of those that only met it (R97).

Owns what a memory is known by just before it goes, and the reviews and excerpts that know it. Knows nothing of
tombstones.
"""

import json

from ferrule.adapters.sqlite.coding import compact, read_handles
from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.sqlite.statements import statements
from ferrule.adapters.sqlite.stored import stored_memory, stored_prototype
from ferrule.memory.forgetting import Gone, forgotten_excerpts, forgotten_marker, forgotten_review
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
    """Take what was known of a memory out of all of its session that says its name, handle or key.

    That are the stored reviews, and the excerpts that are kept of other memories' writes.
    """
    turns: dict[str, None] = {}
    writes: dict[int, str] = {}
    for mark in sorted({gone.name, *gone.called, *gone.values, *gone.keys}):
        said = json.dumps(mark, ensure_ascii=False)[1:-1]  # as it stands inside the stored JSON
        for row in database.rows(_RECEIPTS["reviews_saying"], {"session": session, "said": said}):
            turns[str(row["turn"])] = None
        for row in database.rows(_MEMORIES["excerpts_saying"], {"session": session, "said": said}):
            writes[int(row["id"])] = str(row["excerpts"])
    for write, excerpts in writes.items():
        left = forgotten_excerpts(_read(excerpts), gone)
        database.run(_MEMORIES["set_excerpts"], {"write": write, "excerpts": compact(left)})
    for turn in turns:
        clean_review(database, session, turn, gone)


def _read(excerpts: str) -> object:
    """Damaged ones go as a whole: no memory rests on them."""
    try:
        return json.loads(excerpts)
    except ValueError:
        return []


def clean_review(database: Database, session: int, turn: str, gone: Gone) -> None:
    """Take the text of one memory out of one stored review (R97)."""
    row = database.row(_RECEIPTS["review_body"], {"session": session, "turn": turn})
    if row is None:
        return
    review = json.loads(row["body"])
    cleaned = {
        "body": compact(forgotten_review(review, gone)),
        "marker": forgotten_marker(str(row["marker"]), review, gone),
    }
    database.run(_RECEIPTS["set_review"], {"session": session, "turn": turn, **cleaned})
