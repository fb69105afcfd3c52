"""Labels and predictions as lines of JSON: the two file forms that benchmarks share with other tools.

Owns reading labels and reading and writing predictions. Knows nothing of what the figures mean.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from ferrule.errors import Code, UnreadableInput
from ferrule.evaluation.scoring import Forbidden, Label, Labelled, Prediction, WrittenMemory

__all__ = [
    "handles_of",
    "label_of",
    "memories_of",
    "memory_form",
    "objects_of",
    "prediction_line",
    "read_labels",
    "read_predictions",
    "read_rows",
]


def read_rows(path: Path) -> Iterator[Mapping[str, object]]:
    """The objects of a file of JSON lines, each with an id, one at a time.

    Raises:
        UnreadableInput: the file cannot be read, or a line is not an object with an id.
    """
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield _parsed(line, f"{path}: line {number}")
    except (OSError, UnicodeDecodeError) as problem:
        words = problem.strerror if isinstance(problem, OSError) else "it is not UTF-8"
        raise UnreadableInput(f"{path} cannot be read: {words or problem}", code=Code.IO_FAILED) from problem


def _parsed(line: str, where: str) -> Mapping[str, object]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as problem:
        raise UnreadableInput(f"{where} is not JSON") from problem
    if not isinstance(row, dict) or not isinstance(row.get("id"), str):
        raise UnreadableInput(f"{where} is not an object with an id")
    return row


def objects_of(row: Mapping[str, object], name: str) -> list[Mapping[str, object]]:
    """A member that is a list of objects; what is none is left out."""
    value = row.get(name, [])
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def handles_of(row: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """The handles of an entity, candidate or memory as (kind, value)."""
    return tuple((str(item.get("kind", "")), str(item.get("value", ""))) for item in objects_of(row, "handles"))


def read_labels(path: Path) -> tuple[Label, ...]:
    """The labels of a file, in order.

    Raises:
        UnreadableInput: the file cannot be read, or a line is not a label.
    """
    return tuple(label_of(row) for row in read_rows(path))


def label_of(row: Mapping[str, object]) -> Label:
    """One label from its object."""
    return Label(
        id=str(row["id"]),
        file=str(row.get("file", "")),
        entities=tuple(
            Labelled(
                label=str(item.get("label", "")),
                type=str(item.get("type", "")),
                grade=str(item.get("grade", "")),
                handles=handles_of(item),
                modality=str(item.get("modality", "")),
            )
            for item in objects_of(row, "entities")
        ),
        forbidden=tuple(
            Forbidden(str(item.get("value", "")), str(item.get("why", ""))) for item in objects_of(row, "forbidden")
        ),
    )


def read_predictions(path: Path) -> dict[str, Prediction]:
    """The predictions of a file by turn id.

    Raises:
        UnreadableInput: the file cannot be read, or a line is not a prediction.
    """
    return {str(row["id"]): Prediction(str(row["id"]), memories_of(row)) for row in read_rows(path)}


def memories_of(row: Mapping[str, object]) -> tuple[WrittenMemory, ...]:
    """What a prediction or a row says was written."""
    return tuple(
        WrittenMemory(
            prototype=str(item.get("prototype", "")),
            handles=handles_of(item),
            modality=str(item.get("modality", "")),
            properties={str(k): str(v) for k, v in _mapping(item.get("properties")).items()},
        )
        for item in objects_of(row, "written")
    )


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def prediction_line(prediction: Prediction) -> str:
    """One line of the form that the published scorer reads."""
    return json.dumps(
        {"id": prediction.id, "written": [memory_form(memory) for memory in prediction.written]}, ensure_ascii=False
    )


def memory_form(memory: WrittenMemory) -> dict[str, object]:
    """One memory in the form of a prediction."""
    return {
        "prototype": memory.prototype,
        "properties": dict(memory.properties),
        "handles": [{"kind": kind, "value": value} for kind, value in memory.handles],
        "modality": memory.modality,
    }
