-- Version 4: by which normal forms the identity keys were made, and what a repair set aside.

-- One row each time the keys were made anew. `kept` counts the paths whose turn's place is not stored any more: they keep
-- the key that path and session alone give.
CREATE TABLE key_forms (
    version INTEGER PRIMARY KEY,
    at      TEXT NOT NULL,
    renewed INTEGER NOT NULL,
    kept    INTEGER NOT NULL
) STRICT;

-- What could not be rebuilt, as it was found: out of everybody's way, not lost.
CREATE TABLE set_aside (
    id      INTEGER PRIMARY KEY,
    session TEXT NOT NULL,
    what    TEXT NOT NULL,
    name    TEXT NOT NULL,
    reason  TEXT NOT NULL,
    at      TEXT NOT NULL,
    content TEXT NOT NULL
) STRICT;
CREATE INDEX set_aside_of_name ON set_aside (session, name);
