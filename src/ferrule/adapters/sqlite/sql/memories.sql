-- name: memory
SELECT id, name, partial, bases, properties, handles, merged, turn, ordinal, modality, revision, seal
FROM memories WHERE session = :session AND name = :name;

-- name: memories
SELECT name, partial, bases, properties, handles, merged, turn, ordinal, modality, revision, seal FROM memories WHERE session = :session ORDER BY id;

-- name: recalled
SELECT id, name, partial, bases, properties, handles, merged, turn, ordinal, modality, revision, seal,
    (SELECT person FROM writes WHERE writes.memory = memories.id ORDER BY writes.id DESC LIMIT 1) AS person,
    (SELECT at FROM writes WHERE writes.memory = memories.id ORDER BY writes.id DESC LIMIT 1) AS at
FROM memories WHERE session = :session ORDER BY revision DESC, id DESC LIMIT :limit;

-- name: spelled
SELECT name FROM memories WHERE session = :session AND folded = :folded ORDER BY id;

-- name: holding
SELECT memories.name FROM memory_keys JOIN memories ON memories.id = memory_keys.memory
WHERE memory_keys.session = :session AND memory_keys.key = :key ORDER BY memories.id;

-- name: called
SELECT memories.name FROM phrases JOIN memories ON memories.id = phrases.memory
WHERE phrases.session = :session AND phrases.phrase = :phrase ORDER BY memories.id;

-- name: names
SELECT name FROM memories WHERE session = :session ORDER BY id;

-- name: recent
SELECT name FROM memories WHERE session = :session ORDER BY revision DESC, id DESC LIMIT :limit;

-- name: any_memory
SELECT 1 FROM memories WHERE session = :session LIMIT 1;

-- name: count
SELECT count(*) FROM memories WHERE session = :session;

-- name: definitions
SELECT memories.name, memories.merged FROM memories JOIN sessions ON sessions.id = memories.session
WHERE sessions.key = :source ORDER BY memories.id;

-- name: writes
SELECT memories.name, writes.definition FROM writes JOIN memories ON memories.id = writes.memory
WHERE memories.session = :session ORDER BY writes.id;

-- name: last_write
SELECT turn, modality, person FROM writes WHERE memory = :memory ORDER BY id DESC LIMIT 1;

-- name: provenance
SELECT provenance.property, writes.turn, writes.ordinal, provenance.modality, provenance.by_user, provenance.by_action
FROM writes JOIN provenance ON provenance.write = writes.id WHERE writes.memory = :memory ORDER BY writes.id, provenance.id;

-- name: put_memory
INSERT INTO memories (session, name, folded, partial, bases, properties, handles, merged, turn, ordinal, modality, revision,
    seal)
VALUES (:session, :name, :folded, :partial, :bases, :properties, :handles, :merged, :turn, :ordinal, :modality, :revision,
    :seal)
ON CONFLICT (session, name) DO UPDATE SET
    bases = excluded.bases, properties = excluded.properties, handles = excluded.handles, merged = excluded.merged,
    turn = excluded.turn, ordinal = excluded.ordinal, modality = excluded.modality, revision = excluded.revision, seal = excluded.seal,
    partial = excluded.partial;

-- name: put_write
INSERT INTO writes (memory, turn, ordinal, action, definition, modality, reviewer, candidate, person, revision, at, excerpts)
VALUES (:memory, :turn, :ordinal, :action, :definition, :modality, :reviewer, :candidate, :person, :revision, :at, :excerpts);

-- name: put_provenance
INSERT INTO provenance (write, property, modality, by_user, by_action, evidence)
VALUES (:write, :property, :modality, :by_user, :by_action, :evidence);

-- name: put_key
INSERT INTO memory_keys (session, key, memory) VALUES (:session, :mark, :memory) ON CONFLICT DO NOTHING;

-- name: put_phrase
INSERT INTO phrases (session, phrase, memory) VALUES (:session, :mark, :memory) ON CONFLICT DO NOTHING;

-- name: touch
INSERT INTO touched (session, mark, revision) VALUES (:session, :mark, :revision)
ON CONFLICT (session, mark) DO UPDATE SET revision = excluded.revision;

-- name: touched_after
SELECT 1 FROM touched WHERE session = :session AND mark = :mark AND revision > :revision;

-- name: drop_words
DELETE FROM words WHERE rowid = :memory;

-- name: drop_fragments
DELETE FROM fragments WHERE rowid = :memory;

-- name: drop_vector
DELETE FROM vectors WHERE memory = :memory;

-- name: put_words
INSERT INTO words (rowid, named, called, valued) VALUES (:memory, :named, :called, :valued);

-- name: put_fragments
INSERT INTO fragments (rowid, scope, text) SELECT id, '~' || session || '~', :text FROM memories WHERE id = :memory;

-- name: keys_of
SELECT key FROM memory_keys WHERE memory = :memory ORDER BY key;

-- name: phrases_of
SELECT phrase FROM phrases WHERE memory = :memory ORDER BY phrase;

-- name: drop_memory
DELETE FROM memories WHERE id = :memory;

-- name: settle_words
INSERT INTO words (words) VALUES ('optimize');

-- name: settle_fragments
INSERT INTO fragments (fragments) VALUES ('optimize');

-- name: put_tombstone
INSERT INTO tombstones (session, mark, name, at) VALUES (:session, :mark, :name, :at)
ON CONFLICT (session, mark) DO UPDATE SET name = excluded.name, at = excluded.at;

-- name: tombstone
SELECT mark, name, at FROM tombstones WHERE session = :session AND mark = :mark;

-- name: any_tombstone
SELECT 1 FROM tombstones WHERE session = :session LIMIT 1;

-- name: tombstones
SELECT mark, name, at FROM tombstones WHERE session = :session ORDER BY at, mark;

-- name: banned_names
SELECT DISTINCT name FROM tombstones WHERE session = :session AND (mark = :key OR name = :key) ORDER BY name;

-- name: drop_tombstones
DELETE FROM tombstones WHERE session = :session AND (mark = :key OR name = :key);

-- name: excerpts_saying
SELECT writes.id, writes.excerpts FROM writes JOIN memories ON memories.id = writes.memory
WHERE memories.session = :session AND instr(writes.excerpts, :said) > 0 ORDER BY writes.id;

-- name: set_excerpts
UPDATE writes SET excerpts = :excerpts WHERE id = :write;
