"""Words that state how real a thing is, wherever a property states it (D10, CASE-A09).

Owns the closed vocabulary of `LifecycleState` and what common state words claim. Knows nothing of evidence.
"""

from collections.abc import Mapping

from ferrule.bridge.values import Modality
from ferrule.ontology.current import family
from ferrule.ontology.values import Value

__all__ = ["CLAIMS_REALITY", "LIFECYCLE", "stated"]

LIFECYCLE = "LifecycleState"
_ENDINGS = ("State", "Status", "Stage", "Phase")

# What a state word claims. Words that claim no more than a name ("open", "draft") are ordinary values.
_WORDS: Mapping[str, Modality] = {
    **dict.fromkeys(("planned", "proposed", "intended", "wanted"), Modality.PLANNED),
    **dict.fromkeys(("reported", "claimed"), Modality.REPORTED),
    **dict.fromkeys(("created", "built", "implemented", "generated", "written"), Modality.CREATED),
    **dict.fromkeys(("changed", "updated", "modified", "edited"), Modality.CHANGED),
    **dict.fromkeys(("deleted", "removed"), Modality.DELETED),
    **dict.fromkeys(("existing", "exists", "done", "completed", "finished", "deployed", "live"), Modality.EXISTING),
}
# In free text these words turn a plan into a fact.
CLAIMS_REALITY = ("created", "exists", "existing", "built", "implemented", "deployed", "finished", "completed", "done")


def stated(name: str, value: Value) -> Modality | None:
    """The modality that a property states, or None when it states none."""
    if not isinstance(value, str) or not family(name).endswith(_ENDINGS):
        return None
    return _WORDS.get(value.strip().casefold())
