"""The process is killed at every call that changes the disk: the home is as before or as after, never a third (INV-I1).

Owns the campaign `calls` (CASE-J01, CASE-J07): every deed in every state of a home, every call. Knows nothing of other
faults.
"""

import signal
from collections import Counter
from collections.abc import Iterator, Sequence

from proofs.children import Brood, brood
from proofs.deeds import DEEDS, STATES
from proofs.judging_homes import wrong_at_rest
from proofs.scenes import Scene, staged_scenes, workshop
from proofs.tables import Row
from proofs.tracing import Fault, missing
from proofs.trials import trial

__all__ = ["calls", "killed_everywhere"]

_SHOWN = 5
_TIMES = 4


def calls(
    names: Sequence[str] = tuple(DEEDS), states: Sequence[str] = STATES, *, most: int | None = None
) -> Iterator[Row]:
    """Kill each deed in each state at each call; with `most`, at so many of them, evenly spread."""
    if reason := missing():
        yield Row("a kill at every call", "0", None, note=f"skipped: {reason}")
        return
    found: dict[str, Counter[str]] = {}
    with workshop("calls") as folder, brood() as family:
        for scene in staged_scenes(family, folder, tuple(names), tuple(states)):
            found.setdefault(scene.deed, Counter()).update(killed_everywhere(family, scene, most=most))
    for name, counted in found.items():
        runs = f"{counted['kills']} kills at {counted['points']} calls in {counted['states']} states of a home"
        note = f"{counted['after']} kept it whole, {counted['before']} not at all, {counted['acked']} acknowledged"
        yield Row(f"{name}: before or after, acknowledged means after", runs, counted["wrong"], note=note)


def killed_everywhere(family: Brood, scene: Scene, *, most: int | None = None) -> Counter[str]:
    """Kill one deed at each of its calls that change anything."""
    points = [call for call in scene.calls if call.name != "pread64"]
    found = Counter({"states": 1, "points": len(points)})
    step = 1 if most is None else max(1, len(points) // most)
    for call in points[::step]:
        wrong = _killed(family, scene, Fault(call.name, call.number, "signal=KILL"), found)
        found["wrong"] += bool(wrong)
        if wrong and found["wrong"] <= _SHOWN:
            print(f"{scene.deed} in {scene.state}, killed at {call.name} {call.number}: {'; '.join(wrong)}", flush=True)
    return found


def _killed(family: Brood, scene: Scene, fault: Fault, found: Counter[str]) -> list[str]:
    for _ in range(_TIMES):
        with scene.fresh() as home:
            done = trial(family, home, scene.deed, fault)
            if done.exit != -signal.SIGKILL:
                continue  # it made fewer calls this time: a wait for a lock that was not needed
            found["kills"] += 1
            found["acked"] += done.acked
            found["after" if scene.is_after(home) else "before"] += 1
            return [*scene.third(home, acked=done.acked), *wrong_at_rest(home, scene.deed)]
    return [f"was not killed at {fault.call} {fault.number}"]
