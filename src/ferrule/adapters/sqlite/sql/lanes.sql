-- name: ensure_lane
INSERT INTO lanes (session) VALUES (:session) ON CONFLICT (session) DO NOTHING;

-- name: add_instruction
INSERT INTO instructions (session, companion, turn, ordinal, origin, state)
VALUES (:session, :companion, :turn, :ordinal, :origin, 'waiting') ON CONFLICT (session, turn) DO NOTHING;

-- name: count_pending
UPDATE lanes SET pending = (
    SELECT count(*) FROM instructions
    WHERE instructions.session = :session AND state IN ('waiting', 'claimed', 'failed')
) WHERE session = :session;

-- name: instruction
SELECT instructions.id, sessions.key AS source, companion, turn, ordinal, origin, state, attempts, reason
FROM instructions JOIN sessions ON sessions.id = instructions.session
WHERE sessions.key = :source AND turn = :turn;

-- name: lane
SELECT session, pending, leased_at, lease_until, epoch, archived FROM lanes JOIN sessions ON sessions.id = lanes.session
WHERE session = :session;

-- name: oldest
SELECT instructions.id, sessions.key AS source, companion, turn, ordinal, origin, state, attempts, reason
FROM instructions JOIN sessions ON sessions.id = instructions.session
WHERE instructions.session = :session AND state IN ('waiting', 'claimed', 'failed')
ORDER BY ordinal, instructions.id LIMIT 1;

-- name: lease
UPDATE lanes SET epoch = epoch + 1, leased_at = :now, lease_until = :until WHERE session = :session;

-- name: renew
UPDATE lanes SET leased_at = :now, lease_until = :until WHERE session = :session AND epoch = :epoch;

-- name: release_lane
UPDATE lanes SET lease_until = 0 WHERE session = :session AND epoch = :epoch;

-- name: settle
UPDATE instructions SET state = :state, reason = :reason, attempts = :attempts WHERE id = :id;
