"""What becomes of real transcripts: every file read, every turn counted."""

from collections import Counter
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure
from ferrule.wiring.home import throw_away_home
from ferrule.wiring.reviewing import SessionReport, review_inputs

__all__ = ["corpus"]

CORPUS = Path(__file__).parents[2] / "shared" / "corpus"


def corpus() -> Iterator[Figure]:
    """One row per client whose transcripts lie beside the project."""
    for client in ("claude-code", "codex"):
        folder = CORPUS / client
        if folder.is_dir():
            yield _client(client, folder)


def _client(client: str, folder: Path) -> Figure:
    files = sum(path.suffix == ".jsonl" for path in folder.iterdir())
    counts: Counter[str] = Counter()
    with throw_away_home() as home:
        for report in review_inputs(home, str(folder), BytesIO(), only=None, progress=lambda _line: None):
            if isinstance(report, SessionReport):
                counts.update(_counted(report.review))
            else:
                counts["unreadable"] += 1
    skipped = ", ".join(f"{name[5:]} {count}" for name, count in sorted(counts.items()) if name.startswith("skip "))
    refused = ", ".join(f"{name[5:]} {count}" for name, count in sorted(counts.items()) if name.startswith("code "))
    return Figure(
        f"corpus, {client}: {files} files",
        f"{counts['reviewed'] + counts['skipped']} turns found, {counts['reviewed']} reviewed, "
        f"{counts['wrote']} of them wrote, {counts['written']} memories",
        "no exception",
        f"unreadable files {counts['unreadable']}; skipped: {skipped or 'none'}; refused: {refused or 'none'}",
    )


def _counted(review: Mapping[str, Any]) -> Iterator[str]:
    for turn in review["skipped"]:
        yield "skipped"
        yield f"skip {turn['reason']}"
    for turn in review["reviews"]:
        yield "reviewed"
        yield from ["wrote"] * (turn["outcome"] == "wrote")
        yield from ["written"] * len(turn["written"])
        for refused in turn["refused"]:
            yield from (f"code {refusal['code']}" for refusal in refused["refusals"])
