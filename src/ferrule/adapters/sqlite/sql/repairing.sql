-- name: sessions
SELECT id, key, revision FROM sessions ORDER BY id;

-- name: memories
SELECT id, session, name, folded, partial, bases, properties, handles, merged, turn, ordinal, modality, revision, seal
FROM memories WHERE session = :session ORDER BY id;

-- name: writes
SELECT id, turn, ordinal, action, definition, modality, revision, at, person FROM writes WHERE memory = :memory ORDER BY id;

-- name: valued
SELECT property FROM provenance WHERE write = :write ORDER BY id;

-- name: receipts
SELECT seq, previous, hash, session, turn, verdict, code, prototype, payload_sha256, payload_length, revision_before, revision_after
FROM receipts WHERE session = :source ORDER BY seq;

-- name: set_memory
UPDATE memories SET name = :name, folded = :folded, partial = :partial, bases = :bases, properties = :properties,
    handles = :handles, merged = :merged, turn = :turn, ordinal = :ordinal, modality = :modality, revision = :revision,
    seal = :seal WHERE id = :id;

-- name: set_folded
UPDATE memories SET folded = :folded WHERE id = :memory;

-- name: set_definition
UPDATE writes SET definition = :definition WHERE id = :write;

-- name: keys
SELECT session, key AS mark FROM memory_keys WHERE memory = :memory;

-- name: phrases
SELECT session, phrase AS mark FROM phrases WHERE memory = :memory;

-- name: drop_keys
DELETE FROM memory_keys WHERE memory = :memory;

-- name: drop_phrases
DELETE FROM phrases WHERE memory = :memory;

-- name: clear_words
DROP TABLE words;

-- name: clear_fragments
DROP TABLE fragments;

-- name: make_words
CREATE VIRTUAL TABLE words USING fts5 (named, called, valued, tokenize = "unicode61 remove_diacritics 0 tokenchars '+_'");

-- name: make_fragments
CREATE VIRTUAL TABLE "fragments" USING fts5 (scope, text, tokenize = 'trigram');

-- name: orphaned_keys
DELETE FROM memory_keys WHERE memory NOT IN (SELECT id FROM memories);

-- name: orphaned_phrases
DELETE FROM phrases WHERE memory NOT IN (SELECT id FROM memories);

-- name: orphaned_vectors
DELETE FROM vectors WHERE memory NOT IN (SELECT id FROM memories);

-- name: orphaned_provenance
DELETE FROM provenance WHERE write NOT IN (SELECT id FROM writes);

-- name: orphaned_writes
DELETE FROM writes WHERE memory NOT IN (SELECT id FROM memories);

-- name: put_aside
INSERT INTO set_aside (session, what, name, reason, at, content) VALUES (:session, :what, :name, :reason, :at, :content);

-- name: aside
SELECT session, what, name, reason, at FROM set_aside WHERE :source IS NULL OR session = :source ORDER BY id;

-- name: drop_aside
DELETE FROM set_aside WHERE session = :source AND name = :name;

-- name: drop_memory
DELETE FROM memories WHERE id = :memory;

-- name: bodies
SELECT id, key, digest, body FROM turns WHERE session = :session AND body IS NOT NULL ORDER BY id;

-- name: drop_body
UPDATE turns SET body = NULL WHERE id = :turn;

-- name: advance
UPDATE sessions SET revision = revision + 1 WHERE id = :session;

-- name: whole_words
INSERT INTO words (words) VALUES ('integrity-check');

-- name: whole_fragments
INSERT INTO fragments (fragments) VALUES ('integrity-check');
