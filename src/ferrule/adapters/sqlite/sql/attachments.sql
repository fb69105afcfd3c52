-- name: companion
SELECT child.key, sessions.key AS source, child.profile, reviewer, provider, model, reasoning
FROM companions JOIN sessions ON sessions.id = companions.source JOIN sessions AS child ON child.id = companions.companion
WHERE sessions.key = :source;

-- name: companions
SELECT child.key, sessions.key AS source, child.profile, reviewer, provider, model, reasoning
FROM companions JOIN sessions ON sessions.id = companions.source JOIN sessions AS child ON child.id = companions.companion
ORDER BY companions.companion;

-- name: put_companion
INSERT INTO companions (source, companion, reviewer, provider, model, reasoning)
VALUES (:source, :companion, :reviewer, :provider, :model, :reasoning)
ON CONFLICT (source) DO UPDATE SET
    companion = excluded.companion, reviewer = excluded.reviewer, provider = excluded.provider, model = excluded.model,
    reasoning = excluded.reasoning;

-- name: subscriptions
SELECT sessions.key AS source, child.key AS companion, first_ordinal, event, enabled, expires, delivery, handler, created
FROM subscriptions JOIN sessions ON sessions.id = subscriptions.source
JOIN sessions AS child ON child.id = subscriptions.companion
ORDER BY subscriptions.id;

-- name: subscription
SELECT sessions.key AS source, child.key AS companion, first_ordinal, event, enabled, expires, delivery, handler, created
FROM subscriptions JOIN sessions ON sessions.id = subscriptions.source
JOIN sessions AS child ON child.id = subscriptions.companion
WHERE sessions.key = :source AND event = :event;

-- name: put_subscription
INSERT INTO subscriptions (source, companion, event, first_ordinal, enabled, expires, delivery, handler, created)
VALUES (:source, :companion, :event, :first_ordinal, :enabled, :expires, :delivery, :handler, :created)
ON CONFLICT (source, event) DO UPDATE SET
    companion = excluded.companion, first_ordinal = excluded.first_ordinal, enabled = excluded.enabled,
    expires = excluded.expires, delivery = excluded.delivery, handler = excluded.handler, created = excluded.created;

-- name: put_feedback
INSERT INTO feedback (session, turn, value, at) VALUES (:session, :turn, :value, :now)
ON CONFLICT (session, turn) DO UPDATE SET value = excluded.value, at = excluded.at;

-- name: feedback
SELECT value FROM feedback JOIN sessions ON sessions.id = feedback.session WHERE sessions.key = :source AND turn = :turn;

-- name: event
SELECT id, type, source, target, occurred, turn, digest, state, outcome, code, reason, attempts, due FROM events
WHERE source = :source AND id = :id;

-- name: add_event
INSERT INTO events (id, type, source, target, occurred, turn, digest, state, outcome, code, reason, attempts, due,
    stamped_at)
VALUES (:id, :type, :source, :target, :occurred, :turn, :digest, :state, :outcome, :code, :reason, :attempts, :due,
    :now)
ON CONFLICT (source, id) DO NOTHING;

-- name: renew_event
UPDATE events SET state = :state, outcome = :outcome, code = :code, reason = :reason, attempts = :attempts, due = :due,
    stamped_at = :now
WHERE source = :source AND id = :id;

-- name: received_events
SELECT id, type, source, target, occurred, turn, digest, state, outcome, code, reason, attempts, due
FROM events WHERE state = 'received' AND (due <= :now OR due > :farthest OR stamped_at > :ahead) ORDER BY seq LIMIT :limit;

-- name: events_waiting
SELECT count(*) FROM (SELECT 1 FROM events WHERE source = :source AND state = 'received' LIMIT :most);

-- name: next_event
SELECT min(CASE WHEN stamped_at > :ahead OR due > :farthest THEN :now ELSE due END) FROM events WHERE state = 'received';

-- name: stuck_events
SELECT id, type, source, target, occurred, turn, digest, state, outcome, code, reason, attempts, due
FROM events WHERE source = :source AND outcome IN ('', 'declined') ORDER BY seq DESC LIMIT :limit;

-- name: drop_old_events
DELETE FROM events WHERE state = 'settled' AND stamped_at < :before;

-- name: drop_many_events
DELETE FROM events WHERE state = 'settled' AND seq <= (SELECT max(seq) FROM events) - :most;
