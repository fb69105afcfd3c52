"""The closed words of a review: roles, modalities, passes, dispositions.

Owns the vocabulary that every other value of the bridge is made of. Knows nothing else.
"""

from enum import StrEnum

__all__ = [
    "Confidence",
    "Disposition",
    "Modality",
    "Proves",
    "Role",
    "SearchKind",
    "Stage",
]


class Role(StrEnum):
    """In which role a piece of the turn speaks (design.md section 2, step 6)."""

    INTENT = "intent"
    OUTCOME = "outcome"
    ACTION = "action"
    OBSERVATION = "observation"


class Modality(StrEnum):
    """How real a thing is, by evidence: planned < reported < created / changed / deleted / existing (D10)."""

    PLANNED = "planned"
    REPORTED = "reported"
    CREATED = "created"
    CHANGED = "changed"
    DELETED = "deleted"
    EXISTING = "existing"

    @property
    def rung(self) -> int:
        """The rung on the ladder: 0 planned, 1 reported, 2 the rest."""
        return {"planned": 0, "reported": 1}.get(self.value, 2)


class Stage(StrEnum):
    """The pass in which a door call is made (R31)."""

    IDENTITY = "identity"
    PROPERTIES = "properties"


class Disposition(StrEnum):
    """The five classes of pass 1 (R36)."""

    EXISTING_SUFFICIENT = "existing-sufficient"
    EXISTING_AUGMENT = "existing-augment"
    NEW_CREATE = "new-create"
    REFERENCE_ONLY = "reference-only"
    DEFERRED_UNCERTAIN = "deferred-uncertain"


class Confidence(StrEnum):
    """Only high is written (design.md section 3)."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class SearchKind(StrEnum):
    """What a search looks for."""

    NAME = "name"
    ALIAS = "alias"
    HANDLE = "handle"


class Proves(StrEnum):
    """What a piece of evidence is cited for."""

    HANDLE = "handle"
    NAME = "name"
    ALIAS = "alias"
    PROPERTY = "property"
    RELATION = "relation"
