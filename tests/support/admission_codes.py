"""Every code of the table in design section 4 by its rule, each with a definition that is refused so first of all."""

from collections.abc import Callable

from rule_cases import FILE, Critic

from ferrule.bridge.values import Modality

__all__ = ["CODES", "GAUGE", "KEY"]

GAUGE = f'prototype TideGauge : SourceFile {{ EntityName = @"Tide gauge"; FilePath = @"{FILE}"; }}'
KEY = "ghp_" + "a8Fk2LmQ9xZ7rT4vB1nC6yW3sD5gH0jKpEuR"


def stale(critic: Critic) -> str:
    """A search that a later write has overtaken."""
    critic.extra = {"touched_after": lambda _revision, _marks: True}
    return GAUGE


def unsearched(critic: Critic) -> str:
    """Nothing was looked up."""
    critic.record = ()
    return GAUGE


def uninspected(critic: Critic) -> str:
    """Searched, but neither values nor schema were looked at."""
    critic.record = tuple(call for call in critic.searched(GAUGE) if call.tool == "search")
    return GAUGE


def overstated(critic: Critic) -> str:
    """More than the turn shows."""
    critic.modality = Modality.DELETED
    return GAUGE


def known_already(critic: Critic) -> str:
    """The handle belongs to something else."""
    critic.write(GAUGE)
    return GAUGE.replace("TideGauge", "Another").replace("Tide gauge", "Gauge")


def valued_already(critic: Critic) -> str:
    """One line repeats what stands."""
    critic.write(GAUGE)
    return f'partial prototype TideGauge {{ FilePath = @"{FILE}"; Aliases = @"water clock"; }}'


def as_is(text: str) -> Callable[[Critic], str]:
    """A definition that needs no preparation."""
    return lambda _critic: text


# The bad definition breaks later rules as well.
CODES: list[tuple[int, str, Callable[[Critic], str]]] = [
    (1, "TOO_LARGE", as_is(f'prototype A : Nope {{ Notes = @"{"x" * 17_000}"; }}')),
    (1, "BAD_TEXT", as_is('prototype A : Nope { Notes = @"\x07"; }')),
    (2, "PARSE", as_is("prototype A : Nope { Notes = ; }")),
    (2, "NOT_ONE_PROTOTYPE", as_is("prototype A : Nope { } prototype B : Nope { }")),
    (2, "FORBIDDEN_CONSTRUCT", as_is("prototype null : Nope { Notes = 1 + 1; }".replace("null", "A"))),
    (2, "TOO_DEEP", as_is(f"prototype A : Nope {{ Notes = {'[' * 65}{']' * 65}; }}")),
    (3, "BAD_IDENTIFIER", as_is("prototype A.B : Nope { }")),
    (3, "RESERVED_NAME", as_is("prototype Service : Nope { }")),
    (3, "ALREADY_EXISTS", known_already),
    (4, "UNKNOWN_TYPE", as_is("prototype A : Nope { Unheard = 1; }")),
    (4, "TYPE_MISMATCH", as_is("prototype A : A { Unheard = 1; }")),
    (5, "UNKNOWN_PROPERTY", as_is(f'prototype A : Host {{ Unheard = @"{KEY}"; }}')),
    (5, "UNKNOWN_REFERENCE", as_is(f'prototype A : Worktree {{ Repository = Unheard; Notes = @"{KEY}"; }}')),
    (5, "TYPE_MISMATCH", as_is(f'prototype A : Worktree {{ Repository = 5; Notes = @"{KEY}"; }}')),
    (6, "ALREADY_VALUED", valued_already),
    (7, "SECRET_VALUE", as_is(f'prototype A : Host {{ Notes = @"{KEY}"; }}')),
    (8, "NO_HANDLE", as_is('prototype A : Host { EntityName = @"Zephyr"; }')),
    (9, "NO_EVIDENCE", as_is('prototype A : Host { HostName = @"zephyr.example"; LifecycleState = @"deleted"; }')),
    (10, "MODALITY", overstated),
    (11, "NO_SEARCH_PROOF", unsearched),
    (11, "NOT_INSPECTED", uninspected),
    (11, "STALE_REVISION", stale),
    (12, "NOT_DURABLE", as_is(GAUGE.replace("TideGauge", "TideFailure").replace("SourceFile", "SemanticEntityBase")
        .replace("FilePath", "String FilePath"))),
]  # fmt: skip
