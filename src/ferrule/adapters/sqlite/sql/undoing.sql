-- name: standing
SELECT receipts.seq, memories.id AS memory, memories.name, writes.id, writes.turn, writes.ordinal, writes.at, writes.action,
    writes.definition, writes.person, writes.revision, receipts.payload_sha256
FROM writes JOIN memories ON memories.id = writes.memory JOIN sessions ON sessions.id = memories.session
JOIN receipts ON receipts.session = sessions.key AND receipts.turn = writes.turn AND receipts.verdict = 'accepted'
    AND receipts.prototype = memories.name AND receipts.revision_after = writes.revision
WHERE memories.session = :session ORDER BY writes.id, receipts.seq;

-- name: valued
SELECT property FROM provenance WHERE write = :write ORDER BY id;

-- name: drop_write
DELETE FROM writes WHERE id = :write;

-- name: newest_of
SELECT turn, ordinal, modality FROM writes WHERE memory = :memory ORDER BY id DESC LIMIT 1;

-- name: put_back
UPDATE memories SET properties = :properties, handles = :handles, merged = :merged, turn = :turn, ordinal = :ordinal,
    modality = :modality, revision = :revision, seal = :seal WHERE id = :memory;

-- name: drop_key
DELETE FROM memory_keys WHERE memory = :memory AND key = :mark;

-- name: drop_phrase
DELETE FROM phrases WHERE memory = :memory AND phrase = :mark;
