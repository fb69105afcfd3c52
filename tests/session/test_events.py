"""The event envelope is read strictly, and what is refused is one sentence."""

import hashlib
import hmac
import json

import pytest
from companion_cases import CHILD_KEY, SOURCE, event, event_form
from hypothesis import given
from hypothesis import strategies as st

from ferrule.errors import Code
from ferrule.session.events import (
    MAX_EVENT_BYTES,
    EventEnvelope,
    EventFault,
    digest,
    parse_envelope,
    render_envelope,
    sign,
    verify,
)

ENVELOPE = EventEnvelope("e1", "turn.completed", SOURCE.key, CHILD_KEY, "2030-03-17T17:46:40Z", "t1")


def test_an_envelope_is_read_and_written_back() -> None:
    """R92: the same event whatever its spacing, order of keys, or keys that nobody knows."""
    assert parse_envelope(event("e1", "t1")) == ENVELOPE
    assert parse_envelope(event("e1", "t1").decode()) == ENVELOPE
    assert parse_envelope(render_envelope(ENVELOPE)) == ENVELOPE
    form = event_form("e1", "t1", More={"Deep": [1, 2]}, Data={"Text": "x", "TurnKey": "t1"})
    turned = json.dumps(dict(reversed(form.items())), indent=4)
    read = parse_envelope(turned)
    assert read == ENVELOPE
    assert digest(ENVELOPE) == digest(read)


def test_what_may_be_left_out_is() -> None:
    """R92: the target, and the turn of an event that is about none."""
    read = parse_envelope(event("e1", "t1", TargetSessionKey=None))
    assert isinstance(read, EventEnvelope)
    assert read.target == ""
    beat = parse_envelope(event("e1", "", EventType="heartbeat.tick", Data={}))
    assert isinstance(beat, EventEnvelope)
    assert beat.turn == ""
    assert parse_envelope(render_envelope(beat)) == beat


DEEP = '{"Data":' * 33 + "{}" + "}" * 33
WRONG: list[tuple[str | bytes, Code]] = [
    ("", Code.BAD_TOOL_ARGS),
    ("{", Code.BAD_TOOL_ARGS),
    ("[]", Code.BAD_TOOL_ARGS),
    ("null", Code.BAD_TOOL_ARGS),
    (b"\xff\xfe{\x00}\x00", Code.BAD_TOOL_ARGS),
    (b"\xef\xbb\xbf" + event("e1", "t1"), Code.BAD_TOOL_ARGS),
    (event("e1", "t1") + b" x", Code.BAD_TOOL_ARGS),
    (b"```json\n" + event("e1", "t1") + b"\n```", Code.BAD_TOOL_ARGS),
    (event("e1", "t1").replace(b'"', b"'"), Code.BAD_TOOL_ARGS),
    (event("e1", "t1")[:-1] + b",}", Code.BAD_TOOL_ARGS),
    (event("e1", "t1")[:-1] + b', "EventId": "e1"}', Code.BAD_TOOL_ARGS),
    (event("e1", "t1").replace(b'{"TurnKey"', b'{"TurnKey": "t2", "TurnKey"'), Code.BAD_TOOL_ARGS),
    (event("e1", "t1", More=[{"a": 1}]).replace(b'"a": 1', b'"a": 1, "a": 1'), Code.BAD_TOOL_ARGS),
    (event("e1", "t1", More=float("nan")), Code.BAD_TOOL_ARGS),
    (event("e1", "t1", More=float("-inf")), Code.BAD_TOOL_ARGS),
    (event("e1", "t1", More=1).replace(b": 1}", b": " + b"1" * 5000 + b"}"), Code.BAD_TOOL_ARGS),
    (event("e1", "t1", EventId=None), Code.BAD_TOOL_ARGS),
    (event("e1", "t1", EventId=7), Code.BAD_TOOL_ARGS),
    (event("", "t1"), Code.BAD_TOOL_ARGS),
    (event("e" * 201, "t1"), Code.BAD_TOOL_ARGS),
    (event("e\n1", "t1"), Code.BAD_TOOL_ARGS),
    (event("e\ud800", "t1"), Code.BAD_TOOL_ARGS),
    (event("e\u202e1", "t1"), Code.BAD_TOOL_ARGS),
    (event("e1", "t1", EventType=None), Code.BAD_TOOL_ARGS),
    (event("e1", "t1", EventType=["turn.completed"]), Code.BAD_TOOL_ARGS),
    (event("e1", "t1", OccurredUtc=None), Code.BAD_TOOL_ARGS),
    (event("e1", "t1", OccurredUtc=1_900_000_000), Code.BAD_TOOL_ARGS),
    (event("e1", "t1", SourceSessionKey=None), Code.BAD_TOOL_ARGS),
    (event("e1", "t1", TargetSessionKey=1), Code.BAD_TOOL_ARGS),
    (event("e1", "t1", Data=None), Code.BAD_TOOL_ARGS),
    (event("e1", "t1", Data="t1"), Code.BAD_TOOL_ARGS),
    (event("e1", "t1", Data={}), Code.BAD_TOOL_ARGS),
    (event("e1", "t1", Data={"TurnKey": 1}), Code.BAD_TOOL_ARGS),
    (event("e1", "t1", Data={"turnkey": "t1"}), Code.BAD_TOOL_ARGS),
    (event("e1", "t1", EventType="turn.started", Data={"TurnKey": 1}), Code.BAD_TOOL_ARGS),
    (event("e1", "t1", SourceSessionKey=""), Code.BAD_KEY),
    (event("e1", "t1", SourceSessionKey="../x"), Code.BAD_KEY),
    (event("e1", "t1", SourceSessionKey="s" * 225), Code.BAD_KEY),
    (event("e1", "t1", TargetSessionKey="s\ud800"), Code.BAD_KEY),
    (event("e1", "t1", Data={"TurnKey": "a b"}), Code.BAD_KEY),
    (event("e1", "t1", Data={"TurnKey": ""}), Code.BAD_KEY),
    (event("e1", "t1", More="x" * MAX_EVENT_BYTES), Code.TOO_LARGE),
    ('"' + '\\"' * 32_000 + "\\", Code.BAD_TOOL_ARGS),
    (DEEP, Code.TOO_DEEP),
    ("[" * 60_000, Code.TOO_DEEP),
    ('{"a":' * 12_000, Code.TOO_DEEP),
    (event("e1", "t1", More="[" * 40_000).replace(b'"[', b"["), Code.TOO_DEEP),
]


@pytest.mark.parametrize(("raw", "code"), WRONG)
def test_what_is_no_envelope_is_one_fault(raw: str | bytes, code: Code) -> None:
    """R89, CASE-I04, CASE-L04, CASE-L05: strict JSON, one code, one sentence, nothing repaired."""
    fault = parse_envelope(raw)
    assert isinstance(fault, EventFault)
    assert (fault.code, "\n" in fault.reason) == (code, False)
    assert len(fault.reason) < 160


def test_the_bounds_are_where_they_are_said_to_be() -> None:
    """CASE-I04: 64 KiB and 32 levels are taken, one more is not."""
    whole = MAX_EVENT_BYTES - len(event("e1", "t1", More=""))
    assert parse_envelope(event("e1", "t1", More="x" * whole)) == ENVELOPE
    larger = parse_envelope(event("e1", "t1", More="x" * (whole + 1)))
    assert isinstance(larger, EventFault)
    assert larger.code is Code.TOO_LARGE
    wide = parse_envelope(event("e1", "t1", More="é").decode() + "é" * (MAX_EVENT_BYTES // 2))
    assert isinstance(wide, EventFault)
    assert wide.code is Code.TOO_LARGE
    nested: object = "end"
    for _ in range(31):
        nested = [nested]
    assert parse_envelope(event("e1", "t1", More=nested)) == ENVELOPE
    deeper = parse_envelope(event("e1", "t1", More=[nested]))
    assert isinstance(deeper, EventFault)
    assert deeper.code is Code.TOO_DEEP


def test_brackets_in_a_text_are_no_nesting() -> None:
    """CASE-I04: also behind an escaped quote."""
    assert parse_envelope(event("e1", "t1", More='"[' * 9000)) == ENVELOPE


@given(st.binary(max_size=400))
def test_any_bytes_are_an_envelope_or_a_fault(raw: bytes) -> None:
    """R89: nothing else ever comes out."""
    assert isinstance(parse_envelope(raw), EventFault)


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(max_size=8), st.lists, max_leaves=8))
def test_any_value_anywhere_is_an_envelope_or_a_fault(value: object) -> None:
    """CASE-L05: whatever stands in whichever place."""
    for key in ("EventId", "SourceSessionKey", "TargetSessionKey", "OccurredUtc", "Data", "EventType"):
        read = parse_envelope(json.dumps(event_form("e1", "t1") | {key: value}))
        assert isinstance(read, EventEnvelope | EventFault)
        if isinstance(read, EventEnvelope):
            assert parse_envelope(render_envelope(read)) == read
            assert len(digest(read)) == 64


def test_each_part_of_an_event_counts_in_its_digest() -> None:
    """R92: other content under the same id is told by it."""
    changed: list[dict[str, object]] = [
        {"EventType": "turn.started"},
        {"SourceSessionKey": "desk:beta"},
        {"TargetSessionKey": ""},
        {"OccurredUtc": "2030"},
        {"Data": {"TurnKey": "t2"}},
    ]
    read = [parse_envelope(event("e1", "t1", **change)) for change in [{}, *changed]]
    assert len({digest(one) for one in read if isinstance(one, EventEnvelope)}) == len(changed) + 1


def test_a_signature_is_the_hmac_of_the_bytes() -> None:
    """R92: `sha256=` and 64 small hex digits, over the body as it came."""
    raw = event("e1", "t1")
    expected = "sha256=" + hmac.new(b"k", raw, hashlib.sha256).hexdigest()
    assert sign(b"k", raw) == expected
    assert verify(b"k", raw, expected)


@pytest.mark.parametrize(
    "header",
    [
        *(sign(b"other", b"x"), sign(b"k", b"y"), "sha256=" + "é" * 64, "sha1=" + "0" * 40, sign(b"k", b"x") + "\n"),
        None,
        "",
        "sha256=",
        sign(b"k", b"x")[7:],
        sign(b"k", b"x").upper(),
        sign(b"k", b"x") + " ",
        " " + sign(b"k", b"x"),
    ],
)
def test_only_the_documented_form_of_a_signature_counts(header: str | None) -> None:
    """R92: another key, other bytes, another spelling."""
    assert not verify(b"k", b"x", header)
    assert verify(b"k", b"x", sign(b"k", b"x"))


def test_no_key_verifies_nothing() -> None:
    """R92: a home without a webhook key takes no webhook."""
    assert not verify(b"", b"x", sign(b"", b"x"))
