"""Everything that is wrong with a definition is told in one answer, and nothing twice (R54, R59, R89).

Owns which rules are heard although another has found something, and which findings another one already implies. Knows
no rule by name.

A finding is left out in five cases, each because repairing the other one decides it:

- *final*: the definition must not be written at all, or is to be written as something else: nothing else matters;
- *the line goes*: rule 6 or 7 says to drop a line, so what is left is what the rules from 8 on judge;
- *another name*: rule 3 has refused a property's name, so rule 5 says nothing of how it is declared;
- *basis*: no handle, or one that the turn does not have: how real the thing is (rule 10) cannot be said yet;
- *not there*: a rule itself leaves out what it cannot know, such as the properties of an unknown base.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ferrule.bridge.values import Refusal
from ferrule.memory.case import Case, Finding
from ferrule.memory.rules.overwrite import unaltered
from ferrule.memory.telling import in_order, told

__all__ = ["Rule", "about_the_whole", "all_heard", "first_heard"]

Judge = Callable[[Case], list[Finding]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One admission rule: its number in design.md section 4, and what it does to a person's own memory (DEC-D5).

    Attributes:
        drops: its remedy is to drop the line.
        of_what_is_left: it judges what stays once those lines are gone.
        rests: it rests on what a `basis` finding denies.
        always: it is heard beside a `final` finding too: whoever keeps a refused text must know that it holds a secret.
    """

    number: int
    judge: Judge
    for_person: bool = True
    warns_person: bool = False
    drops: bool = False
    of_what_is_left: bool = False
    rests: bool = False
    always: bool = False

    def heard(self, case: Case) -> bool:
        """Whether it binds who submits the definition, or warns who wants to be warned."""
        return case.by_critic or (self.for_person and (case.submission.warned or not self.warns_person))


@dataclass(frozen=True, slots=True)
class _Said:
    rule: Rule
    finding: Finding


def first_heard(case: Case, rules: Sequence[Rule]) -> tuple[Refusal, ...]:
    """All findings of the first rule that finds any: each of these rules makes the text readable for the next."""
    for rule in rules:
        found = rule.judge(case)
        if found:
            return told(case, ((finding, rule.number) for finding in found))
    return ()


def about_the_whole(refused: Sequence[Refusal]) -> bool:
    """Whether the text, the name or the bases are refused, and not only single properties of their own (rule 3)."""
    return any(not refusal.property or refusal.rule != _NAMES for refusal in refused)


def all_heard(
    case: Case, rules: Sequence[Rule], refused: Sequence[Refusal] = ()
) -> tuple[tuple[Refusal, ...], tuple[Refusal, ...]]:
    """(refusals, warnings) of rules that are heard together; `refused` are properties refused for their names before.

    Warnings are only given with an admission.
    """
    said: list[_Said] = []
    left = case
    for rule in rules:
        if not rule.heard(case) or _settled(rule, said):
            continue
        if rule.of_what_is_left and left is case:
            left = case.without(_dropped(said))
            if left is not case and unaltered(left):
                break  # nothing is left to be judged
        said += (_Said(rule, finding) for finding in rule.judge(left if rule.of_what_is_left else case))
    against = [one for one in said if not _only_warns(case, one.rule)]
    if any(one.finding.final for one in against):
        against, refused = [one for one in against if one.finding.final or one.rule.always], ()
    misnamed = {refusal.property for refusal in refused}
    found = told(case, ((one.finding, one.rule.number) for one in against if not _renamed(one, misnamed)))
    if found or refused:
        return in_order((*refused, *found)), ()
    return (), told(case, ((one.finding, one.rule.number) for one in said))


_NAMES, _PROPERTIES = 3, 5


def _only_warns(case: Case, rule: Rule) -> bool:
    return rule.warns_person and not case.by_critic


def _settled(rule: Rule, said: Sequence[_Said]) -> bool:
    """Whether what was found already leaves the rule nothing to say."""
    if rule.rests and any(one.finding.basis for one in said):
        return True
    return not rule.always and any(one.finding.final for one in said)


def _dropped(said: Sequence[_Said]) -> frozenset[str]:
    """Properties whose lines go; an augmentation also drops the handle of another thing."""
    return frozenset(one.finding.property for one in said if one.rule.drops or one.rule.number == _NAMES) - {""}


def _renamed(one: _Said, misnamed: set[str]) -> bool:
    return one.rule.number == _PROPERTIES and one.finding.property in misnamed
