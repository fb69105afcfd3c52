"""What a call carries, where it ran, and what stands in neither."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from ferrule.bridge.evidence import cited_text, excerpt
from ferrule.bridge.mentions import places_of
from ferrule.bridge.modality import provable
from ferrule.bridge.texts import texts_of
from ferrule.bridge.values import Claim, Mention, Modality, Proposal, Role, SpanRef, TurnText, TurnView
from ferrule.bridge.view import view_of
from ferrule.referents.kinds import NOWHERE, HandleKind, Place
from ferrule.session.turn import Action, Turn, Verb

MakeTurn = Callable[..., Turn]

# What a call was given, what of it the agent named, what it only carried.
GIVEN: dict[str, tuple[str | Mapping[str, object], list[str], list[str]]] = {
    "a document in a command": (
        "cat > a.txt <<EOF\ninside.txt\nEOF\nls after.txt",
        ["cat > a.txt", "ls after.txt"],
        ["inside.txt"],
    ),
    "a document that speaks of another": (
        "cat > a.txt <<EOF\nwrite <<TWO here\nTWO\nEOF\nls after.txt",
        ["ls after.txt"],
        ["write <<TWO here"],
    ),
    "a document that never begins": ("cat <<EOF", ["cat <<EOF"], []),
    "a document that never ends": ("cat > a.txt <<EOF\ninside.txt", ["cat > a.txt"], ["inside.txt"]),
    "a list of words": ({"command": ["git", "rm", "old.py"]}, ["command: git rm old.py"], []),
    "a list of lines to write": ({"content": ["one.py", "two.py"]}, [], ["one.py\ntwo.py"]),
    "something nested": ({"where": {"folder": "lib", "deep": {"file": "x.py"}}}, ["folder: lib", "file: x.py"], []),
    "nothing, a number and a list of numbers": ({"a": None, "n": 3, "l": [1, 2]}, ["n: 3", "l: [1, 2]"], []),
    "a text too long to be named": ({"note": "word " * 1_000}, [], ["word word"]),
}


@pytest.mark.parametrize(("given", "named", "carried"), GIVEN.values(), ids=GIVEN)
def test_what_a_call_is_given_is_named_or_carried(
    make_turn: MakeTurn, given: str | Mapping[str, object], named: list[str], carried: list[str]
) -> None:
    """R18: what an agent names it did itself; material that it only carries proves nothing (D9)."""
    texts = texts_of(make_turn("Go on.", "Done.", ("Bash", given, "", True)))
    did = "\n".join(text.text for text in texts if text.role is Role.ACTION)
    had = "\n".join(text.text for text in texts if text.role is Role.OBSERVATION)
    assert all(words in did for words in named)
    assert not any(words in did for words in carried)
    assert all(words in had for words in carried)
    assert "None" not in did


def test_a_call_takes_the_place_where_it_ran(make_turn: MakeTurn) -> None:
    """DEC-D9: a call inside of the repository keeps root and repository, one outside has nothing of them."""
    turn = make_turn("Go on.", "Done.", *[("Bash", {"command": "ls x.py"}, "", True)] * 4)
    folders = (None, "/srv/app", "/srv/app/sub", "/srv/apple")
    calls = tuple(replace(call, cwd=cwd) for call, cwd in zip(turn.calls, folders, strict=True))
    places = places_of(replace(turn, calls=calls))
    assert places["c0"] == places["c1"] == places[""] == turn.place
    assert places["c2"] == replace(turn.place, cwd="/srv/app/sub")
    assert places["c3"] == Place(cwd="/srv/apple")
    nowhere = places_of(replace(turn, calls=calls, place=Place(cwd="/srv/app")))
    assert nowhere["c2"] == Place(cwd="/srv/app/sub")


def test_a_path_with_a_scrubbed_secret_is_no_handle(make_turn: MakeTurn) -> None:
    """DEC-D13, INV-I6: no mention holds a placeholder, whoever said it."""
    path = "/srv/my keys/[secret:password:0123abcd]/id.txt"
    view = view_of(
        make_turn(
            f'Read "{path}" please',
            "I read plain/id.txt.",
            ("Read", {"file_path": path}, f'"{path}"\nplain/id.txt', True),
            ("Bash", {"command": f"mv plain/id.txt '{path}'"}, "", True),
            place=Place(cwd="/srv/app/[secret:password:0123abcd]", root="/srv/app"),
        )
    )
    assert any(mention.value.endswith("plain/id.txt") for mention in view.mentions)
    assert not any("[secret:" in mention.value for mention in view.mentions)


def test_a_handle_that_an_observation_repeats_is_counted_and_not_listed(make_turn: MakeTurn) -> None:
    """DEC-D9: numbers without end would help nobody; the first places of a handle in one text are enough."""
    view = view_of(make_turn("See lib/x.py", "Saw it.", ("Read", {"file_path": "a"}, "lib/x.py\n" * 6, True)))
    assert sum(mention.role is Role.OBSERVATION and mention.value == "lib/x.py" for mention in view.mentions) == 2
    spoken = view_of(make_turn("lib/x.py, " * 40, "Saw it."))
    assert sum(mention.value == "lib/x.py" for mention in spoken.mentions) == 32


def acted_on(turn: Turn, *actions: Action) -> TurnView:
    """The view of a turn whose ledger is these rows."""
    return view_of(replace(turn, actions=actions))


def test_a_target_that_no_text_shows_gets_a_row_to_cite(make_turn: MakeTurn) -> None:
    """R18: what the ledger knows of a call can be cited, though the call spells it otherwise."""
    turn = make_turn("Go on.", "Done.", ("Bash", {"command": "git mv a b"}, "", True))
    moved = Action("c0", 0, Verb.MOVED, "/srv/app/new.py", HandleKind.FILESYSTEM_PATH, ok=True, was="/srv/app/old.py")
    switched = Action("c0", 1, Verb.SWITCHED, "topic/one", HandleKind.BRANCH, ok=True)
    talk = Action("c0", 2, Verb.OTHER, "something", None, ok=True)
    view = acted_on(turn, moved, switched, talk)
    rows = {text.id: text.text for text in view.texts if ".action." in text.id}
    assert rows == {
        "call.c0.action.0": "moved /srv/app/new.py",
        "call.c0.action.0.was": "moved /srv/app/old.py",
        "call.c0.action.1": "switched topic/one",
    }
    for mention in view.mentions:
        if mention.text in rows:
            assert rows[mention.text][mention.start : mention.end] == mention.value
            assert not mention.derived


def test_a_joined_path_is_cited_by_its_longest_tail(make_turn: MakeTurn) -> None:
    """DEC-D9: `cd lib && rm x.py` shows `x.py`; a target that ends in a folder has no tail to find."""
    turn = make_turn("Go on.", "Done.", ("Bash", {"command": "cd lib && rm sub/x.py"}, "", True))
    path = HandleKind.FILESYSTEM_PATH
    removed = Action("c0", 0, Verb.DELETED, "/srv/app/lib/sub/x.py", path, ok=True)
    folder = Action("c0", 1, Verb.CREATED, "/srv/app/lib/made/", path, ok=True)
    view = acted_on(turn, removed, folder)
    done = [mention for mention in view.mentions if mention.value == "/srv/app/lib/sub/x.py"]
    assert done
    assert all(view.text(mention.text) is not None for mention in done)
    shown = {text.text[m.start : m.end] for m in done if (text := view.text(m.text)) is not None}
    assert shown == {"sub/x.py"}
    assert "call.c0.action.1" in {text.id for text in view.texts}


def test_a_citation_outside_of_its_text_says_nothing() -> None:
    """DEC-D9: a span past the end, an empty one and one of an unknown text cite nothing."""
    view = TurnView("s", "t", 1, (TurnText("user", Role.INTENT, "lib/x.py"),), (), (), NOWHERE)
    assert cited_text(view, SpanRef("user", 0, 8)) == ("lib/x.py", Role.INTENT)
    for wrong in (SpanRef("user", 4, 9), SpanRef("user", 3, 3), SpanRef("user", -1, 3), SpanRef("other", 0, 3)):
        assert cited_text(view, wrong) is None
        assert excerpt(view, wrong) == ""


def test_a_mention_of_a_text_that_is_not_there_proves_nothing() -> None:
    """DEC-D10: words prove where they stand, or not at all."""
    lost = Mention("m1", HandleKind.FILESYSTEM_PATH, "lib/x.py", "path:lib/x.py", Role.OUTCOME, "gone", 0, 8)
    view = TurnView("s", "t", 1, (), (), (lost,), NOWHERE)
    assert provable(view, [lost.key]) is Modality.PLANNED


MADE = Action("c0", 0, Verb.CREATED, "lib/x.py", HandleKind.FILESYSTEM_PATH, ok=True)
STATES: dict[str, tuple[tuple[Action, ...], Modality]] = {
    "taken away and made again": (
        (replace(MADE, verb=Verb.DELETED), replace(MADE, index=1)),
        Modality.CHANGED,
    ),
    "taken away, then out of the index": (
        (replace(MADE, verb=Verb.DELETED), replace(MADE, index=1, verb=Verb.OTHER, detail="staged")),
        Modality.CHANGED,
    ),
    "taken away, and the way is staged": (
        (replace(MADE, verb=Verb.DELETED), replace(MADE, index=1, verb=Verb.DELETED, detail="staged")),
        Modality.CHANGED,
    ),
    "made and looked at": ((MADE, replace(MADE, index=1, verb=Verb.READ)), Modality.CREATED),
    "only planned": ((replace(MADE, verb=Verb.PLANNED),), Modality.PLANNED),
    "handed to another agent": ((replace(MADE, verb=Verb.DELEGATED),), Modality.PLANNED),
    "committed to": ((replace(MADE, verb=Verb.COMMITTED),), Modality.CHANGED),
}


@pytest.mark.parametrize(("actions", "net"), STATES.values(), ids=STATES)
def test_the_last_deed_decides(make_turn: MakeTurn, actions: tuple[Action, ...], net: Modality) -> None:
    """DEC-D10: what was put back was changed; words that are handed on are no deeds."""
    turn = make_turn("Create lib/x.py", "I will.", ("Tool", {"what": "shall create lib/x.py"}, "", True))
    view = acted_on(turn, *actions)
    keys = sorted({mention.key for mention in view.mentions if mention.value == "lib/x.py"})
    assert provable(view, keys) is net


def test_a_value_that_only_begins_longer_words_is_not_shown(make_turn: MakeTurn) -> None:
    """DEC-D10: sixty-four places are looked at, and a part of a longer word is another thing."""
    longer = ("Bash", {"command": "ls"}, "zz " + "lib/x.pyc " * 80, True)
    view = view_of(make_turn("Create lib/x.py", "I will create lib/x.py.", longer))
    keys = sorted({mention.key for mention in view.mentions if mention.value == "lib/x.py"})
    assert provable(view, keys) is Modality.PLANNED


def test_a_proposal_without_claims_is_planned() -> None:
    """DEC-D10: the highest claim decides, and in the top rung the last; lower ones change nothing."""

    def proposal(*claimed: Modality) -> Proposal:
        claims = tuple(Claim("FilePath", "lib/x.py", (), modality) for modality in claimed)
        return Proposal("s", "c1", None, "prototype A : B { }", claims)

    assert proposal().modality is Modality.PLANNED
    assert proposal(Modality.CREATED, Modality.REPORTED).modality is Modality.CREATED
    assert proposal(Modality.CREATED, Modality.DELETED).modality is Modality.DELETED
