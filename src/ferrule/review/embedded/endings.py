"""What became of a thing that was known before: merged, closed, stopped, in the very word of the turn (R45, D9).

Owns those words and where they may stand: in the result of the call that did it, in the outcome, or in what the user
states as a fact. Knows nothing of what is known, nor of deletion and renaming, which the ledger alone proves.
"""

import re
from collections.abc import Iterator, Mapping

from ferrule.bridge.modality import succeeded
from ferrule.bridge.values import Evidence, Mention, Proves, Role, SpanRef, TurnText, TurnView
from ferrule.referents.expressions import expression
from ferrule.review.embedded.things import Thing
from ferrule.review.prospect import TextFact
from ferrule.session.turn import Verb

__all__ = ["state_of"]

_MERGED = (
    r"merged|gemergt|gemerged|zusammengeführt|fusionnée?|mergée?|fusionad[oa]|mesclad[oa]|смержен\w?|scalon[ey]"
    r"|已合并|マージ済み"
)
_CLOSED = (
    r"closed|resolved|geschlossen|erledigt|fermée?|clôturée?|résolue?|cerrad[oa]|resuelt[oa]|fechad[oa]|закрыт\w?"
    r"|zamknięt[ey]|已关闭|クローズ済み"
)
_STOPPED = (
    r"stopped|terminated|gestoppt|angehalten|beendet|arrêtée?|detenid[oa]|parad[oa]|остановлен\w?|已停止|停止済み"
)
_WORDS: Mapping[Verb, str] = {Verb.MERGED: _MERGED, Verb.CLOSED: _CLOSED, Verb.STOPPED: _STOPPED}
_TYPES: Mapping[str, tuple[Verb, ...]] = {
    "PullRequest": (Verb.MERGED, Verb.CLOSED),
    "Issue": (Verb.MERGED, Verb.CLOSED),  # a bare "#7" may be either
    "Task": (Verb.CLOSED,),
    "Service": (Verb.STOPPED,),
    "Session": (Verb.STOPPED, Verb.CLOSED),
    "SemanticEntityBase": (Verb.STOPPED,),
}
_ALONE = {verb: expression(rf"(?<![^\W_])(?:{words})(?![^\W_])", re.IGNORECASE) for verb, words in _WORDS.items()}
# "#7 is merged now", "I have merged PR #7": said of the thing itself, and as done.
_IS = (
    r"[`*)\]\"']{0,3},? {1,2}(?:is|was|has been|got|are|ist|wurde|est|a été|está|fue|foi) "
    r"(?:now |already |just |jetzt |schon |bereits |déjà |ya )?"
)
_AFTER = {verb: expression(rf"{_IS}({words})(?![^\W_])", re.IGNORECASE) for verb, words in _WORDS.items()}
_BEFORE = {
    verb: expression(
        rf"(?:\b(?:I|we)(?:'ve| have)?(?: just| already)? |^|[.!:;\n] {{0,2}}[-*]? ?)({words})"
        r" (?:the )?(?:pull request|merge request|pr|mr|issue|ticket|task)?[ `*#!(\[]{0,3}$",
        re.IGNORECASE,
    )
    for verb, words in _WORDS.items()
}
_UNSURE = expression(
    r"\b(?:once|when|if|until|after|before|unless|not|never|whether|will|to be|gets?|automatically|wenn|sobald|falls"
    r"|nicht|quand|dès que|si|cuando|quando)\b[^.!?\n]{0,40}$",
    re.IGNORECASE,
)
_NEAR = 60
_RESULT = 4000  # what a tool says of its deed stands at the beginning of its answer


def state_of(thing: Thing, type_: str, view: TurnView) -> TextFact | None:
    """The word for what became of it with the place where it stands; None where the turn ends nothing."""
    for verb in _TYPES.get(type_, ()):
        done = [action for action in thing.actions if action.verb is verb and succeeded(view, action)]
        undone = thing.did(Verb.OPENED, Verb.STARTED)
        found = None
        if done and not undone:
            spots = list(_by_the_deed(verb, thing, view, tuple(action.call_id for action in done)))
            found = min(spots, key=lambda fact: not fact.value.islower(), default=None)
        found = found or (None if undone else next(_as_said(verb, thing, view), None))
        if found is not None:
            return found
    return None


def _by_the_deed(verb: Verb, thing: Thing, view: TurnView, calls: tuple[str, ...]) -> Iterator[TextFact]:
    """The word in what the outcome says around the thing, else in what the call answered, else in the outcome."""
    for mention in thing.within(Role.OUTCOME):
        text = view.text(mention.text)
        if text is not None:
            yield from _word(verb, text, max(0, mention.start - _NEAR), mention.end + _NEAR)
    answers = [view.text(f"call.{call}.result") for call in calls]
    for text in (*answers, *(text for text in view.texts if text.role is Role.OUTCOME)):
        if text is not None:
            yield from _word(verb, text, 0, _RESULT)


def _word(verb: Verb, text: TurnText, start: int, end: int) -> Iterator[TextFact]:
    for found in _ALONE[verb].finditer(text.text, start, min(end, len(text.text))):
        if not _UNSURE.search(text.text, max(0, found.start() - _NEAR), found.start()):
            yield _fact(found.group(), text.id, found.start())


def _as_said(verb: Verb, thing: Thing, view: TurnView) -> Iterator[TextFact]:
    """The word as user or outcome say it of the thing itself, as a fact and not as a condition."""
    for mention in thing.within(Role.INTENT, Role.OUTCOME):
        text = view.text(mention.text)
        if text is None or _UNSURE.search(text.text, max(0, mention.start - _NEAR), mention.start):
            continue
        yield from _beside(verb, mention, text.id, text.text)


def _beside(verb: Verb, mention: Mention, text_id: str, text: str) -> Iterator[TextFact]:
    after = _AFTER[verb].match(text, mention.end, mention.end + _NEAR)
    before = _BEFORE[verb].search(text[max(0, mention.start - _NEAR) : mention.start])
    if after is not None:
        yield _fact(after.group(1), text_id, after.start(1))
    elif before is not None:
        yield _fact(before.group(1), text_id, max(0, mention.start - _NEAR) + before.start(1))


def _fact(word: str, text_id: str, start: int) -> TextFact:
    return TextFact(word, (Evidence(SpanRef(text_id, start, start + len(word)), Proves.PROPERTY),))
