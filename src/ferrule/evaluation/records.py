"""Labels and predictions as lines of JSON: the two file forms that benchmarks share with other tools.

Owns reading labels and reading and writing predictions. Knows nothing of what the figures mean.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ferrule.errors import UnreadableInput
from ferrule.evaluation.scoring import Forbidden, Label, Labelled, Prediction, WrittenMemory

__all__ = ["prediction_line", "read_labels", "read_predictions"]


def _rows(path: Path) -> Iterator[Mapping[str, object]]:
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                row = json.loads(line)
                if not isinstance(row, dict) or not isinstance(row.get("id"), str):
                    raise UnreadableInput(f"{path}: line {number} is not an object with an id")
                yield row
    except (OSError, ValueError) as problem:
        raise UnreadableInput(f"{path}: {problem}") from problem


def _objects(row: Mapping[str, object], name: str) -> list[Mapping[str, object]]:
    value = row.get(name, [])
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _handles(row: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    return tuple((str(item.get("kind", "")), str(item.get("value", ""))) for item in _objects(row, "handles"))


def read_labels(path: Path) -> tuple[Label, ...]:
    """The labels of a file, in order.

    Raises:
        UnreadableInput: the file cannot be read, or a line is not a label.
    """
    return tuple(
        Label(
            id=str(row["id"]),
            file=str(row.get("file", "")),
            entities=tuple(
                Labelled(
                    label=str(item.get("label", "")),
                    type=str(item.get("type", "")),
                    grade=str(item.get("grade", "")),
                    handles=_handles(item),
                    modality=str(item.get("modality", "")),
                )
                for item in _objects(row, "entities")
            ),
            forbidden=tuple(
                Forbidden(str(item.get("value", "")), str(item.get("why", ""))) for item in _objects(row, "forbidden")
            ),
        )
        for row in _rows(path)
    )


def read_predictions(path: Path) -> dict[str, Prediction]:
    """The predictions of a file by turn id.

    Raises:
        UnreadableInput: the file cannot be read, or a line is not a prediction.
    """
    found = {}
    for row in _rows(path):
        written = tuple(
            WrittenMemory(
                prototype=str(item.get("prototype", "")),
                handles=_handles(item),
                modality=str(item.get("modality", "")),
                properties={str(k): str(v) for k, v in _mapping(item.get("properties")).items()},
            )
            for item in _objects(row, "written")
        )
        found[str(row["id"])] = Prediction(str(row["id"]), written)
    return found


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def prediction_line(prediction: Prediction) -> str:
    """One line of the form that the published scorer reads."""
    return json.dumps({"id": prediction.id, "written": list(_memories(prediction.written))}, ensure_ascii=False)


def _memories(written: Iterable[WrittenMemory]) -> Iterator[dict[str, object]]:
    for memory in written:
        yield {
            "prototype": memory.prototype,
            "properties": dict(memory.properties),
            "handles": [{"kind": kind, "value": value} for kind, value in memory.handles],
            "modality": memory.modality,
        }
