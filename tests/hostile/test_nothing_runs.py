"""Hostile definitions are data: handling them opens no file outside the home, no socket, and starts nothing."""

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = r"""
import json, os, sys
from pathlib import Path
sys.path[:0] = [sys.argv[2]]
import test_form_attacks, test_evidence_attacks, test_overwrite_attacks  # noqa: imported before the watch begins
from hostile_cases import seeded, hostile_turn, permanent, _seeded
home = Path(sys.argv[1]).resolve() / "home"
permanent(); _seeded()
arena = seeded(home)
door = arena.open(hostile_turn())
warm = arena.attempt(door, arena.proposal(door, "prototype HarbourParser : SourceFile { FilePath = $\"{x}\"; }"))
attacks = [a for table in (test_form_attacks.TEXT, test_form_attacks.SHAPE, test_form_attacks.SIZE,
           test_evidence_attacks.INVENTED, test_overwrite_attacks.IDENTITY) for a in table]
seen = []
RUNS = ("subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.spawn", "ctypes.", "compile", "exec",
        "import", "marshal.", "pickle.", "code.")
def watch(event, arguments):
    if event == "open":
        name = arguments[0]
        if isinstance(name, (str, bytes)) and not os.path.realpath(os.fsdecode(name)).startswith(str(home)):
            seen.append((event, os.fsdecode(name)))
    elif event.startswith("socket.") or event.startswith(RUNS):
        seen.append((event, repr(arguments)[:120]))
sys.addaudithook(watch)
answers = []
for attack in attacks:
    door._calls.clear(); door._asked.clear()
    answers.append(type(door.check(arena.proposal(door, attack.text, attack.target))).__name__)
    answers.append(type(door.write(arena.proposal(door, attack.text, attack.target))).__name__)
arena.commit(door)
print(json.dumps([len(attacks), sorted(set(answers)), seen]))
"""


def test_handling_hostile_definitions_touches_nothing_outside_the_home(tmp_path: Path) -> None:
    """INV-I5, CASE-B04, CASE-B06, CASE-A13: watched by an audit hook in a process of its own."""
    here = Path(__file__)
    command = [sys.executable, "-c", SCRIPT, str(tmp_path), str(here.parent)]
    paths = [str(here.parents[1] / "support"), str(here.parents[2] / "src")]
    told = subprocess.run(  # noqa: S603 - our own interpreter
        command, check=False, capture_output=True, text=True, env={"PYTHONPATH": ":".join(paths), "HOME": str(tmp_path)}
    )
    assert told.returncode == 0, told.stderr
    count, answers, seen = json.loads(told.stdout)
    assert count > 100
    assert answers == ["Refused"]
    assert seen == []
