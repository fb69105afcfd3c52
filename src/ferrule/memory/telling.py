"""What a rule found becomes what people and models are told: placed in the text, without secrets, in one order.

Owns the words that leave admission. Knows no rule.
"""

from collections.abc import Iterable

from ferrule.bridge.values import Refusal
from ferrule.memory.case import Case, Finding
from ferrule.referents.secrets.detect import find_secrets

__all__ = ["in_order", "told"]

_LEFT_OUT = "[left out]"


def told(case: Case, found: Iterable[tuple[Finding, int]]) -> tuple[Refusal, ...]:
    """Each finding of a rule with its place in the text, and without any word of it that looks like a secret (R28)."""
    findings = tuple(found)
    if not findings:
        return ()
    source = case.source.text[: case.view.limits.definition_bytes]
    secrets = tuple(source[secret.start : secret.end] for secret in find_secrets(source))
    return in_order(_refusal(case, finding, rule, secrets) for finding, rule in findings)


def in_order(refused: Iterable[Refusal]) -> tuple[Refusal, ...]:
    """By rule, then by place in the text, each once (R89): the same definition is always answered in the same words."""
    return tuple(dict.fromkeys(sorted(refused, key=lambda refusal: (refusal.rule, refusal.offset))))


def _refusal(case: Case, finding: Finding, rule: int, secrets: tuple[str, ...]) -> Refusal:
    line, column = case.source.position(finding.span.start)
    return Refusal(
        finding.code,
        finding.rule or rule,
        _without_secrets(finding.message, secrets),
        _without_secrets(finding.remedy, secrets),
        _without_secrets(finding.property, secrets),
        line,
        column,
        finding.span.start,
    )


def _without_secrets(said: str, secrets: tuple[str, ...]) -> str:
    """A sentence for people without what looks like a secret, in itself or in the text that it is about."""
    for secret in secrets:
        said = said.replace(secret, _LEFT_OUT)
    for found in reversed(find_secrets(said)):
        said = said[: found.start] + _LEFT_OUT + said[found.end :]
    return said
