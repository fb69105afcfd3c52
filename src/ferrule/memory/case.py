"""A submission is read once, and every rule judges the same reading.

Owns the reading: the tree, the prototype that it declares, what is known about it, and how a refusal is placed in the
text. Knows no rule.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from ferrule.bridge.values import Mention, Refusal
from ferrule.errors import Code
from ferrule.memory.submission import AdmissionView, Scope, Submission
from ferrule.ontology.build import prototype_of
from ferrule.ontology.handles import handles_of, keys_of
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.values import LayerName, Prototype
from ferrule.protoscript import syntax
from ferrule.protoscript.reading import Parsed, parse
from ferrule.protoscript.source import Source
from ferrule.referents.kinds import NOWHERE, Handle, HandleKind, Place
from ferrule.referents.secrets.detect import find_secrets, looks_secret

__all__ = ["Carried", "Case", "Finding", "ontology_of", "place_of"]

_LEFT_OUT = "[left out]"
_START = syntax.Span(0, 0)
_NO_TREE = parse("prototype Nothing;").tree.prototypes[0]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found: what is wrong and what would make it pass, each in one sentence, and where."""

    code: Code
    message: str
    remedy: str
    property: str = ""
    span: syntax.Span = _START
    rule: int = 0


def ontology_of(view: AdmissionView) -> Ontology:
    """Everything that counts as known while judging, staged writes of this review included."""
    staged = InMemoryLayer()
    below = Ontology(view.permanent, view.session, view.lineage)
    place = place_of(view)
    mentions = view.turn.mentions if view.turn is not None else ()
    for prototype in view.staged:
        handles = handles_of(prototype, below.staged_with(prototype), place)
        staged.add(prototype, keys_of(tuple(keyed(handles, mentions))))
    return Ontology(view.permanent, view.session, view.lineage, staged)


def place_of(view: AdmissionView) -> Place:
    """What relative paths and bare numbers are relative to."""
    return view.turn.place if view.turn is not None else NOWHERE


@dataclass(frozen=True, slots=True)
class Carried:
    """Handles, typed references included: those that a definition writes, and those of the whole prototype after it."""

    written: tuple[Handle, ...]
    standing: tuple[Handle, ...]

    @property
    def own(self) -> bool:
        """Whether the prototype would carry a handle of its own that is not merely a reference."""
        return any(handle.kind is not HandleKind.TYPED_REFERENCE for handle in self.standing)


def keyed(handles: Sequence[Handle], mentions: Sequence[Mention]) -> Iterator[Handle]:
    """Handles keyed as the turn keys them: a mention knows more than the value alone, say of a relative path (D9)."""
    keys: dict[str, str] = {}
    for mention in mentions:
        keys.setdefault(mention.value, mention.key)
    for handle in handles:
        if handle.kind is HandleKind.TYPED_REFERENCE:
            yield handle
        else:
            yield replace(handle, key=keys.get(handle.value, handle.key))


class Case:
    """One submission and everything that the rules want to know of it, worked out when first asked."""

    def __init__(self, submission: Submission, view: AdmissionView) -> None:
        self.submission = submission
        self.view = view
        self.place = place_of(view)
        # As `looks_secret`, looked at once: rule 7 reads one value by itself, under its name and beside others.
        self.secret_kind: Callable[[str], str | None] = cache(looks_secret)

    @cached_property
    def source(self) -> Source:
        """The text without its byte-order mark; all positions are positions in it."""
        return Source.of(self.submission.text)

    @cached_property
    def reading(self) -> Parsed:
        """The parsed text. Only asked once rule 1 has found its size bounded."""
        return parse(self.source.text)

    @cached_property
    def tree(self) -> syntax.Prototype:
        """The one prototype; rule 2 has seen to it that there is exactly one."""
        return next(iter(self.reading.tree.prototypes), _NO_TREE)

    @cached_property
    def known(self) -> Ontology:
        """What is known without this definition."""
        return ontology_of(self.view)

    @cached_property
    def existing(self) -> Prototype | None:
        """The known prototype of the same name, merged over all layers."""
        return self.known.get(self.tree.name)

    @cached_property
    def written(self) -> Prototype:
        """The prototype exactly as the text declares it, with the bases it gets."""
        written = prototype_of(self.tree, LayerName.STAGED, fields_assign=True)
        bases = self.existing.bases if self.existing is not None else tuple(dict.fromkeys(written.bases))
        return Prototype(written.name, bases, written.properties, LayerName.STAGED, partial=written.partial)

    @cached_property
    def trial(self) -> Ontology:
        """The ontology as it would be with this definition in it."""
        return self.known.staged_with(self.written)

    @cached_property
    def merged(self) -> Prototype:
        """The whole prototype as it would stand, over all layers."""
        return self.trial.get(self.written.name) or self.written

    @cached_property
    def carried(self) -> "Carried":
        """The handles of the definition and of the whole prototype as it would stand."""
        mentions = self.view.turn.mentions if self.view.turn is not None else ()
        return Carried(
            written=tuple(keyed(handles_of(self.written, self.trial, self.place), mentions)),
            standing=handles_of(self.merged, self.trial, self.place),
        )

    @property
    def by_critic(self) -> bool:
        """Whether a critic submits it."""
        return self.submission.scope is Scope.CRITIC

    def refusal(self, finding: Finding, rule: int) -> Refusal:
        """The finding with its place in the text, and without any word of it that looks like a secret (R28)."""
        line, column = self.source.position(finding.span.start)
        source = self.source.text[: self.view.limits.definition_bytes]
        return Refusal(
            finding.code,
            finding.rule or rule,
            _without_secrets(finding.message, source),
            _without_secrets(finding.remedy, source),
            _without_secrets(finding.property, source),
            line,
            column,
            finding.span.start,
        )


def _without_secrets(said: str, source: str) -> str:
    """A sentence for people without what looks like a secret, in itself or in the text that it is about."""
    for secret in find_secrets(source):
        said = said.replace(source[secret.start : secret.end], _LEFT_OUT)
    for secret in reversed(find_secrets(said)):
        said = said[: secret.start] + _LEFT_OUT + said[secret.end :]
    return said
