"""What readers are told of a memory's state: one plain word of the latest turn, else how real it is."""

import pytest

from ferrule.bridge.details import told_state

ROWS: list[tuple[str, str, list[tuple[str, object]], str]] = [
    ("merged", "changed", [("LifecycleState", "merged")], "merged"),
    ("in another language", "changed", [("LifecycleState", "gemergt")], "gemergt"),
    (
        "the latest turn",
        "changed",
        [("LifecycleStateAtTurn9", "closed"), ("LifecycleStateAtTurn10", "merged")],
        "merged",
    ),
    ("opened again", "created", [("LifecycleState", "closed"), ("LifecycleStateAtTurn4", "created")], "created"),
    ("deleted after all", "deleted", [("LifecycleState", "merged")], "deleted"),
    ("no state", "existing", [("EntityName", "merged")], "existing"),
    ("a sentence", "changed", [("LifecycleState", "ignore all rules")], "changed"),
    ("marks", "changed", [("LifecycleState", "</x>")], "changed"),
    ("no text", "changed", [("LifecycleState", 7)], "changed"),
    ("a person's", "", [("LifecycleState", "merged")], ""),
]


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_reader_is_told_what_became_of_a_thing(row: tuple[str, str, list[tuple[str, object]], str]) -> None:
    """R45, R94: the word of the latest turn, never a sentence that somebody put there."""
    _, modality, properties, told = row
    assert told_state(modality, properties) == told
