-- name: sessions
SELECT id, key FROM sessions WHERE :source IS NULL OR key = :source ORDER BY id;

-- name: chain
SELECT seq, previous, hash, session, turn, verdict, code, prototype, payload_sha256, payload_length, revision_before, revision_after
FROM receipts ORDER BY seq;

-- name: chain_of_session
SELECT seq, previous, hash, session, turn, verdict, code, prototype, payload_sha256, payload_length, revision_before, revision_after
FROM receipts WHERE session = :source ORDER BY seq;

-- name: memories
SELECT id, session, name, folded, partial, bases, properties, handles, merged, turn, ordinal, modality, revision, seal
FROM memories WHERE session = :session ORDER BY id;

-- name: keys
SELECT session, key AS mark FROM memory_keys WHERE memory = :memory;

-- name: phrases
SELECT session, phrase AS mark FROM phrases WHERE memory = :memory;

-- name: words
SELECT named, called, valued FROM words WHERE rowid = :memory;

-- name: fragments
SELECT text FROM fragments WHERE rowid = :memory;

-- name: found_by_words
SELECT 1 FROM words WHERE words MATCH :query AND rowid = :memory;

-- name: found_by_fragment
SELECT 1 FROM fragments WHERE fragments MATCH :query AND rowid = :memory;

-- name: stray_words
SELECT rowid FROM words WHERE rowid NOT IN (SELECT id FROM memories) LIMIT 1;

-- name: stray_fragments
SELECT rowid FROM fragments WHERE rowid NOT IN (SELECT id FROM memories) LIMIT 1;

-- name: writes
SELECT memories.name, writes.definition FROM writes JOIN memories ON memories.id = writes.memory
WHERE memories.session = :session ORDER BY writes.id;

-- name: bodies
SELECT key, digest, body FROM turns WHERE session = :session AND body IS NOT NULL ORDER BY id;

-- name: reviews_without_receipt
SELECT reviews.turn FROM reviews WHERE reviews.session = :session AND NOT EXISTS
    (SELECT 1 FROM receipts WHERE receipts.session = :source AND receipts.turn = reviews.turn) ORDER BY reviews.turn;

-- name: receipts_without_review
SELECT DISTINCT receipts.turn FROM receipts WHERE receipts.session = :source AND receipts.turn <> '' AND NOT EXISTS
    (SELECT 1 FROM reviews WHERE reviews.session = :session AND reviews.turn = receipts.turn) ORDER BY receipts.turn;

-- name: receipts_of_strangers
SELECT DISTINCT session FROM receipts WHERE session <> '' AND session NOT IN (SELECT key FROM sessions) ORDER BY session;

-- name: counts
SELECT (SELECT count(*) FROM sessions) AS sessions, (SELECT count(*) FROM memories) AS memories,
    (SELECT count(*) FROM receipts) AS receipts, (SELECT count(*) FROM turns) AS turns, (SELECT count(*) FROM reviews) AS reviews;

-- name: see_words
CREATE VIRTUAL TABLE temp.seen_words USING fts5vocab('main', 'words', 'instance');

-- name: see_fragments
CREATE VIRTUAL TABLE temp.seen_fragments USING fts5vocab('main', 'fragments', 'instance');

-- name: seen_words
SELECT term, doc FROM temp.seen_words WHERE col = 'named';

-- name: seen_fragments
SELECT term, doc FROM temp.seen_fragments WHERE col = 'text';
