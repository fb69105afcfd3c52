-- name: several
SELECT id, name, partial, bases, properties, handles, merged, turn, ordinal, modality, revision, seal
FROM memories WHERE session = :session AND name IN (SELECT value FROM json_each(:names));

-- name: origins
SELECT writes.memory, provenance.property, writes.turn, writes.ordinal, provenance.modality, provenance.by_user,
    provenance.by_action
FROM writes JOIN provenance ON provenance.write = writes.id
WHERE writes.memory IN (SELECT value FROM json_each(:memories)) ORDER BY writes.memory, writes.id, provenance.id;

-- name: last_writes
SELECT memory, turn, modality, person FROM writes
WHERE id IN (SELECT max(id) FROM writes WHERE memory IN (SELECT value FROM json_each(:memories)) GROUP BY memory);

-- name: matching
SELECT memories.id, memories.name, found.named, found.called, found.valued
FROM (SELECT rowid, named, called, valued FROM words WHERE words MATCH :query ORDER BY rowid LIMIT :limit) AS found
JOIN memories ON memories.id = found.rowid AND memories.session = :session;

-- name: common
SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH :query LIMIT :limit);

-- name: resembling
SELECT memories.id, memories.name, found.text
FROM (SELECT rowid, text FROM fragments WHERE fragments MATCH :query ORDER BY rowid LIMIT :limit) AS found
JOIN memories ON memories.id = found.rowid AND memories.session = :session;

-- name: saying
SELECT memories.id, memories.name, fragments.text FROM memories JOIN fragments ON fragments.rowid = memories.id
WHERE memories.session = :session AND instr(fragments.text, :word) > 0 ORDER BY memories.id LIMIT :limit;

-- name: vectors
SELECT memories.name, vectors.vector FROM vectors JOIN memories ON memories.id = vectors.memory
WHERE vectors.session = :session AND vectors.digest = :digest AND vectors.revision = memories.revision
ORDER BY memories.id;

-- name: without_vector
SELECT memories.name FROM memories LEFT JOIN vectors ON vectors.memory = memories.id
WHERE memories.session = :session
    AND (vectors.memory IS NULL OR vectors.digest <> :digest OR vectors.revision <> memories.revision)
ORDER BY memories.id LIMIT :limit;

-- name: put_vector
INSERT INTO vectors (memory, session, revision, digest, vector)
SELECT id, session, revision, :digest, :vector FROM memories WHERE session = :session AND name = :name AND merged = :merged
ON CONFLICT (memory) DO UPDATE SET
    revision = excluded.revision, digest = excluded.digest, vector = excluded.vector;
