"""Files that a client saw change while a call ran are rows of the ledger, where nothing else names them."""

import pytest

from ferrule.referents.kinds import Place
from ferrule.session.ledger.ledger import ledger
from ferrule.session.turn import ToolCall, Verb

MADE = {"path": "/w/gen.py", "status": "added"}
GONE = {"path": "/w/old.py", "status": "deleted"}
KEPT = {"path": "src/a.py", "status": "modified"}
CASES: list[tuple[object, list[tuple[Verb, str]]]] = [
    (
        [MADE, GONE, KEPT],
        [(Verb.CREATED, "/w/gen.py"), (Verb.DELETED, "/w/old.py"), (Verb.EDITED, "/w/src/a.py")],
    ),
    ([MADE, MADE, {"path": "/w/named.py"}], [(Verb.CREATED, "/w/gen.py")]),
    ([{"path": "/w/b.py"}], [(Verb.EDITED, "/w/b.py")]),
    ([None, 7, {}, {"path": 7}, {"path": ""}, {"path": "*.py"}, {"path": "-"}], []),
    ("/w/gen.py", []),
    ([{"path": f"/w/{number}.py"} for number in range(90)], [(Verb.EDITED, f"/w/{number}.py") for number in range(20)]),
]


@pytest.mark.parametrize(("files", "rows"), CASES)
def test_changed_files_are_rows_beside_those_of_the_call(files: object, rows: list[tuple[Verb, str]]) -> None:
    """R18: a fact however the call ended; each once, none that the call names itself, and bounded."""
    for ok in (True, False, None):
        call = ToolCall("c", "bash", {"command": "touch named.py"}, "", ok, details={"files_changed": files})
        actions = ledger([call], Place(cwd="/w"))
        assert [(row.verb, row.target) for row in actions] == [(Verb.CREATED, "/w/named.py"), *rows]
        assert all(row.ok is True for row in actions[1:])
