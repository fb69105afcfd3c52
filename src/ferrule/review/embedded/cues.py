"""The few words that carry meaning for a judgement, as data.

Owns the cue patterns: example, run this, offer, question, naming. English first, with the commonest words of some other
languages; a turn in a language without cues is judged by actions and mentions alone. Every pattern is linear.
"""

import re

__all__ = [
    "ABOUT_TESTS",
    "ANNOUNCES",
    "BARE",
    "EXAMPLE",
    "GUESS",
    "INSPECTION",
    "KEEP",
    "LINE_REFERENCE",
    "NAMING",
    "OFFER",
    "PLAN",
    "QUESTION",
    "ROUTINE",
    "SETUP",
    "SIMILAR",
    "UNRELATED",
    "UNTOUCHED",
]

# Directly before a handle: what follows is an illustration, not the thing itself.
EXAMPLE = re.compile(
    r"(?:\be\.?g\.?,?|\bfor (?:example|instance)|\bsuch as|\blike|\bexample(?: output)?:?|\bz\. ?B\.|\bpar exemple"
    r"|\bpor ejemplo|\bnapr\.|例えば|例如)[\s:,`'\"(\[*]{0,6}$",
    re.IGNORECASE,
)
# Directly before a handle: the user points at somebody else's thing for comparison.
SIMILAR = re.compile(
    r"(?:\bsimilar(?: setup)? (?:to|as)|\bas in|\bcompare(?:d)? (?:to|with)|\binspired by|\bähnlich wie)[\s`'\"(\[*]{0,6}$",
    re.IGNORECASE,
)
GUESS = re.compile(
    r"(?:\bmaybe|\bperhaps|\bmight be|\bprobably|\bi guess|\bpossibly|\bvielleicht|\bpeut-être|\bquizás)\b[^.!?\n]{0,40}$",
    re.IGNORECASE,
)
# Before a command in the outcome: the announced next step.
ANNOUNCES = re.compile(
    r"(?:\b(?:re-?run|run|execute|use|try|paste|invoke|start it with|then|next)\b[^.!?\n]{0,60}|\b(?:run|rerun|execute)[^.!?]{0,80}:\s{0,8}(?:```[\w-]{0,12}\s{0,3})?"
    r"|\bführe\b[^.!?\n]{0,60}|\blance[zr]?\b[^.!?\n]{0,60}|\bejecuta\b[^.!?\n]{0,60}|実行)[\s:`'\"(\[*$]{0,12}$",
    re.IGNORECASE,
)
OFFER = re.compile(
    r"\b(?:want me to|would you like|shall i|should i|let me know|if you(?:'d| would)? (?:want|like)|i can (?:also|now)|say the word|"
    r"proceed\?|go ahead\?|your call|which (?:direction|option)|soll ich|möchtest du|voulez-vous|quieres que)\b",
    re.IGNORECASE,
)
QUESTION = re.compile(
    r"^\W{0,4}(?:so |and |but |ok(?:ay)?,? |hm+,? |also )?(?:why|how|what|when|where|which|who|is|are|does|do|did|can we|could we|should|would|will|was|were|"
    r"has|have|warum|wie|was|wo|pourquoi|comment|qué|cómo|por qué)\b",
    re.IGNORECASE,
)
PLAN = re.compile(r"\b(?:implement|execute|carry out) (?:the|this) (?:following )?plan\b", re.IGNORECASE)
ABOUT_TESTS = re.compile(
    r"\b(?:tests?|testing|coverage|specs?|unit tests?|testen?|prueba|tests unitaires)\b|\b(?-i:Test[A-Z]|test_)",
    re.IGNORECASE,
)
# The user asks to keep something in mind.
KEEP = re.compile(
    r"\b(?:remember|keep (?:this |that |it )?in mind|for (?:future|later) reference|from now on|going forward|merk dir|"
    r"souviens-toi|recuerda)\b",
    re.IGNORECASE,
)
# Naming and correcting by the user (R16): the name is the group.
NAMING = re.compile(
    r"\b(?:call it|call this|name it|named|rename(?: it)? to|let'?s call it|nenne es|appelle-le|llámalo)\s{1,3}[`'\"“]?([A-Za-z][\w-]{1,40})",
    re.IGNORECASE,
)
# In the sentence of a handle: the outcome says that it is not about that thing.
UNRELATED = re.compile(
    r"\b(?:unrelated|pre-?existing|merely|already (?:present|there)|not (?:part|touched)|skipp(?:ed|ing))\b",
    re.IGNORECASE,
)
UNTOUCHED = re.compile(
    r"\b(?:left (?:untouched|alone|as[- ]is)|did(?: not|n't) touch|was left|unchanged)\b", re.IGNORECASE
)
# Around a secret or setting: it has to be set up, or is.
SETUP = re.compile(
    r"\b(?:add|set(?:ting)?(?: up)?|configur\w{0,3}|creat\w{0,3}|requir\w{0,3}|need\w{0,2}|must|export|stored? (?:as|in)|hinterleg\w{0,3})\b",
    re.IGNORECASE,
)
LINE_REFERENCE = re.compile(r"(?::\d{1,6}(?:[-:,]\d{1,6})?|#L\d{1,6}|[`'\"*]{0,3} ?\(?lines? \d{1,6})", re.IGNORECASE)
# Commands that everybody runs all the time.
ROUTINE = re.compile(
    r"^(?:[\w./-]{0,60} )?(?:test|tests|lint|fmt|format|build|check|vet|typecheck|clippy|tsc|pytest|vitest|jest|mocha|eslint|prettier|gofmt|ruff|mypy|"
    r"golangci-lint|tox|verify)\b|\brun (?:test|lint|fmt|build|check|typecheck)|\b(?:go|cargo|npm|pnpm|yarn|make|mvn|gradle|dotnet) (?:test|build|vet|check|lint)\b",
    re.IGNORECASE,
)
INSPECTION = re.compile(
    r"^(?:ls|cat|head|tail|grep|rg|find|pwd|cd|echo|wc|which|type|stat|file|tree|less|more|sed -n|awk|jq|sleep|true|ps|env|printf|diff|du|df|"
    r"git (?:status|log|diff|show|branch|rev-parse|remote|fetch|blame|ls-files|stash list|config)|gh (?:pr|issue|run|repo|api) (?:view|list|status|checks|diff)|gh api|"
    r"nl|sort|uniq|tee|xxd|strings|command -v|python3? -c|node -e)\b",
    re.IGNORECASE,
)
# A program with nothing to do, or an installer with nothing to install.
BARE = re.compile(r"(?:sudo )?[\w./-]{1,60}(?: (?:install|add|run|exec|update|upgrade))?", re.IGNORECASE)
