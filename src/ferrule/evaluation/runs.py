"""A run is a folder that says of itself what it is of, so that it can be gone on with after any crash.

The layout of OUT, on which the report and other readers build:

    run.json                    what the run is of; another start with other inputs is refused
    lanes/<name>/rows.jsonl     append-only journal, one synced line per finished turn (`evaluation/rows.py`)
    lanes/<name>/predictions.jsonl   {"id", "written": […]} per reviewed turn, in the order of the turns (score.py)
    metrics.json                every figure, and the account of every turn in every lane
    predictions.jsonl           with one lane: the same as that lane's

`run.json`: {"format": 1, "ferrule": version, "code": digest of the reviewing code, "started": UTC time (not compared),
"turns": {"file": path, "sha256", "count": labelled turns of this run}, "labels": {"file", "sha256", "count"},
"chosen": {"limit": N or null, "only": [id…] or null}, "ontology": digest or "",
"lanes": [{"name", "kind", "argument", "settings": {…}, "about": {"reviewer", "weights", …}}]}

`metrics.json`:

    {"format": 1, "ferrule": version, "run": {the object of run.json},
     "turns": [{"id", "session", "format", "repository", "language", "expect": "write" | "nothing",
                "entities": [{"label", "type", "group", "grade", "modality", "handles": [{"kind", "value"}]}],
                "forbidden": [{"value", "why"}]}],                       texts stay in the turns file: look up by id
     "lanes": {name: {
        "lane": {as in run.json},
        "figures": {all counts and ratios of `scoring.Score.figures()`},
        "intervals": {figure: [low, high] or null},                      95 %, sessions resampled
        "bootstrap": {"draws", "seed", "sessions"},
        "groups" | "types" | "kinds": {key: {"required", "hit", "recall", "interval": [low, high] or null}},
        "formats" | "repositories" | "languages": {key: {"turns", "required", "hit", "false", "written", "precision",
                "recall", "abstention", "writes_per_100_turns"}},
        "most_missed": [{"type", "modality", "missed"}],
        "thresholds": null or {"candidates", "curve": [{"threshold", "precision", "recall", "f1",
                "writes_per_100_turns", "hit", "false", "written"}], "as_shipped": {same without threshold},
                "nested": {rule: {"rule": words, "precision", "recall", "f1", "writes_per_100_turns", "hit", "false",
                "written", "required", "intervals": {…}, "folds": [{"repository", "threshold", "turns", "hit", "false",
                "required"}]}},                                           rules: "best_f1", "recall_at_precision"
                "calibration": [{"from", "to", "candidates", "required", "acceptable"}]},
        "outcomes": {"written", "nothing", "skipped", "failed"},
        "skipped" | "failed": [{"id", "reason", "code"}],
        "cost": {"requests", "input_tokens", "output_tokens", "price": US dollars or null, "turns"},
        "latency": {"cpu_ms" | "wall_ms": {"p50", "p95", "max", "mean"} or {}, "turns"},
        "turns": [{"id", "outcome", "reason", "code", "cpu_ms", "wall_ms", "counts": {the counts of figures()},
                "entities": [{"verdict": "hit" | "missed" | "acceptable" | "unneeded", "memory": index or null,
                              "modality_ok": bool or null, "why": reason of the best candidate, "score": or null}],
                "written": [{"prototype", "handles", "modality", "verdict": "hit" | "acceptable" | "false",
                             "entity": index or null, "forbidden": [value…], "why", "score"}],
                "forbidden": [value…]}]}},
     "agreement": [{"lanes": [a, b], "turns", "both", "only_a", "only_b", "neither", "agreed", "kappa",
                "required": {"both", "only_a", "only_b", "neither"}, "jaccard", "shared", "written": [na, nb],
                "differences": {figure: {"delta": a - b, "interval": [low, high] or null}},
                "disagreements": [{"id", "only_a": [prototype…], "only_b": [prototype…]}]}],
     "drift": null or {"baseline": path, "ferrule": its version, "lanes": {name: {"baseline_lane", "turns": common,
                "only_now", "only_then", "same_labels": bool, "figures": {figure: {"was", "now", "delta",
                "interval": the baseline's, "outside": bool, "worse": bool}},
                "changed": [{"id", "gained": [label…], "lost": [label…], "new_false": [prototype…],
                "gone_false": [prototype…], "new_forbidden": count}]}}}}

For one lane, and for the first of several, `figures`, `intervals`, `groups`, `types`, `kinds`, `formats`, `skipped` and
`cpu_ms` also stand at the top, as they always did.

Owns the layout and the journal. Knows nothing of reviews or figures.
"""
