-- name: session
SELECT key, profile, parent, lineage, hidden, archived, client, title, cwd, repository FROM sessions WHERE key = :key;

-- name: session_id
SELECT id FROM sessions WHERE key = :key;

-- name: sessions
SELECT key, profile, parent, lineage, hidden, archived, client, title, cwd, repository
FROM sessions WHERE hidden = 0 OR :hidden
ORDER BY (SELECT max(turns.id) FROM turns WHERE turns.session = sessions.id) DESC, id DESC;

-- name: lineage
SELECT other.id, other.key, other.profile, other.parent, other.lineage, other.hidden, other.archived, other.client,
    other.title, other.cwd, other.repository
FROM sessions AS own
JOIN sessions AS other ON other.lineage = own.lineage AND other.id <> own.id AND other.hidden = 0
WHERE own.key = :key ORDER BY abs(other.id - own.id), other.id DESC;

-- name: sharing
SELECT sessions.key FROM sessions CROSS JOIN turns ON turns.session = sessions.id
WHERE sessions.client = :client AND sessions.cwd = :cwd AND sessions.hidden = 0 AND sessions.key <> :key
    AND turns.key IN (SELECT value FROM json_each(:turns))
ORDER BY turns.id DESC LIMIT 1;

-- name: put_session
INSERT INTO sessions (key, profile, parent, lineage, hidden, archived, client, title, cwd, repository)
VALUES (:key, :profile, :parent, coalesce((SELECT lineage FROM sessions WHERE key = :lineage), :lineage), :hidden,
    :archived, :client, :title, :cwd, :repository)
ON CONFLICT (key) DO UPDATE SET
    lineage = CASE WHEN lineage IS NULL OR lineage = key THEN coalesce(excluded.lineage, lineage) ELSE lineage END,
    client = CASE excluded.client WHEN '' THEN client ELSE excluded.client END,
    title = CASE excluded.title WHEN '' THEN title ELSE excluded.title END,
    cwd = coalesce(excluded.cwd, cwd),
    repository = coalesce(excluded.repository, repository);

-- name: follow_lineage
UPDATE sessions SET lineage = (SELECT own.lineage FROM sessions AS own WHERE own.key = :key)
WHERE lineage = :key AND key <> :key AND EXISTS (SELECT 1 FROM sessions AS own WHERE own.key = :key AND own.lineage <> :key);

-- name: revision
SELECT revision FROM sessions WHERE key = :key;

-- name: advance
UPDATE sessions SET revision = :revision WHERE id = :session;

-- name: put_turn
INSERT INTO turns (session, key, ordinal, stored_at, digest, body)
VALUES (:session, :key, :ordinal, :now, :digest, :body) ON CONFLICT (session, key) DO NOTHING;

-- name: restore_body
UPDATE turns SET body = :body, stored_at = :now
WHERE session = :session AND key = :key AND body IS NULL AND digest = :digest
    AND NOT EXISTS (SELECT 1 FROM reviews WHERE reviews.session = turns.session AND reviews.turn = turns.key);

-- name: renew_turn
UPDATE turns SET body = :body, digest = :digest, stored_at = :now
WHERE session = :session AND key = :key AND digest <> :digest
    AND NOT EXISTS (SELECT 1 FROM reviews WHERE reviews.session = turns.session AND reviews.turn = turns.key)
    AND NOT EXISTS (
        SELECT 1 FROM instructions WHERE instructions.session = turns.session AND instructions.turn = turns.key
        AND instructions.state IN ('claimed', 'done')
    );

-- name: turn
SELECT turns.body, turns.digest FROM turns JOIN sessions ON sessions.id = turns.session
WHERE sessions.key = :source AND turns.key = :turn AND turns.body IS NOT NULL;

-- name: turn_keys
SELECT turns.ordinal, turns.key FROM turns JOIN sessions ON sessions.id = turns.session
WHERE sessions.key = :source ORDER BY turns.ordinal, turns.id;

-- name: kept_turns
SELECT turns.ordinal, turns.key FROM turns JOIN sessions ON sessions.id = turns.session
WHERE sessions.key = :source AND turns.body IS NOT NULL ORDER BY turns.ordinal, turns.id;

-- name: turn_ordinal
SELECT turns.ordinal FROM turns JOIN sessions ON sessions.id = turns.session
WHERE sessions.key = :source AND turns.key = :turn;

-- name: last_ordinal
SELECT max(turns.ordinal) FROM turns WHERE turns.session = (SELECT id FROM sessions WHERE key = :source);

-- name: turn_counts
SELECT sessions.key, counted.turns FROM (SELECT session, count(*) AS turns FROM turns GROUP BY session) AS counted
JOIN sessions ON sessions.id = counted.session;

-- name: archive
UPDATE sessions SET archived = :archived WHERE id = :session AND archived <> :archived;

-- name: drop_body
UPDATE turns SET body = NULL
WHERE key = :turn AND session = (SELECT id FROM sessions WHERE key = :source);

-- name: any_old_body
SELECT count(*) FROM (SELECT 1 FROM turns WHERE body IS NOT NULL AND stored_at < :before LIMIT 1);

-- name: drop_old_bodies
UPDATE turns SET body = NULL
WHERE body IS NOT NULL AND stored_at < :before AND NOT EXISTS (
    SELECT 1 FROM instructions WHERE instructions.session = turns.session AND instructions.turn = turns.key
    AND instructions.state IN ('waiting', 'claimed')
);
