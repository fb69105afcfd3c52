-- Version 5: a search for letters reads its own session's memories only, and a memory may have a vector.

-- `scope` is the session's number between tildes, so that the index itself leaves out what other sessions hold.
CREATE VIRTUAL TABLE new_fragments USING fts5 (scope, text, tokenize = 'trigram');
INSERT INTO new_fragments (rowid, scope, text) SELECT memories.id, '~' || memories.session || '~', fragments.text
    FROM memories JOIN fragments ON fragments.rowid = memories.id ORDER BY memories.id;
DROP TABLE fragments;
ALTER TABLE new_fragments RENAME TO fragments;

-- What a memory means to one model (its digest), made of the memory as it was at that revision. Derived: it can go.
CREATE TABLE vectors (
    memory   INTEGER PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,
    session  INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    digest   TEXT NOT NULL,
    vector   BLOB NOT NULL
) STRICT;
CREATE INDEX vectors_of_session ON vectors (session);
