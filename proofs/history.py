"""One step in words, so that a seed that broke something can be read like a log.

Owns the line. Knows nothing of what is right.
"""

from ferrule.session.source import LaneClaim
from proofs.acts import Called, Step

__all__ = ["in_words"]


def in_words(step: Step) -> str:
    """Who did what, what it called, and which instructions changed."""
    act = step.act
    meant = " ".join(word for word in (act.kind.value, act.twist, act.source, *act.turns, act.mode) if word)
    called = ", ".join(_call(call) for call in step.calls)
    changed = ", ".join(
        f"{source} {turn}: {was.state if (was := step.before.orders.get((source, turn))) else 'new'} > {order.state}"
        for (source, turn), order in step.after.orders.items()
        if step.before.orders.get((source, turn)) != order
    )
    return " | ".join(part for part in (f"{step.now:.1f} {step.actor}", meant, called, changed) if part)


def _call(call: Called) -> str:
    if call.failed:
        return f"{call.method} failed with {call.failed}"
    if isinstance(call.result, LaneClaim):
        return f"{call.method} got {call.result.source} {call.result.instruction.turn}, epoch {call.result.epoch}"
    return f"{call.method}: {call.result}" if isinstance(call.result, bool | None) else call.method
