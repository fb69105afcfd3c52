"""A scripted reviewer plays its steps against any door and keeps the answers."""

from critic_cases import edit, said_view
from fake_door import FakeDoor

from ferrule.bridge.values import Accepted, Proposal, SearchKind, Stage
from ferrule.review.port import Limits
from ferrule.review.scripted import Check, Enter, Inspect, Look, ScriptedReviewer, Write

PROPOSAL = Proposal("s1", "x", None, "prototype X : SourceFile\n{\n}\n", ())


def test_the_script_is_played_in_order() -> None:
    """R48: what counts is the door's record."""
    door = FakeDoor(said_view("u", "o", edit("/srv/quay/a.py")))
    reviewer = ScriptedReviewer(
        [
            Look("x", SearchKind.NAME, "x"),
            Enter(Stage.PROPERTIES),
            Inspect("SourceFile", "x"),
            Check(PROPOSAL),
            Write(PROPOSAL),
        ]
    )
    draft = reviewer.review(door, Limits())
    assert [call.tool for call in door.record()] == ["search", "details", "schema", "write"]
    assert [type(answer) for answer in reviewer.answers] == [Accepted, Accepted]
    assert (reviewer.name, draft.reason) == ("scripted-1", "scripted")
