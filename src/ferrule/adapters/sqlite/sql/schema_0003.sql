-- Version 3: an event's id is its source's own, so two hosts that both count from one do not meet; and what a source
-- has waiting is counted without reading what others have.
CREATE TABLE new_events (
    seq        INTEGER PRIMARY KEY,
    id         TEXT NOT NULL,
    type       TEXT NOT NULL,
    source     TEXT NOT NULL,
    target     TEXT NOT NULL,
    occurred   TEXT NOT NULL,
    turn       TEXT NOT NULL,
    digest     TEXT NOT NULL,
    state      TEXT NOT NULL,
    outcome    TEXT NOT NULL,
    code       TEXT NOT NULL,
    reason     TEXT NOT NULL,
    attempts   INTEGER NOT NULL,
    due        REAL NOT NULL,
    stamped_at REAL NOT NULL,
    UNIQUE (source, id)
) STRICT;
INSERT INTO new_events SELECT seq, id, type, source, target, occurred, turn, digest, state, outcome, code, reason, attempts,
    due, stamped_at FROM events;
DROP TABLE events;
ALTER TABLE new_events RENAME TO events;
CREATE INDEX events_received ON events (seq) WHERE state = 'received';
CREATE INDEX events_waiting ON events (source) WHERE state = 'received';
CREATE INDEX events_stuck ON events (source, seq) WHERE outcome IN ('', 'declined');
CREATE INDEX events_settled ON events (stamped_at) WHERE state = 'settled';
