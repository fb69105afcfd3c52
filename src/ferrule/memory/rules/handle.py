"""Rule 8: no memory without a handle (R24, R25, R29, R30, D3, D4).

Owns the question whether the prototype, as it would stand, can be pointed at.
"""

from ferrule.errors import Code
from ferrule.memory.case import Case, Finding
from ferrule.ontology.handles import linked_handle

__all__ = ["handle_rule", "pointed_at"]


def pointed_at(case: Case) -> bool:
    """Whether it carries a handle of its own, or links to something that does (D3)."""
    return case.carried.own or linked_handle(case.merged, case.trial, case.place)


def handle_rule(case: Case) -> list[Finding]:
    """NO_HANDLE when it carries none of its own and links to nothing that does (CASE-A15)."""
    if pointed_at(case):
        return []
    message = "Nothing in it can be pointed at: no path, URL, id, command or link to an entity that has one."
    remedy = "Put the handle in a property of its own, such as FilePath or RemoteUrl, not in free text."
    return [Finding(Code.NO_HANDLE, message, remedy, span=case.tree.name_span, basis=True)]
