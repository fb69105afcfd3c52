"""Damaged transcripts: whatever a crash, a disk or an odd client did to a file, the command ends as documented."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ferrule as package

SAMPLES = [path.read_bytes() for path in sorted((Path(package.__file__).parent / "samples").glob("*.jsonl"))]
ODD: tuple[object, ...] = (None, 1, [], {}, "", True, [[1]], {"a": {}}, -1.5, "\ud800")


def flipped(data: bytes, chance: random.Random) -> bytes:
    """Some bytes are other bytes."""
    damaged = bytearray(data)
    for _ in range(chance.randrange(1, 30)):
        damaged[chance.randrange(len(damaged))] = chance.randrange(256)
    return bytes(damaged)


def cut(data: bytes, chance: random.Random) -> bytes:
    """The rest is missing."""
    return data[: chance.randrange(1, len(data))]


def shuffled(data: bytes, chance: random.Random) -> bytes:
    """Lines in any order."""
    lines = data.split(b"\n")
    chance.shuffle(lines)
    return b"\n".join(lines)


def thinned(data: bytes, chance: random.Random) -> bytes:
    """Lines are missing, others stand twice without a break."""
    lines = [line for line in data.split(b"\n") if chance.random() > 0.2]
    return b"\n".join(line + line if chance.random() < 0.2 else line for line in lines)


def retyped(data: bytes, chance: random.Random) -> bytes:
    """Values are of another type than any client writes."""

    def walk(value: Any) -> Any:  # noqa: ANN401 - any JSON value
        if chance.random() < 0.03:
            return chance.choice(ODD)
        if isinstance(value, dict):
            return {key: walk(item) for key, item in value.items()}
        return [walk(item) for item in value] if isinstance(value, list) else value

    return b"\n".join(json.dumps(walk(json.loads(line))).encode() for line in data.splitlines() if line.strip())


@pytest.mark.parametrize("damage", [flipped, cut, shuffled, thinned, retyped], ids=lambda damage: damage.__name__)
def test_a_damaged_transcript_never_ends_in_a_bug(
    tmp_path: Path, ferrule: Callable[..., Any], damage: Callable[[bytes, random.Random], bytes]
) -> None:
    """Reviewed, or unreadable: exit 0 or 3, no failed review, no traceback (issue 2)."""
    chance = random.Random(20_260_302)  # noqa: S311 - a seed that reproduces the run
    for number in range(8):
        path = tmp_path / f"{number}.jsonl"
        path.write_bytes(damage(chance.choice(SAMPLES), chance))
        told = ferrule("review", str(path), "--dry-run", "--json")
        assert told.code in {0, 3}, (number, told.err)
        assert "INTERNAL" not in told.err
        outcomes = {review["outcome"] for row in told.rows() for review in row["reviews"]}
        assert outcomes <= {"wrote", "nothing"}
