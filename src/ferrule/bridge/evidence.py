"""What a citation says, in which role, and where a value stands whole: asked alike by critic and source (D9).

Owns the reading of `Cited` against a `TurnView`. The role is looked up here, never taken from who cites. Knows nothing
of rules or of dispositions.
"""

from collections.abc import Collection, Iterator
from itertools import islice

from ferrule.bridge.values import CallRef, Cited, Mention, MentionRef, Role, SpanRef, TurnText, TurnView
from ferrule.referents.tokens import token_spans

__all__ = ["cited_mention", "cited_text", "excerpt", "occurs", "spans_of"]

MAX_OCCURRENCES = 64  # per value: enough to find a role, bounded on a hostile log
_NEAR = 40


def cited_mention(view: TurnView, cited: Cited) -> Mention | None:
    """The mention that is cited, or None when something else is or when there is no such mention."""
    return view.mention(cited.mention) if isinstance(cited, MentionRef) else None


def cited_text(view: TurnView, cited: Cited) -> tuple[str, Role] | None:
    """The verbatim text a citation points at and the role in which it speaks; None when it points at nothing (D9).

    A mention speaks in the mention's role, a span in the role of its text. A `CallRef` cites the ontology, not the
    turn: the door's record answers for it, here it is None.
    """
    if isinstance(cited, CallRef):
        return None
    if isinstance(cited, MentionRef):
        mention = view.mention(cited.mention)
        text = view.text(mention.text) if mention else None
        if mention is None or text is None:
            return None
        return text.text[mention.start : mention.end] or mention.value, mention.role
    text = view.text(cited.text)
    if text is None or not 0 <= cited.start < cited.end <= len(text.text):
        return None
    return text.text[cited.start : cited.end], text.role


def excerpt(view: TurnView, cited: Cited, limit: int = 200) -> str:
    """The cited words with whole words of their surroundings, on one line, at most `limit` code points.

    Empty when nothing is cited. Scrubbed text stays scrubbed: the view holds no other (D13).
    """
    where = _where(view, cited)
    if where is None:
        return cited.value[:limit] if isinstance(cited, CallRef) else ""
    text, start, end = where
    room = max(0, min(_NEAR, (limit - (end - start)) // 2))
    left, right = max(0, start - room), min(len(text.text), end + room)
    while 0 < left < start and not text.text[left - 1].isspace():
        left += 1
    while end < right < len(text.text) and not text.text[right].isspace():
        right -= 1
    return " ".join(text.text[left:right].split())[:limit]


def _where(view: TurnView, cited: Cited) -> tuple[TurnText, int, int] | None:
    if isinstance(cited, MentionRef):
        mention = view.mention(cited.mention)
        text = view.text(mention.text) if mention else None
        return (text, mention.start, mention.end) if mention and text else None
    if isinstance(cited, SpanRef):
        text = view.text(cited.text)
        if text is not None and 0 <= cited.start < cited.end <= len(text.text):
            return text, cited.start, cited.end
    return None


def spans_of(text: str, value: str) -> Iterator[tuple[int, int]]:
    """Whole-token occurrences of `value` in `text` (`referents.tokens`), left to right, at most 64."""
    return islice(token_spans(text, value), MAX_OCCURRENCES)


def occurs(view: TurnView, value: str, roles: Collection[Role]) -> tuple[SpanRef, ...]:
    """Where `value` stands whole-token in texts of one of the roles, in the order of the turn's texts (D9)."""
    wanted = frozenset(roles)
    return tuple(
        SpanRef(text.id, start, end)
        for text in view.texts
        if text.role in wanted
        for start, end in spans_of(text.text, value)
    )
