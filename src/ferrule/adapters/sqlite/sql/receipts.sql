-- name: last
SELECT seq, hash FROM receipts ORDER BY seq DESC LIMIT 1;

-- name: at
SELECT seq, hash FROM receipts WHERE seq = :seq;

-- name: put
INSERT INTO receipts (seq, previous, hash, session, turn, verdict, code, prototype, payload_sha256, payload_length,
    revision_before, revision_after)
VALUES (:seq, :previous, :hash, :session, :turn, :verdict, :code, :prototype, :payload_sha256, :payload_length,
    :revision_before, :revision_after);

-- name: all
SELECT * FROM receipts ORDER BY seq;

-- name: of_session
SELECT * FROM receipts WHERE session = :session ORDER BY seq;

-- name: of_turn
SELECT * FROM receipts WHERE session = :session AND turn = :turn ORDER BY seq;

-- name: put_review
INSERT INTO reviews (session, turn, ordinal, outcome, body, marker, reviewer, revision, at)
VALUES (:session, :turn, :ordinal, :outcome, :body, :marker, :reviewer, :revision, :at);

-- name: review
SELECT reviews.body, reviews.marker FROM reviews JOIN sessions ON sessions.id = reviews.session
WHERE sessions.key = :source AND reviews.turn = :turn;

-- name: review_body
SELECT body, marker FROM reviews WHERE session = :session AND turn = :turn;

-- name: reviews
SELECT reviews.turn, reviews.ordinal, reviews.outcome, reviews.marker, reviews.reviewer, reviews.at
FROM reviews JOIN sessions ON sessions.id = reviews.session WHERE sessions.key = :source ORDER BY reviews.ordinal, reviews.turn;

-- name: latest_bodies
SELECT body FROM reviews WHERE session = :session ORDER BY ordinal DESC, turn DESC LIMIT :limit;

-- name: reviews_saying
SELECT turn FROM reviews WHERE session = :session AND instr(body, :said) > 0 ORDER BY ordinal, turn;

-- name: set_review
UPDATE reviews SET body = :body, marker = :marker WHERE session = :session AND turn = :turn;
