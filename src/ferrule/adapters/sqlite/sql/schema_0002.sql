-- Version 2: the companion's life. Lanes say when they are due; events, companions, feedback and manifests join.

DROP INDEX instructions_open;
-- A worker of version 1 cannot commit what it claimed any more: its code does not know these tables.
UPDATE instructions SET state = 'waiting' WHERE state IN ('claimed', 'failed');
-- `failed` is the lane's epoch at which the instruction failed last, 0 when it did not: the newest failure of a lane.
ALTER TABLE instructions ADD COLUMN failed INTEGER NOT NULL DEFAULT 0;
UPDATE instructions SET failed = attempts WHERE reason <> '' AND state IN ('waiting', 'parked');
CREATE INDEX instructions_open ON instructions (session, ordinal, id) WHERE state IN ('waiting', 'claimed');
CREATE INDEX instructions_parked ON instructions (session, ordinal, id) WHERE state = 'parked';
CREATE INDEX instructions_failed ON instructions (session, failed) WHERE failed > 0;

-- One lane per source: the only truth about order and fencing. `due` is when it can be claimed next: the retry time in a
-- back-off, the lease's end while claimed, NULL while nothing waits, paused or archived. `stamped_at` is the clock at which
-- the row's times were set: a stamp of the future tells that the clock was set back. `last_seq` is the newest receipt.
CREATE TABLE lanes_2 (
    session      INTEGER PRIMARY KEY REFERENCES sessions (id),
    epoch        INTEGER NOT NULL DEFAULT 0,
    due          REAL,
    stamped_at   REAL NOT NULL DEFAULT 0,
    lease_until  REAL,
    holder       TEXT NOT NULL DEFAULT '',
    claimed      INTEGER,
    paused       INTEGER NOT NULL DEFAULT 0,
    reviewed     INTEGER NOT NULL DEFAULT 0,
    last_turn    TEXT NOT NULL DEFAULT '',
    last_ordinal INTEGER NOT NULL DEFAULT 0,
    last_outcome TEXT NOT NULL DEFAULT '',
    last_at      TEXT NOT NULL DEFAULT '',
    last_seq     INTEGER NOT NULL DEFAULT 0
) STRICT;

-- A waiting lane of version 1 is due at once, the one that was queued first before the others: any time long past will do.
INSERT INTO lanes_2 (session, epoch, due, reviewed, last_seq)
SELECT session, epoch,
    CASE WHEN (SELECT archived FROM sessions WHERE sessions.id = lanes.session) THEN NULL
    ELSE (SELECT min(id) FROM instructions WHERE instructions.session = lanes.session AND state = 'waiting') END,
    (SELECT count(*) FROM reviews WHERE reviews.session = lanes.session),
    coalesce((SELECT max(seq) FROM receipts JOIN sessions ON sessions.key = receipts.session
        WHERE sessions.id = lanes.session AND receipts.turn <> ''), 0)
FROM lanes;
DROP TABLE lanes;
ALTER TABLE lanes_2 RENAME TO lanes;
UPDATE lanes SET (last_turn, last_ordinal, last_outcome, last_at) = (
    SELECT reviews.turn, reviews.ordinal, reviews.outcome, reviews.at
    FROM receipts JOIN reviews ON reviews.turn = receipts.turn
    WHERE receipts.seq = lanes.last_seq AND reviews.session = lanes.session
) WHERE EXISTS (
    SELECT 1 FROM receipts JOIN reviews ON reviews.turn = receipts.turn
    WHERE receipts.seq = lanes.last_seq AND reviews.session = lanes.session
);
-- Of two lanes due at the same tick of the clock, the one served less often is first.
CREATE INDEX lanes_due ON lanes (due, epoch) WHERE due IS NOT NULL;
CREATE INDEX lanes_stamped ON lanes (stamped_at);

CREATE TABLE companions (
    source    INTEGER PRIMARY KEY REFERENCES sessions (id),
    companion INTEGER NOT NULL REFERENCES sessions (id),
    reviewer  TEXT NOT NULL,
    provider  TEXT NOT NULL,
    model     TEXT NOT NULL,
    reasoning TEXT NOT NULL
) STRICT;

-- Never filled in version 1.
DROP TABLE subscriptions;
CREATE TABLE subscriptions (
    id            INTEGER PRIMARY KEY,
    source        INTEGER NOT NULL REFERENCES sessions (id),
    companion     INTEGER NOT NULL REFERENCES sessions (id),
    event         TEXT NOT NULL,
    first_ordinal INTEGER NOT NULL,
    enabled       INTEGER NOT NULL,
    expires       REAL,
    delivery      TEXT NOT NULL,
    handler       TEXT NOT NULL,
    created       REAL NOT NULL,
    UNIQUE (source, event)
) STRICT;

-- An event once per id; its source and turn may be unknown here. Settled ones go after their retention.
CREATE TABLE events (
    seq        INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
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
    stamped_at REAL NOT NULL
) STRICT;
CREATE INDEX events_received ON events (seq) WHERE state = 'received';
CREATE INDEX events_stuck ON events (source, seq) WHERE outcome IN ('', 'declined');
CREATE INDEX events_settled ON events (stamped_at) WHERE state = 'settled';

CREATE TABLE feedback (
    session INTEGER NOT NULL REFERENCES sessions (id),
    turn    TEXT NOT NULL,
    value   TEXT NOT NULL,
    at      REAL NOT NULL,
    PRIMARY KEY (session, turn)
) STRICT, WITHOUT ROWID;

-- The key's columns come first: SQLite before 3.41 takes an integer between them for NULL in an integrity check.
CREATE TABLE manifests (
    session INTEGER NOT NULL REFERENCES sessions (id),
    turn    TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    PRIMARY KEY (session, turn)
) STRICT, WITHOUT ROWID;
CREATE INDEX manifests_in_order ON manifests (session, ordinal, turn);
