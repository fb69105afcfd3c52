-- name: has_table
SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'key_forms';

-- name: forms
SELECT max(version) FROM key_forms;

-- name: put_forms
INSERT INTO key_forms (version, at, renewed, kept) VALUES (:version, :at, :renewed, :kept);

-- name: sessions
SELECT id, key, cwd, repository FROM sessions ORDER BY id;

-- name: set_repository
UPDATE sessions SET repository = :repository WHERE id = :session;

-- name: memories
SELECT id, session, name, partial, bases, properties, handles, merged, turn, ordinal, modality, revision, seal
FROM memories WHERE session = :session ORDER BY id;

-- name: set_handles
UPDATE memories SET handles = :handles, seal = :seal WHERE id = :memory;

-- name: turn_of_property
SELECT turns.key, turns.digest, turns.body FROM provenance
JOIN writes ON writes.id = provenance.write JOIN turns ON turns.session = :session AND turns.key = writes.turn
WHERE writes.memory = :memory AND provenance.property = :property AND turns.body IS NOT NULL ORDER BY writes.id LIMIT 1;

-- name: keys
SELECT key FROM memory_keys WHERE memory = :memory ORDER BY key;

-- name: put_key
INSERT INTO memory_keys (session, key, memory) VALUES (:session, :mark, :memory) ON CONFLICT DO NOTHING;

-- name: drop_key
DELETE FROM memory_keys WHERE session = :session AND key = :mark AND memory = :memory;

-- name: tombstones
SELECT mark, name, at FROM tombstones WHERE session = :session ORDER BY mark;

-- name: put_tombstone
INSERT INTO tombstones (session, mark, name, at) VALUES (:session, :mark, :name, :at) ON CONFLICT DO NOTHING;

-- name: drop_tombstone
DELETE FROM tombstones WHERE session = :session AND mark = :mark;

-- name: follow_touch
INSERT INTO touched (session, mark, revision) SELECT session, :now, revision FROM touched
WHERE session = :session AND mark = :was
ON CONFLICT (session, mark) DO UPDATE SET revision = max(touched.revision, excluded.revision);

-- name: shared
SELECT memory_keys.key, json_group_array(memories.name) AS names FROM memory_keys
JOIN memories ON memories.id = memory_keys.memory WHERE memory_keys.session = :session
GROUP BY memory_keys.key HAVING count(*) > 1 ORDER BY memory_keys.key;
