"""What the critic can see for itself before it bothers the source: shape, evidence, size.

A gate never decides: the source judges every write again. Owns the cheap checks. Knows nothing of what is known.
"""

from ferrule.bridge.values import Proposal, Proves, Refusal
from ferrule.errors import Code

__all__ = ["complaint"]

_MAX_DEFINITION = 16 * 1024
_MAX_VALUE = 2_000


def complaint(proposal: Proposal) -> Refusal | None:
    """The first thing that is plainly wrong with a proposal, or None."""
    if len(proposal.definition.encode("utf-8", "replace")) > _MAX_DEFINITION:
        return _refusal(Code.TOO_LARGE, 1, "the definition is larger than 16 KiB", "leave values out")
    for claim in proposal.claims:
        if not claim.evidence:
            return _refusal(
                Code.NO_EVIDENCE, 9, "a property has no evidence", "cite it or drop it", name=claim.property
            )
        if len(claim.value) > _MAX_VALUE:
            return _refusal(
                Code.TOO_LARGE, 1, "a value is longer than 2,000 characters", "drop it", name=claim.property
            )
    handled = any(
        evidence.proves in (Proves.HANDLE, Proves.RELATION) for c in proposal.claims for evidence in c.evidence
    )
    if proposal.target is None and not handled:
        return _refusal(Code.NO_HANDLE, 8, "no property carries a handle", "cite a mention of a handle")
    return None


def _refusal(code: Code, rule: int, message: str, remedy: str, *, name: str = "") -> Refusal:
    return Refusal(code, rule, message, remedy, property=name)
