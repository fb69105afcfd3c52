"""What Ferrule told comes back in its client's transcript, and is nobody's words there: no memory feeds itself."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hook_cases import Claude, Codex

from ferrule.adapters.transcripts.reader import read_text
from ferrule.bridge.details import Details, HandleView
from ferrule.bridge.values import Role
from ferrule.bridge.view import view_of
from ferrule.interfaces.cli.entry import run
from ferrule.recall.context import context_text
from ferrule.referents.kinds import HandleKind
from ferrule.session.turn import Turn

PULL, TREE, HOST = "https://git.example/harbor/kestrel/pull/41", "/srv/recalled/kestrel-retry", "recalled.example.net"
SAID = "I looked at what there is and changed nothing."


class _Told:
    source = "claude-code:7d3f"

    def list(self, *, limit: int = 1000) -> tuple[Details, ...]:
        kinds = (
            (HandleKind.PULL_REQUEST, PULL, "PullRequestUrl"),
            (HandleKind.REPOSITORY_ROOT, TREE, "WorktreeRoot"),
            (HandleKind.HOST, HOST, "HostName"),
        )
        made = [
            Details("", f"Recalled{number}", known=True, bases=("Worktree",), handles=(HandleView(*one),))
            for number, one in enumerate(kinds)
        ]
        return tuple(made[:limit])


TEXT = context_text(_Told(), lambda _: None)
ANSWER = json.dumps({"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": TEXT}})


def claude(folder: Path) -> Claude:
    """A Claude Code session to which a test adds lines."""
    return Claude(folder, cwd="/work/kestrel").asks("Have a look at the retry policy, please.")


def codex(folder: Path) -> Codex:
    """A Codex thread to which a test adds lines."""
    return Codex(folder, cwd="/work/kestrel")


def _attached(folder: Path) -> Claude:
    """As Claude Code writes down what a SessionStart hook added, at the start and after compaction."""
    talk = Claude(folder, cwd="/work/kestrel")
    for kind, more in (
        ("hook_success", {"hookName": "SessionStart:compact", "content": "", "stdout": ANSWER, "exitCode": 0}),
        ("hook_additional_context", {"hookName": "SessionStart", "hookEvent": "SessionStart", "content": [TEXT]}),
    ):
        talk._add("attachment", "")
        talk.lines[-1] |= {"attachment": {"type": kind, **more}}
        del talk.lines[-1]["message"]
    return talk.asks("Have a look at the retry policy, please.").says(SAID)


def _reminded(folder: Path) -> Claude:
    """As Claude Code gives it to the model, should a version write that down: an `isMeta` line, and beside a prompt."""
    told = f"<system-reminder>\nSessionStart hook additional context: {TEXT}\n</system-reminder>"
    talk = claude(folder)
    talk._add("user", told, isMeta=True)
    talk.asks(f"{told}\nHave another look, please.").says(SAID)
    return talk


def _pasted(folder: Path) -> Claude:
    """As a person pastes it, or a client inlines it."""
    return claude(folder).says(SAID).asks(f"It says:\n{TEXT}\nIs that so?").says(SAID)


def _compacted(folder: Path) -> Claude:
    """As a compaction's summary repeats it."""
    talk = claude(folder).says(SAID)
    talk._add("user", f"This session is being continued. {TEXT}", isCompactSummary=True)
    return talk.asks("Go on, please.").says(SAID)


def _asked(folder: Path) -> Claude:
    """As the MCP tools answer, and what they were asked."""
    talk = claude(folder)
    row = json.dumps([{"name": "RecalledTree", "handles": [{"kind": "repository-root", "value": TREE}]}])
    talk.calls("mcp__ferrule__search", row, query=PULL, session="claude-code:7d3f")
    return talk.calls("mcp__ferrule__show", row, name=TREE).says(SAID)


def _printed(folder: Path) -> Claude:
    """As `ferrule context` prints it in a terminal."""
    return claude(folder).calls("Bash", TEXT, command="ferrule context").says(SAID)


def _developer(folder: Path) -> Codex:
    """As Codex writes it down: a message of the developer's role."""
    talk = codex(folder)
    _message(talk, "developer")
    return talk.asks("Have a look at the retry policy, please.").says(SAID).completes()


def _user_role(folder: Path) -> Codex:
    """As an older Codex might: with the user's role, before the prompt and after it."""
    talk = codex(folder)
    _message(talk, "user")
    talk.asks("Have a look at the retry policy, please.")
    _message(talk, "user")
    return talk.says(SAID).completes()


def _codex_asked(folder: Path) -> Codex:
    """As Codex writes down a call of the tools."""
    talk = codex(folder).asks("Have a look at the retry policy, please.")
    arguments = json.dumps({"query": PULL, "session": "codex:x"})
    call = {"type": "function_call", "namespace": "mcp__ferrule", "name": "search", "arguments": arguments}
    talk._add("response_item", {**call, "call_id": "c1"})
    talk._add("response_item", {"type": "function_call_output", "call_id": "c1", "output": f"{TREE} {HOST}"})
    return talk.says(SAID).completes()


def _message(talk: Codex, role: str) -> None:
    content = [{"type": "input_text", "text": TEXT}]
    talk._add("response_item", {"type": "message", "role": role, "content": content})


WAYS = (
    *(_attached, _reminded, _pasted, _compacted, _asked, _printed),
    *(_developer, _user_role, _codex_asked),
)
_Make = Callable[[Path], Any]


def turns_of(made: Claude | Codex) -> tuple[Turn, ...]:
    """The completed turns as the importer reads them."""
    (session,) = read_text("".join(json.dumps(line) + "\n" for line in made.lines), scrub=str)
    return session.turns


@pytest.mark.parametrize("make", WAYS)
def test_what_was_told_is_neither_intent_nor_evidence(make: _Make, tmp_path: Path) -> None:
    """R16 R94 PEER-D02: however the client wrote it down, no mention that counts comes from it."""
    turns = turns_of(make(tmp_path))
    assert turns
    for turn in turns:
        counted = [mention for mention in view_of(turn).mentions if mention.role is not Role.OBSERVATION]
        assert [mention.value for mention in counted if mention.value in {PULL, TREE, HOST}] == []
        assert not any(word in turn.outcome for word in (PULL, TREE, HOST))


def test_the_same_words_of_a_person_do_count(tmp_path: Path) -> None:
    """R16: it is the fence that makes them nobody's, not what they name."""
    (turn,) = turns_of(claude(tmp_path).says(SAID).asks(f"Look at {PULL} in {TREE}.").says(SAID))[1:]
    assert {PULL, TREE} <= {mention.value for mention in view_of(turn).mentions if mention.role is Role.INTENT}


@pytest.mark.parametrize("make", [_attached, _reminded, _asked, _printed, _developer, _user_role, _codex_asked])
def test_what_was_told_does_not_even_reach_the_turn(make: _Make, tmp_path: Path) -> None:
    """R94: nothing of it is stored with the turn, so that it cannot confirm anything either."""
    for turn in turns_of(make(tmp_path)):
        kept = (turn.user, turn.outcome, *turn.steering, *(str(call) for call in turn.calls), *map(str, turn.actions))
        assert not any(word in text for text in kept for word in (PULL, TREE, HOST))


@pytest.mark.parametrize("make", WAYS)
def test_a_review_of_it_writes_nothing(make: _Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """PEER-D02: a memory never becomes the reason for a memory."""
    made = make(tmp_path)
    home = str(tmp_path / "home")
    assert run(["review", str(made.written().path), "--home", home]) == 0
    capsys.readouterr()
    assert run(["memory", "list", "--home", home, "--json"]) == 0
    assert capsys.readouterr().out == ""
