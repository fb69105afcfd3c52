-- Version 1: the first slice. Every statement ends with a semicolon at the end of a line; a trigger is one line.

CREATE TABLE sessions (
    id         INTEGER PRIMARY KEY,
    key        TEXT NOT NULL UNIQUE,
    profile    TEXT NOT NULL,
    parent     TEXT,
    lineage    TEXT,
    hidden     INTEGER NOT NULL,
    archived   INTEGER NOT NULL,
    client     TEXT NOT NULL,
    title      TEXT NOT NULL,
    cwd        TEXT,
    repository TEXT,
    revision   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX sessions_of_lineage ON sessions (lineage) WHERE lineage IS NOT NULL;

-- Immutable; `body` is the scrubbed turn as JSON, a large one deflated, NULL once its retention has passed.
CREATE TABLE turns (
    id        INTEGER PRIMARY KEY,
    session   INTEGER NOT NULL REFERENCES sessions (id),
    key       TEXT NOT NULL,
    ordinal   INTEGER NOT NULL,
    stored_at REAL NOT NULL,
    digest    TEXT NOT NULL,
    body      ANY,
    UNIQUE (session, key)
) STRICT;
CREATE INDEX turns_in_order ON turns (session, ordinal, id);
CREATE INDEX turns_kept ON turns (stored_at) WHERE body IS NOT NULL;

CREATE TABLE subscriptions (
    id            INTEGER PRIMARY KEY,
    source        INTEGER NOT NULL REFERENCES sessions (id),
    companion     INTEGER NOT NULL REFERENCES sessions (id),
    event         TEXT NOT NULL,
    first_ordinal INTEGER NOT NULL,
    enabled       INTEGER NOT NULL,
    expires       REAL,
    UNIQUE (source, companion, event)
) STRICT;

-- One lane per source: the only truth about order and fencing.
CREATE TABLE lanes (
    session     INTEGER PRIMARY KEY REFERENCES sessions (id),
    pending     INTEGER NOT NULL DEFAULT 0,
    leased_at   REAL NOT NULL DEFAULT 0,
    lease_until REAL NOT NULL DEFAULT 0,
    epoch       INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX lanes_pending ON lanes (session) WHERE pending > 0;

CREATE TABLE instructions (
    id        INTEGER PRIMARY KEY,
    session   INTEGER NOT NULL REFERENCES sessions (id),
    companion TEXT NOT NULL,
    turn      TEXT NOT NULL,
    ordinal   INTEGER NOT NULL,
    origin    TEXT NOT NULL,
    state     TEXT NOT NULL,
    attempts  INTEGER NOT NULL DEFAULT 0,
    reason    TEXT NOT NULL DEFAULT '',
    UNIQUE (session, turn)
) STRICT;
CREATE INDEX instructions_open ON instructions (session, ordinal, id) WHERE state IN ('waiting', 'claimed', 'failed');

-- The merged prototype of each memory, as it stands.
CREATE TABLE memories (
    id         INTEGER PRIMARY KEY,
    session    INTEGER NOT NULL REFERENCES sessions (id),
    name       TEXT NOT NULL,
    folded     TEXT NOT NULL,
    partial    INTEGER NOT NULL,
    bases      TEXT NOT NULL,
    properties TEXT NOT NULL,
    handles    TEXT NOT NULL,
    merged     TEXT NOT NULL,
    turn       TEXT NOT NULL,
    ordinal    INTEGER NOT NULL,
    modality   TEXT NOT NULL,
    revision   INTEGER NOT NULL,
    seal       TEXT NOT NULL,
    UNIQUE (session, name)
) STRICT;
CREATE INDEX memories_spelled ON memories (session, folded);
CREATE INDEX memories_recent ON memories (session, revision, id);

-- Every accepted write, oldest first: what was added, from which turn, by whom, on what evidence (R95).
CREATE TABLE writes (
    id         INTEGER PRIMARY KEY,
    memory     INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    turn       TEXT NOT NULL,
    ordinal    INTEGER NOT NULL,
    action     TEXT NOT NULL,
    definition TEXT NOT NULL,
    modality   TEXT NOT NULL,
    reviewer   TEXT NOT NULL,
    candidate  TEXT NOT NULL,
    person     INTEGER NOT NULL,
    revision   INTEGER NOT NULL,
    at         TEXT NOT NULL,
    excerpts   TEXT NOT NULL
) STRICT;
CREATE INDEX writes_of_memory ON writes (memory, id);

CREATE TABLE provenance (
    id        INTEGER PRIMARY KEY,
    write     INTEGER NOT NULL REFERENCES writes (id) ON DELETE CASCADE,
    property  TEXT NOT NULL,
    modality  TEXT NOT NULL,
    by_user   INTEGER NOT NULL,
    by_action INTEGER NOT NULL,
    evidence  TEXT NOT NULL
) STRICT;
CREATE INDEX provenance_of_write ON provenance (write, id);

CREATE TABLE memory_keys (
    session INTEGER NOT NULL,
    key     TEXT NOT NULL,
    memory  INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    PRIMARY KEY (session, key, memory)
) STRICT, WITHOUT ROWID;
CREATE INDEX keys_of_memory ON memory_keys (memory);

CREATE TABLE phrases (
    session INTEGER NOT NULL,
    phrase  TEXT NOT NULL,
    memory  INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    PRIMARY KEY (session, phrase, memory)
) STRICT, WITHOUT ROWID;
CREATE INDEX phrases_of_memory ON phrases (memory);

-- The last revision that touched an identity key or folded phrase (as a digest: it outlives the memory).
CREATE TABLE touched (
    session  INTEGER NOT NULL,
    mark     TEXT NOT NULL,
    revision INTEGER NOT NULL,
    PRIMARY KEY (session, mark)
) STRICT, WITHOUT ROWID;

-- rowid = memories.id. Columns hold subwords (CamelCase is split before), each with its session's number in front, so
-- that a search reads that session's postings only.
CREATE VIRTUAL TABLE words USING fts5 (named, called, valued, tokenize = "unicode61 remove_diacritics 0 tokenchars '+_'");
CREATE VIRTUAL TABLE fragments USING fts5 (text, tokenize = 'trigram');

CREATE TABLE tombstones (
    session INTEGER NOT NULL,
    mark    TEXT NOT NULL,
    name    TEXT NOT NULL,
    at      TEXT NOT NULL,
    PRIMARY KEY (session, mark)
) STRICT, WITHOUT ROWID;
CREATE INDEX tombstones_of_name ON tombstones (session, name);

CREATE TABLE reviews (
    session  INTEGER NOT NULL REFERENCES sessions (id),
    turn     TEXT NOT NULL,
    ordinal  INTEGER NOT NULL,
    outcome  TEXT NOT NULL,
    body     TEXT NOT NULL,
    marker   TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    revision INTEGER NOT NULL,
    at       TEXT NOT NULL,
    PRIMARY KEY (session, turn)
) STRICT, WITHOUT ROWID;

-- Append-only hash chain; its head is also kept outside this file.
CREATE TABLE receipts (
    seq             INTEGER PRIMARY KEY,
    previous        TEXT NOT NULL,
    hash            TEXT NOT NULL,
    session         TEXT NOT NULL,
    turn            TEXT NOT NULL,
    verdict         TEXT NOT NULL,
    code            TEXT NOT NULL,
    prototype       TEXT NOT NULL,
    payload_sha256  TEXT NOT NULL,
    payload_length  INTEGER NOT NULL,
    revision_before INTEGER NOT NULL,
    revision_after  INTEGER NOT NULL
) STRICT;
CREATE INDEX receipts_of_turn ON receipts (session, turn, seq);
CREATE TRIGGER receipts_never_change BEFORE UPDATE ON receipts BEGIN SELECT RAISE(ABORT, 'receipts are append-only'); END;
CREATE TRIGGER receipts_never_leave BEFORE DELETE ON receipts BEGIN SELECT RAISE(ABORT, 'receipts are append-only'); END;

-- Answers of models and tools, so that a resumed review does not pay twice.
CREATE TABLE journal (
    session INTEGER NOT NULL REFERENCES sessions (id),
    turn    TEXT NOT NULL,
    step    INTEGER NOT NULL,
    kind    TEXT NOT NULL,
    body    TEXT NOT NULL,
    at      TEXT NOT NULL,
    PRIMARY KEY (session, turn, step)
) STRICT, WITHOUT ROWID;
