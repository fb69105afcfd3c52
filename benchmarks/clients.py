"""What a real client's turn costs with Ferrule in it, beside the same turn without it.

Turns in places that differ only by what is installed, in changing order. CPU is that of the client and of what it waits
for, so of the hooks too, and not of the worker, which goes on by itself. A client that is not here is left out.
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks.figures import Figure, percentile

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

from client_programmes import CLAUDE_CODE, CODEX, Absent, Package, command_of, new_place
from client_script import SMALL, script_in
from real_clients import RealClaude, RealClient, RealCodex, place_of
from real_processes import Ran, end_worker
from scripted_model import scripted_model

__all__ = ["clients"]

ROUNDS = 12
WITHOUT, TURN = "without", "with the hook at the end of a turn"
ALL = "with that, context at the start and the MCP server"


def clients() -> Iterator[Figure]:
    """Each client that is here."""
    for package, kind in ((CODEX, RealCodex), (CLAUDE_CODE, RealClaude)):
        try:
            command = command_of(package)
        except Absent as absent:
            print(f"{package.name} is left out: {absent}", file=sys.stderr)
            continue
        yield from _figures(package, _rounds(kind, command))


def _rounds(kind: type[RealClient], command: list[str]) -> Sequence[Mapping[str, Ran]]:
    with ExitStack() as stack:
        found: dict[str, RealClient] = {}
        for name in (WITHOUT, TURN, ALL):
            place = stack.enter_context(new_place())
            client = kind(command, place_of(place), stack.enter_context(scripted_model(script_in(place))))
            client.prepared()
            stack.callback(end_worker, client.home)
            _install(client, name)
            _turn(client)  # the first start of a client makes its folders, that of a worker the home
            found[name] = client
        names = list(found)
        return [
            {name: _turn(found[name]) for name in names[number % 3 :] + names[: number % 3]} for number in range(ROUNDS)
        ]


def _install(client: RealClient, name: str) -> None:
    if name == ALL:
        client.installs()
    if name == TURN:
        client.installs("--no-mcp")
        for path in client.configured():
            if path.name in {"hooks.json", "settings.json"}:
                value = json.loads(path.read_text(encoding="utf-8"))
                del value["hooks"]["SessionStart"]
                path.write_text(json.dumps(value), encoding="utf-8")
        client.trusts()


def _turn(client: RealClient) -> Ran:
    ran = client.turn(SMALL)
    assert ran.code == 0, ran.err  # noqa: S101 - what was measured is a turn
    return ran


def _figures(package: Package, rounds: Sequence[Mapping[str, Ran]]) -> Iterator[Figure]:
    for name in (TURN, ALL):
        pairs = [(one[WITHOUT], one[name]) for one in rounds]
        cpu, wall = [full.cpu - bare.cpu for bare, full in pairs], [full.wall - bare.wall for bare, full in pairs]
        ratio = percentile([full.cpu / bare.cpu for bare, full in pairs], 0.5)
        slower = percentile([full.wall / bare.wall for bare, full in pairs], 0.5)
        bare_cpu, bare_wall = (percentile([getattr(bare, of) for bare, _ in pairs], 0.5) for of in ("cpu", "wall"))
        yield Figure(
            f"a new session of {package.name} {package.version} with one small turn, {name}",
            f"{1000 * percentile(cpu, 0.5):+.0f} ms CPU, {1000 * percentile(wall, 0.5):+.0f} ms wall",
            "felt as nothing",
            f"{ratio:.2f} of the CPU and {slower:.2f} of the wall time of the same without Ferrule "
            f"({bare_cpu:.1f} s, {bare_wall:.1f} s), medians of {len(pairs)} rounds",
        )
