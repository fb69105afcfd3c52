"""What waits is reviewed in this process, for a host that wants no worker: stored events first, then lane by lane.

Owns that order and its end: it stops when nothing is due any more. Knows nothing of how a turn is judged.
"""

import time
from collections.abc import Iterator

from ferrule.companion.dispatching import drain
from ferrule.companion.outcomes import Outcome
from ferrule.companion.worker import work_lane
from ferrule.errors import Code, UsageError
from ferrule.wiring.critic import critic_of, projected
from ferrule.wiring.home import Home

__all__ = ["review_pending"]


def review_pending(home: Home, source: str | None = None) -> Iterator[dict[str, object]]:
    """Review what waits for one source, or for all; yields each turn's review as soon as it is committed.

    A lane that a worker holds, that is paused, or whose oldest turn failed is left as it is.

    Raises:
        UsageError: this thread evaluates a source: its evaluation would wait for a review (R78).
        StoreError: the home cannot be written; what was committed before stands.
    """
    held = home.gate.held()
    if held:
        raise UsageError(f"nothing is reviewed while this thread evaluates {', '.join(held)}", code=Code.BAD_TOOL_ARGS)
    while drain(home.store, now=time.time()):
        pass
    critic = critic_of(home)
    waiting = [lane.source for lane in home.store.lanes() if lane.waiting] if source is None else [source]
    for lane in waiting:
        wrote = False
        try:
            for outcome in work_lane(critic, lane):
                wrote = wrote or outcome.outcome is Outcome.WROTE
                yield {"session": lane, **outcome.json_form()}
        finally:
            if wrote:
                projected(home, lane)
