"""What the work is about: pull requests, issues, tickets, sessions, commits, branches.

Owns the contexts that tell a branch from a folder, a commit from a number and a pull request from an issue.
Knows nothing of forges' data.
"""

import re
from collections.abc import Iterator

from ferrule.referents.kinds import Found, HandleKind
from ferrule.referents.scan.words import context_before

__all__ = ["branches", "commits", "qualified_numbers", "session_keys", "tickets", "worded_numbers"]

_QUALIFIED = re.compile(
    r"(?<![\w/.:@-])(?:[A-Za-z0-9_.-]{1,60}/[A-Za-z0-9_.-]{1,80}#[0-9]{1,7}|(?:[A-Za-z0-9_.-]{1,60}/[A-Za-z0-9_.-]{1,80}/)?"
    r"(?P<what>pulls?|issues)/[0-9]{1,7})(?![\w/])"
)
_PULL_WORD = r"[Pp]ull[ -][Rr]equests?|PRs?|prs?|Prs?|[Mm]erge [Rr]equests?|MRs?|pulls?"
_ISSUE_WORD = r"[Ii]ssues?|ISSUES?|[Bb]ugs?|[Tt]icket"
_WORDED = re.compile(
    rf"(?<![\w./-])(?:(?P<pull>{_PULL_WORD})|(?P<issue>{_ISSUE_WORD}))(?P<gap>[ \t]{{0,2}}(?:number |no\.? |[:/(`*]{{1,2}})?[ \t]?)(?P<sign>[#!]?)(?P<n>[0-9]{{1,6}})(?![\w%]|[.,][0-9]|[ ]?(?:%|[a-z]{{4,12}}s\b))"
)
_BARE = re.compile(r"(?<![\w/#&=.\"-])(?P<sign>[#!])(?P<n>[0-9]{1,6})(?![\w;]|[.,-][0-9])")
_NOT_NUMBERS = re.compile(
    r"\b(?:steps?|phases?|options?|findings?|items?|tests?|cases?|points?|questions?|sections?|challenges?|problems?|lines?|rounds?|attempts?"
    r"|iterations?|comments?|tasks?|rules?|colou?r|background|page|chapter|part|number|rank|the|version|level|figure|table|players?"
    r"|priority|example|column|row|slide|reason|idea|note|suggestion|requirement|fix|change|thread|is)\s?[:(`*]{0,2}\Z"
)
_NEAR_PULL = re.compile(rf"\b(?:{_PULL_WORD})\b", re.IGNORECASE)
_NEAR_ISSUE = re.compile(rf"\b(?:{_ISSUE_WORD}|fix(?:es|ed)?|close[sd]?|resolve[sd]?)\b", re.IGNORECASE)
_TICKET = re.compile(r"(?<![\w/.-])(?P<v>[A-Z][A-Z0-9]{1,9}-[1-9][0-9]{0,5})(?![\w-]|\.[0-9])")
_NOT_TICKETS = frozenset(
    "UTF UCS SHA MD ISO RFC GPT HTTP AES RSA COVID CVE CWE X86 H GHSA TLS SSL IEEE ECMA ES PEP BCP STD WCAG TODO MIT BSD GPL LGPL AGPL CC MPL"
    " ARM MP MPEG DDR USB PCI CP KOI WINDOWS RTX GTX LATIN ASCII BASE64 Q STEP PHASE OPTION V PART TOP GLM GEMINI CLAUDE LLAMA QWEN AB XSS OWASP"
    " P S R T C D E F G I J K L M N O U W Y Z B A".split()
)  # fmt: skip
_UUID = r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
_SESSION_ID = re.compile(
    rf"(?<![\w-])(?P<v>{_UUID})(?![\w-])|(?<![\w-])(?P<s>(?:ses|sess|thread|conv)_[A-Za-z0-9]{{8,40}})(?!\w)"
    r"|\b[Ss]ession(?:[ _-]?(?:[Kk]ey|[Ii][Dd]|[Nn]ame))?(?: is|:|=)?[ \t]{1,2}[`\"](?P<n>[A-Za-z][A-Za-z0-9]{0,40}(?:[-_:#][A-Za-z0-9]{1,40}){1,8})[`\"]"
    r"|[`\"](?P<m>[A-Za-z][A-Za-z0-9]{0,40}(?:[-_:#][A-Za-z0-9]{1,40}){1,8})[`\"] session\b"
)
_SESSION_NEAR = re.compile(r"session|thread|conversation|resume|rollout|transcript|chat|\bfork\b", re.IGNORECASE)
_OTHER_NEAR = re.compile(
    r"(?:document|page|sheet|note|request|trace|run|job|user|account|tenant|device)s?(?: id)?[:= `\"']{1,3}\Z"
)
_COMMIT = re.compile(r"(?<![\w#:/@+.\\-])[0-9a-f]{7,40}(?![\w/@+:\\-]|\.[0-9a-zA-Z])")
_COMMIT_RANGE = re.compile(r"(?<![\w#:/@-])(?P<a>[0-9a-f]{7,40})\.{2,3}(?P<b>[0-9a-f]{7,40})(?!\w)")
_COMMIT_WORD = re.compile(
    r"(?:\b(?:commit|commits|committed|sha|head|revision|rev|cherry-pick|revert|checkout|at|as|in|is|→|->)\s?[:=(`*\[]{0,3}\s?|\[[\w./-]{1,80} )\Z"
)
_STRONG_COMMIT_WORD = re.compile(
    r"(?:\b(?:commit|commits|sha|revision|cherry-pick|revert)\s?[:=(`*\[]{0,3}\s?|\[[\w./-]{1,80} )\Z"
)
_MD5 = 32
_NAME = r"[A-Za-z0-9_](?:[A-Za-z0-9_.#/+-]{0,120}[A-Za-z0-9_])?"
_BRANCH_CONTEXTS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b[Bb]ranch(?:es)?(?: named| called| name| is|:|=)?[ \t]{{1,2}}(?:[`'\"*]{{1,3}}(?P<v>{_NAME})[`'\"*]|(?P<w>[A-Za-z0-9_.-]{{1,60}}/{_NAME}))",
        rf"[`'\"*](?P<v>{_NAME})[`'\"*]{{1,3}} (?:feature |local |remote |release )?[Bb]ranch\b",
        rf"\bgit (?:-C \S{{1,200}} )?(?:checkout|switch)(?: -[a-zA-Z-]{{1,12}}){{0,3}} (?P<v>{_NAME})(?![\w./])",
        rf"\bgit branch(?: -[a-zA-Z-]{{1,12}}){{0,3}} (?P<v>{_NAME})(?![\w./])",
        rf"\bgit (?:-C \S{{1,200}} )?(?:push|pull|fetch)(?: -[a-zA-Z=-]{{1,24}}){{0,4}} (?:origin|upstream) (?:HEAD:)?(?P<v>{_NAME})",
        rf"\bgit worktree add [^\n]{{0,200}}? ?-[bB] (?P<v>{_NAME})",
        rf"\bgit (?:merge|rebase)(?: -[a-zA-Z-]{{1,16}}){{0,3}} (?P<v>{_NAME})",
        rf"(?:--(?:head|base|branch|ref)[ =])(?P<v>{_NAME})",
        rf"(?<![\w./-])(?P<v>(?:refs/(?:heads|remotes)|remotes/origin|origin|upstream)/{_NAME})(?![\w/])",
        rf"\b[Oo]n branch (?P<v>{_NAME})",
        rf"[`*](?P<v>(?:feat|feature|fix|bugfix|hotfix|chore|refactor|perf|dependabot|renovate|copilot|codex|claude|cursor)/{_NAME})[`*]",
    )
)
_NOT_BRANCH = frozenset(
    "head file files the a an and or of is was name names coverage protection to from in it this that main.go".split()
)
_FILE_END = re.compile(r"\.(?:py|go|ts|tsx|js|jsx|md|mdx|json|toml|ya?ml|rs|java|cs|cpp|c|h|sh|rb|txt|html|css)\Z")


def qualified_numbers(text: str) -> Iterator[Found]:
    """`owner/name#12`, `pull/12`, `owner/name/issues/12` outside a URL."""
    for match in _QUALIFIED.finditer(text):
        pull = (match["what"] or "").startswith("pull") or (
            match["what"] is None and _nearest(context_before(text, match.start())) is HandleKind.PULL_REQUEST
        )
        yield Found(HandleKind.PULL_REQUEST if pull else HandleKind.ISSUE, match.group(), match.start(), match.end())


def worded_numbers(text: str) -> Iterator[Found]:
    """Numbers of pull requests and issues: named by a word, or `#12` whose kind the text itself tells elsewhere."""
    kinds: dict[str, HandleKind] = {}
    taken: set[int] = set()
    for match in _WORDED.finditer(text):
        kind = HandleKind.PULL_REQUEST if match["pull"] else HandleKind.ISSUE
        glued = bool(match["sign"]) and not match["gap"]
        start = match.start() if glued or match["gap"].endswith("/") else match.start("sign")
        if not match["sign"] and match["gap"].strip() in {"", "("} and _counts(match["n"], match["gap"]):
            continue
        kinds.setdefault(match["n"], kind)
        taken.add(match.start("sign"))
        yield Found(kind, text[start : match.end()], start, match.end())
    if "#" not in text and "!" not in text:
        return
    for match in _BARE.finditer(text):
        before = context_before(text, match.start())
        if match.start() in taken or _NOT_NUMBERS.search(before) or not _plausible(match["sign"], match["n"], before):
            continue
        kind = kinds.get(match["n"]) or _nearest(before) or HandleKind.ISSUE
        if match["sign"] == "!":
            kind = HandleKind.PULL_REQUEST
        yield Found(kind, match.group(), match.start(), match.end())


def _counts(number: str, gap: str) -> bool:
    """`issues 3` without a sign is a count or an ordinal rather than a number when small and glued."""
    return not gap and len(number) < 2  # noqa: PLR2004 - one digit


def _plausible(sign: str, number: str, before: str) -> bool:
    if sign == "!":
        return len(number) > 1 or "mr" in before
    return not number.startswith("0") and not before.rstrip().endswith(("color:", "background:"))


def _nearest(before: str) -> HandleKind | None:
    """The kind that the nearest word before a number tells."""
    pulls = [match.end() for match in _NEAR_PULL.finditer(before)]
    issues = [match.end() for match in _NEAR_ISSUE.finditer(before)]
    if not pulls and not issues:
        return None
    return HandleKind.PULL_REQUEST if max(pulls, default=-1) > max(issues, default=-1) else HandleKind.ISSUE


def tickets(text: str) -> Iterator[Found]:
    """Keys of a tracker: `ENT-108`."""
    for match in _TICKET.finditer(text):
        if match["v"].split("-", 1)[0] not in _NOT_TICKETS:
            yield Found(HandleKind.TASK_ID, match["v"], match.start(), match.end())


def session_keys(text: str) -> Iterator[Found]:
    """Session, thread and conversation ids by their form or by the words before them."""
    for match in _SESSION_ID.finditer(text):
        group = match.lastgroup or "v"
        start = match.start(group)
        if group == "v":
            before = context_before(text, start, 80)
            if _OTHER_NEAR.search(before) or not _SESSION_NEAR.search(before):
                continue
        yield Found(HandleKind.SESSION_KEY, match[group], start, match.end(group))


def commits(text: str) -> Iterator[Found]:
    """Abbreviated and full SHAs: hex with a letter and a digit, or any hex after a word for a commit."""
    for match in _COMMIT_RANGE.finditer(text):
        if not context_before(text, match.start(), 8).endswith("index "):
            for group in ("a", "b"):
                yield Found(HandleKind.COMMIT_SHA, match[group], match.start(group), match.end(group))
    for match in _COMMIT.finditer(text):
        value, start = match.group(), match.start()
        mixed = not value.isdigit() and not value.isalpha()
        if not mixed or len(value) == _MD5:
            strong = _STRONG_COMMIT_WORD.search(context_before(text, start))
            if not strong or (value.isalpha() and len(value) < 12):  # noqa: PLR2004 - a word of hex letters
                continue
        elif context_before(text, start, 8).endswith(("index ", "md5 ", "etag ")):
            continue
        yield Found(HandleKind.COMMIT_SHA, value, start, match.end())


def branches(text: str) -> Iterator[Found]:
    """Branch names, only where the text says that it is one: the word, a git command, a ref, or a usual prefix in ticks."""
    for pattern in _BRANCH_CONTEXTS:
        for match in pattern.finditer(text):
            group = "v" if match["v"] is not None else "w"
            value = match[group].rstrip(".,")
            if (
                value.lower() in _NOT_BRANCH
                or _FILE_END.search(value)
                or ".." in value
                or "//" in value
                or value.startswith("-")
            ):
                continue
            yield Found(HandleKind.BRANCH, value, match.start(group), match.start(group) + len(value))
