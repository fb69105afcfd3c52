"""A turn from the few facts a test is about."""

from collections.abc import Callable

import pytest

from ferrule.referents.kinds import Place
from ferrule.session.ledger.ledger import ledger
from ferrule.session.turn import Artifact, ToolCall, Turn

MakeTurn = Callable[..., Turn]

PLACE = Place(cwd="/srv/app", root="/srv/app", repository="github.com/acme/app")


@pytest.fixture
def make_turn() -> MakeTurn:
    """Build a completed turn of /srv/app; calls are (tool, arguments, result, ok), their ledger is made as always."""

    def make(
        user: str = "Go on.",
        outcome: str = "Done.",
        *calls: tuple[str, object, str | None, bool | None],
        steering: tuple[str, ...] = (),
        artifacts: tuple[Artifact, ...] = (),
        place: Place = PLACE,
    ) -> Turn:
        made = tuple(
            ToolCall(f"c{number}", tool, arguments if isinstance(arguments, dict) else str(arguments), result, ok)
            for number, (tool, arguments, result, ok) in enumerate(calls)
        )
        return Turn(
            key="t1",
            session="s1",
            ordinal=3,
            user=user,
            outcome=outcome,
            steering=steering,
            calls=made,
            actions=ledger(made, place),
            artifacts=artifacts,
            place=place,
            branch="main",
        )

    return make
