-- name: markers
SELECT reviews.marker FROM reviews JOIN sessions ON sessions.id = reviews.session
WHERE sessions.key = :source ORDER BY reviews.ordinal, reviews.turn;

-- name: manifest
SELECT ordinal, turn FROM manifests JOIN sessions ON sessions.id = manifests.session
WHERE sessions.key = :source ORDER BY ordinal, turn;

-- name: put_manifest
INSERT INTO manifests (session, ordinal, turn) VALUES (:session, :ordinal, :turn) ON CONFLICT DO NOTHING;

-- name: drop_manifest
DELETE FROM manifests WHERE session = :session;

-- name: drop_review
DELETE FROM reviews WHERE session = :session AND turn = :turn;

-- name: reopen
UPDATE instructions SET state = 'waiting', attempts = 0, reason = '', failed = 0
WHERE session = :session AND turn = :turn AND state = 'done';

-- name: uncount
UPDATE lanes SET reviewed = max(0, reviewed - :count) WHERE session = :session;
