-- name: turn_log
-- The turns that came last, the newest first: when each was reviewed, else when it was stored; what came of it.
SELECT sessions.key AS source, turns.key AS turn, turns.ordinal, turns.stored_at, reviews.at, reviews.outcome,
    reviews.body, instructions.state, instructions.reason
FROM turns
JOIN sessions ON sessions.id = turns.session
LEFT JOIN reviews ON reviews.session = turns.session AND reviews.turn = turns.key
LEFT JOIN instructions ON instructions.session = turns.session AND instructions.turn = turns.key
ORDER BY turns.id DESC
LIMIT :limit;
