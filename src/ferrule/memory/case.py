"""A submission is read once, and every rule judges the same reading.

Owns the reading: the tree, the prototype that it declares, and what is known about it. Knows no rule.
"""

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from ferrule.bridge.values import Mention
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
from ferrule.referents.secrets.detect import looks_secret

__all__ = ["Carried", "Case", "Finding", "ontology_of", "place_of"]

_START = syntax.Span(0, 0)
_NO_TREE = parse("prototype Nothing;").tree.prototypes[0]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found: what is wrong and what would make it pass, each in one sentence, and where.

    Attributes:
        rule: the rule that it belongs to, where that is not the one that found it.
        final: nothing else about the definition matters as long as this stands: it must not be written at all, or
            must be written as something else.
        basis: it denies what the definition is told apart by, so that whatever rests on that cannot be judged yet.
    """

    code: Code
    message: str
    remedy: str
    property: str = ""
    span: syntax.Span = _START
    rule: int = 0
    final: bool = False
    basis: bool = False


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

    def __init__(self, submission: Submission, view: AdmissionView, *, left_of: "Case | None" = None) -> None:
        self.submission = submission
        self.view = view
        self.place = place_of(view)
        self._left_of = left_of
        # As `looks_secret`, looked at once: rule 7 reads one value by itself, under its name and beside others.
        self.secret_kind: Callable[[str], str | None] = cache(looks_secret)
        # The names of everything known that holds an identity key: rules 3 and 9 ask for the same ones.
        self.holders: Callable[[str], tuple[str, ...]] = cache(
            lambda key: self.known.names(lambda layer: layer.holding(key))
        )

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

    def without(self, properties: Container[str]) -> "Case":
        """The case as it will be judged once the lines of these properties are gone, their claims as well.

        What a rule finds in it still stands where it stands in the text that was submitted.
        """
        members = tuple(member for member in self.tree.members if _named(member) not in properties)
        if len(members) == len(self.tree.members):
            return self
        submission = self.submission
        if submission.proposal is not None:
            claims = tuple(claim for claim in submission.proposal.claims if claim.property not in properties)
            submission = replace(submission, proposal=replace(submission.proposal, claims=claims))
        left = Case(submission, self.view, left_of=self)
        left.__dict__["tree"] = replace(self.tree, members=members)  # as if it had been read so
        return left

    @cached_property
    def known(self) -> Ontology:
        """What is known without this definition."""
        return ontology_of(self.view) if self._left_of is None else self._left_of.known

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
        written = handles_of(self.written, self.trial, self.place)
        # What is new stands as it is written.
        standing = written if self.existing is None else handles_of(self.merged, self.trial, self.place)
        return Carried(written=tuple(keyed(written, mentions)), standing=standing)

    @property
    def by_critic(self) -> bool:
        """Whether a critic submits it."""
        return self.submission.scope is Scope.CRITIC


def _named(member: object) -> str | None:
    return member.name if isinstance(member, syntax.Field | syntax.Assignment) else None
