"""Labelled turns as the ranker sees them: weighed once, so that many weights can be tried on them.

Owns reading them and what the labels say of each candidate. Knows nothing of fitting.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ferrule.adapters.transcripts.reader import read_text
from ferrule.bridge.view import view_of
from ferrule.evaluation.records import read_labels
from ferrule.evaluation.scoring import Label, WrittenMemory, same_handle
from ferrule.review.embedded.facts import prospect_of
from ferrule.review.embedded.judging import Judgement, Weighed, scene, weigh
from ferrule.session.turn import Turn

__all__ = ["Example", "read_examples"]

_SMALL = 5  # repositories with fewer labelled turns are held out together
_SHORTEST_FORBIDDEN = 4


@dataclass(frozen=True)
class Example:
    """One turn, weighed once.

    `hits` tells per candidate the label's entities that share a handle with it, `forbidden` which candidates would
    write a forbidden value, `changed` which are changed files.
    """

    label: Label
    repository: str
    weighed: tuple[Weighed, ...]
    changed: tuple[int, ...]
    hits: Mapping[int, tuple[int, ...]]
    forbidden: frozenset[int]
    memories: Mapping[int, WrittenMemory]

    def grade(self, index: int) -> int:
        """1 when the labels require the candidate, 0 when they accept it, -1 when they know nothing of it."""
        return max((int(self.label.entities[hit].required) for hit in self.hits[index]), default=-1)


def repository_of(file: str) -> str:
    """The repository a labelled turn comes from, as far as its file name tells."""
    parts = file.split("/")
    name = parts[1].split("__")[0] if "__" in (parts[1] if len(parts) > 1 else "") else parts[0]
    return {"specstory-cursor": "cursor-project"}.get(name, name)


def example(label: Label, turn: Turn) -> Example:
    """Weigh one turn and look up what the labels say of each candidate."""
    found = scene(view_of(turn))
    weighed = weigh(found)
    memories, hits, bad = {}, {}, set()
    for item in weighed:
        prospect = prospect_of(found, Judgement(item.index, item.type, 0.0, item.veto, worth=True, reason=""))
        handles = tuple((handle.kind.value, handle.value) for handle in prospect.handles)
        memories[item.index] = WrittenMemory(prospect.label, handles, prospect.candidate.modality.value)
        hits[item.index] = tuple(n for n, entity in enumerate(label.entities) if _share(handles, entity.handles))
        refused = (row.value for row in label.forbidden if len(row.value) >= _SHORTEST_FORBIDDEN)
        if any(same_handle(value, mine) for value in refused for _, mine in handles):
            bad.add(item.index)
    repository = repository_of(label.file)
    return Example(label, repository, weighed, found.reading.changed, hits, frozenset(bad), memories)


def _share(mine: Sequence[tuple[str, str]], theirs: Sequence[tuple[str, str]]) -> bool:
    return any(same_handle(value, other) for _, value in mine for _, other in theirs)


def read_examples(turns: Path, labels: Path) -> list[Example]:
    """Every labelled turn of two files; small repositories bear one name, since they are held out together."""
    known = {label.id: label for label in read_labels(labels)}
    found = []
    with turns.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            label = known.get(json.loads(line)["id"])
            if label is not None:
                for session in read_text(line, scrub=lambda text: text, name=f"line {number}"):
                    found += [example(label, turn) for turn in session.turns]
    sizes: dict[str, int] = {}
    for item in found:
        sizes[item.repository] = sizes.get(item.repository, 0) + 1
    return [
        item if sizes[item.repository] >= _SMALL else Example(**{**vars(item), "repository": "small"}) for item in found
    ]
