-- name: status_line
-- How one session stands, in one row; for the segment of a client's status line, which reads this file itself.
SELECT
    (SELECT count(*) FROM memories WHERE memories.session = sessions.id),
    coalesce(lanes.paused, 0),
    (SELECT count(*) FROM instructions
        WHERE instructions.session = sessions.id AND instructions.state IN ('waiting', 'claimed')),
    (SELECT count(*) FROM instructions WHERE instructions.session = sessions.id AND instructions.state = 'parked'),
    (SELECT max(enabled) FROM subscriptions WHERE subscriptions.source = sessions.id),
    coalesce(lanes.last_ordinal, 0) >= (SELECT max(ordinal) FROM turns WHERE turns.session = sessions.id),
    coalesce(CAST(strftime('%s', lanes.last_at) AS INTEGER), 0),
    (SELECT count(*) FROM memories WHERE memories.session = sessions.id AND memories.turn = lanes.last_turn)
FROM sessions LEFT JOIN lanes ON lanes.session = sessions.id
WHERE sessions.key = ? AND sessions.hidden = 0;
