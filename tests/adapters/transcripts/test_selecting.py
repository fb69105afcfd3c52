"""One turn is read out of a transcript as the whole import reads it, also from its end alone."""

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hook_cases import Claude, Codex
from hypothesis import given
from hypothesis import strategies as st

from ferrule.adapters.transcripts.reader import read_transcript
from ferrule.adapters.transcripts.selecting import (
    Anchor,
    Missing,
    Reading,
    Selected,
    Wanted,
    final_digest,
    select_turn,
)
from ferrule.adapters.transcripts.tailing import opening_of
from ferrule.session.imported import ImportedSession
from ferrule.session.turn import Turn

SHARED = Path(__file__).parents[4] / "shared" / "clients"
Client = Claude | Codex


def client_name(client: Client) -> str:
    """As the hook calls it."""
    return "claude-code" if isinstance(client, Claude) else "codex"


def selected(client: Client, wanted: Wanted, *, anchor: Anchor | None = None) -> Selected | Missing:
    """Read one turn of a client's file."""
    with client.path.open("rb") as stream:
        return select_turn(stream, wanted, Reading(str, anchor=anchor, stem=client.path.stem))


def work(client: Client, number: int) -> None:
    """One turn of work."""
    client.asks(f"Write src/part{number}.py, please.")
    if isinstance(client, Claude):
        client.calls("Bash", "1 passed", command=f"pytest tests/test_part{number}.py")
        client.says(f"I wrote src/part{number}.py.")
    else:
        client.calls(f"git switch -c part{number}", f"Switched to a new branch 'part{number}'")
        search = {"type": "web_search_call", "status": "completed", "action": {"query": "retry"}}  # it has no id
        client._add("response_item", search)
        client.says(f"I wrote src/part{number}.py.").completes()


def imported(client: Client) -> ImportedSession:
    """The whole session as an import reads it."""
    (session,) = read_transcript(client.path, scrub=str)
    return session


def anchored(turn: Turn) -> Anchor:
    """A stored turn as an anchor."""
    return Anchor(turn.key, turn.ordinal, turn.place, turn.branch)


@pytest.fixture(params=[Claude, Codex], ids=["claude-code", "codex"])
def client(request: pytest.FixtureRequest, tmp_path: Path) -> Client:
    """A session of six turns, one of them interrupted, that is written."""
    made: Client = request.param(tmp_path)
    for number in range(1, 7):
        work(made, number)
        if number == 3:
            interrupt(made)
    made.written()
    return made


def interrupt(client: Client) -> None:
    """A turn that was begun and stopped."""
    client.asks("Write something else.")
    if isinstance(client, Claude):
        client.interrupted()
    else:
        client._event("turn_aborted", turn_id=client.turn, reason="interrupted")


def wanted_of(client: Client, turn: Turn) -> Wanted:
    """As the hook names a turn of an import."""
    name = turn.key
    if isinstance(client, Claude):
        name = next(line["promptId"] for line in client.lines if line["uuid"] == turn.key)
    return Wanted(client_name(client), name, final_digest(turn.outcome))


def test_a_turn_is_the_same_by_hook_and_by_import(client: Client) -> None:
    """R92: key, ordinal, texts, calls, place and branch."""
    for turn in imported(client).turns:
        found = selected(client, wanted_of(client, turn))
        assert isinstance(found, Selected)
        assert found.turn == turn


def test_the_end_of_a_file_from_a_known_turn_gives_the_same_turn(client: Client) -> None:
    """Whatever known turn is the anchor, the reading of what follows gives the same keys, ordinals and contents."""
    turns = imported(client).turns
    for number, anchor in enumerate(turns):
        for turn in turns[number:]:
            found = selected(client, wanted_of(client, turn), anchor=anchored(anchor))
            assert isinstance(found, Selected)
            assert found.turn == turn
            assert found.whole == (number == 0 and isinstance(client, Claude))  # its first line is the file's


def test_nothing_above_the_anchor_is_read(client: Client) -> None:
    """What a turn of a long session costs does not grow with the session: above the anchor may stand anything."""
    turns = imported(client).turns
    raw = client.path.read_bytes()
    offset = opening_of(io.BytesIO(raw), turns[-2].key, client_name(client))
    assert offset is not None
    header = raw.index(b"\n") + 1
    client.path.write_bytes(raw[:header] + b"x" * (offset - header - 1) + b"\n" + raw[offset:])
    found = selected(client, wanted_of(client, turns[-1]), anchor=anchored(turns[-2]))
    assert isinstance(found, Selected)
    assert found.turn == turns[-1]


def test_an_anchor_that_the_file_does_not_have_costs_a_whole_reading(client: Client) -> None:
    """Another file under the same name, or a turn of an older format: nothing is guessed from the anchor."""
    turn = imported(client).turns[-1]
    found = selected(client, wanted_of(client, turn), anchor=Anchor("nowhere", 40))
    assert isinstance(found, Selected)
    assert found.whole
    assert found.turn == turn


def test_a_turn_before_the_anchor_is_looked_for_in_the_whole_file_in_the_end(client: Client) -> None:
    """A report that was worked off late is found too, once waiting for the file is no use."""
    first, *_, last = imported(client).turns
    wanted = wanted_of(client, first)
    assert isinstance(selected(client, wanted, anchor=anchored(last)), Missing)
    patient = Wanted(wanted.client, wanted.turn, wanted.final, patient=False)
    found = selected(client, patient, anchor=anchored(last))
    assert isinstance(found, Selected)
    assert found.turn == first


def test_only_the_wanted_turn_is_scrubbed(client: Client) -> None:
    """What is not chosen is dropped unread by the scrubber; that is what makes one turn cheap."""
    seen: list[str] = []

    def noted(text: str) -> str:
        seen.append(text)
        return text

    turn = imported(client).turns[3]
    with client.path.open("rb") as stream:
        reading = Reading(noted, stem=client.path.stem)
        found = select_turn(stream, wanted_of(client, turn), reading)
    assert isinstance(found, Selected)
    assert any("part4" in text for text in seen)
    assert not any(f"part{number}.py" in text for number in (1, 2, 3, 5, 6) for text in seen)


def test_what_is_taken_over_from_earlier_turns_is_scrubbed_too(tmp_path: Path) -> None:
    """DEC-D13: a branch that an earlier turn switched to stands in this turn, and may not carry a secret into it."""
    codex = Codex(tmp_path)
    codex.asks("Begin.").calls("git switch -c hush/hush", "Switched").says("Begun.").completes()
    codex.asks("Go on.").says("Gone on.").completes().written()
    with codex.path.open("rb") as stream:
        wanted = Wanted("codex", codex.turn, final_digest("Gone on."))
        found = select_turn(stream, wanted, Reading(lambda text: text.replace("hush", "***")))
    assert isinstance(found, Selected)
    assert found.turn.branch == "***/***"


@pytest.mark.shared
@pytest.mark.parametrize("name", ["claude-code", "codex"])
def test_real_hooks_lead_to_their_turns_in_real_transcripts(name: str) -> None:
    """Each Stop of a real client names one turn of its transcript, with the final message that it told."""
    path = SHARED / name / "transcript.jsonl"
    (session,) = read_transcript(path, scrub=str)
    calls = json.loads((SHARED / name / "payload.Stop.json").read_text(encoding="utf-8"))
    found = []
    for call in calls:
        payload = call["payload"]
        wanted = Wanted(
            name, payload.get("turn_id") or payload["prompt_id"], final_digest(payload["last_assistant_message"])
        )
        lines = path.read_bytes().splitlines(keepends=True)[: call["transcript_lines_at_call"]]
        for patient in (True, False):
            at_stop = select_turn(
                io.BytesIO(b"".join(lines)), Wanted(wanted.client, wanted.turn, wanted.final, patient), Reading(str)
            )
            assert isinstance(at_stop, Selected) or (name == "codex" and patient)
        with path.open("rb") as stream:
            later = select_turn(stream, wanted, Reading(str))
        assert isinstance(later, Selected)
        found.append(later.turn)
    assert found == list(session.turns)


def small_sessions() -> list[Path]:
    """Some small real sessions of both clients."""
    folders = (SHARED.parent / "corpus" / name for name in ("claude-code", "codex"))
    found = [sorted(folder.glob("*.jsonl"), key=lambda path: path.stat().st_size)[3:15:2] for folder in folders]
    return [path for paths in found for path in paths]


@pytest.mark.shared
@pytest.mark.parametrize("path", small_sessions(), ids=lambda path: path.stem)
def test_real_sessions_give_the_same_turns_from_any_anchor(path: Path) -> None:
    """R92: rewinds, compactions, steering and all: the end of a file from a known turn is read as the whole is."""
    for session in read_transcript(path, scrub=str):
        for number, turn in enumerate(session.turns):
            wanted = Wanted(session.format, turn.key, final_digest(turn.outcome))
            anchor = anchored(session.turns[number // 2]) if number else None
            with path.open("rb") as stream:
                found = select_turn(stream, wanted, Reading(str, anchor=anchor, stem=path.stem))
            assert isinstance(found, Selected)
            assert found.turn == turn


ENDS: dict[str, tuple[Callable[[Claude], object], str, bool]] = {
    "still running": (lambda claude: claude.calls("Bash", "ok", command="ls"), "final message yet", True),
    "interrupted": (lambda claude: claude.interrupted(), "interrupted", False),
    "another end": (lambda claude: claude.says("Wait, one more thing."), "final message yet", True),
}


@pytest.mark.parametrize("name", ENDS)
def test_what_is_not_that_turn_s_end_is_not_taken(tmp_path: Path, name: str) -> None:
    """R76: the final message that the client told must stand there, as the last thing of a completed turn."""
    go_on, reason, passing = ENDS[name]
    claude = Claude(tmp_path).asks("Write it.").says("Written.")
    told = claude.stop()
    go_on(claude)
    claude.written()
    found = selected(claude, Wanted("claude-code", told["prompt_id"], final_digest(told["last_assistant_message"])))
    assert isinstance(found, Missing)
    assert reason in found.reason
    assert found.passing is passing


LINES = st.lists(st.sampled_from(["a", "b", '"key"', "key", '{"type":"user","uuid":"key"}']), max_size=12)


@given(LINES, st.integers(0, 3), st.booleans())
def test_an_opening_is_found_wherever_it_stands(lines: list[str], wide: int, ended: bool) -> None:  # noqa: FBT001
    """The last opening counts, whatever stands around it and however long the other lines are."""
    padded = [line if line.startswith("{") else line * (1 + 200_000 * (wide > 1)) for line in lines]
    raw = "\n".join(padded).encode() + (b"\n" if ended else b"")
    offsets = [sum(len(line) + 1 for line in padded[:at]) for at, line in enumerate(padded) if line.startswith("{")]
    assert opening_of(io.BytesIO(raw), "key", "claude-code") == (offsets[-1] if offsets else None)
