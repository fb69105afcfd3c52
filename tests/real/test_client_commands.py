"""What a person types in a real client reaches Ferrule, for exactly the session in which it was typed."""

import re
from pathlib import Path

import pytest
from client_script import PULL, SMALL, WORK
from real_clients import RealClaude, RealClient, RealCodex
from real_processes import reviews, wait_for
from scripted_model import Run, Say

from ferrule.wiring.home import open_home

pytestmark = pytest.mark.real
SHOW = re.compile(r"`([^`]* memory list --client codex [^`]*)`")


def turns_of(home: Path) -> dict[str, int]:
    """How many turns are stored of each session."""
    with open_home(home, make=False) as there:
        return dict(there.store.turn_counts())


@pytest.fixture(scope="module")
def worked(client: RealClient) -> RealClient:
    """The client with Ferrule in it, after a turn that is remembered, and one of another session in the same folder."""
    client.installs()
    assert client.turn(SMALL).code == 0
    wait_for(lambda: reviews(client.home) == 1, "the other session's review")
    assert client.turn(WORK).code == 0
    wait_for(lambda: reviews(client.home) == 2, "the review")
    return client


def test_what_is_remembered_is_shown_of_the_session_where_that_is_asked(worked: RealClient) -> None:
    """Two sessions were in this folder: the client tells which one asks; Codex by the skill that it was given."""
    known = len(worked.model.asked)
    if isinstance(worked, RealCodex):
        found = SHOW.search((worked.folder / "skills" / "ferrule" / "SKILL.md").read_text(encoding="utf-8"))
        assert found is not None
        assert all("- ferrule: " not in str(asked.body) for asked in worked.model.asked)  # none that it may call itself
        worked.model.script = {**worked.model.script, "$ferrule show": [Run(found[1]), Say("That is all.")]}
        assert worked.turn("$ferrule show what you remember", resume=True).code == 0
    else:
        assert worked.turn("/ferrule:show", resume=True).code == 0
    shown = str([asked.body for asked in worked.model.asked[known:]])
    assert "Type         State     Handles" in shown
    assert PULL in shown.partition("Type         State     Handles")[2]


def test_a_thumbs_up_is_for_the_turn_before_it(worked: RealClient) -> None:
    """The command's own turn is none: nothing of it is stored, and the turn before it is the one that is meant."""
    if not isinstance(worked, RealClaude):
        pytest.skip("Codex has no commands of a person's own, only a skill")
    before = turns_of(worked.home)
    known = len(worked.model.asked)
    assert worked.turn("/ferrule:thumbs-up", resume=True).code == 0
    assert f"{worked.session()}  attached" in str([asked.body for asked in worked.model.asked[known:]])
    wait_for(lambda: not list((worked.home / "spool").glob("*.json")), "the spool")
    assert turns_of(worked.home) == before
    assert "not reviewed" not in worked.ferrule("doctor").out
