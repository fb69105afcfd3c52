"""The standard reject oracle of reliability.md section 0, and its counterpart for what is accepted ("RJ", "OK1").

Whatever is refused at the real door of a real store: the code is the one expected and stands in a structured answer,
the memory is what it was, one receipt tells hash and length of the text and none of it, no canary lies in any file, the
next harmless write is taken, and nothing outside the home was opened, started or called meanwhile.
"""

import base64
import os
import sqlite3
import sys
import threading
import urllib.parse
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Protocol

import pytest
from critic_cases import SESSION

from ferrule.bridge.values import Accepted, Answer, Proposal, Receipt, Refused
from ferrule.errors import FerruleError
from ferrule.memory.door import NLMemoryDoor

__all__ = [
    "Room",
    "codes",
    "forms",
    "found_in",
    "standard_accept",
    "standard_error",
    "standard_reject",
    "state",
    "watched",
]

_KNOWN = ("memories", "writes", "provenance", "memory_keys", "phrases", "words", "fragments", "tombstones", "touched")
_RUNS = ("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.spawn", "ctypes.", "pty.")
_OURS = (Path(__file__).parents[2] / "src", Path(sys.prefix), Path(sys.base_prefix))
_SEEN: list[tuple[str, str]] = []
_WATCHED: list[tuple[int, Path]] = []


class Room(Protocol):
    """A home with a session, in which a review can be made."""

    home: Path

    def state(self) -> str:
        """A digest of everything that is known."""
        ...

    def attempt(self, door: NLMemoryDoor, proposal: Proposal, *, looking: bool = True) -> Answer:
        """Look everything up as an honest critic would, then hand it over."""
        ...

    def commit(self, door: NLMemoryDoor) -> tuple[Receipt, ...]:
        """Hand the review in."""
        ...

    def benign(self) -> Answer:
        """A harmless write of a further turn."""
        ...


def state(home: Path) -> str:
    """A digest of what a session knows; receipts, reviews, turns and lanes are left out (INV-I1)."""
    database = sqlite3.connect(home / "ferrule.sqlite3")
    try:
        tables = [(table, f"SELECT * FROM {table}") for table in _KNOWN]  # noqa: S608 - names from the list above
        rows: list[object] = [(table, sorted(map(repr, database.execute(query)))) for table, query in tables]
        rows.append(sorted(map(repr, database.execute("SELECT key, revision FROM sessions WHERE key = ?", (SESSION,)))))
    finally:
        database.close()
    return sha256(repr(rows).encode("utf-8", "surrogatepass")).hexdigest()


def forms(secret: str) -> tuple[bytes, ...]:
    """A canary in the forms in which it could lie in a file."""
    raw = secret.encode()
    return (
        raw,
        base64.b64encode(raw).rstrip(b"="),
        urllib.parse.quote(secret, safe="").encode(),
        secret.encode("utf-16-le"),
        raw.hex().encode(),
        "".join(f"\\u{ord(char):04x}" for char in secret).encode(),
    )


def found_in(home: Path, *secrets: str) -> list[tuple[str, str]]:
    """(file, canary) for every canary that stands in some byte of the home, in any form (INV-I6)."""
    return [
        (str(path.relative_to(home)), secret)
        for path in sorted(home.rglob("*"))
        if path.is_file()
        for secret in secrets
        if any(form in path.read_bytes() for form in forms(secret))
    ]


def codes(answer: Answer) -> list[str]:
    """The codes of a refusal, empty for anything else."""
    return [refusal.code.value for refusal in answer.refusals] if isinstance(answer, Refused) else []


def standard_reject(
    room: Room, door: NLMemoryDoor, proposal: Proposal, code: str, *, canaries: Sequence[str] = ()
) -> Refused:
    """The code first, state as before, one receipt, no canary, the next write taken, a clean trace: (a) to (f)."""
    before = room.state()
    looking = not canaries and "\\ud8" not in ascii(proposal.definition)
    with watched(room.home) as seen:
        answer = room.attempt(door, proposal, looking=looking)
        assert isinstance(answer, Refused), answer
        assert door.staged() == ()
        receipts = [receipt for receipt in room.commit(door) if receipt.verdict == "refused"]
    assert codes(answer)[0] == code, answer
    assert all(refusal.rule or refusal.code.value in ("WRONG_SESSION", "BUDGET") for refusal in answer.refusals)
    assert all(refusal.message and refusal.remedy for refusal in answer.refusals)
    assert all((refusal.line, refusal.column) >= (1, 1) and refusal.offset >= 0 for refusal in answer.refusals)
    assert room.state() == before
    _attested(receipts, proposal, code)
    assert seen == []
    assert isinstance(room.benign(), Accepted)
    said = " ".join(refusal.message + refusal.remedy + refusal.property for refusal in answer.refusals)
    assert not [canary for canary in canaries if canary in said]
    assert found_in(room.home, *canaries) == []
    return answer


def _attested(receipts: Sequence[Receipt], proposal: Proposal, code: str) -> None:
    payload = proposal.definition.encode("utf-8", "surrogatepass")
    digest = sha256(payload).hexdigest()
    assert [(r.prototype, r.payload_length, r.payload_sha256) for r in receipts] == [("", len(payload), digest)]
    assert receipts[0].code.split()[0] == code


def standard_accept(room: Room, door: NLMemoryDoor, proposal: Proposal, values: Mapping[str, object]) -> None:
    """Exactly one write, one receipt, each value reads back equal, and a clean trace ("OK1")."""
    with watched(room.home) as seen:
        answer = room.attempt(door, proposal)
        assert isinstance(answer, Accepted), answer
        receipts = room.commit(door)
    assert [(receipt.verdict, receipt.prototype) for receipt in receipts] == [("accepted", answer.prototype)]
    (staged,) = door.staged()
    assert {prop.name: prop.value for prop in staged.prototype.properties if prop.name in values} == values
    assert seen == []


def standard_error(room: Room, deed: Callable[[], object], code: str) -> FerruleError:
    """As `standard_reject` where no definition is handed in, and so no receipt is given: the way there is refused."""
    before = room.state()
    with watched(room.home) as seen, pytest.raises(FerruleError) as told:
        deed()
    assert told.value.code.value == code
    assert room.state() == before
    assert seen == []
    assert isinstance(room.benign(), Accepted)
    return told.value


@contextmanager
def watched(home: Path) -> Iterator[list[tuple[str, str]]]:
    """What this thread opens outside the home, starts or connects to; reading our own code is no matter (INV-I5)."""
    _hooked()
    _SEEN.clear()
    _WATCHED.append((threading.get_ident(), home.resolve()))
    seen: list[tuple[str, str]] = []
    try:
        yield seen
    finally:
        _WATCHED.clear()
        seen += _SEEN


def _hooked() -> None:
    if not getattr(sys, "_ferrule_watch", False):
        sys._ferrule_watch = True  # type: ignore[attr-defined]
        sys.addaudithook(_watch)


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if not _WATCHED or _WATCHED[0][0] != threading.get_ident():
        return
    if event == "open" and isinstance(arguments[0], str | bytes) and Path(os.fsdecode(arguments[0])).is_absolute():
        # A bare name is opened below a descriptor of the home: where that leads is tried with links in its way.
        name = os.path.realpath(os.fsdecode(arguments[0]))
        if not any(Path(name).is_relative_to(place) for place in (_WATCHED[0][1], *_OURS)):
            _SEEN.append((event, name))
    elif event.startswith(_RUNS):
        _SEEN.append((event, repr(arguments)[:120]))
