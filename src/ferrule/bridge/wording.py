"""Whether words wish for a thing, name it as present, or offer it: tables of general wording, English first (D10).

Owns the words and the reading of one clause around a span. The tables hold ordinary language only; no row knows a
project or a case. Knows nothing of tools: what was done is the ledger's business.
"""

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias

from ferrule.referents.expressions import expression

__all__ = ["Deed", "claimed_deed", "claims_done", "clause_around", "planned_wording", "proposes", "wishes_for"]

Deed: TypeAlias = Literal["", "created", "changed", "deleted"]

_BEFORE, _AFTER = 160, 80
_HEADING_REACH = 2_000
_BREAK = expression(r"[.!?;。！？；](?=\s|$)|\n")  # noqa: RUF001 - sentences of other scripts end too

# Verbs that bring a thing into being when the thing is their object.
_MAKE = (
    r"(?:creat(?:e|ing)|add(?:ing)?|mak(?:e|ing)|writ(?:e|ing)|generat(?:e|ing)|build(?:ing)?|introduc(?:e|ing)|scaffold"
    r"|set(?:ting)? up|draft|prepare|implement|establish|initiali[sz]e|bootstrap|design|publish|erstelle|lege|schreibe"
    r"|baue|crea|crear|añade|agrega|escribe|crée|créer|ajoute|ajouter|écris|criar|adicione)"
)
_WANT = (
    r"(?:we (?:will |'ll )?need|i(?:'d)? (?:need|want|like)|let'?s (?:add|have|create|make|build|write)"
    r"|plan(?:ned|ning)?(?: for| to)?|should (?:have|get|become|be (?:called|named))|could (?:have|use)"
    r"|there should be|to be created|wir brauchen|ich möchte|necesitamos|il nous faut|on a besoin)"
)
_PLACED = r"(?:save|store|put|output|export|dump|place|record|speichere|guarda|enregistre)"
_TURN_INTO = r"(?:rename|move|convert|migrate|change the name)"
_OPEN = r"[\"'`(\[*]{0,4}$"  # quotes and brackets directly before the span
_NEW = expression(rf"\b(?:new|neue[nrs]?|nueva?|nouvelle|nouveau|novo) (?:\w{{1,20}} ){{0,2}}{_OPEN}", re.IGNORECASE)
_DIRECT = expression(
    rf"\b{_MAKE}\b(?! (?:sure|certain|use)\b)(?:[ \t]{{1,3}}[\w-]{{1,20}}){{0,4}}[ \t:]{{0,3}}{_OPEN}", re.IGNORECASE
)
_AT = expression(
    rf"\b(?:{_MAKE}|{_PLACED})\b[^!?\n]{{0,100}}\b(?:as|to|at|under|into|named|called)[ \t:]{{1,3}}{_OPEN}",
    re.IGNORECASE,
)
_INTO = expression(rf"\b{_TURN_INTO}\b[^!?\n]{{1,100}}\b(?:to|into|as)[ \t:]{{1,3}}{_OPEN}", re.IGNORECASE)
_CALL_IT = expression(rf"\b(?:call|name) (?:it|this|that|them)[ \t:]{{1,3}}{_OPEN}", re.IGNORECASE)
_WISH = expression(rf"\b{_WANT}\b[^!?\n]{{0,80}}$", re.IGNORECASE)
# Who says in so many words that it is a plan means by `in X` where the thing will be, not what is there.
_PLAN = expression(
    r"\b(?:(?:we|i|they|you) (?:also |still )?plan(?: on|(?= to\b))|planning to|planned:"
    r"|wir planen|planeamos|nous prévoyons)[^!?\n]{0,100}$",
    re.IGNORECASE,
)
_WISH_AFTER = expression(
    r"[\"'`)\]*]{0,4}[ \t]{0,3}(?:\((?:new|planned|to be created|neu)\)|should be (?:created|added)"
    r"|(?:does ?n[o']t|doesn't) exist yet|needs to be (?:created|added|written)|anlegen|erstellen|hinzufügen"
    r"|を作成|を追加)",
    re.IGNORECASE,
)
_CJK_WISH = expression(
    r"(?:创建|新建|添加|增加|需要|计划|作成|追加|新規)[^。！？\n]{0,20}$"  # noqa: RUF001 - Chinese, Japanese
)
# "add a row to X", "create f in X": the thing made goes into X, which is there.
_INSIDE = expression(
    r"\b(?:to|in|inside|within|from|of|on|against|with|using|per|via|for|about|zu|für|en|dans|à|para|pour)"
    rf"[ \t]{{1,3}}(?:(?:the|our|my|their|its|your|this) )?{_OPEN}",
    re.IGNORECASE,
)
_DOCUMENT = expression(
    r"\b(?:file|document|doc|report|plan|page|script|summary|spec|list|notes?|it|this|that|everything|output|results?)\b",
    re.IGNORECASE,
)
_NEGATED = expression(
    r"\b(?:do not|don't|dont|never|without|instead of|rather than|no need to)\b[^!?\n]{0,60}$", re.IGNORECASE
)

_PROPOSAL = expression(
    r"\b(?:would|will|'ll|should|could|might|may|propos\w{0,4}|recommend\w{0,6}|suggest\w{0,5}|next steps?|todo|to-do"
    r"|planned|plan to|if you (?:want|like|prefer|wish)|want me to|shall i|let me know|not yet|pending"
    r"|in (?:the )?future|later|you(?:'ll|'d)? need (?:to|an?)"
    r"|(?:we|i|you) can(?:'t|not)?|consider|option|alternativ\w{0,5}|draft|e\.g\.|for example|such as|example"
    r"|würde|sollte|könnte|vorschlag\w{0,4}|podría|debería|propongo|pourrait|devrait|je propose)\b"
    r"|(?:建议|将会|可以|下一步|计划)",
    re.IGNORECASE,
)
_PROPOSAL_HEADING = expression(
    r"\b(?:next|plan|planned|propos\w{0,4}|recommend\w{0,8}|suggest\w{0,6}|todo|future|options?|alternatives?"
    r"|open questions?|follow[- ]?ups?)\b|(?:建议|下一步|计划)",
    re.IGNORECASE,
)
_DONE = expression(
    r"\b(?:created|added|wrote|written|generated|built|updated|changed|edited|modified|fixed|removed|deleted|renamed"
    r"|moved|committed|pushed|merged|opened|released|published|deployed|installed|configured|implemented|refactored"
    r"|replaced|extended|done|saved|now|is in place|erstellt|angelegt|geändert|creado|actualizado|créé|modifié)\b"
    r"|(?:已|创建了|修改了|更新了)|[✅✓✔]",
    re.IGNORECASE,
)
_DEEDS: Mapping[Deed, re.Pattern[str]] = {
    "created": expression(
        r"\b(?:created|wrote|written|generated|added|opened|committed|filed|published|released|scaffolded|saved|cut"
        r"|squashed|amended|landed|new commit|commit(?= \W{0,4}$)|pushed commit"
        r"|erstellt|angelegt|creado|créé)\b|(?:创建了|新建了)",
        re.IGNORECASE,
    ),
    "changed": expression(
        r"\b(?:updated|changed|edited|modified|fixed|refactored|replaced|extended|patched|rewrote|reworked|closed|merged"
        r"|adjusted|tightened|simplified|geändert|actualizado|modifié)\b|(?:修改了|更新了)",
        re.IGNORECASE,
    ),
    "deleted": expression(r"\b(?:deleted|removed|dropped|gelöscht|eliminado|supprimé)\b|删除了", re.IGNORECASE),
}
_AT_DONE = expression(
    rf"\b(?:created|wrote|written|generated|saved|opened|committed|published|filed|squashed|amended|landed)"
    rf"\b[^!?\n]{{0,60}}\b(?:to|in|into|as|at|under)"
    rf"[ \t]{{1,3}}(?:the )?{_OPEN}",
    re.IGNORECASE,
)
_FENCE = expression(r"^ {0,3}(?:```|~~~)(bash|sh|shell|zsh|console|powershell|pwsh|fish|bat)?", re.MULTILINE)
_HEADING = expression(r"^(?:#{1,6}[ \t].{1,200}|\*\*[^*\n]{1,120}\*\*:?|[^\n:]{1,80}:)$", re.MULTILINE)


def clause_around(text: str, start: int, end: int) -> tuple[str, str]:
    """The words before and behind a span inside its own sentence or line, at most 160 and 80 code points.

    Typographic apostrophes are plain ones here.
    """
    left = text[max(0, start - _BEFORE) : start].replace("\u2019", "'")
    breaks = [match.end() for match in _BREAK.finditer(left)]
    right = text[end : end + _AFTER].replace("\u2019", "'")
    stop = _BREAK.search(right)
    return left[breaks[-1] :] if breaks else left, right[: stop.start()] if stop else right


def wishes_for(text: str, start: int, end: int) -> bool:
    """Whether the words around a span ask for the thing to come into being, rather than name it as present (D10)."""
    before, after = clause_around(text, start, end)
    if _NEGATED.search(before):
        return False
    if _WISH_AFTER.match(after) or _CJK_WISH.search(before) or _NEW.search(before) or _CALL_IT.search(before):
        return True
    if _INTO.search(before) or _PLAN.search(before):
        return True
    placed = _AT.search(before)
    if placed:
        return not before.rstrip("\"'`([* ").endswith(" to") or _DOCUMENT.search(placed.group()) is not None
    if _INSIDE.search(before):
        return False
    return _DIRECT.search(before) is not None or _WISH.search(before) is not None


def _heading_before(text: str, start: int) -> str:
    """The last heading, bold line or `…:` line above a span, on an earlier line."""
    line = text.rfind("\n", 0, start)
    if line < 0:
        return ""
    headings = list(_HEADING.finditer(text, max(0, line - _HEADING_REACH), line))
    return headings[-1].group().replace("\u2019", "'") if headings else ""


def _script_intro(text: str, start: int) -> str | None:
    """The line above the fenced shell block that a span stands in; None when it stands in none."""
    fences = list(_FENCE.finditer(text, 0, start))
    if len(fences) % 2 == 0 or not fences[-1].group(1):
        return None
    above = text[max(0, fences[-1].start() - _HEADING_REACH) : fences[-1].start()].rstrip()
    return above.rsplit("\n", 1)[-1]


def _last(pattern: re.Pattern[str], text: str) -> int:
    return max((match.start() for match in pattern.finditer(text)), default=-1)


def proposes(text: str, start: int, end: int) -> bool:
    """Whether an answer offers the thing instead of claiming it: by its clause, else by the heading above.

    What stands in a fenced shell script is offered, unless the line above it says that it was done.
    """
    intro = _script_intro(text, start)
    if intro is not None:
        return _DONE.search(intro) is None or _PROPOSAL.search(intro) is not None
    before, after = clause_around(text, start, end)
    offered, done = _last(_PROPOSAL, before), _last(_DONE, before)
    if offered >= 0 or done >= 0:
        return offered > done  # the nearer word tells
    if _PROPOSAL.search(after):
        return True
    heading = _heading_before(text, start)
    return _PROPOSAL_HEADING.search(heading) is not None or _PROPOSAL.search(heading) is not None


def claims_done(text: str, start: int, end: int) -> bool:
    """Whether an answer claims in the clause around a span that something was done."""
    before, after = clause_around(text, start, end)
    return _DONE.search(before) is not None or _DONE.search(after) is not None


def claimed_deed(text: str, start: int, end: int) -> Deed:
    """Which deed an answer claims to have done to the thing itself, by the clause before it; empty when none.

    "Added a test to X" changes X, it does not create it.
    """
    before, _ = clause_around(text, start, end)
    if proposes(text, start, end):
        return ""
    last: tuple[int, Deed] = (-1, "")
    for deed, pattern in _DEEDS.items():
        for match in pattern.finditer(before):
            last = max(last, (match.start(), deed))
    inside = last[1] == "created" and _INSIDE.search(before) is not None and _AT_DONE.search(before) is None
    return "changed" if inside else last[1]


def planned_wording(text: str) -> bool:
    """Whether a short text speaks of what is to come: a wish or a proposal anywhere in it (R47)."""
    head = text[:2_000]
    return (
        re.search(rf"\b{_WANT}\b", head, re.IGNORECASE) is not None
        or _PROPOSAL.search(head) is not None
        or re.match(rf"[ \t]*(?:please )?{_MAKE}\b", head, re.IGNORECASE) is not None
    )
