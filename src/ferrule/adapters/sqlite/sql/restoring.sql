-- name: memories
SELECT sessions.key AS session, memories.name, memories.merged FROM memories
JOIN sessions ON sessions.id = memories.session ORDER BY sessions.key, memories.name;

-- name: tombstones
SELECT DISTINCT sessions.key AS session, tombstones.name, '' AS merged FROM tombstones
JOIN sessions ON sessions.id = tombstones.session ORDER BY sessions.key, tombstones.name;
