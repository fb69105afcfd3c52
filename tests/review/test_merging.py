"""Aliases of one thing are one; different things stay different."""

import pytest
from critic_cases import Said, bash, edit, said_view

from ferrule.bridge.values import TurnView
from ferrule.referents.kinds import Place
from ferrule.review.embedded.judging import scene
from ferrule.review.embedded.things import Thing

FAR = Place(cwd="/srv/quay", root="/srv/quay", repository="git.example/harbor/quay")


def things(view: TurnView, *parts: str) -> list[Thing]:
    """The things that carry all of the parts among their values."""
    return [thing for thing in scene(view).things if all(any(part in v for v in thing.values) for part in parts)]


ONE: list[tuple[str, str, str, list[Said], tuple[str, str]]] = [
    (
        "a bare name beside the edited path",
        "fix gauge.py",
        "Fixed `gauge.py`.",
        [edit("/srv/quay/src/tide/gauge.py")],
        ("/srv/quay/src/tide/gauge.py", "gauge.py"),
    ),
    (
        "a number and its address",
        "look at https://git.example/harbor/quay/pull/12",
        "PR #12 is fine.",
        [],
        ("https://git.example/harbor/quay/pull/12", "#12"),
    ),
    (
        "a short and a long SHA",
        "what is 4be1c09?",
        "It is `4be1c09d2f00112233445566778899aabbccddee`.",
        [],
        ("4be1c09", "4be1c09d2f00112233445566778899aabbccddee"),
    ),
    (
        "a home path beside the absolute one",
        "is ~/dev/quay the one?",
        "Yes, `/home/mira/dev/quay/` it is.",
        [("LS", {"path": "/home/mira/dev/quay"}, "src", True)],
        ("~/dev/quay", "/home/mira/dev/quay"),
    ),
    (
        "a clone and what it is cloned from",
        "clone https://git.example/harbor/buoy.git to /srv/buoy",
        "Cloned to `/srv/buoy`.",
        [bash("git clone https://git.example/harbor/buoy.git /srv/buoy", "Cloning into '/srv/buoy'...")],
        ("https://git.example/harbor/buoy", "/srv/buoy"),
    ),
    (
        "a file and its address at the forge",
        "see https://git.example/harbor/quay/blob/main/src/tide/gauge.py#L3 and fix it",
        "Fixed.",
        [edit("/srv/quay/src/tide/gauge.py")],
        ("https://git.example/harbor/quay/blob/main/src/tide/gauge.py", "/srv/quay/src/tide/gauge.py"),
    ),
]


@pytest.mark.parametrize("row", ONE, ids=[row[0] for row in ONE])
def test_one_thing(row: tuple[str, str, str, list[Said], tuple[str, str]]) -> None:
    """R33, PEER-D16: different spellings in different roles."""
    why, user, outcome, calls, parts = row
    assert len(things(said_view(user, outcome, *calls), *parts)) == 1, why


TWO: list[tuple[str, str, str, list[Said], tuple[str, str]]] = [
    (
        "two edited files of one name",
        "fix both state.py",
        "Fixed `tide/state.py` and `wind/state.py`.",
        [edit("/srv/quay/src/tide/state.py"), edit("/srv/quay/src/wind/state.py")],
        ("/srv/quay/src/tide/state.py", "/srv/quay/src/wind/state.py"),
    ),
    (
        "the same number in two repositories",
        "compare https://git.example/harbor/quay/pull/12 with https://git.example/harbor/buoy/pull/12",
        "They differ.",
        [],
        ("harbor/quay/pull/12", "harbor/buoy/pull/12"),
    ),
    (
        "a source repository and an installed copy",
        "is /srv/quay the same as /opt/quay?",
        "No: `/opt/quay` is the installed copy of `/srv/quay`.",
        [],
        ("/srv/quay", "/opt/quay"),
    ),
    (
        "a file and the same path in another repository",
        "do it like https://git.example/other/skills/blob/main/conf/settings.json",
        "Changed `conf/settings.json`.",
        [edit("/srv/quay/conf/settings.json")],
        ("other/skills/blob/main/conf/settings.json", "/srv/quay/conf/settings.json"),
    ),
]


@pytest.mark.parametrize("row", TWO, ids=[row[0] for row in TWO])
def test_two_things(row: tuple[str, str, str, list[Said], tuple[str, str]]) -> None:
    """R34: different lifecycles are split, the same name or not."""
    why, user, outcome, calls, parts = row
    view = said_view(user, outcome, *calls)
    first, second = (things(view, part) for part in parts)
    assert first, why
    assert second, why
    assert not set(first[0].keys) & set(second[0].keys), why


def test_a_moved_file_knows_where_it_was() -> None:
    """R45: the stale spelling finds it and is not written."""
    view = said_view("move it", "Moved to `b/x.py`.", bash("git mv /srv/quay/a/x.py /srv/quay/b/x.py"))
    (moved,) = [thing for thing in scene(view).things if thing.former]
    assert moved.former == ("/srv/quay/a/x.py",)
