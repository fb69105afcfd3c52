"""The few words that carry meaning for a judgement, as data.

Owns the cue patterns: example, run this, offer, question, naming. English first, with the commonest words of some other
languages; a turn in a language without cues is judged by actions and mentions alone. Every pattern is linear.
"""

import re

__all__ = [
    "ABOUT_TESTS",
    "AGAIN",
    "ANNOUNCES",
    "BARE",
    "EXAMPLE",
    "GUESS",
    "INSPECTION",
    "KEEP",
    "LABEL",
    "LINE_REFERENCE",
    "NAMING",
    "NEXT",
    "OFFER",
    "PLAN",
    "QUESTION",
    "ROUTINE",
    "SETUP",
    "SIMILAR",
    "TAKEN_FROM",
    "UNRELATED",
]


def _any(*alternatives: str, before: str = r"\b", after: str = r"\b") -> re.Pattern[str]:
    return re.compile(f"{before}(?:{'|'.join(alternatives)}){after}", re.IGNORECASE)


_OPENING = r"[\s:,`'\"(\[*$]{0,12}$"

# Directly before a handle: what follows is an illustration, not the thing itself.
EXAMPLE = _any(
    *(r"\be\.?g\.?,?", r"\bfor (?:example|instance)", r"\bsuch as", r"\blike", r"\bexample(?: output)?:?"),
    *(r"\bz\. ?B\.", r"\bpar exemple", r"\bpor ejemplo", r"\bnapr\.", "例えば", "例如"),
    before="",
    after=_OPENING,
)
# Directly before a handle: somebody else's thing is named for comparison.
SIMILAR = _any(
    *(r"similar(?: setup)? (?:to|as)", "as in", "compared? (?:to|with)", "inspired by", "ähnlich wie"),
    after=_OPENING,
)
GUESS = _any(
    *("maybe", "perhaps", "might be", "probably", "i guess", "possibly", "vielleicht", "peut-être", "quizás"),
    after=r"\b[^.!?\n]{0,40}$",
)
# Before a command in the outcome: the announced next step.
ANNOUNCES = _any(
    r"\b(?:re-?run|run|execute|use|try|paste|invoke|start it with|then|next)\b[^.!?\n]{0,60}",
    r"\b(?:run|rerun|execute)[^.!?]{0,80}:\s{0,8}(?:```[\w-]{0,12}\s{0,3})?",
    r"\b(?:führe|lancez?|ejecuta)\b[^.!?\n]{0,60}",
    "実行",
    before="",
    after=_OPENING,
)
LABEL = _any("commands?", "cmd", "befehl", "commande", "comando", after=r"[\s:*_`'\"(\[$-]{1,10}$")
NEXT = _any(
    "next(?: steps?)?", "nächster schritt", "prochaine étape", "siguiente paso", after=r"\s?[:\uff1a-][^.!?\n]{0,60}$"
)
AGAIN = _any(
    "re-?run",
    "run(?: it)? again",
    "try again",
    "retry",
    "erneut",
    "relance[zr]?",
    "de nuevo",
    after=r"\b[^.!?\n]{0,30}$",
)
OFFER = _any(
    *("want me to", "would you like", "shall i", "should i", "let me know", "if you(?:'d| would)? (?:want|like)"),
    *("i can (?:also|now)", "say the word", r"proceed\?", r"go ahead\?", "your call", "which (?:direction|option)"),
    *("soll ich", "möchtest du", "voulez-vous", "quieres que"),
    after="",
)
QUESTION = _any(
    *("why", "how", "what", "when", "where", "which", "who", "is", "are", "does", "do", "did", "can we", "could we"),
    *("should", "would", "will", "was", "were", "has", "have"),
    *("warum", "wie", "wo", "pourquoi", "comment", "qué", "cómo", "por qué"),
    before=r"^\W{0,4}(?:so |and |but |ok(?:ay)?,? |hm+,? |also )?",
)
PLAN = _any("(?:implement|execute|carry out) (?:the|this) (?:following )?plan")
ABOUT_TESTS = re.compile(
    r"\b(?:tests?|testing|coverage|specs?|unit tests?|testen?|prueba|tests unitaires)\b|\b(?-i:Test[A-Z]|test_)",
    re.IGNORECASE,
)
# The user asks to keep something in mind.
KEEP = _any(
    *(
        "remember (?:this|that|it|these|them)",
        "please remember",
        "keep (?:this |that |it )?in mind",
        "for (?:future|later) reference",
        "from now on",
        "going forward",
    ),
    *("merk dir", "souviens-toi", "recuerda"),
)
# Naming and correcting by the user (R16): the name is the group.
NAMING = re.compile(
    r"\b(?:call it|call this|name it|named|rename(?: it)? to|let'?s call it|nenne es|appelle-le|llámalo)\s{1,3}"
    r"[`'\"“]?([A-Za-z][\w-]{1,40})(?![\w-]|[./\\]\w)",
    re.IGNORECASE,
)
# Around a handle: the outcome says that it is not about that thing.
UNRELATED = _any(
    *("unrelated", "pre-?existing", "merely", "already (?:present|there)", "not (?:part|touched)", "skipp(?:ed|ing)"),
    *("left (?:untouched|alone|as[- ]is)", "did(?: not|n't) touch", "was left", "unchanged"),
)
# Around a secret or setting: it has to be set up, or is.
SETUP = _any(
    *("add", r"set(?:ting)?(?: up)?", r"configur\w{0,3}", r"creat\w{0,3}", r"requir\w{0,3}", r"need\w{0,2}", "must"),
    *("export", "stored? (?:as|in)", r"hinterleg\w{0,3}"),
)
# Directly before a secret's name: it is there, and it is where the value comes from.
TAKEN_FROM = _any(
    r"(?:read|reads|take|takes|use|uses|load|loads|comes?|get|gets)\b[^.!?\n]{0,40}\b"
    r"(?:secret|environment variable|env(?: var(?:iable)?)?|variable|vault)",
    r"(?:secret|environment variable|env var(?:iable)?) (?:is|are) (?:already )?(?:set|configured|called|named)",
    after=r"[\s`'\"(:]{1,4}$",
)
LINE_REFERENCE = re.compile(r":\d{1,6}(?:[-:,]\d{1,6})?|#L\d{1,6}|[`'\"*]{0,3} ?\(?lines? \d{1,6}", re.IGNORECASE)
# Commands that everybody runs all the time.
ROUTINE = re.compile(
    r"^(?:[\w./-]{0,60} )?(?:tests?|lint|fmt|format|build|check|vet|typecheck|clippy|tsc|pytest|vitest|jest|mocha"
    r"|eslint|prettier|gofmt|ruff|mypy|golangci-lint|tox|verify)\b|\brun (?:test|lint|fmt|build|check|typecheck)"
    r"|\b(?:go|cargo|npm|pnpm|yarn|make|mvn|gradle|dotnet) (?:test|build|vet|check|lint)\b",
    re.IGNORECASE,
)
INSPECTION = re.compile(
    r"^(?:ls|cat|head|tail|grep|rg|find|pwd|cd|echo|wc|which|type|stat|file|tree|less|more|sed -n|awk|jq|sleep|true|ps"
    r"|env|printf|diff|du|df|nl|sort|uniq|tee|xxd|strings|command -v|python3? -c|node -e|gh api"
    r"|git (?:status|log|diff|show|branch|rev-parse|remote|fetch|blame|ls-files|stash list|config)"
    r"|gh (?:pr|issue|run|repo|api) (?:view|list|status|checks|diff))\b",
    re.IGNORECASE,
)
# A program with nothing to do, or an installer with nothing to install.
BARE = re.compile(
    r"(?:sudo )?[\w./-]{1,60}(?: (?:install|add|run|exec|update|upgrade))?|git [a-z-]{2,20}(?: -[\w-]{1,30}){0,4}",
    re.IGNORECASE,
)
