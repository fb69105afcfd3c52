"""A lane in words: name, kind, argument and settings."""

import pytest

from ferrule.errors import UsageError
from ferrule.evaluation.lanes import Lane, parse_lane, told_apart


@pytest.mark.parametrize(
    ("text", "name", "kind", "argument", "settings"),
    [
        ("embedded", "embedded", "embedded", "", {}),
        ("embedded:threshold=0.5", "embedded-threshold-0.5", "embedded", "", {"threshold": "0.5"}),
        ("sure=embedded:threshold=0.9", "sure", "embedded", "", {"threshold": "0.9"}),
        ("model:provider/name,effort=low", "model-name-effort-low", "model", "provider/name", {"effort": "low"}),
        ("file:/w/other critic.jsonl", "file-other-critic", "file", "/w/other critic.jsonl", {}),
        ("peer=file:a=1,b=2.jsonl", "peer", "file", "a=1,b=2.jsonl", {}),
        ("file:///", "file", "file", "///", {}),
        ("file:C:\\runs\\peer.jsonl", "file-peer", "file", "C:\\runs\\peer.jsonl", {}),
    ],
)
def test_a_lane_is_read_from_its_words(
    text: str, *, name: str, kind: str, argument: str, settings: dict[str, str]
) -> None:
    """R71: reviewer, model and settings; a name that can be a folder's is made where none is given."""
    lane = parse_lane(text)
    assert (lane.name, lane.kind, lane.argument, lane.settings) == (name, kind, argument, settings)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "=embedded",
        "embedded:",
        "../up=embedded",
        ".=embedded",
        "a b=embedded",
        "embedded:threshold=",
        "embedded:threshold=1,threshold=2",
        "model:name,low",
        "x" * 5000,
        f"{'n' * 65}=embedded",
    ],
)
def test_words_that_are_no_lane_are_one_clear_error(text: str) -> None:
    """R89: also a name that would leave the run's folder."""
    with pytest.raises(UsageError):
        parse_lane(text)


def test_two_lanes_of_one_name_are_refused_also_where_case_does_not_count() -> None:
    """Their folders would be one."""
    with pytest.raises(UsageError, match="NAME="):
        told_apart([Lane("Sure", "embedded"), Lane("sure", "embedded")])
    with pytest.raises(UsageError, match="at most"):
        told_apart([Lane(f"l{number}", "embedded") for number in range(33)])
