"""A citation is read where it points, in the role of that place (D9).

Owns what the rules ask of a turn and of the door's record: whether a value stands in cited words, which mentions carry
a handle, what names an entity. The role is never taken from the critic. Judges nothing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ferrule.bridge.evidence import spans_of
from ferrule.bridge.values import Call, CallRef, Claim, Evidence, Mention, MentionRef, Role, SpanRef, TurnView
from ferrule.ontology.words import subwords
from ferrule.referents.forms import identity_key, normal_form
from ferrule.referents.kinds import HandleKind

__all__ = [
    "CREATING",
    "NAMING",
    "READING",
    "Piece",
    "answered",
    "call_returned",
    "carries",
    "creates",
    "phrase_pattern",
    "points_at_something",
    "returned_anywhere",
    "says",
    "spans_cited",
    "stands_cited",
]

READING = frozenset({"search", "details", "list"})
NAMING = frozenset({"search", "list"})  # names and handles; details repeat prose, which nobody had to prove
_DISTINCT = frozenset(
    [
        *(HandleKind.BRANCH, HandleKind.TAG, HandleKind.HOST, HandleKind.PULL_REQUEST, HandleKind.ISSUE),
        *(HandleKind.COMMIT_SHA, HandleKind.PACKAGE_ID, HandleKind.SECRET_NAME, HandleKind.SESSION_KEY),
        HandleKind.DATABASE_ID,
    ]
)
# One number space at a forge, one space of refs in git, a server and the database on it.
_MIXED_UP = (
    {HandleKind.PULL_REQUEST, HandleKind.ISSUE},
    {HandleKind.BRANCH, HandleKind.TAG},
    {HandleKind.HOST, HandleKind.DATABASE_ID},
)
CREATING = frozenset({Role.INTENT, Role.OUTCOME, Role.ACTION})


@dataclass(frozen=True, slots=True)
class Piece:
    """A cited piece of one text of the turn; `id` is the text's."""

    text: str
    start: int
    end: int
    role: Role
    id: str = ""


def points_at_something(view: TurnView, record: Sequence[Call], evidence: Evidence) -> bool:
    """Whether a citation leads anywhere: a mention, a span inside its text, a value that the call returned."""
    cites = evidence.cites
    if isinstance(cites, CallRef):
        return call_returned(record, cites)
    return _piece(view, evidence) is not None


def call_returned(record: Sequence[Call], cites: CallRef) -> bool:
    """Whether that recorded call of this critic turn succeeded and returned exactly that value."""
    return any(call.id == cites.call and cites.value in call.values for call in answered(record))


def returned_anywhere(record: Sequence[Call], value: str) -> bool:
    """Whether some successful call of this critic turn returned this value."""
    return any(value in call.values for call in answered(record))


def answered(record: Sequence[Call], tools: frozenset[str] = READING) -> Iterator[Call]:
    """Calls by which the ontology answered. What a schema or a verdict repeats are the critic's own words."""
    return (call for call in record if call.ok and call.tool in tools)


def _piece(view: TurnView, evidence: Evidence) -> Piece | None:
    cites = evidence.cites
    if isinstance(cites, MentionRef):
        mention = view.mention(cites.mention)
        text = view.text(mention.text) if mention else None
        if mention is None or text is None:
            return None
        return Piece(text.text, mention.start, mention.end, mention.role, text.id)
    if isinstance(cites, SpanRef):
        text = view.text(cites.text)
        if text is not None and 0 <= cites.start < cites.end <= len(text.text):
            return Piece(text.text, cites.start, cites.end, text.role, text.id)
    return None


def spans_cited(view: TurnView, claims: Sequence[Claim]) -> Iterator[Piece]:
    """Every piece of the turn that the claims cite."""
    for claim in claims:
        for evidence in claim.evidence:
            piece = _piece(view, evidence)
            if piece is not None:
                yield piece


def carries(view: TurnView, mention: Mention, kind: HandleKind, value: str) -> bool:
    """Whether a mention is this handle: verbatim, by its documented normal form, or by identity key (D9)."""
    text = view.text(mention.text)
    verbatim = text.text[mention.start : mention.end] if text else ""
    if not _may_be(mention.kind, kind):
        return False
    if value in (mention.value, verbatim):
        return True
    same_form = normal_form(kind, value, view.place) == normal_form(kind, mention.value, view.place)
    return same_form or identity_key(kind, value, view.place)[0] == mention.key


def _may_be(said: HandleKind, written: HandleKind) -> bool:
    """Whether a mention of one kind can be a handle of the other: a branch is no package, a command no path.

    General ids, paths and URLs may be anything that is written like them; so may the kinds that people mix up.
    """
    if said is written:
        return True
    if HandleKind.COMMAND in (said, written):
        return False
    pair = {said, written}
    return not pair <= _DISTINCT or pair in _MIXED_UP


def creates(mention: Mention) -> bool:
    """Whether a mention can create an entity: intent, outcome, or an action that did not fail (design.md section 2)."""
    return mention.role in CREATING and not (mention.role is Role.ACTION and mention.ok is False)


def stands_cited(
    view: TurnView,
    record: Sequence[Call],
    claims: Sequence[Claim],
    value: str,
    *,
    roles: frozenset[Role] = frozenset(Role),
) -> bool:
    """Whether a value stands whole-token in what the claims cite in one of these roles, or in what a call returned."""
    if any(piece.role in roles and _inside(piece, value) for piece in spans_cited(view, claims)):
        return True
    return any(
        isinstance(evidence.cites, CallRef)
        and call_returned(record, evidence.cites)
        and any(True for _ in spans_of(evidence.cites.value, value))
        for claim in claims
        for evidence in claim.evidence
    )


def _inside(piece: Piece, value: str) -> bool:
    """Whole tokens are judged in the whole text: a span cut out of a longer word does not hold the shorter one."""
    margin = len(value) + 2
    left = max(0, piece.start - margin)
    near = piece.text[left : piece.end + margin]
    return any(piece.start <= left + start and left + end <= piece.end for start, end in spans_of(near, value))


def phrase_pattern(phrase: str) -> re.Pattern[str] | None:
    """Finds a phrase in any of its spellings: "shop web module", "ShopWebModule", "shop-web-module"."""
    words = subwords(phrase)
    if not words:
        return None
    between = r"[\W_]{0,3}"
    return re.compile(rf"(?<![^\W_]){between.join(re.escape(word) for word in words)}(?![^\W_])", re.IGNORECASE)


def says(view: TurnView, phrase: str, *, roles: frozenset[Role] = CREATING) -> bool:
    """Whether a text in one of the roles contains the phrase in some spelling; failed calls say nothing."""
    pattern = phrase_pattern(phrase)
    return pattern is not None and any(
        text.role in roles and not (text.role is Role.ACTION and text.ok is False) and pattern.search(text.text)
        for text in view.texts
    )
