"""Rule 12: memory is for things, not for what happened to be said (R61, R62, R67, R68, R70, D14).

Owns the shapes that no memory has: logs, dumps, summaries, wrappers around facts, the critic's own mechanics, and what
a person has told Ferrule to forget. Judges form and name, never the subject of a project.
"""

import re
from collections.abc import Iterator
from itertools import islice

from ferrule.errors import Code
from ferrule.memory.case import Case, Finding
from ferrule.memory.rules.members import span_of
from ferrule.ontology.current import family
from ferrule.ontology.handles import keys_of, lookup_keys
from ferrule.ontology.layers import names_of, phrases_of, texts_of
from ferrule.ontology.words import subwords
from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind
from ferrule.referents.properties import is_free_text, kind_of_property
from ferrule.referents.recognise import recognise
from ferrule.session.source import COMPANION_SUFFIX

__all__ = ["durability_rule"]

_WRAPPERS = frozenset(
    {
        *(
            "fact",
            "facts",
            "decision",
            "decisions",
            "blocker",
            "blockers",
            "failure",
            "failures",
            "finding",
            "findings",
        ),
        *("insight", "insights", "lesson", "lessons", "learning", "learnings", "observation", "conclusion", "recap"),
        *("summary", "takeaway", "takeaways", "rationale"),
    }
)
_SUMMARIES = frozenset({"summary", "recap", "overview"})
_NEUTRAL = frozenset({"SemanticEntityBase"})
_SUMMARY = expression(
    r"\b(?:summary|recap|overview)\b[\W_]{0,3}(?:of[\W_]{1,3})?(?:the[\W_]{1,3}|this[\W_]{1,3})?"
    r"(?:turn|session|conversation|chat|work|changes)\b|\b(?:turn|session|conversation|chat)[\W_]{0,3}(?:summary|recap)\b",
)
_MECHANICS = expression(
    rf"ONLINE_MEMORY_CRITIC_RESULT|\bomcbench:|\bonline-memory-critic:|{re.escape(COMPANION_SUFFIX)}(?![\w-])"
    r"|-online-action-critic(?![\w-])"
)
_WATCHER = expression(r"-level-(?:2|two)(?![\w-])")
_LOG_LINE = expression(
    r"\A\s{0,20}(?:\[?[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:|\[?[0-9]{2}:[0-9]{2}:[0-9]{2}"
    r"|[\[(]?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL)\b|at [\w.$<>]{1,200}\("
    r"|File \"[^\"\n]{1,300}\", line [0-9]{1,6}|npm (?:ERR|WARN))"
)
_TRACE = expression(
    r"Traceback \(most recent call last\)|^\s{1,20}at [\w.$<>]{1,200}\([^)\n]{0,200}:[0-9]{1,6}", re.MULTILINE
)
_BLOB = expression(r"[A-Za-z0-9+/=_-]{400}")
_JSON_PAIR = expression(r"\"[^\"\n]{1,80}\"\s{0,3}:")
_MOST_IN_PROSE = 40
_NAMING = frozenset({"EntityName", "Aliases", "Alias"})
_APART = expression(r"[;\n]")
_LONGEST_NAME = 160
_LOG_LINES, _ROWS, _BARS, _TABS, _PAIRS, _LINES, _LONG = 3, 3, 3, 2, 4, 20, 1_200


def durability_rule(case: Case) -> list[Finding]:
    """NOT_DURABLE, with what makes it so."""
    return [*_forgotten(case), *_wrapper(case), *_mechanics(case), *_sentences(case), *_dumps(case)][:3]


def _finding(case: Case, message: str, remedy: str, prop: str = "") -> Finding:
    return Finding(Code.NOT_DURABLE, message, remedy, prop, span_of(case.tree, prop))


def _forgotten(case: Case) -> Iterator[Finding]:
    marks = (*keys_of(case.carried.written), *phrases_of(case.written), *_told_in_prose(case))
    if case.view.forgotten(tuple(dict.fromkeys(marks))):
        remedy = "Write nothing; only a person can lift this, with memory unforget."
        message = "A person has told Ferrule to forget this."
        yield Finding(Code.NOT_DURABLE, message, remedy, span=case.tree.name_span, final=True)


def _told_in_prose(case: Case) -> Iterator[str]:
    """Identity keys of what free text points at: a note is no way around a tombstone (DEC-D14)."""
    for prop in case.written.properties:
        for text in texts_of(prop.value) if is_free_text(prop.name) else ():
            for found in islice(recognise(text), _MOST_IN_PROSE):
                yield from lookup_keys(found.kind, found.value, case.place)


def _wrapper(case: Case) -> Iterator[Finding]:
    names = (case.tree.name, *names_of(case.written))
    last = {words[-1] for name in names if (words := subwords(name))}
    own = case.carried.own
    neutral = _NEUTRAL.issuperset(case.written.bases)
    if not _WRAPPERS.isdisjoint(last) and (neutral or not own):
        message = "It wraps a fact, decision, failure or summary instead of naming a thing."
        yield _finding(case, message, "Put it in a property of the entity that it is about, or leave it out.")
    elif any(_SUMMARY.search(" ".join(subwords(name))) for name in names) and not _is_a_file_of_it(case):
        yield _finding(case, "It summarises a turn or session.", "Write the things that the turn is about instead.")


def _is_a_file_of_it(case: Case) -> bool:
    """Whether a handle itself is called a summary: a document of that name is a thing."""
    return any(not _SUMMARIES.isdisjoint(subwords(handle.value)) for handle in case.carried.standing)


def _mechanics(case: Case) -> Iterator[Finding]:
    paths = {handle.value for handle in case.carried.written if handle.kind is HandleKind.FILESYSTEM_PATH}
    for prop in case.written.properties:
        for text in texts_of(prop.value):
            watcher = kind_of_property(prop.name) is HandleKind.SESSION_KEY and _WATCHER.search(text)
            if watcher or (text not in paths and _MECHANICS.search(text)):
                yield _finding(case, f"{prop.name} is about the critic itself.", "Leave it out.", prop.name)


def _sentences(case: Case) -> Iterator[Finding]:
    """A name is what one says to point at a thing: readers show it first, and a text there is read as an order."""
    for prop in case.written.properties:
        if family(prop.name) not in _NAMING:
            continue
        texts = texts_of(prop.value)
        parts = texts if family(prop.name) == "EntityName" else [part for text in texts for part in _APART.split(text)]
        if any(len(part) > _LONGEST_NAME or "\n" in part.strip() for part in parts):
            yield _finding(case, f"{prop.name} holds a text, not a name.", "Call it in a few words.", prop.name)


def _dumps(case: Case) -> Iterator[Finding]:
    commands = {handle.value for handle in case.carried.written if handle.kind is HandleKind.COMMAND}
    for prop in case.written.properties:
        for text in texts_of(prop.value):
            what = _shape(text, command=text in commands)
            if what:
                remedy = "Keep a handle that leads to it, such as the path of the file that holds it."
                yield _finding(case, f"{prop.name} holds {what}.", remedy, prop.name)


def _shape(text: str, *, command: bool) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    if _TRACE.search(text) or sum(_LOG_LINE.match(line) is not None for line in lines) >= _LOG_LINES:
        return "log lines"
    if command:
        return ""
    if text.lstrip()[:1] in "{[<" and len(_JSON_PAIR.findall(text)) >= _PAIRS:
        return "a tool's dump"
    if sum(line.count("|") >= _BARS or line.count("\t") >= _TABS for line in lines) >= _ROWS or _BLOB.search(text):
        return "a tool's dump"
    return "a long text" if len(lines) > _LINES or len(text) > _LONG else ""
