-- name: companions
SELECT sources.key AS source, children.key, children.profile, reviewer, provider, model, reasoning
FROM companions
JOIN sessions AS sources ON sources.id = companions.source
JOIN sessions AS children ON children.id = companions.companion
ORDER BY companions.companion;

-- name: turn_counts
SELECT sessions.key AS source, count(*) AS turns
FROM turns JOIN sessions ON sessions.id = turns.session GROUP BY turns.session;

-- name: kept_turns
SELECT turns.ordinal, turns.key FROM turns JOIN sessions ON sessions.id = turns.session
WHERE sessions.key = :source AND turns.body IS NOT NULL ORDER BY turns.ordinal, turns.id;

-- name: instructions
SELECT instructions.id, sessions.key AS source, companion, turn, ordinal, origin, state, attempts, reason
FROM instructions JOIN sessions ON sessions.id = instructions.session
WHERE sessions.key = :source ORDER BY ordinal, instructions.id;

-- name: drop_review
DELETE FROM reviews WHERE session = :session AND turn = :turn;

-- name: reopen
UPDATE instructions SET state = 'waiting', attempts = 0, reason = '', failed = 0
WHERE session = :session AND turn = :turn AND state = 'done';

-- name: count_reviewed
UPDATE lanes SET reviewed = (SELECT count(*) FROM reviews WHERE reviews.session = lanes.session)
WHERE session = :session;
