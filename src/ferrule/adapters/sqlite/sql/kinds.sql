-- name: bases
WITH RECURSIVE each (bases) AS (
    SELECT min(bases) FROM memories WHERE session = :session
    UNION ALL
    SELECT (SELECT min(memories.bases) FROM memories WHERE session = :session AND memories.bases > each.bases)
    FROM each WHERE each.bases IS NOT NULL
)
SELECT bases FROM each WHERE bases IS NOT NULL;

-- name: of_bases
SELECT name FROM memories WHERE session = :session AND bases = :bases AND name > :after ORDER BY name LIMIT :limit;
