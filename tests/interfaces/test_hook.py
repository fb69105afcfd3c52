"""What the hook makes of a payload: the right record, without a word of the turn, with as little as will do."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hook_cases import HOOK, Claude, Codex, run_hook, spooled
from hypothesis import given
from hypothesis import strategies as st

from ferrule.adapters.laptop import launching, lock
from ferrule.adapters.laptop.bell import BELL_FILE
from ferrule.adapters.spool.folder import SPOOL
from ferrule.adapters.spool.records import MAX_RECORD_BYTES, SpooledTurn, StrangePayload, read_record
from ferrule.adapters.transcripts.selecting import final_digest
from ferrule.interfaces.hook import hook
from ferrule.wiring.home import located

SHARED = Path(__file__).parents[3] / "shared" / "clients"
CANARY = "zebra-canary-4711"
STOP = {"hook_event_name": "Stop", "session_id": "s", "transcript_path": "/t", "last_assistant_message": "done"}
CODEX_STOP = STOP | {"turn_id": "u"}


def recorded(client: str, payload: object) -> SpooledTurn | StrangePayload | None:
    """The record that the hook makes of a payload, read back as the worker reads it; None when it makes none."""
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    record = hook.record_of(client, raw)
    if record is None:
        return None
    read = read_record(hook._json(record).encode("ascii"))
    assert read is not None
    return read


def test_a_stop_of_claude_code_names_session_prompt_and_place(tmp_path: Path) -> None:
    """The record holds what the worker needs to find the turn: no more."""
    claude = Claude(tmp_path).asks("Write it.").says("Written.").written()
    record = recorded("claude-code", claude.stop(stop_hook_active=True))
    assert isinstance(record, SpooledTurn)
    assert (record.client, record.event, record.session, record.turn) == (
        "claude-code",
        "Stop",
        claude.session,
        "prompt-1",
    )
    assert (record.transcript, record.end, record.cwd) == (str(claude.path), claude.path.stat().st_size, claude.cwd)
    assert record.final == final_digest("Written.")
    assert record.stop_hook_active


def test_stop_and_notify_of_codex_name_the_same_turn(tmp_path: Path) -> None:
    """R92: whatever road a turn is reported by, it is the same turn."""
    codex = Codex(tmp_path).asks("Write it.").says("Written.").completes().written()
    by_stop, by_notify = recorded("codex", codex.stop()), recorded("codex", codex.notify())
    assert isinstance(by_stop, SpooledTurn)
    assert isinstance(by_notify, SpooledTurn)
    assert by_stop.identity == by_notify.identity
    assert by_stop.final == by_notify.final
    assert by_notify.transcript == ""


IGNORED: dict[str, dict[str, Any]] = {
    "a failed turn": STOP | {"hook_event_name": "StopFailure", "error": "server_error"},
    "a Stop with an error": CODEX_STOP | {"error": "server_error"},
    "a subagent's end": CODEX_STOP | {"hook_event_name": "SubagentStop", "agent_id": "a", "agent_type": "Explore"},
    "a Stop inside a subagent": CODEX_STOP | {"agent_id": "a"},
    "a session's start": {"hook_event_name": "SessionStart", "session_id": "s", "source": "startup"},
    "a session's end": {"hook_event_name": "SessionEnd", "session_id": "s", "reason": "other"},
    "a prompt": {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": CANARY},
    "a question of Codex": {"type": "approval-requested", "thread-id": "t"},
}


@pytest.mark.parametrize("client", ["claude-code", "codex"])
@pytest.mark.parametrize("name", IGNORED)
def test_what_is_no_completed_turn_of_a_main_session_leaves_nothing(client: str, name: str) -> None:
    """R12 R76: failures, subagents and other events are nobody's turn."""
    assert recorded(client, IGNORED[name]) is None


STRANGE: dict[str, tuple[str, object, str]] = {
    "nothing": ("codex", b"", "empty"),
    "blanks": ("codex", b" \n", "empty"),
    "text": ("codex", CANARY.encode(), "not-json"),
    "bytes": ("codex", b"\xff\xfe\x00", "not-json"),
    "half an object": ("codex", b'{"hook_event_name": "Stop"', "not-json"),
    "two objects": ("codex", b"{} {}", "not-json"),
    "deep nesting": ("codex", b"[" * 100_000, "not-json"),
    "a list": ("codex", [CANARY], "no-object"),
    "a number": ("codex", 7, "no-object"),
    "no event": ("codex", {"session_id": "s"}, "another-event"),
    "a new event": ("codex", CODEX_STOP | {"hook_event_name": "TurnFinished"}, "another-event"),
    "an event that is no name": ("codex", {"hook_event_name": f"{CANARY} and more"}, "another-event"),
    "an event that is no text": ("codex", {"hook_event_name": 7}, "another-event"),
    "another client": ("gemini-cli", CODEX_STOP, "another-event"),
    "a notify of another client": ("claude-code", {"type": "agent-turn-complete", "thread-id": "t"}, "another-event"),
    "no session": ("codex", {**CODEX_STOP, "session_id": None}, "incomplete"),
    "no turn": ("codex", STOP, "incomplete"),
    "a turn that is no name": ("codex", CODEX_STOP | {"turn_id": CANARY + "\n"}, "incomplete"),
    "a session as long as a book": ("codex", CODEX_STOP | {"session_id": "s" * 1000}, "incomplete"),
    "no transcript": ("claude-code", {**STOP, "transcript_path": None}, "incomplete"),
    "neither prompt nor end": ("claude-code", {**STOP, "last_assistant_message": None}, "incomplete"),
}


@pytest.mark.parametrize("name", STRANGE)
def test_an_unknown_shape_leaves_names_and_sizes_only(name: str) -> None:
    """What is not understood is neither guessed nor quoted."""
    client, payload, shape = STRANGE[name]
    record = recorded(client, payload)
    assert isinstance(record, StrangePayload)
    assert record.shape == shape
    assert CANARY not in repr(record)


def test_names_that_may_be_words_or_secrets_are_counted_and_not_kept() -> None:
    """DEC-D13: a member's name is kept when it can be nothing else than a name."""
    payload = {"hook_event_name": "New", "plain_name": [1], CANARY: 1, "x" * 33: 1, "two words": 1, "ключ": 1, "k9": 1}
    record = recorded("codex", payload)
    assert isinstance(record, StrangePayload)
    assert record.keys == (("hook_event_name", 3), ("plain_name", 1))
    assert record.more_keys == 5


def test_a_record_is_never_larger_than_its_reader_takes() -> None:
    """The longest of everything still fits."""
    long = "/" + "\U0001f600" * 4095
    payload = CODEX_STOP | {"session_id": "s" * 200, "turn_id": "t" * 200, "transcript_path": "/" + "p" * 4095}
    record = hook.record_of("codex", json.dumps(payload).encode(), "/" + "h" * 4095)
    assert record is not None
    assert len(hook._json(record)) < MAX_RECORD_BYTES
    wide = hook.record_of("codex", json.dumps(payload | {"cwd": long}).encode())
    assert wide is not None
    assert len(hook._json(wide)) > MAX_RECORD_BYTES  # the hook then counts it as dropped


@pytest.mark.shared
@pytest.mark.parametrize("client", ["claude-code", "codex"])
def test_real_payloads_give_one_record_a_completed_turn(client: str) -> None:
    """What real clients sent at the end of their turns is understood, and nothing else of theirs is a turn."""
    turns = []
    for path in sorted((SHARED / client).glob("payload.*.json")):
        value = json.loads(path.read_text(encoding="utf-8"))
        for call in value if isinstance(value, list) else [value]:
            record = recorded(client, call["payload"])
            assert not isinstance(record, StrangePayload)
            if record is not None:
                turns.append((path.name.split(".")[1], record.identity, record.final))
    assert {name for name, _, _ in turns} == ({"Stop"} if client == "claude-code" else {"Stop", "notify"})
    assert len({identity for _, identity, _ in turns}) == 2
    assert all(final for _, _, final in turns)


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"HOME": "/home/somebody"},
        {"HOME": "/home/somebody/"},
        {"HOME": "/"},
        {"HOME": "somewhere"},
        {"HOME": ""},
        {"HOME": "/home/somebody", "XDG_DATA_HOME": "/data"},
        {"HOME": "/home/somebody", "XDG_DATA_HOME": "/data/"},
        {"HOME": "/home/somebody", "XDG_DATA_HOME": "data"},
        {"HOME": "/home/somebody", "XDG_DATA_HOME": ""},
        {"HOME": "/home/somebody", "FERRULE_HOME": "/srv/ferrule"},
        {"HOME": "/home/somebody", "FERRULE_HOME": "~/ferrule", "XDG_DATA_HOME": "/data"},
        {"HOME": "/home/somebody", "FERRULE_HOME": ""},
    ],
    ids=str,
)
@pytest.mark.parametrize("named", ["", "/srv/given", "~/given"])
def test_the_hook_and_ferrule_mean_the_same_home(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], named: str
) -> None:
    """A report goes into the home that every command opens."""
    for name in ("HOME", "XDG_DATA_HOME", "FERRULE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert Path(hook.home_of(named)) == located(named or None)


def test_the_hook_agrees_with_those_it_copied() -> None:
    """The file stands alone, so what it repeats of Ferrule is compared here."""
    assert (hook.SPOOL, hook.BELL, hook.LOCK) == (SPOOL, BELL_FILE, lock.LOCK_FILE)
    assert hook.LOCK_VARIABLE == launching.LOCK_VARIABLE
    assert (hook.KEPT, hook.KEPT_BEGINNINGS) == (launching._KEPT, launching._KEPT_BEGINNINGS)
    assert lock._read(hook.STARTING) == lock.Holder(doing="starting")
    assert (len(hook.STARTING), hook.LOCK_BYTES) == (lock._SIZE, lock._SIZE)
    assert hook.MAX_FILE_BYTES == MAX_RECORD_BYTES


@given(st.text())
def test_the_digest_is_the_worker_s(text: str) -> None:
    """White space does not count, however a client joined its parts."""
    assert hook.digest(text) == final_digest(text) == hook.digest(f" {text}\n\n")


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()


@given(st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20))
def test_json_is_read_as_the_standard_library_reads_it(value: object) -> None:
    """The scanner without its wrapper gives the same values."""
    assert hook.parsed(json.dumps(value)) == json.loads(json.dumps(value))
    assert hook.parsed(f" \n{json.dumps(value, ensure_ascii=False, indent=1)}\t") == value


@given(st.text(max_size=40))
def test_what_is_no_json_is_refused_as_the_standard_library_does(text: str) -> None:
    """No text is read that `json` would not read."""
    try:
        expected: object = json.loads(text, strict=False)
    except ValueError:
        with pytest.raises(ValueError):  # noqa: PT011 - json's own error is one, and its message is nobody's
            hook.parsed(text)
        return
    assert repr(hook.parsed(text)) == repr(expected)


WALK = """
import sys
sys.argv = ["hook.py", "codex", "--home", HOME, PAYLOAD]
source = open(FILE, encoding="utf-8").read().replace("os._exit(0)", "pass")
exec(compile(source, FILE, "exec"), {"__name__": "__main__"})
names = sorted({name.split(".")[0] for name in sys.modules})
open(HOME + "/modules", "w").write(" ".join(names))
"""


def test_a_turn_costs_few_modules_of_the_standard_library(tmp_path: Path) -> None:
    """Hooks cost milliseconds: neither Ferrule nor anything installed, and none of the dear modules of Python's own."""
    home = tmp_path / "home"
    home.mkdir()
    codex = Codex(tmp_path / "codex").asks("Write it.").says("Written.").completes().written()
    words = {"HOME": str(home), "FILE": str(HOOK), "PAYLOAD": json.dumps(codex.stop())}
    script = "".join(f"{name} = {value!r}\n" for name, value in words.items()) + WALK
    environment = {"FERRULE_WORKER": "off"}
    subprocess.run([sys.executable, "-I", "-S", "-c", script], check=True, env=environment, timeout=30)  # noqa: S603
    loaded = set((home / "modules").read_text(encoding="ascii").split())
    assert len(spooled(home)) == 1
    assert loaded <= sys.stdlib_module_names | {"__main__"}
    assert not loaded & {"json", "re", "enum", "hashlib", "_hashlib", "ssl", "subprocess", "pathlib", "typing", "site"}


def test_nothing_of_the_turn_reaches_the_home(tmp_path: Path) -> None:
    """DEC-D13: words of prompt and answer are in the payload and nowhere in the home."""
    home = tmp_path / "home"
    codex = Codex(tmp_path / "codex").asks(f"Use {CANARY}.").says(f"I used {CANARY}.").completes().written()
    run_hook("codex", codex.stop(), home)
    run_hook("codex", b"", home, json.dumps(codex.notify()))
    run_hook("codex", codex.stop(hook_event_name="New", prompt=CANARY, **{CANARY: 1}), home)
    files = [path for path in home.rglob("*") if path.is_file()]
    assert len(files) == 3
    assert not any(CANARY.encode() in path.read_bytes() for path in files)
