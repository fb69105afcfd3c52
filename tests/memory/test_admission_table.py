"""Which rules bind whom, and what each does to the others, stands in one table."""

from ferrule.memory.admission import RULES, admit
from ferrule.memory.submission import AdmissionView, Scope, Submission, Written
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.loading import load_shipped


def test_which_rules_bind_whom() -> None:
    """DEC-D5: 1 to 7 bind everybody, but what only a review can know; 8 and 12 warn a person; 6 and 7 drop lines."""
    view = AdmissionView(permanent=load_shipped().layer, session=InMemoryLayer())
    assert isinstance(admit(Submission("prototype Q : Host;", Scope.PERSON), view), Written)
    numbers = [rule.number for rule in RULES]
    assert numbers == [1, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    assert [at for at, rule in enumerate(RULES) if not rule.for_person] == [3, 9, 10, 11]
    assert [rule.number for rule in RULES if rule.warns_person] == [8, 12]
    assert [rule.number for rule in RULES if rule.drops] == [6, 7]
    assert [rule.number for rule in RULES if rule.of_what_is_left] == [8, 9, 10, 11, 12]
    assert [rule.number for rule in RULES if rule.rests] == [10]
    assert [rule.number for rule in RULES if rule.always] == [7]
