-- name: ensure_lane
INSERT INTO lanes (session) VALUES (:session) ON CONFLICT (session) DO NOTHING;

-- name: add_instruction
INSERT INTO instructions (session, companion, turn, ordinal, origin, state)
VALUES (:session, :companion, :turn, :ordinal, :origin, 'waiting')
ON CONFLICT (session, turn) DO UPDATE SET
    state = 'waiting', origin = excluded.origin, companion = excluded.companion, attempts = 0, reason = '', failed = 0
WHERE state = 'withdrawn';

-- name: instruction
SELECT instructions.id, sessions.key AS source, companion, turn, ordinal, origin, state, attempts, reason
FROM instructions JOIN sessions ON sessions.id = instructions.session
WHERE sessions.key = :source AND turn = :turn;

-- name: instructions
SELECT instructions.id, sessions.key AS source, companion, turn, ordinal, origin, state, attempts, reason
FROM instructions JOIN sessions ON sessions.id = instructions.session
WHERE sessions.key = :source ORDER BY ordinal, instructions.id;

-- name: lane
SELECT lanes.session, sessions.key AS source, epoch, due, lease_until, claimed, paused, sessions.archived
FROM lanes JOIN sessions ON sessions.id = lanes.session
WHERE lanes.session = :session;

-- name: oldest
SELECT instructions.id, sessions.key AS source, companion, turn, ordinal, origin, state, attempts, reason
FROM instructions JOIN sessions ON sessions.id = instructions.session
WHERE instructions.session = :session AND state IN ('waiting', 'claimed')
ORDER BY ordinal, instructions.id LIMIT 1;

-- name: first_open
SELECT id FROM instructions WHERE session = :session AND state IN ('waiting', 'claimed') ORDER BY ordinal, id LIMIT 1;

-- name: next_lane
SELECT session FROM lanes WHERE due <= :now ORDER BY due, epoch LIMIT 1;

-- name: next_due
SELECT min(due) FROM lanes WHERE due IS NOT NULL;

-- name: newest_stamp
SELECT max(stamped_at) FROM lanes;

-- name: set_back
UPDATE lanes SET due = max(0.0, due - :shift), stamped_at = max(0.0, stamped_at - :shift),
    lease_until = max(0.0, lease_until - :shift);

-- name: lease
UPDATE lanes SET epoch = epoch + 1, stamped_at = :now, lease_until = :until, due = :until, holder = :worker,
    claimed = :instruction
WHERE session = :session;

-- name: renew
UPDATE lanes SET stamped_at = :now, lease_until = :until, due = CASE WHEN due IS NULL THEN NULL ELSE :until END
WHERE session = :session;

-- name: unclaim
UPDATE instructions SET state = 'waiting' WHERE id = :id AND state = 'claimed';

-- name: settle
UPDATE instructions SET state = :state, reason = :reason, attempts = :attempts,
    failed = CASE WHEN :state = 'done' THEN 0 ELSE coalesce(:failed, failed) END
WHERE id = :id;

-- name: free_lane
UPDATE lanes SET stamped_at = :now, lease_until = NULL, holder = '', claimed = NULL, due = CASE
    WHEN paused OR (SELECT archived FROM sessions WHERE sessions.id = lanes.session) THEN NULL
    WHEN EXISTS (
        SELECT 1 FROM instructions WHERE instructions.session = lanes.session AND state IN ('waiting', 'claimed')
    ) THEN :due END
WHERE session = :session;

-- name: refresh_lane
UPDATE lanes SET stamped_at = CASE WHEN due IS NULL THEN :now ELSE stamped_at END, due = CASE
    WHEN paused OR (SELECT archived FROM sessions WHERE sessions.id = lanes.session) THEN NULL
    WHEN EXISTS (
        SELECT 1 FROM instructions WHERE instructions.session = lanes.session AND state IN ('waiting', 'claimed')
    ) THEN coalesce(due, max(:now, coalesce(lease_until, :now))) END
WHERE session = :session;

-- name: end_back_off
UPDATE lanes SET stamped_at = :now, due = :now WHERE session = :session AND claimed IS NULL AND due > :now;

-- name: reviewed
UPDATE lanes SET reviewed = reviewed + 1, last_turn = :turn, last_ordinal = :ordinal, last_outcome = :outcome,
    last_at = :at, last_seq = :seq
WHERE session = :session;

-- name: pause
UPDATE lanes SET paused = :paused WHERE session = :session;

-- name: withdraw
UPDATE instructions SET state = 'withdrawn', failed = 0
WHERE session = :session AND state IN ('waiting', 'claimed') AND state = 'waiting' AND origin = :origin;

-- name: unpark
UPDATE instructions SET state = 'waiting', attempts = 0 WHERE session = :session AND state = 'parked';

-- name: unpark_turn
UPDATE instructions SET state = 'waiting', attempts = 0
WHERE session = :session AND state = 'parked' AND turn = :turn;

-- name: standings
SELECT sessions.key AS source, paused, holder, due, lease_until, reviewed, last_turn, last_ordinal, last_outcome, last_at,
    coalesce(held.turn, '') AS reviewing, coalesce(failed.reason, '') AS last_error,
    coalesce(failed.turn, '') AS last_error_turn, (
        SELECT count(*) FROM instructions WHERE instructions.session = lanes.session AND state IN ('waiting', 'claimed')
    ) AS waiting, (
        SELECT count(*) FROM instructions WHERE instructions.session = lanes.session AND state = 'parked'
    ) AS parked
FROM lanes JOIN sessions ON sessions.id = lanes.session
LEFT JOIN instructions AS held ON held.id = lanes.claimed AND held.state = 'claimed'
LEFT JOIN instructions AS failed ON failed.id = (
    SELECT id FROM instructions WHERE instructions.session = lanes.session AND failed > 0 ORDER BY failed DESC LIMIT 1
)
ORDER BY last_seq DESC, lanes.session;

-- name: standing
SELECT sessions.key AS source, paused, holder, due, lease_until, reviewed, last_turn, last_ordinal, last_outcome, last_at,
    coalesce(held.turn, '') AS reviewing, coalesce(failed.reason, '') AS last_error,
    coalesce(failed.turn, '') AS last_error_turn, (
        SELECT count(*) FROM instructions WHERE instructions.session = lanes.session AND state IN ('waiting', 'claimed')
    ) AS waiting, (
        SELECT count(*) FROM instructions WHERE instructions.session = lanes.session AND state = 'parked'
    ) AS parked
FROM lanes JOIN sessions ON sessions.id = lanes.session
LEFT JOIN instructions AS held ON held.id = lanes.claimed AND held.state = 'claimed'
LEFT JOIN instructions AS failed ON failed.id = (
    SELECT id FROM instructions WHERE instructions.session = lanes.session AND failed > 0 ORDER BY failed DESC LIMIT 1
)
WHERE sessions.key = :source;
